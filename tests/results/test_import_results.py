"""`kiebitz import results`: old seasons from CSV, marked, counted only when asked for, never doubled."""

import random
import time

import pytest
from helpers.finished import carre
from hypothesis import given
from hypothesis import strategies as st
from kiebitz_host.exchange import StoreSide, exchange
from kiebitz_host.exchange.results import day_of, points_of, read_results
from kiebitz_host.library import imported, journals, league_cache, query
from kiebitz_host.library.store import Store
from kiebitz_lab.synthetic_store import shown

HEAD = "Datum;Spiel;Serie;Name;Punkte\n"
SEASON = HEAD + (
    "31.01.2025;Jass;1;Anna;1204\n31.01.2025;Jass;1;Ben;-87\n31.01.2025;Jass;2;Anna;12\n31.01.2025;Jass;2;Ben;655\n"
    "2025-02-28;Pochen;;Ben;30\n2025-02-28;Pochen;;Cleo;30\n"
)


@pytest.fixture
def take(kiebitz, tmp_path):
    """Return a function that imports a text or bytes as results."""

    def run(content, *options):
        file = tmp_path / "season.csv"
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return kiebitz("import", "results", file, *(options or ["--yes"]))

    return run


def listed(kiebitz):
    games = kiebitz("games", "--json").json
    return [(game["title"] if "title" in game else game["game"], [(s["name"], s["score"]) for s in game["scores"]])
            for game in games]  # fmt: skip


def test_a_season_is_listed_and_marked_as_imported(take, kiebitz):
    done = take(SEASON)
    assert done.code == 0 and done.out.endswith("3 games new.\n3 games taken.\n")
    assert sorted(listed(kiebitz)) == [
        ("Jass", [("Anna", 1204), ("Ben", -87)]), ("Jass", [("Ben", 655), ("Anna", 12)]),
        ("poch", [("Ben", 30), ("Cleo", 30)]),
    ]  # fmt: skip
    lines = kiebitz("games", "--lang", "de").out.splitlines()
    assert len(lines) == 5 and all(line.rstrip().endswith("importiert") for line in lines[2:])
    game = kiebitz("games", "--json", "--game", "poch").json[0]
    assert (game["imported"], game["at"], [s["rank"] for s in game["scores"]]) == (True, "2025-02-28T12:00:00Z", [1, 1])


def test_the_same_file_twice_changes_nothing(take, kiebitz):
    take(SEASON)
    before = kiebitz("games", "--json").out
    rows = SEASON.splitlines()[1:]
    again = take((HEAD + "\n".join(reversed(rows))).encode("cp1252"))
    assert again.code == 0 and "0 games new, 3 known already." in again.out
    assert kiebitz("games", "--json").out == before
    more = take(SEASON + "01.03.2025;Jass;;Anna;1\n01.03.2025;Jass;;Ben;2\n")
    assert more.out.endswith("1 game new, 3 known already.\n1 game taken.\n")


def test_they_count_only_when_asked_for(take, put, kiebitz):
    put(carre(["Anna", "Ben"], [3, 2]))
    before = [kiebitz(*words).out for words in (("league", "--json"), ("players", "--json"), ("export", "csv"))]
    take(SEASON)
    assert [kiebitz(*w).out for w in (("league", "--json"), ("players", "--json"), ("export", "csv"))] == before
    assert "3 imported results; --imported counts them" in kiebitz("league", "--lang", "en").out
    league = kiebitz("league", "--imported", "--json").json
    assert league["games"] == 4
    assert {one["name"]: one["played"] for one in league["players"]} == {"Anna": 3, "Ben": 4, "Cleo": 1}
    players = kiebitz("players", "--imported", "--json").json
    assert {one["name"]: (one["games"], one["won"]) for one in players} == {
        "Anna": (3, 2),
        "Ben": (4, 2),
        "Cleo": (1, 1),
    }
    league = kiebitz("league", "Jass", "--imported", "--json").json
    assert {one["name"]: one["points"] for one in league["players"]} == {"Anna": 1216, "Ben": 568}
    assert len(kiebitz("export", "csv", "--imported").out.splitlines()) == 1 + 2 + 6
    assert "1 game" not in kiebitz("players", "--imported", "--period", "month").err


def test_everything_reads_a_game_without_entries(take, kiebitz, tmp_path):
    take(SEASON)
    number = next(game["number"] for game in kiebitz("games", "--json").json if game["scores"][0]["score"] == 655)
    sheet = kiebitz("show", number, "--lang", "en").out
    assert "Imported." in sheet and "2" in sheet and "655" in sheet
    assert kiebitz("show", number, "--raw").out.startswith('{"imported":1,"game":"any_game","title":"jass"')
    assert kiebitz("show", number, "--json").json["rows"] == []
    fixed = kiebitz("fix", number, "1", "{}")
    assert fixed.code == 2 and "imported without entries" in kiebitz("fix", number, "1", '{"ev":"x"}').err
    for form in ("csv", "json", "bgstats"):
        assert kiebitz("export", form, "--imported").code == 0
    assert kiebitz("export", "link", number).code == 0
    for what in ([number], ["--day", "2025-01-31"]):
        assert kiebitz("export", "html", *what, "-o", tmp_path / "page.html").code == 0
    assert "--imported is for" in kiebitz("export", "html", "--league", "--imported").err
    assert kiebitz("delete", number).code == 0
    assert len(listed(kiebitz)) == 2
    kiebitz("rebuild")
    assert len(listed(kiebitz)) == 2
    assert f"kiebitz restore {number}" in take(SEASON).out
    assert kiebitz("restore", number).code == 0 and len(listed(kiebitz)) == 3


def test_places_and_winners_of_the_file_count(take, kiebitz):
    head = "date,game,player,points,place,won\n"
    take(head + "2025-01-01,Wizard,Anna,10,2,\n2025-01-01,Wizard,Ben,5,1.,\n2025-01-02,Wizard,Anna,10,1,no\n"
         "2025-01-02,Wizard,Ben,5,2,yes\n")  # fmt: skip
    games = kiebitz("games", "--json").json
    assert [[(s["name"], s["rank"], s["winner"]) for s in game["scores"]] for game in games] == [
        [("Anna", 1, False), ("Ben", 2, True)], [("Ben", 1, True), ("Anna", 2, False)],
    ]  # fmt: skip
    take("date,player,points\n2025-03-01,Anna,10\n2025-03-01,Ben,5\n", "--game", "Golf", "--low", "--yes")
    assert [s["name"] for s in kiebitz("games", "--json").json[0]["scores"] if s["winner"]] == ["Ben"]


GOOD = "01.02.2025;Jass;9;Dan;1\n01.02.2025;Jass;9;Eva;2\n"


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ("31.02.2025;Jass;1;Anna;1\n31.02.2025;Jass;1;Ben;2\n", "line 2: '31.02.2025' is a day that does not exist."),
        ("01/02/2025;Jass;1;Anna;1\n01/02/2025;Jass;1;Ben;2\n", "line 2: '01/02/2025' may be two days: add --dates"),
        ("31.01.25;Jass;1;Anna;1\n31.01.25;Jass;1;Ben;2\n", "line 2: '31.01.25': write the year with four digits."),
        ("gestern;Jass;1;Anna;1\ngestern;Jass;1;Ben;2\n", "line 2: 'gestern' is not a date"),
        (";Jass;1;Anna;1\n;Jass;1;Ben;2\n", "line 2: there is no date."),
        ("31.01.2025;;1;Anna;1\n31.01.2025;;1;Ben;2\n", "line 2: '' is not the title of a game"),
        ("31.01.2025;Jass;1;Anna;12,5\n31.01.2025;Jass;1;Ben;2\n", "line 2: '12,5' is a fraction"),
        ("31.01.2025;Jass;1;Anna;1.204\n31.01.2025;Jass;1;Ben;2\n", "line 2: '1.204' may be a fraction or thousands"),
        ("31.01.2025;Jass;1;Anna;viel\n31.01.2025;Jass;1;Ben;2\n", "line 2: 'viel' is not a number of points."),
        ("31.01.2025;Jass;1;Anna;\n31.01.2025;Jass;1;Ben;2\n", "line 2: there are no points."),
        (
            "31.01.2025;Jass;1;Anna;1\n31.01.2025;Jass;1;Anna;2\n",
            "line 3: 'Anna' is in this game twice, first in line 2",
        ),
        ("31.01.2025;Jass;1;Anna;1\n", "line 2: this game has only one player"),
        ("31.01.2025;Jass;1;Anna\n31.01.2025;Jass;1;Ben;2\n", "line 2: it has 4 columns instead of 5."),
        ('31.01.2025;Jass;1;"Anna;1\n31.01.2025;Jass;1;Ben;2\n', "line 2: a quotation mark is not closed"),
        ("31.01.2025;Jass;1;Anna;1\n31.01.2025;Jass;1;;2\n", "line 3: there is no name."),
    ],
)
def test_a_wrong_row_is_named_and_nothing_is_taken(take, kiebitz, rows, sentence):
    refused = take(HEAD + rows + "\n" + GOOD)
    assert refused.code == 2 and sentence in refused.err and "nothing was taken" in refused.err
    assert kiebitz("games", "--json").json == []
    skipped = take(HEAD + rows + "\n" + GOOD, "--yes", "--skip-bad")
    assert skipped.code == 2 and sentence in skipped.err
    assert listed(kiebitz) == [("Jass", [("Eva", 2), ("Dan", 1)])]


def test_other_results_of_a_known_game_are_not_a_second_game(take, kiebitz):
    take(HEAD + GOOD)
    done = take(HEAD + GOOD.replace("Eva;2", "Eva;3"))
    assert done.code == 2
    assert "line 2: game 1 is the same one of 2025-02-01 with other results; if these are right" in done.err
    kiebitz("delete", 1)
    assert take(HEAD + GOOD.replace("Eva;2", "Eva;3")).code == 0
    assert listed(kiebitz) == [("Jass", [("Eva", 3), ("Dan", 1)])]


def test_other_words_for_the_same_game_do_not_double_it(take, kiebitz):
    take(HEAD + GOOD)
    assert "1 known already" in take(HEAD + GOOD.replace("01.02.2025", "2025-02-01")).out
    assert "game 1 is the same one" in take(HEAD + GOOD.replace("Jass", "JASS")).err
    assert "game 1 is the same one" in take(HEAD + GOOD, "--low", "--yes").err
    rows = "01.03.2025;Jass;9;Dan;1\n01.03.2025;Jass;9;Eva;2\n2025-03-01;Jass;9;Anna;1\n2025-03-01;Jass;9;Ben;2\n"
    done = take(HEAD + rows + GOOD, "--yes", "--skip-bad")
    assert done.code == 2 and "line 4: this is the game of line 2, written differently" in done.err
    assert len(listed(kiebitz)) == 1


def test_a_file_without_what_is_needed(take):
    done = take("Datum;Name;Punkte\n")
    assert done.code == 2 and "no column game; there are 'Datum', 'Name', 'Punkte'" in done.err
    assert "0 games new" in take("Datum;Name;Punkte\n", "--game", "Jass", "--yes").out


@pytest.mark.parametrize(
    ("cell", "points"),
    [
        ("5", 5),
        ("-87", -87),
        ("\u221287", -87),
        ("+3", 3),
        ("12,00", 12),
        ("12.0", 12),
        ("1 204", 1204),
        ("1'204", 1204),
    ],
)
def test_points_as_people_write_them(cell, points):
    assert points_of(cell) == points


@pytest.mark.parametrize(
    ("cell", "dates", "day"),
    [
        ("2026-01-31", None, "2026-01-31"), ("31.01.2026", None, "2026-01-31"), ("1. 2. 2026", None, "2026-02-01"),
        ("31/01/2026", None, "2026-01-31"), ("01/31/2026", None, "2026-01-31"), ("01/02/2026", "dmy", "2026-02-01"),
        ("01/02/2026", "mdy", "2026-01-02"), ("31-01-2026", None, "2026-01-31"),
        ("31.01.2026 20:15", None, "2026-01-31 20:15"), ("2026-01-31T20:15:00", None, "2026-01-31 20:15"),
    ],
)  # fmt: skip
def test_dates_as_people_write_them(cell, dates, day):
    assert day_of(cell, dates)[0] == day


def test_a_file_of_long_dates_takes_no_time(take):
    cell = "31.01.2025" + " T" * 1900 + "x"
    started = time.process_time()
    done = take(HEAD + "".join(f"{cell}{k};Jass;;Anna;1\n" for k in range(500)))
    assert done.code == 2 and "is not a date" in done.err
    assert time.process_time() - started < 10  # 40 s, if the time of day is looked for in each


@pytest.mark.parametrize(("cell", "dates"), [("31/01/2026", "mdy"), ("1/2/26", None), ("2026-13-01", None)])
def test_dates_that_are_none(cell, dates):
    with pytest.raises(ValueError, match="."):
        day_of(cell, dates)


def test_the_cache_is_the_same_with_imported_games_among_the_others(store, monkeypatch):
    monkeypatch.setattr(league_cache, "STEP", 5)
    monkeypatch.setattr(league_cache, "LATE", 2)
    chance = random.Random(3)
    for k in range(40):
        store.add_journal(f"x-{k:04d}-0", carre(["Anna", "Ben"], [chance.randrange(3), 1]), None, 1000 + 9 * k, False)
        seats = (imported.Seat("Anna", k, 1, True), imported.Seat("Cleo", 0, 2, False))
        at = 1000 + chance.randrange(9 * k + 1)
        imported.add(store, [imported.Results("any_game", "Jass", "2025-01-31", str(k), False, seats, at)])
        if k % 8 == 7:
            cached = shown(store), query.count(store.db, query.Filter(imported=None))
            assert store.db.value("SELECT count(*) FROM league_cache") > 0 or k < 8
            assert query.league(store.db, query.Filter(finished=True, early=False)).games == k + 1
            league_cache.forget_all(store.db)
            assert (shown(store), query.count(store.db, query.Filter(imported=None))) == cached
    assert cached[1] == 80


def test_importing_an_old_season_leaves_the_cache(store, monkeypatch):
    monkeypatch.setattr(league_cache, "STEP", 5)
    monkeypatch.setattr(league_cache, "LATE", 2)
    for k in range(20):
        store.add_journal(f"x-{k:04d}-0", carre(["Anna", "Ben"], [1, 2]), None, 5000 + k, False)
    before = store.db.value("SELECT count(*) FROM league_cache")
    seats = (imported.Seat("Anna", 1, 1, True), imported.Seat("Ben", 0, 2, False))
    imported.add(store, [imported.Results("poch", "", "2025-01-31", "", False, seats, 1000)])
    assert store.db.value("SELECT count(*) FROM league_cache") == before > 0


@pytest.mark.parametrize(
    "lines",
    [
        ['{"imported":1,"game":"poch"}'],
        ['{"imported":1,"game":"poch","title":"","day":"2025-01-31","series":""}'],
        [
            '{"imported":1,"game":"poch","title":"","day":"2025-01-31","series":""}',
            '{"title":"","series":"","low":false}',
        ],
        ['{"imported":1,"game":"poch","title":"","day":"2025-01-31","series":""}', "[]", '{"name":"A"}', "["],
        ['{"imported":1,' + "[" * 5000],
    ],
)
def test_forged_results_are_an_unreadable_game(store, kiebitz, lines):
    store.add_journal("aabbcc-0001-000001", lines, None, 1000, False)
    (game,) = kiebitz("games", "--json").json
    assert (game["imported"], game["phase"], game["scores"]) == (False, None, [])
    assert kiebitz("show", 1).code == 0


ROWS = st.lists(
    st.tuples(st.sampled_from(["2025-01-31", "1.2.2025", "x"]), st.sampled_from(["Jass", "poch"]),
              st.sampled_from(["Anna", "Ben", "Cleo"]), st.sampled_from(["1", "-5", "7,5", "3"])),
    max_size=12,
)  # fmt: skip


@pytest.mark.only_files
@given(ROWS, st.randoms(use_true_random=False))
def test_twice_is_once_and_two_laptops_are_one(tmp_path_factory, rows, chance):
    file = tmp_path_factory.mktemp("import") / "season.csv"
    laptops = [Store("/dev/null/nothing", create=False, now=lambda: 1_800_000_000) for _ in range(2)]
    for store in laptops:
        chance.shuffle(rows)
        file.write_text("date,game,name,points\n" + "".join(",".join(row) + "\n" for row in rows), "utf-8")
        found = read_results(store.db, str(file), None, False, None)
        assert imported.add(store, found.new) == len(found.new)
        again = read_results(store.db, str(file), None, False, None)
        assert (again.new, again.same, again.bad) == ([], len(found.new), found.bad)
        assert imported.add(store, found.new) == 0
    skipped = []
    exchange(*map(StoreSide, laptops), skipped)
    first, second = [_games(store) for store in laptops]
    assert first == second and skipped == [] and len(first) == len(found.new)
    for store in laptops:
        store.rebuild()
        assert _games(store) == first
        store.close()


def _games(store):
    games = query.games(store.db, query.Filter(imported=None))
    return sorted((game["id"], game["at"], str(game["scores"]), journals.load(store.db, game["number"]).lines[0])
                  for game in games)  # fmt: skip
