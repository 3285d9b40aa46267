"""`kiebitz show` and `kiebitz fix`: score sheets, and corrections with their audit trail."""

import json

import pytest
from helpers.finished import carre, poch, royal, spot, unfinished
from kiebitz.text import LANGUAGES, text
from kiebitz_host.games.base import GameOnLaptop
from kiebitz_host.library.query import find


def body(out):
    """Return the lines of an output without the blanks at their ends, empty lines left out."""
    return [line.rstrip() for line in out.splitlines() if line.strip()]


def test_royal_flush_as_on_paper(put, kiebitz):
    put(royal(["Anna", "Ben"], [0, 1, 0], spent=[2, 1]))
    assert body(kiebitz("show", "1").out) == [
        "Game 1 · Royal Flush · 2026-01-05 12:00 · aabbcc-0001-000001",
        "             Anna   Ben",
        "───────────────────────",
        "Round 1        25     0",
        "Round 2         0    25",
        "Round 3        25     0",
        "Chips left      8    10",
        "Total          58    35",
        "Place           1     2",
        "No   Entry               Effect",
        "──────────────────────────────────────────",
        "     Round 1",
        " 1   Anna spends 2",
        " 2   Ben spends 1",
        " 3   Anna: Royal Flush   Anna +25",
        "     Round 2",
        " 4   Ben: Royal Flush    Ben +25",
        "     Round 3",
        " 5   Anna: Royal Flush   Anna +33, Ben +10",
    ]


SHEETS = (
    (
        poch(["Anna", "Ben"], [130, 70], dealer=0),
        ["Chips in all: 200, Loans: a present", "At the start    100   100",
         "At the end      +30   -30", "Total           130    70"],
    ),
    (carre(["Anna", "Ben"], [3, 2]), ["Pad", "", "1 point      3 x   2 x", "2 points       ·     ·"]),
    (
        spot(["Anna", "Ben", "Cleo"], [3, 2, 4], level="expert"),
        ["Expert, Tally", "", "Game 1      3     2      4", "Total       3     2      4", "Place       2     3      1"],
    ),
)


@pytest.mark.parametrize(("lines", "wanted"), SHEETS)
def test_the_other_games_as_on_paper(put, kiebitz, lines, wanted):
    put(lines)
    shown = [line.rstrip() for line in kiebitz("show", "1", "--no-log").out.splitlines()]
    for line in wanted:
        assert line in shown, shown
    assert not any("Entry" in line for line in shown)


def test_an_unfinished_game_has_no_places(put, kiebitz):
    put(unfinished(carre(["Anna", "Ben"], [3, 2])))
    shown = kiebitz("show", "1").out
    assert "Unfinished." in shown
    assert "Total" in shown and "Place" not in shown


def test_a_game_for_programs(put, kiebitz):
    put(carre(["Anna", "Ben"], [1, 0]))
    facts = kiebitz("show", "1", "--json").json
    assert facts["setup"] == {"game": "poker_carre", "players": ["Anna", "Ben"]}
    assert facts["rows"][0] == {"label": "rubric 1", "points": [1, 0]}
    assert facts["entries"] == [
        {
            "entry": 1, "part": None, "event": {"ev": "mark", "p": 0, "rubric": 1}, "text": "Anna: +1 point",
            "changes": [1, 0],
        },
        {"entry": 2, "part": None, "event": {"ev": "finish"}, "text": "Game finished", "changes": [0, 0]},
    ]  # fmt: skip
    assert (facts["corrections"], facts["histories"]) == ([], [2])


def test_the_log_calls_people_as_they_are_called_now(put, kiebitz):
    put(carre(["Anna", "Ben"], [1, 0]))
    kiebitz("players", "rename", "Anna", "Anna K.")
    assert " 1   Anna K.: +1 point   Anna K. +1" in kiebitz("show", "1").out
    done = kiebitz("fix", "1", "--entry", "1", "--with", '{"ev":"mark","p":0,"rubric":2}')
    assert "Anna K.: +1 point -> " in done.out


def test_the_journal_as_it_was_received(put, kiebitz):
    lines = [*carre(["Änne", "Ben"], [3, 2])[:3], '{"ev":"undo"}', '{"ev":"finish"}']
    put(lines)
    assert kiebitz("show", "1", "--raw").out.splitlines() == lines


def test_other_histories_are_mentioned_and_can_be_seen(put, kiebitz):
    put(carre(["Anna", "Ben"], [3, 2]), game_id="x-1-1")
    put(carre(["Anna", "Ben"], [3, 5]), game_id="x-1-1")
    assert "There are 2 histories of this game, with 9, 6 entries" in kiebitz("show", "1").out
    other = kiebitz("show", "1", "--history", "2", "--json").json
    assert [score["score"] for score in other["scores"]] == [3, 2]
    assert len(kiebitz("show", "1", "--history", "2", "--raw").out.splitlines()) == 7
    assert "game 1 has 2 histories: --history takes 1 to 2" in kiebitz("show", "1", "--history", "3").err
    put(carre(["Anna", "Ben"], [3, 2]), game_id="x-2-1")
    assert "game 2 has only one history" in kiebitz("show", "2", "--history", "2").err


def test_what_is_wrong_with_a_game_is_said(put, kiebitz):
    put([*carre(["Anna", "Ben"], [3, 2])[:3], '{"ev":"spend"}'])
    put(carre(["Anna", "Ben"], [3, 2])[:3], damaged=True)
    put(['{"game":"chess"}'])
    assert "Line 4 of the journal is refused by the rules (E_ARG)" in kiebitz("show", "1").out
    assert "The device has lost a part of this game" in kiebitz("show", "2").out
    assert "Unreadable." in kiebitz("show", "3").out
    notes = [line.rstrip().split("   ")[-1].strip() for line in kiebitz("games").out.splitlines()[2:]]
    assert notes == ["unreadable", "unfinished, incomplete", "unfinished, incomplete"]


def test_a_game_is_found_by_its_number_or_the_beginning_of_its_id(put, store, kiebitz):
    for game_id in ("aabbcc-0001-1f1f1f", "aabbcc-0002-2e2e2e", "file-0123456789ab"):
        put(carre(["Anna", "Ben"], [1, 0]), game_id=game_id)
    for word, number in (("2", 2), ("aabbcc-0002", 2), ("2e2", 2), ("file", 3), ("0123", 3), ("aabbcc-0001-1f1f1f", 1)):
        assert find(store.db, word) == number, word
    for word, sentence in (("aabb", "2 games begin with"), ("9", "no game 9"), ("zz", "no game 'zz'"), ("", "no game")):
        assert sentence in kiebitz("show", word).err, word


# --- fix ---

GAME = carre(["Anna", "Ben"], [3, 2])  # entries 1 to 3 for Anna, 4 and 5 for Ben, 6 ends the game
BETTER = '{"ev":"mark","p":1,"rubric":5}'


def test_a_corrected_entry_changes_everything_that_follows_from_it(put, kiebitz):
    put(GAME)
    assert kiebitz("fix", "1", "--entry", "4", "--with", BETTER).out.splitlines() == [
        "Game 1, entry 4: Ben: +1 point -> Ben: +10 points",
        "  Anna: 3 (place 1, won) -> 3 (place 2)",
        "  Ben: 2 (place 2) -> 11 (place 1, won)",
    ]
    (game,) = kiebitz("games", "--json").json
    assert (game["fixes"], [score["score"] for score in game["scores"]]) == (1, [3, 11])
    assert kiebitz("league", "--json").json["players"][0]["name"] == "Ben"
    shown = kiebitz("show", "1").out
    assert "Corrected." in shown
    assert " 4   Ben: +10 points (corrected)" in shown
    assert "corrected" in kiebitz("games").out


def test_the_journal_itself_is_never_altered(put, store, kiebitz):
    put(GAME)
    kiebitz("fix", "1", "--entry", "4", "--with", BETTER)
    assert store.stored_game("aabbcc-0001-000001").lines == GAME
    assert kiebitz("show", "1", "--raw").out.splitlines() == GAME


def test_correcting_and_correcting_back_gives_the_same_league(put, kiebitz):
    put(GAME, day=1)
    put(carre(["Ben", "Anna"], [3, 2]), day=2)
    put(spot(["Anna", "Ben", "Cleo"], [1, 2, 3]), day=3)
    before = kiebitz("league", "--json").out, kiebitz("league", "poker_carre").out, kiebitz("players", "--json").out
    kiebitz("fix", "1", "--entry", "4", "--with", BETTER)
    assert kiebitz("league", "--json").out != before[0]
    kiebitz("fix", "1", "--entry", "4", "--with", '{"ev":"mark","p":1,"rubric":1}')
    after = kiebitz("league", "--json").out, kiebitz("league", "poker_carre").out, kiebitz("players", "--json").out
    assert after == before
    kiebitz("fix", "1", "--undo")
    assert kiebitz("league", "--json").out != before[0]
    kiebitz("fix", "1", "--undo")
    assert (kiebitz("league", "--json").out, kiebitz("league", "poker_carre").out) == before[:2]


def test_the_trail_tells_all_that_was_ever_corrected(put, kiebitz):
    put(GAME)
    assert "was never corrected" in kiebitz("fix", "1").out
    kiebitz("fix", "1", "--entry", "4", "--with", BETTER)
    kiebitz("fix", "1", "--entry", "1", "--with", '{"ev":"mark","p":0,"rubric":2}')
    assert kiebitz("fix", "1", "--undo").out.startswith("Game 1, entry 1: Anna: +2 points -> Anna: +1 point\n")
    trail = kiebitz("fix", "1", "--json").json
    assert [(fix["entry"], fix["text"], fix["state"], bool(fix["undone"])) for fix in trail] == [
        (4, "Ben: +1 point -> Ben: +10 points", "in force", False),
        (1, "Anna: +1 point -> Anna: +2 points", "undone", True),
    ]
    assert "entry 1: Anna: +1 point -> Anna: +2 points (undone on" in kiebitz("fix", "1").out
    assert kiebitz("show", "1", "--json").json["corrections"] == trail


def test_corrections_survive_a_rebuild(put, kiebitz):
    put(GAME)
    kiebitz("fix", "1", "--entry", "4", "--with", BETTER)
    before = kiebitz("games", "--json").out
    assert kiebitz("rebuild").out == "Rebuilt: 1 game.\n"
    assert kiebitz("games", "--json").out == before


REFUSED = (
    ("4", '{"ev":"mark","p":7,"rubric":1}', "This entry is not possible: E_PLAYER - "),
    ("4", '{"ev":"finish"}', "With this, entry 5 would no longer fit: E_OVER - "),
    ("6", '{"ev":"mark","p":0,"rubric":1}', "With this entry the game would not be over."),
    ("4", '{"ev":"undo"}', "This entry is not possible: E_ARG - "),
)


@pytest.mark.parametrize(("entry", "event", "sentence"), REFUSED)
def test_the_rules_refuse_a_correction_that_does_not_fit(put, kiebitz, entry, event, sentence):
    put(GAME)
    before = kiebitz("show", "1", "--json").out
    done = kiebitz("fix", "1", "--entry", entry, "--with", event)
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith(sentence) and done.err.endswith("Nothing was changed.\n")
    same = kiebitz("fix", "1", "--entry", entry, "--with", event, "--json")
    assert (same.code, json.loads(same.out)) == (3, {"refused": done.err.strip()})
    assert kiebitz("show", "1", "--json").out == before


def test_what_the_rules_only_doubt_can_be_confirmed(put, kiebitz):
    rounds = [
        '{"ev":"start_round","trump":"H"}', '{"ev":"cash","p":0,"pool":"A"}', '{"ev":"end_cash","confirm":true}',
        '{"ev":"pass","p":0}', '{"ev":"pass","p":1}', '{"ev":"end_round","winner":1,"left":{"0":3}}',
        '{"ev":"end_game"}',
    ]  # fmt: skip
    put(['{"game":"poch","players":["Anna","Ben"]}', *rounds])
    done = kiebitz("fix", "1", "--entry", "3", "--with", '{"ev":"end_cash"}')
    assert done.code == 3
    assert "W_UNCASHED" in done.err and 'add "confirm":true' in done.err


USAGE = (
    (["--entry", "4"], "--entry and --with together"),
    (["--with", BETTER], "--entry and --with together"),
    (["--entry", "4", "--with", BETTER, "--undo"], "--undo stands alone"),
    (["--entry", "0", "--with", BETTER], "there is no entry 0: game 1 has 6"),
    (["--entry", "7", "--with", BETTER], "there is no entry 7: game 1 has 6"),
    (["--entry", "4", "--with", "Ben +10"], "one JSON object"),
    (["--entry", "4", "--with", '["mark"]'], "one JSON object"),
    (["--entry", "4", "--with", '{"ev":"mark","p":1,"rubric":1}'], "is already like that"),
    (["--undo"], "no correction to take back"),
)


@pytest.mark.parametrize(("argv", "sentence"), USAGE)
def test_a_correction_that_makes_no_sense_is_bad_usage(put, kiebitz, argv, sentence):
    put(GAME)
    done = kiebitz("fix", "1", *argv)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err


def test_a_game_that_is_still_played_is_corrected_on_the_device(put, kiebitz):
    put(unfinished(GAME))
    put(['{"game":"chess"}'])
    assert "correct it on the device" in kiebitz("fix", "1", "--entry", "4", "--with", BETTER).err
    assert "nothing in it can be corrected" in kiebitz("fix", "2", "--entry", "4", "--with", BETTER).err


def test_a_correction_that_no_longer_fits_is_kept_and_said_so(put, kiebitz):
    put(GAME, game_id="x-1-1")
    kiebitz("fix", "1", "--entry", "4", "--with", BETTER)
    put([*carre(["Anna", "Ben"], [5, 5])], game_id="x-1-1")  # another, longer history: entry 4 is Anna's there
    (game,) = kiebitz("games", "--json").json
    assert (game["fixes"], [score["score"] for score in game["scores"]]) == (0, [5, 5])
    assert "(no longer fits)" in kiebitz("fix", "1").out
    assert kiebitz("fix", "1", "--undo").code == 0


def test_a_game_without_a_file_on_the_laptop_has_one_total(put, kiebitz, monkeypatch):
    monkeypatch.setattr("kiebitz_host.library.derive.on_laptop", lambda kind: GameOnLaptop())
    number = put(carre(["Anna", "Ben"], [3, 2]))
    monkeypatch.setattr("kiebitz_host.show.game_sheet.on_laptop", lambda kind: GameOnLaptop())
    assert kiebitz("show", number, "--no-log").out.count("Total") == 1
    assert kiebitz("show", number, "--json").json["rows"] == [{"label": "total", "points": [3, 2]}]


# --- a house rule that was changed in play ---

SHARED = {"ev": "option", "name": "distribute_after_last", "value": "on"}
CHANGED = [*royal(["Anna", "Ben"], [0, 1, 0], spent=[2, 4]), json.dumps(SHARED)]


def changed_rule():
    """Return the entry in the language in use."""
    return text("ev.option", rule=text("opt.distribute_after_last"), value=text("val.on"))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_changed_house_rule_is_an_entry_and_holds_from_the_first_one_on(put, kiebitz, lang):
    put(CHANGED)
    shown = body(kiebitz("show", "1", "--lang", lang).out)
    assert shown[1] == changed_rule() and shown[-1].endswith(changed_rule())


def test_sheet_league_and_exports_count_with_the_house_rule_in_force(put, kiebitz):
    put(CHANGED)
    put(royal(["Anna", "Ben"], [0, 1, 0], spent=[2, 4], options={"distribute_after_last": "on"}))
    changed, at_once = [kiebitz("show", number, "--json").json for number in "12"]
    assert [row["points"] for row in changed["rows"]] == [row["points"] for row in at_once["rows"]]
    assert [score["score"] for score in changed["scores"]] == [score["score"] for score in at_once["scores"]]
    assert changed["setup"]["options"] == {"distribute_after_last": "on"}
    assert [item["changes"] for item in changed["entries"]][:-1] == [item["changes"] for item in at_once["entries"]]
    assert [game["variant"] for game in json.loads(kiebitz("export", "json").out)["games"]] == [changed_rule()] * 2


def test_a_house_rule_is_corrected_inserted_and_taken_out_on_the_laptop(put, kiebitz):
    put(CHANGED)
    done = kiebitz("fix", "1", "6", answers=["", "", "off", "yes"])
    assert done.code == 0 and "House rules" in done.out
    assert kiebitz("show", "1", "--json").json["entries"][5]["event"] == {**SHARED, "value": "off"}
    assert kiebitz("fix", "1", "6", "--remove").code == 0
    insert = kiebitz("fix", "1", "3", "--insert", answers=["House", "One slot", "on", "yes"])
    assert insert.code == 0, insert.err
    slot = {"ev": "option", "name": "one_slot_per_board", "value": "on"}
    assert kiebitz("show", "1", "--json").json["entries"][2]["event"] == slot
    refused = kiebitz("fix", "1", "1", json.dumps({"ev": "option", "name": "turns", "value": "follow"}))
    assert refused.code == 3 and "entry 2 would no longer fit: E_PHASE" in refused.err


def test_the_names_of_the_seats_are_corrected_by_question_and_answer(put, kiebitz):
    put([*carre(["Anna", "Ben"], [1, 0]), '{"ev":"seats","players":["Anna","Bob"]}'])
    assert kiebitz("fix", "1", "3", answers=["", "", "Bea", "yes"]).code == 0
    assert [score["name"] for score in kiebitz("show", "1", "--json").json["scores"]] == ["Anna", "Bea"]
