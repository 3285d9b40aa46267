"""The recorded games of any other game, replayed."""

from helpers.replays import check_replays


def test_every_recorded_game_ends_as_it_did():
    check_replays("any_game")
