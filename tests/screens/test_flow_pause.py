"""Test that the table is unchanged after a power cut, and after leaving and coming back."""

from helpers.device import at_table

ROYAL = {"game": "royal_flush", "players": ["Anna", "Ben", "Cleo"]}
TOAST_MS = 6000


def picture(d):
    """Return the pixels of the display when no message covers the screen."""
    d.wait(TOAST_MS)
    return bytes(d.board.display.buffer)


def test_after_two_entries_and_a_power_cut_it_is_the_third_players_turn():
    d = at_table(ROYAL)
    d.keys("ok up ok ok up ok")  # Anna and Ben: Three of a Kind
    d.restart()
    assert d.sees("Ben: Three of a Kind", "+5") and not d.sees("starts")
    d.keys("ok")
    assert d.sees("Cleo +11")


def test_leaving_the_table_and_coming_back_changes_nothing():
    d = at_table(ROYAL)
    d.keys("ok up ok right ok")
    before = picture(d)
    d.keys("left pick:menu.leave ok")
    assert picture(d) == before and d.sees("Ben spends 1")


def test_what_was_taken_back_before_the_pause_is_entered_next_after_it():
    d = at_table(ROYAL)
    d.keys("ok up ok ok up ok undo")
    before = picture(d)
    d.restart()
    assert picture(d) == before and d.sees("-5")
    d.keys("ok")
    assert d.sees("Ben +11")


def test_a_correction_before_the_pause_is_still_the_last_entry():
    d = at_table(ROYAL)
    d.keys("ok up ok ok up ok left pick:menu.history up ok pick:history.correct ok left down ok")
    assert d.sees("Corrected: Anna: Four of a Kind")
    d.restart()
    assert d.sees("Anna: Four of a Kind")
    d.keys("ok")
    assert d.sees("Cleo +11")
