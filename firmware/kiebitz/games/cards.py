"""Playing cards as words in Royal Flush and Poch: rank 2..9 T J Q K A, suit S H D C, * for a joker."""

from .base import SUITS, bad, words

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
