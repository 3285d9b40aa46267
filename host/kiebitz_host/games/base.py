"""Define the laptop's part of a game; the defaults are a plain sheet, one row of totals and no tables."""

from collections.abc import Iterator

from kiebitz.store.table import Table
from kiebitz.text import listed, note, text
from rich.console import RenderableType
from rich.text import Text

from ..terminal import seat_text, shown, table
from .questions import Questions

Rows = list[tuple[str, list[int]]]

TOTAL = "total"  # the label of the only row of a game that keeps no others
NOTHING = Text("·", style="dim")
DEALER = ("dealer", ("rules.dealer.last", "rules.dealer.any"), "rules.dealer")


class GameOnLaptop(Questions):
    """A game on the laptop: its score sheet, its rows in the store, its questions, and what `kiebitz rules` prints."""

    UNIT = "points"  # the unit of a score: the end of text keys like sheet.leads.points
    # (Set-up key, its values with the default first, key of its explanation). Values that are no ids are keys of texts.
    SETUP: tuple[tuple[str, tuple, str], ...] = (DEALER,)
    # Keys of a few entries in the scenario of `kiebitz doctor --report`, from the players until the game is thrown away
    REPORT = ""
    BESIDE: dict[str, str] = {}  # what counts like a score but belongs to no seat -> key of its text
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
        """Return a sentence that says who has won or leads."""
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
        """Return the end of a text key that says what decided the game; `beaten`: seats level with the winners."""
        return self.UNIT

    def boards_of(self, cards) -> list[tuple[str, tuple[int, ...]]]:
        """Return (id, points of its slots) of the boards that these cards satisfy, in a game that has boards."""
        return []

    # --- rows in the store ---

    def first_seat(self, setup: dict, n: int) -> int:
        """Return the seat with the first turn: left of the dealer."""
        return (setup.get("dealer", n - 1) + 1) % n

    def rows(self, table: Table) -> Rows:
        """Return the rows of the score sheet: (label, points by seat); the points of a seat add up to its score."""
        return [(TOTAL, table.game.totals())]

    def part(self, game) -> str | None:
        """Return the label of the round, or the game of a match, in play; None if a game has no such parts."""
        return None

    def beside(self, game) -> dict[str, int]:
        """Return the numbers of what is in BESIDE."""
        return {}

    def rows_beside(self, table: Table) -> list[dict[str, int]]:
        """Return what each row of rows() adds to beside(), in a game that has something there."""
        return []

    def entered(self, game, event: dict) -> str:
        """Return what was entered and is not in the words of an event, such as its cards; game: before the event."""
        return ""

    def row_name(self, label: str) -> str:
        """Return the label of a row or a part in words."""
        what, _, number = label.partition(" ")
        return text(self.ROW_NAMES[what], n=number) if what in self.ROW_NAMES else label

    def cell(self, label: str, points: int) -> str:
        """Return the text for the points of a seat in a row."""
        return str(points)

    # --- rules ---

    def facts(self) -> dict:
        """Return the tables of the game as JSON values by their names."""
        return {}

    def tables(self, facts: dict) -> Iterator[RenderableType]:
        """Yield the same tables for people."""
        yield from ()


# --- what the sheets share ---


def texts(*keys):
    """Return the texts of several keys, for example for the headers of a table."""
    return [text(key) for key in keys]


def players_table(*headers, notes=False):
    """Return an empty table for one row per player, with a column of numbers per header; notes: and one of notes."""
    player, more = text("sheet.player"), texts("sheet.notes") if notes else []
    return table(player, *headers, *more, numbers=headers, wrap=(player, *more))


def number_or_dot(number):
    """Return a number as a cell; a dot for zero."""
    return str(number) if number else NOTHING


def names_of(game, seats):
    """Return the names of these seats as a list in words."""
    return listed([shown(game.names[p]) for p in seats])


def remark(code, info, game):
    """Return the sentence that the device shows to these players for a code."""
    return note(code, info, [shown(name) for name in game.names])
