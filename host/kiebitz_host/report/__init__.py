"""Create the report of one device: identify it, play a scenario of key presses on it, and compare each picture."""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from kiebitz import VERSION
from kiebitz.app import App
from kiebitz.board.profiles import PROFILES
from kiebitz.games import GAMES
from kiebitz.store.settings import Settings, is_value
from kiebitz.widgets.keys import NAMES

from ..games import on_laptop
from ..install.device import Device, PicoFacts, wait_for_first_screen
from ..install.prompt_session import Lost
from ..install.trouble import Pulled
from ..languages import ENGLISH, read
from ..link.answers import Screen
from ..link.client import Client
from ..link.trouble import LinkLost, LinkTrouble
from ..outcome import Trouble
from ..received import listed, mark, number, record
from ..received import text as printable_text
from ..sim.flash_folder import MemoryStorage
from ..sim.hardware import Hardware
from ..sim.screen_reader import ScreenReader, presses_of

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


_UNTOUCHED = "The games on it were not touched, and no report was written."


class ReportTrouble(Trouble):
    """No report was written. A subclass has the sentence."""

    SENTENCE = ""

    def __init__(self, path, **facts):
        super().__init__(self.SENTENCE.format(path=path, **facts))


class OtherFirmware(ReportTrouble):
    SENTENCE = (
        "kiebitz {there} runs on {path} and this is kiebitz {here}, so their pictures cannot be compared: put the same "
        "version on both, with kiebitz install on the device. " + _UNTOUCHED
    )


class UnknownBoard(ReportTrouble):
    SENTENCE = "the board of {path} is called {board}, which this kiebitz does not support. " + _UNTOUCHED


class InAGame(ReportTrouble):
    SENTENCE = (
        "a game is on the table of {path}, and a report needs the device for a minute: leave the table with the last "
        "line of its menu, and repeat the command. " + _UNTOUCHED
    )


class NoRoom(ReportTrouble):
    SENTENCE = (
        "the flash of {path} has only {kilobytes} KB free, and a report needs a little for a while: run kiebitz sync, "
        "which lets the device remove games that are finished. " + _UNTOUCHED
    )


class NotMountedFlash(ReportTrouble):
    SENTENCE = "no file system is mounted on {path}: run kiebitz doctor, for advice."


class CutShort(ReportTrouble):
    SENTENCE = (
        "the connection to {path} was lost before the report was complete: plug the Pico in again and repeat the "
        "command, which also removes what this one may have left there. " + _UNTOUCHED
    )


class CannotWrite(ReportTrouble):
    SENTENCE = "{path} cannot be written ({reason}): name another file, as in kiebitz doctor --report FILE."


STAGE = Path(__file__).with_name("stage.py")
CRASHES = "data/crash.txt"
ROOM_BYTES = 128 * 1024  # a new game is refused with less than 50 KB
_RUN_APP = "app.run()"
# Beeps are off because nobody wants a hundred of them, and no picture may depend on how long the link takes
_FOR_THE_STORY = {"sound": False, "dim_s": 0, "off_s": 0, "scoreboard": False}
_AS_IT_IS = ("language", "brightness", "flip", "board")

_COUNTER = number(1 << 40)
_CACHE = listed(_COUNTER, 2)
_FILES = record({"files": number(1 << 16), "crc": mark})
_TIMES = record(
    {
        "start_us": number(1 << 30),
        "start_cache": _CACHE,
        "press_us": listed(number(1 << 30), 1000),
        "press_cache": _CACHE,
        "memory": number(1 << 20),
        "crash": printable_text(1000),
    }
)


# After this many consecutive differences the two are out of step, and further comparisons are useless
DIFFERENT_MAX = 5


@dataclass(frozen=True)
class Step:
    """A key press and the resulting picture."""

    press: Press | None  # None: the first picture
    title: str  # the simulator's first line
    written: bool  # the simulator has written to its flash
    link_ms: float  # from the request to the picture, on this computer's clock; 0 for the first picture
    shown: Screen
    expected: Screen

    @property
    def same(self) -> bool:
        """Return True if the device shows the same picture as the simulator, in the same colours."""
        return self.shown == self.expected


@dataclass(frozen=True)
class Played:
    """All steps that were played."""

    steps: list[Step]
    ended: str = ""  # why the scenario ended early


def play(
    client: Client, app: SimulatedApp, presses: Sequence[Press], progress: Callable[[str], None] = lambda _: None
) -> Played:
    """Play the presses on both. Returns the steps; raises LinkLost if the cable is pulled."""
    steps = [Step(None, app.title(), False, 0.0, client.screen(), app.screen())]
    for count, press in enumerate(presses, 1):
        if len(steps) >= DIFFERENT_MAX and not any(step.same for step in steps[-DIFFERENT_MAX:]):
            return Played(steps, f"{DIFFERENT_MAX} pictures in a row were different")
        progress(f"playing on the device, key {count} of {len(presses)}")
        written = app.press(press.key, press.hold)
        begun = client.transport.clock()
        try:
            client.press(press.key, press.hold)
            shown = client.screen()
        except LinkLost:
            raise
        except LinkTrouble as trouble:
            return Played(steps, f"after key {count} of {len(presses)}, {press}: {trouble}")
        took = (client.transport.clock() - begun) * 1000
        steps.append(Step(press, app.title(), written, took, shown, app.screen()))
    return Played(steps)


@dataclass(frozen=True)
class Report:
    """The findings about one device."""

    board: str
    facts: PicoFacts
    crashes: bytes
    files: dict[str, Any]  # number and CRC32 of the players' files
    files_after: dict[str, Any]
    played: Played
    times: dict[str, Any]
    restart_s: float  # seconds until it answered again


def check_target(target: Path) -> None:
    """Raise CannotWrite unless a new file can be created there, before the scenario is played."""
    if os.path.lexists(target):
        raise CannotWrite(target, reason="it is there already")
    if not target.parent.is_dir():
        raise CannotWrite(target, reason="there is no such folder")


def write(target: Path, text: str) -> None:
    """Write the text of a report to a new file."""
    try:
        with open(target, "x", encoding="utf-8") as file:
            file.write(text)
    except OSError as trouble:
        raise CannotWrite(target, reason=trouble.strerror) from None


@dataclass
class Reporter:
    """Create reports; the fields are its dependencies."""

    connect: Callable[[str], Client]
    session: Callable[[str], Any]
    progress: Callable[[str], None]
    clock: Callable[[], float] = time.monotonic
    first_screen: Callable[..., str] = wait_for_first_screen
    now: Callable[[], float] = time.time

    def run(self, path: str) -> Report:
        """Play the scenario on the device on this port. Returns the report; raises Trouble."""
        try:
            return self._run(path)
        except (LinkLost, Lost, Pulled):
            raise CutShort(path) from None
        finally:
            self.progress("")

    def _run(self, path: str) -> Report:
        board, settings, was_set = self._ask(path)
        with self.session(path) as session:
            device = Device(session)
            facts = device.facts()
            if not facts.is_mounted:
                raise NotMountedFlash(path)
            if facts.free * facts.block < ROOM_BYTES:
                raise NoRoom(path, kilobytes=facts.free * facts.block // 1024)
            crashes = device.read(CRASHES)
            device.tell(STAGE.read_text("utf-8"))
            before = device.ask("tell_files()", _FILES)
            try:
                played, times = self._play(session, device, board, settings)
            finally:
                _clear(session)
            after = device.ask("tell_files()", _FILES)
            self.progress("waiting until the device is back")
        begun = self.clock()
        self.first_screen(lambda: path, self.connect)
        restart_s = self.clock() - begun
        if was_set:
            with self.connect(path) as client:
                client.hello()
                client.set_clock(int(self.now()))
        return Report(board, facts, crashes, before, after, played, times, restart_s)

    def _ask(self, path: str) -> tuple[str, dict[str, Any], bool]:
        """Query the running app. Returns (its board, the settings for the scenario, True if its clock was set)."""
        with self.connect(path) as client:
            who = client.hello()
            if who["version"] != VERSION:
                raise OtherFirmware(path, there=who["version"], here=VERSION)
            playing = client.follow()["id"]
            client.unfollow()
            if playing:
                raise InAGame(path)
            now = client.settings()
        board = who.get("board", "")
        if board not in PROFILES:
            raise UnknownBoard(path, board=board)
        settings = {name: now[name] for name in _AS_IT_IS if name in now and is_value(name, now[name])}
        return board, {**settings, **_FOR_THE_STORY, "found": board}, bool(who["now"])

    def _play(self, session: Any, device: Device, board: str, settings: dict[str, Any]) -> tuple[Played, Any]:
        """Play the scenario in a separate folder. Returns (the steps played, the device's measurements)."""
        simulated = SimulatedApp(board, settings)
        device.tell(f"start({settings!r})")
        client = Client(session.begin(_RUN_APP))
        client.hello()
        # A device may leave out its language; the menus are resolved in one that has passed the choice of a language
        scenario = presses(SimulatedApp(board, {"language": ENGLISH, **settings}))
        played = play(client, simulated, scenario, self.progress)
        session.end()
        return played, device.ask("tell_times()", _TIMES)


def _clear(session: Any) -> None:
    """Stop running code, and remove the scenario's folder, if the device is still connected."""
    try:
        session.end()
        Device(session).tell("clear()")
    except (Lost, LinkTrouble, Trouble):
        pass
