"""Print the state of a game as tables that fit a terminal of 80 columns."""

from kiebitz.text import game_name, has, text
from rich.text import Text

from ..games import on_laptop
from ..games.base import remark
from ..terminal import Terminal

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
    phase = f"phase.{game.phase}.{game.KIND}"
    phase = text(phase if has(phase) else f"phase.{game.phase}")
    title = [game_name(game.KIND, game.title), *own.title(game), phase]
    yield Text(" · ".join([*title, text("sheet.events", n=len(play))]), style="bold")
    yield Text(own.standing(game))
    for part in own.sheet(game):
        yield Text()
        yield part
    yield from _notes(play)


def _notes(play):
    """Yield the notes of the rules on the events of the game, the latest last."""
    game = play.start()
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
