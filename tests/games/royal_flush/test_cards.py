"""Test which hands make which Royal Flush combination, with and without jokers."""

from games.royal_flush.case import OTHER_NINE, score
from helpers.play import code_of, ev, game, play, refuses, shows
from kiebitz.games.royal_flush.rules_boards import BOARDS, RANKS, STARTER, SUITS, read_cards, satisfied


def table_with(board, **house_rules):
    """Return a game of two players, the first a child with two jokers, with a layout in which the board lies."""
    boards = list(STARTER if board in STARTER else OTHER_NINE)
    return game("royal_flush", 2, boards=boards, child=[1, 0], **house_rules)


def verdict(board, cards, **house_rules):
    """Return the code with which the child's cards are refused, or None."""
    return code_of(table_with(board, **house_rules).apply, score(0, board, cards))


def made(text):
    return set(satisfied(read_cards(text)))


ACCEPTED = (
    ("pair", "7H 7D"),
    ("perfect_pair", "7H 7H"),
    ("double_pair", "7H 7D KH KD"),
    ("double_pair", "7H 7D 7S 7C"),
    ("three_kind", "9H 9D 9C"),
    ("triple_pair", "2H 2D 4S 4C 9H 9C"),
    ("triple_pair", "2H 2D 2S 2C 4H 4D"),
    ("full_house", "5H 5D 5S 9H 9D"),
    ("double_three", "5H 5D 5S 9H 9D 9C"),
    ("four_kind", "9H 9D 9C 9S"),
    ("flush", "2H 3H 4H 5H 6H"),
    ("flush", "2H 5H 9H JH AH"),
    ("big_flush", "2C 5C 9C JC KC AC"),
    ("perfect_triple", "7H 7H 7S 7S KD KD"),
    ("pictures", "JH JD QH QD KH KD"),
    ("straight", "2H 3D 4H 5H 6H"),
    ("straight", "10H JD QH KH AH"),
    ("straight", "6H 2D 4H 3C 5S"),
    ("big_straight", "2H 3D 4S 5C 6H 7D 8S"),
    ("big_straight", "8H 9D 10S JC QH KD AS"),
    ("straight_flush", "10H JH QH KH AH"),
    ("big_straight_flush", "9H TH JH QH KH AH"),
    ("royal_flush", "10H JH QH KH AH"),
)

REFUSED = (
    ("pair", "7H 7H", "E_COMBO:IDENTICAL"),
    ("pair", "7H 8H", "E_COMBO:RANK"),
    ("pair", "7H 7D 7S", "E_COMBO:COUNT"),
    ("double_pair", "7H 7D 7H 7S", "E_COMBO:IDENTICAL"),
    ("double_pair", "7H 7D 7S KH", "E_COMBO:RANK"),
    ("three_kind", "9H 9H 9S", "E_COMBO:IDENTICAL"),
    ("full_house", "5H 5D 5S 5C 5H", "E_COMBO:IDENTICAL"),
    ("full_house", "5H 5D 5S 5C 9H", "E_COMBO:RANK"),
    ("double_three", "5H 5D 5S 5C 5H 5D", "E_COMBO:IDENTICAL"),
    ("double_three", "5H 5D 5S 5C 9H 9D", "E_COMBO:RANK"),
    ("triple_pair", "2H 2D 2S 2C 2H 2D", "E_COMBO:IDENTICAL"),
    ("triple_pair", "2H 2D 2S 4H 4D 4S", "E_COMBO:RANK"),
    ("flush", "2H 2H 9H JH AH", "E_COMBO:IDENTICAL"),
    ("flush", "2H 5H 9H JH AD", "E_COMBO:SUIT"),
    ("big_flush", "2C 5C 9C JC AC", "E_COMBO:COUNT"),
    ("pictures", "JH JD QH QD KH AD", "E_COMBO:PICTURE"),
    ("straight", "2H 3H 4H 5H 6H", "E_COMBO:SUIT"),
    ("straight", "AH 2D 3H 4H 5H", "E_COMBO:RUN"),
    ("straight", "2H 3D 4H 4D 5H", "E_COMBO:RUN"),
    ("big_straight", "2H 3D 4S 5C 6H 7D 9S", "E_COMBO:RUN"),
    ("big_straight", "2H 3H 4H 5H 6H 7H 8H", "E_COMBO:SUIT"),
    ("straight_flush", "2H 3H 4H 5H 6D", "E_COMBO:SUIT"),
    ("straight_flush", "AH 2H 3H 4H 5H", "E_COMBO:RUN"),
    ("big_straight_flush", "QH KH AH 2H 3H 4H", "E_COMBO:RUN"),
    ("royal_flush", "10H JH QH KH AD", "E_COMBO:SUIT"),
    ("perfect_triple", "7H 7H 7H 7H KD KD", "E_DECK"),
    ("perfect_triple", "7H 7H 7H KD KD 8S", "E_DECK"),
)

WITH_JOKERS = (
    ("pair", "* *"),
    ("pair", "7H *"),
    ("perfect_pair", "7H *"),
    ("four_kind", "9H 9D * *"),
    ("full_house", "5H 5D 9H 9D *"),
    ("flush", "2H 5H 9H * *"),
    ("straight", "2H 3H 4H 5H *"),
    ("straight", "2H * 4D * 6H"),
    ("straight_flush", "10H JH QH KH *"),
    ("pictures", "JH JD QH QD * *"),
    ("perfect_triple", "7H 7H 8S 8S KD *"),
    ("double_pair", "7H 7D 7S *"),
)

REFUSED_WITH_JOKERS = (
    ("royal_flush", "10H JH QH KH *", "E_JOKER_ROYAL"),
    ("pictures", "JH JH QH QD * *", "E_COMBO:IDENTICAL"),
    ("pictures", "JH JD QH AD * *", "E_COMBO:PICTURE"),
    ("straight", "2H 3D 4H 8H *", "E_COMBO:RUN"),
    ("straight", "AH 2D 3H 4H *", "E_COMBO:RUN"),
    ("flush", "2H 5D 9H * *", "E_COMBO:SUIT"),
    ("full_house", "5H 6D 9H 9D *", "E_COMBO:RANK"),
    ("pair", "7H * *", "E_COMBO:COUNT"),
)


def test_these_hands_are_taken():
    for board, cards in ACCEPTED:
        assert verdict(board, cards) is None, (board, cards)
        assert board in made(cards), (board, cards)


def test_these_hands_are_refused_with_the_reason():
    for board, cards, code in REFUSED:
        assert verdict(board, cards) == code, (board, cards)
        assert board not in made(cards), (board, cards)


def test_a_joker_stands_for_any_card():
    for board, cards in WITH_JOKERS:
        assert verdict(board, cards) is None, (board, cards)
        assert board in made(cards), (board, cards)


def test_even_a_joker_does_not_help_here():
    for board, cards, code in REFUSED_WITH_JOKERS:
        assert verdict(board, cards) == code, (board, cards)
        assert board not in made(cards), (board, cards)


# RF-T2
def test_a_straight_does_not_go_round_the_corner():
    assert verdict("straight", "KH AD 2H 3H 4H") == "E_COMBO:RUN"


# RF-T3
def test_the_same_card_twice_is_refused_on_every_other_board():
    filler = "4H 4S KD QD JD".split()
    for board in BOARDS:
        if board not in ("perfect_pair", "perfect_triple"):
            cards = ["4D", "4D"] + filler[: BOARDS[board][1] - 2]
            assert verdict(board, cards) == "E_COMBO:IDENTICAL", board


# RF-T4
def test_two_queens_of_clubs_are_not_two_pictures():
    assert verdict("pictures", "QC QC JH JD KH KD") == "E_COMBO:IDENTICAL"


def test_nine_to_king_is_no_royal_flush():
    assert verdict("royal_flush", "9H 10H JH QH KH").startswith("E_COMBO:")


def test_a_perfect_pair_is_two_identical_cards():
    assert verdict("perfect_pair", "7H 7D").startswith("E_COMBO:")
    assert verdict("perfect_triple", "7H 7H 8S 8S KD KC").startswith("E_COMBO:")
    assert verdict("perfect_triple", "7H 7H 8S * KD *") is None


def test_cards_come_as_one_string_or_as_a_list():
    for cards in ("10H JD QH KH AH", ["TH", "JD", "QH", "KH", "AH"], "  TH  JD QH KH AH "):
        assert verdict("straight", cards) is None
        assert read_cards(cards) == ["TH", "JD", "QH", "KH", "AH"]


def test_what_is_no_card_is_malformed():
    for cards in ("7H 1D", "7H 7X", "7H 11D", "7H D7", "7H **", "7H7D", 7, ["7H", 7], {"7H": 1}):
        assert verdict("pair", cards) == "E_ARG", cards
        assert code_of(read_cards, cards) == "E_ARG", cards


def test_an_event_is_kept_in_one_spelling():
    g = table_with("pair")
    kept = g.canonical(ev("score", p=0, board="pair", cards=["10H", "10D"], mood="happy"))
    assert kept["cards"] == "TH TD" and kept["ev"] == "score" and "mood" not in kept


def test_jokers_are_counted_in_the_cards():
    g = table_with("pair")
    refuses(g, "E_ARG", score(0, "pair", "7H *", jokers=0), score(0, "pair", "7H 7D", jokers=1))
    play(g, score(0, "pair", "7H *"))
    shows(g, jokers=[1, 0])
    play(g, score(0, "pair", "7H *", jokers=1))
    shows(g, jokers=[0, 0])


def test_no_joker_in_a_royal_flush_even_without_showing_cards():
    refuses(table_with("pair"), "E_JOKER_ROYAL", score(0, "royal_flush", jokers=1))


# RF-A9
def test_a_suited_ten_to_ace_may_go_on_a_lower_board():
    g = table_with("straight_flush")
    play(g, score(1, "straight_flush", "TH JH QH KH AH"))
    shows(g, round=1, totals=[0, 13])
    g = table_with("flush")
    play(g, score(1, "flush", "TH JH QH KH AH"))
    shows(g, round=1, totals=[0, 8])


# House rules

# RF-A4
def test_one_suit_runs_count_as_straights_where_the_table_says_so():
    for board, cards in (("straight", "2H 3H 4H 5H 6H"), ("big_straight", "2H 3H 4H 5H 6H 7H 8H")):
        assert verdict(board, cards, straight_suits="mixed") == "E_COMBO:SUIT"
        assert verdict(board, cards, straight_suits="any") is None
    assert verdict("straight", "2H 3D 4S 5C 6H", straight_suits="any") is None


# RF-A5
def test_pairs_may_have_to_be_of_different_ranks():
    hands = (
        ("double_pair", "7H 7D 7S 7C"),
        ("double_pair", "7H 7D 7S *"),
        ("triple_pair", "2H 2D 2S 2C 4H 4D"),
    )
    for board, cards in hands:
        assert verdict(board, cards, pairs_need_different_ranks="off") is None
        assert verdict(board, cards, pairs_need_different_ranks="on").startswith("E_COMBO:"), cards
    for board, cards in (("double_pair", "7H 7D KH KD"), ("perfect_triple", "7H 7H 7S 7S KD KD")):
        assert verdict(board, cards, pairs_need_different_ranks="on") is None


# Which boards does a hand satisfy?

def test_all_boards_of_a_hand_are_found():
    hands = (
        ("TH JH QH KH *", {"flush", "straight", "straight_flush"}),
        ("TH JH QH KH AH", {"flush", "straight_flush", "royal_flush"}),
        ("7H 7D", {"pair"}),
        ("7H 7H", {"perfect_pair"}),
        ("7H *", {"pair", "perfect_pair"}),
        ("7H 7D 7S 7C", {"double_pair", "four_kind"}),
        ("JH JD JC QH QD QS", {"double_three", "pictures"}),
        ("JH JH QS QS KD KD", {"perfect_triple"}),
        ("JH JD QS QH KD KC", {"triple_pair", "pictures"}),
        ("2H 3H 4H 5H 6H 7H", {"big_flush", "big_straight_flush"}),
        ("7H 8D", set()),
        ("7H", set()),
        ("", set()),
    )
    for cards, boards in hands:
        assert made(cards) == boards, cards


def test_any_number_of_jokers_is_taken_at_its_word():
    hands = (
        ("* * *", {"three_kind"}),
        ("* * * *", {"double_pair", "four_kind"}),
        ("* * * * *", {"full_house", "flush", "straight", "straight_flush"}),
        ("AH * * * *", {"full_house", "flush", "straight", "straight_flush"}),
        ("* * * * * * *", {"big_straight"}),
    )
    for cards, boards in hands:
        assert made(cards) == boards, cards


def test_a_joker_is_worth_as_much_as_the_best_card_in_its_place():
    pack = [rank + suit for rank in RANKS for suit in SUITS]
    hands = ("7H", "9D 9S 9C", "AH 2D 3H 4H", "JH JH QS QS KD", "5H 5D 5C 9H 9D", "8C 9C TC JC QC KC")
    for hand in hands:
        cards = read_cards(hand)
        possible = set()
        for card in pack:
            possible.update(satisfied(cards + [card]))
        possible.discard("royal_flush")
        assert set(satisfied(cards + ["*"])) == possible, hand


def test_the_screen_offers_the_best_paid_board_first():
    g = table_with("straight_flush")
    hand = read_cards("TH JH QH KH AH")
    assert [tuple(offer) for offer in g.satisfied(hand, 0)] == [("royal_flush", 25), ("straight_flush", 13)]
    play(g, score(1, "straight_flush"))
    assert [tuple(offer) for offer in g.satisfied(hand, 0)] == [("royal_flush", 25), ("straight_flush", 11)]
