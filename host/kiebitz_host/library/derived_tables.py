"""Write the tables derived from journals and decisions: games and scores.

The rules are imported inside functions, because most commands only read and start faster without them.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ..league.names import league_of
from . import decisions, league_cache, people
from .database import Database
from .journal_record import Record
from .journals import load

if TYPE_CHECKING:
    from kiebitz.store.table import Table

    from .derive import DerivedGame

GAMES = (
    "INSERT INTO games (number, at, kind, title, league, phase, flaw, events, fixes, low, finished, early, deleted) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
SCORES = "INSERT INTO scores (number, spelling, score, seat, rank, winner, starts) VALUES (?, ?, ?, ?, ?, ?, ?)"


def replayed(db: Database, number: int, table: "Table | None" = None) -> "DerivedGame":
    """Return the game, replayed with its corrections; `table` has replayed all its lines already."""
    from .imported import derived_of

    record = load(db, number)
    return derived_of(record.lines, decisions.corrections(decisions.about(db, record.key)), table)


def write(
    db: Database, items: Sequence[tuple[int, Record, "Table | None"]], since: int | None = None, fresh: bool = False
) -> list["DerivedGame"]:
    """Derive games from their journals and replace their rows. Returns the derived games.

    since: the earliest time that one of the games had before; fresh: the games have no rows yet.
    """
    from .imported import derived_of

    made = decisions.about_all(db, [record.key for _, record, _ in items])
    found = []
    for _, record, table in items:
        found.append(derived_of(record.lines, decisions.corrections(made.get(record.key, [])), table))
    if not fresh:
        for number, _, _ in items:
            db.run("DELETE FROM scores WHERE number = ?", number)
            db.run("DELETE FROM games WHERE number = ?", number)
    spellings = people.spelling_ids(db, [name for derived in found for name in derived.names])
    games, scores = [], []
    for (number, record, _), derived in zip(items, found, strict=True):
        games.append(game_row(number, record, derived, made.get(record.key, [])))
        for seat, (name, (score, rank, won, starts)) in enumerate(zip(derived.names, derived.scores(), strict=True)):
            scores.append((number, spellings[name], score, seat, rank, int(won), int(starts)))
    db.many(GAMES, games)
    db.many(SCORES, scores)
    counted = zip(items, found, strict=True)
    times = [record.at for (_, record, _), derived in counted if not derived.imported]
    times += [] if since is None or not times else [since]
    if times:
        league_cache.forget(db, min(times))
    return found


def game_row(number: int, record: Record, derived: "DerivedGame", made: list[decisions.Decision]) -> tuple:
    """Return the row of a game."""
    fixes = len(decisions.corrections(made)) - len(derived.unfit)
    kind, title = derived.kind, derived.title
    flags = (derived.low_wins, derived.finished, derived.early or derived.imported, decisions.is_deleted(made))
    facts = (kind, title, league_of(kind, title), derived.phase, derived.flaw, derived.events, fixes)
    return (number, record.at, *facts, *map(int, flags))


def minutes_of_game(db: Database, number: int) -> int | None:
    """Return how many minutes a stored game took; None if it was not timed."""
    return minutes_of(line for line in reversed(load(db, number).lines) if '"min"' in line)


def minutes_of(backwards: Iterable[str]) -> int | None:
    """Return the minutes of the lines of a journal, given with the last line first; None if it was not timed."""
    from kiebitz.games import Refused
    from kiebitz.store.replay import minutes_in, parse

    for line in backwards:
        try:
            found = minutes_in(parse(line.encode()))
        except Refused:
            continue
        if found:
            return found
    return None
