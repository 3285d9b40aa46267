"""`kiebitz show` adds up: Poch's pools and bank stand beside the players, and what was entered can be read again."""

import json

from kiebitz_host.show.game_sheet import print_rows
from kiebitz_host.terminal import Terminal

POCH = [
    {"game": "poch", "players": ["Anna", "Ben", "Cleo"], "options": {"chips_total": 300}},
    {"ev": "start_round", "trump": "H"},
    {"ev": "cash", "p": 0, "pool": "A"},
    {"ev": "cash", "p": 1, "pool": "K"},
    {"ev": "end_cash", "confirm": True},
    {"ev": "bid", "p": 0, "k": 2},
    {"ev": "hold", "p": 1},
    {"ev": "pass", "p": 2},
    {"ev": "reveal", "hands": {"0": [2, "K", False], "1": [3, "T", False]}},
    {"ev": "end_round", "winner": 2, "left": {"0": 3, "1": 4}},
    {"ev": "end_game"},
]


def lines(events):
    return [json.dumps(event) for event in events]


def test_every_row_of_poch_adds_up(put, kiebitz):
    put(lines(POCH))
    rows = kiebitz("show", "1", "--json").json["rows"]
    assert [(row["label"], sum(row["points"]) + sum(row["beside"].values())) for row in rows] == [
        ("start", 300), ("round 1", 0),
    ]  # fmt: skip
    shown = kiebitz("show", "1").out
    assert "               Anna   Ben   Cleo   Pools   Bank" in shown
    assert "At the start    100   100    100       0      0" in shown
    # Anna: 8 ante, 3 cashed, 2 bid, 4 to double the bank, 3 cards. Ben: 8 ante, 3 cashed, 2 held, 8 and 3 won, 4 cards
    assert "Round 1         -14    +0     -1     +15     +0" in shown
    assert "Total            86   100     99      15      0" in shown


def test_the_log_of_poch_tells_where_the_chips_go(put, kiebitz):
    put(lines(POCH))
    shown = [line.rstrip() for line in kiebitz("show", "1").out.splitlines()]
    assert " 1   Round starts, trump ♥                  all -8, Pools +24" in shown
    assert " 5   Anna bids 2                            Anna -2, Bank +2" in shown
    assert any("Pochs shown: 2 (Anna 2×K, Ben 3×10)" in line for line in shown)
    assert any("Cleo is out of cards (Anna 3, Ben 4)" in line for line in shown)
    entries = kiebitz("show", "1", "--json").json["entries"]
    assert all(sum(entry["changes"]) + sum(entry["beside"].values()) == 0 for entry in entries)


def test_pools_and_bank_have_their_names_in_every_language(put, kiebitz):
    put(lines(POCH))
    for lang, names in (("de", "Mulden   Kasse"), ("fr", "Cavités   Caisse"), ("it", "Cavità   Cassa")):
        assert names in kiebitz("show", "1", "--lang", lang).out


def test_an_unfinished_round_adds_up_too(put, kiebitz):
    put(lines(POCH[:6]))
    rows = kiebitz("show", "1", "--json").json["rows"]
    assert [sum(row["points"]) + sum(row["beside"].values()) for row in rows] == [300, 0]


def test_long_names_leave_room_for_pools_and_bank(capsys):
    names = [f"Bartholomäus Schönfeld {p}" for p in range(8)]
    scores = [{"name": name, "score": 9, "rank": 1, "winner": False} for name in names]
    row = {"label": "start", "points": [100] * 8, "beside": {"pools": 0, "bank": 0}}
    print_rows(Terminal(), {"game": "poch", "scores": scores, "rows": [row]})
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def test_entered_cards_are_shown(put, kiebitz):
    setup = {"game": "royal_flush", "players": ["Anna", "Ben"], "child": [1, 0]}
    scores = [
        {"ev": "score", "p": 0, "board": "pair", "cards": "TH *"},
        {"ev": "score", "p": 1, "board": "royal_flush", "cards": "TS JS QS KS AS"},
    ]
    put(lines([setup, *scores]))
    put(lines([{"game": "poker_carre", "players": ["Anna", "Ben"], "mode": "grid"},
               {"ev": "layout", "cards": "a1 a2 a3 b1 b2 b3 c1 c2 c3"}]))  # fmt: skip
    shown = kiebitz("show", "1").out
    assert "Anna: Pair (10♥ *)" in shown and "Ben: Royal Flush (10♠ J♠ Q♠ K♠ A♠)" in shown
    assert "Ben: Royal Flush (10♠ B♠ D♠ K♠ A♠)" in kiebitz("show", "1", "--lang", "de").out
    assert "Nine cards laid out (a1 a2 a3 b1 b2 b3 c1 c2 c3)" in kiebitz("show", "2").out
