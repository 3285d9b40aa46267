"""The recorded games, replayed."""

from helpers.play import in_every_game
from helpers.replays import check_replays


@in_every_game
def test_every_recorded_game_ends_as_it_did(kind):
    check_replays(kind)
