"""Replay the lines of a game through the rules, and derive its state and scores, without the database."""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from kiebitz.games import GAMES, Refused, new_game
from kiebitz.games.base import bad
from kiebitz.store.events import CHANGES, encode
from kiebitz.store.replay import EVENTS_MAX, LINE_MAX, NESTING_MAX, ReplayedTable, parse
from kiebitz.store.table import Table
from kiebitz.text import refusal, text
from kiebitz.text.describe import describe

from ..games import on_laptop

if TYPE_CHECKING:
    from ..games.base import Rows


class Replay:
    """A recording, replayed to its end or to the first refused line."""

    def __init__(self, lines: Iterable[bytes]):
        self.script = ReplayedTable()
        self.refused: Refused | None = None
        self.kind = None  # the kind of game named by a refused set-up
        try:
            for line in lines:
                self._feed(line)
            self.script.close()
        except Refused as refused:
            self.refused = refused

    def _feed(self, line: bytes) -> None:
        if _has_constants(line):
            self.script.line += 1
            raise bad("line")
        try:
            self.script.feed(line)
        except Refused:
            if self.table is None:
                self.kind = _kind_of(line)
            raise

    @property
    def table(self) -> Table | None:
        return self.script.table

    @property
    def line(self) -> int:
        """The number of the last line read, which is the refused line if there is one."""
        return self.script.line

    @property
    def message(self) -> str:
        """The reason of the refusal; if another entry would no longer fit, with that entry."""
        if self.table is None or self.refused is None or self.refused.at is None:
            return refusal(self.refused, self.table.game.names if self.table else [])
        names, kind = self.table.game.names, self.table.game.KIND
        what = describe(self.table.event(self.refused.at), names, kind)
        return text("history.later", what=what, why=refusal(self.refused, names))

    def report(self) -> dict:
        """Return the state for JSON."""
        report: dict = {"game": self.kind, "phase": None, "players": [], "events": 0, "totals": [], "winners": []}
        report["refused"] = None
        if self.table:
            report.update(self.table.game.summary(), events=len(self.table))
        if self.script.minutes:
            report["minutes"] = self.script.minutes
        if self.refused:
            report["refused"] = {"line": self.line, "code": self.refused.code, "message": self.message}
        return report


def _has_constants(line: bytes) -> bool:
    """Return True if the line has NaN or Infinity, which Python's parser accepts although they are not JSON."""
    if b"NaN" not in line and b"Infinity" not in line:
        return False
    found: list[str] = []
    try:
        json.loads(line, parse_constant=found.append)
    except (ValueError, RecursionError):
        return False  # the replay reports the error, too
    return bool(found)


def _kind_of(line: bytes):
    """Return the kind of game named by a refused set-up, or None."""
    try:
        kind = parse(line).get("game")
    except Refused:
        return None
    return kind if kind in GAMES else None


class DerivedGame:
    """The state of a game with its corrections applied.

    A correction is (id, entry from 0, old event, new event); without an old event it inserts, without a new event it
    removes. `unfit` holds the ids of corrections that no longer apply because the journal has changed.
    """

    imported = False  # True for results without entries

    def __init__(self, lines: list[str], corrections: Iterable[tuple] = (), table: Table | None = None):
        """Replay the lines, or use `table` if it has replayed all of them."""
        self._lines = lines
        self._table = table
        self.flaw: str | None = None
        self.refused: Refused | None = None
        self.unfit: list[str] = []
        corrections = list(corrections)
        plain = None if table or corrections else _played_plainly(lines)
        if plain:
            self.setup: dict | None
            self.setup, self.game, self.events = plain
            self.kind = self.game.KIND
            return
        replay = None if table else self._replayed()
        self._table = self._table or (replay.table if replay else None)
        for correction in corrections:
            self._correct(*correction)
        self.setup = self._table.setup_in_force if self._table else None
        self.game = self._table.game if self._table else None
        self.events = len(self._table) if self._table else 0
        self.kind = self.game.KIND if self.game else replay.kind if replay else None

    def _replayed(self) -> Replay:
        """Replay the lines, and record the first refusal. Returns the replay."""
        replay = Replay(line.encode() for line in self._lines)
        self.refused = replay.refused
        self.flaw = f"{replay.line}:{self.refused.code}" if self.refused else None
        return replay

    @property
    def table(self) -> Table | None:
        """The table, with every entry inspectable and editable; None if the game is unreadable."""
        if self._table is None and self.game is not None:
            self._table = self._replayed().table
        return self._table

    def _correct(self, number: str, entry: int, old: str | None, new: str | None) -> None:
        """Apply a correction, or add its id to `unfit`."""
        table = self._table
        try:
            if table is None or (old is not None and (entry >= len(table) or encode(table.event(entry)) != old)):
                self.unfit.append(number)
            else:
                table.play(change_of(entry, old, new))
        except Refused:
            self.unfit.append(number)

    @property
    def phase(self) -> str | None:
        """The phase of the game; None if nothing of it is readable."""
        return self.game.phase if self.game else None

    @property
    def finished(self) -> bool:
        """True if the game is over."""
        return self.game is not None and self.game.over

    @property
    def early(self) -> bool:
        """True if the players ended the game before the rules did."""
        return self.game is not None and bool(self.game.summary().get("early"))

    @property
    def title(self) -> str:
        """The title that the players gave to the game; empty if the game goes by the name of its kind."""
        return self.game.title if self.game else ""

    @property
    def low_wins(self) -> bool:
        """True if the fewest points win."""
        return self.game is not None and self.game.low_wins

    @property
    def names(self) -> list[str]:
        """The names of the players by seat."""
        return self.game.names if self.game else []

    def scores(self) -> list[tuple[int, int | None, bool, bool]]:
        """Return (points, rank, has won, had the first turn) for every seat; ranks are None until the game is over."""
        if self.game is None or self.setup is None:
            return []
        game = self.game
        totals, winners = game.totals(), game.winners()
        ranks = rank(totals, winners, game.low_wins) if winners else [None] * game.n
        first = on_laptop(game.KIND).first_seat(self.setup, game.n)
        return [(totals[p], ranks[p], p in winners, p == first) for p in range(game.n)]

    def rows(self) -> "Rows":
        """Return the score sheet: (label, points by seat); the points of a seat add up to its score."""
        return on_laptop(self.table.game.KIND).rows(self.table) if self.table else []


_CALM = LINE_MAX // 4  # characters: a line of this length fits into LINE_MAX bytes in any encoding of its text


def _played_plainly(lines: list[str]) -> tuple[dict, Any, int] | None:
    """Replay lines without undo, corrections and changed house rules, three times as fast as a table.

    Returns (set-up, game, number of events); None for all other lines, and for lines that the rules refuse.
    """
    if len(lines) > EVENTS_MAX:
        return None
    game, setup = None, {}
    try:
        for line in lines:
            if len(line) > _CALM or "NaN" in line or "Infinity" in line:
                return None
            if line.count("[") + line.count("{") > NESTING_MAX:
                return None
            value, end = _scan(line, 0)
            if end != len(line):
                return None
            if game is None:
                setup, game = value, new_game(value)
            elif value["ev"] in _NOT_PLAIN or type(value.get("confirm", False)) is not bool:
                return None
            else:
                game.apply(value)
    except (Refused, StopIteration, ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return None  # the table reports the error
    return None if game is None else (setup, game, len(lines) - 1)


# json.loads() takes twice as long for a short line. MicroPython in a page has no decoder, but passes a replayed table
_scan: Any = json.JSONDecoder().scan_once if hasattr(json, "JSONDecoder") else None  # type: ignore[attr-defined]
_NOT_PLAIN = ("undo", "redo", "option", *CHANGES)


def change_of(entry: int, old: str | None, new: str | None) -> dict:
    """Return a correction as an event for a table."""
    name = "insert" if old is None else "remove" if new is None else "correct"
    return {"ev": name, "at": entry, **({} if new is None else {"event": json.loads(new)})}


def rank(totals: list[int], winners: list[int], low_wins: bool = False) -> list[int]:
    """Return the rank of each seat, from 1; equal points share a rank, but winners rank before the others."""
    keys = [(p in winners, -total if low_wins else total) for p, total in enumerate(totals)]
    # All winners rank first, even if one of them won by other means than points
    keys = [(won, 0 if won else total) for won, total in keys]
    return [1 + sum(other > key for other in keys) for key in keys]
