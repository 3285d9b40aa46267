"""Describe a game in words: its variant, and each entry with its round and its effect."""

from kiebitz.games import new_game
from kiebitz.screens.house_rules import value_text
from kiebitz.store.table import Table
from kiebitz.text import text
from kiebitz.text.describe import describe

from ..games import on_laptop


def variant_of(setup: dict) -> str:
    """Return in words the level, the mode and the house rules that are not at their defaults."""
    game = new_game(setup)
    words = [text(f"{what}.{getattr(game, what)}") for what in ("level", "mode") if hasattr(game, what)]
    for name, value in game.options.items():
        if name != "turns" and value != game.OPTIONS[name][0]:
            words.append(text("sheet.rule", rule=text(f"opt.{name}"), value=value_text(value, game.KIND)))
    variant = ", ".join(words)
    return variant[:1].upper() + variant[1:]


def entries(table: Table, names: list[str]) -> list[dict]:
    """Return a dict for every entry in force: number from 1, round, event, words, and the change of each total."""
    game = new_game(table.setup)
    own = on_laptop(game.KIND)
    log = []
    before = game.totals()
    for k, event in enumerate(table.events(), 1):
        part = own.part(game)
        game.apply(event)
        after = game.totals()
        changes = [now - then for now, then in zip(after, before, strict=True)]
        before = after
        words = describe(event, names, game.KIND)
        log.append({"entry": k, "part": part, "event": event, "text": words, "changes": changes})
    return log


def effect(changes: list[int], names: list[str]) -> str:
    """Return the changes of the totals in words."""
    if len(set(changes)) == 1:
        return text("sheet.all", change=f"{changes[0]:+}") if changes[0] else ""
    return ", ".join(f"{name} {change:+}" for name, change in zip(names, changes, strict=True) if change)
