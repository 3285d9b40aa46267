"""`kiebitz rules`: what a game expects: players, set-up, house rules and its tables."""

import argparse
import json

from kiebitz.rules import GAMES, game_class, new_game
from kiebitz.rules.boards import BOARD_IDS, BOARDS, STARTER
from kiebitz.rules.carre_grid import RUBRIC_POINTS, SIDE, SMALLEST, rubric
from kiebitz.rules.poch_state import ANTE, POOLS
from kiebitz.ui.texts import has, text

from .outcome import OK

# Set-up key, its values with the default first, what it says
_DEALER = ("dealer", ("last seat", "any seat"), "Who deals first. Seats count from 0; the next one starts.")
_SETUP = {
    "royal_flush": (
        ("boards", ("starter", "nine ids"), "The boards on the table: Royal Flush and two of each category."),
        ("child", (0, 1), "A list with a number for each player: 1 for a child, who gets jokers."),
        _DEALER,
    ),
    "poker_carre": (
        ("mode", ("score", "grid"), "The pad alone, or every card at its place in the square."),
        _DEALER,
    ),
    "poch": (_DEALER,),
    "top_spot": (
        ("level", ("junior", "expert"), "Without or with jokers and tie-breaks."),
        ("mode", ("tally", "assisted"), "Only who won each trick, or every trick with all its plays."),
        ("match_length", ("one per player", "any number"), "How many games; all should deal equally often."),
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
    return parser


def _game(word):
    """The id of a game, however its words are joined."""
    kind = word.lower().replace(" ", "_").replace("-", "_")
    if kind not in GAMES:
        raise argparse.ArgumentTypeError(f"there is no game {word!r}; choose from {', '.join(GAMES)}")
    return kind


def run(args):
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
    facts["setup"] = [
        {"name": name, "values": list(values), "default": values[0], "effect": effect}
        for name, values, effect in _SETUP[kind]
    ]
    facts["options"] = [_option(kind, name) for name in game_class(kind).OPTIONS]
    facts.update(_TABLES[kind]())
    return facts


def _head(kind):
    low, high = game_class(kind).PLAYERS
    return {"game": kind, "name": text(f"game.{kind}"), "players": [low, high]}


def _option(kind, name):
    values = list(game_class(kind).OPTIONS[name])
    own = f"opt.{name}.help.{kind}"  # where a house rule means something else in this game
    return {
        "name": name,
        "label": text(f"opt.{name}"),
        "values": values,
        "default": values[0],
        "effect": text(own if has(own) else f"opt.{name}.help"),
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
