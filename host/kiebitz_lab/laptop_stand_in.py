"""Confirm games as a laptop does, without a cable."""

from kiebitz.store.laptop_view import LaptopView


def confirm(games, game_id, lines):
    """Confirm a game of which a laptop has this number of event lines. Returns True if the laptop has all lines."""
    entry = games.entry(game_id)
    if entry is None or entry["lines"] != lines:
        return False
    return list(LaptopView(games).confirm({game_id: entry["mark"]}))[-1] == [game_id]


def confirm_index(games, size, mark):
    """Confirm all games of an index of this size and CRC32. Returns False if the index has changed."""
    return list(LaptopView(games).confirm_index(size, mark))[-1]
