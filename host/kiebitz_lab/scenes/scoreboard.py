"""Describe the scenes of the scoreboard: two to eight players, high numbers, and the end of a game."""

from ..games.royal_flush import score

EIGHT = ["Anna", "Ben", "Cleo", "Dan", "Eva", "Fritz", "Gerda", "Heidi"]
_ROUND = [
    {"ev": "start_round", "trump": "H"},
    *[{"ev": "cash", "p": p, "pool": pool} for p, pool in ((1, "A"), (0, "K"))],
]
_MOST = 1_000_000


def scoreboards(names):
    """Return the scenes of the scoreboard, with the first of these names."""
    over = [score(0, "royal_flush"), score(1, "four_kind"), score(1, "royal_flush"), score(0, "royal_flush")]
    three = {"game": "royal_flush", "players": names[:3]}
    five = {"game": "royal_flush", "players": names[:5]}
    many = {"game": "poch", "players": names, "options": {"chips_total": _MOST}}
    return [
        *[(f"scoreboard of {n}", {"game": "poch", "players": names[:n]}, _ROUND, "hold:left") for n in range(2, 9)],
        ("scoreboard with high numbers", many, _ROUND, "hold:left"),
        ("scoreboard by itself", five, [score(0, "four_kind"), score(1, "pair")], "wait:31000"),
        ("scoreboard at the end", five, over, "ok right"),
        ("final ranking of three", three, over, "ok"),
    ]
