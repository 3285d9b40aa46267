"""Define what the laboratory needs of a game; a game without a file of its own is not played."""

from collections.abc import Collection
from typing import Any, NamedTuple

FOUR = ["Anna", "Ben", "Cleo", "Dan"]
RULE = " right*3 down"  # keys: all values of a house rule, then the next rule
SEAT = "ok "  # keys: give a seat to the name at the cursor, which goes on to the next name


class Lap(NamedTuple):
    """A game on the round trip through every screen: keys up to the table, entries, and screens to look at."""

    who: str  # keys: who plays
    ready: str  # keys: screens to look at before the game begins
    entries: list[str]
    looks: list[str] = []
    round: int = 0  # play at least this many entries: otherwise some screens are never shown
    ends: bool = False  # the last look ends the game


class GameInLab:
    """A game in the laboratory: samples as key presses, screens as scenes, laps, and the ids in text keys."""

    # Whole games by their names: (set-up, keys from the first entry to the final ranking, one entry on each line)
    SAMPLES: dict[str, tuple[dict, str]] = {}
    TYPICAL: dict[str, tuple[str, str]] = {}  # name of a sample -> (the entry that players make most often, its keys)
    ROUNDS: dict[str, int] = {}  # name of a sample -> how many entries make a round; its rounds are counted
    TO_SHELF = ["ok"]  # keys after a sample that close the game

    GROUP = ""  # the first part of the names of its pictures
    HOUSE_RULES = True  # in the set-up of its laps, a house rule makes a difference
    README_SCENES: tuple[str, ...] = ()  # the scenes that the README shows on the other board
    PAGE_SCENES: tuple[str, ...] = ()  # the scenes that docs/games/NAME.md shows

    IDS: Collection[str] = ()  # ends of text keys that are joined from more than a family and an id
    FAMILIES: dict[str, Collection[str]] = {}  # beginning of text keys -> the ids that may follow
    SENTENCES: dict[str, tuple[str, ...]] = {}  # event -> the text keys after `ev.`, if they differ from its name

    def scenes(self, players: list[str], hard: bool = False) -> list[tuple]:
        """Return the scenes at the table; hard: with high numbers."""
        return []

    def setup_scenes(self, seated: str) -> list[tuple[str, str]]:
        """Return (title, keys) of scenes before the game begins; `seated` are the keys that seat three players."""
        return []

    def laps(self) -> list[Lap]:
        """Return the laps of this game."""
        return []

    def menu_key(self, twin: Any) -> str:
        """Return the key that opens the menu of the table."""
        return "left"


def lines_of(keys: str) -> list[str]:
    """Return the entries of a sample, one line of keys per entry."""
    return [line for line in keys.splitlines() if line]
