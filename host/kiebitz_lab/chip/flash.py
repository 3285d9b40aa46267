"""Emulate the flash chip with real timing, a log and torn operations, and create and read its file system.

All changes reach the emulator's flash when the chip is deselected after a command, which is hooked here. The file
system is littlefs in MicroPython's layout.
"""

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from kiebitz_host.flash_layout import BLOCK, BLOCKS, FLASH_SIZE, FS_START
from kiebitz_host.install.uf2 import read_uf2

from .pico import NS_PER_MS, Pico

ERASE_MS = 45.0  # a sector of 4096 bytes
PROGRAM_MS = 0.7  # a page of 256 bytes

BEFORE, TORN, AFTER = "before", "torn", "after"

_READ_STATUS = 0x05
_PROGRAM = 0x02
_ERASE_SIZES = {0x20: 4096, 0xD8: 65536}
_SECTOR = 4096


class Operation(NamedTuple):
    """One entry of the log."""

    ms: float
    kind: str  # "erase" or "program"
    address: int
    size: int


class NorFlash:
    """The flash chip of a Pico; it hooks into the emulator's flash interface."""

    def __init__(self, pico: Pico, erase_ms: float = ERASE_MS, program_ms: float = PROGRAM_MS, seed: int = 0):
        self.operations: list[Operation] = []
        self.cut: Operation | None = None  # the operation at which the power was cut, if any
        self.on_operation: Callable[[Operation, bytes], None] | None = None  # called for each one, with the new content
        self.erase_ms = erase_ms
        self.program_ms = program_ms
        self._pico = pico
        self._memory = pico.mcu.flash
        self.chance = random.Random(seed)  # decides what remains of an unfinished operation
        self._cut_at: int | None = None
        self._cut_how = TORN
        self._busy_until = 0.0
        self._underway: tuple[float, Operation, bytes, bytes] | None = None  # start, operation, old and new content
        ssi: Any = pico.mcu.ssi  # its private members are used here
        self._ssi = ssi
        self._apply, self._shift = ssi._apply_command, ssi._shift_byte
        ssi._apply_command = self._command_complete
        ssi._shift_byte = self._byte_shifted

    @property
    def busy(self) -> bool:
        return self._pico.ns < self._busy_until

    @property
    def done_ms(self) -> float:
        """The time when the last operation ends or ended."""
        return self._busy_until / NS_PER_MS

    # --- power cuts ---

    def cut_at_operation(self, ahead: int = 0, how: str = TORN) -> None:
        """Cut the power before, in or after a future operation; 0 is the very next."""
        self._cut_at = len(self.operations) + ahead
        self._cut_how = how

    def cut_now(self) -> None:
        """Cut the power. The operation in progress stays unfinished and nothing more is written."""
        if self._underway and self.busy:
            began, operation, old, new = self._underway
            part = (self._pico.ns - began) / (self._busy_until - began)
            self._tear(operation, old, new, part)
            self.cut = operation
        self._pico.power_off()

    def _tear(self, operation: Operation, old: bytes, new: bytes, part: float) -> None:
        at = operation.address
        torn = _torn_erase if operation.kind == "erase" else _torn_program
        self._memory[at : at + operation.size] = torn(old, new, part, self.chance)

    # --- inside the emulator ---

    def _byte_shifted(self, byte: int) -> int:
        """Answer a status request; while the chip is busy, advance the time to the end of the operation."""
        answer = self._shift(byte)
        if self._ssi._tx_buffer[0] == _READ_STATUS and self.busy:
            self._pico.clock.tick(self._busy_until - self._pico.ns)
        return answer

    def _command_complete(self) -> None:
        operation = self._operation()
        if operation is None:
            self._apply()
            return
        if not self._pico.powered:
            self._ssi._tx_buffer.clear()
            return
        if self._cut_at == len(self.operations):
            self._cut(operation)
            return
        self._do(operation)

    def _operation(self) -> Operation | None:
        """Return the change requested by the command in the buffer, or None if it changes nothing."""
        command = self._ssi._tx_buffer
        if len(command) < 4 or not self._ssi._write_enabled:
            return None
        address = command[1] << 16 | command[2] << 8 | command[3]
        if command[0] in _ERASE_SIZES:
            size = _ERASE_SIZES[command[0]]
            return Operation(self._pico.ms, "erase", address & -size, size)
        if command[0] == _PROGRAM and len(command) > 4:
            return Operation(self._pico.ms, "program", address, len(command) - 4)
        return None

    def _do(self, operation: Operation) -> None:
        at, size = operation.address, operation.size
        old = bytes(self._memory[at : at + size])
        self._apply()
        self.operations.append(operation)
        took = self.program_ms if operation.kind == "program" else self.erase_ms * size / _SECTOR
        self._busy_until = self._pico.ns + took * NS_PER_MS
        new = bytes(self._memory[at : at + size])
        self._underway = (self._pico.ns, operation, old, new)
        if self.on_operation:
            self.on_operation(operation, new)

    def _cut(self, operation: Operation) -> None:
        if self._cut_how == BEFORE:
            self._ssi._tx_buffer.clear()
        else:
            self._do(operation)
            if self._cut_how == TORN and self._underway:
                _, _, old, new = self._underway
                self._tear(operation, old, new, self.chance.random())
        self.cut = operation
        self._pico.power_off()


def _torn_erase(old: bytes, new: bytes, part: float, chance: random.Random) -> bytes:
    """Return an unfinished erase, a mixture because the chip first clears all bits and then sets them."""
    if part < 0.3:
        return bytes(byte & chance.getrandbits(8) if chance.random() < part / 0.3 else byte for byte in old)
    return bytes(byte if chance.random() < part else chance.getrandbits(8) for byte in new)


def _torn_program(old: bytes, new: bytes, part: float, chance: random.Random) -> bytes:
    """Return an unfinished write, complete up to one byte with some of its bits; the rest is unchanged."""
    done = int(part * len(old))
    half = old[done] & (new[done] | chance.getrandbits(8))
    return new[:done] + bytes([half]) + old[done + 1 :]


FS_END = FS_START + BLOCK * BLOCKS

_FILLER = "filler"


class BadFileSystem(Exception):
    """The flash holds no file system, or a damaged one."""


def flash_with(uf2: Path, files: Mapping[str, bytes] = MappingProxyType({})) -> bytes:
    """Return a whole flash with an image and a new file system with these files."""
    flash = bytearray(b"\xff" * FLASH_SIZE)
    program = read_uf2(uf2)
    flash[: len(program)] = program
    flash[FS_START:FS_END] = make_file_system(files)
    return bytes(flash)


def make_file_system(files: Mapping[str, bytes], blocks: int = BLOCKS) -> bytes:
    """Return a new file system with these files."""
    lfs, context = _littlefs(blocks=blocks)
    lfs.format()
    lfs.mount()
    _put(lfs, files)
    return bytes(context.buffer)


def read_files(flash: bytes, folder: str = "") -> dict[str, bytes]:
    """Return the files on a flash by path, or only those in a folder; raises BadFileSystem."""
    from littlefs import LittleFSError

    lfs, _ = _littlefs(flash)
    found = {}
    try:
        lfs.mount()
        for root, _, names in lfs.walk("/" + folder):
            for name in names:
                path = f"{root.rstrip('/')}/{name}"
                with lfs.open(path, "rb") as file:
                    found[path.lstrip("/")] = file.read()
    except LittleFSError as trouble:
        if trouble.code == LittleFSError.Error.LFS_ERR_NOENT:
            return {}
        raise BadFileSystem(str(trouble)) from None
    return found


def changed(flash: bytes, files: Mapping[str, bytes | None]) -> bytes:
    """Return the flash with these files written; None removes a file."""
    lfs, context = _littlefs(flash)
    lfs.mount()
    _put(lfs, {name: data for name, data in files.items() if data is not None})
    for name, data in files.items():
        if data is None:
            lfs.remove(name)
    return _with_file_system(flash, bytes(context.buffer))


def filled(flash: bytes, free_blocks: int = 0) -> bytes:
    """Return the flash filled up to `free_blocks` free blocks."""
    lfs, context = _littlefs(flash)
    lfs.mount()
    with lfs.open(_FILLER, "wb") as file:
        while lfs.fs_stat().block_count - lfs.used_block_count > free_blocks:
            file.write(bytes(BLOCK // 8))
            file.flush()
    return _with_file_system(flash, bytes(context.buffer))


def damaged(flash: bytes) -> bytes:
    """Return the flash with both copies of the root damaged, so that it cannot be mounted."""
    spoilt = bytearray(flash)
    for at in range(FS_START, FS_START + 2 * BLOCK):
        spoilt[at] ^= 0x5A
    return bytes(spoilt)


def _littlefs(flash: bytes | None = None, blocks: int = BLOCKS):
    from littlefs import LittleFS, UserContext

    context = UserContext(buffsize=BLOCK * blocks)
    if flash is not None:
        context.buffer[:] = flash[FS_START:FS_END]
    lfs = LittleFS(context=context, block_size=BLOCK, block_count=blocks, prog_size=256, mount=False)
    return lfs, context


def _put(lfs, files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        folder = name.rpartition("/")[0]
        if folder:
            lfs.makedirs(folder, exist_ok=True)
        with lfs.open(name, "wb") as file:
            file.write(data)


def _with_file_system(flash: bytes, content: bytes) -> bytes:
    return flash[:FS_START] + content + flash[FS_END:]
