"""Run `kiebitz rescue`: import every game that can still be read in an image of a Pico's flash."""

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kiebitz.games import GAMES, Refused, new_game
from kiebitz.store.journal_files import NAME as NEWEST
from kiebitz.store.journal_files import PACKED, SUFFIX
from kiebitz.store.library import counter
from kiebitz.store.packed_journals import journals_in
from kiebitz.text import game_name, listed

from ..library.imported import source_of
from ..library.journal_record import LIMITS
from ..library.journals import TOO_LONG
from ..library.location import open_store
from ..link.journal import flash_line
from ..link.sync import sensible_times
from ..outcome import OK, Trouble
from ..printable import printable, say
from ..rescue import CarvedGame, Recovered, carve, count, mounted_files, newest_place, read_image, recover, streams
from ..show.present import print_json
from .options import add_db_option, add_json_option

OUTCOMES = {
    "new": "added",
    "longer": "known, and longer now",
    "same": "known already",
    "shorter": "known already, and longer here",
    "apart": "known with another course of the game; both are kept, the longer one counts",
    "namesake": "added; another game has the same id, and both are kept",
    TOO_LONG: f"not taken: {LIMITS}",
    "found": "found",
    "lost": "not taken",
}


@dataclass
class Rescue:
    """The games found in an image."""

    games: list[Recovered]  # newest first
    is_mounted: bool
    unreadable: int  # games that are mentioned, but without any line


def add(subparsers):
    parser = subparsers.add_parser(
        "rescue",
        description="Recover every game that can still be read in an image of a Pico's flash, written by kiebitz "
        "doctor --save-flash; an image of the whole flash of 2 MB works, too. The file system may be corrupt, because "
        "entries are found by their checksums. A game is recovered up to its first gap. The command is idempotent.",
    )
    parser.add_argument("file", metavar="FILE", help="the image")
    parser.add_argument("--dry-run", action="store_true", help="only list what is found, and store nothing")
    add_json_option(parser)
    add_db_option(parser)
    return parser


def run(args):
    found = rescue(read_image(Path(args.file).expanduser()))
    if not found.games:
        reason = "it is not an image of a Pico's flash, or it is empty"
        raise Trouble(f"no game can be found in {args.file}: {reason}.")
    good = [game for game in found.games if game.lines]
    if args.dry_run or not good:
        outcomes = {game.id: "found" for game in good}
    else:
        with open_store(args) as store, store.batch():
            outcomes = keep(store, good, int(time.time()))
    if args.json:
        print_json([_as_json(game, outcomes.get(game.id, "lost")) for game in found.games])
    else:
        _tell(found, outcomes)
    return OK


def rescue(image: bytes) -> Rescue:
    """Find all games in the file system of a flash. Returns the games found."""
    files = mounted_files(image)
    pieces = list(streams(image))
    pieces += (files or {}).values()  # also the mounted files, in case a line is missing from the blocks
    trails = carve(pieces)
    packed = _packed(files or {})
    games = [recover(trail, _whole(trail, files or {}, packed)) for trail in trails.values()]
    known = [game for game in games if game]
    known.sort(key=lambda game: (counter(game.id), game.id), reverse=True)
    return Rescue(known, files is not None, len(games) - len(known))


def _whole(trail: CarvedGame, files: dict[str, bytes], packed: dict[str, bytes]) -> list[str] | None:
    """Return the lines of a game from its files; None if there are none, or any is corrupt."""
    data = files.get(f"/data/{trail.id}{SUFFIX}") or packed.get(trail.id, b"")
    first, _, rest = files.get(f"/data/{NEWEST}", b"").partition(b"\n")
    game_id, at = newest_place(first) or ("", 0)
    if game_id == trail.id and at <= len(data):
        data = max(data, data[:at] + rest, key=len)
    lines = [flash_line(trail.id, line) for line in data.split(b"\n")[:-1]]  # drop an incomplete last line
    good = [line[1] for number, line in enumerate(lines) if line and line[0] == number]
    return good if good and len(good) == len(lines) else None


def _packed(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the journals by id from the files that hold several short ones; the newest file counts."""
    found: dict[str, bytes] = {}
    for path, data in sorted(files.items(), reverse=True):
        if path.endswith(PACKED):
            for game_id, start, size in journals_in(data):
                found.setdefault(game_id, data[start : start + size])
    return found


def keep(store: Any, games: list[Recovered], now: int) -> dict[str, str]:
    """Store games as a sync does. Returns {id: result of store.add_journal}."""
    setups = {game.id: json.loads(game.lines[0]) for game in games}
    held = {game.id: store.stored_game(game.id) for game in games}
    entries = [{"id": game.id, "at": _number(setups[game.id].get("at"))} for game in games]
    times = sensible_times(entries, held, now)
    outcomes = {}
    for game in reversed(games):  # oldest first, as they were played
        source = source_of(setups[game.id])
        flawed = bool(game.flaw)
        outcomes[game.id] = store.add_journal(game.id, game.lines, source, *times[game.id], flawed)
        for course in game.others:
            store.add_journal(game.id, course, source, *times[game.id], flawed)
    return outcomes


def _number(value: object) -> int:
    return value if type(value) is int else 0


# --- output ---


def _setup(game: Recovered) -> dict[str, Any]:
    return json.loads(game.lines[0]) if game.lines else {}


def _title(setup: dict[str, Any]) -> str:
    """Return the title of a game; empty if it has none, or the rules refuse its set-up."""
    try:
        return new_game(setup).title
    except Refused:
        return ""


def _as_json(game: Recovered, outcome: str) -> dict[str, Any]:
    setup = _setup(game)
    return {
        "id": game.id,
        "game": setup.get("game"),
        "players": setup.get("players"),
        "entries": max(len(game.lines) - 1, 0),
        "finished": game.finished,
        "complete": not game.flaw,
        "flaw": game.flaw,
        "other_courses": len(game.others),
        "outcome": outcome,
    }


def _tell(found: Rescue, outcomes: dict[str, str]) -> None:
    for game in found.games:
        outcome = OUTCOMES[outcomes.get(game.id, "lost")]
        entries = f"{count(len(game.lines) - 1, 'entry', 'entries')}, " if game.lines else ""
        say(f"{_name(game)}: {entries}{outcome}{'; ' + game.flaw if game.flaw else ''}.")
        if game.others:
            say("  Another course of this game was found as well: both are kept, the longer one counts.")
    complete = sum(not game.flaw for game in found.games)
    way = "could be mounted" if found.is_mounted else "was not mounted"
    say(f"{count(len(found.games), 'game', 'games')} found, {complete} complete; the file system {way}.")
    if found.unreadable:
        named = count(found.unreadable, "other game is", "other games are")
        say(f"{named} named in it without an entry: removed long ago, or lost.")


def _name(game: Recovered) -> str:
    setup = _setup(game)
    kind, players = setup.get("game"), setup.get("players")
    if not game.lines or not isinstance(players, list):
        return f"Game {game.id}"
    title = game_name(kind, _title(setup)) if kind in GAMES else str(kind)
    return f"{printable(title)} of {listed([printable(str(name)) for name in players])} ({game.id})"
