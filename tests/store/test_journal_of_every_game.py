"""Test the recorded games of every game, replayed and with a journal on a faulty flash."""

from helpers.journal_trials import Trial
from helpers.play import in_every_game
from helpers.replays import check_replays


@in_every_game
def test_every_recorded_game_ends_as_it_did(kind):
    check_replays(kind)


@in_every_game
def test_the_game_comes_back_exactly_after_any_entry(kind):
    trial = Trial(kind)
    for k in range(len(trial.events) + 1):
        begun = Trial(kind, length=k)
        assert begun.check(begun.flash(), k, k) is None


@in_every_game
def test_a_file_that_ends_anywhere_gives_every_whole_line(kind):
    Trial(kind).truncate_everywhere()


@in_every_game
def test_a_flipped_bit_in_any_byte_is_noticed_and_costs_no_line_before_it(kind):
    Trial(kind).flip_everywhere()


@in_every_game
def test_the_power_may_go_anywhere(kind):
    Trial(kind).cut_everywhere()


@in_every_game
def test_the_flash_may_be_full_at_any_write(kind):
    Trial(kind).fill_everywhere()
