"""Build the table of a league as data, and the league for JSON."""

from typing import Any, NamedTuple

from .columns import AVERAGE, COLUMNS, ONE, SEVERAL, WINS, Column, columns_of
from .standings import League, Standing, ranking


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
        return "▴" if self.is_ascending else "▾"

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
