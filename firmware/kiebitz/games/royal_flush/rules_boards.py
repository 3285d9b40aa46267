"""Define the boards of Royal Flush, and find the combinations of a hand. Jokers are counted, not tried."""

from ..base import SUITS, Refused, bad, string, words

RANKS = "23456789TJQKA"
JOKER = "*"


def read_card(word, what="cards"):
    """Return the card in its only spelling ("10H" becomes "TH"), or raise Refused."""
    if word == JOKER:
        return word
    if len(word) == 3 and word[:2] == "10":
        word = "T" + word[2]
    if len(word) != 2 or word[0] not in RANKS or word[1] not in SUITS:
        raise bad(what)
    return word


def read_cards(value, what="cards"):
    """Return a string with blanks, or a list of strings, as a list of cards."""
    return [read_card(word, what) for word in words(value, what)]


def rank(card):
    """Return the rank of a card, 2..14; the Ace is high."""
    return RANKS.index(card[0]) + 2


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

# The order of the overview, because a dict has no order on MicroPython
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
    """Return True if a house rule can make a difference with these players and boards."""
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

# --- combinations ---

# The rank patterns that a board of sets accepts: how many cards of each rank
_PATTERNS = {
    "pair": ((2,),),
    "three_kind": ((3,),),
    "four_kind": ((4,),),
    "double_pair": ((2, 2), (4,)),
    "triple_pair": ((2, 2, 2), (4, 2)),
    "full_house": ((3, 2),),
    "double_three": ((3, 3),),
}
_RUNS = ("straight", "big_straight", "straight_flush", "big_straight_flush", "royal_flush")
_ONE_SUIT = ("flush", "big_flush", "straight_flush", "big_straight_flush", "royal_flush")
_TWINS = {"perfect_pair": 1, "perfect_triple": 3}  # how many identical pairs


def _counts(values):
    """Return how often each value occurs, highest count first."""
    return sorted([values.count(v) for v in set(values)], reverse=True)


def _fits(counts, pattern):
    """Return True if jokers can fill the groups found up to the pattern."""
    return len(counts) <= len(pattern) and all(c <= pattern[i] for i, c in enumerate(counts))


def flaw(board, cards, mixed=True, different_ranks=False):
    """Return why these cards do not make the board's combination, as the tail of E_COMBO; None if they do.

    mixed: a straight needs two suits; different_ranks: two pairs may not share a rank.
    """
    natural = [card for card in cards if card != JOKER]
    jokers = len(cards) - len(natural)
    size = BOARDS[board][1]
    if len(cards) != size or (jokers and board == "royal_flush"):
        return "COUNT"
    same = _counts(natural)
    if board in _TWINS:
        pairs = _TWINS[board]
        return None if _fits(same, (2,) * pairs) else "IDENTICAL"
    if same and same[0] > 1:
        return "IDENTICAL"
    ranks = [rank(card) for card in natural]
    if board in _PATTERNS:
        patterns = _PATTERNS[board][:1] if different_ranks else _PATTERNS[board]
        return None if any(_fits(_counts(ranks), pattern) for pattern in patterns) else "RANK"
    if board == "pictures":
        return None if all(11 <= r <= 13 for r in ranks) else "PICTURE"
    if board in _RUNS and ranks:
        low = 10 if board == "royal_flush" else min(ranks)
        if len(set(ranks)) < len(ranks) or min(ranks) < low or max(ranks) - low >= size:
            return "RUN"
    suits = len({card[1] for card in natural})
    if board in _ONE_SUIT:
        return "SUIT" if suits > 1 else None
    return "SUIT" if mixed and suits == 1 and not jokers else None


def nearest(boards, cards):
    """Return the boards, those for which the cards need the fewest changes first.

    Among equals those with the same number of cards come first, then the best pay.
    """

    def distance(board):
        slots, size, _ = BOARDS[board]
        return _changes_needed(board, cards), size != len(cards), -slots[0]

    return sorted(boards, key=distance)


def _changes_needed(board, cards):
    """Return how many cards would have to be exchanged, added or left out to make the board's combination."""
    natural = [card for card in cards if card != JOKER]
    size = BOARDS[board][1]
    if board in _TWINS:
        kept = sum([min(2, times) for times in _counts(natural)[: _TWINS[board]]])
    else:
        kept = _kept(board, size, list(set(natural)))
    kept = min(size, kept + len(cards) - len(natural))
    mixed = board in _ONE_SUIT and len({card[1] for card in natural}) > 1
    return max(size, len(cards)) - kept + (1 if mixed and board in _RUNS else 0)


def _kept(board, size, cards):
    """Return how many of these different cards can be part of one combination; in runs, suits are left alone."""
    ranks = [rank(card) for card in cards]
    if board in _PATTERNS:
        counts = _counts(ranks)
        return max([sum([min(pair) for pair in zip(counts, pattern)]) for pattern in _PATTERNS[board]])
    if board == "pictures":
        return len([r for r in ranks if 11 <= r <= 13])
    if board in _RUNS:
        lowest = [10] if board == "royal_flush" else range(2, 16 - size)
        return max([len({r for r in ranks if low <= r < low + size}) for low in lowest])
    return max(_counts([card[1] for card in cards]) + [0])


def check_deck(cards):
    """Refuse a third copy of a card, because the pack is two decks."""
    for card in cards:
        if card != JOKER and cards.count(card) > 2:
            raise Refused("E_DECK", card=card)


def satisfied(cards):
    """Return the boards whose combination these cards make, in the order of the overview; house rules do not apply."""
    try:
        check_deck(cards)
    except Refused:
        return []
    return [board for board in BOARD_IDS if flaw(board, cards) is None]
