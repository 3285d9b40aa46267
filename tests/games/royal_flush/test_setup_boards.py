"""Test the set-up of Royal Flush (children, boards, and which mistake is reported first)."""

from helpers.play import code_of, game, refuses_setup, setup, shows, sure
from kiebitz.games import new_game
from kiebitz.games.royal_flush.rules_boards import STARTER


def test_children_are_marked_seat_by_seat():
    shows(game("royal_flush", 3), jokers=[0, 0, 0])
    shows(game("royal_flush", 3, child=[0, 1, 0]), jokers=[0, 2, 0])
    for child in ([0, 1], [0, 1, 0, 0], [0, 2, 0], [0, "1", 0], [0, -1, 0], 1, "010", [0, 1.0, 0]):
        refuses_setup("E_ARG", setup("royal_flush", 3, child=child))


def swapped(old, new):
    """Return the starter layout with one board replaced."""
    return [new if board == old else board for board in STARTER]


def test_boards_are_nine_different_ones_with_the_royal_flush():
    assert set(game("royal_flush", 2, boards=list(STARTER)).summary()["slots"]) == set(STARTER)
    assert set(game("royal_flush", 2, boards="starter").summary()["slots"]) == set(STARTER)
    for boards, code in (
        (list(STARTER)[:8], "E_BOARD_COUNT"),
        (list(STARTER) + ["flush"], "E_BOARD_COUNT"),
        ([], "E_BOARD_COUNT"),
        (swapped("pair", "three_kind"), "E_BOARD_DUP"),
        (swapped("royal_flush", "flush"), "E_BOARD_NO_RF"),
        (swapped("pair", "nonsense"), "E_BOARD"),
        (swapped("pair", "flush"), "W_BOARDS_CATEGORY"),
        (7, "E_ARG"),
        (None, "E_ARG"),
        (swapped("pair", 7), "E_ARG"),
    ):
        refuses_setup(code, setup("royal_flush", 2, boards=boards))
    assert code_of(new_game, sure(setup("royal_flush", 2, boards=swapped("pair", "flush")))) is None


def test_which_fault_of_a_set_up_is_told_first():
    uneven, doubled = swapped("pair", "flush"), swapped("pair", "three_kind")
    option = {"colour": "red"}
    refuses_setup("E_ARG", setup("royal_flush", 1, option, boards=doubled, dealer="0"))
    refuses_setup("E_ARG", setup("royal_flush", 1, option, boards=7))
    refuses_setup("E_PLAYERS", setup("royal_flush", 1, option, boards=doubled, dealer=0))
    refuses_setup("E_SETTING", setup("royal_flush", 2, option, boards=doubled))
    refuses_setup("E_SETTING", setup("royal_flush", 2, option, boards=uneven))
    refuses_setup("E_BOARD_DUP", setup("royal_flush", 2, boards=doubled))


def test_a_doubt_is_not_settled_by_saying_no():
    uneven = setup("royal_flush", 2, boards=swapped("pair", "flush"))
    uneven["confirm"] = False
    refuses_setup("W_BOARDS_CATEGORY", uneven)
