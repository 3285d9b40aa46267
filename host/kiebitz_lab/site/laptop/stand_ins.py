"""Replace modules of CPython that MicroPython lacks, as far as sheets and exports use them."""

import sys
from binascii import unhexlify

import kiebitz_page  # the page's API, in JavaScript
import rich_stand_ins


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


def install():
    """Install all replacements. Call this before the first module of the laptop is imported."""
    modules = sys.modules
    rich = _Module(text=_Module(Text=rich_stand_ins.Text), console=_Module(RenderableType=None))
    modules["rich"] = rich
    modules["rich.text"] = rich.text
    modules["rich.console"] = rich.console
    modules["kiebitz_host.terminal"] = _Module(
        table=rich_stand_ins.table,
        shown=rich_stand_ins.shown,
        seat_style=rich_stand_ins.seat_style,
        seat_text=rich_stand_ins.seat_text,
        short_names=rich_stand_ins.short_names,
        Terminal=None,
    )
    modules["kiebitz_host.asking"] = _Module(NOTHING=None, Asker=None, Choices=None)
    modules["kiebitz_host.games.questions"] = _Module(Questions=_NoQuestions)
    modules["functools"] = _Module(cache=cache)
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
