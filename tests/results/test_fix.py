"""`kiebitz fix`: questions for an entry, `--insert` and `--remove`."""

import io
import json
import sys

import pytest
from helpers.finished import any_game, carre, counter, royal
from kiebitz.games import GAMES, game_class, new_game
from kiebitz.text import has
from kiebitz_host.asking import NOTHING, Asker
from kiebitz_host.games import on_laptop
from kiebitz_host.library.fixes import changed_entries

GAME = carre(["Anna", "Ben"], [3, 2])  # entries 1 to 3 for Anna, 4 and 5 for Ben, 6 ends the game


def lines(*events):
    return [json.dumps(event) for event in events]


def entry(kiebitz, k, number=1):
    """Return entry k of a game as it is now."""
    return kiebitz("show", number, "--json").json["entries"][k - 1]["event"]


def test_an_entry_is_asked_for_with_the_old_values_in_brackets(put, kiebitz):
    put(GAME)
    done = kiebitz("fix", "1", "4", answers=["", "", "10", "yes"])
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "Game 1, entry 4: Ben: +1 point",
        "What happened?",
        "  1) (Player) scores ...  2) (Player): +...  3) (Player): -...",
        "  4) Game finished  5) House rules",
        "[(Player): +...] > ",
        "Who?",
        "  1) Anna  2) Ben",
        "[Ben] > ",
        "For how many points?",
        "  1) 1 point  2) 2 points  3) 3 points  4) 7 points  5) 10 points",
        "[1 point] > 10",
        "Game 1, entry 4: Ben: +1 point -> Ben: +10 points",
        "  Anna: 3 (place 1, won) -> 3 (place 2)",
        "  Ben: 2 (place 2) -> 11 (place 1, won)",
        "Store it? (yes/no) [yes] > yes",
        "Stored. `kiebitz fix 1 --undo` takes it back.",
    ]
    assert entry(kiebitz, 4) == {"ev": "mark", "p": 1, "rubric": 5}


def test_the_entry_as_json_is_not_asked_for(put, kiebitz):
    put(GAME)
    done = kiebitz("fix", "1", "4", '{"ev":"mark","p":1,"rubric":5}')
    assert done.out.startswith("Game 1, entry 4: Ben: +1 point -> Ben: +10 points\n") and "?" not in done.out
    assert entry(kiebitz, 4)["rubric"] == 5


@pytest.mark.parametrize("answers", [[], [""], ["", ""], ["", "Anna", "5"], ["", "Anna", "5", "n"]])
def test_whoever_stops_before_the_last_answer_has_changed_nothing(put, kiebitz, answers):
    put(GAME)
    before = kiebitz("show", "1", "--json").out
    done = kiebitz("fix", "1", "4", answers=answers)
    if answers[3:] == ["n"]:
        assert (done.code, done.out.splitlines()[-1]) == (0, "Nothing was changed.")
    else:
        assert done.code == 2
        assert done.err == "kiebitz: the answers have ended before the last question. Nothing was changed.\n"
    assert kiebitz("show", "1", "--json").out == before


def test_without_a_terminal_an_answer_that_fits_nothing_ends_it(put, kiebitz):
    put(GAME)
    done = kiebitz("fix", "1", "4", answers=["", "Cleo", "Anna", "5", "yes"])
    assert (done.code, done.err) == (2, 'kiebitz: "Cleo" is not an answer to: Who? Nothing was changed.\n')
    assert entry(kiebitz, 4) == {"ev": "mark", "p": 1, "rubric": 1}


class Person(io.StringIO):
    """Standard input of a terminal."""

    def isatty(self):
        return True


@pytest.fixture
def at_a_terminal(kiebitz, monkeypatch):
    def run(*argv, answers):
        with monkeypatch.context() as there:
            there.setattr("io.StringIO", Person)
            return kiebitz(*argv, answers=answers)

    return run


def test_a_person_is_asked_until_the_answer_fits(put, at_a_terminal, kiebitz):
    put(GAME)
    done = at_a_terminal("fix", "1", "4", answers=["", "Cleo", "anna", "0", "5", "perhaps", "y"])
    assert done.code == 0 and done.out.count("Choose a number or a word of the list, please.") == 2
    assert "Answer yes / no, please." in done.out
    assert entry(kiebitz, 4) == {"ev": "mark", "p": 0, "rubric": 5}


def test_a_person_tries_again_after_a_refusal(put, at_a_terminal, kiebitz):
    put(GAME)
    done = at_a_terminal("fix", "1", "4", answers=["4", "2", "Ben", "2", ""])
    assert "With this, entry 5 would no longer fit: E_OVER" in done.out and done.code == 0
    assert entry(kiebitz, 4) == {"ev": "mark", "p": 1, "rubric": 2}
    done = kiebitz("fix", "1", "4", answers=["4", "2", "Ben", "2", ""])
    assert done.code == 3 and done.err.startswith("With this, entry 5 would no longer fit: E_OVER")


def test_json_at_a_terminal_shows_its_effect_before_it_is_stored(put, at_a_terminal, kiebitz):
    put(GAME)
    event = '{"ev":"mark","p":1,"rubric":5}'
    assert at_a_terminal("fix", "1", "4", event, answers=["no"]).out.endswith("Nothing was changed.\n")
    assert entry(kiebitz, 4)["rubric"] == 1
    done = at_a_terminal("fix", "1", "4", event, answers=["yes"])
    assert "Ben: 2 (place 2) -> 11 (place 1, won)\nStore it?" in done.out.replace("  Ben", "Ben")
    assert entry(kiebitz, 4)["rubric"] == 5


# --- the end of a round ---

BOARDS = ("pair", "three_kind", "full_house", "four_kind")
ROUNDS = lines(  # Anna's fifth piece closes round 1 as entry 9, the Royal Flushes close the others
    {"game": "royal_flush", "players": ["Anna", "Ben"]},
    *[{"ev": "score", "p": p, "board": board} for p in (0, 1) for board in BOARDS],
    {"ev": "score", "p": 0, "board": "big_flush"},
    {"ev": "score", "p": 0, "board": "royal_flush"},
    {"ev": "score", "p": 1, "board": "royal_flush"},
)
MOVED = [
    "This moves the end of a round, and so what counts in which round:",
    "  Round 1: ended with entry 9, now with entry 8",
]


def test_a_correction_that_moves_the_end_of_a_round_says_so_before_it_is_accepted(put, kiebitz):
    put(ROUNDS)
    anna_instead_of_ben = ["", "Anna", "Big Straight"]
    done = kiebitz("fix", "1", "8", answers=[*anna_instead_of_ben, ""])
    assert done.code == 2 and "not an answer to: Store it?" in done.err  # nobody accepts that by mistake
    done = kiebitz("fix", "1", "8", answers=[*anna_instead_of_ben, "yes"])
    assert done.out.splitlines()[-4:-2] == MOVED
    assert [row["points"] for row in kiebitz("show", "1", "--json").json["rows"]][1] == [36, 0]


def test_a_correction_within_a_round_says_nothing_about_its_end(put, kiebitz):
    put(ROUNDS)
    assert "end of a round" not in kiebitz("fix", "1", "8", answers=["", "Ben", "Big Straight", ""]).out


def test_json_says_it_too(put, kiebitz):
    put(ROUNDS)
    put(ROUNDS)
    event = '{"ev":"score","p":0,"board":"big_straight"}'
    assert kiebitz("fix", "1", "8", event).out.splitlines()[-2:] == MOVED
    moved = kiebitz("fix", "2", "8", event, "--json").json["moved"]
    assert moved == [{"round": "round 1", "was": 9, "now": 8}]


# --- every game asks for what it needs ---

CHILD = lines(
    {"game": "royal_flush", "players": ["Anna", "Ben"], "child": [1, 0]},
    {"ev": "score", "p": 0, "board": "pair"},
    {"ev": "score", "p": 0, "board": "four_kind", "cards": "TH TS TD *"},
    *[{"ev": "score", "p": 0, "board": "royal_flush"}] * 3,
)
POCH = lines(
    {"game": "poch", "players": ["Anna", "Ben", "Cleo"]},
    {"ev": "start_round", "trump": "H"},
    {"ev": "cash", "p": 0, "pool": "A"},
    {"ev": "end_cash", "confirm": True},
    {"ev": "bid", "p": 0, "k": 2},
    {"ev": "hold", "p": 1},
    {"ev": "pass", "p": 2},
    {"ev": "reveal", "hands": {"0": [2, "K", False], "1": [3, "T", False]}},
    {"ev": "lead", "p": 1, "dir": "UP"},
    {"ev": "end_round", "winner": 2, "left": {"0": 3, "1": 4}},
    {"ev": "loan", "from": 0, "to": 1, "k": 5},
    {"ev": "end_game"},
)
TRICK = {"p": 0, "cards": 12, "value": 40, "followed": True, "joker": False}
SPOT = lines(
    {"game": "top_spot", "players": ["Anna", "Ben", "Cleo"], "mode": "assisted", "match_length": 1, "confirm": True},
    {"ev": "trick", "plays": [{**TRICK, "p": p, "value": 40 - p} for p in range(3)]},
    {"ev": "next_game"},
)
PAD = lines(
    {"game": "poker_carre", "players": ["Anna", "Ben"]},
    {"ev": "place", "p": 0, "items": [["H", "straight", 4]]},
    {"ev": "finish"},
)
NINE = "a1 a2 a3 b1 b2 b3 c1 c2 c3"
GRID = lines(
    {"game": "poker_carre", "players": ["Anna", "Ben"], "mode": "grid"},
    {"ev": "layout", "cards": NINE},
    {"ev": "place", "p": 0, "card": "a4", "x": 3, "y": 0},
    {"ev": "finish"},
)
SKYJO = any_game("Skyjo", ["Anna", "Ben"], [12, 7], [30, -2], low=True)
DUEL = counter("Duel", ["Anna", "Ben"], (0, 5), (1, -3), (1, -9), start=10, limit=0)
ASKED = (
    (CHILD, 1, ["", "", "Three", "1"], {"ev": "score", "p": 0, "board": "three_kind", "jokers": 1}),
    (CHILD, 2, ["", "", "", "9H 9S 9D *"], {"ev": "score", "p": 0, "board": "four_kind", "cards": "9H 9S 9D *"}),
    (CHILD, 2, ["", "", "Pair", "-"], {"ev": "score", "p": 0, "board": "pair"}),
    (CHILD, 1, ["2", "Ben", "3"], {"ev": "spend", "p": 1, "k": 3}),
    (CHILD, 1, ["takes", "Ben", "1", "1"], None),
    (CHILD, 1, ["3", "Ben", "1", "1"], {"ev": "take", "p": 1, "swaps": 1, "buys": 1}),
    (POCH, 1, ["", "♠"], {"ev": "start_round", "trump": "S"}),
    (POCH, 2, ["", "Cleo", "Seq"], {"ev": "cash", "p": 2, "pool": "SEQUENCE"}),
    (POCH, 4, ["", "", "3"], {"ev": "bid", "p": 0, "k": 3}),
    (POCH, 7, ["", "3", "A", "no", "0"], {"ev": "reveal", "hands": {"0": [3, "A", False]}}),
    (POCH, 7, ["", "3", "7", "no", "0"], {"ev": "reveal", "hands": {"0": [3, "7", False]}}),
    (POCH, 7, ["1", "nobody"], {"ev": "showdown", "best": None}),
    (POCH, 8, ["", "", "down"], {"ev": "lead", "p": 1, "dir": "DOWN"}),
    (POCH, 9, ["", "Ben", "", "2"], {"ev": "end_round", "winner": 1, "left": {"0": 3, "2": 2}}),
    (POCH, 10, ["", "Cleo", "", ""], {"ev": "loan", "from": 2, "to": 1, "k": 5}),
    (SPOT, 1, ["", *["", "30", ""], *["", "", ""], *["", "", ""]], {"ev": "trick", "plays": [
        {**TRICK, "value": 30}, {**TRICK, "p": 1, "value": 39}, {**TRICK, "p": 2, "value": 38}]}),
    (PAD, 1, ["", "Ben", "", "3", "0", "0", "0", "3"], {
        "ev": "place", "p": 1, "items": [["H", "straight", 4], ["H", "colour", 3], ["V", "set", 3]]}),
    (GRID, 1, ["", "a1 a2 a3 b1 b2 b3 c1 c2 d3"], {"ev": "layout", "cards": "a1 a2 a3 b1 b2 b3 c1 c2 d3"}),
    (GRID, 2, ["", "Ben", "b4", "3", "1"], {"ev": "place", "p": 1, "card": "b4", "x": 3, "y": 1}),
    (SKYJO, 2, ["", "", "-15"], {"ev": "points", "p": 1, "k": -15}),
    (SKYJO, 2, ["", "Anna", "3"], None),  # she has points in this round
    (DUEL, 2, ["", "", "-2"], {"ev": "add", "p": 1, "k": -2}),
)  # fmt: skip


@pytest.mark.parametrize(("game", "k", "answers", "event"), ASKED)
def test_every_game_asks_in_its_own_words(put, kiebitz, game, k, answers, event):
    put(game)
    before = entry(kiebitz, k)
    done = kiebitz("fix", "1", k, answers=[*answers, "yes"])
    assert done.code == (0 if event else 2), done.err
    assert entry(kiebitz, k) == (event or before)


def test_a_correction_that_reads_the_same_in_words_is_told_as_it_is_stored(put, kiebitz):
    put(CHILD)
    event = '{"ev":"score","p":0,"cards":"9H 9S 9D *","board":"four_kind"}'
    assert kiebitz("fix", "1", "2", event).out.startswith('Game 1, entry 2: {"ev":"score","p":0,"cards":"TH TS TD *"')


def test_what_the_rules_doubt_is_asked_about(put, kiebitz):
    put(POCH)
    assert kiebitz("fix", "1", "3", answers=["1", "Ben", "King", "yes"]).code == 3  # then the bidding never began
    put(royal(["Anna", "Ben"], [0, 0, 0], spent=[1], child=[1, 0]))
    answers = ["1", "Ben", "Pair", "1"]
    done = kiebitz("fix", "2", "1", answers=[*answers, "yes", "yes"])
    assert "Ben is not a child. Really with a joker? (yes/no) > yes" in done.out
    assert entry(kiebitz, 1, 2) == {"ev": "score", "p": 1, "board": "pair", "jokers": 1, "confirm": True}


def test_the_names_of_all_seats_are_asked_for_one_by_one(monkeypatch):
    """Ask for an event with the argument `players`, for which a game needs no code."""
    game = new_game({"game": "poker_carre", "players": ["Anna", "Ben"]})
    monkeypatch.setattr(sys, "stdin", io.StringIO("\nBea\n"))
    value = on_laptop("poker_carre").ask_value(Asker(), game, {"ev": "seats"}, "players", None, NOTHING, False)
    assert value == ["Anna", "Bea"]


def test_every_argument_of_every_game_has_its_question():
    for kind in GAMES:
        for event, arguments in game_class(kind).EVENTS.items():
            for what, _, _ in arguments:
                own = what in ("items", "hands", "plays", "players")  # several questions each
                assert own or has(f"ask.{what}") or has(f"ask.{what}.{kind}"), (kind, event, what)


LANGUAGES = (
    ("de", "Was ist passiert?", "Speichern? (ja/nein) [ja] > ", "(Platz 1, gewonnen)"),
    ("fr", "Que s'est-il passé\u202f?", "Enregistrer\u202f? (oui/non) [oui] > ", "(rang 1, gagné)"),
    ("it", "Che cosa è successo?", "Salvare? (sì/no) [sì] > ", "(posto 1, vinto)"),
    ("nl", "Wat gebeurde er?", "Opslaan? (ja/nee) [ja] > ", "(plaats 1, gewonnen)"),
)


@pytest.mark.parametrize(("lang", "first", "last", "won"), LANGUAGES)
def test_it_asks_in_every_language(put, kiebitz, lang, first, last, won):
    put(GAME)
    out = kiebitz("fix", "1", "4", "--lang", lang, answers=["", "", "5", ""]).out
    assert first in out and last in out and won in out


USAGE = (
    (["4", "--undo"], "--undo stands alone"),
    (["--remove"], "take the number of an entry"),
    (["4", "--insert", "--remove"], "do not go together"),
    (["4", '{"ev":"finish"}', "--remove"], "write no other entry"),
    (["4", "--json"], "--json asks nothing"),
    (["4", "--entry", "4", "--with", '{"ev":"finish"}'], "write the entry once"),
    (["7"], "there is no entry 7: game 1 has 6"),
)


@pytest.mark.parametrize(("argv", "sentence"), USAGE)
def test_what_makes_no_sense_is_bad_usage(put, kiebitz, argv, sentence):
    put(GAME)
    done = kiebitz("fix", "1", *argv)
    assert (done.code, done.out) == (2, "") and sentence in done.err


def test_marks_move_with_the_entries_that_were_put_in_or_taken_out():
    def fix(entry, old, new, state="in force"):
        return {"entry": entry, "old": old, "new": new, "state": state}

    one = {"ev": "finish"}
    assert changed_entries([fix(4, one, one), fix(2, None, one)]) == {2, 5}
    assert changed_entries([fix(4, one, one), fix(2, one, None)]) == {3}
    assert changed_entries([fix(4, one, one), fix(4, one, None), fix(1, one, one, "undone")]) == set()


# --- --insert and --remove ---

FORGOTTEN = '{"ev":"mark","p":1,"rubric":5}'


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
    assert "[" not in done.out.replace("[yes]", "")  # an inserted entry does not have old values
    assert scores(kiebitz) == [3, 12]
    done = kiebitz("fix", "1", "1", "--insert", answers=["2", ""])
    assert done.code == 2 and '"" is not an answer to: Who?' in done.err


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
