"""Replace `rich`, the terminal and modules that MicroPython lacks, as far as sheets and exports use them."""

import sys
from binascii import unhexlify

import kiebitz_page  # the page's API, in JavaScript


class _Module:
    def __init__(self, **names):
        for name in names:
            setattr(self, name, names[name])


class _NoQuestions:
    """A placeholder for the questions of a game, which a page does not ask."""


def cache(function):
    """Return the function with its results cached."""
    known: dict = {}

    def cached(*arguments):
        if arguments not in known:
            known[arguments] = function(*arguments)
        return known[arguments]

    return cached


def import_module(name):
    __import__(name)
    return sys.modules[name]


def find_spec(name):
    """Return the module, or None if it does not exist."""
    try:
        return import_module(name)
    except ImportError:
        return None


# --- uuid ---


def _turned(value, bits):
    return (value << bits | value >> (32 - bits)) & 0xFFFFFFFF


def sha1(data):
    """Return the SHA-1 of some bytes, because MicroPython in a page only has SHA-256."""
    state = [0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0]
    size = len(data) * 8
    data = data + b"\x80" + bytes((55 - len(data)) % 64) + size.to_bytes(8, "big")
    for at in range(0, len(data), 64):
        words = [int.from_bytes(data[k : k + 4], "big") for k in range(at, at + 64, 4)]
        for k in range(16, 80):
            words.append(_turned(words[k - 3] ^ words[k - 8] ^ words[k - 14] ^ words[k - 16], 1))
        a, b, c, d, e = state
        for k in range(80):
            if k < 20:
                f, constant = (b & c) | (~b & d), 0x5A827999
            elif k < 40:
                f, constant = b ^ c ^ d, 0x6ED9EBA1
            elif k < 60:
                f, constant = (b & c) | (b & d) | (c & d), 0x8F1BBCDC
            else:
                f, constant = b ^ c ^ d, 0xCA62C1D6
            total = _turned(a, 5) + (f & 0xFFFFFFFF) + e + constant + words[k]
            a, b, c, d, e = total & 0xFFFFFFFF, a, _turned(b, 30), c, d
        state = [(old + new) & 0xFFFFFFFF for old, new in zip(state, (a, b, c, d, e))]
    return b"".join([word.to_bytes(4, "big") for word in state])


class UUID:
    """An id as `uuid` has it."""

    def __init__(self, text):
        self.bytes = unhexlify(text.replace("-", ""))


def uuid5(space, name):
    """Return the id of a name, as text."""
    found = bytearray(sha1(space.bytes + name.encode())[:16])
    found[6] = found[6] & 0x0F | 0x50
    found[8] = found[8] & 0x3F | 0x80
    digits = "".join(["%02x" % byte for byte in found])
    return "-".join([digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]])


# --- rich and the terminal ---


class Text:
    """A text with a style; pieces with other styles may follow."""

    def __init__(self, text="", style="", overflow=None, no_wrap=False):
        self.pieces = [(text, style)] if text else []

    def append(self, text, style=""):
        self.pieces.append((text, style))
        return self


class Grid:
    """A table with its column titles, which of them are numeric, and its rows."""

    def __init__(self, headers, numbers):
        self.headers = headers
        self.numbers = numbers
        self.rows = []

    def add_row(self, *cells):
        self.rows.append(cells)


def table(*headers, numbers=(), wrap=()):
    """Return an empty table."""
    return Grid(headers, [header in numbers for header in headers])


def shown(name):
    """Return a name unchanged, because a page escapes every character."""
    return name


def seat_style(p):
    return "seat-%d" % (p % 8)


def seat_text(p, names):
    return Text(names[p], seat_style(p))


def short_names(names, width):
    """Return the names unshortened."""
    return names


def piece(part):
    """Return a text as lists of (text, style), and a string as one of them."""
    return part.pieces if isinstance(part, Text) else [(str(part), "")]


def plain(part):
    """Return a part of a sheet in lists and strings."""
    if isinstance(part, Grid):
        rows = [[piece(cell) for cell in row] for row in part.rows]
        return {"headers": [piece(header) for header in part.headers], "numbers": part.numbers, "rows": rows}
    return {"text": piece(part)}


# --- all of them ---


def install():
    """Install all replacements. Call this before the first module of the laptop is imported."""
    modules = sys.modules
    rich = _Module(text=_Module(Text=Text), console=_Module(RenderableType=None))
    modules["rich"] = rich
    modules["rich.text"] = rich.text
    modules["rich.console"] = rich.console
    modules["kiebitz_host.terminal"] = _Module(
        table=table,
        shown=shown,
        seat_style=seat_style,
        seat_text=seat_text,
        short_names=short_names,
        Terminal=None,
    )
    modules["kiebitz_host.asking"] = _Module(NOTHING=None, Asker=None, Choices=None)
    modules["kiebitz_host.games.questions"] = _Module(Questions=_NoQuestions)
    modules["functools"] = _Module(cache=cache, lru_cache=lambda size: cache)
    util = _Module(find_spec=find_spec)
    modules["importlib"] = _Module(import_module=import_module, util=util)
    modules["importlib.util"] = util
    modules["unicodedata"] = _Module(normalize=lambda form, text: kiebitz_page.normalized(text))
    modules["kiebitz_host.outcome"] = _Module(Trouble=Exception)
    modules["uuid"] = _Module(UUID=UUID, uuid5=uuid5)
    parse = _Module(quote=None)  # only a link needs it
    modules["urllib"] = _Module(parse=parse)
    modules["urllib.parse"] = parse


def present(name_of):
    """Install a replacement for the module of which exports use only name_of(game)."""
    sys.modules["kiebitz_host.show.present"] = _Module(name_of=name_of)
