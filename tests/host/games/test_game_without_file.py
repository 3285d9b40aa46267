"""A game that only the device has: the laptop stores it, and shows it and its rules."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import kiebitz
import kiebitz_host
import pytest
from kiebitz.games import GAMES
from kiebitz_host.games import GameOnLaptop, on_laptop

FIRMWARE = Path(kiebitz.__file__).parents[1]
HOST = Path(kiebitz_host.__file__).parents[1]

RULES = '''
"""Whist, as far as a score keeper must know it."""

from ..base import REQUIRED, Game, count


class Whist(Game):
    KIND = "whist"
    PLAYERS = (2, 4)
    EVENTS = {"point": (("p", count, REQUIRED),), "end_game": ()}
    FIELDS = ("phase", "points")

    def start(self, confirm):
        self.phase = "PLAY"
        self.points = [0] * self.n

    def do_point(self, p, confirm):
        self.need_seat(p)
        self.points[p] += 1

    def do_end_game(self, confirm):
        self.phase = self.OVER

    def totals(self):
        return list(self.points)

    def details(self):
        return {}


GAME = Whist
'''

SETUP = {"game": "whist", "players": ["Anna", "Ben", "Cleo"]}
POINTS = [{"ev": "point", "p": p} for p in (1, 1, 2)]


@pytest.fixture(scope="module")
def firmware(tmp_path_factory):
    """Return a firmware with one more game, which is a folder and its English name."""
    folder = tmp_path_factory.mktemp("firmware")
    for name in ("kiebitz", "kiebitz_languages"):
        shutil.copytree(FIRMWARE / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    whist = folder / "kiebitz" / "games" / "whist"
    whist.mkdir()
    (whist / "__init__.py").write_text('"""Whist."""\n\nPLACE = 5\n')
    (whist / "rules.py").write_text(RULES)
    with open(folder / "kiebitz_languages" / "en.txt", "a", encoding="utf-8") as english:
        english.write("\ngame.whist = Whist\nev.point = Point for {name}\n")
    return folder


@pytest.fixture
def kiebitz_with_whist(firmware, tmp_path):
    """Return a function that runs the command line with that firmware and returns the printed lines."""
    place = {"PYTHONPATH": os.pathsep.join([str(firmware), str(HOST)]), "KIEBITZ_DB": str(tmp_path / "results.db")}
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "COLUMNS": "80", "TZ": "UTC", **place}
    command = [sys.executable, "-c", "import sys; from kiebitz_host.cli import main; sys.exit(main())"]

    def run(*argv):
        done = subprocess.run([*command, *argv], env=env, cwd=tmp_path, capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")
        return [line.rstrip() for line in done.stdout.splitlines()]

    return run


@pytest.fixture
def evening(tmp_path):
    path = tmp_path / "evening.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in (SETUP, *POINTS, {"ev": "end_game"})))
    return path


def words(lines):
    return [line.split() for line in lines]


def test_each_game_of_the_house_has_its_file_and_another_one_gets_the_defaults():
    assert all(type(on_laptop(kind)) is not GameOnLaptop for kind in GAMES)
    assert type(on_laptop("whist")) is GameOnLaptop


def test_replay_prints_players_and_totals(kiebitz_with_whist, evening):
    lines = kiebitz_with_whist("replay", str(evening))
    assert lines[:2] == ["Whist · Game over · 4 entries", "Ben wins with 2 points."]
    assert words(lines[3:4] + lines[5:]) == [["Player", "Total"], ["Anna", "0"], ["Ben", "2"], ["Cleo", "1"]]


def test_rules_tell_players_and_dealer_and_leave_out_house_rules_and_tables(kiebitz_with_whist):
    assert "Whist" in kiebitz_with_whist("--help")[2]
    assert ["Whist", "whist"] in [line[:2] for line in words(kiebitz_with_whist("rules"))]
    (facts,) = map(json.loads, kiebitz_with_whist("rules", "whist", "--json"))
    assert [setting["name"] for setting in facts.pop("setup")] == ["dealer"]
    assert facts == {"game": "whist", "name": "Whist", "players": [2, 4], "options": []}
    lines = kiebitz_with_whist("rules", "whist")
    assert lines[0].startswith("Whist") and [line[:1] for line in words(lines)].count(["dealer"]) == 1
    assert not [line for line in lines if line.startswith("House rule")]


def test_the_store_keeps_one_row_and_show_prints_it_with_the_log(kiebitz_with_whist, evening):
    kiebitz_with_whist("add", str(evening))
    (facts,) = map(json.loads, kiebitz_with_whist("show", "1", "--json"))
    assert facts["rows"] == [{"label": "total", "points": [0, 2, 1]}]
    assert [(score["score"], score["rank"], score["starts"]) for score in facts["scores"]] == [
        (0, 3, True),
        (2, 1, False),
        (1, 2, False),
    ]
    assert {entry["part"] for entry in facts["entries"]} == {None}
    lines = words(kiebitz_with_whist("show", "1"))
    rows = [["Anna", "Ben", "Cleo"], ["Total", "0", "2", "1"], ["2", "Point", "for", "Ben", "Ben", "+1"]]
    assert [line for line in lines if line in rows] == rows
    (everything,) = json.loads("\n".join(kiebitz_with_whist("export", "json")))["games"]
    assert everything["rows"] == [{"label": "total", "name": "Total", "points": [0, 2, 1]}]
