"""Print score sheets in the terminal: of a game in play and of a stored game, with its entries."""

from kiebitz.games import new_game
from kiebitz.text import game_name, text
from rich.cells import cell_len
from rich.text import Text

from ..games import on_laptop
from ..games.base import TOTAL, remark
from ..terminal import Terminal, seat_style, short_names, shown, table
from .entries import effect

NOTES_MAX = 5  # only this many of the latest notes are printed


def print_sheet(play):
    """Print the score sheet of a table."""
    terminal = Terminal()
    for part in sheet(play):
        terminal.print(part)


def sheet(play):
    """Yield the score sheet of a table, part by part."""
    game = play.game
    own = on_laptop(game.KIND)
    title = [game_name(game.KIND, game.title), *own.title(game), text(f"phase.{game.phase}")]
    yield Text(" · ".join([*title, text("sheet.events", n=len(play))]), style="bold")
    yield Text(own.standing(game))
    for part in own.sheet(game):
        yield Text()
        yield part
    yield from _notes(play)


def _notes(play):
    """Yield the notes of the rules on the events of the game, the latest last."""
    game = new_game(play.setup)
    lines = []
    for k, event in enumerate(play.events(), 1):
        for code, info in game.apply(event):
            lines.append(text("sheet.note", k=k, code=code, sentence=remark(code, info, game)))
    if not lines:
        return
    yield Text()
    if len(lines) > NOTES_MAX:
        yield Text(text("sheet.left_out", n=len(lines) - NOTES_MAX), style="dim")
    for line in lines[-NOTES_MAX:]:
        yield Text(line, style="yellow")


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
