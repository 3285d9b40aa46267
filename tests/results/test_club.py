"""A club's database: concurrent laptops, read-only users, server errors, and the short torture run."""

import builtins
import io
import threading

import pytest
from helpers.finished import carre, put, spot
from kiebitz_host.exchange import StoreSide, exchange
from kiebitz_host.library import club as club_database
from kiebitz_host.library import fixes, people, query, removals, schema
from kiebitz_host.library.store import Store
from kiebitz_host.outcome import Trouble
from kiebitz_lab import synthetic_store as synthetic
from kiebitz_lab.bench import club as bench_club
from kiebitz_lab.postgres_server import DATABASE, PASSWORD_USER
from kiebitz_lab.synthetic_store import shown
from kiebitz_lab.torture import club as club_torture
from kiebitz_lab.torture.campaign import Campaign
from rich.console import Console

pytestmark = pytest.mark.long

NOW = 1767700000


@pytest.fixture
def trouble(kiebitz):
    """Return a function that runs a command that must fail and returns its one sentence."""

    def run(address, *argv):
        done = kiebitz(*argv, "--db", address)
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith("kiebitz: ") and done.err.count("\n") == 1 and done.err.endswith(".\n")
        assert "right" not in done.err.partition("kiebitz: ")[2].split(":")[0]
        return done.err

    return run


# --- one after the other ---


def test_a_club_shows_what_a_laptop_with_the_same_games_shows(opened, open_store):
    stores = (opened(), open_store())
    for store in stores:
        for k in range(8):
            put(store, k)
        store.add_journal("x-1-1", spot(["Anna", "anna", "Cleo"], [1, 2, 3]), None, 900, False)
    skipped = []
    removals.delete(stores[0], 2)
    fixes.correct(stores[0], 3, 1, {"ev": "mark", "p": 0, "rubric": 5})
    people.rename(stores[1].db, people.find(stores[1].db, "Ben"), "Benjamin")
    exchange(StoreSide(stores[0]), StoreSide(stores[1]), skipped)
    assert skipped == [] and shown(stores[0]) == shown(stores[1])


def test_a_laptop_works_offline_and_catches_up(club, opened, kiebitz, path, open_store):
    here = open_store()
    put(here, 1)
    done = kiebitz("exchange", club)
    assert (done.code, done.out) == (0, "Taken over: 0 games, 0 decisions.\nHanded on: 1 game, 0 decisions.\n")
    there = opened()
    put(there, 2)
    removals.delete(there, 1)
    put(here, 3)
    assert kiebitz("exchange", club, "--json").json["taken"] == {"journals": 1, "decisions": 1}
    assert shown(here) == shown(there)
    assert kiebitz("games", "--json").json[0]["id"] == kiebitz("games", "--json", "--db", club).json[0]["id"]


def test_a_place_is_not_exchanged_with_itself(club, kiebitz):
    assert "the same place twice" in kiebitz("exchange", club, "--db", club).err


def test_commands_that_only_read_make_no_tables(club, kiebitz, server):
    assert kiebitz("games", "--db", club).out.startswith("No games yet")
    assert kiebitz("league", "--db", club).out == "No finished games yet.\n"
    name = club.rpartition("%3D")[2]
    assert server.sql(DATABASE, f"SELECT tablename FROM pg_tables WHERE schemaname = '{name}'") == []


# --- several at once ---


def at_once(*actions):
    """Run all actions at once, each in a thread; raises what one of them raised."""
    failed = []

    def run(action):
        try:
            action()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=(action,)) for action in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]


def test_twenty_laptops_write_at_once_from_the_first_table_on(club, opened):
    def laptop(number):
        with Store(club, now=lambda: NOW) as store:
            for k in range(5):
                put(store, k, ("Anna", f"P{number}"), f"laptop{number}")
                put(store, k, ("Anna", "Ben"), "shared")

    at_once(*[lambda number=number: laptop(number) for number in range(20)])
    store = opened()
    assert query.count(store.db, query.Filter()) == 105
    before = shown(store)
    store.rebuild()
    assert shown(store) == before


def test_tables_that_another_laptop_creates_between_two_questions_are_ours(club, monkeypatch):
    asked = club_database.ClubDatabase.format

    def format_of(db):
        found = asked(db)
        if found == 0:
            monkeypatch.setattr(club_database.ClubDatabase, "format", asked)
            Store(club, now=lambda: NOW).close()
        return found

    monkeypatch.setattr(club_database.ClubDatabase, "format", format_of)
    with Store(club, now=lambda: NOW) as store:
        put(store, 1)
        assert query.count(store.db, query.Filter()) == 1


def test_two_delete_the_same_game_and_the_slower_is_told(opened):
    one, two = opened(), opened()
    put(one, 1)
    removals.delete(one, 1)
    with pytest.raises(Trouble, match="another program has changed .* is deleted already"):
        removals.delete(two, 1)


@pytest.mark.parametrize("where", ["club", "file"])
def test_who_listens_hears_of_every_change(opened, where, path):
    writer, listener = (opened(), opened()) if where == "club" else (Store(path), Store(path))
    assert not listener.db.wait_for_change(0.01)
    put(writer, 1)
    assert listener.db.wait_for_change(10)
    assert not listener.db.wait_for_change(0.01)
    put(writer, 2)
    assert listener.db.wait_for_change(10)
    for store in (writer, listener):
        store.close()


def test_a_league_is_of_one_moment_although_others_write(opened):
    reader, writer = opened(), opened()
    put(writer, 1)
    with reader.db.reading():
        before = query.count(reader.db, query.Filter())
        put(writer, 2)
        assert query.count(reader.db, query.Filter()) == before
    assert query.count(reader.db, query.Filter()) == before + 1


# --- troubles ---


def test_a_reader_cannot_write(server, club, opened, kiebitz, trouble):
    put(opened(), 1)
    name = club.rpartition("%3D")[2]
    server.sql(DATABASE, "DO $$ BEGIN CREATE ROLE spectator LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$")
    server.sql(DATABASE, f"GRANT USAGE ON SCHEMA {name} TO spectator")
    server.sql(DATABASE, f"GRANT SELECT ON ALL TABLES IN SCHEMA {name} TO spectator")
    spectator = server.address(name, "spectator")
    assert len(kiebitz("games", "--json", "--db", spectator).json) == 1
    assert kiebitz("league", "--db", spectator).code == 0
    assert "may only read" in trouble(spectator, "delete", "1")
    assert "may only read" in trouble(spectator, "players", "rename", "Anna", "Eva")
    assert len(kiebitz("games", "--json", "--db", club).json) == 1


def test_a_wrong_password(server, trouble, kiebitz, club):
    sentence = trouble(server.address(user=PASSWORD_USER, password="wr0ng"), "games")
    assert "does not accept this user or password" in sentence and "wr0ng" not in sentence
    assert kiebitz("games", "--db", server.address(user=PASSWORD_USER, password="right")).code == 0


def test_no_such_database_and_no_server(server, trouble, tmp_path):
    assert "no such database or user" in trouble(server.address(database="nowhere"), "games")
    assert "does not answer" in trouble(f"postgresql://kiebitz@/club?host={tmp_path}", "games")
    assert "does not answer" in trouble("postgresql://kiebitz@127.0.0.1:1/club", "league")


def test_an_address_that_is_none(trouble):
    assert "does not answer" in trouble("postgresql://kiebitz@/club?nonsense=1", "games")
    assert "is not valid" in trouble("postgresql://[bad", "games")
    assert "is not valid" in trouble("postgresql://kiebitz:secret@[::1/club", "league")


def test_the_server_goes_away_in_the_middle(server, club, opened, open_store):
    store, here = opened(), open_store()
    put(store, 1)
    for k in range(5):
        put(here, k + 10)
    with pytest.raises(Trouble, match=r"connection to .* was lost.* run it again"), store.batch():
        put(store, 2)
        everybody = "FROM pg_stat_activity WHERE application_name = 'kiebitz'"
        server.sql(DATABASE, f"SELECT pg_terminate_backend(pid) {everybody}")
        put(store, 3)
    assert [game["id"] for game in query.games(opened().db, query.Filter())] == ["aabbcc-0001-0"]
    server.stop("immediate")
    with pytest.raises(Trouble, match="does not answer"):
        opened()
    server.start()
    store = opened()
    exchange(StoreSide(here), StoreSide(store), [])
    assert query.count(store.db, query.Filter()) == 6
    assert shown(store) == shown(here)


def test_a_server_without_room(server, club, opened, trouble, kiebitz, tmp_path):
    put(opened(), 1)
    name = club.rpartition("%3D")[2]
    server.sql(
        DATABASE,
        f"CREATE FUNCTION {name}.full() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$; "
        f"CREATE TRIGGER full_disk BEFORE INSERT ON {name}.scores EXECUTE FUNCTION {name}.full()",
    )
    game = tmp_path / "game.jsonl"
    game.write_text("\n".join(carre(["Anna", "Ben"], [3, 2])))
    assert "is out of disk space: free some and try again. Nothing was changed." in trouble(club, "add", game)
    server.sql(DATABASE, f"DROP TRIGGER full_disk ON {name}.scores")
    assert kiebitz("add", game, "--db", club).code == 0
    assert len(kiebitz("games", "--json", "--db", club).json) == 2


@pytest.mark.parametrize("row", ["changes", "format"])
def test_a_missing_row_of_the_club_is_damage(opened, club, trouble, row):
    store = opened()
    put(store, 1)
    store.db.run("DELETE FROM club WHERE name = ?", row)
    for argv in (["games"], ["league"], ["delete", "1"], ["rebuild"]):
        assert f"is damaged (its table club has no row '{row}')" in trouble(club, *argv), argv


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE decisions SET content = 'x'",
        "UPDATE decisions SET time = time + 1",
        "UPDATE decisions SET about = ''",
        "UPDATE decisions SET content = repeat('x', 1000000)",
        "UPDATE contents SET data = 'x' WHERE number = 1",
        "DELETE FROM contents WHERE number = 1",
        "UPDATE journals SET digest = 'x' WHERE number = 1",
        "UPDATE journals SET at = 4611686018427387904 WHERE number = 1",
        "UPDATE journals SET device = E'a\\nb', received = -1 WHERE number = 1",
        "DELETE FROM games WHERE number = 1",
        "DELETE FROM journals WHERE number = 1",
        "INSERT INTO decisions VALUES ('x', 5, '', E'\\n')",
    ],
)
def test_rows_that_anybody_has_written_are_left_out_and_replaced(opened, club, open_store, kiebitz, statement):
    there, here = opened(), open_store()
    for store in (there, here):
        for k in range(3):
            put(store, k)
    removals.delete(there, 3)
    exchange(StoreSide(here), StoreSide(there), [])
    there.db.run(statement)
    for argv in (["games"], ["league"], ["players"], ["show", "2"], ["export", "json"], ["delete", "2"], ["rebuild"]):
        done = kiebitz(*argv, "--db", club)
        assert done.code in (0, 2) and (not done.code or done.err.endswith(".\n")), argv
    assert kiebitz("exchange", club).code in (0, 2)
    assert kiebitz("rebuild", "--db", club).code == 0
    assert shown(here) == shown(opened()) and len(shown(here)["games"]) == 3


def test_a_league_with_an_invalid_id_does_not_end_in_a_loop(opened, club, trouble, kiebitz):
    store = opened()
    put(store, 1)
    store.db.run("UPDATE games SET title = 'x', league = E'\\x7f'")
    assert "is damaged (a league has an invalid id)" in trouble(club, "league")
    assert kiebitz("rebuild", "--db", club).code == kiebitz("league", "--db", club).code == 0


def test_a_letter_that_postgresql_does_not_take_is_not_a_lost_connection(opened):
    store = opened()
    put(store, 1)
    with pytest.raises(Trouble, match="rejects this request"):
        people.find(store.db, "a\x00b")
    assert query.count(store.db, query.Filter()) == 1


def test_a_server_that_serializes_everything_lets_writers_queue(server, club, opened):
    server.sql(DATABASE, f"ALTER DATABASE {DATABASE} SET default_transaction_isolation = 'serializable'")
    try:
        put(opened(), 0)

        def laptop(number):
            with Store(club, now=lambda: NOW) as store:
                for k in range(5):
                    put(store, k, ("Anna", "Ben"), f"laptop{number}")

        at_once(*[lambda number=number: laptop(number) for number in range(4)])
        assert query.count(opened().db, query.Filter()) == 21
    finally:
        server.sql(DATABASE, f"ALTER DATABASE {DATABASE} RESET default_transaction_isolation")


def test_somebody_writes_for_too_long(server, club, opened, monkeypatch):
    put(opened(), 1)
    monkeypatch.setattr(club_database, "WAIT_S", 1)
    slow, other = opened(), opened()
    with slow.db.transaction(), pytest.raises(Trouble, match="another Kiebitz is writing"):
        put(other, 2)
    put(other, 2)


def test_the_tables_of_another_program(server, club, trouble):
    server.sql(DATABASE, f"CREATE TABLE {club.rpartition('%3D')[2]}.games (name TEXT)")
    assert "belongs to another program" in trouble(club, "games")
    assert "belongs to another program" in trouble(club, "delete", "1")


def test_a_newer_database_is_left_alone(opened, trouble, club):
    opened().db.run("UPDATE club SET value = ? WHERE name = 'format'", schema.FORMAT + 1)
    for argv in (["games"], ["delete", "1"]):
        assert "newer Kiebitz" in trouble(club, *argv) and "Nothing was changed" in trouble(club, *argv)


@pytest.mark.parametrize("number", [-1, 1000, 10**15])
def test_a_format_number_that_cannot_be_is_damage(opened, trouble, club, number):
    opened().db.run("UPDATE club SET value = ? WHERE name = 'format'", number)
    for argv in (["games"], ["delete", "1"]):
        assert f"is damaged (its format number is {number}). Nothing was changed." in trouble(club, *argv)


def test_without_psycopg_there_is_a_sentence_how_to_get_it(monkeypatch, trouble, club):
    plain = builtins.__import__

    def without(name, *rest, **more):
        if name.partition(".")[0] == "psycopg":
            raise ImportError(name)
        return plain(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    assert "pipx inject kiebitz 'psycopg[binary]'" in trouble(club, "games")


# --- torture and benchmark ---


def test_no_game_is_lost_or_doubled_and_all_leagues_are_equal():
    campaign = Campaign("kiebitz_lab.torture.club", 7)
    club_torture.play(campaign, 0, 1, meetings=30)
    assert campaign.failures == []
    assert campaign.figures["games at the end"] >= 10
    assert campaign.figures["clients killed"] > 0


def test_a_game_that_was_confirmed_and_is_nowhere_is_noticed(monkeypatch):
    """Record a game that was never stored as confirmed."""
    campaign = Campaign("kiebitz_lab.torture.club", 7)
    real = club_torture._note

    def note(store, notes):
        real(store, notes)
        notes.write_text(notes.read_text().replace('"games": [', '"games": ["never stored", ').replace(", ]", "]"))

    monkeypatch.setattr(club_torture, "_note", note)
    club_torture.play(campaign, 0, 1, meetings=12)
    assert any("lost: ['never stored']" in why for why in campaign.failures)


def test_the_benchmark_measures_both_engines(monkeypatch):
    monkeypatch.setattr(synthetic, "PER_KIND", 1)
    monkeypatch.setattr(bench_club, "WRITTEN", 2)
    monkeypatch.setattr(bench_club, "WRITERS", 3)
    monkeypatch.setattr(bench_club, "ROUNDS", 1)
    figures = bench_club.measure((30,), exchanged=20)
    assert figures["exchange"]["journals"] == 20
    assert all(figures[f"{engine} 30"]["league"] > 0 for engine in ("sqlite", "postgresql"))
    out = io.StringIO()
    bench_club.show(figures, Console(file=out, width=120))
    assert "add and league" in out.getvalue() and "writers 3" in out.getvalue()
