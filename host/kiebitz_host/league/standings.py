"""Compute the league: games, wins and points of each player, head-to-head results and Elo; build its table as data.

Elo is computed separately for each league, which is a kind of game or a title. Everybody starts at 1500. A game of n
players counts as a match of every player against every other: 1 for the better place, a half for the same place, 0 for
the worse one. The expected result against another is 1 / (1 + 10 ** (difference / 400)), and a player's rating changes
by K / (n - 1) times the sum of (result - expected result), with K = 32: a game changes no rating by more than 32, for
any number of players, and the sum of all ratings stays the same. All ratings used for a game are those from before it.
Games count in the order in which they were played, so the ratings do not depend on when or in which order the games
were fetched. Guests do not count: n is the number of players with a name, and a game counts for those.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from .columns import AVERAGE, COLUMNS, COUNTED, ELO, ONE, SEVERAL, WINS, Column, columns_of

START = 1500.0
K = 32.0

NOBODY = 0  # the person in a guest's seat

Seat = Sequence[int]  # person (NOBODY for a guest), score, rank, has won
PlayedGame = tuple[int, str, list[Seat]]  # number of a game, id of its league, seats
# Callback after each game: number of the game, id of its league, seats, and the new ratings of those with a name
Watcher = Callable[[int, str, list[Seat], list[float]], None]


def with_names(seats: list[Seat]) -> list[Seat]:
    """Return the seats of players who are not guests."""
    return [seat for seat in seats if seat[0] != NOBODY]


class Standing:
    """Count the results of one player, in one league or over several."""

    __slots__ = ("best", "counts", "points", "played", "ratings", "shared", "streak", "wins")

    def __init__(self) -> None:
        self.played = 0
        self.wins = 0  # sole wins
        self.shared = 0
        self.points = 0
        self.streak = 0  # games won in a row, shared or not; below zero: games not won
        self.best = 0  # the longest series of wins
        self.ratings: dict[str, float] = {}  # by league
        self.counts: dict[str, int] = {}  # of the columns with `per_game`

    def state(self) -> dict:
        """Return all values for JSON."""
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def from_state(cls, values: dict) -> "Standing":
        """Return the standing from the result of state()."""
        standing = cls()
        for name in cls.__slots__:
            setattr(standing, name, values[name])
        return standing

    @property
    def average(self) -> float:
        """The points per game."""
        return self.points / self.played

    def take(self, score: int, rank: int, won: bool, shared: bool) -> None:
        """Count a game; `shared` if it has several winners."""
        self.played += 1
        self.points += score
        if won:
            self.shared += shared
            self.wins += not shared
            self.streak = max(self.streak, 0) + 1
            self.best = max(self.best, self.streak)
        else:
            self.streak = min(self.streak, 0) - 1
        for key, count in COUNTED:
            self.counts[key] = self.counts.get(key, 0) + count(score, rank, won, won and shared)


class League:
    """Standings by person, and for each pair (a, b), a < b: number of games with a ahead, level, behind."""

    def __init__(self, games: Iterable[PlayedGame] = (), watch: Watcher | None = None):
        """Compute the league from finished games (number, league, seats), in the order of play.

        `league` is the id of the league in which a game counts. `watch` is called after each game.
        """
        self.games = 0  # including those in which only guests played
        self.leagues: dict[str, int] = {}  # id of a league -> number of games with a player who has a name
        self.standings: dict[int, Standing] = {}
        self.pairs: dict[tuple[int, int], list[int]] = {}
        self.take(games, watch)

    def take(self, games: Iterable[PlayedGame], watch: Watcher | None = None) -> None:
        """Add games that were played after all games so far."""
        for number, league, seats in games:
            ratings = self._take(league, seats)
            if watch is not None:
                watch(number, league, seats, ratings)

    def state(self) -> dict:
        """Return all values for JSON, without rounding."""
        return {
            "games": self.games,
            "leagues": self.leagues,
            "standings": [[person, line.state()] for person, line in self.standings.items()],
            "pairs": [[*pair, *counts] for pair, counts in self.pairs.items()],
        }

    @classmethod
    def from_state(cls, state: dict) -> "League":
        """Return the league from the result of state()."""
        league = cls()
        league.games, league.leagues = state["games"], state["leagues"]
        league.standings = {person: Standing.from_state(values) for person, values in state["standings"]}
        league.pairs = {(a, b): counts for a, b, *counts in state["pairs"]}
        return league

    def _take(self, league: str, seats: list[Seat]) -> list[float]:
        """Count a game. Returns the new ratings of the players with a name, by seat."""
        self.games += 1
        shared = sum([won for _, _, _, won in seats]) > 1
        seats = with_names(seats)
        if not seats:
            return []
        self.leagues[league] = self.leagues.get(league, 0) + 1
        standings = self.standings
        lines = []
        for person, score, rank, won in seats:
            line = standings.get(person)
            if line is None:
                line = standings[person] = Standing()
            line.take(score, rank, bool(won), shared)
            lines.append(line)
        self._compare(seats)
        ratings = [line.ratings.get(league, START) for line in lines]
        changes = rating_changes(ratings, [rank for _, _, rank, _ in seats])
        after = [rating + change for rating, change in zip(ratings, changes, strict=True)]
        for line, rating in zip(lines, after, strict=True):
            line.ratings[league] = rating
        return after

    def _compare(self, seats: list[Seat]) -> None:
        """Count who was ahead of whom; skip pairs of seats with the same person."""
        pairs = self.pairs
        for k, (a, _, rank_a, _) in enumerate(seats):
            for b, _, rank_b, _ in seats[k + 1 :]:
                if a == b:
                    continue
                pair, ahead, behind = ((a, b), rank_a, rank_b) if a < b else ((b, a), rank_b, rank_a)
                counts = pairs.get(pair)
                if counts is None:
                    counts = pairs[pair] = [0, 0, 0]
                counts[0 if ahead < behind else 1 if ahead == behind else 2] += 1

    def between(self, a: int, b: int) -> tuple[int, int, int]:
        """Return how often a was (ahead of b, level with b, behind b)."""
        ahead, level, behind = self.pairs.get((min(a, b), max(a, b)), (0, 0, 0))
        return (ahead, level, behind) if a < b else (behind, level, ahead)


def by_wins(standing: Standing) -> tuple[int, int, int]:
    """Return the key that orders players by their wins: sole wins, then shared ones, then the fewest games."""
    return -standing.wins, -standing.shared, standing.played


def ranking(league: League, names: dict[int, str], one: str | None, by: str = WINS, low: bool = False) -> list[int]:
    """Return all persons, best first, ordered by one of ORDERS, then by wins.

    Over several leagues, without `one`, the order is always by wins, because neither points nor ratings of different
    games can be compared. low: the fewest points win.
    """

    def key(person: int) -> tuple:
        standing = league.standings[person]
        wins = (*by_wins(standing), names[person])
        if one and by == ELO:
            return (-round(standing.ratings[one], 6), *wins)
        if one and by == AVERAGE:
            return (standing.average if low else -standing.average, *wins)
        return wins

    return sorted(league.standings, key=key)


def rating_changes(ratings: list[float], ranks: list[int]) -> list[float]:
    """Return the change of each player's rating by one game."""
    n = len(ratings)
    changes = [0.0] * n
    most = K / (n - 1) if n > 1 else 0.0
    for a in range(n):
        own, rank = ratings[a], ranks[a]
        for b in range(a + 1, n):
            expected = 1 / (1 + 10 ** ((ratings[b] - own) / 400))
            result = 1.0 if rank < ranks[b] else 0.5 if rank == ranks[b] else 0.0
            change = most * (result - expected)
            changes[a] += change
            changes[b] -= change
    return changes


class Row(NamedTuple):
    """A row of a league table."""

    place: int
    person: int
    name: str
    standing: Standing

    def rating(self, league: str) -> str:
        """Return the rating in a league; a dot without games there."""
        return f"{self.standing.ratings[league]:.0f}" if league in self.standing.ratings else "·"


class LeagueTable(NamedTuple):
    """The table of one league, or over several leagues, best player first."""

    columns: list[Column]
    rows: list[Row]
    by: str  # the key of the column that orders the table
    low: bool  # the fewest points win

    def heads(self) -> list[str]:
        """Return the heads of the columns in the language in use, with a mark on the column of the order."""
        return [self.marked(column.key, column.title()) for column in self.columns]

    def marked(self, key: str, head: str) -> str:
        """Return a head, with an arrow if its column orders the table."""
        return f"{head}\u00a0{self.arrow}" if key == self.by else head

    @property
    def arrow(self) -> str:
        """The mark of the order: down if the greatest value is first."""
        return "▲" if self.is_ascending else "▼"

    @property
    def is_ascending(self) -> bool:
        """True if the smallest value is first."""
        return self.low and self.by == AVERAGE

    def cells(self, row: Row, dash: str, page: bool = False) -> list[str]:
        """Return a row as text; `dash` replaces a missing value, `page` selects the wording of web pages."""
        return [column.cell(row.standing, dash, page) for column in self.columns]


def league_table(
    league: League, names: dict[int, str], one: str | None, by: str = WINS, low: bool = False
) -> LeagueTable:
    """Return the table of a league; `one` is its id if it is a single one; `by` and `low` as in ranking()."""
    persons = ranking(league, names, one, by, low)
    rows = [Row(place, person, names[person], league.standings[person]) for place, person in enumerate(persons, 1)]
    return LeagueTable(columns_of(ONE if one else SEVERAL), rows, by if one else WINS, low)


def most_played(league: League, most: int) -> list[str]:
    """Return the leagues with the most games."""
    return sorted(league.leagues, key=lambda found: -league.leagues[found])[:most]


# --- JSON ---


def facts(
    league: League,
    standings: LeagueTable,
    names: dict[int, str],
    titles: dict[str, str],
    chosen: str | None,
    one: str | None,
    player: int | None,
) -> dict[str, Any]:
    """Return the league for JSON; `player` limits head to head to this person."""
    known = {found: titles[found] for found in league.leagues if found in titles}
    pairs = [pair for pair in league.pairs if player is None or player in pair]
    return {
        "game": chosen,
        **({"titles": known} if known else {}),
        "games": league.games,
        "by": standings.by,
        "players": [_player(row, one) for row in standings.rows],
        "head_to_head": [_pair(league, names, *pair) for pair in sorted(pairs, key=lambda pair: _names(names, pair))],
    }


def _player(row: Row, one: str | None) -> dict[str, Any]:
    ratings = {game: round(rating, 1) for game, rating in row.standing.ratings.items()}
    values = {column.key: column.json(column.of(row.standing)) for column in COLUMNS if column.json}
    return {"name": row.name, **values, "elo": ratings[one] if one else ratings}


def _names(names: dict[int, str], pair: tuple[int, int]) -> list[str]:
    return sorted(names[person] for person in pair)


def _pair(league: League, names: dict[int, str], a: int, b: int) -> dict[str, Any]:
    a, b = sorted((a, b), key=names.__getitem__)  # by name, because the ids of people differ between laptops
    ahead, level, behind = league.between(a, b)
    return {"a": names[a], "b": names[b], "ahead": ahead, "level": level, "behind": behind}
