"""`kiebitz sim --chip`: the terminal of the simulator, and behind it the firmware on the emulated RP2040."""

import os
import signal
import sys
import time
from pathlib import Path

from kiebitz_host.cli.sim import Player, board_of, print_lines, save_shot
from kiebitz_host.install.uf2 import find_uf2
from kiebitz_host.outcome import OK
from kiebitz_host.sim.flash_folder import DATA, tell_usb_port
from kiebitz_host.sim.hardware import PowerOff
from kiebitz_host.sim.picture import AUTO, can_show, drawn

from kiebitz_lab.image.build import current_image

from .bench import Bench
from .files import BadFileSystem, flash_with

_SLICE_MS = 5  # of emulated time, between two looks at the keys
_REST_MS = 5  # a look at the terminal, when the chip is not behind
_MEASURE_S = 1.0


def make_bench(folder: Path, uf2: str | None = None) -> Bench:
    """A Pico with the firmware of this checkout and the files that are in the folder of the flash."""
    name = board_of(folder)
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in _files_in(folder / DATA)}
    return Bench(flash_with(find_uf2(uf2).path if uf2 else current_image(), files), name)


def _files_in(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]


class Keeper:
    """Takes what the device writes to the folder of the flash: both simulators play on with the same games."""

    def __init__(self, bench: Bench, folder: Path):
        self._bench = bench
        self._folder = folder
        self._seen = 0  # operations of the flash that have been dealt with

    def keep(self) -> None:
        """Writes what has changed since the last time."""
        operations = len(self._bench.flash.operations)
        if operations == self._seen:
            return
        try:
            files = self._bench.files(DATA)
        except BadFileSystem:
            return  # in the middle of a change: the next time will do
        self._seen = operations
        # A journal before the file with its newest lines: whatever of them it has already is passed over there
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
    """Plays the steps, each when the device is done with the one before; the same to the cycle every time."""
    bench = make_bench(Path(folder), uf2).boot()
    if style == AUTO:
        style = "braille" if can_show(sys.stdout.encoding) else "plain"
    for action, argument in steps:
        if action == "wait":
            bench.run_ms(argument)
        elif action == "text":  # the pixels are all that comes out of a chip
            print_lines(drawn(bench.frame(), style))
        elif action == "hold":
            bench.hold(argument)
        else:
            bench.tap(argument)
    Keeper(bench, Path(folder)).keep()
    save_shot(bench.oled, shot)
    print_lines(drawn(bench.frame(), style))
    return OK


# --- in a terminal ---


def play_live(folder, style=AUTO, shot=None, uf2=None) -> int:
    """Plays in this terminal until the player has enough; returns the exit code."""
    from kiebitz_host.sim.pty_port import PtyPort
    from kiebitz_host.sim.terminal_front import Front

    folder = Path(folder)
    bench = make_bench(folder, uf2)
    keeper = Keeper(bench, folder)
    hardware = _Hands(bench)
    with PtyPort(bench.serial) as usb, Front(bench.oled.width, bench.oled.height, style, usb.path, hardware) as front:
        tell_usb_port(folder, usb.path)
        player = Player(hardware, front, usb)
        try:
            while True:
                player.wait(0 if hardware.time.behind else _REST_MS)
                keeper.keep()
        except PowerOff:
            keeper.keep()
    save_shot(bench.oled, shot)
    return OK if front.stopped_by in (0, signal.SIGINT) else 128 + front.stopped_by


class _Hands:
    """The bench as the player of the simulator knows hardware, with a line that tells how fast it is."""

    def __init__(self, bench: Bench):
        self.oled = bench.oled
        self.press = bench.press
        self.release = bench.release
        self.time = ChipTime(bench)
        self._buzzer = bench.buzzer

    @property
    def tone(self) -> int:
        return self._buzzer.tone

    def __str__(self) -> str:
        return f"emulated RP2040: {self.time.percent} % of real time"


class ChipTime:
    """Lets the chip follow real time, one slice after the other; if it cannot, its time goes slower."""

    def __init__(self, bench: Bench):
        self._bench = bench
        self.behind = False
        self.percent = 100
        self._start = time.monotonic()  # of the time it is to follow
        self._measured = (self._start, 0.0)

    @property
    def elapsed(self) -> float:
        """Emulated milliseconds."""
        return self._bench.ms

    def catch_up(self) -> None:
        """Runs the chip for a slice, if it is time for it."""
        now = time.monotonic()
        self._measure(now)
        lag_ms = (now - self._start) * 1000 - self._bench.ms
        if lag_ms >= _SLICE_MS:
            self._bench.run_ms(_SLICE_MS)
            lag_ms = (time.monotonic() - self._start) * 1000 - self._bench.ms
        self.behind = lag_ms >= _SLICE_MS
        if self.behind:
            self._start += (lag_ms - _SLICE_MS) / 1000  # lost time is not made up for: nobody wants a burst

    def _measure(self, now: float) -> None:
        since, ms = self._measured
        if now - since >= _MEASURE_S:
            self.percent = min(100, round((self._bench.ms - ms) / (now - since) / 10))
            self._measured = (now, self._bench.ms)
