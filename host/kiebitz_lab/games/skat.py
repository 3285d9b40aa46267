"""Describe Skat to the laboratory: a series of three as key presses, its screens, and random games."""

from kiebitz.games.skat.rules import KINDS, LEVELS, NULL, tops_most
from kiebitz.games.skat.table import SkatTable

from .base import FOUR, RULE, GameInLab, Lap, lines_of

_SERIES = """
left ok right ok*3
up right*2 ok left ok*3
right left*2 ok*4
left right ok*2 right ok*2
up left*2 ok right ok right ok*2
right*4 ok left ok*2 right ok
left ok*4
up left ok*3
right*3 ok*4
ok down ok
left*3 ok left ok*3
right*2 ok left*2 ok*3
up ok*3 right ok
left right*3 ok*4
right left*2 ok right*2 ok right*3 ok*2
up right ok*4
left right*2 ok left ok right ok*2
right ok left*3 ok*3
up left*2 ok*4
left*3 ok*3 right ok
right left ok right ok*2
up right*3 ok right ok*3
left right ok left ok*3
right ok*2 right*2 ok*2
up left*2 ok right*3 ok right ok*2
left ok left ok*3
right*3 ok*3 right ok
up right ok right ok*3
left*3 ok*2 right ok*2
right*4 ok left ok*3
up ok*4
left*2 ok*2 right ok
right left*2 ok left ok*3
up right*2 ok left*2 ok right ok*2
left right ok*4
right ok right*3 ok left ok*2
"""
_THREE = FOUR[:3]
_PLAYED = ("", "s", "h", "hs", "sb", "hsb", "hsS", "hsSb", "hsSbB", "hsSbBo")
_NULLS = ("", "h", "o", "ho")
_ALL = {"kontra": "on", "ramsch": "on", "score": "seeger"}


def _alone(p, kind, tops=None, mods="", won=True, **more):
    """Return an entry."""
    event = {"ev": "play", "p": p, "game": kind, "won": won, **more}
    return {**event, **({} if tops is None else {"tops": tops}), **({"mods": mods} if mods else {})}


class Skat(GameInLab):
    """Skat in the laboratory."""

    SAMPLES = {"skat": ({"game": "skat", "players": _THREE, "options": {"score": "seeger"}}, _SERIES)}
    TYPICAL = {"skat": ("clubs with 2, won", "left ok right ok*3")}

    GROUP = "skat"
    FIRST_KEYS = {"": "up left right ok"}
    README_SCENES = ("list",)
    PAGE_SCENES = ("list", "game", "overbid", "whole list", "who sits out")

    IDS = LEVELS
    FAMILIES = {
        "skat": (
            *KINDS,
            *[f"level.{mods}" for mods in (*_PLAYED[1:], *_NULLS[2:])],
            *[f"step.{letter}" for letter in LEVELS],
        ),
    }
    SENTENCES = {"play": ("play.with", "play.with.brief", "play.without", "play.without.brief", "play.null")}
    REFUSALS = {"skat": "G"}

    EARLY = "end_game"
    VALUES = {
        "game": (*KINDS, "X"),
        "mods": ("", "s", "hS", "o", "kr", "hh"),
        "won": (True, False),
        "tops": (1, -1, 4, 5, 11, 12, 0),
        "bid": (18, 30, 72, 264, 17),
        "k": (1, 60, 480, 481, 0),
    }
    LONG = {"skat": (4, {"options": {"series": 0, "score": "seeger"}})}

    def scenes(self, players, hard=False):
        four = (players + FOUR)[:4]
        three = {"game": "skat", "players": four[:3]}
        whole = {"game": "skat", "players": four, "options": _ALL}
        some = [
            _alone(0, "C", 2),
            _alone(1, "H", -3, "h", won=False),
            {"ev": "passed"},
            _alone(2, "G", 1, "s"),
            _alone(0, NULL, mods="ho", won=not hard),
        ]
        if hard:
            some += [_alone(2, "G", -4, "hsSbBor", won=False), _alone(1, "C", -11, "hsSbr", won=False, bid=264)]
        played = some[:2] + some[3:]  # none by a dealer of four
        end = [{"ev": "end_game"}]
        return [
            ("empty list", three, [], ""),
            ("list", three, some[:4], ""),
            ("who sits out", whole, played[:4], ""),
            ("longest list", whole, played, ""),
            ("game", three, some[:4], "up right*3 ok right ok right*2"),
            ("first field", three, some[:4], "up"),
            ("announced", three, some[:4], "up ok left ok left*3 ok"),
            ("Ouvert", three, some[:4], "up left*2 ok right*3 ok right*9 ok right"),
            ("Null", three, some[:4], "up left ok right*3 ok"),
            ("Kontra and Re", whole, played[:4], "up right ok left*10 ok left*2 ok left ok right"),
            ("overbid", three, some[:4], "up right ok ok right*2 ok down right*24"),
            ("won though overbid", three, some[:4], "up right ok ok right*2 ok down right*24 up right"),
            ("Null overbid", three, some[:4], "up left ok*2 down right*6 ok"),
            ("the dealer is chosen", whole, played[:4], "down"),
            ("menu", whole, played[:4], "ok at:skat.menu.list"),
            ("who lost the Ramsch", whole, played[:4], "ok pick:skat.menu.ramsch"),
            ("points of a Ramsch", whole, played[:4], "ok pick:skat.menu.ramsch ok right*7 up*4"),
            ("Ramsch without points", whole, played[:4], "ok pick:skat.menu.ramsch ok*2"),
            ("whole list", whole, played, "ok pick:skat.menu.list"),
            ("no list", three, [], "ok pick:skat.menu.list"),
            ("entries", whole, played, "ok pick:menu.history"),
            ("correct a game", three, some[:4], "ok pick:menu.history down ok pick:history.correct"),
            ("end of the list", whole, played, "ok pick:menu.end"),
            ("last game", {**three, "options": {"series": 5}}, some[:4], "up"),
            ("game over", whole, played + end, ""),
            ("final ranking", whole, played, "ok pick:menu.end ok"),
            ("final ranking of three", {**three, "options": _ALL}, played, "ok pick:menu.end ok"),
        ]

    def setup_scenes(self, seated):
        return [
            ("rules of Skat", f"{seated} right pick:new.rules{RULE * 3}"),
            ("number of games", f"{seated} right pick:new.rules pick:opt.series up"),
        ]

    def laps(self):
        ready = "pick:new.rules pick:opt.ramsch undo pick:new.start"
        looks = ["menu:skat.menu.list left back:table", "menu:skat.menu.ramsch ok back:table"]
        return [Lap("ok", ready, lines_of(_SERIES), looks)]

    def menu_key(self, device):
        """Return the key that opens the menu of the table; arrows begin a game."""
        return "left" if device.game.over or not isinstance(device.app.top, SkatTable) else "ok"

    # --- random games ---

    def furnish(self, line, n, dice):
        """Add a random length to the house rules."""
        if dice.chance(40):
            line["options"]["series"] = dice.pick((0, 3, 10, 36, 96))

    def event(self, game, dice, endless):
        """Return an event that mostly fits the state."""
        if dice.chance(6):
            return {"ev": "passed"}
        p = dice.below(game.n)
        if p == game.sits_out and dice.chance(95):
            p = game.left_of(p)
        if "ramsch" in game.legal() and dice.chance(6):
            return {"ev": "ramsch", "p": p, "k": 1 + dice.below(200)}
        kind = dice.pick(KINDS)
        mods = dice.pick(_NULLS if kind == NULL else _PLAYED) if dice.chance(40) else ""
        if game.options["kontra"] == "on" and dice.chance(20):
            mods += dice.pick(("k", "r"))
        most = tops_most(kind) if dice.chance(20) else 4
        tops = None if kind == NULL else (1 + dice.below(most)) * dice.pick((1, 1, -1))
        event = _alone(p, kind, tops, mods, dice.chance(75))
        if dice.chance(15):
            event["bid"] = 18 + dice.below(100)
        return event


GAME = Skat
