"""Describe Kniffel to the laboratory: a game of two as key presses, its screens, and random games."""

from kiebitz.games.five_dice.rules import BOXES, LOWER, UPPER, entries
from kiebitz.games.five_dice.table import DiceTable

from .base import RULE, GameInLab, Lap, lines_of

_GAME = """
down*4 ok
up right ok
up*3 ok
down*5 hold:right right*3 ok
hold:right right*2 ok
down*2 ok
up ok
down*2 ok
down ok
left*2 ok
down*3 hold:right right ok
hold:right left ok
ok
up ok
down ok
down*2 ok
up ok
down*2 right ok
left ok
ok
up left*2 ok
left*2 ok
down ok
left*6 ok
right ok
ok
"""
_TWO = ["Anna", "Ben"]


class FiveDice(GameInLab):
    """Kniffel in the laboratory."""

    SAMPLES = {"five_dice": ({"game": "five_dice", "players": _TWO, "title": "Kniffel"}, _GAME)}
    TYPICAL = {"five_dice": ("three of the face", "up ok")}

    GROUP = "dice"
    FIRST_KEYS = {"": "up down left right ok"}
    README_SCENES = ("sheet",)
    PAGE_SCENES = ("sheet", "strike", "sum", "another five")

    FAMILIES = {"box": BOXES, "pad": BOXES, "title": ("Kniffel", "Yahtzee", "Yams")}
    SENTENCES = {"write": ("write", "write.brief", "write.struck")}
    REFUSALS = {"box": "large_straight"}

    EARLY = "end_game"
    VALUES = {"box": (*BOXES, "sevens")}
    # A game of eight has at most 200 entries: the longest one is filled up with other names of the seats
    LONG = {"five_dice": (8, {"title": "Yahtzee", "options": {"extra": "hundred"}})}

    def scenes(self, players, hard=False):
        n = len(players)
        setup = {"game": "five_dice", "players": players, "title": "Kniffel"}
        some = [
            {"ev": "write", "p": p, "box": box, "k": entries(BOXES.index(box))[-1 if hard else 1]}
            for box in ("sixes", "five_kind", "full_house")
            for p in range(n)
        ]
        more = [*some, {"ev": "again", "p": 0}]
        full = [
            {"ev": "write", "p": p, "box": box, "k": entries(BOXES.index(box))[-1]}
            for box in BOXES
            for p in range(n)
        ]
        return [
            ("empty sheet", setup, [], ""),
            ("sheet", setup, some, "up*2"),
            ("strike", setup, some, "left"),
            ("sum", setup, some, "down*3 hold:right right*2"),
            ("another five", setup, more, "hold:ok at:dice.menu.again"),
            ("menu", setup, some, "hold:ok at:dice.menu.other"),
            ("upper bonus", setup, full[: 6 * n], ""),
            ("end of the game", setup, some, "hold:ok pick:menu.end"),
            ("entries", setup, full[::n][:5], "hold:ok pick:menu.history"),
            ("more entries", setup, full[::n][:10], "hold:ok pick:menu.history"),
            ("last entries", setup, full[::n], "hold:ok pick:menu.history"),
            ("last box", setup, full[:-1], ""),
            ("game over", setup, full, ""),
            ("final ranking", setup, full[:-1], "ok"),
        ]

    def setup_scenes(self, seated):
        return [("rules of Kniffel", f"{seated} right pick:new.rules{RULE * 2}")]

    def laps(self):
        return [Lap("ok ok", "ok", lines_of(_GAME), ["menu:dice.menu.other"])]

    def menu_key(self, device):
        """Return the key that opens the menu of the table, a held OK while the arrows choose."""
        return "left" if device.game.over or not isinstance(device.app.top, DiceTable) else "hold:ok"

    # --- random games ---

    def furnish(self, line, n, dice):
        """Add a random title to a set-up."""
        if dice.chance(50):
            line["title"] = dice.pick(("Kniffel", "Yahtzee", "Yams"))

    def event(self, game, dice, endless):
        """Return an event that mostly fits the state."""
        open_boxes = sum([sheet.count(None) for sheet in game.sheets])
        if endless and (open_boxes == 1 or dice.chance(65)):
            return {"ev": "seats", "players": game.names[1:] + game.names[:1]}
        p = game.turn if dice.chance(80) else dice.below(game.n)
        if game.can_again(p) and dice.chance(20):
            return {"ev": "again", "p": p}
        empty = [box for box in range(len(BOXES)) if game.sheets[p][box] is None]
        box = dice.pick(empty) if empty and dice.chance(95) else dice.below(len(BOXES))
        k = dice.pick(list(entries(box)))
        if box < len(UPPER) + len(LOWER) and dice.chance(5):
            k += 1
        return {"ev": "write", "p": p, "box": BOXES[box], "k": k}


GAME = FiveDice
