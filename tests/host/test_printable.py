"""Text from a device is sanitized before it is printed."""

import ast
import io
from pathlib import Path

import kiebitz_host
import pytest
from kiebitz_host.link.trouble import DeviceRefused
from kiebitz_host.outcome import Trouble
from kiebitz_host.printable import complain, printable, say, show_progress
from kiebitz_host.terminal import Terminal, table
from rich.panel import Panel
from rich.text import Text

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
