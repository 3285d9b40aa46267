"""The scenario of a report as key presses: the self-test, then a few entries in every game, with guests as players."""

from typing import NamedTuple

from kiebitz.games import GAMES

from ..games import on_laptop
from ..languages import ENGLISH, read
from .simulated import SimulatedApp


def _chapters() -> list[tuple[str, str]]:
    """Return (name, keys) of each chapter: the self-test, and each game that has keys for a report.

    Each chapter ends on the first screen. UNDO is never pressed there: it would bring back a game that was thrown away.
    Screens that show what only one device has, such as its free memory, are not opened.
    """
    found = [
        (
            "self-test",
            "pick:start.settings pick:set.test up down left right ok undo hold:ok ok*2 hold:undo undo at:start.new",
        )
    ]
    names = read(ENGLISH)
    for kind in GAMES:
        if keys := on_laptop(kind).REPORT:
            found.append((names[f"game.{kind}"], f"pick:start.new pick:game.{kind} {keys} pick:menu.leave"))
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


def presses(app: SimulatedApp) -> list[Press]:
    """Play the story in this app, which knows the menus. Returns all presses in order."""
    found = []
    for chapter, script in CHAPTERS:
        for word in script.split():
            words, _, times = word.partition("*")
            for key in app.presses_of(words) * int(times or 1):
                key = key.upper()
                press = Press(chapter, key.removeprefix("HOLD:"), key.startswith("HOLD:"))
                app.press(press.key, press.hold)
                found.append(press)
    return found
