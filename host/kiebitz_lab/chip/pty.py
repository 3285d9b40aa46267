"""Serve the USB port of an emulated Pico as a pseudo-terminal, in a separate process in real time.

with Port(rig) as port:
    subprocess.run(["mpremote", "connect", port.name, "fs", "ls"])
    port.call("tap", "ok")
    assert port.call("oled.lit")
"""

import multiprocessing
import select
import time
import traceback
import warnings
from collections.abc import Callable
from contextlib import ExitStack

from kiebitz_host.sim.terminal_ui import PtyPort

from .rig import Rig

_SLICE_MS = 1.0  # of emulated time, between two polls of the port
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
                self._bench.run_ms(_SLICE_MS)
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
