"""The command line: usage errors, help, sanitized output, and lazy imports."""

import ast
import io
import os
import subprocess
import sys
from pathlib import Path

import kiebitz_host
import pytest
from kiebitz import VERSION
from kiebitz_host.cli import COMMANDS
from kiebitz_host.link.trouble import DeviceRefused
from kiebitz_host.outcome import Trouble
from kiebitz_host.printable import complain, printable, say, show_progress
from kiebitz_host.terminal import Terminal, table
from rich.panel import Panel
from rich.text import Text

COMMAND = str(Path(sys.executable).with_name("kiebitz"))


@pytest.fixture
def trouble(kiebitz):
    """Return a function that runs a command that must fail and returns its one sentence."""

    def run(*argv):
        done = kiebitz(*argv)
        assert (done.code, done.out) == (2, "")
        assert done.err.count("\n") == 1
        return done.err

    return run


def test_a_file_that_cannot_be_read_is_bad_usage(trouble, tmp_path):
    (tmp_path / "file").write_bytes(b"")
    missing, inside = str(tmp_path / "none.jsonl"), str(tmp_path / "file" / "x")
    assert trouble("replay", missing) == f"kiebitz: cannot read {missing}: No such file or directory.\n"
    assert trouble("replay", str(tmp_path)) == f"kiebitz: cannot read {tmp_path}: Is a directory.\n"
    assert "Not a directory" in trouble("replay", inside, "--json")


def test_a_file_that_may_not_be_read_is_bad_usage(trouble, monkeypatch):
    def locked(name, mode):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("kiebitz_host.received.open", locked, raising=False)
    assert trouble("replay", "x", "--json") == "kiebitz: cannot read x: Permission denied.\n"


def test_wrong_arguments_are_bad_usage(kiebitz):
    for argv in (["replay"], ["replay", "a", "b"], ["replay", "-", "--xml"], ["nonsense"], ["--nonsense"]):
        done = kiebitz(*argv)
        assert (done.code, done.out) == (2, ""), argv
        assert done.err.startswith("usage: kiebitz"), argv


def test_without_a_command_the_help_is_shown(kiebitz):
    done = kiebitz()
    assert done.code == 2
    assert done.out == kiebitz("--help").out
    assert kiebitz("--help").code == 0
    for word in ("replay", "combos", "rules", "examples:", "exit codes:"):
        assert word in done.out


def test_version(kiebitz):
    assert kiebitz("--version").out == f"kiebitz {VERSION}\n"


def test_a_reader_that_goes_away_ends_the_command_quietly(game_file):
    for extra in ([], ["--json"]):
        read_end, write_end = os.pipe()
        os.close(read_end)
        with os.fdopen(write_end, "wb") as stdout:
            command = [COMMAND, "replay", game_file("poch"), *extra]
            done = subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, check=False)
        assert (done.returncode, done.stderr) == (141, b""), extra


def test_ctrl_c_ends_the_command_quietly(kiebitz):
    class Impatient(io.RawIOBase):
        def readable(self):
            return True

        def readinto(self, buffer):
            raise KeyboardInterrupt

    done = kiebitz("replay", "-", stdin=Impatient())
    assert (done.code, done.out, done.err) == (130, "", "")


def test_an_output_that_knows_only_ascii_still_gets_the_sheet(game_file):
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([COMMAND, "replay", game_file("poch")], capture_output=True, check=True, env=environment)
    assert b"Poch" in done.stdout
    assert done.stderr == b""


# --- sanitized output ---

HOST = Path(kiebitz_host.__file__).parent
EVIL = "a\x1b[2Jb\x9b31m\x07\r\x7f\ud800\u2028\u202ec"
CLEAN = "a?[2Jb?31m?????c"


def test_control_characters_are_replaced_and_letters_stay():
    assert printable(EVIL) == CLEAN
    assert printable("Zoë \U0001f600 日本") == "Zoë \U0001f600 日本"


def test_lines_are_said_through_the_gate(capsys):
    say(EVIL)
    complain(Trouble(EVIL))
    assert capsys.readouterr() == (f"{CLEAN}\n", f"kiebitz: {CLEAN}\n")


def test_a_trouble_is_clean_whoever_prints_it():
    assert str(Trouble(f"the port {EVIL} is odd.")) == f"the port {CLEAN} is odd."


def test_progress_moves_the_cursor_only_by_itself(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    show_progress(EVIL)
    assert capsys.readouterr().err == f"\r{CLEAN}\x1b[K"


@pytest.mark.parametrize("wrap", [str, Text, Panel, lambda words: Panel(Text(words), title=words)])
def test_the_terminal_of_rich_has_the_same_gate(wrap):
    terminal = Terminal()
    terminal.file = io.StringIO()
    terminal.print(wrap(EVIL))
    sheet = table(EVIL, "Players")
    sheet.add_row(EVIL, Text(EVIL))
    terminal.print(sheet)
    printed = terminal.file.getvalue()
    assert "31m" in printed and all(char == "\n" or char.isprintable() for char in printed), printed


def test_a_code_of_the_device_is_no_format_string():
    sentence = str(DeviceRefused("port", "set", "{errno.__class__}", 5))
    assert "({errno.__class__})" in sentence
    assert "(error 5)" in str(DeviceRefused("port", "set", "E_FLASH", 5))


def test_what_meets_devices_prints_only_sanitized_text():
    paths = [HOST / "cli" / f"{name}.py" for name in ("sync", "live", "doctor", "install", "players", "rescue")]
    paths += [*(HOST / "link").glob("*.py"), *(HOST / "install").glob("*.py"), *(HOST / "rescue").glob("*.py")]
    paths.remove(HOST / "install" / "agent.py")  # which prints on the Pico
    found = [
        f"{path.name}:{node.lineno}"
        for path in paths
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print"
    ]
    assert len(paths) > 20 and found == []


# --- lazy imports ---

# Modules that are slow to import, and the commands that may import them
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
    told = " ".join(kiebitz("--help").out.split())
    assert all(f"{name} {line}" in told for name, line in COMMANDS.items())
