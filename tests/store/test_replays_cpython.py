"""The recorded games themselves: up to date, and wide enough to mean something."""

import json

import make_replays
import pytest
from kiebitz.games import GAMES, game_class

LINES = make_replays.PATH.read_text(encoding="utf-8").splitlines()


def events_of(kind):
    """Every line of the scripts of one game, the set-ups and blank lines left out."""
    for line in LINES:
        game = json.loads(line)
        if game["game"] == kind:
            yield from (json.loads(text) for text in game["script"][1:] if text)


def test_the_recorded_games_are_what_the_rules_make_today():
    assert make_replays.made().splitlines() == LINES, "see tests/make_replays.py"


def test_there_are_hundreds_and_they_are_small():
    assert len(LINES) >= 300
    assert make_replays.PATH.stat().st_size < 600_000


@pytest.mark.parametrize("kind", GAMES)
def test_every_event_of_the_game_is_recorded_and_undone_and_changed(kind):
    names = {str(event.get("ev")) for event in events_of(kind)}
    assert names >= set(game_class(kind).EVENTS) | {"seats", "undo", "redo", "correct", "insert", "remove"}


@pytest.mark.parametrize("kind", GAMES)
def test_some_games_are_played_to_their_end_and_some_are_refused(kind):
    games = [game for game in map(json.loads, LINES) if game["game"] == kind]
    assert sum(bool(game["summary"] and game["summary"]["winners"]) for game in games) >= 5
    assert len({game["refused"] for game in games}) >= 5
    low, high = game_class(kind).PLAYERS
    assert {len(game["summary"]["players"]) for game in games if game["summary"]} == set(range(low, high + 1))
