"""A game in words: how it was played, what was entered, in which round, and what that changed."""

from kiebitz.games import new_game
from kiebitz.games.poker_carre.grid import RUBRIC_POINTS
from kiebitz.screens.house_rules import value_text
from kiebitz.store.table import Table
from kiebitz.text import text
from kiebitz.text.describe import describe

# What a line of the sheet is called; one with a number is called otherwise in each game
_ROWS = {"chips": "row.chips", "start": "row.start", "loans": "row.loans", "end": "row.end"}
_NUMBERED = {"royal_flush": "row.royal", "poch": "row.poch", "top_spot": "row.spot"}


def variant_of(setup: dict) -> str:
    """Level, mode and the house rules that are not the usual ones."""
    game = new_game(setup)
    words = [text(f"{what}.{getattr(game, what)}") for what in ("level", "mode") if hasattr(game, what)]
    for name, value in game.options.items():
        if name != "turns" and value != game.OPTIONS[name][0]:
            words.append(text("sheet.rule", rule=text(f"opt.{name}"), value=value_text(value, game.KIND)))
    variant = ", ".join(words)
    return variant[:1].upper() + variant[1:]


def entries(table: Table, names: list[str]) -> list[dict]:
    """Every entry in force: its number from 1, the round it belongs to, the event, words, and who won or lost what."""
    game = new_game(table.setup)
    log = []
    before = game.totals()
    for k, event in enumerate(table.events(), 1):
        part = part_of(game)
        game.apply(event)
        after = game.totals()
        changes = [now - then for now, then in zip(after, before, strict=True)]
        before = after
        words = describe(event, names, game.KIND)
        log.append({"entry": k, "part": part, "event": event, "text": words, "changes": changes})
    return log


def part_of(game) -> str | None:
    """The round, or the game of a match, that is being played; None where a game has no such parts."""
    if game.KIND == "poker_carre":
        return None
    return f"game {game.game_no}" if game.KIND == "top_spot" else f"round {game.round}"


def row_name(kind: str, label: str) -> str:
    """A line of the sheet in words: rounds, and the games of a match, have a number; rubrics their points."""
    what, _, number = label.partition(" ")
    if what == "rubric":
        return text(f"rubric.{RUBRIC_POINTS.index(int(number)) + 1}")
    return text(_NUMBERED[kind], n=number) if number else text(_ROWS[label])


def effect(changes: list[int], names: list[str]) -> str:
    """The changes in words."""
    if len(set(changes)) == 1:
        return text("sheet.all", change=f"{changes[0]:+}") if changes[0] else ""
    return ", ".join(f"{name} {change:+}" for name, change in zip(names, changes, strict=True) if change)
