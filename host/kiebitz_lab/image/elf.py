"""Read a linked program: its symbols, and what is in the flash."""

import struct
from typing import NamedTuple

from kiebitz_host.outcome import Trouble

_PT_LOAD, _SHT_SYMTAB = 1, 2


class Symbol(NamedTuple):
    """A name in the linked program, with its address and its size in bytes."""

    name: str
    start: int
    size: int


class Program:
    """A linked program: its symbols, and the content of the flash from its first byte on."""

    def __init__(self, data: bytes):
        if data[:6] != b"\x7fELF\x01\x01":
            raise Trouble("this is not a program for a Pico (32-bit ELF, little-endian).")
        self._data = data
        head = struct.unpack_from("<HHIIIIIHHHHHH", data, 16)
        parts = [struct.unpack_from("<8I", data, head[4] + k * head[8]) for k in range(head[9])]
        self._parts = [part for part in parts if part[0] == _PT_LOAD and part[4]]
        self.begin = min(part[3] for part in self._parts)
        content = bytearray(max(part[3] + part[4] for part in self._parts) - self.begin)
        for _, offset, _, load, size, *_ in self._parts:
            content[load - self.begin : load - self.begin + size] = data[offset : offset + size]
        self.content = bytes(content)
        sections = [struct.unpack_from("<10I", data, head[5] + k * head[10]) for k in range(head[11])]
        self.symbols = [symbol for section in sections if section[1] == _SHT_SYMTAB for symbol in self._read(
            section, sections[section[6]])]  # fmt: skip

    def _read(self, table: tuple[int, ...], names: tuple[int, ...]) -> list[Symbol]:
        """Return the symbols of a section that have a size."""
        found = []
        for name, value, size, info, _, _ in struct.iter_unpack("<IIIBBH", self._data[table[4] : table[4] + table[5]]):
            if size:
                at = names[4] + name
                thumb = value & 1 if info & 15 == 2 else 0  # the lowest bit of a function's address is its mode
                found.append(Symbol(self._data[at : self._data.index(0, at)].decode(), value - thumb, size))
        return found

    def offset(self, address: int) -> int | None:
        """Return where in the content something is that the program has at an address; None if it is not in flash."""
        for _, _, virtual, load, size, *_ in self._parts:
            if virtual <= address < virtual + size:
                return address - virtual + load - self.begin
        return None

    def bytes_of(self, symbol: Symbol) -> bytes:
        """Return the content of a symbol; empty if it is not in flash."""
        at = self.offset(symbol.start)
        return b"" if at is None else self.content[at : at + symbol.size]

    def words_of(self, symbol: Symbol) -> tuple[int, ...]:
        """Return the content of a symbol as 32-bit numbers."""
        data = self.bytes_of(symbol)
        return struct.unpack(f"<{len(data) // 4}I", data[: len(data) // 4 * 4])
