"""Drive the emulated processor with a core in C, compiled once; model its clock tree and the cache of its flash.

Run as a program (`make chip`), it builds the core and the image.
"""

import ctypes
import hashlib
import math
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kiebitz_host.outcome import BAD_USAGE, OK, Trouble
from rp2040py.peripherals.peripheral import BasePeripheral

from ..image.build import current_image
from . import require
from .cache_folder import cache_folder, only_one, seal, sealed

XOSC_HZ = 12_000_000
# The chip runs from the ring oscillator until the program starts a PLL. It has about 6.5 MHz, and no two are alike.
# At this frequency a cycle is a whole number of nanoseconds, so both cores add up to the same time.
ROSC_HZ = 6_250_000

# Registers of a PLL, their values after a reset, and bits of them
_CS, _PWR, _FBDIV, _PRIM = 0x0, 0x4, 0x8, 0xC
_PLL_RESET = {_CS: 1, _PWR: 0x2D, _FBDIV: 0, _PRIM: 0x77000}
_LOCK = 1 << 31
_REFDIV = 0x3F
_POWERED_DOWN = 0x21  # PWR: the PLL or its oscillator


class Pll(BasePeripheral):
    """One PLL; it locks as soon as it has power."""

    def __init__(self, mcu, name: str, changed):
        super().__init__(mcu, name)
        self._changed = changed
        self.reset()

    def reset(self) -> None:
        self._registers = dict(_PLL_RESET)

    @property
    def hz(self) -> float:
        """The output frequency; 0 while the PLL is off."""
        registers = self._registers
        if registers[_PWR] & _POWERED_DOWN or not registers[_FBDIV]:
            return 0
        vco = XOSC_HZ / (registers[_CS] & _REFDIV) * registers[_FBDIV]
        return vco / (registers[_PRIM] >> 16 & 7) / (registers[_PRIM] >> 12 & 7)

    def read_uint32(self, offset: int) -> int:
        value = self._registers.get(offset, 0)
        return value | _LOCK if offset == _CS and not self._registers[_PWR] & _POWERED_DOWN else value

    def write_uint32(self, offset: int, value: int) -> None:
        if offset in self._registers:
            self._registers[offset] = value & ~_LOCK if offset == _CS else value
            self._changed()


class Clocks:
    """The clocks of an emulated chip, taken from its registers whenever the program writes to them."""

    def __init__(self, mcu):
        self._mcu = mcu
        self._registers: Any = mcu.clocks
        self._write = mcu.clocks.write_uint32
        mcu.clocks.write_uint32 = self._written
        self._pll_sys = mcu.peripherals[0x40028] = Pll(mcu, "PLL_SYS", self._update)
        self._pll_usb = mcu.peripherals[0x4002C] = Pll(mcu, "PLL_USB", self._update)
        self.reset()

    def reset(self) -> None:
        """Run from the ring oscillator again, as after a reset of the chip."""
        self.fastest_hz = 0.0
        self._pll_sys.reset()
        self._pll_usb.reset()
        self._update()

    def _written(self, offset: int, value: int) -> None:
        self._write(offset, value)
        self._update()

    def _update(self) -> None:
        """Take over the frequencies that the registers ask for."""
        registers, usb = self._registers, self._pll_usb.hz
        ref = (ROSC_HZ, usb, XOSC_HZ, 0)[registers.ref_ctrl & 3]
        aux = (self._pll_sys.hz, usb, ROSC_HZ, XOSC_HZ, 0, 0, 0, 0)
        sys = aux[registers.sys_ctrl >> 5 & 7] if registers.sys_ctrl & 1 else ref
        # A program that stops its own clock would hang, so the previous clock is kept.
        self.sys_hz = sys * 256 / (registers.sys_div or 256) or self.sys_hz
        self.cycle_ns = 1e9 / self.sys_hz
        self.fastest_hz = max(self.fastest_hz, self.sys_hz)
        self._mcu.clk_sys = self.sys_hz
        for channel in self._mcu.pwm.channels:
            channel.timer._base_freq = self.sys_hz
        peri = (self.sys_hz, self._pll_sys.hz, usb, ROSC_HZ, XOSC_HZ, 0, 0, 0)[registers.peri_ctrl >> 5 & 7]
        self._mcu.clk_peri = peri or self.sys_hz

    sys_hz: float = ROSC_HZ


_FLUSH = 0x04  # registers of XIP_CTRL
_HITS = 0x0C
_ACCESSES = 0x10
_COUNTER_MAX = 0xFFFFFFFF  # the chip's counters stop here
_SETS = 1024


class _XipState(ctypes.Structure):
    """The `struct xip` of fastcore.h."""

    _fields_ = [
        ("hits", ctypes.c_uint64),
        ("accesses", ctypes.c_uint64),
        ("word", ctypes.c_uint32),
        ("pc", ctypes.c_uint32),
        ("tags", ctypes.c_uint16 * 2 * _SETS),
    ]


class XipCache:
    """An empty cache in front of this emulated chip's flash; a program that flushes the cache empties it again."""

    def __init__(self, mcu):
        self.flushes = 0
        self._state = _XipState()
        self._registers: Any = mcu.xip_ctrl
        self._read, self._registers.read_uint32 = self._registers.read_uint32, self._register_read
        self._write, self._registers.write_uint32 = self._registers.write_uint32, self._register_written

    @property
    def address(self) -> int:
        """The address of the state, for the core in C."""
        return ctypes.addressof(self._state)

    @property
    def accesses(self) -> int:
        """The number of reads since power-on, or since a program cleared the counter."""
        return self._state.accesses

    @property
    def hits(self) -> int:
        """The number of these reads that did not have to wait for the flash."""
        return self._state.hits

    @property
    def misses(self) -> int:
        return self.accesses - self.hits

    def flush(self) -> None:
        """Empty the cache; the counters stay."""
        self.flushes += 1
        ctypes.memset(self._state.tags, 0, ctypes.sizeof(self._state.tags))

    def reset(self) -> None:
        """Empty the cache and clear its counters, as a reset of the chip does."""
        ctypes.memset(self.address, 0, ctypes.sizeof(self._state))

    # --- inside the emulator ---

    def _register_read(self, offset: int) -> int:
        if offset == _HITS:
            return min(self.hits, _COUNTER_MAX)
        if offset == _ACCESSES:
            return min(self.accesses, _COUNTER_MAX)
        return self._read(offset)

    def _register_written(self, offset: int, value: int) -> None:
        if offset == _FLUSH:
            self.flush()
        elif offset == _HITS:
            self._state.hits = 0
        elif offset == _ACCESSES:
            self._state.accesses = 0
        self._write(offset, value)


_SOURCE = Path(__file__).with_name("fastcore.c")
_HEADER = Path(__file__).with_name("fastcore.h")
Say = Callable[[str], None]

_COMPILER_FLAGS = ("-O3", "-shared", "-fPIC", "-fomit-frame-pointer")


def say_aside(line: str) -> None:
    print(f"emulator: {line}", file=sys.stderr, flush=True)


def fast_library(say: Say = say_aside) -> Path | None:
    """Return the compiled core, made on first use; None if it cannot be made here."""
    compiler = os.environ.get("CC") or shutil.which("gcc") or shutil.which("cc")
    if not compiler or sys.byteorder != "little" or os.name != "posix":
        return None
    digest = hashlib.sha256(_SOURCE.read_bytes() + _HEADER.read_bytes()).hexdigest()[:12]
    name = f"fastcore-{digest}-{os.uname().machine}.so"
    library = cache_folder() / name
    if not sealed(library):
        with only_one("fastcore", say):
            if not sealed(library):
                return _compile(compiler, library, say)
    return library


def _compile(compiler: str, library: Path, say: Say) -> Path | None:
    made = library.with_suffix(".part")
    done = subprocess.run([compiler, *_COMPILER_FLAGS, "-o", str(made), str(_SOURCE)], capture_output=True, text=True)
    if done.returncode:
        say(f"{compiler} does not compile {_SOURCE.name}, so it runs slowly: {done.stderr.strip()[:300]}")
        return None
    os.replace(made, library)
    seal(library)
    return library


_TURNS = 10_000  # turns after which Python checks for Ctrl-C


class _State(ctypes.Structure):
    """The `struct core` of fastcore.c."""

    _fields_ = [
        ("r", ctypes.c_void_p),
        ("flash", ctypes.c_void_p),
        ("sram", ctypes.c_void_p),
        ("bootrom", ctypes.c_void_p),
        ("xip", ctypes.c_void_p),
        ("nanos", ctypes.c_double),
        ("cycle_ns", ctypes.c_double),
        ("apsr", ctypes.c_uint32),
        ("primask", ctypes.c_uint32),
        ("pending", ctypes.c_uint32),
        ("event", ctypes.c_uint32),
        ("i2c0_state", ctypes.c_uint32),
        ("i2c1_state", ctypes.c_uint32),
        ("divided", ctypes.c_uint32),
        ("locks", ctypes.c_uint32),
        ("dividend", ctypes.c_uint32),
        ("divisor", ctypes.c_uint32),
        ("quotient", ctypes.c_uint32),
        ("remainder", ctypes.c_uint32),
        ("csr", ctypes.c_uint32),
        ("flags", ctypes.c_uint32 * 4),
        ("used", ctypes.c_int64),
        ("leave", ctypes.c_int),
    ]


class FastCore:
    """A replacement for the emulator's loop that runs until engine.stopped."""

    def __init__(self, library: Path, mcu, clocks: Clocks, xip: XipCache | None = None):
        self._run = ctypes.CDLL(str(library)).run
        self._run.argtypes = (ctypes.c_void_p, ctypes.c_int64)
        self._run.restype = ctypes.c_int64
        self._mcu = mcu
        self._clocks = clocks
        self._memories = (mcu.core.registers, mcu.flash, mcu.sram, mcu.bootrom)
        self._xip = xip
        self.reset()

    def reset(self) -> None:
        """Clear the state that only the C core has, when the processor is reset."""
        self._state = _State(*[_address(memory) for memory in self._memories], divisor=1)
        if self._xip:
            self._xip.reset()
            self._state.xip = self._xip.address

    def run(self, engine) -> None:
        """Run for a while, or until the engine is stopped."""
        mcu, state = self._mcu, self._state
        core, clock, timer = mcu.core, mcu.clock, mcu.timer
        i2c0, i2c1 = mcu.i2c
        clocks = self._clocks
        at, run = ctypes.addressof(state), self._run
        for _ in range(_TURNS):
            if engine.stopped or state is not self._state:
                return
            if core.waiting:
                clock.tick(clock.nanos_to_next_alarm)
                continue
            if core.interrupts_updated and core.check_for_interrupts():
                core.waiting = False
            state.apsr = core.apsr
            state.primask = core.pm
            state.pending = bool(
                core.pending_interrupts & core.enabled_interrupts
                or core.pending_pend_sv
                or core.pending_systick
                or core.pending_svcall
                or core.pending_nmi
            )
            state.i2c0_state, state.i2c1_state = i2c0.int_raw, i2c1.int_raw
            state.nanos = clock.nanos - timer._epoch_nanos
            cycle_ns = state.cycle_ns = clocks.cycle_ns
            limit = math.ceil(clock.nanos_to_next_alarm / cycle_ns) or 1
            used = run(at, limit)
            if used:
                core.apsr = state.apsr
                core.pm = bool(state.primask)
                core.cycles += used + state.divided
                state.divided = 0
                if state.event:
                    core.event_registered = True
                    state.event = 0
                if state.leave:
                    core.interrupts_updated = True
                clock.tick(used * cycle_ns)
            if used < limit and not state.leave:
                clock.tick(core.execute_instruction() * cycle_ns)


def _address(memory) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))


def main() -> int:
    try:
        require("sim --chip")
        current_image()
        fast_library()
    except Trouble as trouble:
        print(f"kiebitz: {trouble}", file=sys.stderr)
        return BAD_USAGE
    return OK


if __name__ == "__main__":
    sys.exit(main())
