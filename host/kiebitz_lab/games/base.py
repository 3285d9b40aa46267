"""Define what the laboratory needs of a game, with defaults."""

from collections.abc import Collection
from typing import Any, NamedTuple

from kiebitz.games.base import REQUIRED

FOUR = ["Anna", "Ben", "Cleo", "Dan"]
RULE = " right*3 down"  # keys: all values of a house rule, then the next rule
SEAT = "ok "  # keys: give a seat to the name at the cursor, which goes on to the next name


class Lap(NamedTuple):
    """A game on the round trip through every screen, with keys up to the table, entries, and screens to open."""

    who: str  # keys: who plays
    ready: str  # keys: screens to look at before the game begins
    entries: list[str]
    looks: list[str] = []
    round: int = 0  # entries to play at least, so that every screen is shown
    ends: bool = False  # the last look ends the game


class GameInLab:
    """Samples, scenes, laps, text ids and random events of a game."""

    # Whole games by their names: (set-up, keys from the first entry to the final ranking, one entry on each line)
    SAMPLES: dict[str, tuple[dict, str]] = {}
    TYPICAL: dict[str, tuple[str, str]] = {}  # name of a sample -> (the entry made most often, its keys)
    SAID: dict[str, list[dict]] = {}  # name of a sample -> the events that the players mean with its keys
    ROUNDS: dict[str, tuple[int, int]] = {}  # name of a sample -> (entries in a round, most presses a round on average)
    TO_SHELF = ["ok"]  # keys after a sample that close the game

    GROUP = ""  # the first part of the names of its pictures
    HOUSE_RULES = True  # in the set-up of its laps, a house rule makes a difference
    README_SCENES: tuple[str, ...] = ()  # the scenes that the README shows on the other board
    PAGE_SCENES: tuple[str, ...] = ()  # the scenes that docs/games/NAME.md shows
    # Of the guided first game on the web site: mode, or empty -> keys to point at; its sentence is tour.4.NAME[.MODE]
    FIRST_KEYS = {"": "ok"}

    IDS: Collection[str] = ()  # ends of text keys that are joined from more than a family and an id
    FAMILIES: dict[str, Collection[str]] = {}  # beginning of text keys -> possible ids
    SENTENCES: dict[str, tuple[str, ...]] = {}  # event -> the text keys after `ev.`, if they differ from its name
    REFUSALS: dict = {}  # info key of a refusal -> a long but possible value, if it is not a number

    EARLY = ""  # the event that ends a game before its end
    VALUES: dict = {}  # argument -> values of misplaced events, if they are not numbers
    LONG: dict[str, tuple[int, dict]] = {}  # name of a game of any length -> (players, the rest of its set-up)
    SEASON: tuple[str, ...] = ()  # the names in LONG whose usual journals fill a device in measurements

    def scenes(self, players: list[str], hard: bool = False) -> list[tuple]:
        """Return the scenes at the table, with high numbers if `hard`."""
        return []

    def setup_scenes(self, seated: str) -> list[tuple[str, str]]:
        """Return (title, keys) of scenes before the game begins; `seated` are the keys that seat three players."""
        return []

    def laps(self) -> list[Lap]:
        """Return the laps of this game."""
        return []

    def menu_key(self, device: Any) -> str:
        """Return the key that opens the menu of the table."""
        return "left"

    # --- random games ---

    def furnish(self, line, n, dice):
        """Add random choices of this game to a set-up for n players."""

    def event(self, game, dice, endless):
        """Return a random event that mostly fits the state; an `endless` one does not end the game."""
        return self.misplaced(game, dice)

    def misplaced(self, game, dice):
        """Return a well-formed event that fits the state only by chance."""
        name = dice.pick(sorted(game.EVENTS))
        event = {"ev": name}
        for what, _, default in game.EVENTS[name]:
            if default is REQUIRED or dice.chance(50):
                event[what] = self.argument(game, what, dice)
        return event

    def argument(self, game, what, dice):
        """Return a random value for an argument of a misplaced event."""
        if what in self.VALUES:
            return dice.pick(self.VALUES[what])
        return dice.below(game.n + 1) if what in game.SEATS else dice.below(9)


def some_cards(dice):
    """Return two to six random cards as one string."""
    return " ".join([dice.pick("2789TJQKA") + dice.pick("SHDC") for _ in range(2 + dice.below(5))])


def lines_of(keys: str) -> list[str]:
    """Return the entries of a sample, one line of keys per entry."""
    return [line for line in keys.splitlines() if line]
