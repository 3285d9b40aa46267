"""A generated season of 20 evenings with 13 to 60 members, against points and money that the test counts itself."""

import io
import random
from collections import defaultdict

import pytest
from helpers.finished import lines_of
from kiebitz.games import new_game
from kiebitz_host.league.draw import meetings
from kiebitz_host.league.season import evening_lines, season_lines
from kiebitz_host.library.club_evenings import Evenings
from kiebitz_lab.bench import evenings as bench
from kiebitz_lab.bench.evenings import evening
from rich.console import Console

EVENINGS = 20


@pytest.fixture(scope="module")
def season():
    """Return the games and decisions of a season, with a different number of members each evening."""
    chance = random.Random(2)
    members = [13, 60, *[chance.randrange(13, 61) for _ in range(EVENINGS - 2)]]
    return [evening(number, chance, members[number]) for number in range(EVENINGS)]


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
