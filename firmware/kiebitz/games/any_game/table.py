"""Choose the table of any other game: by rounds, or a counter."""


def table(app, play):
    """Return the table as a screen; only the one that is played is imported."""
    if play.game.by_rounds:
        from .rounds_table import RoundsTable

        return RoundsTable(app, play)
    from .counter_table import CounterTable

    return CounterTable(app, play)


TABLE = table
