"""The store for the benchmark, and the benchmark of the results itself."""

import io

from kiebitz.games import GAMES
from kiebitz_host.library import league_cache, query, schema
from kiebitz_lab import synthetic_store as synthetic
from kiebitz_lab.bench import commands as bench_results
from rich.console import Console


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
