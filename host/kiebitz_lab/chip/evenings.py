"""Define what is played on the emulated chip: sample games in pieces, and a round trip through all screens.

Run as a program (`make soak`), it plays through all screens for an hour and checks for memory leaks.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from kiebitz.store.crash import NAME as CRASH_FILE
from kiebitz.text import LANGUAGES, own_name
from kiebitz.widgets.screen import Menu
from kiebitz_host.outcome import BAD_USAGE, OK, Trouble
from kiebitz_host.sim.flash_folder import DATA

from ..games import GAMES_IN_LAB
from ..games.base import FOUR, lines_of
from ..handheld import presses, spelled
from ..image.build import current_image
from ..samples import SAMPLES
from . import require
from .flash import changed, flash_with
from .probes import Heap, ReferenceDevice, branch, heap
from .rig import Rig

_ENTRIES = 8  # in a piece of a game
_REST = "wait:3500"  # long enough for a checkpoint of the game to be written
_STEPS_MAX = 20

_NEXT_NAMES = [f"{spelled(name)} hold:ok" for name in ("An", "Bz", "C")]
_NEW_GAME = "pick:start.new pick:game.royal_flush"
_TITLES = "pick:start.new pick:game.any_game"
_TWO_NAMES = " ".join([_NEW_GAME, "pick:players.new", *_NEXT_NAMES[:2]])
_THREE_NAMES = " ".join([_NEW_GAME, "pick:players.new", *_NEXT_NAMES])
_BEGIN = "hold:ok ok"  # no further name
_RENAME = "up up hold:ok"


class Piece(NamedTuple):
    """A part of an evening with its initial state and the lines of keys that are played."""

    name: str
    setup: dict | None  # of the game in play, if there is one
    before: str  # keys that lead to the beginning; the device was switched on again after them
    lines: list[str]
    language: str | None = "en"  # None: nobody has chosen one yet

    def reference(self) -> ReferenceDevice:
        """Return a reference device at the beginning of the piece."""
        reference = ReferenceDevice(language=self.language)
        if self.setup:
            reference.sit_down(self.setup)
        reference.keys(self.before).restart()
        return reference


def pieces() -> list[Piece]:
    """Return all pieces, mixed so that the first few cover every kind."""
    games = [_pieces_of(name) for name in SAMPLES]
    longest = max(map(len, games))
    mixed = [game[i] for i in range(longest) for game in games if i < len(game)]
    device = _device()
    return [piece for pair in zip(device, mixed, strict=False) for piece in pair] + mixed[len(device) :]


def words(line: str, reference: ReferenceDevice) -> Iterator[str]:
    """Yield the presses of a line for keys(); the caller makes each press on the reference device before the next.

    Besides the words of keys() a line can have menu: to open the table's menu, menu:KEY for a line of that menu, and
    back:table or back:start for as many steps back as needed.
    """

    def at_table():
        return reference.app.top.takes_back

    def at_start():
        return len(reference.app.stack) == 1

    for word in presses(line):
        kind, _, rest = word.partition(":")
        if kind == "menu":
            yield from _until(lambda: at_table() or at_start(), "undo")
            yield from _until(lambda: isinstance(reference.app.top, Menu), _menu_key(reference))
        if kind == "menu" and rest:
            yield from reference.plain(f"pick:{rest}")
        elif kind == "back":
            yield from _until(at_table if rest == "table" else at_start, "undo")
        elif kind != "menu":
            yield from reference.plain(word)


def _until(done: Callable[[], bool], key: str) -> Iterator[str]:
    for _ in range(_STEPS_MAX):
        if done():
            return
        yield key
    raise LookupError(f"{_STEPS_MAX} times {key} lead nowhere")


def _menu_key(reference: ReferenceDevice) -> str:
    """Return the key that opens the menu of the table; anything at the start, which is a menu itself."""
    return GAMES_IN_LAB[reference.game.KIND].menu_key(reference) if reference.app.top.takes_back else ""


def _pieces_of(name: str) -> list[Piece]:
    setup, keys = SAMPLES[name]
    entries = lines_of(keys)
    found = []
    for number, at in enumerate(range(0, len(entries) - 1, _ENTRIES)):
        part = entries[at : at + _ENTRIES]
        if len(entries) - at <= _ENTRIES + 1:
            lines = entries[at:] + _end(setup["game"])
        else:
            lines = part + ["undo", "undo", "hold:undo", _REST] + _afterwards(number, part[-1])
        found.append(Piece(f"{name.replace(' ', '-')}-{number}", setup, "\n".join(entries[:at]), lines))
    return found


def _end(kind: str) -> list[str]:
    """Return keys that store a finished game, open it again, and undo its end."""
    return [*GAMES_IN_LAB[kind].TO_SHELF, "pick:start.games", "ok ok pick:shelf.open", "undo", _REST]


def _afterwards(number: int, entry: str) -> list[str]:
    """Return lines with other actions on a game in play."""
    return (
        ["menu:menu.history ok pick:history.correct", entry, "undo", "hold:undo"],  # an entry is corrected
        ["menu:menu.leave", "ok", entry],  # the game is set aside and resumed
        ["menu:start.settings", "at:set.brightness right", "undo*2", "undo"],
        ["menu:menu.leave", _TWO_NAMES, _BEGIN, "ok up ok"],  # another game
        ["undo", "undo", entry],
    )[number % 5]


def _device() -> list[Piece]:
    """Return the pieces that do not belong to a game."""
    seated = f"{_THREE_NAMES} {_BEGIN}"
    twice = f"{seated} left pick:menu.leave {_NEW_GAME} ok ok"
    changes = ["pick:start.settings", "at:set.brightness right*2", "at:set.off_s right"]
    changes += ["pick:set.repeat", "pick:set.off_s", "pick:set.defaults ok"]
    again = ["left pick:menu.leave", f"{_NEW_GAME} ok", "ok", "ok", "down ok", "left pick:menu.leave", "ok"]
    players = ["undo*6 pick:start.players", "down ok", "pick:players.rename", _RENAME, "down ok pick:players.remove"]
    return [
        Piece("first-start", None, "", ["down ok undo", _TWO_NAMES, _BEGIN, "ok up ok", "undo"], language=None),
        Piece("new-games", None, seated, again),
        Piece("settings", None, "", changes),
        Piece("players", None, _THREE_NAMES, players),
        Piece("shelf", None, twice, ["left pick:menu.leave", "pick:start.games down ok", "ok pick:shelf.open"]),
        *_changes(),
    ]


def _changes() -> list[Piece]:
    """Return pieces that change the past, the house rules, the presets, and which games are kept."""
    setup, keys = SAMPLES["any_game counter"]
    before = "\n".join(lines_of(keys)[:6])
    past = "menu:menu.history down*2 ok pick:history."
    insert, remove = f"{past}insert left*2 ok", f"{past}remove"
    winner, start = "menu:menu.rules at:opt.wins ok ok", "menu:menu.rules at:opt.start ok right ok ok"
    throw, shelved = "menu:menu.throw", "pick:start.games ok ok pick:shelf.bring_back"
    edit = "down right pick:presets.keep"  # the second of the titles
    number = "right at:opt.start ok right ok pick:presets.keep"
    return [
        Piece("past", setup, before, [insert, remove, "undo*2", "hold:undo*2", _REST, remove, insert]),
        Piece("house-rules", setup, before, [winner, start, "undo*2", "hold:undo*2", _REST, remove, winner]),
        Piece("thrown-away", setup, before, [throw, "undo", throw, shelved, "right ok", "menu:menu.anew", "ok"]),
        Piece("presets", None, "", [f"{_TITLES} ok ok*2 right ok", "menu:menu.leave", _TITLES, edit, number,
                                    "right pick:players.remove", "undo", "undo*2", f"{_TITLES} down ok ok*2 right ok"]),
    ]  # fmt: skip


# At the table of any game
_ANY_LOOKS = [
    "undo",
    "hold:undo",
    "menu:menu.standings back:table",
    "menu:menu.history ok pick:history.correct back:table",
    "menu:start.settings back:table",
    "menu:lots.title ok right ok right ok right ok back:table",
    "menu:clock.title back:table",
    "menu:menu.names back:table",
]

LANGUAGE_CHOSEN = "ok undo"  # a device without games asks which one to play


def to_language(lang: str) -> str:
    """Return the keys that choose a language in the settings, except the last OK."""
    return f"ok pick:{own_name(lang)} at:language.change"


def all_languages() -> str:
    """Return the keys that choose each language in the settings, at last the first one again."""
    return " ".join(f"{to_language(lang)} ok" for lang in [*LANGUAGES[1:], LANGUAGES[0]])


def start_of_lap() -> ReferenceDevice:
    """Return a device on which these players have played before, and nobody has chosen a language yet."""
    reference = ReferenceDevice(language=None)
    reference.app.roster.played(FOUR)
    reference.restart()
    return reference


def lap(entries: int = 0, rest_ms: int = 0) -> Iterator[str]:
    """Yield lines of keys from the first screen back to it, with `entries` entries in each game and a pause after each.

    Without entries the lap is as short as possible.
    """
    rest = [f"wait:{rest_ms}"] if rest_ms else []
    yield f"pick:start.settings {all_languages()}"
    yield "pick:set.display undo pick:set.update undo"
    yield "pick:set.about undo pick:set.test up down left right ok undo hold:ok ok ok hold:undo"
    yield "at:set.brightness right pick:set.defaults ok back:start"
    yield "pick:start.players ok up up up down hold:ok down ok pick:players.rename up up hold:ok ok pick:players.remove"
    yield "back:start"
    for kind, game in GAMES_IN_LAB.items():
        for played in game.laps():
            yield f"pick:start.new pick:game.{kind} {played.who} {played.ready}"
            for entry in played.entries[: max(entries, played.round or 2)]:
                yield entry
                yield from rest
            if entries or played.round:
                yield from _ANY_LOOKS
                if game.HOUSE_RULES:
                    yield "menu:menu.rules down ok back:table"
            yield from played.looks
            if not played.ends:
                yield "menu:menu.leave"
    yield "pick:start.games ok ok pick:leave back:start"


MINUTES = 60
SHRUNK = 1  # the exit code if it has shrunk
ENTRIES = 14
REST_MS = 8000  # after every entry, as at a table
SLACK = 4096  # bytes of heap: variation from the places of lists, and from the 64 sentences that are kept

_MS_PER_MINUTE = 60_000


class Lap(NamedTuple):
    minutes: float  # emulated, since power-on
    presses: int
    heap: Heap
    screens: set[str]  # all screens opened so far

    def __str__(self) -> str:
        free, largest = self.heap.free, self.heap.largest
        return f"{self.minutes:.1f} min, {self.presses} presses: {free} bytes free, {largest} of them in one piece"


class WentAstray(Exception):
    """The chip does not show what the reference device shows, or has reported an error."""


def laps(flash: bytes, entries: int = 0, rest_ms: int = 0) -> Iterator[Lap]:
    """Play laps on the same device forever. Yields each lap; the flash must have no data."""
    reference = start_of_lap()
    rig = Rig(changed(flash, reference.files())).boot()
    screens: set[str] = set()
    presses = _play(rig, reference, LANGUAGE_CHOSEN, screens)
    while True:
        for line in lap(entries, rest_ms):
            presses += _play(rig, reference, line, screens)
        _check(rig, reference)
        yield Lap(rig.ms / _MS_PER_MINUTE, presses, branch(rig, heap), set(screens))


def _play(rig: Rig, reference: ReferenceDevice, line: str, screens: set[str]) -> int:
    presses = 0
    for key in words(line, reference):
        screens.update(type(screen).__name__ for screen in reference.app.stack)
        rig.keys(key)
        reference.keys(key)
        presses += not key.startswith("wait")
    return presses


def _check(rig: Rig, reference: ReferenceDevice) -> None:
    crash = rig.files(DATA).get(f"{DATA}/{CRASH_FILE}")
    if crash or rig.serial.out:
        raise WentAstray((crash or bytes(rig.serial.out)).decode("utf-8", "replace"))
    if rig.frame() != reference.frame():
        raise WentAstray("the chip does not show what its reference shows")


def shrinks(done: list[Lap]) -> bool:
    """Return True if less is free than after the second lap. The first still loads modules."""
    return done[-1].heap.free < done[min(1, len(done) - 1)].heap.free - SLACK


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="soak", description=__doc__)
    help_text = f"of emulated time, {MINUTES} if not given"
    parser.add_argument("minutes", type=float, nargs="?", default=MINUTES, help=help_text)
    options = parser.parse_args(argv)
    try:
        require("soak")
        flash = flash_with(current_image())
    except Trouble as trouble:
        print(f"kiebitz: {trouble}", file=sys.stderr)
        return BAD_USAGE
    started = time.monotonic()
    done: list[Lap] = []
    for one in laps(flash, ENTRIES, REST_MS):
        done.append(one)
        print(f"lap {len(done)}: {one} ({time.monotonic() - started:.0f} s)", flush=True)
        if one.minutes >= options.minutes:
            break
    least, most = (f(lap.heap.free for lap in done) for f in (min, max))
    piece = min(lap.heap.largest for lap in done)
    print(f"laps {len(done)}, screens {len(one.screens)}, free {least} to {most}, largest piece at least {piece}")
    print("memory shrinks" if shrinks(done) else "memory does not shrink")
    return SHRUNK if shrinks(done) else OK


if __name__ == "__main__":
    sys.exit(main())
