"""A club's database: concurrent laptops, read-only users, server errors, and the short torture run."""

import builtins
import io
import threading
import time

import pytest
from helpers.finished import carre, spot
from kiebitz_host.exchange.exchange import StoreSide, exchange
from kiebitz_host.library import club as club_database
from kiebitz_host.library import decisions, fixes, journals, people, query, removals, schema
from kiebitz_host.library.store import Store
from kiebitz_host.outcome import Trouble
from kiebitz_lab import synthetic_store as synthetic
from kiebitz_lab.bench import club as bench_club
from kiebitz_lab.club_setup import grant_rights
from kiebitz_lab.postgres_server import DATABASE, PASSWORD_USER
from kiebitz_lab.synthetic_store import shown
from kiebitz_lab.torture import club as club_torture
from kiebitz_lab.torture.campaign import Campaign
from rich.console import Console

pytestmark = pytest.mark.long

NOW = 1767700000


@pytest.fixture
def club(server, request):
    """Return the address of an empty club database."""
    return server.new_schema(f"club_{abs(hash(request.node.name)) % 10**9}")


@pytest.fixture
def opened(club):
    """Return a function that opens the club's database."""
    stores = []

    def open_it(address=club, **keys):
        stores.append(Store(address, **{"now": lambda: NOW, "say": lambda message: None, **keys}))
        return stores[-1]

    yield open_it
    for store in stores:
        store.close()


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


def put(store, k, players=("Anna", "Ben"), laptop="aabbcc"):
    store.add_journal(f"{laptop}-{k:04d}-0", carre(list(players), [k % 5, 2]), {"id": "e6"}, 1000 + k, False)


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


# --- members ---


@pytest.fixture
def member(server, club, opened):
    """Return the address of a club with a game for a member with the documented rights."""
    put(opened(), 1)
    name = club.rpartition("%3D")[2]
    server.sql(DATABASE, grant_rights(name, "anna") + grant_rights_again("ben"))
    return server.address(name, "anna")


def grant_rights_again(role):
    made = f"CREATE ROLE {role} LOGIN; EXCEPTION WHEN duplicate_object THEN NULL"
    return f"DO $$ BEGIN {made}; END $$; GRANT players TO {role};"


def test_a_member_does_everything_without_owning_the_tables(member, opened):
    player = opened(member)
    put(player, 2)
    put(player, 2, ("Cleo", "Dan"))  # another game with the same id
    player.add_journal("aabbcc-0001-0", carre(["Anna", "Ben"], [1, 2])[:3], {"id": "e6"}, 900, False)
    removals.delete(player, 1)
    removals.restore(player, 1)
    fixes.correct(player, 2, 1, {"ev": "mark", "p": 0, "rubric": 5})
    people.rename(player.db, people.find(player.db, "Anna"), "Eva")
    before = shown(player)
    assert before == shown(opened())
    assert player.rebuild() == 3
    assert shown(player) == shown(opened()) == before
    put(opened(), 4)
    put(player, 5)


SPOILT = (
    "DELETE FROM decisions",
    "UPDATE decisions SET content = '{}'",
    "INSERT INTO decisions VALUES ('0123456789abcdef0123456789abcdef', 5, '', '{}')",
    "DELETE FROM journals",
    "UPDATE journals SET game = 'mine'",
    "UPDATE journals SET number = 77",
    "UPDATE journals SET at = 9000000000000",
    "UPDATE journals SET digest = ''",
    "UPDATE journals SET device = E'a\\nb'",
    "INSERT INTO journals (number, game, received, at, approximate, damaged, digest) VALUES (2, 'x', 5, 5, 0, 0, '')",
    "DELETE FROM contents",
    "INSERT INTO contents VALUES (2, 'taken before its game')",
    "UPDATE contents SET number = 2",
    "DELETE FROM aliases",
    "DELETE FROM devices",
    "DELETE FROM club",
    "UPDATE club SET value = 77",
    "UPDATE club SET value = value + 1 WHERE name = 'format'",
    "UPDATE club SET value = 9223372036854775807 WHERE name = 'changes'",
    "INSERT INTO club VALUES ('x', 1)",
    "TRUNCATE decisions",
    "DROP TABLE scores",
    "ALTER TABLE journals DISABLE TRIGGER ALL",
    "DELETE FROM overwritten",
    "UPDATE writers SET member = 'anna'",
    "INSERT INTO writers VALUES (1, 'anna')",
)


@pytest.mark.parametrize("statement", SPOILT)
def test_a_hostile_member_cannot(member, opened, statement):
    player = opened(member)
    removals.delete(player, 1)
    before = shown(player)
    with pytest.raises(Trouble, match="may only read|cannot take"):
        player.db.run(statement)
    assert shown(opened()) == before
    put(player, 2)


def test_a_hostile_member_cannot_date_a_decision_beyond_all_answers(member, opened):
    player = opened(member)
    year = 365 * 86_400_000
    for ahead, fits in ((0, True), (19, True), (21, False), (150, False)):
        key = journals.load(player.db, 1).key
        content = decisions.content_of(int(time.time() * 1000) + ahead * year, "x", "delete", key, {}, "")
        row = (decisions.id_of(content), decisions.decode(content).time, key, content)
        sql = "INSERT INTO decisions (id, time, about, content) VALUES (?, ?, ?, ?)"
        if fits:
            player.db.run(sql, *row)
        else:
            with pytest.raises(Trouble, match="not a decision"):
                player.db.run(sql, *row)


def test_what_a_hostile_member_overwrites_is_kept_and_comes_back(server, member, opened, club):
    anna, here = opened(member), opened(server.address(club.rpartition("%3D")[2], "ben"))
    put(here, 2)
    before = shown(here)
    good = here.db.value("SELECT data FROM contents WHERE number = 2")
    anna.db.run("UPDATE contents SET data = 'spoilt'")
    owner = opened().db
    kept = [(1, None, "anna"), (2, "ben", "anna")]
    assert owner.rows("SELECT number, writer, by FROM overwritten ORDER BY number") == kept
    assert owner.value("SELECT data FROM overwritten WHERE number = 2") == good
    for k in (1, 2):  # a sync, or an exchange
        put(here, k)
    assert shown(here) == before


def test_a_hostile_member_cannot_hide_that_a_journal_was_overwritten(member, opened):
    anna, owner = opened(member), opened().db
    good = owner.value("SELECT data FROM contents WHERE number = 1")
    anna.db.run("UPDATE contents SET data = data")  # must not make her the last writer
    anna.db.run("UPDATE contents SET data = 'spoilt'")
    assert owner.rows("SELECT number, data, by FROM overwritten") == [(1, good, "anna")]


INSERTED = "INSERT INTO journals (game, received, at, approximate, damaged, digest) VALUES (?, 5, 5, 0, 0, ?)"


@pytest.mark.parametrize("plain", [True, False])
def test_a_game_that_a_hostile_member_inserts_again_counts_once_after_a_rebuild(member, opened, kiebitz, plain):
    anna, here = opened(member), opened()
    put(here, 2)
    before = shown(here)
    digest, data = anna.db.row("SELECT digest, data FROM journals JOIN contents USING (number) WHERE number = 1")
    if not plain:  # nobody finds the game by its id any more
        anna.db.run("UPDATE journals SET game = 'aabbcc-0001-0~77' WHERE number = 1")
    anna.db.run(INSERTED, "aabbcc-0001-0~1f2e", digest)
    anna.db.run("INSERT INTO contents SELECT max(number), ?::bytea FROM journals", data)
    assert kiebitz("rebuild", "--db", member).code == 0
    assert shown(here) == before
    put(here, 1)
    assert shown(here) == before


@pytest.mark.parametrize("number", [-(1 << 31), -1, (1 << 31) - 1])
def test_a_game_under_any_number_is_derived_again(opened, number):
    here = opened()
    put(here, 1)
    put(here, 2)
    before = shown(here)
    for table in ("journals", "contents"):
        here.db.run(f"UPDATE {table} SET number = ? WHERE number = 1", number)
    assert here.rebuild() == 2
    assert shown(here)["leagues"] == before["leagues"]


def test_a_hostile_member_cannot_block_a_game_by_taking_its_id(member, opened, tmp_path):
    anna, here, other = opened(member), opened(), opened(tmp_path / "other.db")
    names = [("Anna", "Ben"), ("Cleo", "Dan")]
    for store in (other, here):
        for who in names if store is other else names[:1]:
            put(store, 1, who)
    (taken,) = (name for (name,) in other.db.rows("SELECT game FROM journals") if "~" in name)
    for name in ("aabbcc-0001-0~", "aabbcc-0001-0~~1", taken):
        anna.db.run(INSERTED, name, bytes(16))
    put(here, 1, names[1])
    assert shown(here)["games"] == shown(other)["games"]
    assert here.db.value("SELECT count(*) FROM journals WHERE game = ?", taken) == 1


def test_what_a_hostile_member_does_to_results_is_derived_again(member, opened, kiebitz):
    anna = opened(member)
    put(anna, 2)
    before = shown(opened())
    for statement in (
        "UPDATE scores SET score = 99, rank = NULL",
        "UPDATE games SET at = 9000000000000000000, kind = NULL",
        "UPDATE spellings SET person = 77",
        "DELETE FROM people",
        "INSERT INTO ladders VALUES ('', 5, 1, 'x')",
    ):
        anna.db.run(statement)
        for argv in (["games"], ["league"], ["players"], ["show", "1"], ["export", "csv"]):
            done = kiebitz(*argv, "--db", member)
            assert done.code in (0, 2) and (not done.code or "is damaged (" in done.err), argv
    assert kiebitz("rebuild", "--db", member).code == 0
    assert shown(opened()) == before


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
    with pytest.raises(Trouble, match="cannot take or look for this"):
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
    assert "pip install 'kiebitz[club]'" in trouble(club, "games")


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
