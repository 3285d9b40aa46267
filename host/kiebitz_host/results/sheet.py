"""The score sheet of a game as on paper: a line for each round, a column for each player, and the entry log below."""

from rich.text import Text

from ..terminal import Terminal, seat_style, short_names, shown, table
from .entries import effect

_LABELS = {"chips": "Chips left", "start": "At the start", "loans": "Lent", "end": "At the end"}
LABEL_WIDTH = 12
NAME_MIN = 4
GAP = 3  # between two columns


def words(label: str) -> str:
    """The label of a line of the sheet."""
    what, _, number = label.partition(" ")
    if what == "rubric":
        return f"{number} point" if number == "1" else f"{number} points"
    return _LABELS.get(label, label.capitalize())


def _cell(label: str, points: int) -> str:
    what, _, number = label.partition(" ")
    if what == "rubric":
        return f"{points // int(number)} x" if points else "·"
    return str(points)


def print_rows(terminal: Terminal, game: dict, rows: list[tuple[str, list[int]]]) -> None:
    """The sheet itself."""
    names = [score["name"] for score in game["scores"]]
    width = max(NAME_MIN, (terminal.width - LABEL_WIDTH) // len(names) - GAP)
    heads = short_names(names, width)
    signed = game["game"] == "poch"
    sheet = table("", *[Text(head, style=seat_style(p)) for p, head in enumerate(heads)])
    for column in sheet.columns[1:]:
        column.justify = "right"
    for label, points in rows:
        plain = not signed or label == "start"
        sheet.add_row(words(label), *[_cell(label, k) if plain else f"{k:+}" for k in points])
    for title, key in (("Total", "score"), ("Place", "rank")):
        values = [score[key] for score in game["scores"]]
        if None not in values:
            sheet.add_row(
                Text(title, style="bold"),
                *[Text(str(score[key]), style="bold" if score["winner"] else "") for score in game["scores"]],
            )
    terminal.print(sheet)


def print_log(terminal: Terminal, log: list[dict], names: list[str], fixed: set[int]) -> None:
    """The entries, those that were corrected on the laptop marked."""
    names = [shown(name) for name in names]
    sheet = table("No", "Entry", "Effect", numbers=("No",), wrap=("Entry", "Effect"))
    part = None
    for item in log:
        if item["part"] != part:
            part = item["part"]
            sheet.add_row("", Text(part.capitalize(), style="dim italic"), "")
        mark = " (corrected)" if item["entry"] in fixed else ""
        sheet.add_row(str(item["entry"]), Text(shown(item["text"]) + mark), Text(effect(item["changes"], names)))
    terminal.print(sheet)
