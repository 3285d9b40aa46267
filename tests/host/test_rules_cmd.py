"""The commands rules and combos: house rules, tables, the boards of a hand, and a game that only the device has."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import kiebitz
import kiebitz_host
import pytest
from kiebitz.games import GAMES, game_class, new_game
from kiebitz_host.games import on_laptop
from kiebitz_host.games.base import GameOnLaptop
from rich.cells import cell_len


def test_without_a_game_all_games_are_listed(kiebitz):
    done = kiebitz("rules")
    assert done.code == 0
    for name in ("Royal Flush", "PokerCarre", "Poch", "Top Spot"):
        assert name in done.out
    listed = json.loads(kiebitz("rules", "--json").out)
    assert [(game["game"], tuple(game["players"])) for game in listed] == [
        (kind, game_class(kind).PLAYERS) for kind in GAMES
    ]


@pytest.mark.parametrize("kind", GAMES)
def test_every_house_rule_is_shown_with_its_values_and_effect(kiebitz, kind):
    facts = json.loads(kiebitz("rules", kind, "--json").out)
    options = game_class(kind).OPTIONS
    in_order = game_class(kind).option_names()
    assert [(option["name"], tuple(option["values"])) for option in facts["options"]] == [
        (name, options[name]) for name in in_order
    ]
    assert sorted(in_order) == sorted(options)
    sheet = kiebitz("rules", kind)
    assert (sheet.code, sheet.err) == (0, "")
    for option in facts["options"]:
        assert option["default"] == option["values"][0]
        assert option["effect"].endswith(".") and option["meanings"][-1] in option["effect"]
        assert len(option["meanings"]) == len(option["values"])
        assert option["name"] in sheet.out and option["label"] in sheet.out
        first, *others = ["none" if value is None else str(value) for value in option["values"]]
        assert re.search(rf"\b{first}\)? \*", sheet.out), first
        for value in others:
            assert re.search(rf"\b{value}\b", sheet.out), value


def test_values_are_told_in_words_with_the_id_that_files_have(kiebitz):
    sheet = " ".join(kiebitz("rules", "poch", "--lang", "de").out.split())
    assert "Pochen einmal reihum (single_lap) * bidding Alle sagen einmal an, der Geber zuletzt" in sheet
    assert "bis alle gleich stehen (until_matched) Es geht weiter reihum" in sheet
    assert "Chips insgesamt 300 *, beliebig chips_total" in sheet
    sheet = " ".join(kiebitz("rules", "top_spot", "--lang", "fr").out.split())
    assert "mode points (tally) *, arbitre (assisted)" in sheet
    assert "level Junior (junior) *, Expert (expert)" in sheet


@pytest.mark.parametrize("kind", GAMES)
def test_the_sheet_fits_80_columns_and_is_plain_when_piped(kiebitz, kind):
    done = kiebitz("rules", kind)
    assert max(cell_len(line) for line in done.out.splitlines()) <= 80
    assert "\x1b" not in done.out
    assert "…" not in done.out


@pytest.mark.parametrize("kind", GAMES)
def test_the_set_up_keys_that_are_named_exist(kiebitz, kind):
    # A key with a value of a wrong type is refused, so the game looks at it
    facts = json.loads(kiebitz("rules", kind, "--json").out)
    players = ["1", "2", "3"]
    for key in facts["setup"]:
        with pytest.raises(Exception, match="E_ARG"):
            new_game({"game": kind, "players": players, key["name"]: {}})


def test_royal_flush_shows_its_boards(kiebitz):
    boards = json.loads(kiebitz("rules", "royal_flush", "--json").out)["boards"]
    assert len(boards) == 17
    assert sum(board["starter"] for board in boards) == 9
    assert boards[15] == {
        "id": "big_straight_flush",
        "name": "Big Straight Flush",
        "slots": [16, 14, 12],
        "cards": 6,
        "category": "D",
        "starter": False,
    }
    out = kiebitz("rules", "royal_flush").out
    assert "Full House               full_house           10  8  6       5   B     yes" in out


def test_poker_carre_shows_what_scores(kiebitz):
    scoring = json.loads(kiebitz("rules", "poker_carre", "--json").out)["scoring"]
    assert scoring == [
        {"points": 1, "straight": [4], "colour": [3], "set": []},
        {"points": 2, "straight": [5], "colour": [4], "set": [3]},
        {"points": 3, "straight": [6], "colour": [5], "set": [4]},
        {"points": 7, "straight": [7], "colour": [6], "set": [5]},
        {"points": 10, "straight": [], "colour": [7], "set": [6, 7]},
    ]
    assert "6 or 7" in kiebitz("rules", "poker_carre").out


def test_poch_shows_pools_chips_and_hands(kiebitz):
    facts = json.loads(kiebitz("rules", "poch", "--json").out)
    assert [pool["id"] for pool in facts["pools"]] == ["A", "K", "Q", "J", "T", "MARRIAGE", "SEQUENCE", "POCHER"]
    assert [(deal["players"], deal["chips"], deal["box"], deal["hands"]) for deal in facts["deals"]] == [
        (2, 150, 0, [16, 16]),
        (3, 100, 0, [11, 11, 10]),
        (4, 75, 0, [8, 8, 8, 8]),
        (5, 60, 0, [7, 7, 6, 6, 6]),
        (6, 50, 0, [6, 6, 5, 5, 5, 5]),
        (7, 42, 6, [5, 5, 5, 5, 4, 4, 4]),
        (8, 37, 4, [4] * 8),
    ]
    assert "Marriage" in kiebitz("rules", "poch").out


def test_top_spot_shows_its_levels(kiebitz):
    levels = json.loads(kiebitz("rules", "top_spot", "--json").out)["levels"]
    assert [(level["name"], level["cards"]) for level in levels] == [("Junior", 12), ("Expert", 13)]
    assert "tie is played off" in kiebitz("rules", "top_spot").out


def test_a_game_may_be_written_as_on_its_box(kiebitz):
    expected = kiebitz("rules", "royal_flush")
    for name in ("Royal Flush", "royal-flush", "ROYAL_FLUSH"):
        assert kiebitz("rules", name) == expected


def test_an_unknown_game_is_bad_usage_and_the_games_are_named(kiebitz):
    done = kiebitz("rules", "chess")
    assert (done.code, done.out) == (2, "")
    assert "chess" in done.err
    for kind in GAMES:
        assert kind in done.err


# --- kiebitz combos ---

HANDS = (
    ("7H 7D", ["pair"]),
    ("7H 7H", ["perfect_pair"]),
    ("7H *", ["pair", "perfect_pair"]),
    ("7H 7D 7S 7C", ["double_pair", "four_kind"]),
    ("TH JH QH KH *", ["flush", "straight", "straight_flush"]),
    ("10H JH QH KH AH", ["flush", "straight_flush", "royal_flush"]),
    ("2H 3D 4S 5C 6H 7D 8S", ["big_straight"]),
    ("KH AD 2H 3H 4H", []),
    ("7H 7H 7H 7H KD KD", []),
    ("  7H\t7D ", ["pair"]),
    ("", []),
)
NOT_CARDS = ("7X", "1H", "77", "7h 7d", "7H,7D", "joker", "7H 7D {", "\u0001", "７H", "x" * 5000)


def test_the_boards_of_a_hand_as_json(kiebitz):
    for cards, boards in HANDS:
        done = kiebitz("combos", cards, "--json")
        assert (done.code, json.loads(done.out), done.err) == (0, boards, ""), cards


def test_the_boards_of_a_hand_for_people(kiebitz):
    done = kiebitz("combos", "TH JH QH KH *")
    assert done.code == 0
    assert [line.split("  ")[0] for line in done.out.splitlines()[2:]] == ["Flush", "Straight", "Straight Flush"]
    assert "13  11  9" in done.out
    assert kiebitz("combos", "2H 9D").out == "No board takes these cards.\n"


def test_what_is_not_cards_is_refused(kiebitz):
    for cards in NOT_CARDS:
        done = kiebitz("combos", cards)
        assert (done.code, done.out) == (3, ""), cards
        assert done.err.startswith("E_ARG - ") and done.err.count("\n") == 1, cards
        done = kiebitz("combos", cards, "--json")
        assert (done.code, done.out) == (3, "null\n"), cards


@pytest.mark.parametrize("extra", [[], ["--json"]])
def test_one_hand_per_line_gives_one_list_per_line(kiebitz, extra):
    hands = [(cards, boards) for cards, boards in HANDS] + [(cards, None) for cards in NOT_CARDS]
    data = "\n".join(cards for cards, _ in hands).encode()
    done = kiebitz("combos", "-", *extra, stdin=data)
    assert (done.code, done.err) == (0, "")
    assert [json.loads(line) for line in done.out.splitlines()] == [boards for _, boards in hands]


def test_a_broken_line_does_not_stop_the_next_ones(kiebitz):
    data = b"\xef\xbb\xbf7H 7D\r\n\xff\xfe\r\n" + b"7H " * 3_000_000 + b"\n" + b" " * 5000 + b"\n\x00\n\n7H 7H"
    done = kiebitz("combos", "-", stdin=data)
    assert done.code == 0
    assert done.out.splitlines() == ['["pair"]', "null", "null", "null", "null", "[]", '["perfect_pair"]']
    assert kiebitz("combos", "-", stdin=b"").out == ""


def test_the_installed_command_takes_a_hand_from_the_command_line():
    command = [str(Path(sys.executable).with_name("kiebitz")), "combos", "TH JH QH KH AH", "--json"]
    done = subprocess.run(command, capture_output=True, check=True)
    assert json.loads(done.stdout) == ["flush", "straight_flush", "royal_flush"]


def test_cards_must_be_one_argument(kiebitz):
    for argv in ([], ["7H", "7D"]):
        assert kiebitz("combos", *argv).code == 2


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
