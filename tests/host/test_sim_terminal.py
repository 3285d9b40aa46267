"""The simulator in a pseudo-terminal: its display, its keys, and the restored terminal state."""

import fcntl
import os
import select
import signal
import struct
import subprocess
import sys
import termios

import pytest
from helpers.shelf import games_on
from kiebitz.board.storage import Storage
from kiebitz_host.cli.sim import REPEATED_MS, TAP_MS, LiveTime, TerminalPlay
from kiebitz_host.sim import device
from kiebitz_host.sim.device import set_language
from kiebitz_host.sim.flash_folder import DATA
from kiebitz_host.sim.hardware import HOLD_MS, Hardware, PowerOff
from kiebitz_host.sim.terminal_ui import QUIT, keys_in
from kiebitz_lab.samples import choose_game

PATIENCE_S = 20
LEFT = b"\x1b[?25h\x1b[?1049l"

PROGRAM = """
from kiebitz.board.pico import this_board
from kiebitz.widgets.keys import NAMES, Keys

board = this_board()
keys = Keys(board.clock)

def turn():
    for key, kind in keys.feed(board.read_keys(), board.clock.ms()):
        told = NAMES[key] + " " + kind
        board.storage.append("told", told.encode() + b"\\n")
        if told == "RIGHT press":
            raise ValueError("broken as asked")
        if told == "LEFT press":
            board.display.power(False)
        if told == "DOWN press":
            board.buzzer.beep(440, 60000)
    board.buzzer.tick()
    board.display.show()
    board.clock.sleep(5)

try:
    while True:
        turn()
except Exception as error:
    board.storage.write("crash", repr(error).encode())
    raise
"""

RUN = """
import sys
from pathlib import Path
from kiebitz_host import cli
from kiebitz_host.sim import device
device.MAIN = Path(sys.argv[1])
sys.exit(cli.main(["sim", *sys.argv[2:]]))
"""


class Terminal:
    """A pseudo-terminal with the simulator in it, running a small program."""

    def __init__(self, folder, *argv, size=(80, 24), program=PROGRAM, **environment):
        (folder / "main.py").write_text(program)
        self.data = folder / "flash" / "data"
        self.seen = b""
        self._here, there = os.openpty()
        fcntl.ioctl(there, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self._there = there
        self.before = termios.tcgetattr(there)
        self.process = subprocess.Popen(
            [sys.executable, "-c", RUN, folder / "main.py", "--flash", folder / "flash", *argv],
            stdin=there,
            stdout=there,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUTF8": "1", **environment},
        )

    def resize(self, columns, lines):
        fcntl.ioctl(self._there, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def type(self, text):
        os.write(self._here, text.encode())

    def sees(self, text):
        """Read until the text appears after the end of the last match."""
        wanted = text.encode()
        while wanted not in self.seen:
            assert self._read(), f"{text!r} did not come; {self.seen!r}"
        self.seen = self.seen.partition(wanted)[2]

    def _read(self):
        if not select.select([self._here], [], [], PATIENCE_S)[0]:
            return False
        self.seen += os.read(self._here, 65536)
        return True

    def ends(self):
        """Wait for the end and check that the terminal is restored. Return exit code and error output."""
        error = self.process.communicate(timeout=PATIENCE_S)[1].decode()
        while select.select([self._here], [], [], 0)[0]:
            self.seen += os.read(self._here, 65536)
        after = termios.tcgetattr(self._there)
        assert after == self.before
        return self.process.returncode, error

    def hang_up(self):
        os.close(self._here)
        self._here = -1
        return self.process.wait(PATIENCE_S)

    def close(self):
        self.process.kill()
        self.process.communicate()
        for end in (self._here, self._there):
            if end >= 0:
                os.close(end)


@pytest.fixture
def terminal(tmp_path):
    opened = []

    def open_terminal(*argv, **options):
        opened.append(Terminal(tmp_path, *argv, **options))
        return opened[-1]

    yield open_terminal
    for one in opened:
        one.close()


def test_a_player_sees_the_display_and_the_keys_and_quits(terminal):
    t = terminal()
    t.sees("╭─ Kiebitz")
    t.sees("Enter, Space   OK")
    t.type("q")
    assert t.ends() == (0, "") and t.seen.endswith(LEFT)


def test_keys_reach_the_program_and_the_title_tells_what_cannot_be_seen(terminal):
    t = terminal()
    t.sees("quit")
    t.type("\x1b[D")
    t.sees("(display off)")
    t.type("\x1b[B")
    t.sees("♪")
    t.type("q")
    t.ends()
    assert {b"LEFT press", b"DOWN press"} <= set((t.data / "told").read_bytes().splitlines())


def test_an_error_of_the_program_is_readable_in_a_terminal_as_before(terminal):
    t = terminal()
    t.sees("quit")
    t.type("\x1b[C")
    code, error = t.ends()
    assert code == 1 and error.endswith("ValueError: broken as asked\n") and t.seen.endswith(LEFT)
    assert (t.data / "crash").exists()


@pytest.mark.parametrize("number, code", [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 0)])
def test_a_signal_ends_it_in_good_order(terminal, number, code):
    t = terminal()
    t.sees("quit")
    t.process.send_signal(number)
    assert t.ends() == (code, "") and t.seen.endswith(LEFT)


def test_a_terminal_that_is_gone_is_no_error_of_the_firmware(terminal):
    t = terminal()
    t.sees("quit")
    assert t.hang_up() == 129
    assert not (t.data / "crash").exists()


def test_a_terminal_that_is_too_small_gets_a_sentence(terminal):
    t = terminal(size=(65, 24))
    code, error = t.ends()
    assert code == 2 and "65 x 24" in error and "66 x 21" in error and t.seen == b""


def test_a_terminal_made_too_small_gets_a_sentence_until_it_is_larger(terminal):
    t = terminal()
    t.sees("quit")
    t.resize(40, 12)
    t.sees("the terminal has 40 x 12 characters")
    t.resize(80, 24)
    t.sees("╭─ Kiebitz")
    t.type("q")
    assert t.ends()[0] == 0


def test_a_large_terminal_gets_large_pixels(terminal):
    t = terminal(size=(130, 37))
    t.sees("─" * 100)
    t.type("q")
    t.ends()


@pytest.mark.parametrize("size, columns", [((62, 35), 60), ((121, 64), 60), ((122, 65), 120), ((242, 125), 240)])
def test_a_square_display_is_as_large_as_the_terminal_lets_it_be(terminal, size, columns):
    t = terminal("--board", "pico_lcd_13", size=size)
    title = " Kiebitz (display off) "  # until the first picture is there
    t.sees(f"╭─{title}{'─' * (columns - 1 - len(title))}╮")
    t.type("q")
    t.sees(LEFT.decode())  # somebody has to read all the pixels
    assert t.ends()[0] == 0


COLOURED = """
from kiebitz.board.pico import this_board

board = this_board()
board.canvas.rect(0, 0, 128, 64)
board.canvas.tint("red", 0, 0, 64, 64)
while True:
    board.display.show()
    board.clock.sleep(5)
"""


@pytest.mark.parametrize(
    "board, environment, has_red",
    [("pico_lcd_13", {}, True), ("pico_lcd_13", {"NO_COLOR": "1"}, False), ("pico_oled", {}, False)],
)
def test_a_terminal_shows_the_colours_of_a_display_that_has_them(terminal, board, environment, has_red):
    t = terminal("--board", board, size=(80, 40), program=COLOURED, **environment)
    t.sees("│" + ("" if "NO_COLOR" in environment else "\x1b[97;40m") + ("\x1b[38;5;203m" if has_red else "") + "⣿")
    t.type("q")
    t.sees(LEFT.decode())
    assert t.ends()[0] == 0


def test_a_terminal_that_is_too_small_for_a_square_display_gets_a_sentence(terminal):
    code, error = terminal("--board", "pico_lcd_13", size=(80, 24)).ends()
    assert code == 2 and "80 x 24" in error and "62 x 35" in error


def test_a_plain_terminal_gets_plain_characters(terminal):
    t = terminal(size=(130, 37), PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    t.sees("+- Kiebitz ---")
    t.type("q")
    t.ends()


def test_the_last_screen_can_be_saved(terminal, tmp_path):
    t = terminal("--shot", tmp_path / "shot.png")
    t.sees("quit")
    t.type("q")
    assert t.ends()[0] == 0
    assert (tmp_path / "shot.png").read_bytes().startswith(b"\x89PNG")


# --- keys ---


@pytest.mark.parametrize(
    "text, keys",
    [
        ("\x1b[A\x1b[B\x1b[C\x1b[D", ["up", "down", "right", "left"]),
        ("\x1bOA\x1bOB\x1bOC\x1bOD", ["up", "down", "right", "left"]),
        ("\r\n ", ["ok", "ok", "ok"]),
        ("\x7f\bu", ["undo", "undo", "undo"]),
        ("UO", ["hold undo", "hold ok"]),
        ("\x1b[1;2A", ["hold up"]),
        ("q", [QUIT]),
        ("x\x1b[3~\x1b[5~\x1bOPé\x1b", []),
        ("\x1bu", ["undo"]),
    ],
)
def test_what_a_terminal_sends_stands_for_keys(text, keys):
    found, _ = keys_in(text)
    assert [("hold " if held else "") + key for key, held in found] == keys


def test_a_sequence_may_come_in_pieces():
    text = "\x1b[1;2A\x1bOBq"
    for cut in range(len(text)):
        first, rest = keys_in(text[:cut])
        second, rest = keys_in(rest + text[cut:])
        assert first + second == [("up", True), ("down", False), (QUIT, False)] and rest == ""


class Typist:
    """A front end that types by a timetable, on a clock that jumps to the next event."""

    stopped_by = 0

    def __init__(self, clock, timetable):
        self._clock = clock
        self._timetable = timetable

    def show(self, oled, tone):
        pass

    def keys(self, seconds):
        end = self._clock.elapsed + round(seconds * 1000)
        if not self._timetable or self._timetable[0][0] > end:
            self._clock.elapsed = max(end, self._clock.elapsed)
            return []
        self._clock.elapsed, key = self._timetable.pop(0)
        return [key]


class NoCable:
    def pump(self):
        pass


class ClockByHand(LiveTime):
    def catch_up(self):
        pass


def levels(*timetable):
    """Return when the OK key goes down (1) and up (0), for bytes that come at these times."""
    clock = ClockByHand()
    hardware = Hardware(time=clock)
    pin = hardware.machine.Pin(hardware.profile.keys[4], pull=1)
    player = TerminalPlay(hardware, Typist(clock, list(timetable)), NoCable())
    changes = []
    while clock.elapsed < 3000:
        player.wait(5)
        if (not changes and not pin.value()) or (changes and changes[-1][1] == pin.value()):
            changes.append((clock.elapsed, 1 - pin.value()))
    return changes


def test_a_byte_is_a_short_press():
    assert levels((100, ("ok", False))) == [(100, 1), (100 + TAP_MS, 0)]


def test_the_repeat_of_the_terminal_keeps_the_key_down():
    repeat = [(at, ("ok", False)) for at in range(600, 1500, 33)]
    assert levels((100, ("ok", False)), *repeat) == [
        (100, 1),
        (100 + TAP_MS, 0),
        (600, 1),
        (-(-(repeat[-1][0] + REPEATED_MS) // 5) * 5, 0),
    ]


def test_a_held_key_is_held_long_enough():
    assert levels((100, ("ok", True))) == [(100, 1), (100 + HOLD_MS, 0)]


def test_a_refusal_is_no_error_and_the_game_goes_on(tmp_path):
    to_table = f"ok {choose_game('top_spot')} ok ok ok ok right ok"
    keys = f"{to_table} {'up ' * 12} undo up down undo {QUIT}"  # the thirteenth trick is refused for every winner
    set_language(tmp_path, "en")
    clock = ClockByHand()
    hardware = Hardware(time=clock)
    timetable = [(300 * (i + 1), (key, False)) for i, key in enumerate(keys.split())]
    clock.wait = TerminalPlay(hardware, Typist(clock, timetable), NoCable()).wait
    device.run(hardware, tmp_path)
    storage = Storage(str(tmp_path / DATA))
    _, table, _ = games_on(storage).resume()
    assert table.game.points == [0, 11, 0, 0] and table.can_redo
    assert not [path for path in tmp_path.rglob("crash*")]


def test_quit_is_the_end_of_the_power():
    clock = ClockByHand()
    player = TerminalPlay(Hardware(time=clock), Typist(clock, [(50, (QUIT, False))]), NoCable())
    with pytest.raises(PowerOff):
        player.wait(100)
