"""The wheel: installed by pip, pipx and uv without checkout, compiler or network, and used as a user does."""

import email
import os
import re
import select
import subprocess
import sys
import urllib.request
import venv
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from zipfile import ZipFile

import pytest
from helpers.installing import INFO_RP2040
from kiebitz import VERSION
from kiebitz_host.install.uf2 import RP2040, check, read_part
from kiebitz_lab.dist import make_wheel
from kiebitz_lab.image.build import current_image
from packaging.requirements import Requirement

pytestmark = pytest.mark.long

PATIENCE_S = 60
GAMES = Path(__file__).parents[1] / "games" / "poch" / "recorded"
TOOLS = Path(sys.prefix) / "bin"
ADDRESS = "https://code.example/club/kiebitz"
LEFT_BY_AN_INSTALL = ("INSTALLER", "REQUESTED", "direct_url.json")


def required(requirements, extra=""):
    """Return the distributions that these requirements ask for, and those that they need themselves, by name."""
    found = {}
    for requirement in map(Requirement, requirements):
        if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
            distribution = metadata.distribution(requirement.name)
            found[requirement.name] = distribution
            assert requirement.specifier.contains(distribution.version), requirement
            found |= required(distribution.requires or [])
    return found


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Return the path of a new wheel with the image of this checkout inside."""
    return make_wheel(current_image(), tmp_path_factory.mktemp("wheel"), ADDRESS)


@pytest.fixture(scope="module")
def shelf(wheel, tmp_path_factory):
    """Return a folder with pip and the wheels of all dependencies, in place of an index."""
    folder = tmp_path_factory.mktemp("shelf")
    for distribution in required(about(wheel).get_all("Requires-Dist")).values():
        repack(distribution, folder)
    repack(metadata.distribution("pip"), folder)
    return folder


def repack(distribution, folder):
    """Pack the files of an installed pure-Python distribution into a wheel."""
    told = email.message_from_string(distribution.read_text("WHEEL"))
    tags = [tag.removesuffix("-none-any") for tag in told.get_all("Tag")]
    assert not [tag for tag in tags if "-" in tag], f"{distribution.name} is made for one system"
    place = next(file.parts[0] for file in distribution.files if file.parts[0].endswith(".dist-info"))
    name = f"{place.removesuffix('.dist-info')}-{'.'.join(tags)}-none-any.whl"
    with ZipFile(folder / name, "w") as made:
        for file in distribution.files:
            if file.parts[0] != ".." and file.suffix != ".pyc" and file.name not in LEFT_BY_AN_INSTALL:
                made.write(distribution.locate_file(file), file.as_posix())


def packages_of(environment):
    return next(environment.glob("lib/python3*/site-packages"))


@dataclass(frozen=True)
class Home:
    """The home folder of a user who has installed the wheel, and nothing else."""

    folder: Path
    environment: Path  # that the wheel is installed into
    program: Path


@pytest.fixture(scope="module", params=["pip", "pipx", "uv"])
def home(request, wheel, shelf, tmp_path_factory):
    """Install the wheel from files alone, without an index and without a compiler on the path."""
    folder = tmp_path_factory.mktemp(request.param)
    bare = {"HOME": str(folder), "PATH": "", "LANG": "C.UTF-8"}
    what = f"kiebitz @ {wheel.as_uri()}"
    if request.param == "uv":
        made = Home(folder, folder / "tools" / "kiebitz", folder / "bin" / "kiebitz")
        places = {"UV_TOOL_DIR": folder / "tools", "UV_TOOL_BIN_DIR": folder / "bin", "UV_CACHE_DIR": folder / "cache"}
        command = [TOOLS / "uv", "tool", "install", "--offline", "--no-index", "--find-links", shelf]
        command += ["--python", sys.executable, what]
    else:
        bare |= {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(shelf)}
        if request.param == "pipx":
            made = Home(folder, folder / "pipx" / "venvs" / "kiebitz", folder / "bin" / "kiebitz")
            places = {"PIPX_HOME": folder / "pipx", "PIPX_BIN_DIR": folder / "bin", "PIPX_DEFAULT_BACKEND": "pip"}
            command = [TOOLS / "pipx", "install", "--python", sys.executable, what]
        else:
            made = Home(folder, folder / "env", folder / "env" / "bin" / "kiebitz")
            places = {}
            venv.create(made.environment, symlinks=True)
            command = [TOOLS / "python", "-m", "pip", "--python", made.environment / "bin" / "python", "install", what]
    environment = {**bare, **{name: str(place) for name, place in places.items()}}
    done = subprocess.run(list(map(str, command)), cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return made


def about(wheel):
    """Return the metadata in a wheel."""
    with ZipFile(wheel) as file:
        name = next(name for name in file.namelist() if name.endswith(".dist-info/METADATA"))
        return email.message_from_bytes(file.read(name))


@pytest.fixture
def command(home):
    """Return (the command line of kiebitz, options for subprocess) for a user without a checkout."""
    path = str(home.program.parent)
    environment = {"HOME": str(home.folder), "PATH": path, "LANG": "C.UTF-8", "COLUMNS": "80", "LINES": "24"}
    return [str(home.program)], {"cwd": home.folder, "env": environment}


@pytest.fixture
def installed(command):
    """Return a function that runs a command and returns its exit code, output and error output."""

    def run(*argv, stdin=""):
        program, options = command
        done = subprocess.run(
            [*program, *argv], **options, input=stdin, capture_output=True, text=True, timeout=PATIENCE_S
        )
        assert "Traceback" not in done.stderr, done.stderr
        return done.returncode, done.stdout, done.stderr

    return run


def test_the_wheel_says_what_it_is(wheel):
    told = about(wheel)
    assert (told["Name"], told["Version"], told["License-Expression"]) == ("kiebitz", VERSION, "MIT")
    assert told["Author"] == "The Kiebitz authors" and "score keeper" in told["Keywords"]
    assert told.get_all("License-File") == ["LICENSE"] and len(told.get_all("Classifier")) > 10
    assert f"Issues, {ADDRESS}/issues" in told.get_all("Project-URL")
    with ZipFile(wheel) as file:
        names = file.namelist()
    assert not [name for name in names if name.startswith(("kiebitz_lab", "tests", "main.py"))]


def test_the_checkout_is_out_of_reach(home, command):
    code = "import importlib.util as u, kiebitz_host; print(u.find_spec('kiebitz_lab'), kiebitz_host.__file__)"
    python = home.environment / "bin" / "python"
    done = subprocess.run([python, "-c", code], **command[1], capture_output=True, text=True)
    assert done.stdout.startswith(f"None {home.environment}")


def test_everything_that_needs_no_device(installed, home):
    assert installed("--version") == (0, f"kiebitz {VERSION}\n", "")
    assert "texts" not in installed("--help")[1].split("examples:")[0]
    assert "checkout" in installed("texts", "de")[2]
    code, out, _ = installed("sim", "--script", "-", stdin="ok text\n")
    assert code == 0 and len(out.splitlines()) > 16
    code, out, _ = installed("replay", str(GAMES / "poch.jsonl"))
    assert code == 0 and out
    assert "Skat" not in installed("rules", "poch")[1] and installed("rules", "poch", "--lang", "de")[0] == 0
    assert installed("add", str(GAMES / "poch.jsonl"))[0] == 0
    assert (home.folder / ".local/share/kiebitz/results.db").is_file()
    for argv in (["games"], ["league"], ["players"], ["show", "1"], ["export", "csv"]):
        assert installed(*argv)[0] == 0, argv
    assert "checkout" in installed("sim", "--chip")[2]


def wait_for(near, words):
    """Read the output of a terminal until these words appear."""
    seen = b""
    while words not in seen:
        assert select.select([near], [], [], PATIENCE_S)[0], seen
        seen += os.read(near, 65536)


def test_install_copies_the_firmware_of_the_wheel_to_a_drive(command, home):
    program, options = command
    drive = home.folder / "RPI-RP2"
    drive.mkdir()
    (drive / "INFO_UF2.TXT").write_text(INFO_RP2040)
    near, far = os.openpty()
    with subprocess.Popen([*program, "install", "--drive", str(drive)], stderr=far, **options) as install:
        try:
            wait_for(near, b"waiting for the Pico to come back")
        finally:
            install.kill()
    os.close(near)
    os.close(far)
    copied = drive / f"kiebitz-{VERSION}.uf2"
    assert copied.read_bytes() == read_part(check(shipped_in(home), named=True), RP2040)


def shipped_in(home):
    """Return the path of the firmware that came with the wheel."""
    return packages_of(home.environment) / "kiebitz_host" / "uf2" / f"kiebitz-{VERSION}.uf2"


def test_without_a_pico_install_and_doctor_say_a_sentence(installed, home):
    assert check(shipped_in(home)).version == VERSION
    assert installed("install", "--help")[0] == 0
    code, out, told = installed("install", "/dev/nothing")
    assert (code, out, told.count("\n")) == (2, "", 1) and "/dev/nothing" in told
    code, out, told = installed("doctor", "/dev/nothing")
    assert (code, told) == (2, "") and "there is no port /dev/nothing" in out
    code, out, told = installed("doctor", "/dev/nothing", "--report")
    assert (code, out, told.count("\n")) == (2, "", 1) and "there is no port /dev/nothing" in told


def test_sync_fetches_from_the_simulator(command, installed, home):
    program, options = command
    script = "ok*4 hold:ok ok right ok hold:ok right ok"  # players A and B begin a game
    assert installed("sim", "--flash", "flash", "--script", "-", stdin=script)[0] == 0
    near, far = os.openpty()
    with subprocess.Popen([*program, "sim", "--flash", "flash"], stdin=far, stdout=far, **options) as simulator:
        try:
            wait_for(near, b"quit")
            code, out, told = installed("sync", "--port", str(home.folder / "flash"), "--db", "synced.db")
            assert (code, told) == (0, "") and "1 game fetched" in out
        finally:
            simulator.kill()
    os.close(near)
    os.close(far)


def test_the_pages_answer(command):
    program, options = command
    argv = [*program, "web", "--no-browser", "--port", "0", "--lang", "en"]
    options["env"]["PYTHONUNBUFFERED"] = "1"
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, **options) as server:
        try:
            address = next(filter(None, (re.search(r"http://\S+", line) for line in server.stdout)))[0]
            with urllib.request.urlopen(address, timeout=PATIENCE_S) as answer:
                assert answer.status == 200 and "Kiebitz" in answer.read().decode()
            with urllib.request.urlopen(re.sub("/live.*", "/static/kiebitz.css", address)) as answer:
                assert answer.status == 200
        finally:
            server.kill()
