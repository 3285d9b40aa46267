"""`kiebitz rebuild --from`: merge a backup, the store of another laptop, or a damaged file."""

import shutil

import pytest
from helpers.finished import carre, spot
from kiebitz_host.library import fixes, people, removals, schema

GAMES = {f"aabbcc-{k:04d}-000000": carre(["Anna", "Ben"], [k % 40, 40 - k % 40]) for k in range(1, 61)}


@pytest.fixture
def other(open_store, tmp_path):
    """Return the store of another laptop."""
    return open_store(tmp_path / "other.db")


def fill(store, games=GAMES):
    with store.batch():
        for game_id, lines in games.items():
            store.add_journal(game_id, lines, {"id": "e6aabbcc"}, 1000, False)


def test_everything_can_be_derived_anew(put, store, kiebitz):
    put(carre(["Anna", "Ben"], [3, 2]))
    put(spot(["Anna", "Ben", "Cleo"], [1, 2, 3]))
    before = kiebitz("games", "--json").out
    store.db.run("UPDATE scores SET score = 0")
    assert kiebitz("rebuild").out == "Rebuilt: 2 games.\n"
    assert kiebitz("games", "--json").out == before
    assert kiebitz("rebuild", "--json").json == {"games": 2, "taken": None}


@pytest.mark.only_files
def test_games_of_another_laptop_are_taken_with_what_was_done_there(store, other, kiebitz, tmp_path):
    fill(store, dict(list(GAMES.items())[:40]))
    fill(other, dict(list(GAMES.items())[20:]))
    other.add_journal("x-1-1", carre(["anna", "Cleo"], [1, 2]), None, 2000, True, True)
    people.join(other.db, people.find(other.db, "Anna"), people.find(other.db, "anna"))
    people.rename(other.db, people.find(other.db, "Ben"), "Benjamin")
    number = other.number("aabbcc-0060-000000")
    fixes.correct(other, number, 1, {"ev": "mark", "p": 0, "rubric": 5})
    fixes.correct(other, number, 2, {"ev": "mark", "p": 0, "rubric": 5})
    fixes.take_back(other, number)
    removals.delete(other, other.number("aabbcc-0059-000000"))
    done = kiebitz("rebuild", "--from", tmp_path / "other.db", "--json").json
    assert done == {"games": 61, "taken": {"new": 21, "known": 20, "lost": 0}}
    assert all(store.stored_game(game_id).lines == lines for game_id, lines in GAMES.items())
    held = store.stored_game("x-1-1")
    assert (held.played_at, held.approximate, held.damaged) == (2000, True, True)
    assert store.renames() == {"Ben": "Benjamin", "anna": "Anna"}
    assert [game["id"] for game in kiebitz("games", "--deleted", "--json").json] == ["aabbcc-0059-000000"]
    corrected = [game for game in kiebitz("games", "--json").json if game["fixes"]]
    assert [(game["id"], game["scores"][0]["score"]) for game in corrected] == [("aabbcc-0060-000000", 29)]
    again = kiebitz("rebuild", "--from", tmp_path / "other.db", "--json").json
    assert again["taken"] == {"new": 0, "known": 41, "lost": 0}
    assert [game["fixes"] for game in kiebitz("games", "--json").json if game["fixes"]] == [1]


@pytest.mark.only_files
def test_a_backup_of_a_newer_version_is_left_alone(store, other, kiebitz, tmp_path):
    fill(other)
    other.db.run(f"PRAGMA user_version = {schema.FORMAT + 1}")
    other.close()
    done = kiebitz("rebuild", "--from", tmp_path / "other.db")
    assert (done.code, done.out) == (2, "") and "written by a newer Kiebitz (format 2, this one supports 1)" in done.err
    assert kiebitz("games", "--json").json == []


@pytest.mark.parametrize(("part", "at_least"), [(0.02, 0), (0.3, 0), (0.5, 80), (0.7, 160), (0.9, 240), (0.99, 280)])
@pytest.mark.only_files
def test_of_a_file_that_was_cut_off_what_is_there_is_rescued(other, store, kiebitz, tmp_path, part, at_least):
    games = {f"aabbcc-{k:04d}-000000": carre(["Anna", "Ben"], [k % 40, 40 - k % 40]) for k in range(1, 301)}
    fill(other, games)
    other.close()
    whole = (tmp_path / "other.db").read_bytes()
    (tmp_path / "cut.db").write_bytes(whole[: int(len(whole) * part)])
    taken = kiebitz("rebuild", "--from", tmp_path / "cut.db", "--json").json["taken"]
    assert taken["new"] >= at_least
    assert taken["new"] + taken["lost"] >= at_least
    for game_id, lines in games.items():
        held = store.stored_game(game_id)
        if held:
            assert lines[: len(held.lines)] == held.lines
            assert held.damaged == (len(held.lines) < len(lines)), game_id


@pytest.mark.only_files
def test_rubbish_in_a_file_never_becomes_a_game(other, store, kiebitz, tmp_path):
    fill(other)
    other.close()
    content = bytearray((tmp_path / "other.db").read_bytes())
    for at in range(4096, len(content), 97):
        content[at] ^= at % 255
    (tmp_path / "other.db").write_bytes(content)
    kiebitz("rebuild", "--from", tmp_path / "other.db")
    for game in kiebitz("games", "--json").json:
        assert game["flaw"] is None and game["game"] in ("poker_carre", None)


@pytest.mark.only_files
def test_a_cut_file_and_its_backup_together_give_everything_back(other, kiebitz, tmp_path, store):
    fill(other)
    other.close()
    shutil.copy(tmp_path / "other.db", tmp_path / "backup.db")
    with open(tmp_path / "other.db", "rb+") as file:
        file.truncate(20000)
    for name in ("other.db", "backup.db"):
        assert kiebitz("rebuild", "--from", tmp_path / name).code == 0
    assert len(kiebitz("games", "--json").json) >= 60
    assert all(store.stored_game(game_id).lines == lines for game_id, lines in GAMES.items())


@pytest.mark.only_files
def test_what_cannot_be_taken_over_is_said(store, kiebitz, tmp_path, path):
    fill(store)
    (tmp_path / "letter.txt").write_text("Dear Anna, " * 500)
    before = kiebitz("games", "--json").out
    for source, sentence in (
        ("missing.db", "there is no such file"),
        (path, "cannot be imported into itself"),
        (tmp_path / "letter.txt", "nothing can be read in this file"),
    ):
        done = kiebitz("rebuild", "--from", source)
        assert (done.code, done.out) == (2, "") and sentence in done.err and done.err.count("\n") == 1
    assert kiebitz("games", "--json").out == before
