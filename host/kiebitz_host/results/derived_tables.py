"""Writes what is derived from journals and decisions: games and scores."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from . import decisions, ladders, people
from .database import Database
from .journal_record import Record
from .journals import load
from .leagues import league_of

if TYPE_CHECKING:
    from kiebitz.store.table import Table

    from .derive import Derived

GAMES = (
    "INSERT INTO games (number, at, kind, title, league, phase, flaw, events, fixes, low, finished, early, deleted) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
SCORES = "INSERT INTO scores (number, spelling, score, seat, rank, winner, starts) VALUES (?, ?, ?, ?, ?, ?, ?)"


def replayed(db: Database, number: int, table: "Table | None" = None) -> "Derived":
    """Return the game, replayed with its corrections; `table` has all its lines already."""
    from .derive import Derived  # the rules are imported when a game is replayed: most commands only read

    record = load(db, number)
    return Derived(record.lines, decisions.corrections(decisions.about(db, record.key)), table)


def write(
    db: Database, items: Sequence[tuple[int, Record, "Table | None"]], since: int | None = None, fresh: bool = False
) -> list["Derived"]:
    """Derive games from their journals and write them, in place of what was written before. Returns them.

    since: the earliest time that one of the games had before; fresh: nothing was written of them before.
    """
    from .derive import Derived

    made = decisions.about_all(db, [record.key for _, record, _ in items])
    found = []
    for _, record, table in items:
        found.append(Derived(record.lines, decisions.corrections(made.get(record.key, [])), table))
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
    times = [record.at for _, record, _ in items] + ([] if since is None else [since])
    if times:
        ladders.forget(db, min(times))
    return found


def game_row(number: int, record: Record, derived: "Derived", made: list[decisions.Decision]) -> tuple:
    """Return the row of a game."""
    fixes = len(decisions.corrections(made)) - len(derived.unfit)
    phase = derived.game.phase if derived.game else None
    kind, title = derived.kind, derived.title
    flags = (derived.low_wins, derived.finished, derived.early, decisions.is_deleted(made))
    facts = (kind, title, league_of(kind, title), phase, derived.flaw, derived.events, fixes)
    return (number, record.at, *facts, *map(int, flags))
