"""Collect the details of one stored game, build its score sheet as data, and print it in the terminal."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from kiebitz.store.table import Table
from kiebitz.text import text
from rich.cells import cell_len
from rich.text import Text

from ..games import on_laptop
from ..games.base import TOTAL, GameOnLaptop
from ..library import fixes, query
from ..library.schema import minutes_of_game
from ..library.store import Store
from ..terminal import Terminal, seat_style, short_names, shown, table
from .entries import effect, entries
from .present import state_of


def _as_it_is(name: str) -> str:
    return name


def facts_of(store: Store, number: int, spell: Callable[[str], str] = _as_it_is) -> dict:
    """Return the details of a game; `spell` maps the names of players to their form in sentences."""
    derived = store.replayed(number)
    facts = query.one(store.db, number)
    facts["minutes"] = minutes_of_game(store.db, number)
    facts["setup"] = derived.setup
    facts["rows"] = sheet_rows(query.rounds(store.db, number), derived.table)
    if derived.table and (counts := on_laptop(derived.kind).counts(derived.game)):
        facts["counts"] = [{"label": label, "points": points} for label, points in counts]
    names = [spell(score["name"]) for score in facts["scores"]]
    facts["entries"] = entries(derived.table, names) if derived.table else []
    facts["corrections"] = fixes.history(store, number, names)
    facts["histories"] = [len(lines) - 1 for lines in store.histories(number)]
    return facts


def sheet_rows(rows: list[tuple[str, list[int]]], table: Table | None) -> list[dict]:
    """Return the rows of the score sheet, with marks by seat and the change of amounts beside the seats, if any."""
    sheet: list[dict] = [{"label": label, "points": points} for label, points in rows]
    if not table:
        return sheet
    own = on_laptop(table.game.KIND)
    beside = own.rows_beside(table)
    for row, marks in zip(sheet, own.row_marks(table), strict=False):
        row["marks"] = marks
    if not any(any(more.values()) for more in beside):
        return sheet
    return [{**row, "beside": more} for row, more in zip(sheet, beside, strict=True)]


def remarks(facts: dict) -> Iterator[str]:
    """Yield a remark on everything unusual about a game."""
    if state := state_of(facts):
        yield state.capitalize() + "."
    if facts["flaw"]:
        line, _, code = facts["flaw"].partition(":")
        yield text("sheet.flaw", line=line, code=code)
    if facts["damaged"]:
        yield text("sheet.damaged")
    if len(facts["histories"]) > 1:
        lengths = ", ".join(map(str, facts["histories"]))
        yield text("sheet.histories", n=len(facts["histories"]), lengths=lengths)


class SheetRow(NamedTuple):
    """A row of a score sheet: its name, and its cells by column."""

    name: str
    cells: list[str]


class ScoreSheet(NamedTuple):
    """A score sheet as on paper: a row for each round, a column for each player, and columns beside the players."""

    names: list[str]
    beside: list[str]  # heads of the columns that belong to no player
    rows: list[SheetRow]
    totals: SheetRow | None
    places: SheetRow | None  # without the columns beside
    winners: list[bool]
    legend: str  # of the marks before the points; empty without marks


def score_sheet(facts: dict, most: int | None = None) -> ScoreSheet:
    """Return the score sheet of a game; with more than `most` rows, sum up several rounds in one row."""
    own = on_laptop(facts["game"])
    scores = facts["scores"]
    rows = [row for row in facts["rows"] if row["label"] != TOTAL]  # the totals are a separate row
    more = list(rows[0].get("beside", {})) if rows else []
    cells, running, legend = [], [0] * (len(scores) + len(more)), ""
    for name, label, numbers, marks in _rows(own, rows, most):
        running = [total + number for total, number in zip(running, numbers, strict=True)]
        seats = own.cells(label, numbers[: len(scores)], running[: len(scores)])
        texts = [*seats, *[own.cell(label, number) for number in numbers[len(scores) :]]]
        marked = [f"{mark} {cell}".lstrip() for mark, cell in zip(marks, texts, strict=True)]
        cells.append(SheetRow(name, marked))
        legend = text(own.MARKS) if any(marks) else legend
    for row in facts.get("counts", []):
        cells.append(SheetRow(own.row_name(row["label"]), [*map(str, row["points"]), *[""] * len(more)]))
    sums = [str(sum(row["beside"][key] for row in rows)) for key in more]
    totals, places = [[score[key] for score in scores] for key in ("score", "rank")]
    return ScoreSheet(
        [score["name"] for score in scores],
        [text(own.BESIDE[key]) for key in more],
        cells,
        None if None in totals else SheetRow(text("sheet.total"), [*map(str, totals), *sums]),
        None if None in places else SheetRow(text("sheet.place"), [*map(str, places)]),
        [score["winner"] for score in scores],
        legend,
    )


def _rows(own: GameOnLaptop, rows: list[dict], most: int | None) -> Iterator[tuple[str, str, list[int], list[str]]]:
    """Yield (name, label, numbers and marks by column) of each row; if there are too many, sum up several in one."""
    each = -(-len(rows) // most) if most else 1
    for k in range(0, len(rows), max(each, 1)):
        group = rows[k : k + max(each, 1)]
        names = dict.fromkeys([own.row_name(group[0]["label"]), own.row_name(group[-1]["label"])])
        numbers = [sum(column) for column in zip(*map(_numbers, group), strict=True)]
        marks = group[0].get("marks") if len(group) == 1 else None
        yield " – ".join(names), group[-1]["label"], numbers, marks or [""] * len(numbers)


def _numbers(row: dict) -> list[int]:
    return [*row["points"], *row.get("beside", {}).values()]


# --- in the terminal ---


NAME_MIN = 4  # letters of a name in a head
GAP = 3  # between two columns


def print_rows(terminal: Terminal, facts: dict) -> None:
    """Print the rows of the score sheet, with totals and places."""
    sheet = score_sheet(facts)
    taken = max((cell_len(row.name) for row in sheet.rows), default=0) + sum(
        cell_len(head) + GAP for head in sheet.beside
    )
    heads = short_names(sheet.names, max(NAME_MIN, (terminal.width - taken) // len(sheet.names) - GAP))
    shown_sheet = table("", *[Text(head, style=seat_style(p)) for p, head in enumerate(heads)], *sheet.beside)
    for column in shown_sheet.columns[1:]:
        column.justify = "right"
    for row in sheet.rows:
        shown_sheet.add_row(row.name, *row.cells)
    for foot in filter(None, (sheet.totals, sheet.places)):
        styles = ["bold" if won else "" for won in sheet.winners] + [""] * len(sheet.beside)
        cells = [Text(cell, style=style) for cell, style in zip(foot.cells, styles, strict=False)]
        shown_sheet.add_row(Text(foot.name, style="bold"), *cells)
    terminal.print(shown_sheet)
    if sheet.legend:
        terminal.print(Text(sheet.legend, style="dim"))


def print_log(terminal: Terminal, kind: str, log: list[dict], names: list[str], fixed: set[int]) -> None:
    """Print the entries; mark those that were corrected on the laptop."""
    names = [shown(name) for name in names]
    headers = [text(f"sheet.{name}") for name in ("number", "entry", "effect")]
    sheet = table(*headers, numbers=headers[:1], wrap=headers[1:])
    part = None
    for item in log:
        if item["part"] != part:
            part = item["part"]
            sheet.add_row("", Text(on_laptop(kind).row_name(part), style="dim italic"), "")
        entry = shown(item["text"])
        if item["entry"] in fixed:
            entry = text("sheet.corrected", entry=entry)
        sheet.add_row(str(item["entry"]), Text(entry), Text(effect(item, names, kind)))
    terminal.print(sheet)
