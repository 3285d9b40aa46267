"""Plays the story in the simulator: the firmware's own screens on fake hardware tell what a device has to show."""

from typing import Any

from kiebitz.app import App
from kiebitz.board.profiles import PROFILES
from kiebitz.store.settings import Settings
from kiebitz.widgets.keys import NAMES

from ..link.answers import Screen
from ..sim.hardware import Hardware
from ..sim.memory_storage import MemoryStorage
from ..sim.menu_lines import presses_of
from ..sim.screen_reader import ScreenReader

TURN_MS = 5


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
        """Return the presses of a word of the story that is written for the open menu."""
        return presses_of(word, self._app.top)

    def screen(self) -> Screen:
        """Return the picture as the link would tell it."""
        display = self._app.board.display
        tints = getattr(display, "tints", None)
        return Screen(display.width, display.height, bytes(display.buffer), bytes(tints.stored()) if tints else b"")

    def title(self) -> str:
        """Return the first line on the display; empty if there is no text on it."""
        lines = self._words.lines()
        return lines[0] if lines else ""
