"""Finds out how many minutes a game took at the table: the lines of its journal carry them."""

from collections.abc import Iterable

from kiebitz.games import Refused
from kiebitz.store.replay import minutes_in, parse

from .database import Database
from .journals import load


def minutes_of_game(db: Database, number: int) -> int | None:
    """Return how many minutes a game in the store took; None if nobody has counted them."""
    return minutes_of(line for line in reversed(load(db, number).lines) if '"min"' in line)


def minutes_of(backwards: Iterable[str]) -> int | None:
    """Return the minutes of the lines of a journal, given with the last line first; None without any."""
    for line in backwards:
        try:
            found = minutes_in(parse(line.encode()))
        except Refused:
            continue
        if found:
            return found
    return None
