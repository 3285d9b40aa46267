"""The scenario of a report as key presses: the self-test, then a few entries in every game, with guests as players."""

from typing import NamedTuple

from kiebitz.games import GAMES

from ..games import on_laptop
from ..languages import ENGLISH, read


def _chapters() -> list[tuple[str, str]]:
    """Return (name, keys) of each chapter: the self-test, and each game that has keys for a report.

    Each chapter ends on the first screen. UNDO is never pressed there: it would bring back a game that was thrown away.
    Screens that show what only one device has, such as its free memory, are not opened.
    """
    found = [("self-test", "up ok up*2 ok up down left right ok undo hold:ok ok*2 hold:undo undo down")]
    names = read(ENGLISH)
    for place, kind in enumerate(GAMES):
        if keys := on_laptop(kind).REPORT:
            new = "down ok" if len(found) > 1 else "ok"  # the first line of a device that has had a game is another
            way = "up ok" if kind == GAMES[-1] else f"down*{place} ok" if place else "ok"
            found.append((names[f"game.{kind}"], f"{new} {way} {keys}"))
    return found


CHAPTERS = _chapters()


class Press(NamedTuple):
    """A key of the story."""

    chapter: str
    key: str  # as the link calls it
    hold: bool

    def __str__(self) -> str:
        """Return the key in words."""
        return f"{self.key} held" if self.hold else self.key


def presses() -> list[Press]:
    """Return all presses of the story in order."""
    found = []
    for chapter, script in CHAPTERS:
        for word in script.split():
            key, _, times = word.partition("*")
            key = key.upper()
            press = Press(chapter, key.removeprefix("HOLD:"), key.startswith("HOLD:"))
            found += [press] * int(times or 1)
    return found
