"""Store games and results from files.

Results have no entries: the lines of their journals are players, not events. Such a journal is exchanged,
merged, deleted and restored like any other. Its id is a hash of its lines, so that the same results are the same game
on every laptop. Its first line begins with {"imported": and is not a set-up of any game. It says which game it was, the
second line how that is shown, and every other line is a player.
"""

import hashlib
import json
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from kiebitz.games import GAMES
from kiebitz.games.base import bad

from ..league.names import folded
from ..received import Unfit, device_id, either, matching, number, spelling, text, truth
from ..received import record as fields
from . import journal_record, journals
from .database import Database
from .derive import DerivedGame
from .journal_record import TIME_MAX, History, Record

if TYPE_CHECKING:
    from kiebitz.store.table import Table

    from .store import Store

FORMAT = 1
PHASE = "imported"
PLAYERS_MAX = 200  # of one game: Elo compares each with each
POINTS_MAX = 10_000_000
SERIES_MAX = 60  # characters
_BEGIN = f'{{"imported":{FORMAT},'
_AT_ONCE = 500


def _kind(value: Any) -> str:
    if type(value) is not str or value not in GAMES:
        raise Unfit
    return value


_SETUP = fields(
    {
        "imported": number(FORMAT, FORMAT),
        "game": _kind,
        "title": text(3 * SERIES_MAX),
        "day": matching("[0-9]{4}-[0-9]{2}-[0-9]{2}( [0-9]{2}:[0-9]{2})?"),
        "series": text(3 * SERIES_MAX),
    }
)
_SHOWN = fields({"title": either(matching(""), spelling), "series": text(SERIES_MAX), "low": truth})
_PLAYER = fields(
    {
        "name": spelling,
        "score": number(POINTS_MAX, -POINTS_MAX),
        "rank": number(PLAYERS_MAX, 1),
        "winner": truth,
    }
)


class Seat(NamedTuple):
    """The result of one player."""

    name: str
    score: int
    rank: int
    winner: bool


class Results(NamedTuple):
    """The results of one game or series; `day` is like 2026-01-31 or 2026-01-31 20:15, `at` the same in seconds."""

    kind: str
    title: str
    day: str
    series: str
    low: bool
    seats: tuple[Seat, ...]
    at: int

    def setup(self) -> str:
        """Return the first line of the journal, which does not depend on the case of title and series."""
        title, series = folded(self.title), folded(self.series)
        return _line({"imported": FORMAT, "game": self.kind, "title": title, "day": self.day, "series": series})

    def lines(self) -> list[str]:
        """Return the lines of the journal, which do not depend on the order of the players."""
        seats = sorted(self.seats, key=lambda seat: (seat.rank, seat.name))
        facts = {"title": self.title, "series": self.series, "low": self.low}
        return [self.setup(), _line(facts), *[_line(seat._asdict()) for seat in seats]]


def _line(facts: dict) -> str:
    return json.dumps(facts, ensure_ascii=False, separators=(",", ":"))


def derived_of(lines: list[str], corrections: Iterable[tuple] = (), table: "Table | None" = None) -> DerivedGame:
    """Return the game of a journal with its corrections, or the imported results in it."""
    if lines[0].startswith(_BEGIN):
        try:
            return ImportedGame(lines, corrections)
        except (Unfit, ValueError, RecursionError):
            pass  # somebody else wrote it: it is unreadable, like every journal that the rules refuse
    return DerivedGame(lines, corrections, table)


class ImportedGame(DerivedGame):
    """Imported results, as a finished game without entries. No correction fits."""

    imported = True
    phase = PHASE
    finished = True
    early = False
    title = ""
    low_wins = False
    names: list[str] = []

    def __init__(self, lines: list[str], corrections: Iterable[tuple] = ()):
        """Read the lines; raise Unfit or ValueError if they are not imported results."""
        checks = [_SETUP, _SHOWN, *[_PLAYER] * (len(lines) - 2)]
        first, shown, *players = [check(json.loads(line)) for check, line in zip(checks, lines, strict=True)]
        if [_line(value) for value in (first, shown, *players)] != lines:
            raise Unfit  # no Kiebitz has written this
        facts = {**first, **shown}
        self._seats = [Seat(**player) for player in players]
        self.names = [seat.name for seat in self._seats]
        if not 2 <= len(set(self.names)) == len(self.names) <= PLAYERS_MAX:
            raise Unfit
        self._lines, self._table = lines, None
        self.flaw = self.refused = self.game = None
        self.setup = facts
        self.events = 0
        self.unfit = [number for number, *_ in corrections]
        self.kind, self.title, self.low_wins = facts["game"], facts["title"], facts["low"]

    def scores(self) -> list[tuple[int, int | None, bool, bool]]:
        """Return the scores as for any game; nobody is known to have had the first turn."""
        return [(seat.score, seat.rank, seat.winner, False) for seat in self._seats]

    def rows(self) -> list:
        """Return no rows: only the totals are known."""
        return []


class Known(NamedTuple):
    """Results that are stored: the number of the game, and whether they are the same and deleted."""

    number: int
    same: bool
    deleted: bool


def known(db: Database, several: list[Results]) -> list[Known | None]:
    """Return for each of the results the game with the same results, or else one that is not deleted with others."""
    stored: dict[str, list[tuple[int, str, bool]]] = {}
    for start in range(0, len(several), _AT_ONCE):
        some = [results.setup() for results in several[start : start + _AT_ONCE]]
        stored.update(journals.from_files_all(db, some))
    found: list[Known | None] = []
    for results in several:
        own = new_id(results.lines())
        games = stored.get(results.setup(), [])
        same = [Known(number, True, deleted) for number, game, deleted in games if journals.own_id(game) == own]
        others = [Known(number, False, False) for number, _, deleted in games if not deleted]
        found.append(next(iter(same + others), None))
    return found


def add(store: "Store", several: list[Results]) -> int:
    """Add results, all of them or none. Returns how many were not there yet."""
    new = 0
    with store.batch():
        for start in range(0, len(several), _AT_ONCE):
            records = []
            for results in several[start : start + _AT_ONCE]:
                lines = results.lines()
                records.append(Record(new_id(lines), None, results.at, False, (History(lines),)))
            new += sum(one.changed for one in store.add_records(records))
    return new


def add_file(store: "Store", lines: list[str], setup: dict, modified: int | None) -> tuple[str, str]:
    """Add the lines of a replayed recording. Returns (the result of store.add_journal, its id there).

    modified: the file's modification time, for a game that does not record when it was played.
    """
    game_id = _own_id(setup) or _known(store, lines) or new_id(lines)
    at = played_at(setup)
    word = store.add_journal(game_id, lines, source_of(setup), at or modified, at is None)
    return word, store.id_for(game_id, lines[0])


def played_at(setup: dict) -> int | None:
    """Return the time in a set-up: unix seconds, or a date like 2026-01-31 or 2026-01-31 20:15 in local time.

    A day without a time is its noon. Returns None without a date (a device whose clock is not set writes 0); raises
    Refused for any other value.
    """
    at = setup.get("at", 0)
    if isinstance(at, str):
        try:
            moment = datetime.fromisoformat(at)
            at = int((moment.replace(hour=12) if len(at) <= _DAY_LETTERS else moment).timestamp())
        except (ValueError, OverflowError, OSError):
            at = -1
    if type(at) is not int or not 0 <= at < TIME_MAX:
        raise bad("date")
    return at or None


_DAY_LETTERS = len("2026-01-31")


def source_of(setup: dict) -> dict | None:
    """Return the device named in a set-up, as store.add_journal() takes it; None if there is none."""
    try:
        return {"id": device_id(setup.get("device"))}
    except Unfit:
        return None


def _own_id(setup: dict) -> str | None:
    """Return the id given by the device, or None."""
    try:
        own = journal_record.own_id(setup.get("id"))
    except Unfit:
        return None
    return own if len(own) >= 4 else None


def new_id(lines: list[str]) -> str:
    """Return an id derived from the content, so that the same file is the same game on every laptop."""
    return "file-" + hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def _known(store: "Store", lines: list[str]) -> str | None:
    """Return the id of a stored game from a file that extends these lines or is extended by them; else None."""
    games = dict(journals.from_files(store.db, lines[0]))
    for stored, record in journals.load_all(store.db, list(games)).items():
        held, game = record.lines, games[stored]
        common = min(len(held), len(lines))
        if common > 1 and held[:common] == lines[:common]:
            return game
    return None
