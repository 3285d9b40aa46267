"""Sanitize text that may come from a device, and print it without control characters."""

import re
import sys
from typing import TextIO

# C0 and C1 control characters, lone surrogates, and the two line separators of Unicode
CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]")
_CONTROLS_IN_LINES = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]")
# Bidi control characters, which would break the columns
_BIDI_CONTROLS = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F])


def printable(text: str) -> str:
    """Return one line of text with "?" for each control character, and without bidi control characters."""
    return CONTROLS.sub("?", text).translate(_BIDI_CONTROLS)


def printable_lines(text: str) -> str:
    """Sanitize like printable(), but keep line ends."""
    return _CONTROLS_IN_LINES.sub("?", text).translate(_BIDI_CONTROLS)


def say(line: object, file: TextIO | None = None) -> None:
    """Print one sanitized line and flush."""
    print(printable(str(line)), file=file, flush=True)


def complain(reason: object) -> None:
    """Print a sanitized error message on standard error."""
    say(f"kiebitz: {reason}", sys.stderr)


def show_progress(line: str) -> None:
    """Show a progress line that the next one overwrites, on a terminal only; an empty line clears it."""
    if sys.stderr.isatty():
        print(f"\r{printable(line)}\x1b[K", end="", file=sys.stderr, flush=True)


def capitalized(words: str) -> str:
    """Return a sentence that begins with a capital letter."""
    return words[:1].upper() + words[1:]
