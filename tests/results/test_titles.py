"""Titles in the results, a league for each; places, first seats and sheets derived from a journal."""

import csv
import io
import json
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from helpers.finished import any_game, carre, counter, poch, royal, spot
from helpers.play import game_path
from kiebitz.games import GAMES
from kiebitz_host import languages
from kiebitz_host.export.bgstats import bgsplay, create_play
from kiebitz_host.league import names
from kiebitz_host.library.derive import DerivedGame, rank
from kiebitz_host.show.game_sheet import print_rows
from kiebitz_host.terminal import Terminal

ABC = ["Anna", "Ben", "Cleo"]


@pytest.fixture
def shelf(put):
    """Store three titles, one in two spellings, one named like a kind of game, and a game of that kind."""
    put(any_game("Skyjo", ABC, [98, 60, 101], low=True), day=1)
    put(any_game("skyjo", ABC, [10, 40, 5], [0, 20, 1], low=True), day=2)
    put(any_game("Wizard", ABC, [120, 80, -30]), day=3)
    put(any_game("Poch", ["Anna", "Ben"], [3, 9]), day=4)
    put(poch(["Anna", "Ben"], [150, 50]), day=5)


def elo(league):
    return {player["name"]: player["elo"] for player in league["players"]}


def test_low_ranks_first_where_low_wins():
    assert rank([98, 60, 101], [1], low_wins=True) == [2, 1, 3]
    assert rank([98, 60, 101], [2]) == [2, 3, 1]
    assert rank([5, 5, 7], [0, 1], low_wins=True) == [1, 1, 3]
    derived = DerivedGame(any_game("Skyjo", ABC, [98, 60, 101], low=True))
    assert [(score, place, won) for score, place, won, _ in derived.scores()] == [
        (98, 2, False),
        (60, 1, True),
        (101, 3, False),
    ]


def test_a_league_is_kept_for_each_title_by_itself(shelf, kiebitz):
    skyjo = kiebitz("league", "--game", "Skyjo", "--json").json
    assert (skyjo["game"], skyjo["games"]) == ("any_game:skyjo", 2)
    assert skyjo["titles"] == {"any_game:skyjo": "skyjo"}  # as it was written last
    wins = {player["name"]: (player["wins"], player["points"]) for player in skyjo["players"]}
    assert wins == {"Anna": (0, 108), "Ben": (1, 120), "Cleo": (1, 107)}
    wizard = kiebitz("league", "wizard", "--json").json
    assert [player["name"] for player in wizard["players"]] == ABC
    assert elo(wizard) == {"Anna": 1516.0, "Ben": 1500.0, "Cleo": 1484.0}


def test_elo_follows_the_fewest_points(put, kiebitz):
    put(any_game("Skyjo", ABC, [98, 60, 101], low=True))
    league = kiebitz("league", "--game", "skyjo", "--json").json
    assert elo(league) == {"Ben": 1516.0, "Anna": 1500.0, "Cleo": 1484.0}
    assert league["head_to_head"] == [
        {"a": "Anna", "b": "Ben", "ahead": 0, "level": 0, "behind": 1},
        {"a": "Anna", "b": "Cleo", "ahead": 1, "level": 0, "behind": 0},
        {"a": "Ben", "b": "Cleo", "ahead": 1, "level": 0, "behind": 0},
    ]


def test_a_title_like_the_name_of_a_kind_is_a_league_of_its_own(shelf, kiebitz):
    kind = kiebitz("league", "--game", "poch", "--json").json
    assert (kind["game"], kind["games"], elo(kind)) == ("poch", 1, {"Anna": 1516.0, "Ben": 1484.0})
    title = kiebitz("league", "--game", "any_game:poch", "--json").json
    assert (title["game"], title["games"], elo(title)) == ("any_game:poch", 1, {"Ben": 1516.0, "Anna": 1484.0})
    assert "Poch (Any game)" in kiebitz("league", "any_game:poch").out
    assert "(Any game)" not in kiebitz("league", "poch").out


def test_a_title_says_its_kind_only_where_two_kinds_have_it():
    leagues = ("bids:wizard", "any_game:wizard", "five_dice:kniffel", "any_game:skat")
    known = {league: league.partition(":")[2].title() for league in leagues}
    languages.use("de")  # where five dice are called Kniffel
    shown = ["Wizard (Wizard, Oh Hell)", "Wizard (Anderes Spiel)", "Kniffel", "Skat (Anderes Spiel)"]
    assert [names.league_name(league, known) for league in leagues] == shown
    languages.use("en")
    assert names.league_name("five_dice:kniffel", known) == "Kniffel"


def test_over_all_games_every_title_has_its_own_elo(shelf, kiebitz):
    league = kiebitz("league", "--json").json
    assert league["games"] == 5 and league["game"] is None
    anna = next(player for player in league["players"] if player["name"] == "Anna")
    assert set(anna["elo"]) == {"any_game:skyjo", "any_game:wizard", "any_game:poch", "poch"}
    shown = kiebitz("league").out
    assert "skyjo" in shown and "Wizard" in shown


def test_the_kind_itself_means_all_of_its_titles(shelf, kiebitz):
    league = kiebitz("league", "any_game", "--json").json
    assert (league["game"], league["games"]) == ("any_game", 4)
    assert set(league["titles"].values()) == {"skyjo", "Wizard", "Poch"}
    assert "Wizard" in kiebitz("league", "any_game").out


def test_of_many_titles_the_most_played_are_shown_and_the_others_counted(put, kiebitz):
    for k in range(9):
        put(any_game(f"Game {k}", ["Anna", "Ben"], [3, 9]), day=1)
    put(any_game("Game 8", ["Anna", "Ben"], [3, 9]), day=2)
    shown = kiebitz("league").out
    assert "Game\u00a08" in shown and "Elo of 5 more games: see --game NAME." in shown
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize("word", ["Skyjo", "SKYJO", " skyjo ", "sky", "any_game:skyjo"])
def test_filters_take_a_title_in_any_capitals_or_its_beginning(shelf, kiebitz, word):
    assert [game["number"] for game in kiebitz("games", "--game", word, "--json").json] == [2, 1]
    table = list(csv.DictReader(io.StringIO(kiebitz("export", "csv", "--per", "game", "--game", word).out)))
    assert [row["number"] for row in table] == ["1", "2"]
    pairs = kiebitz("league", "--game", word, "--player", "Ben", "--json").json["head_to_head"]
    assert [(pair["a"], pair["b"], pair["ahead"], pair["behind"]) for pair in pairs] == [
        ("Anna", "Ben", 1, 1),
        ("Ben", "Cleo", 1, 1),
    ]


@pytest.mark.parametrize("command", ["games", "league", "export"])
def test_an_unknown_title_is_told_with_those_that_there_are(shelf, kiebitz, command):
    run = kiebitz(command, *(["csv"] if command == "export" else []), "--game", "Canasta")
    assert run.code == 2
    assert "there is no game 'Canasta'; choose from royal_flush" in run.err and "Wizard" in run.err


def test_a_beginning_that_two_games_have_is_refused(put, kiebitz):
    put(any_game("Pochen", ["Anna", "Ben"], [3, 9]))
    assert kiebitz("games", "--game", "poc").code == 2
    assert len(kiebitz("games", "--game", "poche", "--json").json) == 1
    assert kiebitz("games", "--game", "").code == 2


def test_the_game_is_named_once(shelf, kiebitz):
    assert "name the game once" in kiebitz("league", "poch", "--game", "Skyjo").err


def test_lists_and_sheets_say_the_title(shelf, kiebitz):
    listed = kiebitz("games").out
    assert "Skyjo" in listed and "Wizard" in listed
    assert "Cleo 6*, Anna 10, Ben 60" in " ".join(listed.split())
    assert "Skyjo" in kiebitz("show", "1").out
    game = kiebitz("games", "--game", "wizard", "--json").json[0]
    assert (game["game"], game["title"], game["low"]) == ("any_game", "Wizard", False)
    assert game["league"] == "any_game:wizard"
    assert "title" not in kiebitz("games", "--game", "poch", "--json").json[0]


def test_titles_are_told_apart_by_letters_and_not_by_how_these_are_stored():
    assert names.league_of("any_game", "\u00e9t\u00e9") == names.league_of("any_game", "E\u0301TE\u0301")
    assert names.league_of("any_game", "Poch") != names.league_of("poch", "")
    assert names.league_of("poch", "") == "poch"
    assert names.league_of(None, "") is None


def test_the_exports_carry_the_title(shelf, kiebitz):
    table = list(csv.DictReader(io.StringIO(kiebitz("export", "csv").out)))
    assert [(row["game"], row["game_name"]) for row in table[::3]][:3] == [
        ("any_game", "Skyjo"),
        ("any_game", "skyjo"),
        ("any_game", "Wizard"),
    ]
    game = json.loads(kiebitz("export", "json", "2").out)["games"][0]
    assert (game["title"], game["game_name"], game["low"]) == ("skyjo", "skyjo", True)
    assert [(row["label"], row["points"]) for row in game["rows"]] == [
        ("round 1", [10, 40, 5]),
        ("round 2", [0, 20, 1]),
    ]


def test_board_game_stats_gets_a_game_for_each_title(shelf, kiebitz):
    data = json.loads(kiebitz("export", "bgstats").out)
    games = {game["name"]: game for game in data["games"]}
    assert sorted(game["name"] for game in data["games"]) == ["Poch", "Poch", "Wizard", "skyjo"]
    assert len({game["uuid"] for game in data["games"]}) == 4
    assert games["skyjo"]["highestWins"] is False and games["Wizard"]["highestWins"] is True
    of_skyjo = [play for play in data["plays"] if play["gameRefId"] == games["skyjo"]["id"]]
    assert len(of_skyjo) == 2 and not any(play["manualWinner"] for play in data["plays"])
    assert [(score["score"], score["winner"], score["rank"]) for score in of_skyjo[0]["playerScores"]] == [
        ("98", False, 2),
        ("60", True, 1),
        ("101", False, 3),
    ]


def test_the_link_names_the_title_with_an_id_that_stays(shelf, kiebitz):
    made = []
    for number in (1, 2, 3):
        address = kiebitz("export", "link", number).out.strip()
        made.append(json.loads(parse_qs(urlsplit(address).query)["data"][0])["game"])
    assert made == [
        {"name": "Skyjo", "sourceGameId": "any_game:skyjo", "highestWins": False, "noPoints": False},
        {"name": "skyjo", "sourceGameId": "any_game:skyjo", "highestWins": False, "noPoints": False},
        {"name": "Wizard", "sourceGameId": "any_game:wizard", "highestWins": True, "noPoints": False},
    ]


def test_a_title_played_both_ways_names_its_winners_itself(put, kiebitz):
    put(any_game("Hearts", ["Anna", "Ben"], [3, 9]), day=1)
    put(any_game("Hearts", ["Anna", "Ben"], [3, 9], low=True), day=2)
    data = json.loads(kiebitz("export", "bgstats").out)
    assert [game["highestWins"] for game in data["games"]] == [False]  # as the last game
    assert [play["manualWinner"] for play in data["plays"]] == [True, False]
    league = kiebitz("league", "hearts", "--json").json
    assert [(player["wins"], player["played"]) for player in league["players"]] == [(1, 2), (1, 2)]


def test_a_counter_has_its_start_and_what_was_added(put, kiebitz):
    put(counter("Life", ABC, (0, -5), (1, -20), start=20, limit=0))
    (game,) = json.loads(kiebitz("export", "json").out)["games"]
    assert game["finished"] and [(score["score"], score["rank"]) for score in game["scores"]] == [
        (15, 2),
        (0, 3),
        (20, 1),
    ]
    assert [(row["label"], row["name"], row["points"]) for row in game["rows"]] == [
        ("start", "At the start", [20, 20, 20]),
        ("added", "Added", [-5, -20, 0]),
    ]


def test_a_game_that_cannot_be_read_has_no_title(put, store, kiebitz):
    put(['{"game":"any_game","players":["Anna","Ben"],"title":""}'])
    assert store.db.rows("SELECT kind, title, league, low FROM games") == [("any_game", "", "any_game", 0)]
    assert kiebitz("games").code == 0 and kiebitz("league").out == "No finished games yet.\n"


def test_nothing_but_the_game_itself_decides_the_direction():
    seat = {"name": "Anna", "person_id": "A", "score": 3, "winner": True, "starts": True, "rank": 1}
    game = {"id": "x", "game": "any_game", "title": "Skyjo", "league": "any_game:skyjo", "low": True, "at": 0}
    game.update(early=False, approximate=False, minutes=None, variant="", scores=[seat])
    game.update(changed=0, received=0, rounds=1)
    assert create_play(game)["game"]["highestWins"] is False
    assert bgsplay([game])["games"][0]["highestWins"] is False


RANKS = (
    ([5, 3, 4], [0], [1, 3, 2]),
    ([5, 5, 4], [0, 1], [1, 1, 3]),
    ([5, 5, 4], [0], [1, 2, 3]),  # chips have decided between equal points
    ([5, 9, 9], [0], [1, 2, 2]),  # won by a set of seven
    ([0, 0], [0, 1], [1, 1]),
)


@pytest.mark.parametrize(("totals", "winners", "places"), RANKS)
def test_equal_points_share_a_place_and_who_has_won_comes_first(totals, winners, places):
    assert rank(totals, winners) == places


def test_the_lines_of_every_score_sheet_add_up_to_the_scores():
    sheets = 0
    lines = [line for kind in GAMES for line in Path(game_path(kind, "replays.jsonl")).read_text("utf-8").splitlines()]
    for line in lines:
        game = DerivedGame([text for text in json.loads(line)["script"] if text])
        if game.table:
            points = [sum(column) for column in zip(*[points for _, points in game.rows()], strict=True)]
            assert points in ([], game.table.game.totals()) and (points or not any(game.table.game.totals())), line
            sheets += 1
    assert sheets > 200


def test_a_sheet_of_royal_flush_has_its_rounds_and_the_chips():
    game = DerivedGame(royal(["Anna", "Ben"], [0, 0, 1], spent=[2, 1]))
    assert game.rows() == [("round 1", [25, 0]), ("round 2", [25, 0]), ("round 3", [0, 25]), ("chips", [8, 10])]
    assert game.scores() == [(58, 1, True, True), (35, 2, False, False)]
    half = DerivedGame(royal(["Anna", "Ben"], [0]) + ['{"ev":"score","p":1,"board":"pair"}'])
    assert half.rows() == [("round 1", [25, 0]), ("round 2", [0, 2])]
    assert half.scores() == [(25, None, False, True), (2, None, False, False)]


def test_a_sheet_of_poch_tells_rounds_and_loans_apart():
    options = '{"chips_total":100,"final_pools":"split","loans":"gift"}'
    setup = f'{{"game":"poch","players":["Anna","Ben"],"dealer":0,"options":{options}}}'
    events = (
        '{"ev":"start_round","trump":"H"}',
        '{"ev":"cash","p":0,"pool":"A"}',
        '{"ev":"end_cash","confirm":true}',
        '{"ev":"pass","p":1}',
        '{"ev":"pass","p":0}',
        '{"ev":"end_round","winner":1,"left":{"0":3}}',
        '{"ev":"loan","from":1,"to":0,"k":4}',
        '{"ev":"start_round","trump":"S"}',
        '{"ev":"end_cash","confirm":true}',
        '{"ev":"pass","p":0}',
        '{"ev":"pass","p":1}',
        '{"ev":"end_round","winner":0,"left":{"1":1}}',
        '{"ev":"end_game"}',
    )
    game = DerivedGame([setup, *events])
    assert game.rows() == [
        ("start", [50, 50]),
        ("round 1", [-9, -5]),
        ("loans", [4, -4]),
        ("round 2", [-7, -9]),
        ("end", [15, 15]),
    ]
    assert DerivedGame([setup, *events[:2]]).rows() == [("start", [50, 50]), ("round 1", [-6, -8])]
    assert DerivedGame([setup, *events[:7]]).rows()[-1] == ("loans", [4, -4])
    assert [starts for *_, starts in game.scores()] == [False, True]


def test_sheets_of_the_other_games():
    assert DerivedGame(carre(["Anna", "Ben"], [3, 2])).rows()[0] == ("rubric 1", [3, 2])
    assert DerivedGame(spot(["Anna", "Ben", "Cleo"], [3, 2, 4])).rows() == [("game 1", [3, 2, 4])]
    assert DerivedGame(poch(["Anna", "Ben"], [120, 80])).rows() == [("start", [100, 100]), ("end", [20, -20])]


def test_a_correction_counts_only_where_the_journal_still_says_what_it_replaced():
    lines = carre(["Anna", "Ben"], [3, 2])
    old, new = '{"ev":"mark","p":0,"rubric":1}', '{"ev":"mark","p":0,"rubric":5}'
    fixed = DerivedGame(lines, [(7, 0, old, new)])
    assert ([score for score, *_ in fixed.scores()], fixed.unfit) == ([12, 2], [])
    for correction in ((7, 3, old, new), (7, 99, old, new), (7, 0, old, '{"ev":"mark","p":9,"rubric":5}')):
        other = DerivedGame(lines, [correction])
        assert ([score for score, *_ in other.scores()], other.unfit) == ([3, 2], [7]), correction


# --- sums ---

POCH = [
    {"game": "poch", "players": ["Anna", "Ben", "Cleo"], "options": {"chips_total": 300}},
    {"ev": "start_round", "trump": "H"},
    {"ev": "cash", "p": 0, "pool": "A"},
    {"ev": "cash", "p": 1, "pool": "K"},
    {"ev": "end_cash", "confirm": True},
    {"ev": "bid", "p": 0, "k": 2},
    {"ev": "hold", "p": 1},
    {"ev": "pass", "p": 2},
    {"ev": "reveal", "hands": {"0": [2, "K", False], "1": [3, "T", False]}},
    {"ev": "end_round", "winner": 2, "left": {"0": 3, "1": 4}},
    {"ev": "end_game"},
]


def lines(events):
    return [json.dumps(event) for event in events]


def test_every_row_of_poch_adds_up(put, kiebitz):
    put(lines(POCH))
    rows = kiebitz("show", "1", "--json").json["rows"]
    assert [(row["label"], sum(row["points"]) + sum(row["beside"].values())) for row in rows] == [
        ("start", 300), ("round 1", 0),
    ]  # fmt: skip
    shown = kiebitz("show", "1").out
    assert "               Anna   Ben   Cleo   Pools   Bank" in shown
    assert "At the start    100   100    100       0      0" in shown
    # Anna: 8 ante, 3 cashed, 2 bid, 4 to double the bank, 3 cards. Ben: 8 ante, 3 cashed, 2 held, 8 and 3 won, 4 cards
    assert "Round 1         -14    +0     -1     +15     +0" in shown
    assert "Total            86   100     99      15      0" in shown


def test_the_log_of_poch_tells_where_the_chips_go(put, kiebitz):
    put(lines(POCH))
    shown = [line.rstrip() for line in kiebitz("show", "1").out.splitlines()]
    assert " 1   Round starts, trump ♥                  all -8, Pools +24" in shown
    assert " 5   Anna bids 2                            Anna -2, Bank +2" in shown
    assert any("Pochs shown: 2 (Anna 2×K, Ben 3×10)" in line for line in shown)
    assert any("Cleo is out of cards (Anna 3, Ben 4)" in line for line in shown)
    entries = kiebitz("show", "1", "--json").json["entries"]
    assert all(sum(entry["changes"]) + sum(entry["beside"].values()) == 0 for entry in entries)


def test_pools_and_bank_have_their_names_in_every_language(put, kiebitz):
    put(lines(POCH))
    for lang, terms in (("de", "Mulden   Kasse"), ("fr", "Cavités   Caisse"), ("it", "Cavità   Cassa")):
        assert terms in kiebitz("show", "1", "--lang", lang).out


def test_an_unfinished_round_adds_up_too(put, kiebitz):
    put(lines(POCH[:6]))
    rows = kiebitz("show", "1", "--json").json["rows"]
    assert [sum(row["points"]) + sum(row["beside"].values()) for row in rows] == [300, 0]


def test_long_names_leave_room_for_pools_and_bank(capsys):
    names = [f"Bartholomäus Schönfeld {p}" for p in range(8)]
    scores = [{"name": name, "score": 9, "rank": 1, "winner": False} for name in names]
    row = {"label": "start", "points": [100] * 8, "beside": {"pools": 0, "bank": 0}}
    print_rows(Terminal(), {"game": "poch", "scores": scores, "rows": [row]})
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def test_entered_cards_are_shown(put, kiebitz):
    setup = {"game": "royal_flush", "players": ["Anna", "Ben"], "child": [1, 0]}
    scores = [
        {"ev": "score", "p": 0, "board": "pair", "cards": "TH *"},
        {"ev": "score", "p": 1, "board": "royal_flush", "cards": "TS JS QS KS AS"},
    ]
    put(lines([setup, *scores]))
    put(lines([{"game": "poker_carre", "players": ["Anna", "Ben"], "mode": "grid"},
               {"ev": "layout", "cards": "a1 a2 a3 b1 b2 b3 c1 c2 c3"}]))  # fmt: skip
    shown = kiebitz("show", "1").out
    assert "Anna: Pair (10♥ *)" in shown and "Ben: Royal Flush (10♠ J♠ Q♠ K♠ A♠)" in shown
    assert "Ben: Royal Flush (10♠ B♠ D♠ K♠ A♠)" in kiebitz("show", "1", "--lang", "de").out
    assert "Nine cards laid out (a1 a2 a3 b1 b2 b3 c1 c2 c3)" in kiebitz("show", "2").out
