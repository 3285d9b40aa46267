"""Members of a club with limited rights: they can do everything, and what a hostile one overwrites comes back."""

import random
import time

import pytest
from helpers.finished import carre, put
from kiebitz_host.exchange import StoreSide, exchange
from kiebitz_host.library import decisions, fixes, imported, journals, people, query, removals
from kiebitz_host.library.club_evenings import Evenings
from kiebitz_host.outcome import Trouble
from kiebitz_lab.postgres_server import DATABASE, grant_rights
from kiebitz_lab.synthetic_store import shown
from kiebitz_lab.torture.campaign import random_results

pytestmark = pytest.mark.long


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
    about = {"day": "2026-01-05", "game": "top_spot", "title": "", "settings": "{}"}
    money = {"stake": 0, "fees": [], "prizes": []}
    Evenings(player).write("evening/0123456789abcdef", name="E", **about, series=1, sizes=[3], money=money)
    Evenings(player).set_present(Evenings(player).find("E"), ["Ida", "Jan", "Kim"], True, 1)
    Evenings(player).draw(Evenings(player).find("E"), 1, "lot", 1)
    Evenings(player).set_season("S", since="2026-01-01", until=None, by="sum", best=1, least=1)
    people.add_members(player.db, {"Kim": people.Member("7", "Club"), "Lea": people.Member("8", "Club")})
    assert imported.add(player, [random_results(random.Random(1), "poch")]) == 1
    assert Evenings(opened()).all == Evenings(player).all
    before = shown(player)
    assert before == shown(opened())
    assert player.rebuild() == 4
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
    with pytest.raises(Trouble, match="may only read|rejects this request"):
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


def test_a_row_beyond_the_bound_leaves_decisions_that_other_laptops_accept(opened, open_store, tmp_path):
    """Even the owner's rows, which no trigger of a member's rights checks: later decisions must reach every laptop."""
    owner, laptop = opened(now=time.time), open_store(tmp_path / "laptop.db", now=time.time)
    put(owner, 1)
    key = journals.load(owner.db, 1).key
    time_ms = decisions.latest(time.time()) + 12 * 86_400_000
    content = decisions.content_of(time_ms, "x", "delete", key, {}, "")
    sql = "INSERT INTO decisions (id, time, about, content) VALUES (?, ?, ?, ?)"
    owner.db.run(sql, decisions.id_of(content), time_ms, key, content)
    put(owner, 2)
    removals.delete(owner, 2)
    skipped = exchange(StoreSide(laptop), StoreSide(owner), []).skipped
    assert [("20 years ahead" in sentence) for sentence in skipped] == [True]
    assert shown(laptop)["games"] == shown(owner)["games"]
    assert [query.one(laptop.db, number)["deleted"] for number in (1, 2)] == [False, True]


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
        "INSERT INTO league_cache VALUES ('', 5, 1, 'x')",
    ):
        anna.db.run(statement)
        for argv in (["games"], ["league"], ["players"], ["show", "1"], ["export", "csv"]):
            done = kiebitz(*argv, "--db", member)
            assert done.code in (0, 2) and (not done.code or "is damaged (" in done.err), argv
    assert kiebitz("rebuild", "--db", member).code == 0
    assert shown(opened()) == before
