"""Seasons of evenings, counted independently, and evenings on several laptops and in one club's database."""

import io
import os
import random
import signal
import sys
from collections import defaultdict

import pytest
from helpers.finished import DAY, SEVEN, carre, lines_of
from kiebitz.games import new_game
from kiebitz_host.exchange import Folder, StoreSide, exchange
from kiebitz_host.league.draw import meetings
from kiebitz_host.league.season import evening_lines, season_lines
from kiebitz_host.library import decisions
from kiebitz_host.library.club_arrivals import clashes
from kiebitz_host.library.club_evenings import Evenings
from kiebitz_host.outcome import Trouble
from kiebitz_lab.bench import evenings as bench
from kiebitz_lab.bench.evenings import evening as evening_of
from kiebitz_lab.synthetic_store import shown
from rich.console import Console

EVENINGS = 20


@pytest.fixture(scope="module")
def season():
    """Return the games and decisions of a season, with a different number of members each evening."""
    chance = random.Random(2)
    members = [13, 60, *[chance.randrange(13, 61) for _ in range(EVENINGS - 2)]]
    return [evening_of(number, chance, members[number]) for number in range(EVENINGS)]


def counted(season):
    """Return the points of every evening by person, read from the journals."""
    found = []
    for records, _ in season:
        points = defaultdict(int)
        for record in records:
            setup = record.lines[0]
            names = setup[setup.index("[") + 1 : setup.index("]")].replace('"', "").split(",")
            for line in record.lines[1:-1]:
                points[names[int(line.split('"p":')[1][0 : line.split('"p":')[1].index(",")])]] += 1
            for name in names:
                points[name] += 0
        found.append(dict(points))
    return found


def test_the_standings_of_a_season_are_those_of_an_independent_count(store, season):
    for records, texts in season:
        store.add_records(records)
        store.add_decisions(texts)
    found = Evenings(store)
    scores = found.scores(found.all)
    expected = counted(season)
    assert [{name: one.points for name, one in evening.total.items()} for evening in scores] == expected
    per_person = defaultdict(list)
    for points in expected:
        for name, own in points.items():
            per_person[name].append(own)
    ways = {
        "average": lambda points: sum(points) / len(points),
        "sum": sum,
        "best": lambda points: sum(sorted(points)[-5:]),
    }
    for by, value in ways.items():
        lines = season_lines(scores, by, 5)
        assert {line.name: line.value for line in lines} == {
            name: pytest.approx(value(points)) for name, points in per_person.items()
        }
        for line in lines:
            ahead = sum(
                other.value > line.value or (other.value == line.value and other.wins > line.wins) for other in lines
            )
            assert line.place == ahead + 1
    assert sum(line.wins for line in season_lines(scores, "sum")) == winners(season)
    for evening_scores in scores:
        places = {line.name: line.place for line in evening_lines(evening_scores)}
        assert set(places) == set(evening_scores.total)
        sheet = found.money(evening_scores.evening)
        assert sheet.box + sum(line.balance for line in sheet.lines) == 0
        assert sum(line.stake for line in sheet.lines) == 500 * len(places)
        prizes = {line.name: line.prize for line in sheet.lines if line.prize}
        assert set(prizes) <= {name for name, place in places.items() if place <= 2}


def winners(season):
    """Return how many seats have won their table, shared or not."""
    count = 0
    for records, _ in season:
        for record in records:
            points = [record.lines[1:-1].count(line) for line in marks_of(record)]
            count += points.count(max(points))
    return count


def marks_of(record):
    """Return the line of a mark for each seat."""
    seats = record.lines[0].count('"') // 2 - 3  # the other texts are two keys and the kind of game
    return [f'{{"ev":"mark","p":{p},"rubric":1}}' for p in range(seats)]


@pytest.mark.only_files
def test_the_benchmark_of_evenings_in_small():
    figures = bench.measure(evenings=4, season=3, clubs=(16,))
    drawn = figures["draws"]["16"]
    assert drawn["bound"] <= drawn["meet"]["repeated"] < drawn["lot"]["repeated"]
    out = io.StringIO()
    bench.show(figures, Console(file=out, width=120))
    assert "Standings of" in out.getvalue()


@pytest.mark.parametrize(("members", "series", "least"), [(4, 2, 6), (16, 5, 0), (16, 6, 24)])
def test_the_lower_bound_of_repeated_pairs(members, series, least):
    assert bench.bound(members, series) == least
    tables = [[f"P{p}" for p in range(4 * k, 4 * k + 4)] for k in range(members // 4)]
    assert bench.repeated(meetings([tables] * series).values()) >= least


# --- an evening of Skat as in a club ---

CLUB = [f"Member {k:02}" for k in range(13)]


def skat_list(players, chance):
    """Return a whole list of Skat, and (won, lost) by seat; every game is clubs with one: 24, or 48 lost."""
    setup = {"game": "skat", "players": players}
    game = new_game(setup)
    counts = [[0, 0] for _ in players]
    events = []
    while not game.over:
        won = chance.random() < 0.75
        seat = chance.choice([p for p in range(game.n) if p != game.sits_out])
        events.append({"ev": "play", "p": seat, "game": "C", "tops": 1, "won": won})
        game.apply(events[-1])
        counts[seat][not won] += 1
    return lines_of(setup, events), counts


def test_an_evening_of_skat_from_members_to_money(kiebitz, put):
    chance = random.Random(3)
    new = ["new", "Club", "--game", "skat", "--series", "2", "--day", "2026-01-05", "--stake", "5", "--prizes", "30"]
    assert kiebitz("evening", *new, "--fees", "3x0.50", "1.00").code == 0
    assert kiebitz("evening", "here", "--new", *CLUB).code == 0
    points, fees = dict.fromkeys(CLUB, 0), dict.fromkeys(CLUB, 0)
    for series, method in ((1, "lot"), (2, "result")):
        tables = kiebitz("evening", "draw", "--json").json["draws"][series - 1]
        assert (tables["by"], [len(one["people"]) for one in tables["tables"]]) == (method, [4, 3, 3, 3])
        if series == 2:
            seated = [name for table in tables["tables"] for name in table["people"]]
            assert [points[name] for name in seated] == sorted(points.values(), reverse=True)
        for table in tables["tables"]:
            people = chance.sample(table["people"], len(table["people"]))
            lines, counts = skat_list(people, chance)
            put(lines)
            for name, (won, lost) in zip(people, counts, strict=True):
                points[name] += 24 * won - 48 * lost
                fees[name] += 50 * min(lost, 3) + 100 * max(lost - 3, 0)
        assert len(kiebitz("evening", "assign", "--json").json["assigned"]) == 4
    standings = kiebitz("evening", "standings", "--since", "2026-01-01", "--json").json
    assert {line["name"]: line["value"] for line in standings} == points
    money = kiebitz("evening", "money", "--json").json
    assert {line["name"]: line["fees"] for line in money["people"]} == fees and sum(fees.values()) > 0
    assert money["cash_box"] == 13 * 500 + sum(fees.values()) - sum(line["prize"] for line in money["people"])


# --- several laptops ---


def two_laptops(open_store, tmp_path):
    """Return two laptops with an evening of seven that nobody has drawn; the clock of the second is a day behind."""
    first, second = open_store(tmp_path / "a.db"), open_store(tmp_path / "b.db", now=lambda: 1767600000)
    found = Evenings(first)
    values = {"settings": "{}", "series": 2, "sizes": [4, 3], "money": {"stake": 0, "fees": [], "prizes": []}}
    key = "evening/0123456789abcdef"
    found.write(key, name="Club", day=DAY, game="poker_carre", title="", **values)
    found.set_present(Evenings(first).find("Club"), SEVEN, True, 1)
    second.add_decisions([content for content in decisions.contents(first.db).values()])
    return first, second


def draw_here(store, seed, monkeypatch, author):
    monkeypatch.setenv("KIEBITZ_AUTHOR", author)
    Evenings(store).draw(Evenings(store).find("Club"), 1, "lot", seed)


def the_draw(store):
    return Evenings(store).find("Club").draws[1]


def meet(store, place):
    """Exchange with a place, and return what the laptop is told about draws."""
    here = StoreSide(store)
    exchange(here, place, [])
    return clashes(store, here.new)


@pytest.mark.parametrize("place", ["folder", pytest.param("club", marks=pytest.mark.long)])
def test_two_laptops_that_draw_at_once_end_with_one_draw_and_both_are_told(
    place, open_store, tmp_path, folder, monkeypatch, request
):
    first, second = two_laptops(open_store, tmp_path)
    draw_here(first, 1, monkeypatch, "Anna")
    draw_here(second, 2, monkeypatch, "Ben")
    assert the_draw(first).tables != the_draw(second).tables
    there = Folder(folder) if place == "folder" else StoreSide(request.getfixturevalue("opened")())
    assert meet(first, there) == []
    told = [meet(second, there), meet(first, there)]
    assert the_draw(first) == the_draw(second)
    counts, other = ("Anna", "Ben") if the_draw(first).author == "Anna" else ("Ben", "Anna")
    sentence = f"Club: series 1 was drawn on two laptops: the draw of {counts} counts, that of {other} was replaced."
    assert told == [[sentence]] * 2
    assert meet(first, there) == meet(second, there) == []
    Evenings(second).draw(Evenings(second).find("Club"), 1, "lot", 3, again=True)
    assert the_draw(second).replaced == []  # drawn again by somebody who knew both
    if place == "club":
        meet(second, there)
        assert the_draw(request.getfixturevalue("opened")()) == the_draw(second)


def test_the_command_exchange_tells_it(kiebitz, evening, open_store, tmp_path, folder, monkeypatch, path):
    kiebitz("exchange", folder)
    other = open_store(tmp_path / "other.db")
    meet(other, Folder(folder))
    draw_here(other, 1, monkeypatch, "Ben")
    meet(other, Folder(folder))
    assert kiebitz("evening", "draw", "--seed", 2).code == 0
    assert "series 1 was drawn on two laptops" in kiebitz("exchange", folder).out
    assert len(kiebitz("evening", "show", "--json").json["notes"]) == 1
    assert "drawn on two laptops" in kiebitz("evening", "show").out


@pytest.mark.long
def test_two_who_draw_in_one_database_at_once_do_not_replace_each_other(opened, open_store, tmp_path):
    first, _ = two_laptops(open_store, tmp_path)
    one, two = opened(), opened()
    one.add_decisions(list(decisions.contents(first.db).values()))
    before = Evenings(two)
    Evenings(one).draw(Evenings(one).find("Club"), 1, "lot", 1)
    with pytest.raises(Trouble, match="series 1 is drawn already"):
        before.draw(before.find("Club"), 1, "lot", 2)


def test_a_series_that_another_laptop_has_taken_off_is_not_drawn(open_store, tmp_path):
    first, _ = two_laptops(open_store, tmp_path)
    before = Evenings(first)
    values = {"settings": "{}", "series": 1, "sizes": [4, 3], "money": {"stake": 0, "fees": [], "prizes": []}}
    Evenings(first).write("evening/0123456789abcdef", name="Club", day=DAY, game="poker_carre", title="", **values)
    with pytest.raises(Trouble, match="this evening has 1 series"):
        before.draw(before.find("Club"), 2, "lot", 1)


@pytest.mark.parametrize("seed", range(4))
def test_evenings_are_the_same_in_any_order_of_arrival(seed, open_store, tmp_path):
    chance = random.Random(seed)
    first, second = two_laptops(open_store, tmp_path)
    for store in (first, second):
        change_at_random(store, chance)
    both = [*decisions.contents(first.db).values(), *decisions.contents(second.db).values()]
    ends = []
    for k in range(3):
        chance.shuffle(both)
        with open_store(tmp_path / f"{k}.db") as store:
            for start in range(0, len(both), 5):
                store.add_decisions(both[start : start + 5])
            ends.append((Evenings(store).all, Evenings(store).seasons, shown(store)))
            store.rebuild()
            assert (Evenings(store).all, Evenings(store).seasons, shown(store)) == ends[-1]
    assert ends[0] == ends[1] == ends[2]
    assert len(ends[0][0]) == 1


def change_at_random(store, chance):
    for _ in range(25):
        found = Evenings(store)
        evening = found.find("Club", True)
        what = chance.randrange(8)
        try:
            if what < 2:
                found.set_present(evening, chance.sample(SEVEN, 2), chance.random() < 0.5, chance.choice((1, 2)))
            elif what < 4:
                found.draw(evening, chance.choice((1, 2)), chance.choice(("lot", "meet")), chance.randrange(9), True)
            elif what == 4:
                found.undo(evening)
            elif what == 5:
                found.cancel(evening) if chance.random() < 0.5 else found.restore(evening)
            elif what == 6:
                found.set_team(evening, chance.choice("XY"), chance.sample(SEVEN, 2))
            else:
                found.set_season("S", since=DAY, until=None, by="sum", best=1, least=chance.randrange(1, 9))
        except Trouble:
            continue


def test_a_game_that_arrives_after_its_result_is_waited_for(open_store, tmp_path):
    first, second = two_laptops(open_store, tmp_path)
    found = Evenings(first)
    found.draw(found.find("Club"), 1, "lot", 1)
    table = the_draw(first).tables[0]
    first.add_journal("aabbcc-0001-0", carre(table, [1, 2, 3, 4]), {"id": "e6"}, 1767614400, False)
    found = Evenings(first)
    assert len(found.assign_fitting(found.find("Club")).fits) == 1
    second.add_decisions(list(decisions.contents(first.db).values()))
    assert Evenings(second).scores([Evenings(second).find("Club")])[0].total == {}
    second.add_journal("aabbcc-0001-0", carre(["X", "Y"], [1, 2]), {"id": "e7"}, 1767614400, False)  # the same id
    second.add_journal("aabbcc-0001-0", carre(table, [1, 2, 3, 4]), {"id": "e6"}, 1767614400, False)
    mine, other = [Evenings(store).scores([Evenings(store).find("Club")])[0].total for store in (first, second)]
    assert mine == other != {}


KILLS = 100  # of each kind
LAST_MOMENT = 250  # after the end of both


@pytest.mark.only_files
@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows has no fork")
@pytest.mark.parametrize("kind", ["draw", "settle"])
def test_a_draw_or_settling_that_is_killed_is_stored_as_a_whole_or_not_at_all(kind, open_store, tmp_path):
    store, _ = two_laptops(open_store, tmp_path)
    Evenings(store).draw(Evenings(store).find("Club"), 1, "lot", 1)
    store.close()
    before, stored, killed = int(kind == "draw"), 0, 0
    for trial in range(KILLS):
        child = os.fork()
        if child == 0:
            decide_until(tmp_path / "a.db", open_store, kind, 1 + trial * LAST_MOMENT // KILLS)
        _, status = os.waitpid(child, 0)
        was_killed = os.WIFSIGNALED(status)
        killed += was_killed
        with open_store(tmp_path / "a.db") as again:
            made = Evenings(again).history(Evenings(again).find("Club"))
            found = [one for one in made if one.kind == kind]
            assert len(found) in (before, before + 1) if was_killed else len(found) == before + 1
            assert all(len(people_in(one)) == 7 for one in found)
            before, stored = len(found), stored + (len(found) > before)
    assert killed >= KILLS // 2 and 1 <= stored < KILLS


def people_in(one):
    """Return the people of a draw, or the lines of a settled sheet."""
    values = one.values
    return [name for table in values["tables"] for name in table] if one.kind == "draw" else values["sheet"]


def decide_until(path, open_store, kind, moment):
    """Draw or settle in this process, and die at a moment of SQLite or at the end."""
    count = 0

    def tick(*_):
        nonlocal count
        count += 1
        if count == moment:
            os.kill(os.getpid(), signal.SIGKILL)

    try:
        store = open_store(path)
        store.db.connection.set_progress_handler(tick, 5)
        store.db.connection.set_trace_callback(tick)
        if kind == "draw":
            Evenings(store).draw(Evenings(store).find("Club"), 1, "lot", 1, again=True)
        else:
            Evenings(store).settle(Evenings(store).find("Club"))
    finally:
        sys.stdout.flush()
        os._exit(0)
