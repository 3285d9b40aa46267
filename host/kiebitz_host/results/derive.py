"""Derive the state and scores of a game from its raw journal and its corrections, without the database."""

import json
from collections.abc import Iterable

from kiebitz.games import Refused
from kiebitz.store.events import encode
from kiebitz.store.table import Table

from ..games import on_laptop
from ..games.base import Rows
from .replay import Replay


class Derived:
    """The state of a game with its corrections applied.

    A correction is (id, entry from 0, old event, new event); without old event it puts one in, without new event it
    takes one out. `unfit` has the ids of the corrections that no longer fit
    the journal, because the journal has changed since they were made.
    """

    def __init__(self, lines: list[str], corrections: Iterable[tuple] = (), table: Table | None = None):
        """Replay the lines, or take the table that has them all already."""
        replay = Replay(() if table else (line.encode() for line in lines))
        self.table = table or replay.table
        self.kind = self.table.game.KIND if self.table else replay.kind
        self.refused = None if table else replay.refused
        self.flaw = f"{replay.line}:{self.refused.code}" if self.refused else None
        self.unfit: list[int] = []
        for correction in corrections:
            self._correct(*correction)

    def _correct(self, number: int, entry: int, old: str | None, new: str | None) -> None:
        """Apply a correction, or add its id to `unfit`."""
        table = self.table
        try:
            if table is None or (old is not None and (entry >= len(table) or encode(table.event(entry)) != old)):
                self.unfit.append(number)
            else:
                table.play(change_of(entry, old, new))
        except Refused:
            self.unfit.append(number)

    @property
    def finished(self) -> bool:
        """True if the game is over."""
        return self.table is not None and self.table.game.over

    @property
    def early(self) -> bool:
        """True if the table has ended the game before the rules did."""
        return self.table is not None and bool(self.table.game.summary().get("early"))

    @property
    def names(self) -> list[str]:
        """The names of the players by seat."""
        return self.table.game.names if self.table else []

    def scores(self) -> list[tuple[int, int | None, bool, bool]]:
        """Return (points, rank, has won, had the first turn) for every seat; ranks are None until the game is over."""
        if self.table is None:
            return []
        game = self.table.game
        totals, winners = game.totals(), game.winners()
        ranks = rank(totals, winners) if winners else [None] * game.n
        first = on_laptop(game.KIND).first_seat(self.table.setup, game.n)
        return [(totals[p], ranks[p], p in winners, p == first) for p in range(game.n)]

    def rows(self) -> Rows:
        """Return the score sheet: (label, points by seat); the points of a seat add up to its score."""
        return on_laptop(self.table.game.KIND).rows(self.table) if self.table else []


def change_of(entry: int, old: str | None, new: str | None) -> dict:
    """Return a correction as the event that a table takes."""
    name = "insert" if old is None else "remove" if new is None else "correct"
    return {"ev": name, "at": entry, **({} if new is None else {"event": json.loads(new)})}


def rank(totals: list[int], winners: list[int]) -> list[int]:
    """Return the place of each seat, from 1; equal points share a place, but winners come before the others."""
    keys = [(p in winners, total) for p, total in enumerate(totals)]
    # All winners are first, even if one of them won by other means than points
    keys = [(won, 0 if won else total) for won, total in keys]
    return [1 + sum(other > key for other in keys) for key in keys]
