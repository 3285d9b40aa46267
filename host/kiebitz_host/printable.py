"""Sanitize text that may come from a device, and print it: no control characters reach the terminal."""

import re
import sys
from typing import TextIO

# The C0 and C1 control characters, lone surrogates, and the two line ends of Unicode
CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]")
_CONTROLS_IN_LINES = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]")
# Characters that change the direction of writing would disturb the columns
_BIDI_CONTROLS = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F])


def printable(text: str) -> str:
    """Return one line of text with "?" for each control character, and without changes of the direction."""
    return CONTROLS.sub("?", text).translate(_BIDI_CONTROLS)


def printable_lines(text: str) -> str:
    """Return the text as printable() does, with its line ends."""
    return _CONTROLS_IN_LINES.sub("?", text).translate(_BIDI_CONTROLS)


def say(line: object, file: TextIO | None = None) -> None:
    """Print one line at once, sanitized."""
    print(printable(str(line)), file=file, flush=True)


def complain(reason: object) -> None:
    """Print on standard error why a command has failed, sanitized."""
    say(f"kiebitz: {reason}", sys.stderr)


def show_progress(line: str) -> None:
    """Show a line that the next one replaces, on a terminal only; an empty line clears it."""
    if sys.stderr.isatty():
        print(f"\r{printable(line)}\x1b[K", end="", file=sys.stderr, flush=True)
