"""Test the descriptions of entries, which fit a line of the display."""

from kiebitz.games import game_class
from kiebitz.games.base import REQUIRED, count, positive
from kiebitz.text.describe import describe

NAMES = ["Anna", "Ben", "Cleo", "Dan"]


def reads(kind, cases):
    for event, want in cases:
        assert describe(event, NAMES, kind) == want, event
        assert len(want) <= 24, want


def test_entries_of_royal_flush():
    cases = (
        ({"ev": "spend", "p": 0, "k": 2}, "Anna spends 2"),
        ({"ev": "take", "p": 1, "swaps": 1, "buys": 2}, "Ben takes, pays 3"),
        ({"ev": "take", "p": 1, "swaps": 0, "buys": 0}, "Ben takes a card"),
        ({"ev": "score", "p": 1, "board": "pair", "cards": "7H 7D"}, "Ben: Pair"),
        ({"ev": "swap", "p": 0}, "Anna swaps the cards"),
        ({"ev": "draw", "p": 0}, "Anna draws a card"),
        ({"ev": "buy", "p": 0}, "Anna buys a card"),
        ({"ev": "end_turn", "p": 0}, "Anna ends the turn"),
        ({"ev": "turn", "p": 0}, "Anna is to act"),
        ({"ev": "boards", "boards": "starter"}, "New boards"),
    )
    reads("royal_flush", cases)


def test_entries_of_poker_carre():
    cases = (
        ({"ev": "layout", "cards": "a1 a2 a3 a4 a5 a6 a7 b1 b2"}, "Nine cards laid out"),
        ({"ev": "extra", "card": "g7", "x": 3, "y": 0}, "Tenth card: g7"),
        ({"ev": "place", "p": 2, "card": "a5", "x": -1, "y": 2}, "Cleo: a5 2←1↓"),
        ({"ev": "place", "p": 2, "items": [["H", "set", 3], ["V", "straight", 7]]}, "Cleo scores 9"),
        ({"ev": "place", "p": 2, "items": []}, "Cleo scores 0"),
        ({"ev": "mark", "p": 2, "rubric": 4}, "Cleo: +7 points"),
        ({"ev": "unmark", "p": 2, "rubric": 1}, "Cleo: -1 point"),
        ({"ev": "skip", "p": 0, "hand": "a1"}, "Anna skips"),
        ({"ev": "finish"}, "Game finished"),
    )
    reads("poker_carre", cases)


def test_entries_of_poch():
    cases = (
        ({"ev": "start_round", "trump": "H"}, "Round starts, trump ♥"),
        ({"ev": "cash", "p": 1, "pool": "MARRIAGE"}, "Ben cashes Marriage"),
        ({"ev": "end_cash", "confirm": True}, "End of cashing"),
        ({"ev": "bid", "p": 1, "k": 5}, "Ben bids 5"),
        ({"ev": "hold", "p": 1}, "Ben holds"),
        ({"ev": "pass", "p": 1}, "Ben passes"),
        ({"ev": "showdown", "best": 0}, "Best Poch: Anna"),
        ({"ev": "showdown", "best": None}, "Nobody has a Poch"),
        ({"ev": "reveal", "hands": {"0": [2, "K", True]}}, "Pochs shown: 1"),
        ({"ev": "lead", "p": 3, "dir": "DOWN"}, "Dan leads downwards"),
        ({"ev": "end_round", "winner": 0, "left": {"1": 2}}, "Anna is out of cards"),
        ({"ev": "loan", "from": 0, "to": 1, "k": 5}, "Anna lends Ben 5"),
        ({"ev": "retire", "p": 3}, "Dan retires"),
        ({"ev": "end_game"}, "End of the game"),
    )
    reads("poch", cases)


def test_entries_of_top_spot():
    plays = [{"p": p, "cards": 1, "value": v, "followed": True, "joker": False} for p, v in ((0, 4), (1, 6), (2, 6))]
    cases = (
        ({"ev": "point", "p": 0}, "Point for Anna"),
        ({"ev": "blank"}, "Round without a point"),
        ({"ev": "bonus", "p": 0, "k": 3}, "Anna: bonus 3"),
        ({"ev": "trick", "plays": plays}, "Round: 4 6 6"),
        ({"ev": "next_game"}, "Next game"),
    )
    reads("top_spot", cases)


def test_an_argument_that_was_left_out_is_told_as_its_default():
    events = game_class("top_spot").EVENTS
    for default, want in ((3, "Anna: bonus 3"), (None, "Anna: bonus ")):
        before = events["bonus"]
        events["bonus"] = (("p", count, REQUIRED), ("k", positive, default))
        try:
            assert describe({"ev": "bonus", "p": 0}, NAMES, "top_spot") == want
            assert describe({"ev": "bonus", "p": 0, "k": 5}, NAMES, "top_spot") == "Anna: bonus 5"
        finally:
            events["bonus"] = before


def test_entries_of_every_game():
    cases = (
        ({"ev": "undo"}, "Undo"),
        ({"ev": "redo", "k": 3}, "Redo"),
        ({"ev": "correct", "at": 4, "event": {"ev": "finish"}}, "Entry 5 corrected"),
    )
    reads("poch", cases)
