"""Export plays for the app Board Game Stats: a .bgsplay file, or a link that creates one play.

Written from public descriptions of the two formats; not tested with the app itself. Every id is derived from ours and
never changes, because the app identifies a play by its id.
"""

import json
import time
from urllib.parse import quote

from kiebitz import VERSION
from kiebitz.games import game_class
from kiebitz.text import text

from ..league.names import stable_id
from ..show.present import name_of

SOURCE = "Kiebitz"
WEB = "https://app.bgstatsapp.com/createPlay.html?data="
APP = "bgstats://app.bgstatsapp.com/createPlay.html?data="
# Characters that need no escape in a query: a shorter link makes a smaller QR code
_PLAIN = ":,"


def date(seconds: int) -> str:
    """Format a timestamp for the app: UTC, with a space."""
    return time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(seconds))


def play_id(game: dict) -> str:
    return stable_id("play", game["id"])


def comments(game: dict) -> str:
    """Return remarks that have no field in the app; short, because they enlarge the QR code."""
    remarks = [("export.early", game["early"]), ("export.rough", game["approximate"])]
    return " ".join([text(key) for key, holds in remarks if holds])


# --- the link ---


def link(game: dict, app: bool = False) -> str:
    """Return the URL that creates this play, in the browser or directly in the app."""
    data = json.dumps(create_play(game), ensure_ascii=False, separators=(",", ":"))
    return (APP if app else WEB) + quote(data, safe=_PLAIN)


def create_play(game: dict) -> dict:
    """Return one play in the format of the link; omit empty fields, because they enlarge the QR code."""
    play = {
        "sourceName": SOURCE,
        "sourcePlayId": play_id(game),
        "playDate": date(game["at"]),
        "durationMin": game["minutes"] or "",
        "board": game["variant"],
        "comments": comments(game),
        "game": {
            "name": name_of(game),
            "sourceGameId": game["league"],
            "highestWins": not game["low"],
            "noPoints": False,
        },
        "players": [_link_player(score) for score in game["scores"]],
    }
    return {key: value for key, value in play.items() if value != ""}


def _link_player(score: dict) -> dict:
    return {
        "name": score["name"],
        "sourcePlayerId": score["person_id"],
        "score": str(score["score"]),
        "winner": score["winner"],
        "startPlayer": score["starts"],
        "rank": score["rank"],
    }


# --- the file ---


def bgsplay(games: list[dict]) -> dict:
    """Return the content of a .bgsplay file; the games need their `variant`, `minutes`, `rounds` and `changed` time."""
    last: dict[str, dict] = {}  # the latest game of each league: it determines the name, and whether few points win
    for game in sorted(games, key=lambda game: game["at"]):
        last[game["league"]] = game
    leagues = sorted(last)
    people = sorted({(score["name"], score["person_id"]) for game in games for score in game["scores"]})
    game_refs = {league: k for k, league in enumerate(leagues, 1)}
    player_refs = {uuid: k for k, (_, uuid) in enumerate(people, 1)}
    changed: dict[str, int] = {}
    for game in games:
        changed[game["league"]] = max(game["changed"], changed.get(game["league"], 0))
    newest = max(changed.values(), default=0)
    return {
        "about": text("export.about", version=VERSION),
        "games": [_game(last[league], game_refs[league], changed[league]) for league in leagues],
        "players": [_player(name, uuid, player_refs[uuid], newest) for name, uuid in people],
        "locations": [],
        "plays": [_play(game, last[game["league"]]["low"], game_refs, player_refs) for game in games],
        "userInfo": {"meRefId": 0},
    }


def _game(game: dict, ref: int, changed: int) -> dict:
    low, high = game_class(game["game"]).PLAYERS
    return {
        "uuid": stable_id("game", game["league"]),
        "id": ref,
        "name": name_of(game),
        "modificationDate": date(changed),
        "cooperative": False,
        "highestWins": not game["low"],
        "noPoints": False,
        "usesTeams": False,
        "isBaseGame": 1,
        "isExpansion": 0,
        "bggName": "",
        "bggYear": 0,
        "designers": "",
        "rating": 0,
        "minPlayerCount": low,
        "maxPlayerCount": high,
    }


def _player(name: str, uuid: str, ref: int, changed: int) -> dict:
    return {
        "uuid": uuid,
        "id": ref,
        "name": name,
        "isAnonymous": False,
        "modificationDate": date(changed),
        "bggUsername": "",
    }


def _play(game: dict, low_wins: bool, game_refs: dict[str, int], player_refs: dict[str, int]) -> dict:
    return {
        "uuid": play_id(game),
        "gameRefId": game_refs[game["league"]],
        "locationRefId": 0,
        "playDate": date(game["at"]),
        "playDateYmd": int(time.strftime("%Y%m%d", time.gmtime(game["at"]))),
        "entryDate": date(game["received"]),
        "modificationDate": date(game["changed"]),
        "durationMin": game["minutes"] or 0,
        "rounds": game["rounds"],
        "board": game["variant"],
        "comments": comments(game),
        "usesTeams": False,
        "ignored": False,
        "manualWinner": _won_otherwise(game["scores"], low_wins),
        "scoringSetting": 0,
        "importPlayId": 0,
        "bggId": 0,
        "nemestatsId": 0,
        "rating": 0,
        "playImages": "[]",
        "expansionPlays": [],
        "playerScores": [_score(seat, score, player_refs) for seat, score in enumerate(game["scores"], 1)],
    }


def _won_otherwise(scores: list[dict], low_wins: bool) -> bool:
    """Return True if the winner was decided by more than points, such as chips or a set of seven."""
    best = (min if low_wins else max)(score["score"] for score in scores)
    return any(score["winner"] != (score["score"] == best) for score in scores)


def _score(seat: int, score: dict, player_refs: dict[str, int]) -> dict:
    return {
        "playerRefId": player_refs[score["person_id"]],
        "score": str(score["score"]),
        "winner": score["winner"],
        "startPlayer": score["starts"],
        "newPlayer": False,
        "rank": score["rank"],
        "seatOrder": seat,
    }
