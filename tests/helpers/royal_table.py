"""A table of Royal Flush for three, to take back and change what was played."""

from kiebitz.store.table import Table

from helpers.play import setup


def royal_table(*events):
    """Return a table at which these events were played."""
    table = Table(setup("royal_flush", 3))
    for event in events:
        table.play(event)
    return table


def state(table):
    """Return everything that a refusal must leave alone."""
    return table.game.snapshot(), list(table.events()), len(table), table.can_undo, table.can_redo
