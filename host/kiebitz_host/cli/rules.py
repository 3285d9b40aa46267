"""Run `kiebitz rules`: show the players, set-up, house rules and tables of a game."""

import argparse
import json

from kiebitz.games import GAMES, game_class
from kiebitz.text import rule_text, text

from .. import languages
from ..games import on_laptop
from ..outcome import OK
from ..printable import say
from .rules_sheets import print_games, print_rules


def add(subparsers):
    """Add the command to the parser and return its parser."""
    parser = subparsers.add_parser(
        "rules",
        description="Show how many play a game, what its set-up and house rules may say, and its tables. "
        "Without GAME, list the games.",
    )
    parser.add_argument("game", metavar="GAME", nargs="?", type=_game, help=", ".join(GAMES))
    parser.add_argument("--json", action="store_true", help="print the same as JSON")
    languages.add_option(parser)
    return parser


def _game(word):
    """Return the id of a game; its words may be joined by blanks, hyphens or underscores."""
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
    """Return everything that `kiebitz rules` prints about a game, as a dict."""
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
    """Return a house rule with its label, values, default, what each value means, and what the others change."""
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
