"""Compile MicroPython with the firmware frozen into it, and write build/kiebitz-VERSION.uf2 with its checksum.

For each further family of boards it writes the same image with another default: kiebitz-VERSION-FAMILY.uf2.
"""

import hashlib
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from kiebitz import VERSION
from kiebitz.board.family import MARK
from kiebitz.board.profiles import FAMILIES
from kiebitz_host.flash_layout import FS_START
from kiebitz_host.install.uf2 import (
    CHIPS,
    MICROPYTHON,
    RP2040,
    RP2350,
    SUM_SUFFIX,
    Chip,
    mark_of,
    read_uf2,
    uf2_name,
)
from kiebitz_host.outcome import Trouble

from kiebitz_lab.chip.cache_folder import Entry, cache_folder, only_one, seal, sealed

from ..frozen_tree import ROOT, write_tree

BUILD = ROOT / "build"
HERE = Path(__file__).parent
MARGIN = 16 * 1024  # free space between the image and the file system
# The image does not depend on the day of its build (this is the day of MicroPython's release), nor on Python's random
# order of sets
_SAME_EVERYWHERE = {"SOURCE_DATE_EPOCH": "1744675200", "PYTHONHASHSEED": "0"}
_SOURCES = HERE / "sources.sh"
_PATCHES = HERE / "patches"
_BOARD = HERE / "board"
_SDK_BOARDS = {RP2040: ("pico", "rp2040"), RP2350: ("pico2", "rp2350")}  # the SDK's names of board and platform
NAMES_MAX = 255  # places for frozen modules in kiebitz_board.c
# Functions that the linker scripts put into RAM, where they run without waiting for the flash
_IN_RAM = ("gc_alloc", "gc_collect_end", "mp_execute_bytecode")
_RAM = range(0x20000000, 0x20082000)

Say = Callable[[str], None]
_PT_LOAD, _SHT_SYMTAB = 1, 2


class Symbol(NamedTuple):
    """A name in the linked program, with its address and its size in bytes."""

    name: str
    start: int
    size: int


class Program:
    """A linked program with its symbols and the content of the flash."""

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
        """Return the offset of an address in the content; None if it is not in flash."""
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


def say_aside(line: str) -> None:
    """Print progress on standard error, so that a command's own output stays clean."""
    print(f"image: {line}", file=sys.stderr, flush=True)


def image_path(version: str = MICROPYTHON, family: str = "") -> Path:
    """Return the path of this checkout's image with a MicroPython, whether the image exists or not."""
    return BUILD / (uf2_name(VERSION, family) if version == MICROPYTHON else f"trial-{VERSION}-on-{version}.uf2")


def family_images() -> dict[str, Path]:
    """Return the image of each family of boards, built if they do not exist yet."""
    current_image()
    return {family: image_path(family=family) for family in FAMILIES}


def for_family(content: bytes, family: str) -> bytes:
    """Return a flash content with another family; raise Trouble unless it has exactly one place for it."""
    if content.count(MARK) != 1:
        raise Trouble(f"the image must have one place for the family of boards, not {content.count(MARK)}.")
    return content.replace(MARK, mark_of(family))


def current_image(say: Say = say_aside, version: str = MICROPYTHON) -> Path:
    """Return the image of the firmware in this checkout, built if it does not exist yet.

    An image with another MicroPython than the pinned one has a name that no other command looks for.
    """
    path = image_path(version)
    BUILD.mkdir(exist_ok=True)
    with only_one("image", say):
        tree = BUILD / "image" / "tree"
        write_tree(tree)
        key = _digest_of(tree, _BOARD, _SOURCES, _PATCHES, Path(__file__))
        if not _is_built(path, key):
            _build(tree, path, key, version, say)
    return path


def _paths(path: Path) -> dict[str, Path]:
    """Return {family: path} of all files that are built with this one; a trial is for one family only."""
    return {family: image_path(family=family) for family in FAMILIES} if path == image_path() else {"": path}


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def checksum_path(image: Path) -> Path:
    """Return the file beside an image that holds its SHA-256, as sha256sum writes it."""
    return image.with_name(image.name + SUM_SUFFIX)


def _is_built(path: Path, key: str) -> bool:
    """Return True if this image was built from these files and has not changed since."""
    try:
        wanted = _key_of(path).read_text().split()
        return elf_of(path).exists() and wanted == [key, *map(_digest, _paths(path).values())]
    except OSError:
        return False


def _key_of(path: Path) -> Path:
    """Return the file with the digest of an image's sources."""
    return BUILD / "image" / f"{path.stem}.key"


def elf_of(path: Path, chip: Chip = RP2040) -> Path:
    """Return the linked program of an image for a chip, with its symbols."""
    return BUILD / "image" / f"{path.stem}-{chip.name}.elf"


def _build(tree: Path, path: Path, key: str, version: str, say: Say) -> None:
    say(f"building {path.name}: MicroPython {version} with Kiebitz {VERSION} frozen into it")
    sources, entries = _checked_sources(say, version)
    try:
        binaries = {chip: _compile(sources, tree, chip, say) for chip in CHIPS}
        for chip in CHIPS:
            shutil.copyfile(build_folder(sources, chip) / "firmware.elf", elf_of(path, chip))
        for binary in binaries.values():
            refuse_too_large(len(binary))
        for family, file in _paths(path).items():
            parts = [as_uf2(sources, for_family(binary, family), chip) for chip, binary in binaries.items()]
            file.write_bytes(b"".join(parts))
    finally:
        seal(sources, entries)
    digests = []
    for file in _paths(path).values():
        for chip in CHIPS:
            read_uf2(file, version, chip)
        digests.append(_digest(file))
        checksum_path(file).write_text(f"{digests[-1]}  {file.name}\n")
        say(f"wrote {file.relative_to(ROOT)}")
    _key_of(path).write_text("\n".join([key, *digests]) + "\n")
    for chip, binary in binaries.items():
        say(f"  {chip.name}: {len(binary):,} bytes, {FS_START - len(binary):,} free below the file system")


def refuse_too_large(size: int) -> None:
    """Raise Trouble if the image is too close to the file system, because it would overwrite games."""
    if size > FS_START - MARGIN:
        raise Trouble(
            f"the image is {size:,} bytes, and must end {MARGIN // 1024} KB before the file system: "
            f"{size - FS_START + MARGIN:,} bytes have to go."
        )


def find_sources(say: Say = say_aside) -> Path:
    """Return the folder with the unpacked sources and mpy-cross, fetched on first use."""
    with only_one("image", say):  # in the middle of a build the folder has files that are not sealed yet
        return _checked_sources(say)[0]


def _checked_sources(say: Say, version: str = MICROPYTHON) -> tuple[Path, dict[str, Entry]]:
    """Return (folder with the sources and what was compiled from them, hashes of all its files).

    A folder of which any file has changed since the last build is fetched again.
    """
    folder = cache_folder() / f"micropython-{version}-{_digest_of(_SOURCES, _PATCHES)[:12]}"
    entries = sealed(folder)
    if entries is None:
        shutil.rmtree(folder, ignore_errors=True)
        _fetch(folder, version, say)
        seal(folder)
        entries = sealed(folder)
        assert entries
    return folder, entries


def build_folder(sources: Path, chip: Chip = RP2040) -> Path:
    """Return the folder in which the image for a chip is compiled, with its ELF file and linker map."""
    return sources / f"build-{chip.name}-{_digest_of(_BOARD)[:12]}"


def _compile(sources: Path, tree: Path, chip: Chip, say: Say) -> bytes:
    """Return the image as it is in flash. Parts that do not depend on the firmware are compiled once and kept."""
    board = sources / "boards" / f"KIEBITZ-{_digest_of(_BOARD)[:12]}"
    if not board.exists():
        beside = board.with_name(board.name + ".part")
        shutil.rmtree(beside, ignore_errors=True)
        shutil.copytree(_BOARD, beside)
        beside.rename(board)  # a copy that was interrupted never gets the name
    work = build_folder(sources, chip)
    manifest = sources / "manifest.py"
    manifest.write_text(f"freeze({str(sources / 'tree')!r})\n")
    shutil.rmtree(sources / "tree", ignore_errors=True)
    shutil.copytree(tree, sources / "tree")
    # make does not notice deleted files of the firmware, nor older files that have come back
    shutil.rmtree(work / "frozen_mpy", ignore_errors=True)
    (work / "frozen_content.c").unlink(missing_ok=True)
    port = sources / "micropython" / "ports" / "rp2"
    if not (work / "Makefile").exists():
        say(f"compiling MicroPython for the {chip.name} (about a minute and a half)")
        sdk_board, platform = _SDK_BOARDS[chip]
        _run(
            [
                *("cmake", "-S", str(port), "-B", str(work), "-DPICO_BUILD_DOCS=0", "-DPICO_NO_PICOTOOL=1"),
                *("-DMICROPY_BOARD=KIEBITZ", f"-DMICROPY_BOARD_DIR={board}"),
                *(f"-DMICROPY_FROZEN_MANIFEST={manifest}", f"-DKIEBITZ_BOARD={sdk_board}"),
                f"-DKIEBITZ_PLATFORM={platform}",
            ],
            work / "build.log",
        )
    _run(["make", "-C", str(work), f"-j{os.cpu_count()}"], work / "build.log")
    check_program(Program((work / "firmware.elf").read_bytes()))
    return (work / "firmware.bin").read_bytes()


def check_program(program: Program) -> None:
    """Raise Trouble if the image has more modules than places for them, or its inner loops are not in RAM."""
    found = {symbol.name: symbol for symbol in program.symbols}
    modules = found["mp_frozen_mpy_content"].size // 4 - 1  # a list of pointers with an empty one at its end
    if modules > NAMES_MAX:
        raise Trouble(f"{modules} modules are frozen, and kiebitz_board.c has places for {NAMES_MAX}.")
    for name in _IN_RAM:
        if found[name].start not in _RAM:
            raise Trouble(f"{name} is not in RAM: the linker script of MicroPython has changed.")


def as_uf2(sources: Path, binary: bytes, chip: Chip) -> bytes:
    """Return the part of the file for a chip's boot loader, made with MicroPython's own converter."""
    folder = sources / "uf2"
    folder.mkdir(exist_ok=True)
    (folder / "image.bin").write_bytes(binary)
    command = [sys.executable, str(sources / "micropython" / "tools" / "uf2conv.py"), "-f", hex(chip.family)]
    command += ["-b", "0x10000000", "-c", "-o", str(folder / "image.uf2"), str(folder / "image.bin")]
    subprocess.run(command, check=True, capture_output=True)
    return (folder / "image.uf2").read_bytes()


def _fetch(folder: Path, version: str, say: Say) -> None:
    """Run sources.sh and print its steps; raise Trouble with its reason if it fails."""
    command = ["bash", str(_SOURCES), str(folder), version]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout and process.stderr
        for line in process.stdout:
            say(line.strip())
        reason = process.stderr.read().strip()
    if process.returncode:
        raise Trouble(f"the image cannot be built: {reason.rstrip('.')}.")


def _run(command: list[str], log: Path) -> None:
    """Run a step of the build with its output in the log; raise Trouble that names the log if it fails."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with open(log, "ab") as output:
        done = subprocess.run(command, env={**os.environ, **_SAME_EVERYWHERE}, stdout=output, stderr=subprocess.STDOUT)
    if done.returncode:
        raise Trouble(f"the image cannot be built: {command[0]} failed (the log is {log}).")


def _digest_of(*paths: Path) -> str:
    """Return the SHA-256 over names and contents of files and folders."""
    digest = hashlib.sha256()
    for path in paths:
        files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file())
        for file in files:
            data = file.read_bytes()
            name = file.relative_to(path.parent).as_posix()
            digest.update(f"{name} {len(data)}\n".encode() + data)
    return digest.hexdigest()


_LINE = "=" * 78
# The licences of the compiler's runtime libraries
_SYSTEM = Path("/usr/share/doc")


def sections(sources: Path) -> dict[str, Path]:
    """Return {what a licence covers: its path}."""
    packages = sources / "deb" / "usr" / "share" / "doc"
    return {
        "Kiebitz": ROOT / "LICENSE",
        "MicroPython": sources / "micropython" / "LICENSE",
        "MicroPython and the libraries in it (littlefs, uzlib and others), as Debian lists them": sources
        / "micropython"
        / "debian"
        / "copyright",
        "Raspberry Pi Pico SDK": packages / "pico-sdk-source" / "copyright",
        "TinyUSB": packages / "tinyusb-source" / "copyright",
        "newlib, the C library": _SYSTEM / "libnewlib-arm-none-eabi" / "copyright",
        "GCC, whose runtime library is linked under its exception": sorted(_SYSTEM.glob("gcc-*-base/copyright"))[-1],
    }


def notices(sources: Path) -> str:
    """Return all licences as one text."""
    parts = ["Licences of what is in the image of Kiebitz.\n"]
    for title, path in sections(sources).items():
        parts.append(f"{_LINE}\n{title}\n{_LINE}\n\n{path.read_text('utf-8', errors='replace').strip()}\n")
    return "\n".join(parts)
