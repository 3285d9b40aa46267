"""Stores with the same journals and decisions show the same league, in any order of arrival."""

import json
import random

import pytest
from helpers.finished import carre, spot
from hypothesis import given
from hypothesis import strategies as st
from kiebitz_host import exchange as exchange_module
from kiebitz_host.exchange import Folder, StoreSide, exchange
from kiebitz_host.league.history import COURSE_MAX, PlayerHistory, Record
from kiebitz_host.league.standings import Standing
from kiebitz_host.library import fixes, imported, journals, league_cache, people, query, removals
from kiebitz_host.library.decisions import PEOPLE
from kiebitz_host.library.store import Store
from kiebitz_host.outcome import Trouble
from kiebitz_lab.synthetic_store import shown

NAMES = ["Anna", "anna", "Ben", "Cleo", "Dan", "Guest 1", "Gast 2"]
EVENT = {"ev": "mark", "p": 0, "rubric": 5}
CLOCK_MAX = 2_300_000_000  # 2042: an honest wrong clock


def contents(store):
    """Return (records, decisions) of a store, as laptops exchange them."""
    numbers = [number for (number,) in store.db.rows("SELECT number FROM journals")]
    records = [journals.load(store.db, number) for number in numbers]
    return records, [content for (content,) in store.db.rows("SELECT content FROM decisions")]


def play(store, chance, laptop):
    """Do some random actions: play, correct, delete, restore, join, rename, split, make members, import, or sync."""
    db = store.db
    for step in range(chance.randrange(4, 14)):
        filters = [query.Filter(deleted=deleted, imported=None) for deleted in (False, True)]
        games = [game for wanted in filters for game in query.games(db, wanted)]
        numbers = [game["number"] for game in games]
        spellings = [spelling for (spelling,) in db.rows("SELECT spelling FROM spellings")]
        try:
            what = chance.randrange(15)
            if what < 5 or len(spellings) < 2:
                game = chance.choice((carre, spot))
                players = chance.sample(NAMES, chance.choice((2, 3)))
                lines = game(players, [chance.randrange(1, 5) for _ in players])
                lines = lines[: chance.choice((len(lines), len(lines), 3))]
                game_id = chance.choice((f"{laptop}-{step:04d}-0", "shared-0001-0", "shared-0002-0"))
                at = chance.choice((None, 1000, 2000, 3000 + step))
                store.add_journal(game_id, lines, {"id": "e6"}, at, chance.random() < 0.3, chance.random() < 0.1)
            elif what == 5:
                removals.delete(store, chance.choice(numbers))
            elif what == 6:
                removals.restore(store, chance.choice(numbers))
            elif what == 7:
                fixes.correct(store, chance.choice(numbers), chance.randrange(1, 4), EVENT)
            elif what == 8:
                fixes.take_back(store, chance.choice(numbers))
            elif what == 9:
                people.join(db, *[people.find(db, name) for name in chance.sample(spellings, 2)])
            elif what == 10:
                people.rename(db, people.find(db, chance.choice(spellings)), chance.choice([*NAMES, "Eva", "Eve"]))
            elif what == 11:
                people.split(db, chance.choice(spellings))
            elif what == 12:
                some = chance.sample(NAMES[:5], 2)
                people.add_members(db, {name: people.Member(str(chance.randrange(9)), "Club") for name in some})
            elif what == 13:
                points = [chance.randrange(5) for _ in range(2)]
                seats = [imported.Seat(name, k, 1 + (k < max(points)), k == max(points))
                         for name, k in zip(chance.sample(NAMES[:5], 2), points, strict=True)]  # fmt: skip
                series = str(chance.randrange(3))
                imported.add(
                    store, [imported.Results("any_game", "Skat", "2025-01-31", series, False, tuple(seats), 1738324800)]
                )
            else:
                own = journals.own_id(chance.choice(games)["id"])
                thrown = {own: chance.choice((0, 5, 4_000_000_000))} if chance.random() < 0.7 else {}
                store.take_over_thrown("e6", {own: "0000abcd"}, thrown)
        except (Trouble, fixes.Unfit):
            continue


@pytest.mark.only_files
@pytest.mark.parametrize("seed", range(6))
def test_whatever_order_splits_and_repetitions(seed):
    same_everywhere(random.Random(seed))


@pytest.mark.only_files
@pytest.mark.long
@given(st.integers(0, 1 << 32))
def test_many_more_orders_splits_and_repetitions(seed):
    same_everywhere(random.Random(seed))


def same_everywhere(chance):
    """Let three laptops play and decide, and check that all show the same after an exchange."""
    laptops = [empty(chance.randrange(1, CLOCK_MAX)) for _ in range(3)]  # their clocks are wrong
    for k, store in enumerate(laptops):
        play(store, chance, f"laptop{k}")
        if chance.random() < 0.5:  # some decide after they have received decisions of others
            give(laptops[0], store, chance)
            play(store, chance, f"laptop{k}b")
    both = [contents(store) for store in laptops]
    ends = []
    for _ in range(3):
        store = empty(chance.randrange(1, 2_000_000_000))
        steps = [("game", record) for records, _ in both for record in records]
        steps += [("decision", content) for _, decided in both for content in decided]
        steps += chance.sample(steps, len(steps) // 3)
        chance.shuffle(steps)
        while steps:
            some = [steps.pop() for _ in range(min(len(steps), chance.choice((1, 2, 5, 50))))]
            store.add_records([value for kind, value in some if kind == "game"])
            store.add_decisions([value for kind, value in some if kind == "decision"])
        ends.append(shown(store))
        store.rebuild()
        assert shown(store) == ends[-1]
        store.close()
    assert ends[0] == ends[1] == ends[2]
    for store in laptops:
        for other in laptops:
            give(other, store, chance)
    assert [shown(store) for store in laptops] == [ends[0]] * 3
    for store in laptops:
        store.close()


def empty(clock):
    return Store("/dev/null/nothing", create=False, now=lambda: clock)


def give(one, other, chance):
    records, decided = contents(one)
    chance.shuffle(records)
    other.add_decisions(decided)
    other.add_records(records)


# --- which of two contradicting decisions counts ---


@pytest.fixture
def two(tmp_path, open_store):
    """Return two laptops with the same two games; the clock of the second is a year behind."""
    first, second = open_store(tmp_path / "a.db"), open_store(tmp_path / "b.db", now=lambda: 1736164000)
    for store in (first, second):
        for k, lines in enumerate((carre(["Anna", "Ben"], [3, 2]), carre(["Cleo", "Ben"], [3, 2])), 1):
            store.add_journal(f"aabbcc-{k:04d}-0", lines, {"id": "e6"}, 1000 + k, False)
    return first, second


def meet(first, second):
    for one, other in ((first, second), (second, first)):
        records, decided = contents(one)
        other.add_records(records)
        other.add_decisions(decided)
    assert shown(first) == shown(second)
    return shown(first)


def names_in(seen):
    return sorted({score["name"] for _, game, _, _ in seen["games"] for score in game["scores"]})


def test_the_later_deletion_counts_by_the_clock_of_whoever_decided(two):
    first, second = two
    removals.delete(first, 1)
    removals.delete(second, 1)
    removals.restore(second, 1)
    assert [game["deleted"] for _, game, _, _ in meet(first, second)["games"]] == [True, False]


def test_an_answer_comes_after_what_it_answers_however_wrong_the_clock(two):
    first, second = two
    removals.delete(first, 1)
    meet(first, second)
    removals.restore(second, 1)  # a year earlier by its clock
    assert [game["deleted"] for _, game, _, _ in meet(first, second)["games"]] == [False, False]


def test_the_later_name_counts(two):
    first, second = two
    people.rename(second.db, people.find(second.db, "Anna"), "Ann")
    people.rename(first.db, people.find(first.db, "Anna"), "Änne")
    assert names_in(meet(first, second)) == ["Ben", "Cleo", "Änne"]


def test_two_people_with_one_new_name_stay_two_and_the_later_has_it(two):
    first, second = two
    people.rename(second.db, people.find(second.db, "Anna"), "Eva")
    people.rename(first.db, people.find(first.db, "Cleo"), "Eva")
    assert names_in(meet(first, second)) == ["Anna", "Ben", "Eva"]


def test_a_correction_of_what_was_corrected_elsewhere_no_longer_fits(two):
    first, second = two
    fixes.correct(second, 1, 1, {"ev": "mark", "p": 0, "rubric": 5})
    fixes.correct(first, 1, 1, {"ev": "mark", "p": 0, "rubric": 3})
    (_, game, trail, _), _ = meet(first, second)["games"]
    assert [fix["state"] for fix in trail] == ["in force", "no longer fits"]
    assert game["fixes"] == 1 and game["scores"][0]["score"] == 12


def test_a_correction_that_two_take_back_is_taken_back_once(two):
    first, second = two
    fixes.correct(first, 1, 1, EVENT)
    meet(first, second)
    fixes.take_back(first, 1)
    fixes.take_back(second, 1)
    (_, game, trail, _), _ = meet(first, second)["games"]
    assert ([fix["state"] for fix in trail], game["fixes"]) == (["undone"], 0)


def test_a_decision_that_comes_before_its_game_waits_for_it(two, open_store, tmp_path):
    first, _ = two
    removals.delete(first, 2)
    people.rename(first.db, people.find(first.db, "Anna"), "Eva")
    records, decided = contents(first)
    late = open_store(tmp_path / "late.db")
    late.add_decisions(decided)
    late.add_records(records)
    assert shown(late) == shown(first)


def test_every_decision_says_who_and_when(two, monkeypatch):
    first, _ = two
    monkeypatch.setenv("KIEBITZ_AUTHOR", "Anna's laptop\n")
    removals.delete(first, 1)
    (one,) = first.decided(1)
    assert (one.author, one.made, one.kind) == ("Anna's laptop", 1767700000, "delete")
    assert one.about != PEOPLE and one.about.startswith("aabbcc-0001-0/")


# --- the league cache ---


@pytest.fixture
def small_steps(monkeypatch):
    monkeypatch.setattr(league_cache, "STEP", 5)
    monkeypatch.setattr(league_cache, "LATE", 2)


def test_the_cache_changes_no_digit_whatever_happens_to_the_past(store, small_steps, monkeypatch):
    chance = random.Random(5)
    kept = 0
    for step in range(120):
        play_one(store, chance, step)
        kept = max(kept, store.db.value("SELECT count(*) FROM league_cache"))
        if step % 10 == 0:
            same_without_cache(store)
    same_without_cache(store)
    assert kept > 20


def play_one(store, chance, step):
    at = 1000 + chance.choice((10 * step, 10 * step, 10 * step, chance.randrange(1 + 10 * step)))
    game = chance.choice((carre, spot))
    players = chance.sample(NAMES, 2)
    store.add_journal(f"x-{step:04d}-0", game(players, [1, chance.randrange(1, 4)]), None, at, False)
    if step % 7 == 3:
        play(store, chance, f"more{step}")


def same_without_cache(store):
    seen, told = shown(store), histories(store)
    with store.db.transaction():
        kept = store.db.rows("SELECT scope, until, step, state FROM league_cache")
        store.db.run("DELETE FROM league_cache")
    assert (shown(store), histories(store)) == (seen, told)
    with store.db.transaction():
        store.db.many("INSERT INTO league_cache (scope, until, step, state) VALUES (?, ?, ?, ?)", kept)


def histories(store):
    """Return the records, the curves, and what everybody has played, of all games and of one kind."""
    told = [people.played(store.db), query.count(store.db, query.Filter())]
    for kind in (None, "poker_carre"):
        story = query.league_history(store.db, query.Filter(game=kind, finished=True, early=False))
        told += [story.records, story.margins, story.low, story.steps(7)]
        told += [{key: one.state() for key, one in story.players.items()}]
    return told


def test_a_course_is_as_coarse_whether_it_was_continued_or_not():
    """Check that a continued curve keeps the same ratings as one that was computed at once."""
    chance = random.Random(3)
    whole = parts = PlayerHistory(Record(0, 1, 1, 1000))
    at = 1000
    for k in range(3000):
        at += chance.choice((0, 1, 30, 10_000))
        whole.rate(at, 1500 + k / 7)
        if k == 0:
            parts = PlayerHistory.from_state(json.loads(json.dumps(whole.state())))
            continue
        parts.rate(at, 1500 + k / 7)
        if chance.random() < 0.05:
            parts = PlayerHistory.from_state(json.loads(json.dumps(parts.state())))
    assert parts.course == whole.course and COURSE_MAX // 2 <= len(whole.course) <= COURSE_MAX
    assert whole.course[-1] == (at, round(15000 + 10 * 2999 / 7))
    assert whole.rating_at([999, at]) == [None, round(15000 + 10 * 2999 / 7) / 10]


def test_an_exchange_fills_the_cache_once_however_the_games_come(open_store, tmp_path, small_steps, monkeypatch):
    """Count rebuilds of the league cache, because journals arrive in the order of their file names."""
    monkeypatch.setattr(exchange_module, "PORTION", 6)
    one, two = open_store(), open_store(tmp_path / "two.db")
    for k in range(60):
        one.add_journal(f"x-{k:04d}-0", carre(["Anna", "Ben"], [k % 3, 2]), None, 1000 + k, False)
    (tmp_path / "stick").mkdir()
    exchange(StoreSide(one), Folder(tmp_path / "stick"), [])
    made = []
    real = league_cache._continued
    monkeypatch.setattr(league_cache, "_continued", lambda *args: made.append(1) or real(*args))
    exchange(StoreSide(two), Folder(tmp_path / "stick"), [])
    assert 0 < len(made) <= 60 / 5
    same_without_cache(two)
    assert shown(one) == shown(two)


def test_a_late_game_costs_the_cache_after_it_only(store, small_steps):
    for k in range(60):
        store.add_journal(f"x-{k:04d}-0", carre(["Anna", "Ben"], [1, 2]), None, 1000 + k, False)
    before = [until for (until,) in store.db.rows("SELECT until FROM league_cache WHERE scope = '' ORDER BY until")]
    with store.db.transaction():
        league_cache.forget(store.db, before[-2])
    after = [until for (until,) in store.db.rows("SELECT until FROM league_cache WHERE scope = '' ORDER BY until")]
    assert after == before[:-1]
    assert len(before) < 60 / 5  # of the early ones only some are kept


def test_a_cache_that_was_written_with_other_fields_is_rebuilt(store, small_steps, monkeypatch):
    with monkeypatch.context() as other:
        other.setattr(Standing, "__slots__", tuple(name for name in Standing.__slots__ if name != "shared"))
        other.setattr(league_cache, "PLAYERS", league_cache.players_scope())
        for k in range(40):
            store.add_journal(f"x-{k:04d}-0", carre(["Anna", "Ben"], [k % 3, 2]), None, 1000 + k, False)
        theirs = league_cache.PLAYERS
        assert store.db.value("SELECT count(*) FROM league_cache WHERE scope = ?", theirs) > 0
    assert theirs != league_cache.PLAYERS
    league = league_cache.league(store.db)
    assert league.games == 40 and sorted(line.shared for line in league.standings.values()) == [13, 13]
    same_without_cache(store)
    store.add_journal("x-0040-0", carre(["Anna", "Ben"], [1, 2]), None, 1040, False)
    assert store.db.value("SELECT count(*) FROM league_cache WHERE scope = ?", theirs) == 0
    assert store.db.value("SELECT count(*) FROM league_cache WHERE scope = ?", league_cache.PLAYERS) > 0
    same_without_cache(store)
