"""Test that the recorded games are up to date and cover every event."""

import json

import make_replays
import pytest
from kiebitz.games import GAMES, game_class

LINES = {kind: make_replays.path_of(kind).read_text(encoding="utf-8").splitlines() for kind in GAMES}


def events_of(kind):
    """Every line of the scripts of one game, the set-ups and blank lines left out."""
    for line in LINES[kind]:
        yield from (json.loads(text) for text in json.loads(line)["script"][1:] if text)


@pytest.mark.parametrize("kind", GAMES)
def test_the_recorded_games_are_what_the_rules_make_today(kind):
    assert make_replays.made(kind).splitlines() == LINES[kind], "see tests/make_replays.py"


@pytest.mark.parametrize("kind", GAMES)
def test_there_are_many_and_they_are_small(kind):
    assert len(LINES[kind]) >= 60
    assert make_replays.path_of(kind).stat().st_size < 150_000


@pytest.mark.parametrize("kind", GAMES)
def test_every_event_of_the_game_is_recorded_and_undone_and_changed(kind):
    names = {str(event.get("ev")) for event in events_of(kind)}
    assert names >= set(game_class(kind).EVENTS) | {"seats", "undo", "redo", "correct", "insert", "remove"}


@pytest.mark.parametrize("kind", GAMES)
def test_some_games_are_played_to_their_end_and_some_are_refused(kind):
    games = [json.loads(line) for line in LINES[kind]]
    assert sum(bool(game["summary"] and game["summary"]["winners"]) for game in games) >= 5
    assert len({game["refused"] for game in games}) >= 5
    low, high = game_class(kind).PLAYERS
    assert {len(game["summary"]["players"]) for game in games if game["summary"]} == set(range(low, high + 1))
