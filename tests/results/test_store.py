"""The store: nothing lost and nothing doubled, and the synthetic store of the benchmark."""

import io
from itertools import permutations

import pytest
from helpers.finished import carre, unfinished
from hypothesis import given
from hypothesis import strategies as st
from kiebitz.games import GAMES
from kiebitz_host.library import league_cache, query, removals, schema
from kiebitz_host.library.journal_record import History, united
from kiebitz_host.library.journals import word_for
from kiebitz_host.outcome import Trouble
from kiebitz_lab import synthetic_store as synthetic
from kiebitz_lab.bench import commands as bench_results
from rich.console import Console

NOW = 1767700000
DEVICE = {"id": "e6aabbcc", "product": "kiebitz", "version": "0.1.0", "name": "/dev/ttyACM0"}
GAME = carre(["Anna", "Ben"], [3, 2])
OTHER = carre(["Anna", "Ben"], [3, 3])
ID = "aabbcc-0001-123456"


def add(store, lines, game_id=ID, device=DEVICE, at=1000, approximate=False, damaged=False):
    return store.add_journal(game_id, lines, device, at, approximate, damaged)


def listed(store):
    return query.games(store.db, query.Filter())


def test_a_new_game_is_held_as_it_was_given(store):
    lines = carre(["Änne", "李雷"], [3, 2])
    assert store.stored_game(ID) is None
    assert add(store, lines) == "new"
    held = store.stored_game(ID)
    assert (held.lines, held.variants) == (lines, [])
    assert (held.played_at, held.approximate, held.damaged, held.finished) == (1000, False, False, True)
    assert held.number == store.number(ID) == 1


def test_the_same_game_again_changes_nothing(store):
    add(store, GAME)
    before = listed(store)
    assert add(store, GAME) == "same"
    assert listed(store) == before


def test_a_game_goes_on(store):
    add(store, GAME[:2])
    assert [game["finished"] for game in listed(store)] == [False]
    assert add(store, GAME[:4]) == "longer"
    assert add(store, GAME) == "longer"
    assert store.stored_game(ID).lines == GAME
    assert [(game["finished"], game["events"]) for game in listed(store)] == [(True, 6)]


def test_a_device_restored_from_a_backup_takes_nothing_away(store):
    add(store, GAME)
    assert add(store, GAME[:3]) == "shorter"
    assert store.stored_game(ID).lines == GAME
    assert store.stored_game(ID).finished


def test_a_game_that_went_apart_is_kept_twice_and_counted_once(store):
    add(store, GAME)
    assert add(store, OTHER[:-1]) == "apart"  # as long as the other: the one that was there stays
    assert (store.stored_game(ID).lines, store.stored_game(ID).variants) == (GAME, [OTHER[:-1]])
    assert add(store, OTHER[:-1]) == "same"
    assert add(store, OTHER[:-2]) == "shorter"
    assert add(store, OTHER) == "apart"  # grown, and longer now
    assert (store.stored_game(ID).lines, store.stored_game(ID).variants) == (OTHER, [GAME])
    assert [game["scores"][1]["score"] for game in listed(store)] == [3]


TWIN = carre(["Anna", "Cleo"], [1, 4])  # another set-up: never another course of GAME
THIRD = carre(["Dan", "Eva"], [0, 1])


def test_a_game_with_another_set_up_is_another_game_whatever_its_id(store):
    add(store, GAME)
    assert add(store, TWIN[:-1]) == "namesake"
    assert (store.stored_game(ID).lines, store.stored_game(ID).variants) == (GAME, [])
    names = {game["scores"][1]["name"]: game["id"] for game in listed(store)}
    assert names["Ben"] == ID and names["Cleo"].startswith(f"{ID}~") and len(names["Cleo"]) == len(ID) + 5
    assert add(store, TWIN) == "longer"
    assert add(store, TWIN) == add(store, GAME) == "same"
    assert add(store, THIRD) == "namesake"
    assert sorted(game["scores"][1]["score"] for game in listed(store)) == [1, 2, 4]
    assert sorted(store.stored_game(ID).namesakes) == sorted([TWIN, THIRD])


@pytest.mark.parametrize("order", list(permutations([GAME, TWIN, THIRD])))
def test_namesakes_are_called_alike_whichever_came_first(store, order):
    for lines in order:
        add(store, lines)
    ids = {game["scores"][1]["name"]: game["id"] for game in listed(store)}
    assert ids["Ben"] == ID
    assert ids == {**ids, "Cleo": f"{ID}~{ids['Cleo'][-4:]}", "Eva": f"{ID}~{ids['Eva'][-4:]}"}
    assert {name: store.id_for(ID, lines[0]) for name, lines in zip("GTE", (GAME, TWIN, THIRD), strict=True)} == {
        "G": ids["Ben"],
        "T": ids["Cleo"],
        "E": ids["Eva"],
    }


HISTORIES = st.lists(st.lists(st.sampled_from("ab"), max_size=5).map(lambda events: ["setup", *events]), min_size=1)


@given(HISTORIES, st.randoms())
def test_whatever_comes_in_whatever_order_is_the_beginning_of_something_kept(journals, chance):
    kept = united([History(lines) for lines in journals])
    histories = [history.lines for history in kept]
    for lines in journals:
        assert any(held[: len(lines)] == lines for held in histories)
        assert word_for(histories, lines) == ("same" if lines in histories else "shorter")
    for held in histories:
        assert sum(other[: len(held)] == held for other in histories) == 1  # none twice, none the beginning of another
    assert len(histories[0]) == max(map(len, histories))
    step_by_step = ()
    chance.shuffle(journals)
    for lines in journals:
        step_by_step = united([*step_by_step, History(lines)])
    assert step_by_step == kept


def test_an_exact_time_replaces_a_rough_one_and_nothing_replaces_an_exact_one(store):
    add(store, GAME, at=500, approximate=True)
    add(store, GAME, at=600, approximate=True)
    assert (store.stored_game(ID).played_at, store.stored_game(ID).approximate) == (500, True)
    add(store, GAME, at=700)
    add(store, GAME, at=800)
    assert (store.stored_game(ID).played_at, store.stored_game(ID).approximate) == (700, False)
    assert listed(store)[0]["at"] == 700


@pytest.mark.parametrize("at", [0, None, -5, 1 << 62])
def test_a_game_without_a_time_has_that_of_its_arrival_and_says_so(store, at):
    add(store, GAME, at=at)
    assert (store.stored_game(ID).played_at, store.stored_game(ID).approximate) == (NOW, True)


def test_a_damage_is_remembered_until_more_comes_whole(store):
    add(store, GAME[:3], damaged=True)
    assert store.stored_game(ID).damaged
    add(store, GAME[:3])
    assert store.stored_game(ID).damaged  # the same again has nothing new
    add(store, GAME)
    assert not store.stored_game(ID).damaged
    add(store, GAME[:3], damaged=True)
    assert not store.stored_game(ID).damaged  # there is more here than the device has lost
    add(store, GAME, damaged=True)
    assert store.stored_game(ID).damaged


def test_devices_are_known_with_what_they_said_last(store):
    add(store, GAME)
    add(store, OTHER, "x-2-2", {**DEVICE, "version": "0.2.0"})
    add(store, GAME, device={"id": "e6aabbcc"})  # from a file: the device stays unchanged
    add(store, OTHER, "x-3-3", None)
    assert store.db.rows("SELECT * FROM devices") == [("e6aabbcc", "kiebitz", "0.2.0", "/dev/ttyACM0", NOW)]
    assert [game["device"] for game in listed(store)] == [None, "e6aabbcc", "e6aabbcc"]


def test_a_deleted_game_is_held_and_stays_deleted_when_it_comes_again(store):
    add(store, GAME[:3])
    removals.delete(store, 1)
    assert store.stored_game(ID).lines == GAME[:3]
    assert add(store, GAME) == "longer"
    assert listed(store) == []


def test_a_line_the_rules_refuse_is_kept_and_the_game_stands_as_before_it(store):
    lines = [*GAME[:3], '{"ev":"spend","p":0,"k":1}', *GAME[3:]]
    assert add(store, lines) == "new"
    assert store.stored_game(ID).lines == lines
    (game,) = listed(store)
    assert (game["flaw"], game["events"], game["finished"]) == ("4:E_ARG", 2, False)


def test_a_game_that_cannot_be_set_up_is_kept_too(store):
    lines = ['{"game":"chess","players":["Anna","Ben"]}', '{"ev":"e4"}']
    assert add(store, lines) == "new"
    (game,) = listed(store)
    assert (game["game"], game["phase"], game["scores"], game["flaw"]) == (None, None, [], "1:E_ARG")
    assert store.stored_game(ID).lines == lines
    assert store.rebuild() == 1


def test_a_batch_is_stored_as_a_whole_or_not_at_all(store):
    with pytest.raises(Trouble), store.batch():
        add(store, GAME)
        add(store, OTHER, "x-2-2")
        raise Trouble("the cable")
    assert listed(store) == []
    assert store.stored_game(ID) is None


def test_a_journal_without_a_line_is_a_mistake(store):
    with pytest.raises(ValueError, match="set-up"):
        add(store, [])


def test_everything_derived_is_the_same_after_a_rebuild(store, put):
    put(carre(["Anna", "Ben"], [3, 2]))
    put(unfinished(carre(["Cleo", "Ben"], [3, 2])))
    scores = "number, spellings.spelling, people.name, people.uuid, score, seat, rank, winner, starts FROM scores"
    people = "JOIN spellings ON spellings.id = scores.spelling JOIN people ON people.id = person"
    tables = ["* FROM games", f"{scores} {people}", "spelling FROM spellings", "* FROM journals", "* FROM contents"]

    def contents():
        return [sorted(store.db.rows(f"SELECT {table}"), key=repr) for table in tables]

    before = contents()
    store.db.run("UPDATE scores SET score = 99, winner = 1")
    store.db.run("UPDATE games SET finished = 1")
    store.db.run("DELETE FROM scores WHERE number = 2")
    assert contents() != before
    assert store.rebuild() == 2
    assert contents() == before


def test_what_is_on_disk_is_there_for_the_next_one(store, open_store):
    add(store, GAME)
    store.close()
    assert open_store().stored_game(ID).lines == GAME


def test_names_for_the_roster_come_in_the_order_of_last_play(store, put):
    put(carre(["Anna", "Ben"], [1, 0]), day=1)
    put(carre(["Cleo", "Ben"], [1, 0]), day=3)
    put(carre(["Dan", "Eva"], [1, 0]), day=2)
    assert store.players_names() == ["Ben", "Cleo", "Dan", "Eva", "Anna"]
    for k in range(20):
        put(carre([f"x{k}", f"y{k}"], [1, 0]), day=10 + k)
    assert len(store.roster_names()) == 40
    assert store.roster_names() == store.players_names()[:40]


# --- the synthetic store ---


def test_a_synthetic_store_holds_finished_games_of_every_kind(store, monkeypatch):
    monkeypatch.setattr(synthetic, "PER_KIND", 2)
    synthetic.fill(store, 40)
    games = query.games(store.db, query.Filter())
    assert len(games) == 40
    assert all(game["finished"] and not game["flaw"] for game in games)
    assert {game["game"] for game in games} == set(GAMES)
    assert len({game["id"] for game in games}) == 40


def test_a_store_that_is_filled_quickly_is_the_same(open_store, tmp_path, monkeypatch):
    monkeypatch.setattr(synthetic, "PER_KIND", 2)
    monkeypatch.setattr(league_cache, "STEP", 10)
    monkeypatch.setattr(league_cache, "LATE", 4)
    one, two = open_store(), open_store(tmp_path / "two.db")
    synthetic.fill(one, 60)
    synthetic.fill_quickly(two, 60)
    for table in schema.table_names(schema.KEPT + schema.DERIVED):
        sql = f"SELECT * FROM {table}"
        assert sorted(one.db.rows(sql), key=repr) == sorted(two.db.rows(sql), key=repr), table


def test_the_same_store_every_time(monkeypatch):
    monkeypatch.setattr(synthetic, "PER_KIND", 1)
    assert list(synthetic.journals(5)) == list(synthetic.journals(5))


def test_it_can_be_made_from_the_command_line(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(synthetic, "PER_KIND", 1)
    assert synthetic.main(["3", str(tmp_path / "s.db")]) == 0
    assert capsys.readouterr().out.startswith("3 games in ")
    assert synthetic.main(["many"]) == 2


def test_the_benchmark_measures_whole_commands_and_shows_them(monkeypatch):
    monkeypatch.setattr(synthetic, "PER_KIND", 1)
    monkeypatch.setattr(bench_results, "COMMANDS", (("league",), ("games",)))
    figures = bench_results.measure_results((3, 5), rounds=1)
    assert list(figures) == ["3", "5"]
    assert all(seconds > 0 for part in figures.values() for seconds in part["seconds"].values())
    out = io.StringIO()
    bench_results.show_results(figures, Console(file=out, width=80))
    assert "kiebitz league" in out.getvalue() and "1.0 s" in out.getvalue()


def test_the_goals_are_about_commands_that_are_measured():
    assert set(bench_results.GOALS_S) <= {" ".join(argv) for argv in bench_results.COMMANDS}
