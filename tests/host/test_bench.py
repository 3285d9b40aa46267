"""The benchmark: its sample games, its runner and the file it collects its figures in."""

import io
import json
import sys

from kiebitz.table.script import Script
from kiebitz_host import bench, bench_games
from kiebitz_host.micropython import ROOT
from rich.console import Console


def test_every_sample_is_a_game_of_400_events_that_can_be_replayed():
    samples = bench_games.sample_games()
    assert {json.loads(lines[0])["game"] for lines in samples.values()} == {
        "royal_flush", "poker_carre", "poch", "top_spot",
    }  # fmt: skip
    for lines in samples.values():
        script = Script()
        for line in lines:
            script.feed(line.encode())
        assert len(script.table) == 400


def test_a_short_game_is_measured_and_shown(tmp_path):
    lines = bench_games.sample_games()["poch"][:21]
    measured = bench_games.run([sys.executable], {"PYTHONPATH": str(ROOT / "firmware")}, {"poch": lines}, tmp_path)
    figures = measured["games"]["poch"]
    assert sorted(figures) == ["events_per_second", "undo_10_us", "undo_end_us"]
    assert all(type(value) is int and value > 0 for value in figures.values())
    out = io.StringIO()
    with_heap = {**measured, "games": {"poch": {**figures, "heap_bytes": 20480, "heap_undone_bytes": 1536}}}
    bench_games.show({"events": 20, "cpython": measured, "micropython": with_heap}, Console(file=out, width=80))
    assert "20.0 KB" in out.getvalue() and "1.5 KB" in out.getvalue()
    assert f"{figures['events_per_second']:,}" in out.getvalue()


def test_a_game_that_cannot_be_played_is_said_and_not_measured(tmp_path):
    lines = bench_games.sample_games()["poch"][:3] + ['{"ev":"finish"}']
    try:
        bench_games.run([sys.executable], {"PYTHONPATH": str(ROOT / "firmware")}, {"poch": lines}, tmp_path)
    except bench_games.NotMeasured as trouble:
        assert "poch failed" in str(trouble)
    else:
        raise AssertionError("measured")


def test_the_parts_of_the_benchmark_keep_each_others_figures(tmp_path):
    path = tmp_path / "build" / "bench.json"
    bench.record("games", {"a": 1}, path)
    bench.record("screens", {"b": 2}, path)
    bench.record("games", {"a": 3}, path)
    assert json.loads(path.read_text()) == {"games": {"a": 3}, "screens": {"b": 2}}
