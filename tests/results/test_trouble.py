"""Invalid files, full disks and killed processes: one sentence each, and nothing lost."""

import random
import shutil
import sqlite3
import threading
from contextlib import closing

import pytest
from helpers.finished import carre
from kiebitz_host.cli import COMMANDS
from kiebitz_host.library import database, file_tables, schema
from kiebitz_host.outcome import Trouble
from kiebitz_lab.torture import kill_store
from kiebitz_lab.torture.campaign import Campaign, make_store
from kiebitz_lab.torture.writing_commands import STORE, Scenario, scenarios

GAMES = {f"aabbcc-{k:04d}-000000": carre(["Anna", "Ben"], [k, 40 - k]) for k in range(1, 31)}


def fill(store, games=GAMES):
    with store.batch():
        for game_id, lines in games.items():
            store.add_journal(game_id, lines, None, 1000, False)


def holds_everything(store):
    return all(store.stored_game(game_id).lines == lines for game_id, lines in GAMES.items())


@pytest.fixture
def trouble(kiebitz):
    """Return a function that runs a command that must fail and returns its one sentence."""

    def run(*argv):
        done = kiebitz(*argv)
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith("kiebitz: ") and done.err.count("\n") == 1
        return done.err

    return run


# --- not ours ---


def test_a_file_that_is_no_database(trouble, path):
    path.write_text("Anna 12, Ben 7\n" * 100)
    before = path.read_bytes()
    assert "is not a database" in trouble("games")
    assert "is not a database" in trouble("delete", "1")
    assert path.read_bytes() == before


def test_a_database_of_another_program(trouble, path):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (name)")
    before = path.read_bytes()
    assert "belongs to another program" in trouble("games")
    assert path.read_bytes() == before


def test_a_folder_and_a_place_that_cannot_be(trouble, tmp_path):
    assert "is a folder" in trouble("games", "--db", tmp_path)
    (tmp_path / "file").write_text("")
    assert "the folder for" in trouble("delete", "1", "--db", tmp_path / "file" / "sub" / "results.db")


def test_an_empty_file_is_an_empty_store(path, kiebitz):
    path.write_bytes(b"")
    assert kiebitz("games").out.startswith("No games yet")


def test_reading_does_not_create_a_file(path, kiebitz):
    for argv in (["games"], ["league"], ["players"], ["export", "csv"], ["export", "json"]):
        assert kiebitz(*argv).code == 0
    assert kiebitz("show", "1").code == 2
    assert not path.exists()


def test_the_folder_is_made_when_something_is_stored(tmp_path, monkeypatch, kiebitz):
    monkeypatch.delenv("KIEBITZ_DB")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    game = tmp_path / "game.jsonl"
    game.write_text("\n".join(carre(["Anna", "Ben"], [3, 2])))
    assert kiebitz("add", game).code == 0
    assert (tmp_path / "share" / "kiebitz" / "results.db").exists()
    monkeypatch.setenv("XDG_DATA_HOME", "not/absolute")
    assert kiebitz("games", "--json").json == []
    assert kiebitz("games", "--json", "--db", tmp_path / "share" / "kiebitz" / "results.db").json


def test_a_path_may_hold_any_characters(tmp_path, kiebitz):
    game = tmp_path / "game.jsonl"
    game.write_text("\n".join(carre(["Anna", "Ben"], [3, 2])))
    place = tmp_path / "a b?c#d%20&mode=ro" / "results.db"
    assert kiebitz("add", game, "--db", place).code == 0
    assert len(kiebitz("games", "--json", "--db", place).json) == 1
    assert place.exists()


# --- cut off ---


def test_a_file_that_was_cut_off_is_said_to_be_damaged_and_never_written(store, path, trouble):
    fill(store)
    store.close()
    whole = path.read_bytes()
    for size in (len(whole) - 1, len(whole) - 4096, len(whole) // 2 // 4096 * 4096, len(whole) // 3, 4096, 5000, 1000):
        path.write_bytes(whole[:size])
        sentence = trouble("games")
        assert "is damaged" in sentence or "is not a database" in sentence, size
        assert trouble("delete", "1") == sentence
        assert path.read_bytes() == whole[:size]


def test_a_page_of_rubbish_is_found_when_it_is_read(store, path, trouble):
    fill(store)
    store.close()
    whole = bytearray(path.read_bytes())
    for page in range(1, len(whole) // 4096):
        whole[page * 4096 : page * 4096 + 4096] = b"\xa5" * 4096
    path.write_bytes(whole)
    assert "is damaged" in trouble("games")
    assert path.read_bytes() == bytes(whole)


def test_a_write_that_is_cut_off_in_the_middle_never_happened(store, open_store, path, tmp_path):
    # The power fails while pages of a transaction are already in the file: take a snapshot of the disk
    fill(store)
    copy = tmp_path / "after.db"
    store.db.run("PRAGMA cache_size = 1")  # every page goes to the file as soon as it can
    with pytest.raises(KeyboardInterrupt), store.batch():
        fill(store, {f"ddeeff-{k:04d}-000000": carre(["Cleo", "Dan"], [k, 1]) for k in range(30)})
        store.db.run("DELETE FROM contents")
        for suffix in ("", "-journal"):
            shutil.copy(f"{path}{suffix}", f"{copy}{suffix}")
        raise KeyboardInterrupt
    with open(copy, "rb") as file:
        assert file.read() != path.read_bytes()
    found = open_store(copy)
    assert holds_everything(found)
    assert found.number("ddeeff-0001-000000") is None
    assert found.db.rows("PRAGMA integrity_check") == [("ok",)]
    assert holds_everything(store)


# --- disks ---


@pytest.fixture
def settings(monkeypatch):
    """Return a function that sets a statement to be executed on every new connection."""

    def use(statement, mode=None):
        plain = database.connect

        def connect(path, asked):
            connection = plain(path, mode or asked)
            connection.execute(statement)
            return connection

        monkeypatch.setattr(database, "connect", connect)

    return use


def test_a_full_disk_changes_nothing_and_says_so(store, open_store, settings):
    fill(store)
    store.close()
    settings("PRAGMA max_page_count = 1")  # never below what there is
    full = open_store()
    with pytest.raises(Trouble, match="is full: free some space and try again. Nothing was changed."):
        fill(full, {f"ddeeff-{k:04d}-000000": carre(["Cleo", "Dan"], [40, 40]) for k in range(30)})
    assert full.number("ddeeff-0000-000000") is None
    assert holds_everything(full)
    full.close()
    assert full.path.parent.joinpath("results.db-journal").exists() is False


def test_a_full_disk_while_a_store_is_made(path, settings, trouble, tmp_path):
    settings("PRAGMA max_page_count = 2")
    game = tmp_path / "game.jsonl"
    game.write_text("\n".join(GAMES["aabbcc-0001-000000"]))
    assert "is full" in trouble("add", game)


def test_a_read_only_disk_can_be_read_but_not_changed(store, settings, kiebitz, trouble):
    fill(store)
    store.close()
    settings("PRAGMA query_only = OFF", mode="ro")
    assert len(kiebitz("games", "--json").json) == 30
    assert kiebitz("league").code == kiebitz("show", "3").code == 0
    for argv in (["delete", "3"], ["players", "rename", "Anna", "Eva"], ["rebuild"], ["fix", "3", "--undo"]):
        if argv[0] == "fix":
            assert "no correction" in trouble(*argv)
        else:
            assert "cannot be written (read-only disk, or no permission). Nothing was changed." in trouble(*argv)


# --- two at once ---


def test_who_writes_while_another_does_is_told_so_and_readers_go_on(store, open_store, monkeypatch, kiebitz, trouble):
    fill(store)
    monkeypatch.setattr(database, "WAIT_S", 0.01)
    with store.batch():
        store.db.run("DELETE FROM decisions")
        assert "another Kiebitz is writing" in trouble("delete", "3")
        assert len(kiebitz("games", "--json").json) == 30
    assert kiebitz("delete", "3").code == 0


def test_a_writer_waits_for_the_other_one(store, open_store, path):
    fill(store)
    begun, done = threading.Event(), threading.Event()

    def second():
        other = database.Database(path, "rw")
        begun.set()
        with other.transaction():
            done.set()
        other.close()

    with store.batch():
        thread = threading.Thread(target=second)
        thread.start()
        assert begun.wait(5)
        assert not done.is_set()
    thread.join()
    assert done.is_set()


def test_two_that_make_the_store_at_the_same_time_make_one(path, open_store, monkeypatch):
    # The other process creates the tables after we have looked and before we begin
    real = file_tables._create
    calls = []

    def late(db):
        if not calls:
            calls.append(1)
            fill(open_store())
        real(db)

    monkeypatch.setattr(file_tables, "_create", late)
    assert holds_everything(open_store())


def test_a_store_of_a_newer_version_is_left_alone(open_store, path, trouble):
    open_store().close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {schema.FORMAT + 1}")
    before = path.read_bytes()
    for argv in (["games"], ["delete", "1"], ["rebuild"]):
        assert "newer Kiebitz (format 2, this one supports 1): update Kiebitz. Nothing was changed." in trouble(*argv)
    assert path.read_bytes() == before and list(path.parent.iterdir()) == [path]


# --- killed commands ---

READS_ONLY = {  # web changes the store through the functions of fix, delete, restore and rename
    "sim", "live", "web", "install", "doctor", "replay", "combos", "rules", "texts", "games", "show", "league",
}  # fmt: skip


@pytest.mark.long
def test_commands_killed_at_random_moments(capsys):
    """Run a short `python -m kiebitz_lab.torture.kill_store`, with two kills of each command."""
    assert kill_store.main(["32"]) == 0
    assert "failed: 0" in capsys.readouterr().out


@pytest.mark.long
def test_more_commands_killed_at_random_moments(capsys):
    assert kill_store.main(["300", "--seed", "7"]) == 0
    assert "failed: 0" in capsys.readouterr().out


@pytest.mark.long
def test_every_command_that_writes_is_killed(tmp_path):
    killed = {one.argv(tmp_path)[0] if one.argv else one.name for one in scenarios(tmp_path / "files")}
    assert killed == set(COMMANDS) - READS_ONLY


@pytest.mark.long
def test_a_command_that_writes_half_is_noticed(tmp_path):
    """Run a command that prints, then deletes two games in two transactions."""
    (files := tmp_path / "files").mkdir()
    make_store(files / STORE)

    def half(folder):
        print("done", flush=True)
        for number in ("1", "2"):
            kill_store.kiebitz(["delete", number])
        return 0

    one = kill_store.measure(Scenario("half", files, action=half), tmp_path / "try")
    campaign = Campaign("test", 1)
    for number in range(12):
        campaign.number = number
        kill_store.trial(campaign, random.Random(number), [one], tmp_path / "try")
    assert any("neither as before nor as after" in why for why in campaign.failures)
    assert any("printed 'done" in why for why in campaign.failures)
