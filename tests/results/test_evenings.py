"""A club's evening on the command line: people, draw, games, standings, money, and what can go wrong."""

import csv
import io

import pytest
from helpers.finished import DAY, SEVEN, any_game, carre
from kiebitz_host.games.base import GameOnLaptop
from kiebitz_host.library import decisions, people, removals
from kiebitz_host.library.club_evenings import Evenings
from kiebitz_host.outcome import Trouble


@pytest.fixture
def trouble(kiebitz):
    """Return a function that runs a command that must fail with one sentence, and returns the sentence."""

    def fails(*argv):
        run = kiebitz("evening", *argv)
        *notes, sentence = run.err.splitlines()
        assert (run.code, run.out) == (2, "") and all("this is the evening" in note for note in notes)
        return sentence

    return fails


def show(kiebitz, *more):
    return kiebitz("evening", "show", "--json", *more).json


def tables(kiebitz, series=1):
    """Return the people of each table of a series."""
    (draw,) = [draw for draw in show(kiebitz)["draws"] if draw["series"] == series]
    return [table["people"] for table in draw["tables"]]


def drawn(kiebitz, *argv):
    run = kiebitz("evening", "draw", *argv, "--json")
    assert run.code == 0, run.err
    return run


def test_an_evening_from_people_to_money(kiebitz, put, evening):
    drawn(kiebitz, "--seed", 1)
    first, second = tables(kiebitz)
    assert sorted(first + second) == SEVEN and [len(first), len(second)] == [4, 3]
    put(carre(first, [4, 1, 2, 3]))
    put(carre(second[::-1], [1, 5, 2]))  # seats do not matter
    assigned = kiebitz("evening", "assign", "--json").json
    assert [(one["game"], one["series"], one["table"]) for one in assigned["assigned"]] == [(1, 1, 1), (2, 1, 2)]
    assert assigned["asked"] == []
    points = {line["name"]: line["points"] for line in kiebitz("evening", "standings", "--json").json}
    drawn(kiebitz, "--seed", 2)  # by result
    best = tables(kiebitz, 2)[0]
    assert min(points[name] for name in best) >= max(points[name] for name in SEVEN if name not in best)
    put(carre(best, [0, 1, 0, 0]))
    put(carre(tables(kiebitz, 2)[1], [0, 1, 0]))
    assert [one["series"] for one in kiebitz("evening", "assign", "--json").json["assigned"]] == [2, 2]
    standings = kiebitz("evening", "standings", "--json").json
    assert standings[0]["place"] == 1
    assert all(sum(line["series"].values()) == line["points"] for line in standings)
    assert sum(line["tables_won"] for line in standings) == 4
    assert kiebitz("evening", "change", "--stake", "5", "--prizes", "20", "10").code == 0
    money = kiebitz("evening", "money", "--json").json
    assert money["cash_box"] == 7 * 500 - 3000 and sum(line["balance"] for line in money["people"]) == -500
    assert max(money["people"], key=lambda line: line["prize"])["name"] == standings[0]["name"]
    for action in ("show", "standings", "money", "list", "history", "season"):
        run = kiebitz("evening", action)
        assert run.code == 0 and run.err == "" and run.out
    assert "Table 1" in kiebitz("evening", "show").out and "Cash box" in kiebitz("evening", "money").out


def test_fees_for_lost_games_come_from_the_folder_of_the_game(kiebitz, put, evening, monkeypatch):
    assert "nobody loses single games" in kiebitz("evening", "change", "--fees", "1.00").err
    monkeypatch.setattr(GameOnLaptop, "lost_games", lambda self, game: [k for k, _ in enumerate(game.names, 3)])
    assert kiebitz("evening", "change", "--fees", "3x0.50", "1,00").code == 0
    drawn(kiebitz, "--seed", 1)
    put(carre(tables(kiebitz)[0], [4, 1, 2, 3]))
    kiebitz("evening", "assign")
    money = {line["name"]: line for line in kiebitz("evening", "money", "--json").json["people"]}
    assert [money[name]["fees"] for name in tables(kiebitz)[0]] == [150, 250, 350, 450]
    assert [money[name]["lost_games"] for name in tables(kiebitz)[1]] == [0, 0, 0]


def test_money_is_settled_once_and_later_changes_are_named(kiebitz, put, evening):
    drawn(kiebitz)
    kiebitz("evening", "change", "--stake", "2.50")
    settled = kiebitz("evening", "money", "--settle", "--json").json
    assert [line["settled"] for line in settled["people"]] == [-250] * 7
    kiebitz("evening", "change", "--prizes", "10")
    put(carre(tables(kiebitz)[0], [4, 1, 2, 3]))
    kiebitz("evening", "assign")
    assert f"Changed since it was settled: {tables(kiebitz)[0][0]}." in kiebitz("evening", "money").out


# --- what is played ---


@pytest.mark.parametrize(
    ("words", "title", "settings"),
    [
        (["skat", "--set", "score=seeger"], "Skat Seeger", {"score": "seeger"}),
        (["five_dice"], "Kniffel", {}),
        (["bids"], "Wizard", {}),
        (["any_game", "--title", "Romm\u00e9"], "Romm\u00e9", {"wins": "low"}),
        (["any_game", "--title", "uno", "--set", "limit=300"], "uno", {"end": "target", "limit": 300}),
        (["any_game", "--title", "Boule"], "Boule", {}),
    ],
)
def test_a_title_follows_from_the_rules_and_brings_its_usual_ones(kiebitz, words, title, settings):
    assert kiebitz("evening", "new", "Club", "--game", *words).code == 0
    found = show(kiebitz)
    assert (found["title"], found["settings"]) == (title, settings)


def test_a_title_in_another_case_is_the_same_game(kiebitz, put):
    kiebitz("evening", "new", "Club", "--game", "any_game", "--title", "BOULE", "--day", DAY)
    kiebitz("evening", "here", "--new", *SEVEN[:4])
    drawn(kiebitz)
    put(any_game("Boule", SEVEN[:4], [1, 2, 3, 4]))
    assert len(kiebitz("evening", "assign", "--json").json["assigned"]) == 1


def test_rules_stay_until_the_title_changes(kiebitz):
    def change(*words):
        assert kiebitz("evening", "change", *words).code == 0
        return show(kiebitz)["title"], show(kiebitz)["settings"]

    kiebitz("evening", "new", "Club", "--game", "skat", "--set", "score=seeger", "--set", "ramsch=on")
    assert change("--series", "2") == ("Skat Seeger", {"score": "seeger", "ramsch": "on"})
    assert change("--set", "ramsch=on") == ("", {"ramsch": "on"})
    assert change("--game", "any_game", "--title", "Rummy") == ("Rummy", {"wins": "low"})
    assert change("--title", "Boule") == ("Boule", {})


def test_only_sizes_of_tables_that_the_rules_accept(kiebitz, trouble):
    rules = ("--game", "any_game", "--set", "sits_out=dealer")
    assert kiebitz("evening", "new", "Club", *rules).code == 0
    assert min(show(kiebitz)["sizes"]) == 4
    assert "do not accept sits_out" in trouble("new", "Other", *rules, "--sizes", "4", "2")


# --- people ---


def test_a_member_named_twice_or_in_two_spellings_counts_once(kiebitz, evening):
    run = kiebitz("evening", "here", "--new", "Hugo", "hugo", "anna", "Hugo")
    assert run.code == 0 and "Hugo was named 3 times" in run.err
    assert "No change for Anna" in run.out
    assert show(kiebitz)["here"]["1"] == [*SEVEN, "Hugo"]


def test_two_spellings_that_are_joined_later_have_one_seat(kiebitz, put, evening):
    kiebitz("evening", "here", "--new", "Annika")  # nobody has played a game yet
    drawn(kiebitz, "--seed", 4)
    assert kiebitz("players", "join", "Anna", "Annika").code == 0
    assert sorted(name for table in tables(kiebitz) for name in table) == SEVEN


def test_a_typing_error_is_no_new_member(trouble, evening):
    assert "there is nobody called 'Annna'" in trouble("here", "Annna")
    assert "1 to 24 letters" in trouble("here", "--new", "x" * 25)
    assert "Guest 1 is a guest" in trouble("here", "--new", "Guest 1")


def test_names_with_accents_stand_beside_those_without(kiebitz, evening):
    kiebitz("evening", "here", "--new", "\u00c4nne", "\u00c9va", "Zoe")
    here = show(kiebitz)["here"]["1"]
    assert here == ["Anna", "\u00c4nne", "Ben", "Cleo", "Dan", "Eva", "\u00c9va", *SEVEN[5:], "Zoe"]


def test_who_comes_late_and_who_leaves(kiebitz, evening):
    drawn(kiebitz, "--seed", 3)
    kiebitz("evening", "here", "--new", "Hugo")  # from series 2 on
    kiebitz("evening", "gone", "Anna")
    found = show(kiebitz)
    assert found["here"] == {"1": SEVEN, "2": [*SEVEN[1:], "Hugo"]}
    drawn(kiebitz, "--by", "meet")
    assert sorted(name for table in tables(kiebitz, 2) for name in table) == [*SEVEN[1:], "Hugo"]


def test_too_few_for_a_table(kiebitz, trouble, evening):
    kiebitz("evening", "gone", *SEVEN[2:])
    assert "2 present: too few for a table of 3" in trouble("draw")
    kiebitz("evening", "gone", "Anna", "Ben")
    assert "nobody is here yet" in trouble("draw")
    assert "a table of 9 cannot play this game" in trouble("change", "--sizes", "9")


def test_byes_are_fair_over_the_series_of_a_season(kiebitz):
    for day in range(1, 6):
        kiebitz("evening", "new", f"E{day}", "--game", "top_spot", "--day", f"2026-01-0{day}", "--sizes", "4", "3")
        kiebitz("evening", "here", "--new", "-e", f"E{day}", *SEVEN[:5])
        drawn(kiebitz, "-e", f"E{day}", "--seed", day)
    byes = [show(kiebitz, "-e", f"E{day}")["draws"][0]["byes"] for day in range(1, 6)]
    assert sorted(name for names in byes for name in names) == SEVEN[:5]


# --- draws ---


def test_a_draw_is_repeated_by_its_seed(kiebitz, evening):
    drawn(kiebitz)
    first = show(kiebitz)["draws"][0]
    drawn(kiebitz, "--again", "--series", 1, "--seed", first["seed"])
    assert tables(kiebitz) == [table["people"] for table in first["tables"]]
    assert show(kiebitz)["notes"] == []  # it was replaced on purpose


def test_bad_draws(kiebitz, trouble, evening, put):
    assert "series 1 has no results yet" in trouble("draw", "--series", "2")
    drawn(kiebitz, "--seed", 1)
    assert "is drawn already" in trouble("draw", "--series", "1")
    assert "this evening has 2 series" in trouble("draw", "--series", "3")
    put(carre(tables(kiebitz)[0], [4, 1, 2, 3]))
    kiebitz("evening", "assign")
    assert "series 1 has games" in trouble("draw", "--series", "1", "--again")
    assert "--seed: 'x' is not a number" in kiebitz("evening", "draw", "--seed", "x").err


def test_a_draw_by_result_names_the_tables_without_a_game(kiebitz, put, evening):
    drawn(kiebitz, "--seed", 1)
    put(carre(tables(kiebitz)[0], [4, 1, 2, 3]))
    kiebitz("evening", "assign")
    run = kiebitz("evening", "draw")
    assert run.code == 0 and "no game yet: table 2 of series 1. By the result, their players sit at" in run.err
    assert "no game yet" not in kiebitz("evening", "draw", "--again", "--series", "2", "--by", "lot").err


def test_undo_and_history(kiebitz, trouble, evening, monkeypatch):
    monkeypatch.setenv("KIEBITZ_AUTHOR", "Ben's laptop")
    drawn(kiebitz, "--seed", 1)
    first = tables(kiebitz)
    drawn(kiebitz, "--seed", 2, "--again", "--series", 1)
    assert "series 1 drawn by lot, seed 2" in kiebitz("evening", "undo").out
    assert tables(kiebitz) == first
    rows = kiebitz("evening", "history", "--json").json
    assert [(row["author"], row["what"], row["in_force"]) for row in rows[2:]] == [
        ("Ben's laptop", "series 1 drawn by lot, seed 1", True),
        ("Ben's laptop", "series 1 drawn by lot, seed 2", False),
        ("Ben's laptop", "undone: series 1 drawn by lot, seed 2", True),
    ]
    for _ in range(2):
        assert kiebitz("evening", "undo").code == 0
    assert "nothing is left to undo" in trouble("undo")


# --- games ---


def test_a_game_finished_twice_is_asked(kiebitz, put, evening):
    drawn(kiebitz, "--seed", 1)
    first = tables(kiebitz)[0]
    put(carre(first, [4, 1, 2, 3]))
    put(carre(first, [1, 2, 3, 4]))
    found = kiebitz("evening", "assign", "--json").json
    assert found["assigned"] == [] and len(found["asked"]) == 2
    assert "game 1 fits table 1 of series 1, and so does game 2" in found["asked"][0]
    assert kiebitz("evening", "assign", "2").code == 0
    assert "has game 2 already" in kiebitz("evening", "assign", "1").err
    (asked,) = kiebitz("evening", "assign", "--json").json["asked"]
    assert "table 1 of series 1, which has game 2" in asked
    assert "off the evening" in kiebitz("evening", "assign", "2", "--none").out
    assert kiebitz("evening", "assign", "1").code == 0


def test_games_that_do_not_fit(kiebitz, trouble, put, evening):
    drawn(kiebitz, "--seed", 1)
    first = tables(kiebitz)[0]
    put(carre(["Hugo", "Ida"], [1, 2]))
    put(carre(first, [4, 1, 2, 3])[:-1])  # not finished
    put(carre(first, [4, 1, 2, 3]), day=6)  # the clock of a device is a day wrong
    found = kiebitz("evening", "assign", "--json").json
    assert found["assigned"] == []
    assert [sentence.partition(":")[0] for sentence in found["asked"]] == [
        "game 1 (Hugo, Ida) fits no table",
        "game 3 fits table 1 of series 1, but was played on another day",
    ]
    assert "is not finished" in trouble("assign", "2")
    assert "does not name one table" in trouble("assign", "1")
    assert "has no table 3" in trouble("assign", "1", "--series", "1", "--table", "3")
    kiebitz("evening", "assign", 3, "--series", 1, "--table", 1)
    kiebitz("evening", "assign", 1, "--series", 1, "--table", 2)
    (note,) = show(kiebitz)["notes"]
    assert "but was played by Hugo, Ida" in note
    kiebitz("delete", 3)
    assert show(kiebitz)["notes"][0] == "game 3 of table 1 of series 1 is deleted: it does not count."
    assert [line["name"] for line in kiebitz("evening", "standings", "--json").json] == ["Ida", "Hugo"]


def test_a_cancelled_evening_keeps_its_games(kiebitz, trouble, put, evening):
    drawn(kiebitz, "--seed", 1)
    put(carre(tables(kiebitz)[0], [4, 1, 2, 3]))
    kiebitz("evening", "assign")
    assert "Its 1 games stay" in kiebitz("evening", "cancel").out
    assert len(kiebitz("games", "--json").json) == 1
    assert kiebitz("league", "--json").json["games"] == 1
    assert "there is no evening" in trouble("draw")
    assert kiebitz("evening", "standings", "--since", DAY, "--json").json == []
    assert kiebitz("evening", "restore").code == 0
    assert len(kiebitz("evening", "standings", "--since", DAY, "--json").json) == 4
    assert kiebitz("evening", "restore").code == 2


def test_a_game_belongs_to_one_evening(kiebitz, trouble, put, evening):
    kiebitz("evening", "new", "Other", "--game", "poker_carre", "--day", DAY)
    kiebitz("evening", "here", "-e", "Other", *SEVEN[:4])
    kiebitz("evening", "draw", "-e", "Other")
    put(carre(SEVEN[:4], [4, 1, 2, 3]))
    assert kiebitz("evening", "assign", "-e", "Other", "1").code == 0
    assert "belongs to another evening" in trouble("assign", "-e", "Club", "1", "--series", "1", "--table", "1")
    kiebitz("evening", "cancel", "-e", "Other")
    kiebitz("evening", "draw", "-e", "Club", "--seed", "1")
    assert kiebitz("evening", "assign", "-e", "Club", "1", "--series", "1", "--table", "1").code == 0


def test_the_evening_of_another_day_is_named(kiebitz, evening):
    run = kiebitz("evening", "gone", "Anna")  # the clock of this laptop says another day
    assert run.code == 0 and f"this is the evening Club of {DAY}; today is" in run.err


def test_an_evening_that_is_called_like_the_id_of_another_takes_nothing_from_it(kiebitz, store, evening):
    (club,) = Evenings(store).all
    own = club.key.partition("/")[2]
    kiebitz("evening", "new", own, "--game", "top_spot", "--day", DAY)
    assert kiebitz("evening", "draw", "-e", "Club").code == 0
    assert [one.key for one in Evenings(store).all if one.draws] == [club.key]
    assert Evenings(store).find(own).name == "Club"


# --- names, seasons and teams ---


def test_names_with_formulas_in_csv(kiebitz, put, tmp_path):
    names = ["=1+1", "@SUM(A1)", "-Ben"]
    kiebitz("evening", "new", "Club", "--game", "poker_carre", "--day", DAY)
    put(carre(names, [3, 2, 1]))
    assert kiebitz("evening", "here", "--", *names).code == 0
    drawn(kiebitz)
    kiebitz("evening", "assign")
    for action in ("standings", "money"):
        out = kiebitz("evening", action, "--csv", "-").out
        found = [row["name"] for row in csv.DictReader(io.StringIO(out))][:3]
        assert sorted(found) == sorted(f"'{name}" for name in names)
        assert kiebitz("evening", action, "--csv", tmp_path / "x.csv").code == 0
        assert (tmp_path / "x.csv").read_text() == out
    assert "cannot write" in kiebitz("evening", "money", "--csv", tmp_path / "none" / "x.csv").err


def test_seasons_and_teams(kiebitz, trouble, put, evening):
    assert kiebitz("evening", "season", "Winter", "--since", "2026-01-01", "--until", "2026-01-31").code == 0
    assert kiebitz("evening", "season", "winter", "--by", "best", "--best", "2").code == 0
    (season,) = kiebitz("evening", "season", "--json").json
    assert (season["name"], season["by"], season["best"]) == ("Winter", "best", 2)
    drawn(kiebitz, "--seed", 1)
    first = tables(kiebitz)[0]
    put(carre(first, [4, 1, 2, 3]))
    kiebitz("evening", "assign")
    assert len(kiebitz("evening", "standings", "--season", "Winter", "--json").json) == 4
    assert kiebitz("evening", "team", "Reds", *first[:2]).code == 0
    assert kiebitz("evening", "team", "Blues", *first[1:3]).code == 0  # the second is a Blue now
    teams = kiebitz("evening", "standings", "--teams", "--json").json
    assert {line["name"]: line["points"] for line in teams} == {"Reds": 4, "Blues": 3}
    assert "there is no season 'x'" in trouble("standings", "--season", "x")
    assert "ends before it begins" in trouble("season", "y", "--since", "2026-02-01", "--until", "2026-01-01")
    kiebitz("evening", "new", "Poch", "--game", "poch", "--day", "2026-01-07")
    assert "points of different games" in trouble("standings", "--season", "Winter")
    assert len(kiebitz("evening", "standings", "--season", "Winter", "--game", "poker_carre", "--json").json) == 4
    assert kiebitz("evening", "season", "Winter", "--remove").code == 0
    assert kiebitz("evening", "season", "--json").json == []


def test_bad_words(kiebitz, trouble):
    assert "there is no evening" in trouble("show")
    assert "choose what to do" in trouble()
    for words, sentence in (
        (["new", "X", "--game", "poch", "--set", "wrong=5"], "the rules do not accept wrong"),
        (["new", "X", "--game", "poch", "--title", "T"], "has no titles"),
        (["new", "X", "--game", "poch", "--stake", "-1e3"], "expected one argument"),
        (["new", "X", "--game", "poch", "--stake", "ten"], "is not an amount of money"),
        (["new", "X", "--game", "poch", "--sizes", "2", "9"], "a table of 9 cannot play"),
        (["new", " ", "--game", "poch"], "needs a name"),
        (["new", "X" * 61, "--game", "poch"], "cannot be stored"),
    ):
        run = kiebitz("evening", *words)
        assert run.code == 2 and sentence in run.err and "Traceback" not in run.err
    assert kiebitz("evening", "list", "--json").json == []


def test_a_draw_that_fails_leaves_nothing(store, monkeypatch, kiebitz, evening):
    before = decisions.contents(store.db)
    found = Evenings(store)

    def fail(*args, **values):
        decisions_decide(*args, **values)
        raise Trouble("the disk is full.")

    decisions_decide = decisions.decide
    monkeypatch.setattr(decisions, "decide", fail)
    with pytest.raises(Trouble):
        found.draw(found.find("Club"), 1, "lot", 1)
    assert decisions.contents(store.db) == before


# --- nothing else is touched ---


def test_decisions_about_evenings_touch_no_game(kiebitz, put, evening, store):
    put(carre(["Anna", "Ben"], [1, 2]), game_id="evening")
    removals.delete(store, 1)
    people.rename(store.db, people.find(store.db, "Anna"), "Anne")
    assert [game["deleted"] for game in kiebitz("games", "--deleted", "--json").json] == [True]
    assert len(kiebitz("evening", "list", "--json").json) == 1
    assert "Anne" in show(kiebitz)["here"]["1"]
    assert store.rebuild() == 1


AN_EVENING = {"name": "E", "day": DAY, "game": "poch", "title": "", "settings": "{}", "series": 1, "sizes": [4],
              "money": {"stake": 0, "fees": [], "prizes": []}}  # fmt: skip


def test_an_evening_that_can_be_stored():
    decisions.decode(decisions.content_of(1, "x", "evening", "evening/0123456789abcdef", AN_EVENING, "n"))


@pytest.mark.parametrize(
    ("kind", "about", "values"),
    [
        ("draw", "evening/0123", {"series": 1, "method": "lot", "seed": 1, "tables": [], "known": []}),
        ("draw", "", {"series": 1, "method": "lot", "seed": 1, "tables": [], "known": []}),
        ("draw", "evening/0123456789abcdef", {"series": 0, "method": "lot", "seed": 1, "tables": [], "known": []}),
        ("draw", "evening/0123456789abcdef", {"series": 1, "method": "x", "seed": 1, "tables": [], "known": []}),
        ("present", "evening/0123456789abcdef", {"names": ["a\nb"], "here": True, "series": 1}),
        ("delete", "evening/0123456789abcdef", {}),
        ("cancel", "aabbcc-0001/0123456789ab", {}),
        ("settle", "evening/0123456789abcdef", {"sheet": [["Anna", 0.5]]}),
        ("evening", "evening/0123456789abcdef", {**AN_EVENING, "sizes": []}),
        ("evening", "evening/0123456789abcdef", {**AN_EVENING, "settings": '{"a":NaN}'}),
        ("evening", "evening/0123456789abcdef", {**AN_EVENING, "settings": '{"a": 1}'}),
        ("season", "evening/0123456789abcdef", {"name": "S", "since": DAY, "until": None, "by": "sum", "best": 1,
                                                "least": 1}),
        ("season", "season/0123456789abcdef", {"name": "S", "since": "2026-02-30", "until": None, "by": "sum",
                                               "best": 1, "least": 1}),
    ],
)  # fmt: skip
def test_forged_decisions_about_evenings(kind, about, values):
    with pytest.raises(decisions.BadDecision):
        decisions.decode(decisions.content_of(1, "x", kind, about, values, "n"))
