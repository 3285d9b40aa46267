"""Provide PokerCarre events for tests: cards as colour and value, placed with "a4@3,0"."""

from helpers.play import ev, game, play


def put(p, text):
    """Return the event in which seat p puts a card on a cell, as "a4@3,0"."""
    card, cell = text.split("@")
    x, y = cell.split(",")
    return ev("place", p=p, card=card, x=int(x), y=int(y))


def build(g, text, p=1):
    """Let one seat put down many cards, so that the others' pads stay clean."""
    for word in text.split():
        play(g, put(p, word))


# The cards below the tested row; the 3 at the right border allows a 2 or a 4 beside it.
_BELOW = " f5 f2 g3 f3 f7 f6"


def square(row, n=2, **house_rules):
    """Return a grid game with this top row (x = 0..2, y = 0) laid out; its outer cells are free."""
    g = game("poker_carre", n, mode="grid", **house_rules)
    play(g, ev("layout", cards=row + _BELOW))
    return g


def items(g, text):
    """Return what the card would score on this cell, sorted."""
    card, cell = text.split("@")
    x, y = cell.split(",")
    return sorted([tuple(item) for item in g.items_at(card, int(x), int(y))])


def pad(g, p):
    """Return the five numbers of a player's pad."""
    return list(g.summary()["counts"][p])
