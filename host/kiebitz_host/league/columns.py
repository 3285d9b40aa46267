"""Declare the columns of league tables: one line each, for the terminal, pages, exports and JSON.

A column shows a value of a `Standing`. A column with `per_game` adds a number for each game. These numbers are stored
in the league cache, which is rebuilt when the keys of such columns change (docs/adding-a-column.md).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from kiebitz.text import text
from kiebitz.text.describe import decimal_text

ONE, SEVERAL = "one", "several"  # the table of one league, and the table over several leagues
WINS, AVERAGE, ELO = "wins", "average", "elo"
ORDERS = (WINS, AVERAGE, ELO)  # the columns by which the players of a league can be ordered


def short_streak(number: int) -> str:
    """Return a streak for the terminal, like W3 or L2."""
    return text("league.won", n=number) if number > 0 else text("league.lost", n=-number)


def streak_words(number: int) -> str:
    """Return a streak in words, like "3 won"."""
    return text("league.won_words", n=number) if number > 0 else text("league.lost_words", n=-number)


def whole_text(number: int) -> str:
    """Return a number with the thousands separator of the chosen language."""
    if number < 1000:
        return str(number)
    return text("thousands", high=whole_text(number // 1000), low=f"{number % 1000:03}")


def signed_text(number: int) -> str:
    """Return a number as whole_text() does, with a minus sign if it is negative."""
    return f"−{whole_text(-number)}" if number < 0 else whole_text(number)


def average_text(number: float) -> str:
    """Return a number as signed_text() does, with one decimal place."""
    tenths = round(10 * number)
    whole, tenth = divmod(abs(tenths), 10)
    return f"{'−' if tenths < 0 else ''}{whole_text(whole)}{text('decimal')}{tenth}"


class Column(NamedTuple):
    """A column: its key in JSON, its head (a word, or with a dot the key of a sentence), and its value."""

    key: str
    head: str
    value: Callable[[Any], Any] | None = None  # of a Standing, None for a dash; default: the count of `per_game`
    per_game: Callable[[int, int, bool, bool], int] | None = None  # (score, rank, has won, has shared the win)
    words: Callable[[Any], str] = str
    page_words: Callable[[Any], str] | None = None  # on a page, if different there
    json: Callable[[Any], Any] | None = lambda value: value  # None: not in JSON
    tables: tuple[str, ...] = (ONE, SEVERAL)

    def title(self) -> str:
        """Return the head in the language in use."""
        return text(self.head) if "." in self.head else self.head

    def of(self, standing: Any) -> Any:
        """Return the value of a player."""
        return self.value(standing) if self.value else standing.counts.get(self.key, 0)

    def cell(self, standing: Any, dash: str, page: bool = False) -> str:
        """Return the value of a player as text."""
        value = self.of(standing)
        words = self.page_words if page and self.page_words else self.words
        return dash if value is None else words(value)


# No points over several leagues, because points of different games cannot be added
COLUMNS = (
    Column("played", "league.played", lambda line: line.played),
    Column("wins", "league.wins", lambda line: line.wins),
    Column("shared", "league.shared", lambda line: line.shared),
    Column("points", "rules.points", lambda line: line.points, page_words=signed_text, tables=(ONE,)),
    Column("average", "league.average", lambda line: line.average, words=lambda value: decimal_text(f"{value:.1f}"),
           page_words=average_text, json=lambda value: round(value, 2), tables=(ONE,)),
    Column("share", "league.share", lambda line: 100 * (line.wins + line.shared) / line.played,
           words=lambda value: f"{value:.0f}", json=None, tables=(SEVERAL,)),
    Column("streak", "league.streak", lambda line: line.streak, words=short_streak, page_words=streak_words),
    Column("best_streak", "league.best", lambda line: line.best or None, words=short_streak, page_words=streak_words,
           json=lambda value: value or 0, tables=(ONE,)),
)  # fmt: skip

COUNTED = tuple((column.key, column.per_game) for column in COLUMNS if column.per_game)


def columns_of(table: str) -> list[Column]:
    """Return the columns of a table: ONE or SEVERAL."""
    return [column for column in COLUMNS if table in column.tables]
