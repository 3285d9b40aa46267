"""Generate random games of every kind for the tests and the benchmark."""

from kiebitz.games import GAMES, Refused, game_class
from kiebitz.store.events import CHANGES

from .dice import NAMES, Dice
from .dice import setup as setup_for
from .games import GAMES_IN_LAB

# Values that replace a sensible value in a damaged event
ODD: tuple = (None, -1, True, False, 0, 99, 1000001, 1.5, "", "x", "7H 7H", [], [None], [[]], {}, {"0": 1}, {"x": 1})

ODD_NAMES = ("", " ", "x" * 25, "tab\t", None, 7, NAMES[0])
# Names that replace the name of a damaged event; each game has some of them
_NAMES = ("pass", "finish", "spend", "swap", "buy", "turn", "layout", "skip", "hold", "point", "close_round", "")
_WIDE_NAMES = ("Zoë", "Łukasz", " Ольга ", "李雷", 'O"Hara\\', "Zwölf Boxkämpfer jagen V")


def _players(n, dice):
    """Return n names, sometimes an unusual one among them."""
    names = list(NAMES[:n])
    if dice.chance(25):
        names[dice.below(n)] = dice.pick(_WIDE_NAMES)
    return names


def _options(kind, dice):
    """Return random house rules of a game."""
    allowed = game_class(kind).OPTIONS
    options = {}
    for name in sorted(allowed):
        if len(allowed[name]) > 1 and dice.chance(40):
            value = dice.pick(allowed[name])
            if "on" in allowed[name] and dice.chance(50):
                value = value == "on"
            options[name] = value
    return options


def setup(kind, dice):
    """Return the set-up of a random game with any number of players, house rules, mode and level."""
    low, high = game_class(kind).PLAYERS
    n = low + dice.below(high - low + 1)
    line = {"game": kind, "players": _players(n, dice), "options": _options(kind, dice)}
    if dice.chance(40):
        line["dealer"] = dice.below(n)
    GAMES_IN_LAB[kind].furnish(line, n, dice)
    return line


def legal_event(game, dice, endless=False):
    """Return an event that mostly fits the state; an `endless` one does not end the game."""
    return GAMES_IN_LAB[game.KIND].event(game, dice, endless)


def next_event(game, dice, wild=10):
    """Return an event for the state; `wild` percent of the events are damaged or misplaced.

    A game that is over still gets events to refuse.
    """
    if dice.chance(4):
        return _seats(game, dice) if not game.OPTIONS or dice.chance(50) else _option(game, dice)
    if game.over:
        return misplaced(game, dice)
    early = GAMES_IN_LAB[game.KIND].EARLY
    if early and dice.chance(1):
        return {"ev": early}
    event = legal_event(game, dice)
    if not dice.chance(wild):
        return event
    return damaged(event, dice) if dice.chance(60) else misplaced(game, dice)


def _seats(game, dice):
    """Return an event that gives the seats other names, sometimes names that are refused."""
    names = list(game.names)
    seat, other = dice.below(game.n), dice.below(game.n)
    names[seat], names[other] = names[other], names[seat]
    if dice.chance(40):
        names[seat] = dice.pick(_WIDE_NAMES + ODD_NAMES)
    if dice.chance(5):
        names.pop()
    return {"ev": "seats", "players": names}


def _option(game, dice):
    """Return an event that changes a house rule, sometimes to a value that is refused."""
    name = dice.pick(sorted(game.OPTIONS))
    allowed = game.OPTIONS[name]
    value = dice.pick(allowed)
    if len(allowed) == 1:  # a number
        value = (game.options[name] or 0) + dice.pick((0, 1, -1, 10, 50, -50))
    if dice.chance(5):
        value = dice.pick(ODD)
    if dice.chance(5):
        name = dice.pick(_NAMES)
    return {"ev": "option", "name": name, "value": value}


def misplaced(game, dice):
    """Return a well-formed event of this game that fits its state only by chance."""
    return GAMES_IN_LAB[game.KIND].misplaced(game, dice)


def damaged(event, dice):
    """Return the event with random damage."""
    event = dict(event)
    keys = sorted(event)
    what = dice.below(5)
    if what == 0:
        event[dice.pick(keys)] = dice.pick(ODD)
    elif what == 1:
        del event[dice.pick(keys)]
    elif what == 2:
        event["ev"] = dice.pick(_NAMES)
    elif what == 3:
        event[dice.pick(("p", "k", "confirm", "cards", "items", "x", "best", "surprise"))] = dice.pick(ODD)
    else:
        return nudged(event, dice)
    return event


def nudged(event, dice):
    """Return the event with one of its numbers slightly changed."""
    event = dict(event)
    numbers = [key for key in sorted(event) if type(event[key]) is int]
    if numbers:
        event[dice.pick(numbers)] += dice.pick((1, -1, 2))
    return event


def next_line(table, dice, wild=10):
    """Return a line for a table, mostly an event, sometimes undo, redo or a change of an earlier entry."""
    kind = dice.weighted((81, "event"), (8, "undo"), (1, "redo"), (4, "correct"), (3, "insert"), (3, "remove"))
    if table.can_redo and dice.chance(30):
        kind = "redo"
    if kind == "event":
        return next_event(table.game, dice, wild)
    if kind in CHANGES:
        return change(kind, table, dice)
    line = {"ev": kind}
    if dice.chance(30):
        line["k"] = 1 + dice.below(4)
    return line


def change(kind, table, dice):
    """Return a line that corrects, inserts or removes an event, often an impossible one."""
    if not len(table):
        return {"ev": kind, "at": 0, "event": {"ev": "undo"}}
    at = dice.below(len(table) + (kind == "insert"))
    if kind == "remove":
        return {"ev": kind, "at": at}
    if dice.chance(30) or at == len(table):
        event = next_event(table.game, dice)
    else:
        event = nudged(table.event(at), dice)
    return {"ev": kind, "at": at, "event": event}


def long_setups():
    """Return {name: set-up} of games of any length with the most players, in each mode of each game."""
    setups = {}
    for kind in GAMES:
        for name, (n, keys) in GAMES_IN_LAB[kind].LONG.items():
            setups[name] = setup_for(kind, n, **keys)
    return setups


def play_on(table, length, seed=1):
    """Play until `length` events are in force."""
    dice = Dice(seed)
    while len(table) < length:
        assert not table.game.over
        try:
            table.play(legal_event(table.game, dice, endless=True))
        except Refused:
            pass
