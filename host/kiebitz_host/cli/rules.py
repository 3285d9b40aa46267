"""`kiebitz rules`: what a game expects: players, set-up, house rules and its tables."""

import argparse
import json

from kiebitz.games import GAMES, game_class, new_game
from kiebitz.games.poch.state import ANTE, POOLS
from kiebitz.games.poker_carre.grid import RUBRIC_POINTS, SIDE, SMALLEST, rubric
from kiebitz.games.royal_flush.boards import BOARD_IDS, BOARDS, STARTER
from kiebitz.text import rule_help, text

from .. import languages
from ..outcome import OK

# Set-up key, its values with the default first, what it says. Values that are words and no ids are keys of texts.
_DEALER = ("dealer", ("rules.dealer.last", "rules.dealer.any"), "rules.dealer")
_SETUP = {
    "royal_flush": (
        ("boards", ("starter", "rules.boards.own"), "rules.boards"),
        ("child", (0, 1), "rules.child"),
        _DEALER,
    ),
    "poker_carre": (
        ("mode", ("score", "grid"), "rules.grid"),
        _DEALER,
    ),
    "poch": (_DEALER,),
    "top_spot": (
        ("level", ("junior", "expert"), "rules.level"),
        ("mode", ("tally", "assisted"), "rules.tally"),
        ("match_length", ("rules.length.usual", "rules.any"), "rules.length"),
        _DEALER,
    ),
}


def add(subparsers):
    parser = subparsers.add_parser(
        "rules",
        help="show players, house rules and tables of a game",
        description="Show how many play a game, what its set-up and house rules may say, and its tables. "
        "Without GAME, list the games.",
    )
    parser.add_argument("game", metavar="GAME", nargs="?", type=_game, help=", ".join(GAMES))
    parser.add_argument("--json", action="store_true", help="print the same as JSON")
    languages.add_option(parser)
    return parser


def _game(word):
    """The id of a game, however its words are joined."""
    kind = word.lower().replace(" ", "_").replace("-", "_")
    if kind not in GAMES:
        raise argparse.ArgumentTypeError(f"there is no game {word!r}; choose from {', '.join(GAMES)}")
    return kind


def run(args):
    languages.speak(args)
    facts = rules_of(args.game) if args.game else [_head(kind) for kind in GAMES]
    if args.json:
        print(json.dumps(facts))
    elif args.game:
        from .rules_sheets import print_rules

        print_rules(facts)
    else:
        from .rules_sheets import print_games

        print_games(facts)
    return OK


def rules_of(kind):
    """Everything `kiebitz rules` tells about a game."""
    facts = _head(kind)
    facts["setup"] = [_setting(name, values, effect) for name, values, effect in _SETUP[kind]]
    facts["options"] = [_option(kind, name) for name in game_class(kind).OPTIONS]
    facts.update(_TABLES[kind]())
    return facts


def _setting(name, values, effect):
    words = [text(value) if str(value).startswith("rules.") else value for value in values]
    return {"name": name, "values": words, "default": words[0], "effect": text(effect)}


def _head(kind):
    low, high = game_class(kind).PLAYERS
    return {"game": kind, "name": text(f"game.{kind}"), "players": [low, high]}


def _option(kind, name):
    values = list(game_class(kind).OPTIONS[name])
    return {
        "name": name,
        "label": text(f"opt.{name}"),
        "values": values,
        "default": values[0],
        "effect": rule_help(name, kind),
    }


def _boards():
    boards = []
    for board in BOARD_IDS:
        slots, cards, category = BOARDS[board]
        boards.append(
            {
                "id": board,
                "name": text(f"board.{board}"),
                "slots": list(slots),
                "cards": cards,
                "category": category,
                "starter": board in STARTER,
            }
        )
    return {"boards": boards}


def _scoring():
    """For each category its points, and the sizes of straight, colour and set that count there."""
    rows = [{"points": points, "straight": [], "colour": [], "set": []} for points in RUBRIC_POINTS]
    for kind, smallest in SMALLEST.items():
        for size in range(smallest, SIDE + 1):
            rows[rubric(kind, size)][kind].append(size)
    return {"scoring": rows}


def _poch():
    deals = []
    low, high = game_class("poch").PLAYERS
    for n in range(low, high + 1):
        game = new_game({"game": "poch", "players": [str(p) for p in range(n)]})
        total, chips = game.options["chips_total"], game.chips[0]
        game.apply({"ev": "start_round", "trump": "S"})
        hands = [game.hands[p] for p in game.seats()]
        deals.append({"players": n, "chips": chips, "box": total - n * chips, "hands": hands})
    return {"ante": ANTE, "pools": [{"id": pool, "name": text(f"pool.{pool}")} for pool in POOLS], "deals": deals}


def _levels():
    levels = []
    for level in ("junior", "expert"):
        game = new_game({"game": "top_spot", "players": ["1", "2", "3"], "level": level})
        levels.append({"id": level, "name": text(f"level.{level}"), "cards": game.hand_size})
    return {"levels": levels}


_TABLES = {"royal_flush": _boards, "poker_carre": _scoring, "poch": _poch, "top_spot": _levels}
