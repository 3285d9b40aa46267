"""Run `kiebitz rules`: show the players, set-up, house rules and tables of a game."""

import argparse
import json

from kiebitz.games import GAMES, game_class
from kiebitz.text import has, rule_text, text
from rich.text import Text

from .. import languages
from ..games import on_laptop
from ..outcome import OK
from ..printable import say
from ..terminal import Terminal, table


def add(subparsers):
    """Add the command to the parser and return its parser."""
    parser = subparsers.add_parser(
        "rules",
        description="Show the number of players of a game, its set-up, its house rules and its tables. "
        "Without GAME, list the games.",
    )
    parser.add_argument("game", metavar="GAME", nargs="?", type=_game, help=", ".join(GAMES))
    parser.add_argument("--json", action="store_true", help="print the same as JSON")
    languages.add_option(parser)
    return parser


def _game(word):
    """Return the id of a game; its words may be joined by spaces, hyphens or underscores."""
    kind = word.lower().replace(" ", "_").replace("-", "_")
    if kind not in GAMES:
        raise argparse.ArgumentTypeError(f"there is no game {word!r}; choose from {', '.join(GAMES)}")
    return kind


def run(args):
    """Print the rules of a game, or the list of games. Returns the exit code."""
    languages.speak(args)
    facts = rules_of(args.game) if args.game else [_head(kind) for kind in GAMES]
    if args.json:
        say(json.dumps(facts))
    elif args.game:
        print_rules(facts)
    else:
        print_games(facts)
    return OK


def rules_of(kind):
    """Return the content of `kiebitz rules` about a game, as a dict."""
    own = on_laptop(kind)
    facts = _head(kind)
    facts["setup"] = [_setting(name, values, effect) for name, values, effect in own.SETUP]
    facts["options"] = [_option(kind, name) for name in game_class(kind).option_names()]
    facts.update(own.facts())
    return facts


def _setting(name, values, effect):
    """Return a key of the set-up with its values, default and effect."""
    words = [text(value) if str(value).startswith("rules.") else value for value in values]
    return {"name": name, "values": words, "default": words[0], "effect": text(effect)}


def _head(kind):
    """Return id, name and number of players of a game."""
    low, high = game_class(kind).PLAYERS
    return {"game": kind, "name": text(f"game.{kind}"), "players": [low, high]}


def _option(kind, name):
    """Return a house rule with its label, values, default, the meaning of each value, and the effect of the others."""
    values = list(game_class(kind).OPTIONS[name])
    meanings = [rule_text(name, value, kind) for value in values]
    return {
        "name": name,
        "label": text(f"opt.{name}"),
        "values": values,
        "default": values[0],
        "meanings": meanings,
        "effect": " ".join(meanings[1:] or meanings),
    }


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
    """Return a table with two lines for each value of a house rule: the value, and its meaning."""
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
    """Return a table with two lines for each key of the set-up: its values, and its explanation."""
    name, values, says = _headers("setup", "values", "says")
    second = f"{values}\n{says}"
    found = table(name, second, wrap=(second,))
    for setting in facts["setup"]:
        first, *others = [_value(facts["game"], setting["name"], value) for value in setting["values"]]
        found.add_row(setting["name"], ", ".join([f"{first} *", *(others or [text("rules.any")])]))
        found.add_row("", setting["effect"])
    return found


def _value(kind, name, value):
    """Return the display name of a value, with its id in brackets if the id differs."""
    if value is None:
        return text("rules.none")
    for key in (f"val.{value}.{kind}", f"val.{value}", f"{name}.{value}"):
        if has(key) and text(key) != value:
            return text("rules.value", words=text(key), id=value)
    return str(value)
