"""Every screen of the device as a short story: a game to sit down to, what has happened in it, and keys to press."""

from kiebitz.table.journal import StorageFull

SHORT = ["Anna", "Ben", "Cleo", "Dan"]
LONG = ["Maximiliane-Alexandrina", "Bartholomäus Schönfeld", "Cäcilie von Hohenzollern", "Wilhelmina Vanderbuilt"]
MANY = LONG + ["Dorothea Katharina Ünlü", "Ernst-Friedrich Großmann", "Françoise d'Haussonville", "Giovanni Battista"]


def _score(p, board):
    return {"ev": "score", "p": p, "board": board}


def royal(players):
    """Scenes of Royal Flush."""
    setup = {"game": "royal_flush", "players": players, "child": [1] + [0] * (len(players) - 1)}
    some = [
        {"ev": "spend", "p": 0, "k": 2},
        _score(1, "four_kind"),
        _score(0, "four_kind"),
        _score(len(players) - 1, "pair"),
    ]
    one_round = [_score(p, "pair") for p in (0, 1, 0)] + [_score(1, "royal_flush")]
    two_rounds = one_round * 2
    between = {"game": "royal_flush", "players": players, "options": {"redraw_boards_each_round": "on"}}
    return [
        ("table", setup, [], ""),
        ("table in play", setup, some, ""),
        ("spend chips", setup, some, "right right"),
        ("no chips left", setup, [{"ev": "spend", "p": 0, "k": 5}], "right"),
        ("boards of a player", setup, some, "ok up left"),
        ("board full", setup, [_score(p, "pair") for p in (0, 1, 1)], "ok up left ok"),
        ("scored", setup, some, "ok up ok"),
        ("cards entered", setup, some, "left down*2 ok ok down ok down ok"),
        ("which board", setup, some, "left down*2 ok ok down ok down ok down ok left*4 up down*4 right*2 ok"),
        ("boards", setup, some, "left down ok"),
        ("round over", setup, one_round[:-1], "ok down right ok"),
        ("between rounds", between, one_round, ""),
        ("new boards", between, one_round, "ok"),
        ("last round over", setup, two_rounds + one_round[:-1], "ok down right ok"),
        ("final ranking", setup, two_rounds + one_round[:-1], "ok down right ok ok"),
        ("another turn", {"game": "royal_flush", "players": players, "options": {"turns": "follow"}}, [], "down ok"),
    ]


def spot(players):
    """Scenes of Top Spot."""
    setup = {"game": "top_spot", "players": players, "level": "expert"}
    points = [{"ev": "point", "p": p} for p in (0, 1, 1, 2)]
    refereed = dict(setup)
    refereed["mode"] = "assisted"
    n = len(players)
    tie = {
        "ev": "trick",
        "plays": [
            {"p": p, "cards": 1, "value": 5 if p < 2 else 1, "followed": True, "joker": False} for p in range(n)
        ],
    }
    won = [{"ev": "point", "p": 0}, {"ev": "end_game"}, {"ev": "next_game"}]
    return [
        ("table", setup, [], ""),
        ("tricks won", setup, points, "up"),
        ("menu", setup, points, "hold:ok"),
        ("bonus for whom", setup, points, "hold:ok down*2 ok"),
        ("bonus", setup, points, "hold:ok down*2 ok ok right"),
        ("game ended", setup, points, "hold:ok down ok"),
        ("match over", setup, won * n, ""),
        ("final ranking", setup, won * n, "ok"),
        ("refereed", refereed, [], ""),
        ("trick entry", refereed, [], "ok right*3"),
        ("second player", refereed, [], "ok right*3 ok down"),
        ("tie-break", refereed, [tie], ""),
    ]


def poch(players):
    """Scenes of Poch."""
    n = len(players)
    setup: dict = {"game": "poch", "players": players}
    start: list[dict] = [{"ev": "start_round", "trump": "H"}]
    some_cash = start + [{"ev": "cash", "p": 1, "pool": pool} for pool in ("A", "K", "Q")]
    bids = [*start, {"ev": "end_cash", "confirm": True}]
    shown = [*bids, {"ev": "bid", "p": 0, "k": 3}, {"ev": "bid", "p": 1, "k": 5}]
    shown += [{"ev": "pass", "p": p} for p in range(2, n)]
    playout = shown + [{"ev": "showdown", "best": 0}]
    end = {"ev": "end_round", "winner": 0, "left": {str(p): 2 for p in range(1, n)}}
    poor = dict(setup)
    poor["options"] = {"chips_total": 9 * n}
    return [
        ("ready", setup, [], "down"),
        ("cash the pools", setup, start, "down"),
        ("marriage offered", setup, some_cash, ""),
        ("pools left", setup, start, "right*7 ok"),
        ("bidding", setup, bids, "down"),
        ("raise", setup, bids + [{"ev": "bid", "p": 0, "k": 3}], "down*3"),
        ("show-down", setup, shown, "down"),
        ("hands", setup, shown, "up ok right"),
        ("play-out", setup, playout, "down"),
        ("cards left", setup, playout, "ok right"),
        ("next round", setup, playout + [end], ""),
        ("short of chips", poor, playout[:1] + bids[1:] + [{"ev": "pass", "p": p} for p in range(n)] + [end], "ok"),
        ("menu", setup, [], "left"),
        ("game over", setup, playout + [end, {"ev": "end_game"}], ""),
        ("final ranking", setup, playout + [end, {"ev": "end_game"}], "ok"),
    ]


def carre(players):
    """Scenes of PokerCarre, as pad and as grid."""
    pad = {"game": "poker_carre", "players": players}
    some = [
        {"ev": "place", "p": 0, "items": [["H", "straight", 5], ["V", "colour", 3]]},
        {"ev": "place", "p": 1, "items": [["H", "set", 4]]},
    ]
    square = {"game": "poker_carre", "players": players, "mode": "grid"}
    layout: list[dict] = [{"ev": "layout", "cards": "a1 b2 c3 d4 e5 f6 g7 a2 b3"}]
    if len(players) == 3:
        layout.append({"ev": "extra", "card": "g1", "x": 3, "y": 0})
    placed = layout + [{"ev": "place", "p": 0, "card": "c4", "x": 2, "y": -1}]
    return [
        ("pad", pad, some, ""),
        ("tick combinations", pad, some, "ok ok"),
        ("combinations ticked", pad, some, "ok ok up up ok"),
        ("pad menu", pad, some, "left"),
        ("score pad", pad, some, "left down ok"),
        ("pad over", pad, some + [{"ev": "finish"}], ""),
        ("layout", square, [], "ok ok ok"),
        ("grid", square, placed, ""),
        ("cards for a cell", square, placed, "ok"),
        ("placed", square, placed, "ok ok"),
        ("grid menu", square, placed, "hold:ok"),
        ("final ranking", square, placed + [{"ev": "finish"}], "ok"),
    ]


def common(players):
    """Scenes that do not belong to one game."""
    setup = {"game": "royal_flush", "players": players}
    some = [{"ev": "spend", "p": 0, "k": 2}, _score(1, "four_kind"), _score(0, "three_kind")]
    return [
        ("menu", setup, some, "left"),
        ("standings", setup, some, "left down*3 ok"),
        ("house rules", setup, some, "left down*4 ok"),
        ("all entries", setup, some, "left down*5 ok"),
        ("one entry", setup, some, "left down*5 ok down ok"),
        ("correct an entry", setup, some, "left down*5 ok down ok down ok"),
        ("undo", setup, some, "undo"),
        ("redo", setup, some, "undo hold:undo"),
        ("nothing to undo", setup, [], "undo"),
        ("start with a running game", setup, some, "left up ok"),
        ("games played", setup, some, "left up ok down*2 ok"),
        ("one game", setup, some, "left up ok down*2 ok ok"),
        ("one game, what to do", setup, some, "left up ok down*2 ok ok ok"),
        ("start", None, [], ""),
        ("which game", None, [], "ok"),
        ("who plays", None, [], "ok ok"),
        ("name", None, [], "ok ok ok ok down right ok"),
        ("who plays, seated", None, [], "ok ok ok ok down right ok hold:ok ok right ok hold:ok"),
        ("ready", None, [], "ok ok ok ok down right ok hold:ok ok right ok hold:ok right"),
        ("boards", None, [], "ok ok ok ok down right ok hold:ok ok right ok hold:ok right down*2 ok"),
        ("children", None, [], "ok ok ok ok down right ok hold:ok ok right ok hold:ok right down*3 ok"),
        ("rules before the game", None, [], "ok ok ok ok down right ok hold:ok ok right ok hold:ok right up ok right"),
        ("players", None, [], "down*2 ok ok ok right hold:ok"),
        ("one player", None, [], "down*2 ok ok ok right hold:ok down ok"),
        ("settings", None, [], "down*3 ok"),
        ("settings, end", None, [], "down*3 ok up"),
        ("about", None, [], "down*3 ok down*7 ok"),
        ("self-test", None, [], "down*3 ok down*8 ok up down"),
        ("restore defaults", None, [], "down*3 ok up ok"),
        ("memory full", None, [], "full"),
        ("error", None, [], "crash"),
    ]


def _full(device):
    """The flash has no room left."""
    device.app.flash_trouble(StorageFull())
    device.wait(10)


def _crash(device):
    """Something goes wrong that nobody expected."""

    def broken(k):
        raise ValueError("example")

    device.app.top.key = broken
    device.hw.tap("ok")
    device.hw.time.at(500, device.power_off)
    device.run()


GROUPS = ("common", "royal", "carre", "poch", "spot")
STAGED = {"full": _full, "crash": _crash}
