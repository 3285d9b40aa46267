"""Run the simulated device in a thread, with its USB cable in memory.

It needs no pseudo-terminal, so it runs on every system. While it runs, the program's working directory is its flash.
"""

import threading
import time
from collections import deque
from pathlib import Path

from ..link.trouble import LinkLost, PortBusy
from ..system import publish_simulator_port
from . import device
from .device import LiveTime, pico_of
from .hardware import PowerOff

NAME = "simulator"
TAP_MS, GAP_MS = 50, 50  # of simulated key presses
SLEEPS_MIN = 20  # of the firmware per key state, so that it sees each one even if this program is delayed
START_S = 10.0  # timeout for the first picture, on a busy computer


class SimulatedDevice:
    """A device that runs from start() to stop(). `hardware` is its Pico, with display and keys."""

    def __init__(self, flash):
        self._flash = Path(flash)
        self._clock = LiveTime()
        self._clock.wait = self._wait
        self.hardware = pico_of(flash, self._clock)
        self._change = threading.Condition()  # guards all state shared by both threads
        self._to_device = bytearray()
        self._to_host = bytearray()
        self._plugged = False
        self._taps: deque[tuple[str, int]] = deque()  # (key, milliseconds)
        self._down = ""  # the key that is pressed
        self._stays = 0  # time until the key state is held
        self._sleeps = 0  # of the firmware since the last change of the key state
        self._ends = False
        self._awake = threading.Event()  # set when the firmware has slept for the first time
        self._thread = threading.Thread(target=self._run, name=NAME, daemon=True)

    def start(self):
        """Switch the device on, and wait for its first picture. Returns the device."""
        publish_simulator_port(self._flash, "")  # clear it, because no other program can open this port
        self._thread.start()
        self._awake.wait(START_S)
        return self

    def stop(self):
        """Switch the device off."""
        with self._change:
            self._ends = True
            self._change.notify_all()
        self._thread.join()

    def tap(self, key, ms=TAP_MS):
        """Queue a key press of `ms` after all earlier ones."""
        with self._change:
            self._taps.append((key, ms))
            self._change.notify_all()

    def is_on(self):
        return self._thread.is_alive()

    def _run(self):
        device.run(self.hardware, self._flash)
        with self._change:
            self._plugged = False
            self._change.notify_all()

    def _wait(self, ms):
        """Sleep for `ms` of the firmware, and transfer data meanwhile."""
        self._awake.set()
        self._sleeps += 1
        clock, usb = self._clock, self.hardware.usb
        clock.catch_up()
        end = clock.elapsed + ms
        while True:
            with self._change:
                if self._ends:
                    raise PowerOff
                if self._plugged != usb.connected:
                    usb.connect() if self._plugged else usb.disconnect()
                if clock.elapsed >= self._stays and self._sleeps >= SLEEPS_MIN:
                    self._move_finger(clock.elapsed)
                usb.send(self._to_device)
                self._to_device.clear()
                data = usb.receive()
                if data:
                    self._to_host += data
                    self._change.notify_all()
                left = end - clock.elapsed
                if left > 0:
                    self._change.wait(left / 1000)
            clock.catch_up()
            if clock.elapsed >= end:
                return

    def _move_finger(self, now):
        """Release the pressed key, or press the next one."""
        if self._down:
            self.hardware.release(self._down)
            self._down, self._stays = "", now + GAP_MS
        elif self._taps:
            self._down, length = self._taps.popleft()
            self.hardware.press(self._down)
            self._stays = now + length
        else:
            return
        self._sleeps = 0

    # --- the host's end ---

    def plug(self):
        """Open the port of the device. Returns the transport; only one can be open."""
        with self._change:
            if not self.is_on() or self._ends:
                raise LinkLost(NAME)
            if self._plugged:
                raise PortBusy(NAME)
            self._to_device.clear()
            self._to_host.clear()
            self._plugged = True
        return Plugged(self)

    def pull(self):
        """Disconnect the cable, so that the next read or write raises LinkLost."""
        with self._change:
            self._plugged = False
            self._change.notify_all()

    def carry(self, data):
        """Send data to the device."""
        with self._change:
            if not self._plugged:
                raise LinkLost(NAME)
            self._to_device += data
            self._change.notify_all()

    def fetch(self, seconds):
        """Wait at most `seconds` for data from the device. Returns the data."""
        with self._change:
            self._change.wait_for(lambda: self._to_host or not self._plugged, seconds)
            if not self._plugged:
                raise LinkLost(NAME)
            data = bytes(self._to_host)
            self._to_host.clear()
        return data


class Plugged:
    """The open port of a simulated device, with the transport interface of the link."""

    name = NAME
    clock = staticmethod(time.monotonic)

    def __init__(self, of):
        self._of = of

    def read(self, seconds):
        return self._of.fetch(max(0.0, seconds))

    def write(self, data):
        self._of.carry(data)

    def close(self):
        self._of.pull()
