"""Provide Royal Flush events and tables for tests: chips spent, pieces scored, rounds ended."""

from kiebitz.store.table import Table

from helpers.play import ev, play, setup

# The eight boards the starter layout leaves in the box, again two of each category.
OTHER_NINE = (
    "perfect_pair", "double_pair", "triple_pair", "double_three",
    "flush", "pictures", "straight", "big_straight_flush", "royal_flush",
)


def spend(p, k):
    return ev("spend", p=p, k=k)


def take(p, swaps=0, buys=0):
    return ev("take", p=p, swaps=swaps, buys=buys)


def score(p, board, cards=None, jokers=None):
    event = ev("score", p=p, board=board)
    if cards is not None:
        event["cards"] = cards
    if jokers is not None:
        event["jokers"] = jokers
    return event


def scores(g, p, *boards):
    """Let one player set pieces, one after the other."""
    for board in boards:
        play(g, score(p, board))


def royal(p):
    """Return the piece that ends a round at once."""
    return score(p, "royal_flush")


def royal_table(*events):
    """Return a table at which these events were played."""
    table = Table(setup("royal_flush", 3))
    for event in events:
        table.play(event)
    return table


def state(table):
    """Return everything that a refusal must leave alone."""
    return table.game.snapshot(), list(table.events()), len(table), table.can_undo, table.can_redo
