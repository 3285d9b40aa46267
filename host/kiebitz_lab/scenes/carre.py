"""Scenes of PokerCarre, as pad and as grid."""

_NINE = {"ev": "layout", "cards": "a1 b2 c3 d4 e5 f6 g7 a2 b3"}


def carre(players, hard=False):
    pad = {"game": "poker_carre", "players": players}
    some = [
        {"ev": "place", "p": 0, "items": [["H", "straight", 5], ["V", "colour", 3]]},
        {"ev": "place", "p": 1, "items": [["H", "set", 4]]},
    ]
    if hard:
        some += [{"ev": "mark", "p": p, "rubric": 5} for p in range(len(players)) for _ in range(18)]
    followed = dict(pad, options={"turns": "follow"})
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
        ("final ranking", square, [*placed, {"ev": "finish"}], "ok"),
    ]


def _at(device, cell, keys):
    """Begin at this cell of the square."""
    device.app.top.show(cell)
    device.keys(keys)


def _no_cell(device):
    """As if none of the cards that are left fitted anywhere, which takes luck and forty cards."""
    table = device.app.top
    table.cursor, table.in_list = None, True
    device.keys("down")
