"""Corrupt stores: detected, reported in one sentence with the remedy, and never written to."""

import os
import random
import sqlite3
import zlib
from contextlib import closing

import pytest
from helpers.finished import carre
from kiebitz_host.library import people, query, removals
from kiebitz_host.library.repair import rescue
from kiebitz_host.library.store import Store
from kiebitz_host.outcome import Trouble
from kiebitz_lab.torture import damaged_databases
from kiebitz_lab.torture.campaign import Campaign

GAMES = {f"aabbcc-{k:04d}-000000": carre(["Anna", "Ben"], [k, 24 - k]) for k in range(1, 25)}
COMMANDS = (["games"], ["league"], ["delete", "3"], ["players", "rename", "Anna", "Eva"], ["rebuild"])


@pytest.fixture
def filled(store, path):
    """Return the path of a closed store with games."""
    with store.batch():
        for game_id, lines in GAMES.items():
            store.add_journal(game_id, lines, {"id": "e6aabbcc"}, 1000, False)
    store.close()
    return path


@pytest.fixture
def is_damaged(kiebitz, filled):
    """Return a function that checks that commands report the damage and the remedy, and do not change the file."""

    def check(commands=COMMANDS):
        before = filled.read_bytes()
        for argv in commands:
            done = kiebitz(*argv)
            assert (done.code, done.out) == (2, ""), argv
            assert "is damaged (" in done.err and "`kiebitz rebuild --from FILE`" in done.err, argv
            assert done.err.count("\n") == 1, argv
        assert filled.read_bytes() == before
        assert list(filled.parent.glob("results.db?*")) == []

    return check


def overwrite(path, at, data):
    with open(path, "rb+") as file:
        file.seek(at)
        file.write(data)


def change(path, *statements):
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


@pytest.mark.parametrize("number", [0, 1000, 2**31, 2**32 - 1])
def test_a_format_that_no_version_has(filled, is_damaged, number):
    overwrite(filled, 60, number.to_bytes(4, "big"))
    is_damaged()


@pytest.mark.parametrize(("at", "data"), [(0, b"X"), (16, b"\x07"), (19, b"\x09"), (68, b"Kiez")])
def test_a_damaged_header_is_not_taken_for_the_file_of_another_program(filled, is_damaged, at, data):
    overwrite(filled, at, data)
    is_damaged()


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE contents RENAME COLUMN data TO dat4",
        "ALTER TABLE people RENAME TO peop1e",
        "DROP TABLE scores",
        "DROP INDEX games_by_time",
    ],
)
def test_tables_and_columns_that_are_not_there(filled, is_damaged, statement):
    change(filled, "PRAGMA legacy_alter_table = ON", statement)
    is_damaged()


@pytest.mark.parametrize(
    ("statement", "reading"),
    [
        ("UPDATE journals SET received = 'soon'", [["games", "--json"]]),
        ("UPDATE games SET at = 9000000000000000000", [["games"], ["export", "csv"]]),
        ("UPDATE scores SET rank = NULL", [["league"]]),
        ("UPDATE spellings SET person = 77", []),
        ("UPDATE contents SET data = x'789c00' WHERE number = 2", [["show", "2"], ["export", "json"]]),
        ("DELETE FROM contents WHERE number = 2", [["show", "2"]]),
        (
            "INSERT INTO decisions VALUES ('0123456789abcdef0123456789abcdef', 5, 'aabbcc-0001-000000/0', '{}')",
            [],
        ),
    ],
)
def test_values_that_nobody_has_stored(filled, is_damaged, statement, reading):
    change(filled, statement)
    # Derived values are compared only after an error: before writing, that would take too long
    derived = statement.split()[1] == "scores"
    is_damaged(reading if derived else [*reading, ["delete", "3"], ["rebuild"]])


def test_a_game_that_is_not_known_here_is_listed_under_its_own_name(filled, kiebitz):
    change(filled, "UPDATE games SET kind = 'chess'")
    done = kiebitz("games")
    assert done.code == 0 and "chess" in done.out and done.err == ""


def test_a_mistake_of_the_program_is_not_called_damage(filled, kiebitz, monkeypatch):
    def broken(db, wanted, limit=None):
        raise KeyError("a mistake")

    monkeypatch.setattr("kiebitz_host.library.query.games", broken)
    with pytest.raises(KeyError, match="a mistake"):
        kiebitz("games")


def test_a_file_of_0_bytes_stays_one_when_it_is_read(path, kiebitz):
    path.write_bytes(b"")
    for argv in (["games"], ["league"], ["players"], ["export", "csv"]):
        done = kiebitz(*argv)
        assert done.code == 0 and "has 0 bytes" in done.err and "kiebitz rebuild --from" in done.err
        assert path.read_bytes() == b""
    assert kiebitz("show", "1").code == 2
    assert path.read_bytes() == b""


def test_a_file_of_0_bytes_becomes_a_store_when_it_is_written(path, kiebitz, tmp_path):
    path.write_bytes(b"")
    game = tmp_path / "game.jsonl"
    game.write_text("\n".join(GAMES["aabbcc-0003-000000"]))
    assert kiebitz("add", game).code == 0
    assert len(kiebitz("games", "--json").json) == 1


def test_a_database_without_tables_does_not_become_a_store_when_it_is_read(path, kiebitz):
    change(path, "CREATE TABLE t (a)", "DROP TABLE t")
    before = path.read_bytes()
    assert before and "has no tables" in kiebitz("games").err
    assert path.read_bytes() == before


def test_what_is_no_regular_file_is_no_store(kiebitz, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for argv in (["games"], ["delete", "1"]):
        assert "is not a regular file" in kiebitz(*argv, "--db", tmp_path / "pipe").err



# --- taking over ---


def test_one_journal_that_is_damaged_costs_no_other_game_and_is_taken_up_to_its_damage(filled, open_store, tmp_path):
    game = GAMES["aabbcc-0007-000000"]
    with closing(sqlite3.connect(filled)) as connection:
        (data,) = connection.execute("SELECT data FROM contents WHERE number = 7").fetchone()
        text = zlib.decompress(data).replace(game[2].encode() + b"\n", b'{"ev":"\xff"}\n', 2)
        # The first three lines are unchanged; the checksum at the end does not match
        connection.execute("UPDATE contents SET data = ? WHERE number = 7", (zlib.compress(text)[:-4] + b"abcd",))
        connection.commit()
    new = open_store(tmp_path / "new.db")
    done = rescue(new, str(filled))
    assert (done["new"], done["known"]) == (24, 0)
    whole = [game_id for game_id, lines in GAMES.items() if new.stored_game(game_id).lines == lines]
    assert len(whole) == 23
    held = new.stored_game("aabbcc-0007-000000")
    assert held.damaged and 0 < len(held.lines) < len(game) and held.lines == game[: len(held.lines)]


def test_a_name_that_is_not_utf8_costs_no_game(filled, open_store, tmp_path):
    change(filled, "UPDATE people SET name = CAST(x'ff' AS TEXT) WHERE id = 1")
    change(filled, "UPDATE journals SET device = CAST(x'ff' AS TEXT) WHERE number = 3")
    change(filled, "INSERT INTO decisions VALUES ('x', 1, '', CAST(x'ff' AS TEXT))")
    new = open_store(tmp_path / "new.db")
    assert rescue(new, str(filled))["new"] == 24
    assert all(new.stored_game(game_id).lines == lines for game_id, lines in GAMES.items())


@pytest.mark.parametrize("at", [0, 16, 18, 20, 21, 44, 56])
def test_behind_a_damaged_header_every_game_is_found(filled, open_store, tmp_path, at):
    overwrite(filled, at, b"\xee")
    new = open_store(tmp_path / "new.db")
    assert rescue(new, str(filled))["new"] == 24
    assert all(new.stored_game(game_id).lines == lines for game_id, lines in GAMES.items())


def test_damaged_decisions_are_left_out(filled, open_store, tmp_path):
    with open_store() as store:
        removals.delete(store, 2)
        removals.delete(store, 3)
    change(
        filled,
        "UPDATE decisions SET content = replace(content, '0003', '0004') WHERE about LIKE 'aabbcc-0003%'",
        "INSERT INTO decisions VALUES ('0123456789abcdef0123456789abcdef', 'soon', 'x', '{}')",
    )
    new = open_store(tmp_path / "new.db")
    assert rescue(new, str(filled))["new"] == 24
    assert [game["number"] for game in query.games(new.db, query.Filter(deleted=True))] == [2]
    assert new.db.value("SELECT count(*) FROM decisions") == 1


@pytest.mark.long
def test_damaged_files_of_every_kind(capsys):
    """Run the short form of python -m kiebitz_lab.torture.damaged_databases 1000."""
    assert damaged_databases.main(["20"]) == 0
    assert "failed: 0" in capsys.readouterr().out


@pytest.mark.long
def test_more_damaged_files_of_every_kind(capsys):
    assert damaged_databases.main(["300", "--seed", "7"]) == 0
    assert "failed: 0" in capsys.readouterr().out


def test_the_campaign_notices_a_command_that_writes_to_a_damaged_file(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("kiebitz_host.library.store.check_everything", lambda db: None)
    ground = damaged_databases.Ground(tmp_path)
    campaign = Campaign("test", 1)

    def no_utf8(chance):
        change(ground.path, "UPDATE contents SET data = x'ff' WHERE number = 2")
        return ground.path.read_bytes()

    monkeypatch.setattr(ground, "damage", no_utf8)
    damaged_databases.trial(campaign, random.Random(1), ground)
    assert any("has written to a damaged file" in why for why in campaign.failures)
    assert campaign.report() == 1


# --- two at once ---


@pytest.fixture
def quicker(filled, open_store, monkeypatch):
    """Return a function that lets another process change the store between open and write of a command."""

    def arrange(change):
        real = Store.batch
        waiting = [change]

        def batch(store):
            if waiting:
                change, other = waiting.pop(), open_store()
                change(other)
                other.close()
            return real(store)

        monkeypatch.setattr(Store, "batch", batch)

    return arrange


def overtaken(done):
    assert (done.code, done.out) == (2, "")
    assert "another program has changed" in done.err and done.err.count("\n") == 1
    return done.err


def test_two_join_the_same_players(put, filled, open_store, quicker, kiebitz):
    with open_store() as other:
        other.add_journal("x-1", carre(["anna", "Cleo"], [3, 2]), None, 1000, False)
    quicker(lambda store: people.join(store.db, *[people.find(store.db, name) for name in ("Anna", "anna")]))
    assert "these are one person already" in overtaken(kiebitz("players", "join", "Anna", "anna"))


def test_two_give_two_players_the_same_name(quicker, kiebitz):
    quicker(lambda store: people.rename(store.db, people.find(store.db, "Anna"), "Eva"))
    assert "there is a player 'Eva' already" in overtaken(kiebitz("players", "rename", "Ben", "Eva"))


def test_two_split_the_same_spelling(filled, open_store, quicker, kiebitz):
    with open_store() as other:
        people.rename(other.db, people.find(other.db, "Anna"), "Eva")
    quicker(lambda store: people.split(store.db, "Anna"))
    assert "is the name of this player" in overtaken(kiebitz("players", "split", "Anna"))


def test_two_correct_the_same_entry(quicker, kiebitz):
    event = '{"ev":"mark","p":0,"rubric":5}'
    quicker(lambda store: kiebitz("fix", "3", "--entry", "1", "--with", event))
    assert "is already like that" in overtaken(kiebitz("fix", "3", "--entry", "1", "--with", event))


def test_two_take_back_the_same_correction(quicker, kiebitz):
    event = '{"ev":"mark","p":0,"rubric":5}'
    assert kiebitz("fix", "3", "--entry", "1", "--with", event).code == 0
    quicker(lambda store: kiebitz("fix", "3", "--undo"))
    assert "no correction to take back" in overtaken(kiebitz("fix", "3", "--undo"))


def test_a_trouble_of_ones_own_is_nobody_elses(filled, kiebitz):
    with pytest.raises(Trouble, match="^there is no player 'X'"), Store(filled) as store, store.batch():
        people.find(store.db, "X")
    assert "quicker" not in kiebitz("players", "rename", "Ben", "Anna").err
