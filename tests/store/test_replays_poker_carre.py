"""The recorded games of PokerCarre, replayed."""

from helpers.replays import check_replays


def test_every_recorded_game_ends_as_it_did():
    check_replays("poker_carre")
