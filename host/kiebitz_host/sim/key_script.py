"""Play key presses from a file on fake hardware: words like `pick:start.settings ok*3 hold:undo wait:500`."""

from kiebitz.widgets.keys import NAMES

from ..outcome import Trouble
from ..received import read_lines
from .hardware import PowerOff
from .screen_reader import is_choice, presses_of

KEYS = tuple(name.lower() for name in NAMES)
TEXT = "text"
PICK = "pick"

START_MS = 100  # time until the app has drawn its first screen
TAP_MS = 50
PAUSE_MS = 50
TIMES_MAX = 1000
WAIT_MAX_MS = 3_600_000

HELP = (
    f"keys are {' '.join(KEYS)}; ok*3 presses three times, hold:undo holds, wait:500 waits, text prints the screen, "
    "pick:start.settings chooses the line of a menu by its text key, at:start.settings moves the cursor to it"
)


def read(name):
    """Parse a script into steps (action, argument).

    They are ("tap", key), ("hold", key), ("wait", ms), ("text", None), or ("pick", word) for pick:KEY and at:KEY.
    """
    steps = []
    for number, line in enumerate(read_lines(name), 1):
        for word in line.decode("utf-8", "replace").partition("#")[0].split():
            found = _steps(word)
            if not found:
                raise Trouble(f"{name}, line {number}: {word!r} is not a step of a script; {HELP}.")
            steps += found
    return steps


def _steps(word):
    """Return the steps of a word; empty if the word is unknown."""
    if is_choice(word):
        return [(PICK, word)]
    word = word.lower()
    if word == TEXT:
        return [(TEXT, None)]
    action, colon, rest = word.partition(":")
    if colon:
        if action == "wait":
            ms = _number(rest, WAIT_MAX_MS)
            return [("wait", ms)] if ms else []
        return [("hold", rest)] if action == "hold" and rest in KEYS else []
    key, star, times = word.partition("*")
    count = _number(times, TIMES_MAX) if star else 1
    return [("tap", key)] * count if key in KEYS else []


def _number(text, most):
    return int(text) if text.isascii() and text.isdigit() and 0 < int(text) <= most else 0


class ScriptPlayer:
    """Play steps on the clock of fake hardware, then call on_end()."""

    def __init__(self, steps, hardware, on_text, on_end):
        self._steps = list(steps)
        self._hardware = hardware
        self._on_text = on_text
        self._on_end = on_end
        self._pico = None
        self.trouble = None  # why the script ended early
        hardware.time.at(START_MS, self._next)

    def started(self, pico):
        """Set the Interpreter that runs the firmware, which gives access to the open menu."""
        self._pico = pico

    def _next(self):
        """Play the next step, and schedule the one after it."""
        if not self._steps:
            self._on_end()
            return
        action, argument = self._steps.pop(0)
        ms = 0
        if action == "wait":
            ms = argument
        elif action == TEXT:
            self._on_text()
        elif action == PICK:
            self._choose(argument)
        else:
            down = self._hardware.hold_ms if action == "hold" else TAP_MS
            self._hardware.press(argument)
            self._hardware.time.at(down, lambda: self._hardware.release(argument))
            ms = down + PAUSE_MS
        self._hardware.time.at(ms, self._next)

    def _choose(self, word):
        """Insert the presses that choose a line of the open menu before the remaining steps.

        The firmware would catch an exception, so an invalid word cuts the power, and the caller raises the error.
        """
        modules = self._pico.modules if self._pico else {}
        app = modules["kiebitz.power_on"].app if "kiebitz.power_on" in modules else None
        try:
            presses = presses_of(word, app and app.top, modules.get("kiebitz.text"))
        except LookupError as trouble:
            self.trouble = Trouble(f"{trouble}.")
            raise PowerOff from None
        self._steps[:0] = [("tap", key) for key in presses]
