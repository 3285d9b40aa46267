"""`kiebitz games` and `kiebitz add`: order, filters, and added files."""

import json
import os
import time

import pytest
from helpers.finished import carre, poch, spot, unfinished
from kiebitz_host.link.journal import sealed

EVENING = ["Anna", "Ben", "Cleo"]


@pytest.fixture
def some_games(put):
    """Store four games: 1 and 4 PokerCarre, 2 Poch, 3 Top Spot (not finished); 2 is the newest."""
    put(carre(["Anna", "Ben"], [3, 2]), day=1)
    put(poch(EVENING, [120, 120, 60]), day=9)
    put(unfinished(spot(EVENING, [1, 0, 2])), day=5)
    put(carre(["Cleo", "Dan"], [3, 4]), day=3, approximate=True)


def test_games_are_listed_newest_first_with_who_has_won(some_games, kiebitz):
    done = kiebitz("games")
    lines = [line.rstrip() for line in done.out.splitlines()]
    assert lines[0].split() == ["No", "Date", "Game", "Players", "Notes"]
    assert lines[2:] == [
        " 2   2026-01-09 12:00   Poch         Anna 120*, Ben 120*, Cleo 60",
        " 3   2026-01-05 12:00   Top Spot     Anna 1, Ben 0, Cleo 2          unfinished",
        " 4   ~2026-01-03        PokerCarre   Dan 4*, Cleo 3",
        " 1   2026-01-01 12:00   PokerCarre   Anna 3*, Ben 2",
    ]


FILTERS = (
    ([], [2, 3, 4, 1]),
    (["--game", "poker_carre"], [4, 1]),
    (["--game", "Poker Carre"], [4, 1]),
    (["--game", "poch"], [2]),
    (["--player", "Anna"], [2, 3, 1]),
    (["--player", "anna", "--player", "Cleo"], [2, 3]),
    (["--player", "Anna", "--player", "Dan"], []),
    (["--since", "2026-01-03"], [2, 3, 4]),
    (["--since", "2026-01-04"], [2, 3]),
    (["--until", "2026-01-03"], [4, 1]),
    (["--since", "2026-01-02", "--until", "2026-01-05"], [3, 4]),
    (["--unfinished"], [3]),
    (["-n", "2"], [2, 3]),
    (["--limit", "2", "--game", "poker-carre", "--player", "Ben"], [1]),
    (["--deleted"], []),
)


@pytest.mark.parametrize(("argv", "numbers"), FILTERS)
def test_games_can_be_asked_for(some_games, kiebitz, argv, numbers):
    assert [game["number"] for game in kiebitz("games", "--json", *argv).json] == numbers


def test_a_day_is_a_day_where_the_players_live(some_games, kiebitz, monkeypatch):
    monkeypatch.setenv("TZ", "Pacific/Kiritimati")  # 14 hours ahead: noon is two o'clock of the next day there
    time.tzset()
    assert [game["number"] for game in kiebitz("games", "--json", "--since", "2026-01-09").json] == [2]
    assert kiebitz("games", "--json", "--since", "2026-01-10").json == [], "at two o'clock it is still the evening"
    assert "2026-01-10 02:00" in kiebitz("games").out
    assert kiebitz("games", "--json").json[0]["at"] == "2026-01-09T12:00:00Z"


def test_a_game_for_programs(some_games, kiebitz):
    game = kiebitz("games", "--json", "--game", "poch").json[0]
    assert game == {
        "number": 2,
        "id": "aabbcc-0002-000002",
        "game": "poch",
        "phase": "OVER",
        "finished": True,
        "early": False,
        "imported": False,
        "events": 3,
        "fixes": 0,
        "flaw": None,
        "deleted": False,
        "at": "2026-01-09T12:00:00Z",
        "approximate": False,
        "damaged": False,
        "device": "e6aabbcc",
        "received": "2026-01-06T11:46:40Z",
        "scores": [
            {"name": "Anna", "score": 120, "rank": 1, "winner": True, "starts": True},
            {"name": "Ben", "score": 120, "rank": 1, "winner": True, "starts": False},
            {"name": "Cleo", "score": 60, "rank": 3, "winner": False, "starts": False},
        ],
    }


def test_bad_questions_are_bad_usage(some_games, kiebitz):
    for argv in (["--since", "tomorrow"], ["--game", "chess"], ["--game", "po"], ["-n", "0"], ["-n", "x"]):
        done = kiebitz("games", *argv)
        assert (done.code, done.out) == (2, ""), argv
    assert "'x' is not a number of games" in kiebitz("games", "-n", "x").err
    assert "there is no player 'Zoe'" in kiebitz("games", "--player", "Zoe").err


def test_nothing_like_that_is_not_nothing_at_all(some_games, kiebitz):
    assert kiebitz("games", "--deleted").out == "No games like that.\n"
    assert kiebitz("games", "--until", "2020-01-01").out == "No games until 1 Jan 2020.\n"
    assert kiebitz("games", "--until", "2020-01-01", "--game", "poch").out == "No games like that until 1 Jan 2020.\n"


def test_a_long_list_is_cut_to_a_page_and_shown_whole_on_request(store, kiebitz):
    with store.batch():
        for k in range(1, 321):
            store.add_journal(f"x-{k:04d}-{k:06x}", carre(["Anna", "Ben"], [k % 3, 1]), None, 86400 * k, k == 320)
    page = kiebitz("games").out
    assert page.count("PokerCarre") == 20
    assert "300 more; -n NUMBER or --all shows them." in page
    whole = kiebitz("games", "--all").out.splitlines()
    assert len(whole) == 320
    assert whole[0] == "320  ~1970-11-17       PokerCarre   Anna 2*, Ben 1"
    assert whole[-1] == "  1  1970-01-02 00:00  PokerCarre   Anna 1*, Ben 1*"
    assert len(kiebitz("games", "--json").json) == 320


def test_long_names_and_many_players_stay_within_80_columns(put, kiebitz):
    names = [f"{letter * 23}!" for letter in "ABCDEFGH"]
    put(poch(names, [100, 170, 30, 100, 100, 100, 100, 100]), damaged=True)
    put(carre(["[bold]x[/bold]", ":smile: 李雷\u202e"], [10, 20]))
    for argv in (["games"], ["show", "1"], ["show", "2"], ["league"], ["league", "poch"], ["players"]):
        done = kiebitz(*argv)
        assert done.code == 0
        assert max(map(len, done.out.splitlines())) <= 80, argv
    assert "[bold]x[/bold] 10" in kiebitz("games").out
    assert "\u202e" not in kiebitz("games").out


def test_colours_only_where_the_terminal_has_them(some_games, kiebitz, monkeypatch):
    assert "\x1b" not in kiebitz("games").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in kiebitz("games").out


# --- add ---


@pytest.fixture
def file(tmp_path):
    """Return a function that writes a recorded game to a file and returns its path."""

    def write(name, lines):
        place = tmp_path / name
        place.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return str(place)

    return write


def test_a_file_is_added_once_and_known_again(kiebitz, file):
    path = file("a.jsonl", carre(["Anna", "Ben"], [3, 2]))
    assert kiebitz("add", path).out == f"{path}: game 1, added.\n"
    assert kiebitz("add", path, path).out == f"{path}: game 1, known already.\n" * 2
    assert len(kiebitz("games", "--json").json) == 1


def test_a_file_that_has_grown_is_the_same_game(kiebitz, file):
    lines = carre(["Anna", "Ben"], [3, 2])
    results = []
    for part in (lines[:3], lines, lines[:4], lines[:2] + carre(["Anna", "Ben"], [0, 5])[1:]):
        (item,) = kiebitz("add", file("a.jsonl", part), "--json").json
        results.append((item["number"], item["result"]))
    assert results == [(1, "new"), (1, "longer"), (1, "shorter"), (2, "new")]


def test_the_id_and_the_time_of_a_device_are_taken(kiebitz, file):
    setup = {"id": "aabbcc-0007-00ff00", "at": 1767600000, "device": "e6aabbcc"}
    (item,) = kiebitz("add", file("a.jsonl", carre(["Anna", "Ben"], [3, 2], **setup)), "--json").json
    assert item["id"] == "aabbcc-0007-00ff00"
    (game,) = kiebitz("games", "--json").json
    assert (game["at"], game["approximate"], game["device"]) == ("2026-01-05T08:00:00Z", False, "e6aabbcc")


def journal(lines, game_id="aabbcc-0007-00ff00"):
    """Return a game as a device file, in which each line has its number and checksum."""
    lines = [json.dumps({**json.loads(lines[0]), "id": game_id}), *lines[1:]]
    return [sealed(game_id, number, line).decode().rstrip("\n") for number, line in enumerate(lines)]


def test_the_journal_of_a_device_is_a_recorded_game(kiebitz, file):
    lines = carre(["Anna", "Ben"], [3, 2])
    path = file("aabbcc-0007-00ff00.kbz", journal(lines))
    (item,) = kiebitz("add", path, "--json").json
    assert (item["id"], item["result"]) == ("aabbcc-0007-00ff00", "new")
    assert kiebitz("show", "1", "--json").json["scores"][0]["score"] == 3
    assert kiebitz("replay", path, "--json").json == kiebitz("replay", file("a.jsonl", lines), "--json").json


@pytest.mark.parametrize("damage", ["a changed entry", "a line that is missing", "another game", "a damaged set-up"])
def test_a_journal_that_is_damaged_is_refused_from_there_on(kiebitz, file, damage):
    lines = journal(carre(["Anna", "Ben"], [3, 2]))
    other = journal(carre(["Anna", "Ben"], [3, 2]), "aabbcc-0008-00ff00")
    at = 0 if damage == "a damaged set-up" else 1
    if damage == "a line that is missing":
        del lines[at]
    else:
        lines[at] = other[at] if damage == "another game" else lines[at].replace('"', "'", 1)
    done = kiebitz("replay", file("damaged.kbz", lines), "--json")
    assert done.code == 3
    assert json.loads(done.out)["refused"]["line"] == at + 1 and json.loads(done.out)["events"] == 0


def test_without_a_time_that_of_the_file_is_taken_and_marked(kiebitz, file):
    path = file("a.jsonl", carre(["Anna", "Ben"], [3, 2]))
    os.utime(path, (1767600000, 1767600000))
    kiebitz("add", path)
    (game,) = kiebitz("games", "--json").json
    assert (game["at"], game["approximate"], game["device"]) == ("2026-01-05T08:00:00Z", True, None)


def test_a_refused_file_is_not_taken_but_the_others_are(kiebitz, file):
    good = file("good.jsonl", carre(["Anna", "Ben"], [3, 2]))
    bad = file("bad.jsonl", [*carre(["Anna", "Ben"], [3, 2])[:2], "", '{"ev":"spend","p":0,"k":1}'])
    done = kiebitz("add", bad, good)
    assert done.code == 3
    assert done.out == f"{good}: game 1, added.\n"
    assert done.err.startswith(f"{bad}: not taken, line 4: E_ARG - ")
    report = kiebitz("add", bad, "--json")
    assert report.code == 3
    assert json.loads(report.out)[0]["refused"]["line"] == 4


@pytest.mark.only_files
def test_if_a_file_cannot_be_read_none_is_taken(kiebitz, file, path):
    done = kiebitz("add", file("good.jsonl", carre(["Anna", "Ben"], [3, 2])), "missing.jsonl")
    assert (done.code, done.err) == (2, "kiebitz: cannot read missing.jsonl: No such file or directory.\n")
    assert not path.exists()


# --- delete and restore ---


def test_a_deleted_game_is_out_of_everything_until_it_is_restored(some_games, kiebitz):
    commands = (["games", "--json"], ["players", "--json"], ["league", "--json"], ["export", "csv"], ["league", "poch"])
    before = [kiebitz(*argv).out for argv in commands]
    assert kiebitz("delete", "2", "4").out == "Game 2 is deleted.\nGame 4 is deleted.\n"
    assert [game["number"] for game in kiebitz("games", "--json").json] == [3, 1]
    assert [game["number"] for game in kiebitz("games", "--deleted", "--json").json] == [2, 4]
    assert kiebitz("league", "--json").json["games"] == 1
    assert "Deleted." in kiebitz("show", "2").out
    assert kiebitz("rebuild").code == 0
    assert [game["number"] for game in kiebitz("games", "--json").json] == [3, 1]
    assert kiebitz("restore", "4", "2", "--json").json == {"restored": [4, 2]}
    assert [kiebitz(*argv).out for argv in commands] == before


def test_deleting_twice_or_half_changes_nothing(some_games, kiebitz):
    assert "is not deleted" in kiebitz("restore", "1").err
    assert "there is no game 99" in kiebitz("delete", "1", "99").err
    kiebitz("delete", "1")
    assert "is deleted already" in kiebitz("delete", "3", "1").err
    assert [game["number"] for game in kiebitz("games", "--json").json] == [2, 3, 4]
