"""Measure what takes the room in the image: MicroPython, each package and language, fonts, and what is free.

Each byte of the image belongs to one row. The owner of a byte is found by the symbols of the linked program: those of
frozen modules carry the module's name, and long constants are found through the objects that point to them.
"""

from collections import Counter
from pathlib import Path
from typing import Any

from kiebitz_host.flash_layout import FS_START
from kiebitz_host.outcome import Trouble
from rich import box
from rich.console import Console
from rich.table import Table as Grid

from .build import Program, current_image, elf_of

MICROPYTHON, NAMES, FONTS = "MicroPython", "names of the firmware", "fonts"
_FROZEN = (
    "const_obj_table_data_", "const_qstr_table_data_", "const_obj_", "children_", "frozen_module_", "fun_data_",
    "proto_fun_",
)  # fmt: skip
_POOL = "mp_qstr_frozen_const_"  # the interned names that are in the firmware and not in MicroPython
_LISTS = "mp_frozen_"  # the names of the modules and where they are
_FONT = "kiebitz/raster/font_"
_LANGUAGES = "kiebitz_languages"
_STR = 16  # bytes of a string or bytes object: type, hash, length, address of its data


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
