"""A short piece of each game, with everything a journal can hold: undo, redo, corrections, confirmed doubts."""

from helpers.play import ev, setup, sure


def short_game(kind):
    """Return (set-up, events), all of which are taken."""
    return _GAMES[kind]()


def _royal_flush():
    return setup("royal_flush", 2, dealer=0), [
        ev("spend", p=0, k=2),
        ev("score", p=1, board="pair", cards="7H 7D"),
        ev("undo"),
        ev("redo"),
        ev("correct", at=0, event=ev("spend", p=1, k=1)),
        ev("score", p=0, board="royal_flush"),
    ]


def _poker_carre():
    return setup("poker_carre", 3, mode="grid", players=["Änne", "J\u00fcrgen \"Jo\"", "Zo\u00eb"]), [
        ev("layout", cards="a1 a2 a3 b1 b2 b3 c1 c2 c3"),
        ev("extra", card="d2", x=1, y=3),
        ev("undo", k=2),
        ev("redo"),
        ev("redo"),
        ev("place", p=0, card="a4", x=3, y=0),
    ]


def _poch():
    return setup("poch", 2, chips_total=40), [
        ev("start_round", trump="H"),
        ev("cash", p=1, pool="A"),
        sure(ev("end_cash")),
        ev("undo"),
        sure(ev("end_cash")),
        ev("bid", p=0, k=2),
        ev("pass", p=1),
    ]


def _top_spot():
    play = {"cards": 1, "value": 3, "followed": True, "joker": False}
    return setup("top_spot", 3, level="expert", mode="assisted"), [
        ev("trick", plays=[dict(play, p=0), dict(play, p=1, value=5), dict(play, p=2, value=1)]),
        ev("undo"),
        ev("redo"),
    ]


def _any_game():
    """Return a piece of a game that ends in the middle of its second round."""
    return setup("any_game", 3, title="Sk\u00ffjo", options={"wins": "low", "end": "target", "limit": 100}), [
        ev("points", p=1, k=12),
        ev("points", p=0, k=-2),
        sure(ev("end_round")),
        ev("points", p=2, k=40),
        ev("undo"),
        ev("redo"),
        ev("remove", at=1),
        ev("undo"),
        ev("correct", at=0, event=ev("points", p=1, k=21)),
        ev("points", p=0, k=0),
    ]


_GAMES = {
    "royal_flush": _royal_flush,
    "poker_carre": _poker_carre,
    "poch": _poch,
    "top_spot": _top_spot,
    "any_game": _any_game,
}
