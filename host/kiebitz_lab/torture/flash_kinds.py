"""List devices that are hostile at the prompt or as a drive, and flash images with valid lines in an impossible order.

The images are saved by `kiebitz doctor` and read by `kiebitz rescue`.
"""

import base64
import itertools
import json
import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from kiebitz.store.index import NAME as INDEX
from kiebitz.store.journal_files import NAME as NEWEST
from kiebitz.store.sealed_lines import seal
from kiebitz_host.flash_layout import BLOCK, BLOCKS
from kiebitz_host.link.journal import sealed

from .devices import Prompt
from .kinds import ESCAPES, FORMATS, KINDS, TYPES, Kind, Scene, asked_at_prompt, kind
from .lying_kinds import LINES, Journals, games, named, samples

FLASH = ("rescue",)


def _lines(game_id: str, lines: list[str]) -> bytes:
    return b"".join(sealed(game_id, number, text) for number, text in enumerate(lines))


def _versions(dice: random.Random, games: Journals) -> Iterator[bytes]:
    """Write several valid courses of one game, line by line beside each other."""
    game_id = next(iter(games))
    courses = [named(game_id, lines) for lines in dice.sample(samples(), 8)]
    for number in range(LINES):
        for course in courses:
            yield b"".join(sealed(game_id, number, text) for text in course[number : number + 1]) + b"\xff"


def _branches(dice: random.Random, games: Journals) -> Iterator[bytes]:
    """Write two versions of each of several thousand lines."""
    game_id = next(iter(games))
    yield sealed(game_id, 0, games[game_id][0])
    for number in range(1, 4000):
        for text in ('{"ev":"undo"}', '{"ev":"redo"}'):
            yield sealed(game_id, number, text) + b"\xff"


def _marks(dice: random.Random, games: Journals) -> Iterator[bytes]:
    """Write a mark for each of several thousand lines, and then the lines."""
    game_id = next(iter(games))
    for number in range(4000):
        yield seal(f"{game_id} " + json.dumps({"lines": number, "mark": "00000000"}), INDEX)
    yield _lines(game_id, [games[game_id][0], *['{"ev":"undo"}'] * 4000])


def _ids(dice: random.Random, games: Journals) -> Iterator[bytes]:
    """Write thousands of ids, and lines that have many possible beginnings."""
    for number in range(10_000):
        yield b"%x-%04d-%06x " % (number % 4096, number, dice.getrandbits(24))
    for number in range(150):
        yield b'{"' * 60 + b" %d %08x\n" % (number, dice.getrandbits(32))


def _odd_places(dice: random.Random, games: Journals) -> Iterator[bytes]:
    """Write sealed lines of the index and of the newest lines that name games in an odd way."""
    for game_id in games:
        for tail in ("x", "-", "0000", "²", " ", ""):
            yield seal(f'{game_id}{tail} {{"lines":3,"mark":"00000000"}}', INDEX)
            yield seal(f"{game_id}.kbz {dice.choice(('²', '٣', '9' * 900, '-1', '0', '7', ''))}", NEWEST)
        for told in ('{"lines":%s,"mark":"0"}' % ("9" * 400), '{"lines":-5,"mark":""}', "7", "null", "[" * 900, '"x"'):
            yield seal(f"{game_id} {told}", INDEX)


def _numbers(dice: random.Random, games: Journals) -> Iterator[bytes]:
    """Write valid lines with impossible numbers."""
    for game_id, lines in games.items():
        for text in lines:
            yield sealed(game_id, dice.choice((0, 1, 999_999)), text)


def _whole(dice: random.Random, games: Journals) -> Iterator[bytes]:
    """Write whole games, and set-ups that only a newer program would write."""
    for game_id, lines in games.items():
        yield _lines(game_id, lines)
        odd: Any = dice.choice((-1, 1.5, "x", None, 10**30))
        yield _lines(f"{game_id[:-1]}0", named(game_id, lines, odd, new={"a": 1}))


IMAGES: dict[str, Callable[[random.Random, Journals], Iterator[bytes]]] = {
    "whole games": _whole,
    "versions": _versions,
    "branches": _branches,
    "marks": _marks,
    "ids": _ids,
    "places": _odd_places,
    "numbers": _numbers,
}


def _flash(write: Callable[[random.Random, Journals], Iterator[bytes]], scene: Scene) -> None:
    size = BLOCK * BLOCKS
    good = [_lines(*game) for game in games(scene.dice, 2).items()]
    image = b"".join([*good, *write(scene.dice, games(scene.dice, 4))])[:size].ljust(size, b"\xff")
    scene.prompt.geometry = b"%d %d\n" % (BLOCKS, BLOCK)
    scene.prompt.block = lambda number, content: Prompt.block(  # type: ignore[method-assign]
        scene.prompt, number, image[number * BLOCK : (number + 1) * BLOCK]
    )


def _flash_spoiler(write: Callable[[random.Random, Journals], Iterator[bytes]]) -> Callable[[Scene], None]:
    return lambda scene: _flash(write, scene)


for _name, _write in IMAGES.items():
    KINDS.append(Kind(f"lying about its flash: {_name}", FLASH, _flash_spoiler(_write)))


PROMPT = ("doctor", "save", "report", "install")
_ESCAPE_BYTES = tuple(word.encode() for word in ESCAPES[:9])


def _base64(data: bytes) -> bytes:
    return base64.b64encode(data) + b"\n"


# What a prompt sends instead: attribute of Prompt -> one value, or several of which the dice choose
PROMPTS: dict[str, dict[str, Any]] = {
    "no JSON": {"facts": (b"", b"x", b"{", b"\xff\xfe", b"NaN")},
    "another JSON": {"facts": tuple(json.dumps(value).encode() for value in TYPES)},
    "deep lists": {"facts": b"[" * 60_000},
    "an error of escapes": {"error": _ESCAPE_BYTES},
    "an error of blanks": {"error": (b" ", b"\r\n", b"\x0c")},
    "an error without end": {"error": b"x" * 900_000},
    "too many ends": {"error": (b"\x04", b"\x04\x04x\x04")},
    "a crash of escapes": {"crashes": tuple(_base64(b"a\n%s\n%s\n--\n" % (word, word)) for word in _ESCAPE_BYTES)},
    "a crash of an escape alone": {"crashes": tuple(_base64(word + b"\n--\n") for word in _ESCAPE_BYTES)},
    "a crash that is no base64": {"crashes": (b"\x1b[2J=\xff\n!", b"=", b"a", b"\xc3\xa4")},
    "a crash of many lines": {"crashes": _base64(b"a\n" * 300_000 + b"\n--\n")},
    "a crash of one long line": {"crashes": _base64(b"x" * 600_000 + b"\n--\n")},
    "a crash without end": {"crashes": b"eHh4\n" * 1_000_000},
    "no files": {"files": (b"", b"x", b"{", b"\xff\xfe", b"[" * 60_000)},
    "no times": {"times": (b"", b"null", b"{", b"\xff\xfe", b"[" * 60_000)},
    "no geometry": {"geometry": (b"", b"1", b"0 0", b"-1 4096", b"a b", b"1 2 3", b"\x1b[2J")},
    "a huge geometry": {"geometry": (b"9999999999 4096", b"1 9999999999", b"256 1", b"9" * 5000 + b" 1")},
    "no raw prompt": {"raw": b"\x1b[2J"},
    "no plain prompt": {"plain": b"login: "},
    "no restart": {"reboot": b""},
    "a window of zero": {"paste": b"R\x01\x00\x00" + b"\x01" * 99_999},
    "half a window": {"paste": b"R\x01\x00"},
    "no window": {"paste": b"\x1bx"},
    "no word of having understood": {"taken": b"\x1b["},
    "a flood": {"flood": itertools.repeat(b"\x1b[2J" * 4000)},
    "a flood instead of a prompt": {"plain": b"", "flood": itertools.repeat(b">>" * 999)},
    "a flood instead of the raw prompt": {"raw": b"", "flood": itertools.repeat(b"x" * 999)},
    "a flood of prompts": {"flood": itertools.repeat(b">>> ")},
    "a flood instead of an answer": {"taken": b"", "flood": itertools.repeat(b"OK")},
    "drops": {"flood": itertools.cycle([b"x", b""])},
    "drops instead of a prompt": {"plain": b"", "flood": itertools.cycle([b">", b""])},
    "drops instead of an answer": {"taken": b"OK", "raw": b"", "flood": itertools.cycle([b"x", b"", b"\x01"])},
    "blocks that are none": {"block": lambda number, content: b"\x1b[2J\n"},
    "blocks of other numbers": {"block": lambda number, content: b"99 00000000 x\n"},
    "blocks that are too long": {"block": lambda number, content: b"%d 0 " % number + b"A" * 9000 + b"\n"},
}


def _put(values: dict[str, Any], scene: Scene) -> None:
    prompt = asked_at_prompt(scene)
    for name, value in values.items():
        setattr(prompt, name, scene.dice.choice(value) if isinstance(value, tuple) else value)


for _name, _values in PROMPTS.items():
    KINDS.append(Kind(f"prompt: {_name}", PROMPT, partial(_put, _values)))


@kind("prompt: facts and more", *PROMPT)
def _more_facts(scene: Scene) -> None:
    asked_at_prompt(scene).facts.update({"__init__": 1, "self": 2, ESCAPES[0]: 3})


# --- the drive ---

MODELS = (*ESCAPES[:9], *FORMATS, "x" * 100_000, "")


@kind("drive of another model", "install")
def _model(scene: Scene) -> None:
    scene.info = f"Model: {scene.dice.choice(MODELS)}\n".encode()


@kind("drive that is named, of another model", "install_drive")
def _named_drive(scene: Scene) -> None:
    _model(scene)


@kind("drive whose description has no end", "install", "install_drive")
def _long_description(scene: Scene) -> None:
    scene.info += b"\x1b[2J" * 1_000_000


@kind("drive with an escape sequence for its name", "install", "install_drive")
def _drive_name(scene: Scene) -> None:
    scene.drive = "RPI-RP2" + scene.dice.choice(("\x1b[2J", "\x9b31m", "\x07", "{0}", "[red]"))


@kind("drive after which nobody comes back", "install")
def _no_return(scene: Scene) -> None:
    scene.returns = False
