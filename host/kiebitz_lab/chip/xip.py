"""Models the cache through which the processor reads the flash: its state, and its registers for programs.

The core in C looks up every read in this cache (fastcore.h). What is modelled and what is left out: docs/emulator.md.
"""

import ctypes
from typing import Any

_FLUSH = 0x04  # registers of XIP_CTRL
_HITS = 0x0C
_ACCESSES = 0x10
_COUNTER_MAX = 0xFFFFFFFF  # the chip's counters stop here
_SETS = 1024


class _State(ctypes.Structure):
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
        self._state = _State()
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
