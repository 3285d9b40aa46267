"""A Skyjo and a counter, played on the simulated device: sync, league and exports have them by their titles."""

import csv
import io
import json

import pytest
from helpers.cable import plug_in
from helpers.device import Device
from helpers.play import ev, setup
from kiebitz_host.cli import sync

SKYJO = setup("any_game", 3, title="Skyjo", wins="low", end="target", limit=100)
ROUNDS = ((40, 30, 50), (58, 30, 51))
LIFE = setup("any_game", 3, title="Life", entry="counter", start=20, end="target", limit=0)


@pytest.fixture
def fetched(kiebitz, monkeypatch, tmp_path):
    """Return a command line whose store has a Skyjo and a counter from a device, and what sync printed."""
    device = Device()
    device.sit_down(SKYJO, [ev("points", p=p, k=k) for points in ROUNDS for p, k in enumerate(points)])
    device.sit_down(LIFE, [ev("add", p=0, k=-5), ev("add", p=1, k=-20)])
    plug_in(monkeypatch, sync, {"ttyACM0": device})
    monkeypatch.setenv("KIEBITZ_DB", str(tmp_path / "results.db"))

    def run(*argv):
        done = kiebitz(*argv)
        assert (done.code, done.err) == (0, ""), done.err
        return done.out

    run.printed = run("sync")
    run.device = device
    return run


def test_sync_names_the_games_by_their_titles(fetched):
    assert "2 games fetched." in fetched.printed
    assert "Skyjo" in fetched.printed and "Life" in fetched.printed and "Any game" not in fetched.printed
    assert "nothing new" in fetched("sync")
    told = json.loads(fetched("sync", "--json"))
    assert [(game["game"], game["title"]) for game in told[0]["games"]] == [("any_game", "Skyjo"), ("any_game", "Life")]


def test_each_has_a_league_of_its_own(fetched):
    skyjo = json.loads(fetched("league", "--game", "Skyjo", "--json"))
    assert [(player["name"], player["elo"]) for player in skyjo["players"]] == [
        ("Ben", 1516.0),
        ("Anna", 1500.0),
        ("Cleo", 1484.0),
    ]
    life = json.loads(fetched("league", "--game", "life", "--json"))
    assert [(player["name"], player["wins"]) for player in life["players"]] == [("Cleo", 1), ("Anna", 0), ("Ben", 0)]


def test_the_sheet_and_the_exports_have_both(fetched):
    shown = [line.split() for line in fetched("show", "1").splitlines()]
    assert ["Round", "1", "40", "30", "50"] in shown and ["Total", "98", "60", "101"] in shown
    assert ["Place", "2", "1", "3"] in shown
    rows = list(csv.DictReader(io.StringIO(fetched("export", "csv"))))
    assert [(row["game_name"], row["player"], row["score"], row["rank"]) for row in rows] == [
        ("Skyjo", "Anna", "98", "2"),
        ("Skyjo", "Ben", "60", "1"),
        ("Skyjo", "Cleo", "101", "3"),
        ("Life", "Anna", "15", "2"),
        ("Life", "Ben", "0", "3"),
        ("Life", "Cleo", "20", "1"),
    ]
    plays = json.loads(fetched("export", "bgstats"))
    assert {game["name"]: game["highestWins"] for game in plays["games"]} == {"Skyjo": False, "Life": True}
    whole = json.loads(fetched("export", "json"))["games"]
    assert [game["title"] for game in whole] == ["Skyjo", "Life"]
