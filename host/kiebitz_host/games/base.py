"""Define the laptop's part of a game; the defaults are a plain sheet, one row of totals and no tables."""

from collections.abc import Iterator

from kiebitz.store.table import Table
from kiebitz.text import listed, note, text
from rich.console import RenderableType
from rich.text import Text

from ..terminal import seat_text, shown, table
from . import Rows
from .questions import Questions

TOTAL = "total"  # label of the only row of a game without other rows
NOTHING = Text("·", style="dim")
DEALER = ("dealer", ("rules.dealer.last", "rules.dealer.any"), "rules.dealer")


class GameOnLaptop(Questions):
    """A game on the laptop: its score sheet, its rows in the store, its questions, and its part of `kiebitz rules`."""

    UNIT = "points"  # the unit of a score: the suffix of text keys like sheet.leads.points
    # (Set-up key, its values with the default first, key of its explanation). Values that are not ids are text keys.
    SETUP: tuple[tuple[str, tuple, str], ...] = (DEALER,)
    # Keys of a few entries in the scenario of `kiebitz doctor --report`, from the players until the game is discarded
    REPORT = ""
    ONE_LIST = False  # True: the sheet is printed as one long list without the curve
    MARKS = ""  # key of the text that explains the marks of row_marks()
    BESIDE: dict[str, str] = {}  # amounts that count like a score but belong to no seat -> key of their text
    ROW_NAMES = {TOTAL: "sheet.total"}  # label of a row without its number -> key of its text

    # --- the sheet of a game in play ---

    def title(self, game) -> list[str]:
        """Return the parts of the title between the name of the game and its phase."""
        return []

    def sheet(self, game) -> Iterator[RenderableType]:
        """Yield the parts of the score sheet below its title."""
        found = players_table(text("sheet.total"))
        for p, total in enumerate(game.totals()):
            found.add_row(seat_text(p, game.names), str(total))
        yield found

    def standing(self, game) -> str:
        """Return a sentence about who has won or leads."""
        totals, winners = game.totals(), game.winners()
        seats = winners or game.leaders()
        best = totals[seats[0]]
        names = names_of(game, seats)
        if winners:
            beaten = [p for p in game.leaders() if p not in winners]
            verb = "win" if len(winners) > 1 else "wins"
            return text(f"sheet.{verb}.{self.won_by(game, beaten)}", names=names, n=best, others=names_of(game, beaten))
        if len(seats) == game.n:
            return text(f"sheet.level.{self.UNIT}", n=best) if best else text("sheet.level.none")
        verb = "lead" if len(seats) > 1 else "leads"
        return text(f"sheet.{verb}.{self.UNIT}", names=names, n=best)

    def won_by(self, game, beaten: list[int]) -> str:
        """Return the suffix of a text key for what decided the game; `beaten`: seats level with the winners."""
        return self.UNIT

    def boards_of(self, cards: str) -> list[tuple[str, tuple[int, ...]]]:
        """Return (id, points of its slots) of the boards that these cards satisfy, in a game with boards."""
        return []

    # --- rows in the store ---

    def first_seat(self, setup: dict, n: int) -> int:
        """Return the seat with the first turn, left of the dealer."""
        return (setup.get("dealer", n - 1) + 1) % n

    def rows(self, table: Table) -> Rows:
        """Return the rows of the score sheet: (label, points by seat); the points of a seat add up to its score."""
        return [(TOTAL, table.game.totals())]

    def part(self, game) -> str | None:
        """Return the label of the round, or the game of a match, in play; None if a game has no such parts."""
        return None

    def part_of_entry(self, game, event: dict) -> str | None:
        """Return the label of the part to which an event belongs; game: before the event."""
        return self.part(game)

    def beside(self, game) -> dict[str, int]:
        """Return the amounts in BESIDE."""
        return {}

    def lost_games(self, game) -> list[int] | None:
        """Return how many games each seat has lost, for the fees of a club; None if nobody loses single games."""
        return game.summary().get("lost")

    def rows_beside(self, table: Table) -> list[dict[str, int]]:
        """Return the change of beside() in each row of rows(), in a game with such amounts."""
        return []

    def row_marks(self, table: Table) -> list[list[str]]:
        """Return the marks by seat before the points of each row of rows(), in a game with marks such as bids."""
        return []

    def entered(self, game, event: dict) -> str:
        """Return entered values that the sentence of an event omits, such as cards; game: before the event."""
        return ""

    def row_name(self, label: str) -> str:
        """Return the display name of a row or a part."""
        what, _, number = label.partition(" ")
        return text(self.ROW_NAMES[what], n=number) if what in self.ROW_NAMES else label

    def cell(self, label: str, points: int) -> str:
        """Return the text for the points of a seat in a row."""
        return str(points)

    def cells(self, label: str, points: list[int], totals: list[int]) -> list[str]:
        """Return the texts for all points in a row; totals: their sums up to this row."""
        return [self.cell(label, number) for number in points]

    def counts(self, game) -> Rows:
        """Return rows of numbers by seat that stand below those of rows() and add no points."""
        return []

    # --- rules ---

    def facts(self) -> dict:
        """Return the tables of the game as JSON values by their names."""
        return {}

    def tables(self, facts: dict) -> Iterator[RenderableType]:
        """Yield the same tables for the terminal."""
        yield from ()


# --- shared by the sheets ---


def texts(*keys):
    """Return the texts of several keys, for example for the headers of a table."""
    return [text(key) for key in keys]


def players_table(*headers, notes=False):
    """Return an empty table with a row per player and a numeric column per header; `notes` adds a column of notes."""
    player, more = text("sheet.player"), texts("sheet.notes") if notes else []
    return table(player, *headers, *more, numbers=headers, wrap=(player, *more))


def number_or_dot(number):
    """Return a number as a cell; a dot for zero."""
    return str(number) if number else NOTHING


def names_of(game, seats):
    """Return the names of these seats joined into a phrase."""
    return listed([shown(game.names[p]) for p in seats])


def remark(code, info, game):
    """Return the sentence that the device shows for a code."""
    return note(code, info, [shown(name) for name in game.names])
