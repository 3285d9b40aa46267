"""Read key presses from a file: words like `down ok*3 hold:undo wait:500`, scheduled on the simulated clock."""

from kiebitz.widgets.keys import NAMES

from ..bounded_lines import read_lines
from ..outcome import Trouble

KEYS = tuple(name.lower() for name in NAMES)
TEXT = "text"

START_MS = 100  # the app has drawn its first screen by then
TAP_MS = 50
PAUSE_MS = 50
HOLD_MS = 800
TIMES_MAX = 1000
WAIT_MAX_MS = 3_600_000

HELP = f"keys are {' '.join(KEYS)}; ok*3 presses three times, hold:undo holds, wait:500 waits, text prints the screen"


def read(name):
    """Return a script's steps as (action, argument): ("tap", key), ("hold", key), ("wait", ms) or ("text", None)."""
    steps = []
    for number, line in enumerate(read_lines(name), 1):
        for word in line.decode("utf-8", "replace").partition("#")[0].split():
            found = _steps(word.lower())
            if not found:
                raise Trouble(f"{name}, line {number}: {word!r} is no step of a script; {HELP}.")
            steps += found
    return steps


def _steps(word):
    """Return the steps of a word, empty if the word is not known."""
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


def schedule(steps, hardware, on_text):
    """Schedule the steps on the clock of the hardware. Returns the time in ms when the last one is over."""
    now = START_MS
    for action, argument in steps:
        if action == "wait":
            now += argument
        elif action == TEXT:
            hardware.time.at(now, on_text)
        else:
            down = HOLD_MS if action == "hold" else TAP_MS
            hardware.time.at(now, lambda key=argument: hardware.press(key))
            hardware.time.at(now + down, lambda key=argument: hardware.release(key))
            now += down + PAUSE_MS
    return now
