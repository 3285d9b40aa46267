"""Describe a game as text: its variant, each entry with its round and effect, and its sheet for 80 columns."""

from kiebitz.games import new_game
from kiebitz.store.table import Table
from kiebitz.text import game_name, has, text, value_text
from kiebitz.text.describe import describe
from rich.text import Text

from ..games import on_laptop
from ..games.base import remark
from ..terminal import Terminal


def variant_of(setup: dict) -> str:
    """Describe the level, the mode and the house rules that differ from their defaults."""
    if not setup or "imported" in setup:  # results without a set-up, which may have the name of a series
        return setup.get("series", "")
    game = new_game(setup)
    words = [text(f"{what}.{getattr(game, what)}") for what in ("level", "mode") if hasattr(game, what)]
    for name, value in game.options.items():
        if name != "turns" and value != game.default(name, game.n):
            words.append(text("sheet.rule", rule=text(f"opt.{name}"), value=value_text(value, game.KIND, name)))
    variant = ", ".join(words)
    return variant[:1].upper() + variant[1:]


def preset_in_words(preset: dict) -> str:
    """Describe the settings of a preset."""
    words = [variant_of({**preset, "players": ["1", "2", "3", "4"]}) or text("presets.usual")]
    if "step" in preset:
        words.append(text("presets.step", n=preset["step"]))
    return ", ".join(words)


def entries(table: Table, names: list[str]) -> list[dict]:
    """Return a dict for every entry in force: number from 1, round, event, words, and the change of each total.

    `beside`, in games that have it: the change of amounts that belong to no seat.
    """
    game = table.start()
    own = on_laptop(game.KIND)
    log = []
    before, beside = game.totals(), own.beside(game)
    for k, event in enumerate(table.events(), 1):
        played, game.names = game.names, names[: game.n]
        item = {"entry": k, "part": own.part_of_entry(game, event), "event": event, "text": in_words(event, game)}
        game.names = played
        game.apply(event)
        after, beside_after = game.totals(), own.beside(game)
        before += after[len(before) :]  # of a player who has joined
        item["changes"] = [now - then for now, then in zip(after, before, strict=True)]
        item["changes"] += [0] * (len(names) - game.n)  # of players who join later
        if beside:
            item["beside"] = {key: beside_after[key] - beside[key] for key in beside}
        before, beside = after, beside_after
        log.append(item)
    return log


def in_words(event: dict, game) -> str:
    """Describe an event with all its arguments; game: the state before the event."""
    words = describe(event, game.names, game.KIND)
    entered = on_laptop(game.KIND).entered(game, event)
    return f"{words} ({entered})" if entered else words


def effect(item: dict, names: list[str], kind: str) -> str:
    """Describe the changes made by an entry, including amounts that belong to no seat."""
    changes = item["changes"]
    words = [f"{name} {change:+}" for name, change in zip(names, changes, strict=True) if change]
    if len(set(changes)) == 1 and changes[0]:
        words = [text("sheet.all", change=f"{changes[0]:+}")]
    titles = on_laptop(kind).BESIDE
    words += [f"{text(titles[key])} {change:+}" for key, change in item.get("beside", {}).items() if change]
    return ", ".join(words)


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
