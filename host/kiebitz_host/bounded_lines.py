"""Read lines in bounded pieces, so that no input can exhaust memory."""

import sys
from contextlib import nullcontext

from kiebitz.store.replay import LINE_MAX

from .outcome import Trouble

STDIN = "-"
_BOM = b"\xef\xbb\xbf"
_PIECE = LINE_MAX + len(_BOM) + len(b"\r\n")


def read_lines(name):
    """Yield the lines of a file, or of standard input for "-", as bytes without their line ends.

    A line longer than LINE_MAX is truncated, but still too long; its rest is skipped only if more lines are requested.
    """
    try:
        with _open(name) as stream:
            line = stream.readline(_PIECE)
            text = line.removeprefix(_BOM)
            while line:
                yield text.removesuffix(b"\n").removesuffix(b"\r")
                while len(line) == _PIECE and not line.endswith(b"\n"):
                    line = stream.readline(_PIECE)
                text = line = stream.readline(_PIECE)
    except OSError as trouble:
        raise Trouble(f"cannot read {name}: {trouble.strerror}.") from None


def _open(name):
    if name != STDIN:
        return open(name, "rb")
    if sys.stdin is None:
        raise Trouble("there is no standard input to read.")
    return nullcontext(sys.stdin.buffer)
