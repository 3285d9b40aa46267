"""List flash images with valid lines in an impossible order, saved by `kiebitz doctor` and read by `kiebitz rescue`."""

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from kiebitz.store.index import NAME as INDEX
from kiebitz.store.journal_files import NAME as NEWEST
from kiebitz.store.sealed_lines import seal
from kiebitz_host.flash_layout import BLOCK, BLOCKS
from kiebitz_host.link.journal import sealed

from .devices import Prompt
from .kinds import KINDS, Kind, Scene
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
