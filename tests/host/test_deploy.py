"""The files for a server: Dockerfile, compose file and systemd units, whose options must exist."""

import configparser
import re
import shlex

import pytest
import yaml
from kiebitz_host.cli import parser_for
from kiebitz_lab.container import DEPLOY, stages

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
