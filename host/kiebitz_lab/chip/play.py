"""Run the simulator's terminal with the firmware on the emulated RP2040 (`kiebitz sim --chip`).

Also serve its USB port as a pseudo-terminal, in a separate process in real time:

with Port(rig) as port:
    subprocess.run(["mpremote", "connect", port.name, "fs", "ls"])
    port.call("tap", "ok")
"""

import multiprocessing
import os
import select
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from contextlib import ExitStack
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

from ..image.build import current_image
from .flash import BadFileSystem, flash_with
from .probes import ReferenceDevice
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


_PORT_SLICE_MS = 1.0  # of emulated time, between two polls of the port
_REST_S = 0.01  # between two polls of the port while there is nothing to do
_AHEAD_S = 0.002  # the emulation may run ahead this far before it waits
_BEHIND_S = 0.25  # and fall behind this far before the loss is accepted
_ENUMERATED_MS = 1000
_END_S = 5

_UNPLUG, _PLUG = "unplug", "plug"


class PortFailed(Exception):
    """The process that serves the port has failed; the message is its traceback."""


class Port:
    """A pseudo-terminal for a rig, or for one that a function makes, from its enumeration until close()."""

    def __init__(self, rig: Rig | Callable[[], Rig]):
        context = multiprocessing.get_context("fork")  # the other process takes over the rig as it is
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(self._pipe, theirs, rig), daemon=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # our other threads do not matter to the copy
            self._process.start()
        theirs.close()
        self.name = ""  # the path that others open; empty while the cable is pulled
        self._answer()

    def call(self, what: str, *arguments):
        """Call a method of the rig or read an attribute, as "tap", "flash.cut_at_operation" or "oled.lit".

        Returns the result, which must be picklable. If the result is a rig, as from power_cut(), it replaces the one
        before, and its port is a new one.
        """
        self._pipe.send((what, arguments))
        return self._answer()

    def unplug(self) -> None:
        """Pull the cable and close the port."""
        self.call(_UNPLUG)

    def plug(self) -> None:
        """Plug the cable in. The new port may have another name."""
        self.call(_PLUG)

    def _answer(self):
        try:
            good, answer, self.name = self._pipe.recv()
        except EOFError:
            raise PortFailed("it ended without a word") from None
        if not good:
            raise PortFailed(answer)
        return answer

    def close(self) -> None:
        self._pipe.close()
        self._process.join(_END_S)
        if self._process.is_alive():
            self._process.terminate()
            self._process.join()

    def __enter__(self) -> "Port":
        return self

    def __exit__(self, *_) -> None:
        self.close()


def _serve(others_end, pipe, rig: Rig | Callable[[], Rig]) -> None:
    """Run the server process until the pipe is closed."""
    others_end.close()
    try:
        _Server(pipe, rig if isinstance(rig, Rig) else rig()).run()
    except (EOFError, BrokenPipeError):
        pass
    except Exception:
        pipe.send((False, traceback.format_exc(), ""))


class _Server:
    def __init__(self, pipe, rig: Rig):
        self._pipe = pipe
        self._bench = rig
        self._cable = ExitStack()
        self._port: PtyPort | None = None

    def run(self) -> None:
        self._open()
        self._tell(True, None)
        self._set_pace()
        while True:
            while self._pipe.poll():
                self._obey(*self._pipe.recv())
            if self._port:
                self._port.pump()
            if self._bench.pico.powered:
                self._bench.run_ms(_PORT_SLICE_MS)
            self._look_for_bootloader()
            self._wait()

    def _open(self) -> None:
        """Make the port, and wait until the device is enumerated, as a system does."""
        self._port = self._cable.enter_context(PtyPort(self._bench.serial))
        self._bench.pico.run_until(lambda: self._bench.serial.connected_ms is not None, _ENUMERATED_MS)
        self._bench.serial.receive()

    def _look_for_bootloader(self) -> None:
        """Close the port of a device that has become a drive."""
        if self._port and self._bench.pico.in_bootloader:
            self._close()

    def _close(self) -> None:
        self._cable.close()
        self._port = None

    # --- the pace ---

    def _set_pace(self) -> None:
        self._started = time.monotonic() - self._bench.ms / 1000

    def _wait(self) -> None:
        ahead = self._bench.ms / 1000 - (time.monotonic() - self._started)
        if ahead < -_BEHIND_S:
            self._set_pace()
        elif ahead > _AHEAD_S or not self._bench.pico.powered:
            select.select([self._pipe.fileno()], [], [], min(max(ahead, _AHEAD_S), _REST_S))

    # --- calls ---

    def _obey(self, what: str, arguments: tuple) -> None:
        try:
            answer = self._do(what, arguments)
        except Exception:
            self._tell(False, traceback.format_exc())
        else:
            self._tell(True, answer)

    def _tell(self, good: bool, answer) -> None:
        self._look_for_bootloader()
        self._pipe.send((good, answer, self._port.path if self._port else ""))

    def _do(self, what: str, arguments: tuple):
        if what == _UNPLUG:
            return self._close()
        if what == _PLUG:
            return self._open()
        answer: object = self._bench
        for part in what.split("."):
            answer = getattr(answer, part)
        if callable(answer):
            answer = answer(*arguments)
        if isinstance(answer, Rig):
            self._go_on_with(answer)
            return None
        return answer

    def _go_on_with(self, rig: Rig) -> None:
        if rig is not self._bench:
            self._close()
            self._bench = rig
            self._open()
        self._set_pace()
