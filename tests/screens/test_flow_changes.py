"""Test correcting, inserting and deleting earlier entries, and renaming seats, at the table."""

from helpers.device import at_table

ROYAL = {"game": "royal_flush", "players": ["Anna", "Ben", "Cleo"]}
ENTRIES = "left pick:menu.history "  # the menu of Royal Flush, All entries


def pair(p):
    return {"ev": "score", "p": p, "board": "pair"}


def board(d, name):
    """Choose a board of the list, wherever the cursor is."""
    d.app.top.at = d.game.boards.index(name)
    d.keys("ok")


def test_while_an_entry_is_corrected_the_header_says_which_and_the_cursor_is_where_it_was():
    d = at_table(ROYAL, [pair(0), {"ev": "score", "p": 1, "board": "four_kind"}, pair(2)])
    d.keys(ENTRIES + "down ok pick:history.correct")
    assert d.lines()[0].endswith("2 Ben: Four of a Kind") and not d.sees("Round 1 of 3")
    d.keys("down up")
    assert d.lines()[0].endswith("2 Ben: Four of a Kind")
    d.keys("ok")
    assert d.sees("Ben +14", "Four of a Kind")
    board(d, "three_kind")
    assert d.sees("Corrected: Ben: Three of a Kind", "Round 1 of 3") and d.game.totals() == [2, 6, 1]
    d.keys("undo")
    assert d.sees("Taken back: Entry 2 corrected") and d.game.totals() == [2, 14, 1]


def test_a_correction_can_be_left_with_undo():
    d = at_table(ROYAL, [pair(0), pair(1)])
    before = d.game.snapshot()
    d.keys(ENTRIES + "down ok pick:history.correct undo")
    assert d.sees("Correct this entry")
    d.keys("undo undo undo")
    assert d.sees("Round 1 of 3", "Ben: Pair") and d.game.snapshot() == before and len(d.table) == 2


def test_a_forgotten_entry_is_inserted_before_another_one():
    d = at_table(ROYAL, [pair(0), pair(2)])
    d.keys(ENTRIES + "ok pick:history.insert")
    assert d.lines()[0].endswith("before 2 Cleo: Pair") and d.game.totals() == [2, 0, 1]
    d.app.top.at = 1
    d.keys("ok")
    board(d, "pair")
    assert d.sees("Inserted: Ben: Pair") and d.game.totals() == [2, 1, 1] and len(d.table) == 3
    d.restart()
    assert d.game.totals() == [2, 1, 1] and d.table.event(1) == pair(1)
    d.keys("undo")
    assert d.sees("Taken back: Entry 2 inserted") and len(d.table) == 2


def test_an_entry_that_never_happened_is_deleted():
    d = at_table(ROYAL, [pair(0), pair(1), pair(2)])
    d.keys(ENTRIES + "up ok pick:history.remove")
    assert d.sees("Deleted: Anna: Pair") and d.game.totals() == [0, 2, 1]
    d.restart()
    assert d.game.totals() == [0, 2, 1]
    d.keys("undo")
    assert d.sees("Taken back: Entry 1 deleted") and d.game.totals() == [2, 1, 1]


def test_what_would_no_longer_fit_is_named():
    d = at_table(ROYAL, [{"ev": "spend", "p": 0, "k": 3}, {"ev": "spend", "p": 0, "k": 2}])
    d.keys(ENTRIES + "ok pick:history.insert right ok")
    assert d.sees("Then this would not fit:", "Anna spends 2") and len(d.table) == 2


def test_a_change_that_moves_the_end_of_a_round_is_asked_for():
    royal = {"ev": "score", "p": 1, "board": "royal_flush"}
    d = at_table(ROYAL, [pair(0), royal, pair(2)])
    d.keys(ENTRIES + "down ok pick:history.correct ok")
    board(d, "pair")
    assert d.sees("Correct this entry", "Then round 1 ends at", "Is that right?") and d.game.round == 2
    d.keys("undo")
    assert d.game.round == 2
    d.keys("ok ok")
    assert d.sees("Corrected: Ben: Pair") and d.game.round == 1 and d.game.totals() == [2, 1, 1]


def test_deleting_the_end_of_the_game_says_that_it_goes_on():
    over = [{"ev": "score", "p": 0, "board": "royal_flush"}] * 3
    d = at_table(ROYAL, over)
    assert d.game.over
    d.keys("left pick:menu.history ok pick:history.remove")
    assert d.sees("Delete this entry", "Then the game goes on.")
    d.keys("ok")
    assert not d.game.over and d.sees("Deleted: Anna: Royal Flush")


def test_two_names_that_were_entered_the_wrong_way_round_are_exchanged():
    d = at_table(ROYAL, [pair(0)])
    d.keys("left")
    d.pick("Names and seats")
    assert d.sees("1 Anna  2", "2 Ben  0", "3 Cleo  0")
    d.keys("ok down*2 ok")
    assert d.sees("The points stay with the", "seat: Ben has 2 now.") and d.game.names[0] == "Anna"
    d.keys("ok")
    assert d.game.names == ["Ben", "Anna", "Cleo"] and d.game.totals() == [2, 0, 0]
    assert d.sees("Names: Ben, Anna, Cleo")
    d.restart()
    assert d.game.names == ["Ben", "Anna", "Cleo"]
    d.keys("undo")
    assert d.game.names == ["Anna", "Ben", "Cleo"]


def test_somebody_of_the_roster_takes_over_a_seat_even_after_the_end():
    d = at_table(ROYAL, [{"ev": "score", "p": 0, "board": "royal_flush"}] * 3)
    d.app.roster.add("Eva")
    d.keys("left")
    d.pick("Names and seats")
    d.keys("ok")
    d.pick("Eva takes over")
    d.keys("ok")
    assert d.game.over and d.game.names == ["Eva", "Ben", "Cleo"] and d.game.winners() == [0]
    d.keys("left")
    d.pick("All entries")
    d.keys("ok pick:history.correct")  # correct the names
    assert d.sees("Names and seats", "1 Anna")
