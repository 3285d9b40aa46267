"""How long a game took: what the device has counted is shown, exported and replayed, and survives a rebuild."""

import csv
import io
import json
from types import SimpleNamespace
from urllib.parse import unquote

import pytest
from helpers.faulty_storage import FaultyStorage
from helpers.finished import poch
from helpers.shelf import DEVICE, NOW, Noise, match
from kiebitz.store.library import Library
from kiebitz_host.link.journal import flash_line, mark

PLAYED = poch(["Anna", "Ben"], [130, 70])


def timed(lines, *minutes):
    """Return the lines with these minutes in the last of them; None is left out."""
    start = len(lines) - len(minutes)
    values = [json.loads(line) for line in lines[start:]]
    made = [{**value, "min": n} if n else value for value, n in zip(values, minutes, strict=True)]
    return lines[:start] + [json.dumps(value, separators=(",", ":")) for value in made]


@pytest.fixture
def evening(put):
    """A game that took 84 minutes, and one of which nobody has counted the minutes."""
    put(timed(PLAYED, 84, None), day=1)
    put(PLAYED, day=2)


def test_show_tells_the_time_at_the_table(evening, kiebitz):
    assert "Poch · 2026-01-01 12:00 · 1:24 h · aabbcc" in kiebitz("show", "1").out
    assert "Poch · 01-01-2026 12:00 · 1:24 u · aabbcc" in kiebitz("show", "1", "--lang", "nl").out
    assert " min" not in kiebitz("show", "2").out
    assert [kiebitz("show", number, "--json").json["minutes"] for number in "12"] == [84, None]


def test_exports_have_the_minutes(evening, kiebitz):
    for per in ("score", "game"):
        table = list(csv.DictReader(io.StringIO(kiebitz("export", "csv", "--per", per).out)))
        assert {(row["number"], row["minutes"]) for row in table} == {("1", "84"), ("2", "")}
    assert [game["minutes"] for game in json.loads(kiebitz("export", "json").out)["games"]] == [84, None]
    assert [play["durationMin"] for play in json.loads(kiebitz("export", "bgstats").out)["plays"]] == [84, 0]
    assert '"durationMin":84' in unquote(kiebitz("export", "link", "1").out)


def test_the_minutes_survive_a_rebuild_and_corrections(evening, kiebitz):
    kiebitz("rebuild")
    assert kiebitz("show", "1", "--json").json["minutes"] == 84


def test_replay_takes_them_and_tells_them(kiebitz, tmp_path):
    file = tmp_path / "game.jsonl"
    file.write_text("\n".join(timed(PLAYED, 84, None)) + "\n")
    told = kiebitz("replay", file, "--json").json
    assert told["refused"] is None and told.pop("minutes") == 84
    file.write_text("\n".join(PLAYED) + "\n")
    assert kiebitz("replay", file, "--json").json == told


def test_minutes_that_are_none_are_ignored(put, kiebitz):
    for wrong in (True, -5, "7", 10**30, [1]):
        number = put(timed(PLAYED, 84, wrong))
        assert kiebitz("show", number, "--json").json["minutes"] == 84, wrong


def test_another_history_has_its_own_minutes(put, kiebitz):
    put(timed(PLAYED, 84, 85), game_id="aabbcc-0009-000009")
    put(timed(PLAYED[:-1], 40), game_id="aabbcc-0009-000009")
    assert kiebitz("show", "1", "--json").json["minutes"] == 85
    assert kiebitz("show", "1", "--history", "2", "--json").json["minutes"] == 40


def test_a_journal_of_the_device_is_the_same_on_the_laptop_to_its_mark(put, kiebitz):
    ticks = [0]
    clock = SimpleNamespace(ms=lambda: ticks[0], diff=lambda end, start: end - start)
    games = Library(FaultyStorage(), DEVICE, Noise(), lambda: NOW, clock)
    games.create(match())
    for p in (0, 1, 2):
        ticks[0] += 125_000
        games.play({"ev": "point", "p": p})
    game_id = games.journal.id
    lines = [flash_line(game_id, line)[1] for line in games.files.read(games.journal.name).splitlines()]
    put(lines, game_id=game_id)
    assert mark(game_id, lines) == games.journal.mark
    assert kiebitz("show", "1", "--json").json["minutes"] == 6
