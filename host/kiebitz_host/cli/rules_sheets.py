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
    parts = [make(facts) for name, make in (("options", _options), ("setup", _setup)) if facts[name]]
    for part in [*parts, *on_laptop(facts["game"]).tables(facts)]:
        terminal.print()
        terminal.print(part)


def _headers(*names):
    """Return the texts of headers."""
    return [text(f"rules.{name}") for name in names]


def _options(facts):
    """Return a table with two lines for each value of a house rule: the value, and what it means."""
    name, values, says = _headers("house", "values", "says")
    second = f"{values}\n{says}"
    found = table(name, second, wrap=(second,))
    for option in facts["options"]:
        first, *others = [_value(facts["game"], option["name"], value) for value in option["values"]]
        words = [f"{first} *", *others] if others else [f"{first} *, {text('rules.any')}"]
        names = [option["label"], Text(option["name"], style="dim")]
        for value, meaning in zip(words, option["meanings"], strict=True):
            for line in (value, Text(meaning, style="dim")):
                found.add_row(names.pop(0) if names else "", line)
    return found


def _setup(facts):
    """Return a table with two lines for each key of the set-up: its values, and what it says."""
    name, values, says = _headers("setup", "values", "says")
    second = f"{values}\n{says}"
    found = table(name, second, wrap=(second,))
    for setting in facts["setup"]:
        first, *others = [_value(facts["game"], setting["name"], value) for value in setting["values"]]
        found.add_row(setting["name"], ", ".join([f"{first} *", *(others or [text("rules.any")])]))
        found.add_row("", setting["effect"])
    return found


def _value(kind, name, value):
    """Return a value in words, with its id in brackets if the id differs."""
    if value is None:
        return text("rules.none")
    for key in (f"val.{value}.{kind}", f"val.{value}", f"{name}.{value}"):
        if has(key) and text(key) != value:
            return text("rules.value", words=text(key), id=value)
    return str(value)
