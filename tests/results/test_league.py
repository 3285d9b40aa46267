"""`kiebitz league`: standings, play time, and games that were ended early."""

import csv
import io
import json
from types import SimpleNamespace
from urllib.parse import unquote

import pytest
from helpers.faulty_storage import FaultyStorage
from helpers.finished import any_game, carre, level_on_points, poch, spot, unfinished
from helpers.shelf import DEVICE, NOW, Noise, match
from kiebitz.games.poker_carre.rules import PokerCarre
from kiebitz.store.library import Library
from kiebitz_host.league.standings import League, rating_changes
from kiebitz_host.library.query import Filter, league_games
from kiebitz_host.link.journal import flash_line, mark

# Ratings, places -> changes. The expected result at a difference of 16 is 0.523009, at 32 it is 0.545923.
CHANGES = (
    ([1500, 1500], [1, 2], [16, -16]),
    ([1500, 1500], [1, 1], [0, 0]),
    ([1516, 1484], [1, 2], [14.5305, -14.5305]),
    ([1516, 1484], [2, 1], [-17.4695, 17.4695]),
    ([1516, 1484], [1, 1], [-1.4695, 1.4695]),
    ([1500, 1500, 1500], [1, 2, 3], [16, 0, -16]),
    ([1500, 1500, 1500], [1, 1, 3], [8, 8, -16]),
    ([1500, 1500, 1500, 1500], [2, 2, 1, 4], [0, 0, 16, -16]),
    ([1516, 1500, 1484], [3, 2, 1], [-17.1029, 0, 17.1029]),
    ([1900, 1500], [2, 1], [-29.0909, 29.0909]),  # ten to one were expected
)


@pytest.mark.parametrize(("ratings", "places", "changes"), CHANGES)
def test_elo_by_hand(ratings, places, changes):
    assert rating_changes(ratings, places) == pytest.approx(changes, abs=1e-4)
    assert sum(rating_changes(ratings, places)) == pytest.approx(0)


@pytest.fixture
def season(put):
    """Store five games of PokerCarre and one of Top Spot. The numbers below were calculated by hand."""
    put(carre(["Anna", "Ben"], [3, 2]), day=1)
    put(carre(["Anna", "Ben", "Cleo"], [5, 5, 1]), day=2)  # Anna and Ben share it
    put(carre(["Cleo", "Anna"], [4, 2]), day=3)
    put(carre(["Ben", "Cleo"], [0, 0]), day=4)  # shared
    put(carre(["Anna", "Ben"], [9, 1]), day=5)
    put(spot(["Anna", "Ben", "Cleo"], [2, 4, 3]), day=6)
    put(unfinished(carre(["Anna", "Ben"], [9, 9])), day=7)


def test_the_table_by_hand(season, kiebitz):
    league = kiebitz("league", "poker_carre", "--json").json
    assert (league["game"], league["games"]) == ("poker_carre", 5)
    keys = ("name", "played", "wins", "shared", "points", "average", "streak", "best_streak")
    assert sorted([tuple(player[key] for key in keys) for player in league["players"]]) == [
        ("Anna", 4, 2, 1, 19, 4.75, 1, 2),
        ("Ben", 4, 0, 2, 8, 2.0, -1, 2),
        ("Cleo", 3, 1, 1, 5, 1.67, 2, 2),
    ]


def test_elo_over_a_season_by_hand(season, kiebitz):
    """Anna, Ben, Cleo start at 1500.

    1: Anna beats Ben: 1516, 1484, 1500.
    2: K/2 = 16. Anna level with Ben (expected .545923), ahead of Cleo (.523009): 16 * (-.045923 + .476991) = +6.8971.
       Ben level with Anna (+.045923), ahead of Cleo (expected .476991): 16 * (.045923 + .523009) = +9.1029.
       Cleo: -16. Now 1522.8971, 1493.1029, 1484.
    3: Cleo beats Anna, 38.8971 points apart: Cleo expected .444297, so +17.7825: 1505.1146, 1493.1029, 1501.7825.
    4: Ben level with Cleo, 8.6796 apart: Ben expected .487512, so +.3996: Ben 1493.5025, Cleo 1501.3829.
    5: Anna beats Ben, 11.6121 apart: expected .516705, so 15.4654: Anna 1520.5800, Ben 1478.0371.
    """
    players = kiebitz("league", "poker_carre", "--json").json["players"]
    assert [(player["name"], player["elo"]) for player in players] == [
        ("Anna", pytest.approx(1520.6)),
        ("Cleo", pytest.approx(1501.4)),
        ("Ben", pytest.approx(1478.0)),
    ]
    assert kiebitz("league", "top_spot", "--json").json["players"][0]["elo"] == 1516.0


def test_head_to_head_by_hand(season, kiebitz):
    pairs = kiebitz("league", "--json").json["head_to_head"]
    assert pairs == [
        {"a": "Anna", "b": "Ben", "ahead": 2, "level": 1, "behind": 1},
        {"a": "Anna", "b": "Cleo", "ahead": 1, "level": 0, "behind": 2},
        {"a": "Ben", "b": "Cleo", "ahead": 2, "level": 1, "behind": 0},
    ]
    shown = kiebitz("league").out.splitlines()
    square = [line.split() for line in shown if line.startswith(("Anna", "Ben", "Cleo"))]
    assert square == [["Anna", "2-1-1", "1-0-2"], ["Ben", "1-1-2", "2-1-0"], ["Cleo", "2-0-1", "0-1-2"]]
    mine = kiebitz("league", "--player", "Cleo", "--json").json["head_to_head"]
    assert [(pair["a"], pair["b"]) for pair in mine] == [("Anna", "Cleo"), ("Ben", "Cleo")]
    shown = kiebitz("league", "--player", "cleo").out
    assert [line.split() for line in shown.splitlines()[-2:]] == [
        ["Anna", "3", "2", "0", "1"],
        ["Ben", "3", "0", "1", "2"],
    ]


def test_over_all_games_there_is_an_elo_for_each(season, kiebitz):
    league = kiebitz("league", "--json").json
    anna = league["players"][0]
    assert (anna["name"], anna["played"], anna["wins"], anna["streak"]) == ("Anna", 5, 2, -1)
    assert set(anna["elo"]) == {"poker_carre", "top_spot"}
    lines = [line.split() for line in kiebitz("league").out.splitlines()]
    assert lines[2] == ["Won", "Elo", "Elo"]
    assert lines[3] == ["Player", "Played", "Wins", "▼", "Shared", "%", "Streak", "PC", "TS"]
    assert lines[5] == ["1", "Anna", "5", "2", "1", "60", "L1", "1521", "1484"]
    assert lines[0] == ["All", "games", "·", "6", "finished", "games"]


def test_the_table_for_people(season, kiebitz):
    lines = [line.split() for line in kiebitz("league", "poker").out.splitlines()]
    assert lines[4] == ["1", "Anna", "4", "2", "1", "19", "4.8", "W1", "W2", "1521"]


def test_the_letters_of_a_streak_are_explained_in_every_language(season, kiebitz):
    for lang, legend in (
        ("en", "W2 = 2 won, L2 = 2 lost"),
        ("de", "S2 = 2 gewonnen, N2 = 2 verloren"),
        ("fr", "V2 = 2 gagnées, D2 = 2 perdues"),
        ("it", "V2 = 2 vinte, P2 = 2 perse"),
        ("nl", "W2 = 2 gewonnen, V2 = 2 verloren"),
    ):
        for league in ((), ("poker",)):
            out = kiebitz("league", *league, "--lang", lang).out
            assert legend in out.splitlines(), out


def test_a_period_is_a_season_of_its_own(season, kiebitz):
    league = kiebitz("league", "poker_carre", "--since", "2026-01-05", "--until", "2026-01-05", "--json").json
    assert [(player["name"], player["elo"]) for player in league["players"]] == [("Anna", 1516.0), ("Ben", 1484.0)]
    assert kiebitz("league", "--since", "2026-02-01").out == "No finished games since 1 Feb 2026.\n"


def test_games_count_in_the_order_they_were_played_not_fetched(open_store, tmp_path):
    games = [(f"x-{k}-{k}", carre(["Anna", "Ben"], [k % 3, 1]), 1000 + k // 2) for k in range(8)]
    ratings = []
    for name, order in (("a.db", games), ("b.db", games[::-1])):
        store = open_store(tmp_path / name)
        for game_id, lines, at in order:
            store.add_journal(game_id, lines, None, at, False)
        league = League(league_games(store.db, Filter(finished=True)))
        names = dict(store.db.rows("SELECT id, name FROM people"))
        ratings.append({names[person]: line.ratings for person, line in league.standings.items()})
    assert ratings[0] == ratings[1]


def test_chips_decide_who_is_ahead_at_equal_points(put, kiebitz):
    put(level_on_points())
    league = kiebitz("league", "royal", "--json").json
    assert [(player["name"], player["points"], player["wins"]) for player in league["players"]] == [
        ("Anna", 60, 1),
        ("Ben", 60, 0),
    ]
    assert league["head_to_head"] == [{"a": "Anna", "b": "Ben", "ahead": 1, "level": 0, "behind": 0}]
    assert [player["elo"] for player in league["players"]] == [1516.0, 1484.0]


def test_equal_points_behind_the_winner_are_level(put, kiebitz):
    put(poch(["Anna", "Ben", "Cleo"], [150, 75, 75]))
    assert [player["elo"] for player in kiebitz("league", "poch", "--json").json["players"]] == [1516.0, 1492.0, 1492.0]


def test_a_player_of_other_games_is_told_so(season, put, kiebitz):
    put(poch(["Dan", "Eva"], [150, 50]))
    assert "Dan has not finished such a game yet." in kiebitz("league", "top_spot", "--player", "Dan").err
    assert "there is no player" in kiebitz("league", "--player", "Zoe").err


def test_one_person_under_two_names_at_one_table_is_not_compared_with_themselves(put, kiebitz):
    put(carre(["Anna", "Ben"], [3, 2]))
    put(carre(["anna", "Ben"], [3, 2]))
    kiebitz("players", "join", "Anna", "anna")
    put(carre(["anna", "Anna", "Ben"], [3, 2, 1]))  # comes later from another device
    league = kiebitz("league", "--json").json
    assert [(pair["a"], pair["b"]) for pair in league["head_to_head"]] == [("Anna", "Ben")]


def test_without_games_there_is_no_league(kiebitz):
    assert kiebitz("league").out == "No finished games yet.\n"
    empty = {"game": "poch", "games": 0, "by": "wins", "players": [], "head_to_head": []}
    assert kiebitz("league", "poch", "--json").json == empty
    assert kiebitz("league", "--by", "elo", "--json").json["players"] == []


# --- the order ---


@pytest.fixture
def uneven(put):
    """Store three games of PokerCarre that Ben wins rarely, but high, and Cleo and Dan play among themselves."""
    put(carre(["Anna", "Ben"], [3, 2]), day=1)
    put(carre(["Anna", "Ben"], [3, 2]), day=2)
    put(carre(["Ben", "Anna"], [20, 1]), day=3)
    put(carre(["Cleo", "Dan"], [4, 4]), day=4)


ORDERS = (
    ([], ["Anna", "Ben", "Cleo", "Dan"], "Wins"),
    (["--by", "wins"], ["Anna", "Ben", "Cleo", "Dan"], "Wins"),
    (["--by", "average"], ["Ben", "Cleo", "Dan", "Anna"], "Average"),
    (["--by", "elo"], ["Anna", "Cleo", "Dan", "Ben"], "Elo"),
)


@pytest.mark.parametrize(("argv", "names", "head"), ORDERS)
def test_the_order_is_chosen_and_marked_in_the_head(uneven, kiebitz, argv, names, head):
    league = kiebitz("league", "poker_carre", *argv, "--json").json
    assert [player["name"] for player in league["players"]] == names
    assert league["by"] == (argv[1] if argv else "wins")
    lines = kiebitz("league", "poker_carre", *argv).out.splitlines()
    assert lines[2].count("▼") == 1 and f"{head}\u00a0▼" in lines[2]
    assert [line.split()[1] for line in lines[4:8]] == names


def test_nobody_without_a_win_is_above_somebody_with_one(put, kiebitz):
    for day in range(1, 6):
        put(carre(["Anna", "Ben"], [3, 2] if day > 1 else [2, 3]), day=day)
    put(carre(["Cleo", "Dan"], [4, 4]), day=6)
    players = kiebitz("league", "poker_carre", "--json").json["players"]
    assert [player["name"] for player in players] == ["Anna", "Ben", "Cleo", "Dan"]
    assert [player["wins"] for player in players] == [4, 1, 0, 0]
    assert players[1]["elo"] < players[2]["elo"], "by Elo, Ben would be last"


def test_where_few_points_win_the_lowest_average_is_first(put, kiebitz):
    put(any_game("Skyjo", ["Anna", "Ben"], [98, 60], low=True), day=1)
    put(any_game("Skyjo", ["Anna", "Ben"], [10, 61], low=True), day=2)
    put(any_game("Skyjo", ["Anna", "Ben"], [10, 40], low=True), day=3)
    league = kiebitz("league", "skyjo", "--by", "average", "--json").json
    assert [player["average"] for player in league["players"]] == [39.33, 53.67]
    assert "Average\u00a0▲" in kiebitz("league", "skyjo", "--by", "average").out


def test_over_several_games_only_wins_are_compared(season, kiebitz):
    for by in ("elo", "average"):
        done = kiebitz("league", "--by", by)
        assert (done.code, done.out) == (2, "")
        assert done.err == f"kiebitz: over several games only wins can be compared: name one game for --by {by}.\n"
    assert "--by" in kiebitz("league", "--by", "luck").err


# --- play time ---

PLAYED = poch(["Anna", "Ben"], [130, 70])


def timed(lines, *minutes):
    """Return the lines with these minutes in the last of them; None is left out."""
    start = len(lines) - len(minutes)
    values = [json.loads(line) for line in lines[start:]]
    made = [{**value, "min": n} if n else value for value, n in zip(values, minutes, strict=True)]
    return lines[:start] + [json.dumps(value, separators=(",", ":")) for value in made]


@pytest.fixture
def evening(put):
    """Store a game that took 84 minutes, and one without a play time."""
    put(timed(PLAYED, 84, None), day=1)
    put(PLAYED, day=2)


def test_show_tells_the_time_at_the_table(evening, kiebitz):
    assert "Poch · 2026-01-01 12:00 · 1:24 h · aabbcc" in kiebitz("show", "1").out
    assert "Poch · 01-01-2026 12:00 · 1:24 u · aabbcc" in kiebitz("show", "1", "--lang", "nl").out
    assert " min" not in kiebitz("show", "2").out
    assert [kiebitz("show", number, "--json").json["minutes"] for number in "12"] == [84, None]


def test_exports_have_the_minutes(evening, kiebitz):
    for per in ("score", "game"):
        table = list(csv.DictReader(io.StringIO(kiebitz("export", "csv", "--per", per).out)))
        assert {(row["number"], row["minutes"]) for row in table} == {("1", "84"), ("2", "")}
    assert [game["minutes"] for game in json.loads(kiebitz("export", "json").out)["games"]] == [84, None]
    assert [play["durationMin"] for play in json.loads(kiebitz("export", "bgstats").out)["plays"]] == [84, 0]
    assert '"durationMin":84' in unquote(kiebitz("export", "link", "1").out)


def test_the_minutes_survive_a_rebuild_and_corrections(evening, kiebitz):
    kiebitz("rebuild")
    assert kiebitz("show", "1", "--json").json["minutes"] == 84


def test_replay_takes_them_and_tells_them(kiebitz, tmp_path):
    file = tmp_path / "game.jsonl"
    file.write_text("\n".join(timed(PLAYED, 84, None)) + "\n")
    told = kiebitz("replay", file, "--json").json
    assert told["refused"] is None and told.pop("minutes") == 84
    file.write_text("\n".join(PLAYED) + "\n")
    assert kiebitz("replay", file, "--json").json == told


def test_minutes_that_are_none_are_ignored(put, kiebitz):
    for wrong in (True, -5, "7", 10**30, [1]):
        number = put(timed(PLAYED, 84, wrong))
        assert kiebitz("show", number, "--json").json["minutes"] == 84, wrong


def test_another_history_has_its_own_minutes(put, kiebitz):
    put(timed(PLAYED, 84, 85), game_id="aabbcc-0009-000009")
    put(timed(PLAYED[:-1], 40), game_id="aabbcc-0009-000009")
    assert kiebitz("show", "1", "--json").json["minutes"] == 85
    assert kiebitz("show", "1", "--history", "2", "--json").json["minutes"] == 40


def test_a_journal_of_the_device_is_the_same_on_the_laptop_to_its_mark(put, kiebitz):
    ticks = [0]
    clock = SimpleNamespace(ms=lambda: ticks[0], diff=lambda end, start: end - start)
    games = Library(FaultyStorage(), DEVICE, Noise(), lambda: NOW, clock)
    games.create(match())
    for p in (0, 1, 2):
        ticks[0] += 125_000
        games.play({"ev": "point", "p": p})
    game_id = games.journal.id
    lines = [flash_line(game_id, line)[1] for line in games.files.read(games.journal.name).splitlines()]
    put(lines, game_id=game_id)
    assert mark(game_id, lines) == games.journal.mark
    assert kiebitz("show", "1", "--json").json["minutes"] == 6


# --- games that were ended early ---


@pytest.fixture
def ended_early(put, monkeypatch):
    """Store a whole match of Top Spot, won by Cleo, and a game of PokerCarre that was ended early, won by Ben."""
    details = PokerCarre.details
    monkeypatch.setattr(PokerCarre, "details", lambda self: {**details(self), "early": True})
    put(spot(["Anna", "Ben", "Cleo"], [1, 2, 3]), day=1)
    put(carre(["Anna", "Ben"], [0, 2]), day=2)


def test_a_game_that_was_ended_early_is_marked(ended_early, kiebitz):
    assert [game["early"] for game in kiebitz("games", "--json").json] == [True, False]
    assert kiebitz("games").out.count("ended early") == 1
    assert "Ended early." in kiebitz("show", "2").out
    assert "Ended early." not in kiebitz("show", "1").out
    assert "Vorzeitig beendet." in kiebitz("show", "2", "--lang", "de").out


def test_the_league_counts_it_only_if_asked_for(ended_early, kiebitz):
    players = kiebitz("league", "--json").json["players"]
    assert [(player["name"], player["wins"]) for player in players] == [("Cleo", 1), ("Anna", 0), ("Ben", 0)]
    players = kiebitz("league", "--early", "--json").json["players"]
    assert [(player["name"], player["wins"]) for player in players] == [("Cleo", 1), ("Ben", 1), ("Anna", 0)]
    assert kiebitz("league").out.endswith("\nLeft out: 1 game ended early; --early counts them.\n")
    assert "Left out" not in kiebitz("league", "--early").out + kiebitz("league", "top_spot").out
    assert kiebitz("league", "poker_carre").out.startswith("No finished games yet.\nLeft out: 1 game")


def test_board_game_stats_gets_a_remark(ended_early, kiebitz):
    assert '"comments": "Ended early."' in kiebitz("export", "bgstats", "2").out


def test_the_names_in_the_league_of_one_game_fit_into_80_columns(put, kiebitz):
    put(poch(["Florence", "Wilhelmina"], [150, 50]))
    ranking = kiebitz("league", "poch").out.split("Head to head")[0]
    assert "Florence " in ranking and "Wilhelmina " in ranking
