"""Define the scenario of a report as key presses: the self-test, then some entries in every game."""

from typing import NamedTuple

# Each chapter ends on the first screen. UNDO is never pressed there: it would bring back a game that was thrown away.
# Screens that show what only one device has, such as its free memory, are not opened
CHAPTERS = (
    ("self-test", "up ok up*2 ok up down left right ok undo hold:ok ok*2 hold:undo undo down"),
    (
        "Royal Flush",
        "ok*5 right ok ok left ok right*2 ok ok up ok undo hold:undo hold:left up left up ok",
    ),
    ("Poch", "down ok down*2 ok*3 down*2 ok down*2 ok undo hold:undo left up ok"),
    ("PokerCarre", "down ok down ok*3 right ok*2 undo left up ok"),
    ("Top Spot", "down ok down*3 ok*3 right left up ok up ok"),
    ("any game", "down ok up ok*4 right up*2 ok left ok down*3 ok undo hold:ok up ok"),
)


class Press(NamedTuple):
    """A key of the scenario."""

    chapter: str
    key: str  # as the link calls it
    hold: bool

    def __str__(self) -> str:
        """Return the key in words."""
        return f"{self.key} held" if self.hold else self.key


def presses() -> list[Press]:
    """Return all presses of the scenario in order."""
    found = []
    for chapter, script in CHAPTERS:
        for word in script.split():
            key, _, times = word.partition("*")
            key = key.upper()
            press = Press(chapter, key.removeprefix("HOLD:"), key.startswith("HOLD:"))
            found += [press] * int(times or 1)
    return found
