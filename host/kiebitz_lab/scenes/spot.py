"""Scenes of Top Spot."""

_MOST = 13  # points in one game of the experts
_GAMES = 8  # before a hard scene begins


def spot(players, hard=False):
    n = len(players)
    setup = {"game": "top_spot", "players": players, "level": "expert", "match_length": 4 * n if hard else n}
    games = [*[{"ev": "point", "p": 0}] * _MOST, {"ev": "end_game"}, {"ev": "next_game"}] * (_GAMES if hard else 0)
    points = games + [{"ev": "point", "p": p} for p in (0, 1, 1, 2)]
    refereed = dict(setup, mode="assisted")
    plays = [{"p": p, "cards": 1, "value": 5 if p < 2 else 1, "followed": True, "joker": False} for p in range(n)]
    won = [{"ev": "point", "p": 0}, {"ev": "end_game"}, {"ev": "next_game"}]
    over = won * setup["match_length"]
    return [
        ("table", setup, [], ""),
        ("rounds won", setup, points, "up"),
        ("menu", setup, points, "hold:ok down*3"),
        ("bonus for whom", setup, points, "hold:ok down*2 ok"),
        ("bonus", setup, points, "hold:ok down*2 ok ok right*12"),
        ("game ended", setup, points, "hold:ok down ok"),
        ("last game ended", setup, over[:-1], ""),
        ("match over", setup, over, ""),
        ("final ranking", setup, over, "ok"),
        ("refereed", refereed, [], ""),
        ("round entry", refereed, [], "ok right*3 down*3 right"),
        ("second player", refereed, [], "ok right*3 ok down"),
        ("last player", refereed, [], "ok" + " right*3 ok" * (n - 1)),
        ("tiebreaker", refereed, [{"ev": "trick", "plays": plays}], ""),
    ]
