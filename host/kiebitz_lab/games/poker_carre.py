"""Describe PokerCarre to the laboratory: a pad and a grid as key presses, its screens, the ids of combinations."""

from kiebitz.games.poker_carre.rules_grid import COLOURS, RUBRIC_POINTS, SMALLEST

from .base import FOUR, RULE, SEAT, GameInLab, Lap, lines_of

_PAD = """
ok ok ok
ok up ok ok
ok ok ok
ok down ok ok
ok right ok ok
ok ok ok
ok up ok ok
ok down ok ok
ok up right ok ok
ok ok up*2 ok ok
ok down right ok ok
ok ok ok
left up*2 ok
"""

_GRID_LAYOUT = "ok" + " ok right ok down" * 4 + " ok ok\n"
_GRID_CARDS = """
down ok ok
ok down ok
ok ok
ok ok
ok ok
ok right ok
ok ok
ok ok
"""

_NINE = {"ev": "layout", "cards": "a1 b2 c3 d4 e5 f6 g7 a2 b3"}


class PokerCarre(GameInLab):
    """PokerCarre in the laboratory."""

    SAMPLES = {
        "poker_carre pad": ({"game": "poker_carre", "players": FOUR}, _PAD),
        "poker_carre grid": (
            {"game": "poker_carre", "players": FOUR, "mode": "grid"},
            _GRID_LAYOUT + _GRID_CARDS * 5,
        ),
    }
    TYPICAL = {
        "poker_carre pad": ("one combination", "ok up ok ok"),
        "poker_carre grid": ("a card in the next cell", "down ok ok"),
    }

    GROUP = "carre"
    README_SCENES = ("placed", "layout")

    IDS = (*SMALLEST, "seven")
    FAMILIES = {
        "colour": COLOURS,
        "kind": SMALLEST,
        "mode": ("score", "grid"),
        "rubric": [str(k + 1) for k in range(len(RUBRIC_POINTS))],
    }
    SENTENCES = {"place": ("place.card", "place.items")}

    def scenes(self, players, hard=False):
        pad = {"game": "poker_carre", "players": players}
        some = [
            {"ev": "place", "p": 0, "items": [["H", "straight", 5], ["V", "colour", 3]]},
            {"ev": "place", "p": 1, "items": [["H", "set", 4]]},
        ]
        if hard:
            some += [{"ev": "mark", "p": p, "rubric": 5} for p in range(len(players)) for _ in range(18)]
        followed = dict(pad, options={"turns": "follow"})
        at_once = dict(pad, options={"set_of_seven": "instant_win"})
        square = dict(pad, mode="grid")
        rich = [{"ev": "place", "p": y - 1, "card": f"a{y + 4}", "x": 3, "y": y} for y in (1, 2)]
        rich.insert(0, {"ev": "layout", "cards": "a1 a2 a3 b2 b3 b4 c3 c4 c5"})
        three = dict(square, players=players[:3])
        placed = [_NINE, {"ev": "place", "p": 0, "card": "c4", "x": 2, "y": -1}]
        return [
            ("pad", pad, [], ""),
            ("pad in play", pad, some, "down"),
            ("pad, turns followed", followed, [], ""),
            ("tick combinations", pad, some, "ok down up*2 down ok"),
            ("combinations ticked", pad, some, "ok ok up up ok"),
            ("impossible", pad, some, "ok ok up left*2 ok up right*4 ok"),
            ("menu of the pad", pad, some, "left up"),
            ("menu, turns followed", followed, [], "left down*2"),
            ("score pad", pad, some, "left down ok right down*4"),
            ("a cross more or less", pad, some, "left down ok left*2 down ok down"),
            ("pad over", pad, [*some, {"ev": "finish"}], ""),
            ("before the layout", square, [], ""),
            ("layout", square, [], "ok ok ok left*6"),
            ("nine cards", square, [], "ok" + " ok" * 9),
            ("tenth card where", three, [_NINE], ""),
            ("tenth card", three, [_NINE], "ok right*2 up"),
            ("grid", square, placed, ""),
            ("grid, players", square, placed, "left*9"),
            ("cards for a cell", square, placed, "ok left*3"),
            ("three combinations", square, rich, lambda device: _at(device, (3, 0), "ok")),
            ("no combination", square, rich, lambda device: _at(device, (0, -1), "ok right*6")),
            ("no cell", square, placed, _no_cell),
            ("placed", square, placed, "ok ok"),
            ("menu of the grid", square, placed, "left*12 down*2"),
            ("end of the menu", square, placed, "left*12 up"),
            ("show the hand", square, placed, "left*12 down*3 ok ok"),
            ("a set of seven wins", at_once, [{"ev": "place", "p": 1, "items": [["H", "set", 7]]}], "ok"),
            ("final ranking", square, [*placed, {"ev": "finish"}], "ok"),
        ]

    def setup_scenes(self, seated):
        return [
            ("PokerCarre, ready", seated + " right down*3 right"),
            ("rules of PokerCarre", f"{seated} right down*3 right down ok{RULE * 3}"),
        ]

    def laps(self):
        _, cards = self.SAMPLES["poker_carre grid"]
        grid = "down*3 right up*3 ok"
        crosses = lines_of(_PAD)[:-1]  # this lap finishes the game in another way
        finish = ["menu:carre.menu.pad down back:table", "menu:carre.menu.finish", "ok"]
        looks = ["menu:carre.menu.pad back:table", "menu: down*3 ok right ok back:table"]
        return [
            Lap("ok", grid, [_GRID_LAYOUT.strip(), "ok right*2 up back:table"]),  # with three players
            Lap("down " + SEAT * 4 + "right", "ok", crosses, finish, ends=True),
            Lap("ok", grid, lines_of(cards), looks),
        ]


def _at(device, cell, keys):
    """Press keys with the cursor on this cell of the square."""
    device.app.top.show(cell)
    device.keys(keys)


def _no_cell(device):
    """Show the grid as if none of the remaining cards fitted: in a real game this takes luck and forty cards."""
    table = device.app.top
    table.cursor, table.in_list = None, True
    device.keys("down")


GAME = PokerCarre
