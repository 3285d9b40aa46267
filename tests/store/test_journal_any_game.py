"""The journal of any other game on a flash that fails: nothing acknowledged is lost, and play goes on."""

from helpers.journal_trials import Trial

KIND = "any_game"


def test_the_game_comes_back_exactly_after_any_entry():
    trial = Trial(KIND)
    for k in range(len(trial.events) + 1):
        begun = Trial(KIND, length=k)
        assert begun.check(begun.flash(), k, k) is None


def test_a_file_that_ends_anywhere_gives_every_whole_line():
    Trial(KIND).truncate_everywhere()


def test_a_flipped_bit_in_any_byte_is_noticed_and_costs_no_line_before_it():
    Trial(KIND).flip_everywhere()


def test_the_power_may_go_anywhere():
    Trial(KIND).cut_everywhere()


def test_the_flash_may_be_full_at_any_write():
    Trial(KIND).fill_everywhere()
