"""`kiebitz export`: rows, everything as JSON, and plays for Board Game Stats in exactly the documented shape."""

import csv
import io
import json
import os
import re
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit
from uuid import UUID

import pytest
import segno
from helpers.finished import any_game, carre, level_on_points, poch, royal, spot, unfinished
from helpers.play import game_path
from kiebitz_host.export.files import scores_csv
from kiebitz_host.library.fixes import correct
from kiebitz_host.show import qr

# A game of each kind, as it was played on 5 January 2026. KIEBITZ_GOLDEN=write pytest tests/results/test_export.py
# rewrites tests/data/results/*.bgsplay and *.link; review the diff before you commit it.
PLAYED = {
    "royal_flush": royal(["Anna", "Ben", "Cleo"], [1, 1, 2], spent=[2, 0, 3]),
    "poker_carre": carre(["Zoë", 'Jo "J" O\'Hara', "李雷"], [7, 12, 7]),
    "poch": poch(["Anna", "Ben", "Cleo", "Dan"], [57, 143, 143, 57], dealer=1),
    "top_spot": spot(["Anna", "Ben", "Cleo"], [3, 2, 0], level="expert", options={"one_joker_each": "on"}),
    "any_game": any_game("Skyjo", ["Anna", "Ben", "Cleo"], [40, 30, 50], [58, 30, 51], low=True),
}


@pytest.fixture
def evening(put):
    put(PLAYED["royal_flush"], day=1)
    put(unfinished(PLAYED["poker_carre"]), day=2)
    put(PLAYED["poch"], day=3, approximate=True)


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


# --- CSV and JSON ---


def test_a_row_for_every_score_oldest_first(evening, kiebitz):
    table = rows(kiebitz("export", "csv").out)
    assert [(row["number"], row["seat"], row["player"], row["score"], row["rank"], row["winner"]) for row in table] == [
        ("1", "1", "Anna", "8", "3", "0"),
        ("1", "2", "Ben", "62", "1", "1"),
        ("1", "3", "Cleo", "31", "2", "0"),
        ("2", "1", "Zoë", "7", "", "0"),
        ("2", "2", 'Jo "J" O\'Hara', "12", "", "0"),
        ("2", "3", "李雷", "7", "", "0"),
        ("3", "1", "Anna", "57", "3", "0"),
        ("3", "2", "Ben", "143", "1", "1"),
        ("3", "3", "Cleo", "143", "1", "1"),
        ("3", "4", "Dan", "57", "3", "0"),
    ]
    assert table[-1] == {
        "number": "3", "id": "aabbcc-0003-000003", "game": "poch", "date": "2026-01-03T12:00:00Z", "approximate": "1",
        "finished": "1", "seat": "4", "player": "Dan", "score": "57", "rank": "3", "winner": "0", "starts": "0",
        "game_name": "Poch", "minutes": "",
    }  # fmt: skip
    assert [row["player"] for row in table if row["starts"] == "1"] == ["Anna", "Zoë", "Cleo"]


def test_a_row_for_every_game(evening, kiebitz):
    table = rows(kiebitz("export", "csv", "--per", "game").out)
    assert [(row["number"], row["finished"], row["players"], row["winners"], row["scores"]) for row in table] == [
        ("1", "1", "3", "Ben", "Anna 8; Ben 62; Cleo 31"),
        ("2", "0", "3", "", "Zoë 7; Jo \"J\" O'Hara 12; 李雷 7"),
        ("3", "1", "4", "Ben; Cleo", "Anna 57; Ben 143; Cleo 143; Dan 57"),
    ]


def test_a_spreadsheet_takes_no_name_for_a_formula(put, kiebitz):
    put(carre(["=1+1", "+1", "-1"], [3, 2, 1]), day=1)
    put(carre(["@SUM(A1)", "\uff1d1", "x;=1"], [3, 2, 1]), day=2)
    harmless = ["'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\uff1d1", "x;'=1"]
    assert [row["player"] for row in rows(kiebitz("export", "csv").out)] == harmless
    first, second = rows(kiebitz("export", "csv", "--per", "game").out)
    assert (first["winners"], second["winners"]) == ("'=1+1", "'@SUM(A1)")
    assert (first["scores"], second["scores"]) == ("'=1+1 3; '+1 2; '-1 1", "'@SUM(A1) 3; '\uff1d1 2; x;'=1 1")
    assert json.loads(kiebitz("export", "json").out)["games"][0]["scores"][0]["name"] == "=1+1"


def test_numbers_below_zero_stay_numbers_in_a_spreadsheet():
    game = {key: 0 for key in ("number", "id", "at", "approximate", "finished", "minutes")}
    score = {"name": "Anna", "score": -5, "rank": 1, "winner": True, "starts": False}
    assert rows(scores_csv([{**game, "game": "poch", "scores": [score]}]))[0]["score"] == "-5"


def test_exports_take_filters_or_games(evening, kiebitz):
    assert len(rows(kiebitz("export", "csv", "--per", "game", "--game", "poch").out)) == 1
    assert [row["number"] for row in rows(kiebitz("export", "csv", "3", "1", "3", "--per", "game").out)] == ["3", "1"]
    assert "but not both" in kiebitz("export", "csv", "3", "--game", "poch").err


def test_an_empty_store_gives_the_head_alone(kiebitz):
    assert kiebitz("export", "csv").out.count("\n") == 1
    assert json.loads(kiebitz("export", "json").out)["games"] == []


def test_everything_as_json(evening, kiebitz):
    kiebitz("fix", "1", "--entry", "1", "--with", '{"ev":"spend","p":0,"k":1}')
    content = json.loads(kiebitz("export", "json").out)
    first = content["games"][0]
    assert first["journal"] == PLAYED["royal_flush"]
    assert first["rows"][0] == {"label": "round 1", "name": "Round 1", "points": [0, 25, 0]}
    assert (first["game_name"], first["variant"]) == ("Royal Flush", "")
    assert [(fix["entry"], fix["state"]) for fix in first["corrections"]] == [(1, "in force")]
    assert first["other_histories"] == []
    assert [game["number"] for game in content["games"]] == [1, 2, 3]


def test_a_file_is_written_as_a_whole(evening, kiebitz, tmp_path):
    place = tmp_path / "scores.csv"
    assert kiebitz("export", "csv", "-o", place).out == ""
    assert place.read_text(encoding="utf-8") == kiebitz("export", "csv").out
    assert not list(tmp_path.glob("*.tmp"))
    done = kiebitz("export", "csv", "-o", tmp_path / "none" / "scores.csv")
    assert (done.code, done.out) == (2, "") and "cannot write" in done.err


# --- Board Game Stats, field by field ---

NUMBER, TEXT, YES_NO, LIST = int, str, bool, list
GAME = {
    "uuid": TEXT, "id": NUMBER, "name": TEXT, "modificationDate": TEXT, "cooperative": YES_NO, "highestWins": YES_NO,
    "noPoints": YES_NO, "usesTeams": YES_NO, "isBaseGame": NUMBER, "isExpansion": NUMBER, "bggName": TEXT,
    "bggYear": NUMBER, "designers": TEXT, "rating": NUMBER, "minPlayerCount": NUMBER, "maxPlayerCount": NUMBER,
}  # fmt: skip
PLAYER = {
    "uuid": TEXT, "id": NUMBER, "name": TEXT, "isAnonymous": YES_NO, "modificationDate": TEXT, "bggUsername": TEXT,
}  # fmt: skip
PLAY = {
    "uuid": TEXT, "gameRefId": NUMBER, "locationRefId": NUMBER, "playDate": TEXT, "playDateYmd": NUMBER,
    "entryDate": TEXT, "modificationDate": TEXT, "durationMin": NUMBER, "rounds": NUMBER, "board": TEXT,
    "comments": TEXT, "usesTeams": YES_NO, "ignored": YES_NO, "manualWinner": YES_NO, "scoringSetting": NUMBER,
    "importPlayId": NUMBER, "bggId": NUMBER, "nemestatsId": NUMBER, "rating": NUMBER, "playImages": TEXT,
    "expansionPlays": LIST, "playerScores": LIST,
}  # fmt: skip
SCORE = {
    "playerRefId": NUMBER, "score": TEXT, "winner": YES_NO, "startPlayer": YES_NO, "newPlayer": YES_NO, "rank": NUMBER,
    "seatOrder": NUMBER,
}  # fmt: skip
LINK = {
    "sourceName": TEXT, "sourcePlayId": TEXT, "playDate": TEXT, "game": dict, "players": LIST,
}  # fmt: skip
LINK_REMARKS = {"board": TEXT, "comments": TEXT}  # only if there is something to say
LINK_GAME = {"name": TEXT, "sourceGameId": TEXT, "highestWins": YES_NO, "noPoints": YES_NO}
LINK_PLAYER = {
    "name": TEXT, "sourcePlayerId": TEXT, "score": TEXT, "winner": YES_NO, "startPlayer": YES_NO, "rank": NUMBER,
}  # fmt: skip


def has_shape(value, shape):
    assert {key: type(item) for key, item in value.items()} == shape
    for key, item in value.items():
        if key.endswith("Date"):
            assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", item), key
        if key == "uuid" or (key.startswith("source") and key.endswith(("PlayId", "PlayerId"))):
            assert item == str(UUID(item)).upper() and UUID(item).version == 5
        if key == "score":
            assert re.fullmatch(r"-?\d+", item)


def play_of(address):
    """Return the play that a link carries."""
    parts = urlsplit(address.strip())
    assert (parts.netloc, parts.path) == ("app.bgstatsapp.com", "/createPlay.html")
    assert parts.query.isascii() and " " not in parts.query and '"' not in parts.query
    (data,) = parse_qs(parts.query, strict_parsing=True)["data"]
    assert data == unquote(parts.query.removeprefix("data="))
    return json.loads(data)


@pytest.mark.parametrize("kind", PLAYED)
def test_a_bgsplay_file_has_the_documented_shape(put, kiebitz, kind):
    put(PLAYED[kind])
    content = json.loads(kiebitz("export", "bgstats", "1").out)
    assert list(content) == ["about", "games", "players", "locations", "plays", "userInfo"]
    assert type(content["about"]) is str
    assert (content["locations"], content["userInfo"]) == ([], {"meRefId": 0})
    for values, shape in ((content["games"], GAME), (content["players"], PLAYER), (content["plays"], PLAY)):
        for value in values:
            has_shape(value, shape)
    (play,) = content["plays"]
    assert play["playDate"] == "2026-01-05 12:00:00" and play["playDateYmd"] == 20260105
    assert (play["playImages"], play["expansionPlays"]) == ("[]", [])
    for key in ("scoringSetting", "importPlayId", "bggId", "nemestatsId", "durationMin", "rating"):
        assert play[key] == 0
    assert play["gameRefId"] == content["games"][0]["id"]
    assert sorted(score["playerRefId"] for score in play["playerScores"]) == [each["id"] for each in content["players"]]
    for score in play["playerScores"]:
        has_shape(score, SCORE)
    assert [score["seatOrder"] for score in play["playerScores"]] == list(range(1, len(play["playerScores"]) + 1))
    assert sum(score["startPlayer"] for score in play["playerScores"]) == 1


@pytest.mark.parametrize("kind", PLAYED)
def test_a_link_has_the_documented_shape_and_tells_the_same_as_the_file(put, kiebitz, kind):
    put(PLAYED[kind])
    play = play_of(kiebitz("export", "link", "1").out)
    has_shape(play, {key: (LINK | LINK_REMARKS)[key] for key in [*play, *LINK]})
    assert "" not in play.values()
    has_shape(play["game"], LINK_GAME)
    for player in play["players"]:
        has_shape(player, LINK_PLAYER)
    assert play["sourceName"] == "Kiebitz"
    content = json.loads(kiebitz("export", "bgstats", "1").out)
    names = {player["id"]: (player["name"], player["uuid"]) for player in content["players"]}
    (same,) = content["plays"]
    assert (play["sourcePlayId"], play["playDate"]) == (same["uuid"], same["playDate"])
    assert play.get("board", "") == same["board"]
    keys = ("score", "winner", "startPlayer", "rank")
    for player, score in zip(play["players"], same["playerScores"], strict=True):
        assert (player["name"], player["sourcePlayerId"]) == names[score["playerRefId"]]
        assert [player[key] for key in keys] == [score[key] for key in keys]


@pytest.mark.parametrize("kind", PLAYED)
@pytest.mark.parametrize("form", ["bgsplay", "link"])
def test_what_is_written_is_what_was_written_before(put, kiebitz, kind, form):
    put(PLAYED[kind], game_id=f"aabbcc-0001-{kind[:4]}")
    written = kiebitz("export", "bgstats" if form == "bgsplay" else "link", "1").out
    golden = Path(game_path(kind, f"export.{form}"))
    if os.environ.get("KIEBITZ_GOLDEN") == "write":
        golden.write_text(written, encoding="utf-8")
    assert written == golden.read_text(encoding="utf-8")


def test_ids_are_the_same_on_every_laptop_and_after_every_change(put, kiebitz, open_store, tmp_path, place_of):
    put(PLAYED["poch"], game_id="aabbcc-0001-000001")
    first = json.loads(kiebitz("export", "bgstats").out)
    kiebitz("players", "rename", "Anna", "Anna K.")
    kiebitz("delete", "1")
    kiebitz("restore", "1")
    kiebitz("rebuild")
    again = json.loads(kiebitz("export", "bgstats").out)
    assert again["plays"] == first["plays"]
    assert [player["uuid"] for player in again["players"]] == [player["uuid"] for player in first["players"]]
    other = open_store(tmp_path / "other.db")
    for lines, game_id in ((PLAYED["poker_carre"], "x-1-1"), (PLAYED["poch"], "aabbcc-0001-000001")):
        other.add_journal(game_id, lines, None, 1767614400, False)
    there = json.loads(kiebitz("export", "bgstats", "2", "--db", place_of(tmp_path / "other.db")).out)
    assert there["plays"][0]["uuid"] == first["plays"][0]["uuid"]
    assert {player["uuid"] for player in there["players"]} == {player["uuid"] for player in first["players"]}


def test_a_correction_makes_the_play_newer_but_not_another_one(put, kiebitz, open_store):
    put(PLAYED["royal_flush"])
    before = json.loads(kiebitz("export", "bgstats").out)["plays"][0]
    correct(open_store(now=lambda: 1767700060), 1, 1, {"ev": "spend", "p": 0, "k": 1})
    after = json.loads(kiebitz("export", "bgstats").out)["plays"][0]
    assert after["uuid"] == before["uuid"]
    assert (before["modificationDate"], after["modificationDate"]) == ("2026-01-06 11:46:40", "2026-01-06 11:47:40")
    assert after["playerScores"][0]["score"] != before["playerScores"][0]["score"]


def test_a_win_that_the_points_do_not_tell_is_marked_as_set_by_hand(put, kiebitz):
    put(level_on_points())
    put(PLAYED["poch"])
    marks = [play["manualWinner"] for play in json.loads(kiebitz("export", "bgstats").out)["plays"]]
    assert marks == [True, False]


def test_house_rules_and_rough_dates_are_told(put, kiebitz):
    put(PLAYED["top_spot"], approximate=True)
    (play,) = json.loads(kiebitz("export", "bgstats").out)["plays"]
    assert play["board"] == "Expert, Tally, One joker each: on"
    assert play["comments"] == "The date is not exactly known."
    assert play["rounds"] == 1


def test_many_games_share_their_players(put, kiebitz):
    for day, kind in enumerate(PLAYED, 1):
        put(PLAYED[kind], day=day)
    content = json.loads(kiebitz("export", "bgstats").out)
    assert [len(content[part]) for part in ("games", "players", "plays")] == [len(PLAYED), 7, len(PLAYED)]
    assert len({player["uuid"] for player in content["players"]}) == 7


def test_unfinished_games_stay_here(evening, kiebitz):
    done = kiebitz("export", "bgstats")
    assert done.err == "1 unfinished game is left out.\n"
    assert len(json.loads(done.out)["plays"]) == 2
    for form in ("bgstats", "link"):
        assert "game 2 is not finished" in kiebitz("export", form, "2").err
    assert "name one game" in kiebitz("export", "link").err
    assert "name one game" in kiebitz("export", "link", "1", "3").err
    assert kiebitz("export").err.endswith("the following arguments are required: FORM\n")


def test_the_link_can_open_the_app_itself(evening, kiebitz):
    web, app = kiebitz("export", "link", "1").out, kiebitz("export", "link", "1", "--app").out
    assert web.startswith("https://app.bgstatsapp.com/createPlay.html?data=%7B%22sourceName%22")
    assert app == web.replace("https://", "bgstats://")


def test_the_help_says_that_it_was_not_tried(kiebitz):
    assert "not tried against the app itself" in " ".join(kiebitz("export", "--help").out.split())


# --- the QR code ---


def modules(lines):
    """Return the modules of a code in half blocks, True for dark."""
    tops = [[char in "▀█" for char in line] for line in lines]
    bottoms = [[char in "▄█" for char in line] for line in lines]
    return [row for pair in zip(tops, bottoms, strict=True) for row in pair]


def test_the_code_in_the_terminal_is_the_code_of_the_link(evening, kiebitz):
    address = kiebitz("export", "link", "3").out.strip()
    drawn = modules(qr.lines_of(address))
    wanted = [[bool(module) for module in row] for row in segno.make_qr(address, error="l").matrix_iter(border=4)]
    assert [row[: len(wanted[0])] for row in drawn[: len(wanted)]] == wanted
    assert not any(drawn[-1])


WINDOWS = ((200, "1", "█"), (80, "1", "columns wide"), (200, None, "--qr"))


@pytest.mark.parametrize(("columns", "colours", "says"), WINDOWS)
def test_the_code_is_drawn_where_it_fits(evening, monkeypatch, capsys, columns, colours, says):
    monkeypatch.setenv("COLUMNS", str(columns))
    if colours:
        monkeypatch.setenv("FORCE_COLOR", colours)
    qr.print_code("https://app.bgstatsapp.com/createPlay.html?data=" + "x" * 900)
    assert says in capsys.readouterr().out


def test_piped_there_is_the_link_alone(evening, kiebitz):
    assert kiebitz("export", "link", "1").out.count("\n") == 1


@pytest.mark.parametrize(("name", "start"), [("code.svg", b"<?xml"), ("code.png", b"\x89PNG")])
def test_the_code_as_a_picture(evening, kiebitz, tmp_path, name, start):
    assert kiebitz("export", "link", "1", "--qr", tmp_path / name).code == 0
    assert (tmp_path / name).read_bytes().startswith(start)


def test_a_picture_that_cannot_be_written(evening, kiebitz, tmp_path):
    assert ".svg or .png" in kiebitz("export", "link", "1", "--qr", tmp_path / "code.gif").err
    assert "cannot write" in kiebitz("export", "link", "1", "--qr", tmp_path / "none" / "code.svg").err
