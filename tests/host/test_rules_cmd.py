"""`kiebitz rules`: every game, every house rule with its default, and the tables of the game."""

import json
import re

import pytest
from kiebitz.games import GAMES, game_class, new_game
from rich.cells import cell_len


def test_without_a_game_all_games_are_listed(kiebitz):
    done = kiebitz("rules")
    assert done.code == 0
    for name in ("Royal Flush", "PokerCarre", "Poch", "Top Spot"):
        assert name in done.out
    listed = json.loads(kiebitz("rules", "--json").out)
    assert [(game["game"], tuple(game["players"])) for game in listed] == [
        (kind, game_class(kind).PLAYERS) for kind in GAMES
    ]


@pytest.mark.parametrize("kind", GAMES)
def test_every_house_rule_is_shown_with_its_values_and_effect(kiebitz, kind):
    facts = json.loads(kiebitz("rules", kind, "--json").out)
    options = game_class(kind).OPTIONS
    in_order = game_class(kind).option_names()
    assert [(option["name"], tuple(option["values"])) for option in facts["options"]] == [
        (name, options[name]) for name in in_order
    ]
    assert sorted(in_order) == sorted(options)
    sheet = kiebitz("rules", kind)
    assert (sheet.code, sheet.err) == (0, "")
    for option in facts["options"]:
        assert option["default"] == option["values"][0]
        assert option["effect"].endswith(".") and option["meanings"][-1] in option["effect"]
        assert len(option["meanings"]) == len(option["values"])
        assert option["name"] in sheet.out and option["label"] in sheet.out
        first, *others = ["none" if value is None else str(value) for value in option["values"]]
        assert re.search(rf"\b{first}\)? \*", sheet.out), first
        for value in others:
            assert re.search(rf"\b{value}\b", sheet.out), value


def test_values_are_told_in_words_with_the_id_that_files_have(kiebitz):
    sheet = " ".join(kiebitz("rules", "poch", "--lang", "de").out.split())
    assert "Pochen einmal reihum (single_lap) * bidding Alle sagen einmal an, der Geber zuletzt" in sheet
    assert "bis alle gleich stehen (until_matched) Es geht weiter reihum" in sheet
    assert "Chips insgesamt 300 *, beliebig chips_total" in sheet
    sheet = " ".join(kiebitz("rules", "top_spot", "--lang", "fr").out.split())
    assert "mode points (tally) *, arbitre (assisted)" in sheet
    assert "level Junior (junior) *, Expert (expert)" in sheet


@pytest.mark.parametrize("kind", GAMES)
def test_the_sheet_fits_80_columns_and_is_plain_when_piped(kiebitz, kind):
    done = kiebitz("rules", kind)
    assert max(cell_len(line) for line in done.out.splitlines()) <= 80
    assert "\x1b" not in done.out
    assert "…" not in done.out


@pytest.mark.parametrize("kind", GAMES)
def test_the_set_up_keys_that_are_named_exist(kiebitz, kind):
    # A key with a value of a wrong type is refused, so the game looks at it
    facts = json.loads(kiebitz("rules", kind, "--json").out)
    players = ["1", "2", "3"]
    for key in facts["setup"]:
        with pytest.raises(Exception, match="E_ARG"):
            new_game({"game": kind, "players": players, key["name"]: {}})


def test_royal_flush_shows_its_boards(kiebitz):
    boards = json.loads(kiebitz("rules", "royal_flush", "--json").out)["boards"]
    assert len(boards) == 17
    assert sum(board["starter"] for board in boards) == 9
    assert boards[15] == {
        "id": "big_straight_flush",
        "name": "Big Straight Flush",
        "slots": [16, 14, 12],
        "cards": 6,
        "category": "D",
        "starter": False,
    }
    out = kiebitz("rules", "royal_flush").out
    assert "Full House               full_house           10  8  6       5   B     yes" in out


def test_poker_carre_shows_what_scores(kiebitz):
    scoring = json.loads(kiebitz("rules", "poker_carre", "--json").out)["scoring"]
    assert scoring == [
        {"points": 1, "straight": [4], "colour": [3], "set": []},
        {"points": 2, "straight": [5], "colour": [4], "set": [3]},
        {"points": 3, "straight": [6], "colour": [5], "set": [4]},
        {"points": 7, "straight": [7], "colour": [6], "set": [5]},
        {"points": 10, "straight": [], "colour": [7], "set": [6, 7]},
    ]
    assert "6 or 7" in kiebitz("rules", "poker_carre").out


def test_poch_shows_pools_chips_and_hands(kiebitz):
    facts = json.loads(kiebitz("rules", "poch", "--json").out)
    assert [pool["id"] for pool in facts["pools"]] == ["A", "K", "Q", "J", "T", "MARRIAGE", "SEQUENCE", "POCHER"]
    assert [(deal["players"], deal["chips"], deal["box"], deal["hands"]) for deal in facts["deals"]] == [
        (2, 150, 0, [16, 16]),
        (3, 100, 0, [11, 11, 10]),
        (4, 75, 0, [8, 8, 8, 8]),
        (5, 60, 0, [7, 7, 6, 6, 6]),
        (6, 50, 0, [6, 6, 5, 5, 5, 5]),
        (7, 42, 6, [5, 5, 5, 5, 4, 4, 4]),
        (8, 37, 4, [4] * 8),
    ]
    assert "Marriage" in kiebitz("rules", "poch").out


def test_top_spot_shows_its_levels(kiebitz):
    levels = json.loads(kiebitz("rules", "top_spot", "--json").out)["levels"]
    assert [(level["name"], level["cards"]) for level in levels] == [("Junior", 12), ("Expert", 13)]
    assert "tie is played off" in kiebitz("rules", "top_spot").out


def test_a_game_may_be_written_as_on_its_box(kiebitz):
    expected = kiebitz("rules", "royal_flush")
    for name in ("Royal Flush", "royal-flush", "ROYAL_FLUSH"):
        assert kiebitz("rules", name) == expected


def test_an_unknown_game_is_bad_usage_and_the_games_are_named(kiebitz):
    done = kiebitz("rules", "chess")
    assert (done.code, done.out) == (2, "")
    assert "chess" in done.err
    for kind in GAMES:
        assert kind in done.err
