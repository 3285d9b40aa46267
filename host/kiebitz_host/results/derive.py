"""From the raw journal of a game and its corrections to what is told about it; pure, without the database."""

import json
from collections.abc import Iterable

from kiebitz.games import Refused, new_game
from kiebitz.games.poker_carre.grid import RUBRIC_POINTS
from kiebitz.games.royal_flush.rules import CHIP_BONUS
from kiebitz.store.events import encode
from kiebitz.store.table import Table

from ..cli.replay import Replay

Rows = list[tuple[str, list[int]]]


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
        first = _first_seat(self.table.setup, game.n)
        return [(totals[p], ranks[p], p in winners, p == first) for p in range(game.n)]

    def rows(self) -> Rows:
        """The score sheet: (label, points by seat); the points of a seat add up to its score."""
        return _ROWS[self.table.game.KIND](self.table) if self.table else []


def rank(totals: list[int], winners: list[int]) -> list[int]:
    """Places from 1; equal points share a place, except that who has won stands before who has not."""
    keys = [(p in winners, total) for p, total in enumerate(totals)]
    # All winners are first, also if one of them won by other means than points
    keys = [(won, 0 if won else total) for won, total in keys]
    return [1 + sum(other > key for other in keys) for key in keys]


def _first_seat(setup: dict, n: int) -> int:
    """All four games begin left of the dealer."""
    return (setup.get("dealer", n - 1) + 1) % n


def _royal_rows(table: Table) -> Rows:
    game = table.game
    rows = [(f"round {k}", list(points)) for k, points in enumerate(game.round_points, 1)]
    if game.over:
        rows.append(("chips", [CHIP_BONUS * chips for chips in game.chips]))
    elif any(game.slot_points()):
        rows.append((f"round {game.round}", game.slot_points()))
    return rows


def _carre_rows(table: Table) -> Rows:
    counts = table.game.counts
    return [(f"rubric {points}", [points * seat[i] for seat in counts]) for i, points in enumerate(RUBRIC_POINTS)]


def _spot_rows(table: Table) -> Rows:
    game = table.game
    rows = [(f"game {k}", list(points)) for k, points in enumerate(game.history, 1)]
    if not game.over:
        rows.append((f"game {game.game_no}", list(game.points)))
    return rows


def _poch_rows(table: Table) -> Rows:
    """The chips at the start, what every round has changed, and what changed hands between them."""
    game = new_game(table.setup)
    rows = [("start", list(game.chips))]
    before = list(game.chips)

    def close(label):
        nonlocal before
        change = [now - then for now, then in zip(game.chips, before, strict=True)]
        if label.startswith("round") or any(change):
            rows.append((label, change))
        before = list(game.chips)

    for event in table.events():
        if event["ev"] == "start_round":
            close("loans")
        now = game.round
        game.apply(event)
        if game.round != now:
            close(f"round {now}")
    close("end" if game.over else "loans" if game.trump is None else f"round {game.round}")
    return rows


_ROWS = {"royal_flush": _royal_rows, "poker_carre": _carre_rows, "poch": _poch_rows, "top_spot": _spot_rows}
