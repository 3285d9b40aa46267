"""The recorded games of Top Spot, replayed."""

from helpers.replays import check_replays


def test_every_recorded_game_ends_as_it_did():
    check_replays("top_spot")
