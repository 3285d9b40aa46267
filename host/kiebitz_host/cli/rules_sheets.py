"""Print the output of `kiebitz rules` as tables for people."""

from kiebitz.text import has, text
from rich.text import Text

from ..games import on_laptop
from ..terminal import Terminal, table


def print_games(games):
    """Print the list of games."""
    found = table(*_headers("game", "id", "players"))
    for game in games:
        low, high = game["players"]
        found.add_row(game["name"], game["game"], text("rules.range", low=low, high=high))
    terminal = Terminal()
    terminal.print(found)
    terminal.print()
    terminal.print(text("rules.more"))


def print_rules(facts):
    """Print the rules of a game, as returned by rules_of()."""
    terminal = Terminal()
    low, high = facts["players"]
    terminal.print(Text(text("rules.head", game=facts["name"], low=low, high=high), style="bold"))
    settings = (("options", "house", "changes"), ("setup", "setup", "says"))
    parts = [_settings(facts, *names) for names in settings if facts[names[0]]]
    for part in [*parts, *on_laptop(facts["game"]).tables(facts)]:
        terminal.print()
        terminal.print(part)


def _headers(*names):
    """Return the texts of headers."""
    return [text(f"rules.{name}") for name in names]


def _settings(facts, part, title, effect):
    """Return a table with two lines for each setting: its label and values, then its id and effect."""
    name, values, does = _headers(title, "values", effect)
    second = f"{values}\n{does}"
    found = table(name, second, wrap=(second,))
    for setting in facts[part]:
        first, *others = [_value(facts["game"], setting["name"], value) for value in setting["values"]]
        words = ", ".join([f"{first} *", *(others or [text("rules.any")])])
        lines = [setting["name"]] if "label" not in setting else [setting["label"], setting["name"]]
        found.add_row(lines[0], words)
        found.add_row(Text(lines[1] if len(lines) > 1 else "", style="dim"), setting["effect"])
    return found


def _value(kind, name, value):
    """Return a value in words, with its id in brackets if the id differs."""
    for key in (f"val.{value}.{kind}", f"val.{value}", f"{name}.{value}"):
        if has(key) and text(key) != value:
            return text("rules.value", words=text(key), id=value)
    return str(value)
