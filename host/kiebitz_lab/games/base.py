"""What the laboratory plays of a game that has no file of its own: nothing."""

from collections.abc import Collection
from typing import Any, NamedTuple

FOUR = ["Anna", "Ben", "Cleo", "Dan"]
RULE = " right*3 down"  # through all values of a house rule, and on to the next one
SEAT = "down ok "  # who is known already, and plays now


class Lap(NamedTuple):
    """A game on the round trip through every screen: keys to the table, entries, and what is looked at there."""

    who: str  # keys: who plays
    ready: str  # keys: what is looked at before the game begins
    entries: list[str]
    looks: list[str] = []
    round: int = 0  # so many entries at least, or there are screens that never come
    ends: bool = False  # with the last look


class GameInLab:
    """A game in the laboratory: a sample of it in key presses, its screens as scenes, its lap, its ids in texts."""

    # Whole games by their names: (set-up, keys from the first entry to the final ranking, one entry on each line)
    SAMPLES: dict[str, tuple[dict, str]] = {}
    TYPICAL: dict[str, tuple[str, str]] = {}  # the entry players of each make most often, and its keys
    TO_SHELF = ["ok"]  # keys after a sample: the game is put with those that were played

    GROUP = ""  # how the names of its pictures begin
    README_SCENES: tuple[str, ...] = ()  # those that the README shows on the other board

    IDS: Collection[str] = ()  # ends of text keys that are put together of more than a family and an id
    FAMILIES: dict[str, Collection[str]] = {}  # beginning of text keys -> the ids that may follow
    SENTENCES: dict[str, tuple[str, ...]] = {}  # event -> what follows `ev.`, if that is not its name alone

    def scenes(self, players: list[str], hard: bool = False) -> list[tuple]:
        """Return the scenes at the table."""
        return []

    def setup_scenes(self, seated: str) -> list[tuple[str, str]]:
        """Return (title, keys) of scenes before the game begins; `seated` are the keys that seat three players."""
        return []

    def laps(self) -> list[Lap]:
        """Return the games that are played on a lap."""
        return []

    def menu_key(self, twin: Any) -> str:
        """Return the key that opens the menu of the table."""
        return "left"


def lines_of(keys: str) -> list[str]:
    """Return the entries of a sample, a line of keys for each."""
    return [line for line in keys.splitlines() if line]
