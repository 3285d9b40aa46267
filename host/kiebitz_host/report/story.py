"""The story of a report as key presses: the self-test, then a few entries in every game, with guests as players."""

from typing import NamedTuple

from .simulated import SimulatedApp

# Each chapter ends on the first screen. UNDO is never pressed there: it would bring back a game that was thrown away.
# Screens that show what only one device has, such as its free memory, are not opened
CHAPTERS = (
    (
        "self-test",
        "pick:start.settings pick:set.test up down left right ok undo hold:ok ok*2 hold:undo undo at:start.new",
    ),
    (
        "Royal Flush",
        "pick:start.new pick:game.royal_flush ok*3 right ok ok left ok right*2 ok ok up ok undo hold:undo hold:left up "
        "left pick:menu.leave",
    ),
    ("Poch", "pick:start.new pick:game.poch ok*2 down*2 ok down*2 ok undo hold:undo left pick:menu.leave"),
    ("PokerCarre", "pick:start.new pick:game.poker_carre ok*2 right ok*2 undo left pick:menu.leave"),
    ("Top Spot", "pick:start.new pick:game.top_spot ok*2 right left up ok pick:menu.leave"),
    ("any game", "pick:start.new pick:game.any_game ok*3 right up*2 ok left ok down*3 ok undo hold:ok pick:menu.leave"),
)


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
