"""Computes the league: games, wins and points of each player, head-to-head results and Elo ratings.

Elo is computed for each game separately. Everybody starts at 1500. A game of n players counts as a match of every
player against every other: 1 for the better place, a half for the same place, 0 for the worse one. The
expected result against another is 1 / (1 + 10 ** (difference / 400)), and a player's rating changes by K / (n - 1)
times the sum of (result - expected result), with K = 32: a game changes no rating by more than 32, whatever the number
of players, and the sum of all ratings stays the same. All ratings used for a game are those from before it. Games count
in the order in which they were played, so the ratings do not depend on when or in which order the games were fetched.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations, groupby

START = 1500.0
K = 32.0

Seat = tuple[int, int, int, bool]  # person, score, rank, has won


class Standing:
    """The results of one player."""

    __slots__ = ("best", "points", "played", "ratings", "shared", "streak", "wins")

    def __init__(self) -> None:
        self.played = 0
        self.wins = 0  # alone
        self.shared = 0
        self.points = 0
        self.streak = 0  # games won in a row, shared or not; below zero: games not won
        self.best = 0  # the longest series of wins
        self.ratings: dict[str, float] = {}

    @property
    def average(self) -> float:
        return self.points / self.played

    def take(self, score: int, won: bool, shared: bool) -> None:
        self.played += 1
        self.points += score
        if won:
            self.shared += shared
            self.wins += not shared
            self.streak = max(self.streak, 0) + 1
            self.best = max(self.best, self.streak)
        else:
            self.streak = min(self.streak, 0) - 1


class League:
    """Standings by person, and for each pair (a, b), a < b: number of games with a ahead, level, behind."""

    def __init__(self, rows: Iterable[tuple]):
        """Compute the league from rows (number, kind, person, score, rank, winner) of finished games, in play order."""
        self.games = 0
        self.standings: dict[int, Standing] = {}
        self.pairs: dict[tuple[int, int], list[int]] = {}
        for kind, seats in _games(rows):
            self._take(kind, seats)

    def _take(self, kind: str, seats: list[Seat]) -> None:
        self.games += 1
        shared = sum(won for *_, won in seats) > 1
        for person, score, _, won in seats:
            if person not in self.standings:
                self.standings[person] = Standing()
            self.standings[person].take(score, won, shared)
        places = [(person, rank) for person, _, rank, _ in seats]
        self._compare(places)
        self._rate(kind, places)

    def _compare(self, places: list[tuple[int, int]]) -> None:
        for (a, rank_a), (b, rank_b) in combinations(sorted(places), 2):
            if a != b:
                if (a, b) not in self.pairs:
                    self.pairs[a, b] = [0, 0, 0]
                self.pairs[a, b][(rank_a >= rank_b) + (rank_a > rank_b)] += 1

    def _rate(self, kind: str, places: list[tuple[int, int]]) -> None:
        before = [self.standings[person].ratings.get(kind, START) for person, _ in places]
        changes = rating_changes(before, [rank for _, rank in places])
        for (person, _), rating, change in zip(places, before, changes, strict=True):
            self.standings[person].ratings[kind] = rating + change

    def between(self, a: int, b: int) -> tuple[int, int, int]:
        """Return how often (a was ahead of b, level with b, behind b)."""
        ahead, level, behind = self.pairs.get((min(a, b), max(a, b)), (0, 0, 0))
        return (ahead, level, behind) if a < b else (behind, level, ahead)


def rating_changes(ratings: list[float], ranks: list[int]) -> list[float]:
    """Return the change of each player's rating by one game."""
    n = len(ratings)
    changes = [0.0] * n
    for a in range(n):
        for b in range(a + 1, n):
            expected = 1 / (1 + 10 ** ((ratings[b] - ratings[a]) / 400))
            result = 1.0 if ranks[a] < ranks[b] else 0.5 if ranks[a] == ranks[b] else 0.0
            change = K / (n - 1) * (result - expected)
            changes[a] += change
            changes[b] -= change
    return changes


def _games(rows: Iterable[tuple]) -> Iterator[tuple[str, list[Seat]]]:
    for (_, kind), seats in groupby(rows, key=lambda row: row[:2]):
        yield kind, [(person, score, rank, bool(won)) for _, _, person, score, rank, won in seats]
