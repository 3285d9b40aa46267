"""`make room`: print what takes the room in the image: MicroPython, each package and language, fonts, and what is free.

Each byte of the image belongs to one row. The owner of a byte is found by the symbols of the linked program: those of
frozen modules carry the module's name, and long constants are found through the objects that point to them.
"""

import struct
import sys
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from kiebitz_host.install.uf2 import FS_START
from kiebitz_host.outcome import BAD_USAGE, OK, Trouble
from rich import box
from rich.console import Console
from rich.table import Table as Grid

from .build import current_image, elf_of

MICROPYTHON, NAMES, FONTS = "MicroPython", "names of the firmware", "fonts"
_FROZEN = (
    "const_obj_table_data_", "const_qstr_table_data_", "const_obj_", "children_", "frozen_module_", "fun_data_",
    "proto_fun_",
)  # fmt: skip
_POOL = "mp_qstr_frozen_const_"  # the interned names that are in the firmware and not in MicroPython
_LISTS = "mp_frozen_"  # the names of the modules and where they are
_FONT = "kiebitz/raster/font_"
_LANGUAGES = "kiebitz_languages"
_PT_LOAD, _SHT_SYMTAB = 1, 2
_STR = 16  # bytes of a string or bytes object: type, hash, length, address of its data


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


def row_of(module: str) -> str:
    """Return the row of a frozen module: its package, its language, or the fonts."""
    if module.startswith(_FONT):
        return FONTS
    *folders, file = module.removesuffix(".py").split("/")
    if folders == [_LANGUAGES]:
        return _LANGUAGES if file == "__init__" else f"{_LANGUAGES}.{file}"
    return ".".join(folders[:3]) or file


def room(elf: Path, limit: int) -> dict[str, Any]:
    """Measure a linked image that must end before `limit`.

    Returns {"size", "free", "rows": {row: bytes}}, the largest row first; the rows add up to the size.
    """
    program = Program(elf.read_bytes())
    by_name = {symbol.name: symbol for symbol in program.symbols}
    if "mp_frozen_names" not in by_name:
        raise Trouble(f"{elf} has no frozen modules.")
    names = program.bytes_of(by_name["mp_frozen_names"]).decode().split("\0")
    modules = {name.removesuffix(".py").replace("/", "_"): row_of(name) for name in names if name}
    rows = [MICROPYTHON, NAMES, *sorted(set(modules.values()))]
    owners = bytearray(len(program.content))  # the number of a row for each byte

    def claim(start: int, size: int, row: str) -> None:
        at = program.offset(start)
        if at is not None:
            owners[at : at + size] = bytes([rows.index(row)]) * size

    texts = {by_name[name].start for name in ("mp_type_str", "mp_type_bytes")}
    for symbol in program.symbols:
        if symbol.name.startswith((_POOL, _LISTS)):
            claim(symbol.start, symbol.size, NAMES)
        elif module := _module_of(symbol.name, modules):
            claim(symbol.start, symbol.size, modules[module])
            words = program.words_of(symbol)
            if symbol.size == _STR and words and words[0] in texts:
                claim(words[3], words[2] + 1, modules[module])  # C puts a zero behind each
    lengths = program.bytes_of(by_name[_POOL + "lengths"])
    for start, size in zip(program.words_of(by_name[_POOL + "pool"])[-len(lengths) :], lengths, strict=True):
        claim(start, size + 1, NAMES)
    sizes = {rows[number]: size for number, size in Counter(owners).most_common()}
    return {"size": len(owners), "free": limit - len(owners), "rows": sizes}


def _module_of(symbol: str, modules: dict[str, str]) -> str:
    """Return the longest name of a module that a symbol of a frozen module begins with; empty if there is none."""
    for prefix in _FROZEN:
        if symbol.startswith(prefix):
            words = symbol[len(prefix) :].split("_")
            starts = ("_".join(words[:k]) for k in range(len(words), 0, -1))
            return next((start for start in starts if start in modules), "")
    return ""


def current_room() -> dict[str, Any]:
    """Measure the image of this checkout, built if it does not exist yet."""
    return room(elf_of(current_image()), FS_START)


def show(figures: dict[str, Any], console: Console | None = None) -> None:
    """Print a line for each row, the largest first, and what is free before the file system."""
    grid = Grid(box=box.SIMPLE_HEAD, title="The room in the image, in bytes", title_justify="left", show_footer=True)
    grid.add_column("what", footer="image", no_wrap=True)
    grid.add_column("bytes", footer=f"{figures['size']:,}", justify="right")
    for row, size in figures["rows"].items():
        grid.add_row(row, f"{size:,}")
    (console or Console()).print(grid)
    (console or Console()).print(f"Free before the file system: {figures['free']:,} bytes.")


def main() -> int:
    """Print the table. Returns the exit code."""
    try:
        show(current_room())
    except Trouble as trouble:
        print(f"kiebitz: {trouble}", file=sys.stderr)
        return BAD_USAGE
    return OK


if __name__ == "__main__":
    sys.exit(main())
