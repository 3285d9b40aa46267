"""The seventeen combination boards of Royal Flush: the points of each, its number of cards, its category."""

from ..base import bad, string

# id -> (points of its slots from the first to the last, cards, category)
BOARDS = {
    "pair": ((2, 1, 1), 2, "A"),
    "perfect_pair": ((3, 2, 1), 2, "A"),
    "double_pair": ((4, 3, 2), 4, "A"),
    "three_kind": ((6, 5, 4), 3, "A"),
    "triple_pair": ((9, 8, 7), 6, "B"),
    "full_house": ((10, 8, 6), 5, "B"),
    "double_three": ((13, 12, 11), 6, "B"),
    "four_kind": ((14, 12, 10), 4, "B"),
    "flush": ((8, 6, 4), 5, "C"),
    "big_flush": ((11, 9, 7), 6, "C"),
    "perfect_triple": ((13, 10, 7), 6, "C"),
    "pictures": ((13, 12, 11), 6, "C"),
    "straight": ((7, 6, 4), 5, "D"),
    "big_straight": ((13, 11, 9), 7, "D"),
    "straight_flush": ((13, 11, 9), 5, "D"),
    "big_straight_flush": ((16, 14, 12), 6, "D"),
    "royal_flush": ((25,), 5, ""),
}

# The order of the overview: MicroPython's dict does not promise one
BOARD_IDS = (
    "pair",
    "perfect_pair",
    "double_pair",
    "three_kind",
    "triple_pair",
    "full_house",
    "double_three",
    "four_kind",
    "flush",
    "big_flush",
    "perfect_triple",
    "pictures",
    "straight",
    "big_straight",
    "straight_flush",
    "big_straight_flush",
    "royal_flush",
)

STARTER = (
    "pair",
    "three_kind",
    "full_house",
    "four_kind",
    "big_flush",
    "perfect_triple",
    "big_straight",
    "straight_flush",
    "royal_flush",
)

# house rule -> the only boards that it concerns
_CONCERNED = {
    "pairs_need_different_ranks": ("double_pair", "triple_pair"),
    "straight_suits": ("straight", "big_straight"),
}


def read_boards(value, what="boards"):
    """Return a list of board ids; "starter" becomes the starter layout."""
    if value == "starter":
        return list(STARTER)
    if not isinstance(value, list):
        raise bad(what)
    return [string(board, what) for board in value]


def rule_matters(name, setup, options):
    """Return True if a house rule can make a difference: jokers need children, some rules only concern some boards."""
    if name == "jokers_refresh":
        return any(setup.get("child", ()))
    if options["redraw_boards_each_round"] == "on":
        return True
    boards = setup.get("boards", "starter")
    if name == "strict_categories":
        return boards != "starter"
    concerned = _CONCERNED.get(name)
    return concerned is None or any([board in read_boards(boards) for board in concerned])


def categories_are_even(boards):
    """Return True if the layout has two boards of each category."""
    found = "".join([BOARDS[board][2] for board in boards])
    return all(found.count(category) == 2 for category in "ABCD")
