"""From the raw journal of a game and its corrections to what is told about it; pure, without the database."""

import json
from collections.abc import Iterable

from kiebitz.games import Refused
from kiebitz.store.events import encode
from kiebitz.store.table import Table

from ..games import on_laptop
from ..games.base import Rows
from .replay import Replay


class Derived:
    """A game as it stands, its corrections included.

    A correction is (id, entry from 0, the event it replaced, the event it put there). `unfit` are the ids of those
    that no longer fit the journal, because it has become another one since they were made.
    """

    def __init__(self, lines: list[str], corrections: Iterable[tuple] = ()):
        replay = Replay(line.encode() for line in lines)
        self.table: Table | None = replay.table
        self.kind = replay.table.game.KIND if replay.table else replay.kind
        self.refused = replay.refused
        self.flaw = f"{replay.line}:{replay.refused.code}" if replay.refused else None
        self.unfit: list[int] = []
        for correction in corrections:
            self._correct(*correction)

    def _correct(self, number: int, entry: int, old: str, new: str) -> None:
        table = self.table
        try:
            if table is None or entry >= len(table) or encode(table.event(entry)) != old:
                self.unfit.append(number)
            else:
                table.correct(entry, json.loads(new))
        except Refused:
            self.unfit.append(number)

    @property
    def finished(self) -> bool:
        return self.table is not None and self.table.game.over

    @property
    def names(self) -> list[str]:
        return self.table.game.names if self.table else []

    def scores(self) -> list[tuple[int, int | None, bool, bool]]:
        """(points, rank, has won, had the first turn) for every seat; nobody has a rank until the game is over."""
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


def rank(totals: list[int], winners: list[int]) -> list[int]:
    """Places from 1; equal points share a place, except that who has won stands before who has not."""
    keys = [(p in winners, total) for p, total in enumerate(totals)]
    # All winners are first, also if one of them won by other means than points
    keys = [(won, 0 if won else total) for won, total in keys]
    return [1 + sum(other > key for other in keys) for key in keys]
