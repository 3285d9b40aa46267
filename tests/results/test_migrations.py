"""Databases of every earlier version come up to date with all they hold, and are kept as they were."""

import sqlite3
from contextlib import closing

import pytest
from helpers.files import data_path
from kiebitz_host.outcome import Trouble
from kiebitz_host.results import migrations, schema
from kiebitz_host.results.query import Filter, games, rounds

VERSIONS = range(1, schema.VERSION)


@pytest.fixture
def old(path):
    """old(1) makes the database of that version, as it stands in tests/data/results."""

    def make(version, where=path):
        with closing(sqlite3.connect(where)) as connection, open(data_path(f"results/v{version}.sql")) as file:
            connection.executescript(file.read())
        return where

    return make


def layout(connection):
    """Return the tables and indices, without the differences that renaming a table leaves."""
    rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
    return [(name, " ".join(sql.replace('"', "").split())) for name, sql in rows]


def dump(path):
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump()), connection.execute("PRAGMA user_version").fetchone()


def test_there_is_a_step_from_every_earlier_version_and_a_store_of_it_to_try():
    assert sorted(migrations.STEPS) == list(VERSIONS)
    for version in VERSIONS:
        with open(data_path(f"results/v{version}.sql")) as file:
            assert f"PRAGMA user_version = {version};" in file.read()


@pytest.mark.parametrize("version", VERSIONS)
def test_the_tables_are_then_those_of_a_new_store(old, open_store, tmp_path, version):
    migrated = open_store(old(version))
    fresh = open_store(tmp_path / "fresh.db")
    assert layout(migrated.db.connection) == layout(fresh.db.connection)
    for pragma in ("application_id", "user_version"):
        assert migrated.db.value(f"PRAGMA {pragma}") == fresh.db.value(f"PRAGMA {pragma}")
    assert migrated.db.value("PRAGMA foreign_keys") == 1
    assert migrated.db.rows("PRAGMA foreign_key_check") == []


@pytest.mark.parametrize("version", VERSIONS)
def test_every_game_is_there_with_its_lines_its_time_and_its_people(old, open_store, version):
    with closing(sqlite3.connect(old(version))) as connection:
        lines = connection.execute("SELECT number, n, text FROM lines ORDER BY number, n").fetchall()
    store = open_store()
    kept = [(number, n, text) for number in range(1, 5) for n, text in enumerate(store.histories(number)[0])]
    assert kept == lines
    times = store.db.rows("SELECT game, at, approximate, damaged FROM journals ORDER BY number")
    assert times == [
        ("aabbcc-0001-0a0b0c", 1767600000, 0, 0),
        ("aabbcc-0002-0d0e0f", 1767700000, 1, 0),  # the device had no clock yet: the time of its arrival, roughly
        ("ddeeff-0001-010203", 1767610000, 0, 0),
        ("file-0123456789ab", 1767620000, 0, 0),
    ]
    assert store.db.rows("SELECT id, seen FROM devices") == [("e6aabbcc", 1767700000), ("e6ddeeff", 1767700500)]
    assert store.renames() == {"anna": "Anna"}


def test_a_store_of_version_1_is_told_as_today(old, open_store):
    store = open_store(old(1))
    told = [
        (game["number"], game["finished"], [(score["name"], score["score"], score["rank"]) for score in game["scores"]])
        for game in games(store.db, Filter())
    ]
    assert told == [
        (2, True, [("Anna", 1, 3), ("Ben", 2, 2), ("Cleo", 4, 1)]),
        (4, True, [("Ben", 100, 1), ("Cleo", 100, 1)]),
        (3, False, [("Anna", 2, None), ("Cleo", 2, None)]),
        (1, True, [("Anna", 3, 1), ("Ben", 2, 2)]),
    ]
    assert rounds(store.db, 2) == [("game 1", [1, 2, 4])]


def test_what_was_corrected_and_deleted_in_version_2_still_is(old, open_store):
    store = open_store(old(2))
    assert [game["number"] for game in games(store.db, Filter(deleted=True))] == [4]
    (game,) = games(store.db, Filter(players=["Anna"], game="poker_carre", finished=True))
    assert ([score["score"] for score in game["scores"]], game["fixes"]) == ([12, 2], 1)
    assert [one.kind for one in store.decided(1)] == ["fix", "fix", "take back"]
    assert {one.author for one in store.decided(1)} == {"an earlier version"}


def test_copies_of_one_old_store_make_the_same_decisions(old, open_store, tmp_path):
    def decided(path):
        return open_store(old(5, path)).db.rows("SELECT id, time, about, content FROM decisions ORDER BY id")

    assert len(decided(tmp_path / "a.db")) == 5  # three about a correction, one deletion, one join
    assert decided(tmp_path / "b.db") == decided(tmp_path / "c.db")


def test_namesakes_and_histories_of_an_old_store_are_kept(old, open_store, path):
    with closing(sqlite3.connect(old(5))) as connection:
        connection.execute("INSERT INTO journals VALUES (5, 'aabbcc-0001-0a0b0c~2', NULL, 1767700000, 5, 0, 1)")
        for variant, events in ((0, ["mark", "finish"]), (1, ["x"])):
            lines = ['{"game":"poker_carre","players":["Dan","Eva"]}', *[f'{{"ev":"{ev}"}}' for ev in events]]
            rows = [(5, variant, n, line) for n, line in enumerate(lines)]
            connection.executemany("INSERT INTO lines VALUES (?, ?, ?, ?)", rows)
        connection.commit()
    store = open_store()
    (namesake, _) = [lines for lines in store.held("aabbcc-0001-0a0b0c").namesakes]
    assert namesake[0].endswith('["Dan","Eva"]}') and len(namesake) == 3
    assert store.db.value("SELECT game FROM journals WHERE number = 5").startswith("aabbcc-0001-0a0b0c~")
    assert store.db.value("SELECT damaged FROM journals WHERE number = 5") == 1


@pytest.mark.parametrize("version", VERSIONS)
def test_a_copy_is_made_before_each_step_and_is_the_store_as_it_was(old, open_store, path, version):
    before = dump(old(version))
    said = []
    open_store(say=said.append)
    backups = [path.with_name(f"results.db.v{step}.bak") for step in range(version, schema.VERSION)]
    assert sorted(path.parent.glob("results.db?*")) == backups
    assert dump(backups[0]) == before
    assert [message for message in said[1:]] == [
        f"Version {step} is kept as {backup}" for step, backup in enumerate(backups, version)
    ]


def test_a_backup_never_overwrites_another(old, open_store, path):
    taken = path.with_name("results.db.v2.bak")
    taken.write_text("mine")
    open_store(old(2))
    assert taken.read_text() == "mine"
    assert path.with_name("results.db.v2.bak2").exists()


def test_a_backup_can_be_put_back(old, open_store, path):
    open_store(old(1)).close()
    path.with_name("results.db.v1.bak").replace(path)
    assert open_store().held("aabbcc-0001-0a0b0c").finished


def test_without_a_backup_nothing_is_changed(old, open_store, path):
    before = dump(old(2))
    path.with_name("results.db.v2.bak.tmp").mkdir()
    with pytest.raises(Trouble, match="no backup of .* could be made"):
        open_store()
    assert dump(path) == before


@pytest.mark.parametrize("version", VERSIONS)
def test_a_step_that_fails_in_its_middle_leaves_the_version_before_it(old, open_store, path, monkeypatch, version):
    old(version)
    at = max(version, 2)
    step = migrations.STEPS[at]

    def interrupted(db):
        step(db)
        raise KeyboardInterrupt

    monkeypatch.setitem(migrations.STEPS, at, interrupted)
    with pytest.raises(KeyboardInterrupt):
        open_store()
    assert dump(path)[1] == (at,)  # the step before it, if there was one, is done
    monkeypatch.setitem(migrations.STEPS, at, step)
    assert open_store().held("aabbcc-0001-0a0b0c").finished


def test_a_newer_store_is_left_alone(open_store, path):
    open_store().close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    before = path.read_bytes()
    with pytest.raises(Trouble, match="newer Kiebitz .*update Kiebitz. Nothing was changed."):
        open_store()
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]
