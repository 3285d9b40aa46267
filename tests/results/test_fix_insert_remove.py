"""`kiebitz fix --insert` and `--remove`: an entry that was forgotten, and one that never happened."""

import json

import pytest
from helpers.finished import carre

GAME = carre(["Anna", "Ben"], [3, 2])  # entries 1 to 3 for Anna, 4 and 5 for Ben, 6 ends the game
FORGOTTEN = '{"ev":"mark","p":1,"rubric":5}'


def lines(*events):
    return [json.dumps(event) for event in events]


def scores(kiebitz):
    (game,) = kiebitz("games", "--json").json
    return [score["score"] for score in game["scores"]]


def test_a_forgotten_entry_is_put_in(put, kiebitz):
    put(GAME)
    assert kiebitz("fix", "1", "4", "--insert", FORGOTTEN).out.splitlines() == [
        "Game 1, entry 4: put in: Ben: +10 points",
        "  Anna: 3 (place 1, won) -> 3 (place 2)",
        "  Ben: 2 (place 2) -> 12 (place 1, won)",
    ]
    shown = kiebitz("show", "1").out
    assert " 4   Ben: +10 points (corrected)" in shown and " 7   Game finished" in shown
    assert "put in: Ben: +10 points (in force)" in shown
    assert kiebitz("show", "1", "--raw").out.splitlines() == GAME


def test_a_forgotten_entry_is_asked_for(put, kiebitz):
    put(GAME)
    done = kiebitz("fix", "1", "1", "--insert", answers=["2", "Ben", "10 points", "yes"])
    assert done.code == 0 and done.out.startswith("Game 1, entry 1: ...\nWhat happened?\n")
    assert "[" not in done.out.replace("[yes]", "")  # there are no old values
    assert scores(kiebitz) == [3, 12]
    done = kiebitz("fix", "1", "1", "--insert", answers=["2", ""])
    assert done.code == 2 and '"" is no answer to: Who?' in done.err


def test_an_entry_that_never_happened_is_taken_out(put, kiebitz):
    put(GAME)
    assert kiebitz("fix", "1", "3", "--remove").out.splitlines() == [
        "Game 1, entry 3: taken out: Anna: +1 point",
        "  Anna: 3 (place 1, won) -> 2 (place 1, won)",
        "  Ben: 2 (place 2) -> 2 (place 1, won)",
    ]
    assert "taken out: Anna: +1 point (in force)" in kiebitz("show", "1").out
    done = kiebitz("fix", "1", "1", "--remove", "--json").json
    assert (done["was"], done["now"]) == ({"ev": "mark", "p": 0, "rubric": 1}, None)
    assert scores(kiebitz) == [1, 2]


@pytest.mark.parametrize("change", [["1", "--insert", FORGOTTEN], ["1", "--remove"]])
def test_both_are_taken_back_and_survive_a_rebuild(put, kiebitz, change):
    put(GAME)
    before = kiebitz("games", "--json").json
    assert kiebitz("fix", "1", *change).code == 0
    changed = kiebitz("games", "--json").out
    assert kiebitz("rebuild").code == 0 and kiebitz("games", "--json").out == changed
    assert kiebitz("fix", "1", "--undo").code == 0
    assert kiebitz("games", "--json").json == before


def test_the_three_changes_count_on_one_another(put, kiebitz):
    put(GAME)
    assert kiebitz("fix", "1", "1", "--insert", FORGOTTEN).code == 0
    assert kiebitz("fix", "1", "5", '{"ev":"mark","p":1,"rubric":4}').code == 0  # it was entry 4 before
    assert kiebitz("fix", "1", "2", "--remove").code == 0
    assert scores(kiebitz) == [2, 18]
    shown = kiebitz("show", "1").out
    assert " 1   Ben: +10 points (corrected)" in shown and " 4   Ben: +7 points (corrected)" in shown


def test_what_no_longer_fits_is_refused_with_its_entry(put, kiebitz):
    setup = {"game": "royal_flush", "players": ["Anna", "Ben"]}
    ends = [{"ev": "score", "p": 0, "board": "royal_flush"}] * 3
    put(lines(setup, {"ev": "spend", "p": 0, "k": 3}, *ends))
    done = kiebitz("fix", "1", "1", "--insert", '{"ev":"spend","p":0,"k":3}')
    assert done.code == 3 and done.err.startswith("With this, entry 1 would no longer fit: E_CHIPS - ")
    done = kiebitz("fix", "1", "1", "--insert", '{"ev":"spend","p":0,"k":9}')
    assert done.code == 3 and done.err.startswith("This entry is not possible: E_CHIPS - ")
    done = kiebitz("fix", "1", "4", "--remove")
    assert done.code == 3 and "the game would not be over" in done.err
    assert kiebitz("fix", "1", "5", "--insert", '{"ev":"spend","p":0,"k":1}').code == 3  # the game is over then
    assert "there is no entry 6" in kiebitz("fix", "1", "6", "--insert", '{"ev":"spend","p":0,"k":1}').err
    assert "there is no entry 5" in kiebitz("fix", "1", "5", "--remove").err


def test_ends_of_rounds_only_move_if_they_are_not_where_they_were(put, kiebitz):
    setup = {"game": "royal_flush", "players": ["Anna", "Ben"]}
    ends = [{"ev": "score", "p": 0, "board": "royal_flush"}] * 3
    put(lines(setup, {"ev": "spend", "p": 0, "k": 3}, *ends))
    assert "end of a round" not in kiebitz("fix", "1", "1", "--insert", '{"ev":"spend","p":1,"k":1}').out
    assert "end of a round" not in kiebitz("fix", "1", "1", "--remove").out


@pytest.mark.only_files
def test_a_copy_of_the_store_keeps_them(put, kiebitz, path, tmp_path):
    put(GAME)
    kiebitz("fix", "1", "1", "--insert", FORGOTTEN)
    kiebitz("fix", "1", "2", "--remove")
    new = tmp_path / "new.db"
    assert kiebitz("rebuild", "--from", path, "--db", new).code == 0
    assert kiebitz("fix", "1", "--json", "--db", new).json == kiebitz("fix", "1", "--json").json
