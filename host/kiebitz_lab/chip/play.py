"""Run the simulator's terminal with the firmware on the emulated RP2040 (`kiebitz sim --chip`)."""

import os
import signal
import sys
import time
from pathlib import Path

from kiebitz_host.cli.sim import TerminalPlay, print_lines, save_shot
from kiebitz_host.install.uf2 import find_uf2
from kiebitz_host.outcome import OK, Trouble
from kiebitz_host.sim.device import board_of
from kiebitz_host.sim.flash_folder import DATA
from kiebitz_host.sim.hardware import PowerOff
from kiebitz_host.sim.key_script import PICK
from kiebitz_host.sim.picture import AUTO, can_show, drawn
from kiebitz_host.sim.terminal_ui import PtyPort, TerminalUi
from kiebitz_host.system import publish_simulator_port

from kiebitz_lab.image.build import current_image

from ..handheld import ReferenceDevice
from .flash import BadFileSystem, flash_with
from .rig import Rig

_SLICE_MS = 5  # of emulated time, between two checks of the keys
_REST_MS = 5  # time for the terminal, when the chip is not behind
_MEASURE_S = 1.0


def make_bench(folder: Path, uf2: str | None = None) -> Rig:
    """Return a Pico with the firmware of this checkout and the files in the flash folder."""
    image = find_uf2(uf2).path if uf2 else current_image()
    return Rig(flash_with(image, _contents(folder)), board_of(folder))


def _contents(folder: Path) -> dict[str, bytes]:
    """Return the files in the flash folder by their paths on the chip."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in _files_in(folder / DATA)}


def _files_in(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]


class FlashMirror:
    """Copy what the device writes to the flash folder, so that both simulators continue the same games."""

    def __init__(self, rig: Rig, folder: Path):
        self._bench = rig
        self._folder = folder
        self._seen = 0  # number of flash operations that have been processed

    def keep(self) -> None:
        """Write the files that have changed since the last call."""
        operations = len(self._bench.flash.operations)
        if operations == self._seen:
            return
        try:
            files = self._bench.files(DATA)
        except BadFileSystem:
            return  # in the middle of a change; retried with the next call
        self._seen = operations
        # A journal before the file with its newest lines: lines that the journal already has are then skipped
        for name in sorted(files):
            path = self._folder / name
            if not path.exists() or path.read_bytes() != files[name]:
                path.parent.mkdir(parents=True, exist_ok=True)
                beside = path.with_name(path.name + ".part")
                beside.write_bytes(files[name])
                os.replace(beside, path)
        for path in _files_in(self._folder / DATA):
            if path.relative_to(self._folder).as_posix() not in files:
                path.unlink()


# --- from a script ---


def play_script(steps, folder, style=AUTO, shot=None, uf2=None) -> int:
    """Play the steps, each when the device is done with the previous; the same to the cycle every time. Returns OK."""
    rig = make_bench(Path(folder), uf2).boot()
    if style == AUTO:
        style = "braille" if can_show(sys.stdout.encoding) else "plain"
    for action, argument in _without_choices(steps, Path(folder)):
        if action == "wait":
            rig.run_ms(argument)
        elif action == "text":  # a chip outputs pixels only
            print_lines(drawn(rig.frame(), style))
        elif action == "hold":
            rig.hold(argument)
        else:
            rig.tap(argument)
    FlashMirror(rig, Path(folder)).keep()
    save_shot(rig.oled, shot)
    print_lines(drawn(rig.frame(), style))
    return OK


def _without_choices(steps, folder: Path):
    """Yield the steps, with pick:KEY and at:KEY resolved to presses on a reference device with the same flash."""
    if not any(action == PICK for action, _ in steps):
        yield from steps
        return
    reference = ReferenceDevice(_contents(folder), board=board_of(folder))
    for action, argument in steps:
        word = {"hold": f"hold:{argument}", "wait": f"wait:{argument}"}.get(action, argument)
        if action == PICK:
            try:
                yield from [("tap", key) for key in reference.pressed(word).split()]
            except LookupError as trouble:
                raise Trouble(f"{trouble}.") from None
        else:
            if word:
                reference.keys(word)
            yield action, argument


# --- in a terminal ---


def play_live(folder, style=AUTO, shot=None, uf2=None) -> int:
    """Play in this terminal until the player quits. Returns the exit code."""
    folder = Path(folder)
    rig = make_bench(folder, uf2)
    keeper = FlashMirror(rig, folder)
    hardware = _Hands(rig)
    with PtyPort(rig.serial) as usb, TerminalUi(rig.oled.width, rig.oled.height, style, usb.path, hardware) as front:
        publish_simulator_port(folder, usb.path)
        player = TerminalPlay(hardware, front, usb)
        try:
            while True:
                player.wait(0 if hardware.time.behind else _REST_MS)
                keeper.keep()
        except PowerOff:
            keeper.keep()
    save_shot(rig.oled, shot)
    return OK if front.stopped_by in (0, signal.SIGINT) else 128 + front.stopped_by


class _Hands:
    """The rig in the form that the simulator's player expects, with a status line about its speed."""

    def __init__(self, rig: Rig):
        self.oled = rig.oled
        self.press = rig.press
        self.release = rig.release
        self.time = ChipTime(rig)
        self._buzzer = rig.buzzer

    @property
    def tone(self) -> int:
        return self._buzzer.tone

    def __str__(self) -> str:
        return f"emulated RP2040: {self.time.percent} % of real time"


class ChipTime:
    """Let the chip follow real time slice by slice; a slow chip falls behind."""

    def __init__(self, rig: Rig):
        self._bench = rig
        self.behind = False
        self.percent = 100
        self._start = time.monotonic()  # start of the time to follow
        self._measured = (self._start, 0.0)

    @property
    def elapsed(self) -> float:
        """Emulated milliseconds."""
        return self._bench.ms

    def catch_up(self) -> None:
        """Run the chip for one slice, if one is due."""
        now = time.monotonic()
        self._measure(now)
        lag_ms = (now - self._start) * 1000 - self._bench.ms
        if lag_ms >= _SLICE_MS:
            self._bench.run_ms(_SLICE_MS)
            lag_ms = (time.monotonic() - self._start) * 1000 - self._bench.ms
        self.behind = lag_ms >= _SLICE_MS
        if self.behind:
            self._start += (lag_ms - _SLICE_MS) / 1000  # lost time is not made up for, to avoid a burst

    def _measure(self, now: float) -> None:
        since, ms = self._measured
        if now - since >= _MEASURE_S:
            self.percent = min(100, round((self._bench.ms - ms) / (now - since) / 10))
            self._measured = (now, self._bench.ms)
