"""Describe PokerCarre to the laboratory: a pad and a grid as key presses, its screens, the ids of combinations."""

from kiebitz.games import Refused
from kiebitz.games.poker_carre.rules import check_items
from kiebitz.games.poker_carre.rules_grid import COLOURS, RUBRIC_POINTS, SMALLEST, card_number, fits_beside

from .base import FOUR, RULE, SEAT, GameInLab, Lap, lines_of, some_cards

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

_DECK = [colour + value for colour in "abcdefg" for value in "1234567"]
_KINDS = (("straight", 4), ("colour", 3), ("set", 3))


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
    FIRST_KEYS = {"": "ok", "grid": "ok"}
    README_SCENES = ("placed", "layout")
    PAGE_SCENES = ("pad in play", "tick combinations", "score pad", "placed")

    IDS = (*SMALLEST, "seven")
    FAMILIES = {
        "colour": COLOURS,
        "kind": SMALLEST,
        "mode": ("score", "grid"),
        "rubric": [str(k + 1) for k in range(len(RUBRIC_POINTS))],
    }
    SENTENCES = {"place": ("place.card", "place.items")}

    LONG = {"poker_carre score": (5, {}), "poker_carre grid": (5, {"mode": "grid"})}
    SEASON = ("poker_carre score", "poker_carre grid")
    REFUSALS = {
        "beside": "b3",
        "card": "TH",
        "kind": "straight",
        "other": "straight",
        "other_size": 7,
        "size": 7,
        "x": -4,
        "y": -4,
    }
    VALUES = {
        "card": ("a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8"),
        "hand": ("a1", "b2 c3", "g7 g7", "a9"),
        "items": (
            [],
            [["H", "set", 7]],
            [["V", "set", 2]],
            [["V", "set", 3]] * 2,
            [["H", "set", 5], ["H", "colour", 4]],
        ),
    }

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
        drifted: list[dict] = [{"ev": "layout", "cards": "a3 a4 a5 f5 f2 g3 f3 f7 f6"}]
        for card, x, y in (("b6", 3, 0), ("b2", -1, 0), ("b1", -2, 0), ("b4", 3, 1), ("b5", 4, 1)):
            drifted.append({"ev": "place", "p": 0, "card": card, "x": x, "y": y})
        wide = [*drifted, {"ev": "place", "p": 1, "card": "c6", "x": 5, "y": 1, "confirm": True}]
        return [
            ("pad", pad, [], ""),
            ("pad in play", pad, some, "down"),
            ("pad, turns followed", followed, [], ""),
            ("tick combinations", pad, some, "ok down up*2 down ok"),
            ("combinations ticked", pad, some, "ok ok up up ok"),
            ("impossible", pad, some, "ok ok up left*2 ok up right*4 ok"),
            ("menu of the pad", pad, some, "left at:menu.leave"),
            ("menu, turns followed", followed, [], "left at:carre.menu.skip"),
            ("score pad", pad, some, "left pick:carre.menu.pad right down*4"),
            ("a cross more or less", pad, some, "left pick:carre.menu.pad left*2 down ok at:carre.unmark"),
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
            ("menu of the grid", square, placed, "left*12 at:carre.menu.skip"),
            ("end of the menu", square, placed, "left*12 at:menu.leave"),
            ("show the hand", square, placed, "left*12 pick:carre.menu.show_hand ok"),
            ("wider than seven, doubted", square, drifted, lambda device: _at(device, (5, 1), "ok*2")),
            ("wider than seven", square, wide, lambda device: _at(device, (-2, -1), "")),
            ("a set of seven wins", at_once, [{"ev": "place", "p": 1, "items": [["H", "set", 7]]}], "ok"),
            ("final ranking", square, [*placed, {"ev": "finish"}], "ok"),
        ]

    def setup_scenes(self, seated):
        return [
            ("PokerCarre, ready", seated + " right at:new.carre.score right"),
            ("rules of PokerCarre", f"{seated} right at:new.carre.score right pick:new.rules{RULE * 3}"),
        ]

    def laps(self):
        _, cards = self.SAMPLES["poker_carre grid"]
        grid = "at:new.carre.score right pick:new.start"
        crosses = lines_of(_PAD)[:-1]  # this lap finishes the game in another way
        finish = ["menu:carre.menu.pad down back:table", "menu:carre.menu.finish", "ok"]
        looks = ["menu:carre.menu.pad back:table", "menu:carre.menu.show_hand right ok back:table"]
        return [
            Lap("ok", grid, [_GRID_LAYOUT.strip(), "ok right*2 up back:table"]),  # with three players
            Lap("down " + SEAT * 4 + "right", "ok", crosses, finish, ends=True),
            Lap("ok", grid, lines_of(cards), looks),
        ]

    # --- random games ---

    def furnish(self, line, n, dice):
        """Add a random mode to a set-up."""
        if dice.chance(50):
            line["mode"] = dice.pick(("grid", "score"))

    def event(self, game, dice, endless):
        """Return an event that mostly fits the state."""
        if game.phase == "SETUP":
            return _extra(game, dice) if game.laid_out else _layout(dice)
        if game.options["turns"] == "follow":
            p = game.turn
        else:
            p = dice.pick([seat for seat in range(game.n) if game.held[seat]])
        if not endless and dice.below(200) == 199:
            return {"ev": "finish"}
        if not endless and game.options["turns"] == "follow" and dice.chance(4):
            return {"ev": "turn", "p": dice.below(game.n)}
        last = not game.stock
        if game.mode == "score":
            return _on_the_pad(game, p, dice, endless and last)
        if endless and (last or dice.chance(85)):
            return _skip_again(game, p)
        event = _on_the_grid(game, p, dice)
        return _skip_again(game, p) if endless and event["ev"] == "skip" else event

    def argument(self, game, what, dice):
        return some_cards(dice) if what == "cards" else super().argument(game, what, dice)


def _at(device, cell, keys):
    """Press keys with the cursor on this cell of the square."""
    device.app.top.show(cell)
    device.keys(keys)


def _no_cell(device):
    """Show the grid as if none of the remaining cards fitted, which is rare in a real game."""
    table = device.app.top
    table.cursor, table.in_list = None, True
    device.keys("down")


def _layout(dice):
    cards = dice.some(_DECK, 9)
    return {"ev": "layout", "cards": cards if dice.chance(40) else " ".join(cards)}


def _extra(game, dice):
    x, y = dice.pick(((3, 0), (-1, 2), (1, 3), (0, -1), (2, 3)))
    return {"ev": "extra", "card": dice.pick(game.unplayed()), "x": x, "y": y}


def _on_the_pad(game, p, dice, full):
    names = [(25, "mark"), (5, "unmark")]
    if not full:
        names.append((60, "place"))
    if game.options["turns"] == "follow" and not full:
        names.append((8, "skip"))
    name = dice.weighted(*names)
    if name == "place":
        return {"ev": "place", "p": p, "items": _items(dice)}
    if name == "skip":
        return {"ev": "skip", "p": p}
    return {"ev": name, "p": dice.below(game.n), "rubric": 1 + dice.below(5)}


def _items(dice):
    items = []
    for line in "HV":
        for kind, smallest in _KINDS:
            if dice.chance(30):
                items.append([line, kind, min(7, smallest + dice.pick((0, 0, 0, 1, 1, 2, 3, 4)))])
    try:
        check_items(items)
    except Refused:
        items = items[:1]
    return items


def _on_the_grid(game, p, dice):
    unplayed = game.unplayed()
    beyond = dice.chance(10)  # a cell that makes the figure larger than the square
    for card in dice.some(unplayed, min(6, len(unplayed))):
        number = card_number(card)
        free = game.grid.free_cells()
        cells = [cell for cell in free if bool(cell[3]) == beyond and fits_beside(number, cell[2])]
        if cells:
            x, y, _, _ = dice.pick(cells)
            if dice.chance(4):
                return {"ev": "skip", "p": p, "hand": _hand(unplayed, dice)}
            event = {"ev": "place", "p": p, "card": card, "x": x, "y": y}
            return dict(event, confirm=True) if beyond and dice.chance(90) else event
    skip = {"ev": "skip", "p": p}
    if dice.chance(50):
        skip["hand"] = _hand(unplayed, dice)
    return skip


def _hand(unplayed, dice):
    cards = dice.some(unplayed, min(len(unplayed), 1 + dice.below(4)))
    return cards if dice.chance(40) else " ".join(cards)


def _skip_again(game, p):
    """Return a skip of the same seat every time, which counts only once."""
    return {"ev": "skip", "p": game.skipped[0] if game.skipped else p}


GAME = PokerCarre
