"""Values derived from a journal: places, first seats, and score sheets that add up."""

import json
from pathlib import Path

import pytest
from helpers.finished import carre, poch, royal, spot
from helpers.replays import game_path
from kiebitz.games import GAMES
from kiebitz_host.library.derive import DerivedGame, rank
from kiebitz_host.show.game_sheet import print_rows
from kiebitz_host.terminal import Terminal

RANKS = (
    ([5, 3, 4], [0], [1, 3, 2]),
    ([5, 5, 4], [0, 1], [1, 1, 3]),
    ([5, 5, 4], [0], [1, 2, 3]),  # chips have decided between equal points
    ([5, 9, 9], [0], [1, 2, 2]),  # won by a set of seven
    ([0, 0], [0, 1], [1, 1]),
)


@pytest.mark.parametrize(("totals", "winners", "places"), RANKS)
def test_equal_points_share_a_place_and_who_has_won_comes_first(totals, winners, places):
    assert rank(totals, winners) == places


def test_the_lines_of_every_score_sheet_add_up_to_the_scores():
    sheets = 0
    lines = [line for kind in GAMES for line in Path(game_path(kind, "replays.jsonl")).read_text("utf-8").splitlines()]
    for line in lines:
        game = DerivedGame([text for text in json.loads(line)["script"] if text])
        if game.table:
            points = [sum(column) for column in zip(*[points for _, points in game.rows()], strict=True)]
            assert points in ([], game.table.game.totals()) and (points or not any(game.table.game.totals())), line
            sheets += 1
    assert sheets > 200


def test_a_sheet_of_royal_flush_has_its_rounds_and_the_chips():
    game = DerivedGame(royal(["Anna", "Ben"], [0, 0, 1], spent=[2, 1]))
    assert game.rows() == [("round 1", [25, 0]), ("round 2", [25, 0]), ("round 3", [0, 25]), ("chips", [8, 10])]
    assert game.scores() == [(58, 1, True, True), (35, 2, False, False)]
    half = DerivedGame(royal(["Anna", "Ben"], [0]) + ['{"ev":"score","p":1,"board":"pair"}'])
    assert half.rows() == [("round 1", [25, 0]), ("round 2", [0, 2])]
    assert half.scores() == [(25, None, False, True), (2, None, False, False)]


def test_a_sheet_of_poch_tells_rounds_and_loans_apart():
    options = '{"chips_total":100,"final_pools":"split","loans":"gift"}'
    setup = f'{{"game":"poch","players":["Anna","Ben"],"dealer":0,"options":{options}}}'
    events = (
        '{"ev":"start_round","trump":"H"}',
        '{"ev":"cash","p":0,"pool":"A"}',
        '{"ev":"end_cash","confirm":true}',
        '{"ev":"pass","p":1}',
        '{"ev":"pass","p":0}',
        '{"ev":"end_round","winner":1,"left":{"0":3}}',
        '{"ev":"loan","from":1,"to":0,"k":4}',
        '{"ev":"start_round","trump":"S"}',
        '{"ev":"end_cash","confirm":true}',
        '{"ev":"pass","p":0}',
        '{"ev":"pass","p":1}',
        '{"ev":"end_round","winner":0,"left":{"1":1}}',
        '{"ev":"end_game"}',
    )
    game = DerivedGame([setup, *events])
    assert game.rows() == [
        ("start", [50, 50]),
        ("round 1", [-9, -5]),
        ("loans", [4, -4]),
        ("round 2", [-7, -9]),
        ("end", [15, 15]),
    ]
    assert DerivedGame([setup, *events[:2]]).rows() == [("start", [50, 50]), ("round 1", [-6, -8])]
    assert DerivedGame([setup, *events[:7]]).rows()[-1] == ("loans", [4, -4])
    assert [starts for *_, starts in game.scores()] == [False, True]


def test_sheets_of_the_other_games():
    assert DerivedGame(carre(["Anna", "Ben"], [3, 2])).rows()[0] == ("rubric 1", [3, 2])
    assert DerivedGame(spot(["Anna", "Ben", "Cleo"], [3, 2, 4])).rows() == [("game 1", [3, 2, 4])]
    assert DerivedGame(poch(["Anna", "Ben"], [120, 80])).rows() == [("start", [100, 100]), ("end", [20, -20])]


def test_a_correction_counts_only_where_the_journal_still_says_what_it_replaced():
    lines = carre(["Anna", "Ben"], [3, 2])
    old, new = '{"ev":"mark","p":0,"rubric":1}', '{"ev":"mark","p":0,"rubric":5}'
    fixed = DerivedGame(lines, [(7, 0, old, new)])
    assert ([score for score, *_ in fixed.scores()], fixed.unfit) == ([12, 2], [])
    for correction in ((7, 3, old, new), (7, 99, old, new), (7, 0, old, '{"ev":"mark","p":9,"rubric":5}')):
        other = DerivedGame(lines, [correction])
        assert ([score for score, *_ in other.scores()], other.unfit) == ([3, 2], [7]), correction


# --- sums ---

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
