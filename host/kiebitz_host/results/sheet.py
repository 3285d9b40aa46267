"""Print the score sheet of a game as on paper: a row per round, a column per player, and the entry log below."""

from kiebitz.text import text
from rich.cells import cell_len
from rich.text import Text

from ..games import on_laptop
from ..games.base import TOTAL
from ..terminal import Terminal, seat_style, short_names, shown, table
from .entries_in_words import effect

NAME_MIN = 4
GAP = 3  # between two columns


def print_rows(terminal: Terminal, game: dict, rows: list[dict]) -> None:
    """Print the rows of the score sheet, with totals and places."""
    own = on_laptop(game["game"])
    rows = [row for row in rows if row["label"] != TOTAL]  # it is printed last in any case
    names = [score["name"] for score in game["scores"]]
    labels = [own.row_name(row["label"]) for row in rows]
    more = list(rows[0].get("beside", {})) if rows else []  # columns that belong to no player
    titles = [text(own.BESIDE[key]) for key in more]
    taken = max(map(cell_len, labels), default=0) + sum(cell_len(title) + GAP for title in titles)
    heads = short_names(names, max(NAME_MIN, (terminal.width - taken) // len(names) - GAP))
    sheet = table("", *[Text(head, style=seat_style(p)) for p, head in enumerate(heads)], *titles)
    for column in sheet.columns[1:]:
        column.justify = "right"
    for name, row in zip(labels, rows, strict=True):
        sheet.add_row(name, *[own.cell(row["label"], k) for k in [*row["points"], *row.get("beside", {}).values()]])
    for title, key in ((text("sheet.total"), "score"), (text("sheet.place"), "rank")):
        values = [score[key] for score in game["scores"]]
        if None not in values:
            rest = [str(sum(row["beside"][column] for row in rows)) for column in more] if key == "score" else []
            sheet.add_row(
                Text(title, style="bold"),
                *[Text(str(score[key]), style="bold" if score["winner"] else "") for score in game["scores"]],
                *rest,
            )
    terminal.print(sheet)


def print_log(terminal: Terminal, kind: str, log: list[dict], names: list[str], fixed: set[int]) -> None:
    """Print the entries; those that were corrected on the laptop are marked."""
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
