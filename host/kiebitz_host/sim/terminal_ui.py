"""Use the terminal as a device, with a pseudo-terminal as its USB cable.

The display is shown above a key map; the terminal is restored at the end.
"""

import os
import re
import signal
import sys
from contextlib import ExitStack

from ..outcome import Trouble
from ..system import ENDINGS, RawTerminal, open_serial_pair, read_now, write_now
from .picture import AUTO, STYLES, can_show, coloured, shrunk, sizes

QUIT = "quit"

_USUAL_SIZE = (80, 24)

_KEY_MAP = (
    "arrows         UP DOWN LEFT RIGHT    Enter, Space   OK",
    "Backspace, u   UNDO                  q, Ctrl-C      quit",
    "hold a key: keep it pressed, or U = hold UNDO, O = hold OK",
)

# Escape sequences of keys; an incomplete one at the end waits for its rest.
_TOKEN = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z~])|\x1bO([A-Za-z])|(.)", re.DOTALL)
_UNFINISHED = re.compile(r"\x1b(\[[0-9;?]*|O)?\Z")
_ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}
_CHARACTERS = {
    "\r": ("ok", False),
    "\n": ("ok", False),
    " ": ("ok", False),
    "O": ("ok", True),
    "\x7f": ("undo", False),
    "\b": ("undo", False),
    "u": ("undo", False),
    "U": ("undo", True),
    "q": (QUIT, False),
}

_ENTER = "\x1b[?1049h\x1b[?25l"  # the alternate screen, no cursor
_LEAVE = "\x1b[0m\x1b[?25h\x1b[?1049l"
_CLEAR = "\x1b[0m\x1b[2J"
_BRIGHT = "\x1b[97;40m"
_DIM = "\x1b[90;40m"
_PLAIN = "\x1b[0m"
_DIM_BELOW = 16  # of 255 steps of contrast


def keys_in(text):
    """Parse the terminal's input. Returns ((key, held) pairs, the incomplete rest of the input)."""
    unfinished = _UNFINISHED.search(text)
    end = unfinished.start() if unfinished else len(text)
    found = []
    for modifiers, final, application, character in _TOKEN.findall(text[:end]):
        if character in _CHARACTERS:
            found.append(_CHARACTERS[character])
        elif (final or application) in _ARROWS:
            found.append((_ARROWS[final or application], bool(modifiers)))
    return found, text[end:]


class TerminalUi:
    """A context in which the terminal belongs to the device."""

    def __init__(self, width, height, style=AUTO, port="", status=""):
        self.stopped_by = 0  # the signal that requested the end
        self._pixels = (width, height)
        self._style = style
        self._port = port  # path of the serial port, shown in the frame
        self._status = status  # shown at the bottom unless its text is empty
        self._unread = ""
        self._shown = None  # cache key of the screen: its size, and everything that affects the picture
        self._lines = []

    def __enter__(self):
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise Trouble("the simulator needs a terminal; with --script FILE it plays without one.")
        self._fine = can_show(sys.stdout.encoding)
        self._colour = "NO_COLOR" not in os.environ
        too_small = self._too_small(_size())
        if too_small:
            raise Trouble(too_small)
        with ExitStack() as stack:
            for number in ENDINGS:
                stack.callback(signal.signal, number, signal.signal(number, self._stop))
            self._terminal = stack.enter_context(RawTerminal(sys.stdin.fileno()))
            _write(_ENTER)
            self._restore = stack.pop_all()
        return self

    def __exit__(self, *_):
        with self._restore:
            try:
                _write(_LEAVE)
            except OSError:
                pass  # the terminal itself is gone

    def _stop(self, number, _):
        """Exit cleanly at the first signal; interrupt at the second."""
        if self.stopped_by:
            raise KeyboardInterrupt
        self.stopped_by = number

    # --- keys ---

    def keys(self, seconds):
        """Wait at most `seconds` for keys.

        Returns (key, held) pairs, QUIT among the keys; raises OSError without a terminal.
        """
        data = self._terminal.read(seconds)
        if not data:
            return []
        found, self._unread = keys_in(self._unread + data.decode("utf-8", "replace"))
        return found

    # --- the picture ---

    def show(self, oled, tone=0):
        """Draw the display if the display or the terminal has changed."""
        size = _size()
        state = (size, oled.changes, tone, str(self._status))
        if state == self._shown:
            return
        if not self._shown or self._shown[0] != size:
            self._lines = []
            _write(_CLEAR)
        self._shown = state
        too_small = self._too_small(size)
        lines = [too_small[: size[0]]] if too_small else self._layout(size, oled, tone)
        changes = [
            f"\x1b[{row};1H{line}"
            for row, line in enumerate(lines, 1)
            if row > len(self._lines) or self._lines[row - 1] != line
        ]
        self._lines = lines
        _write("".join(changes))

    def _layout(self, size, oled, tone):
        style, times = self._style_for(size)
        draw, across, _ = STYLES[style]
        width = self._pixels[0] // times // across
        corners, bar, side, note = ("╭╮╰╯", "─", "│", "♪") if self._fine else ("++++", "-", "|", "*")
        ink = (_BRIGHT if oled.contrast >= _DIM_BELOW else _DIM) if self._colour else ""
        title = " Kiebitz " + ("" if oled.lit else "(display off) ") + (note + " " if tone else "")
        lines = [corners[0] + bar + title + bar * (width - 1 - len(title)) + corners[1]]
        picture = draw(shrunk(oled.frame(), times))
        if ink == _BRIGHT and oled.has_colours:
            picture = coloured(picture, *oled.picture())
        lines += [f"{side}{ink}{line}{_PLAIN}{side}" for line in picture]
        foot = f" USB {self._port} " if self._port else ""
        lines.append(corners[2] + bar + foot + bar * (width - 1 - len(foot)) + corners[3])
        margin = " " * ((size[0] - width - 2) // 2)
        return [margin + line for line in lines] + [f"{margin}  {line}" for line in self._below()]

    def _below(self):
        """Return the lines below the display."""
        status = str(self._status)
        return [*_KEY_MAP, f"{status:<{len(_KEY_MAP[0])}}"] if status else _KEY_MAP

    def _style_for(self, size):
        """Return (style, shrink factor) of the largest picture that fits, or else of the smallest one."""
        styles = [self._style] if self._style != AUTO else ["half", "braille"] if self._fine else ["plain"]
        ways = [(style, times) for times in sizes(self._pixels[0]) for style in styles]
        return next((way for way in ways if _fits(self._needs(*way), size)), ways[-1])

    def _needs(self, style, times):
        """Return (columns, lines) that a style needs, with frame and key map."""
        _, across, down = STYLES[style]
        return self._pixels[0] // times // across + 2, self._pixels[1] // times // down + 2 + len(self._below())

    def _too_small(self, size):
        """Return a sentence if the terminal is too small, else ""."""
        columns, lines = self._needs(*self._style_for(size))
        if _fits((columns, lines), size):
            return ""
        return f"the terminal has {size[0]} x {size[1]} characters, but {columns} x {lines} are needed: make it larger."


def _fits(needs, size):
    return needs[0] <= size[0] and needs[1] <= size[1]


def _size():
    """Return (columns, lines) of the terminal; a default if its size is unknown."""
    size = os.get_terminal_size(sys.stdout.fileno())
    return tuple(size) if all(size) else _USUAL_SIZE


def _write(text):
    sys.stdout.write(text)
    sys.stdout.flush()


PIECE = 4096


class PtyPort:
    """A context in which pump() transfers data in both directions; other programs open `path`."""

    def __init__(self, usb):
        self._usb = usb
        self._unsent = b""

    def __enter__(self):
        # Keeping the far end open preserves its modes, and allows reads on the near end while no program is
        # connected
        self._near, self._far, self.path = open_serial_pair()
        self._usb.connect()
        return self

    def __exit__(self, *_):
        self._usb.disconnect()
        os.close(self._near)
        os.close(self._far)

    def pump(self):
        """Transfer all data that is ready."""
        if self._usb.unread < PIECE:
            self._usb.send(read_now(self._near, PIECE))
        self._unsent += self._usb.receive()
        if self._unsent:
            self._unsent = self._unsent[write_now(self._near, self._unsent) :]
        self._usb.reading = len(self._unsent) < PIECE
