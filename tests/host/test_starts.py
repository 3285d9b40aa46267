"""A command imports what it needs and no more: that is what makes it start at once."""

import subprocess
import sys

import pytest

# What takes long to import, and who may ask for it
HEAVY = {"rich", "segno", "serial", "mpremote", "starlette", "uvicorn", "filelock", "asyncio", "sqlite3", "kiebitz_lab"}
LIGHT = {
    "--version": set(),
    "--help": set(),
    "nonsense": set(),
    "sim --help": set(),
    "web --help": {"sqlite3"},
    "replay --help": set(),
    "add --help": {"sqlite3"},
    "games --help": {"sqlite3"},
    "show --help": {"sqlite3"},
    "players --help": {"sqlite3"},
    "league --help": {"sqlite3"},
    "export --help": {"sqlite3"},
    "rescue --help": {"sqlite3"},
    "presets --help": {"sqlite3", "serial"},
    "install --help": {"serial"},
    "doctor --help": {"serial"},
}


@pytest.mark.parametrize("command", LIGHT)
def test_a_light_command_imports_nothing_heavy(command):
    code = "import sys; from kiebitz_host.cli import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code, *command.split()], capture_output=True, text=True)
    assert {name.split(".")[0] for name in done.stderr.split()} & HEAVY <= LIGHT[command], done.stderr[:400]


def test_the_help_has_a_line_for_every_command(kiebitz):
    from kiebitz_host.cli import COMMANDS

    told = " ".join(kiebitz("--help").out.split())
    assert all(f"{name} {line}" in told for name, line in COMMANDS.items())
