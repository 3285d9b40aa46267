"""Define the scenario of a report as key presses, and play it in a simulated app."""

from typing import Any, NamedTuple

from kiebitz.app import App
from kiebitz.board.profiles import PROFILES
from kiebitz.games import GAMES
from kiebitz.store.settings import Settings
from kiebitz.widgets.keys import NAMES

from ..games import on_laptop
from ..languages import ENGLISH, read
from ..link.answers import Screen
from ..sim.flash_folder import MemoryStorage
from ..sim.hardware import Hardware
from ..sim.menu_lines import presses_of
from ..sim.screen_reader import ScreenReader

TURN_MS = 5


def _chapters() -> list[tuple[str, str]]:
    """Return (name, keys) of each chapter: the self-test, and each game that has keys for a report.

    Each chapter ends on the first screen. UNDO is never pressed there, because it would restore a discarded game.
    Screens with device-specific content, such as the free memory, are not opened.
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


class SimulatedApp:
    """The app on a board of this name, with an empty flash and these settings, at its first screen."""

    def __init__(self, board: str, settings: dict[str, Any]):
        self._storage = MemoryStorage()
        kept = Settings(self._storage)
        for name, value in settings.items():
            kept.set(name, value)
        self._hardware = Hardware(PROFILES[board])
        self._words = ScreenReader()
        self._app = App(self._words.watch(self._hardware.board(self._storage)))
        self._turn()

    def _turn(self) -> None:
        self._app.step()
        self._hardware.time.advance(TURN_MS)

    def press(self, key: str, hold: bool) -> bool:
        """Press a key as a laptop does. Returns True if something was written to the flash."""
        before = self._storage.count
        self._app.press(NAMES.index(key), hold)
        written = self._storage.count > before
        self._turn()
        return written

    def presses_of(self, word: str) -> list[str]:
        """Return the presses for a word of the scenario, resolved in the open menu."""
        return presses_of(word, self._app.top)

    def screen(self) -> Screen:
        """Return the picture in the format of the link."""
        display = self._app.board.display
        tints = getattr(display, "tints", None)
        return Screen(display.width, display.height, bytes(display.buffer), bytes(tints.stored()) if tints else b"")

    def title(self) -> str:
        """Return the first line on the display; empty without text."""
        lines = self._words.lines()
        return lines[0] if lines else ""


class Press(NamedTuple):
    """A key of the scenario."""

    chapter: str
    key: str  # its name in the protocol
    hold: bool

    def __str__(self) -> str:
        """Return a description of the key."""
        return f"{self.key} held" if self.hold else self.key


def presses(app: SimulatedApp) -> list[Press]:
    """Play the scenario in this app to resolve menu lines. Returns all presses in order."""
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
