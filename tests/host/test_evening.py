"""The draw of tables, the money of an evening, and the standings of a season, computed without a store."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kiebitz_host.league import draw as drawing
from kiebitz_host.league.club_evening import ClubGame, Evening, Spot
from kiebitz_host.league.draw import cost_of, draw_tables, meetings, own_sizes, table_sizes
from kiebitz_host.league.money import Rates, cents_of, fee_for, fees_of, money_sheet, money_text
from kiebitz_host.league.season import of_teams, scores_of, season_lines
from kiebitz_host.outcome import Trouble

FOUR_AND_THREE = [4, 3]


def people(n):
    return [f"P{k:02}" for k in range(n)]


# --- the draw ---


@pytest.mark.parametrize(
    ("n", "sizes", "tables"),
    [
        (3, FOUR_AND_THREE, [3]),
        (4, FOUR_AND_THREE, [4]),
        (5, FOUR_AND_THREE, [4]),  # one without a seat, not two
        (6, FOUR_AND_THREE, [3, 3]),
        (7, FOUR_AND_THREE, [4, 3]),
        (9, FOUR_AND_THREE, [3, 3, 3]),
        (13, FOUR_AND_THREE, [4, 3, 3, 3]),
        (60, FOUR_AND_THREE, [4] * 15),
        (5, own_sizes(2, 8), [5]),
        (6, own_sizes(2, 8), [3, 3]),
        (7, [2], [2, 2, 2]),
        (13, own_sizes(3, 4), [4, 3, 3, 3]),
    ],
)
def test_sizes_of_tables(n, sizes, tables):
    assert table_sizes(n, sizes) == tables


@pytest.mark.parametrize("n", [0, 1, 2])
def test_a_table_of_two_is_too_few(n):
    with pytest.raises(Trouble, match=f"{n} present: too few for a table of 3"):
        table_sizes(n, FOUR_AND_THREE)


@pytest.mark.parametrize("method", ["lot", "result", "meet"])
def test_the_same_seed_gives_the_same_tables_in_any_order_of_names(method):
    points = {name: k % 5 for k, name in enumerate(people(12))}
    met = meetings([[people(4), people(13)[4:8]]])
    first = draw_tables(people(13), FOUR_AND_THREE, method, 7, {}, points, met)
    assert draw_tables(people(13)[::-1], FOUR_AND_THREE, method, 7, {}, points, met) == first
    assert draw_tables(people(13), FOUR_AND_THREE, method, 8, {}, points, met) != first


@settings(deadline=None, max_examples=40)
@given(st.integers(3, 40), st.integers(0, 1000), st.sampled_from(["lot", "result", "meet"]))
def test_everybody_sits_once_or_not_at_all(n, seed, method):
    tables = draw_tables(people(n), FOUR_AND_THREE, method, seed, {}, {"P01": 5}, {("P00", "P01"): 2})
    seated = [name for table in tables for name in table]
    assert len(seated) == len(set(seated)) == sum(table_sizes(n, FOUR_AND_THREE))
    assert [len(table) for table in tables] == table_sizes(n, FOUR_AND_THREE)


def test_byes_are_fair():
    byes = Counter()
    for seed in range(25):
        tables = draw_tables(people(5), FOUR_AND_THREE, "lot", seed, byes)
        byes.update(set(people(5)) - {name for table in tables for name in table})
    assert byes == dict.fromkeys(people(5), 5)


def test_by_result_the_best_sit_together_and_who_comes_late_sits_last():
    points = {name: k for k, name in enumerate(people(12))}
    tables = draw_tables(people(13), FOUR_AND_THREE, "result", 3, {}, points)
    assert tables[0] == ["P11", "P10", "P09", "P08"]
    assert tables[-1][-1] == "P12"


def test_who_has_not_met_meets():
    """Sixteen people can meet nobody twice in three rounds of tables of four, and by lot they nearly never do."""
    draws = []
    for seed in range(3):
        draws.append(draw_tables(people(16), FOUR_AND_THREE, "meet", seed, {}, {}, meetings(draws)))
    assert max(meetings(draws).values()) == 1
    lots = [draw_tables(people(16), FOUR_AND_THREE, "lot", seed) for seed in range(3)]
    assert max(meetings(lots).values()) > 1


def test_a_season_of_60_repeats_fewer_pairs_than_by_lot(monkeypatch):
    monkeypatch.setattr(drawing, "SWAPS_MAX", 20_000)
    repeated = {}
    for method in ("lot", "meet"):
        draws = []
        for seed in range(8):
            draws.append(draw_tables(people(60), FOUR_AND_THREE, method, seed, {}, {}, meetings(draws)))
        repeated[method] = sum(count - 1 for count in meetings(draws).values())
    assert repeated["meet"] == 0 < repeated["lot"]


def test_the_search_ends_although_everybody_has_met_everybody():
    met = dict.fromkeys(combinations(people(60), 2), 3)
    tables = draw_tables(people(60), FOUR_AND_THREE, "meet", 1, {}, {}, met)
    assert cost_of(tables, met) == 3 * 6 * 15


# --- money ---


@pytest.mark.parametrize(
    ("lost", "fee"), [(0, 0), (1, 50), (3, 150), (4, 250), (10, 850)]
)  # the first three 0.50, then 1.00
def test_graduated_fees(lost, fee):
    assert fee_for(lost, fees_of(["3x0.50", "1,00"])) == fee


def test_fees_without_a_last_step_go_on():
    assert fee_for(5, fees_of(["2x0.50", "2x1.00"])) == 50 * 2 + 100 * 3


@pytest.mark.parametrize(("word", "cents"), [("5", 500), ("0.50", 50), ("0,5", 50), ("12.05", 1205)])
def test_amounts(word, cents):
    assert cents_of(word) == cents


@pytest.mark.parametrize("word", ["", "-1", "1.234", "1e3", "x", "1.", "٣", "NaN", "99999999"])
def test_bad_amounts(word):
    with pytest.raises(Trouble, match="not an amount of money"):
        cents_of(word)


@pytest.mark.parametrize("words", [["0.50", "1.00"], ["0x1.00"], ["x1"], ["ax1", "2"]])
def test_bad_fees(words):
    with pytest.raises(Trouble):
        fees_of(words)


def test_who_shares_a_place_shares_the_prizes():
    sheet = money_sheet(Rates(100, (), (301, 200, 50)), ["A", "B", "C"], {}, {"A": 1, "B": 1, "C": 3})
    assert [(line.name, line.prize, line.balance) for line in sheet.lines] == [
        ("A", 250, 150), ("B", 250, 150), ("C", 50, -50),
    ]  # fmt: skip
    assert sheet.box == 300 - 550


_amounts = st.integers(0, 10**6)
_some = st.lists(st.sampled_from(people(20)), unique=True)


@given(
    _amounts,
    st.lists(st.tuples(st.integers(0, 9), _amounts), max_size=4),
    st.lists(_amounts, max_size=8),
    _some,
    st.dictionaries(st.sampled_from(people(20)), st.lists(st.integers(0, 48), max_size=4)),
    st.dictionaries(st.sampled_from(people(20)), st.integers(1, 12)),
)
def test_the_sum_is_always_zero(stake, fees, prizes, some, lost, places):
    sheet = money_sheet(Rates(stake, tuple(fees), tuple(prizes)), some, lost, places)
    assert sheet.box + sum(line.balance for line in sheet.lines) == 0
    assert all(type(line.balance) is int for line in sheet.lines)
    assert {line.name for line in sheet.lines} == {*some, *lost, *places}


def test_money_in_words():
    assert [money_text(cents) for cents in (0, 5, -150, 123456)] == ["0.00", "0.05", "−1.50", "1234.56"]


# --- standings ---


def an_evening(teams=None):
    settings = {"name": "E", "day": "2026-01-01", "game": "poch", "title": "", "settings": {}}
    return Evening("evening/0", *settings.values(), 2, [4, 3], Rates(), False, {}, {}, {}, teams or {}, {}, [])


def evening_with(points, low=False, teams=None):
    """Return the scores of an evening with one table and these points."""
    best = (min if low else max)(points.values())
    seats = [(name, score, score == best) for name, score in points.items()]
    return scores_of(an_evening(teams), {Spot(1, 1): ClubGame(1, "g", 0, ("poch", ""), low, True, False, seats)})


def placed(lines):
    return [(line.place, line.name, line.value) for line in lines]


def test_the_average_of_points_per_evening_ranks_who_comes_rarely_too():
    evenings = [evening_with({"A": 10, "B": 4}), evening_with({"B": 30, "C": 15})]
    assert placed(season_lines(evenings)) == [(1, "B", 17), (2, "C", 15), (3, "A", 10)]
    assert placed(season_lines(evenings, "sum")) == [(1, "B", 34), (2, "C", 15), (3, "A", 10)]
    assert placed(season_lines(evenings, least=2)) == [(1, "B", 17), (None, "C", 15), (None, "A", 10)]


def test_the_best_evenings():
    evenings = [evening_with({"A": a, "B": b}) for a, b in ((10, 9), (1, 9), (1, 9))]
    assert placed(season_lines(evenings, "best", 2)) == [(1, "B", 18), (2, "A", 11)]


def test_where_the_fewest_points_win_a_missed_evening_is_no_advantage():
    evenings = [evening_with({"A": 5, "B": 2}, True), evening_with({"A": 6, "C": 9}, True)]
    assert placed(season_lines(evenings, "sum")) == [(1, "A", 11), (2, "B", 2), (3, "C", 9)]
    assert placed(season_lines(evenings)) == [(1, "B", 2), (2, "A", 5.5), (3, "C", 9)]


def test_with_equal_points_tables_won_decide_and_else_the_place_is_shared():
    evenings = [evening_with({"A": 10, "B": 5}), evening_with({"B": 5, "C": 10})]
    lines = season_lines(evenings, "sum")
    assert placed(lines) == [(1, "A", 10), (1, "C", 10), (3, "B", 10)]


def test_guests_have_no_place_and_teams_the_sum_of_their_members():
    one = evening_with({"A": 10, "Guest 1": 50, "B": 4, "C": 2}, teams={"X": ["B", "C"], "Y": ["A"]})
    assert [line.name for line in season_lines([one])] == ["A", "B", "C"]
    assert placed(season_lines([of_teams(one)])) == [(1, "Y", 10), (2, "X", 6)]
