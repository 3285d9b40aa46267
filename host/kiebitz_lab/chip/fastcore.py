"""Drives the emulated processor with a core in C; the emulator's own core executes what the C core leaves out."""

import ctypes
import math
from pathlib import Path

from .clocks import Clocks
from .xip import XipCache

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
    """Replaces the emulator's loop: run(engine) until engine.stopped."""

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
