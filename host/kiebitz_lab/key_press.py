"""Presses OK in a simulated device, and records every call of the firmware on the way to flash and to the display."""

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import NamedTuple

from kiebitz.board.storage import Storage
from kiebitz.widgets.keys import OK

from .handheld import Device
from .micropython import ROOT

FIRMWARE = ROOT / "firmware" / "kiebitz"

PLAYERS = ["Anna", "Ben", "Cleo", "Dan"]
SETUP = {"game": "royal_flush", "players": PLAYERS}
BEFORE = ({"ev": "score", "p": 0, "board": "pair"},)  # the first entry of a game is written in another way
TO_BOARDS = "ok wait:1000"  # from the table to the nine boards; then there is time for what is done beside the game
WRITTEN = "Storage.append"  # the entry is on flash when this returns
SHOWN = ("entered", "draw", "show")  # the functions that bring an entry onto the display
COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")  # frames only in some versions of Python


@dataclass
class Call:
    """A call of a function of the firmware; `caller` is the file that it came from, None for the laboratory."""

    file: str
    function: str
    caller: str | None
    inner: int = 0  # calls made before it returned, by itself and by those that it called

    @property
    def crosses(self) -> bool:
        return self.caller is not None and self.caller != self.file


def count(calls: list[Call]) -> tuple[int, int, int]:
    """Return (calls, distinct files, calls from one file into another)."""
    return len(calls), len({call.file for call in calls}), sum(call.crosses for call in calls)


class Walk(NamedTuple):
    """All calls from a key press to the flash, and from there to the end of the turn, in which the screen is drawn."""

    to_flash: list[Call]
    to_screen: list[Call]

    def stations(self) -> list[tuple[Call, int]]:
        """Return, for each file on the way to flash, the call that leads to most others, and how many calls it has."""
        chosen: dict[str, Call] = {}
        for call in self.to_flash:
            if call.file not in chosen or call.inner > chosen[call.file].inner:
                chosen[call.file] = call
        main = [call for call in self.to_flash if call is chosen[call.file]]
        return [(call, sum(other.file == call.file for other in self.to_flash)) for call in main]

    def last_stations(self) -> list[Call]:
        """Return the calls that show the entry after it was written."""
        return [call for call in self.to_screen if call.function.rpartition(".")[2] in SHOWN]


class _Recorder:
    """Notes the calls of the firmware's functions while it is the profiler of this thread."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.written_at: int | None = None  # calls until the entry was on flash
        self._open: list[int] = []  # the calls that have not returned, by their numbers

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        file = _file(frame.f_code)
        if file is None or frame.f_code.co_name in COMPREHENSIONS:
            return
        if event == "call":
            above = frame.f_back
            while above is not None and _file(above.f_code) is None:
                above = above.f_back
            self._open.append(len(self.calls))
            self.calls.append(Call(file, frame.f_code.co_qualname, _file(above.f_code) if above else None))
        elif event == "return":
            number = self._open.pop()
            self.calls[number].inner = len(self.calls) - number - 1
            if frame.f_code.co_qualname == WRITTEN and self.written_at is None:
                self.written_at = len(self.calls)


def _file(code: CodeType) -> str | None:
    """Return the file of a function inside firmware/kiebitz; None if it is elsewhere."""
    path = Path(code.co_filename)
    return path.relative_to(FIRMWARE).as_posix() if path.is_relative_to(FIRMWARE) else None


def trace() -> Walk:
    """Press OK on a board of Royal Flush in a simulated device. Returns every call until the table is drawn again."""
    with tempfile.TemporaryDirectory() as folder:
        device = Device(Storage(f"{folder}/data"))
        device.sit_down(SETUP, BEFORE)
        device.keys(TO_BOARDS)
        events = len(device.table)
        recorder = _Recorder()
        before = sys.getprofile()
        device.hw.press(OK)
        sys.setprofile(recorder)
        try:
            device.wait(device.step_ms)
        finally:
            sys.setprofile(before)
        if len(device.table) != events + 1 or recorder.written_at is None:
            raise RuntimeError("the key press has not entered anything: the keys or the names in this module are old")
    return Walk(recorder.calls[: recorder.written_at], recorder.calls[recorder.written_at :])
