"""Pack Python for the pages into read-only file systems: the firmware, and the laptop's sheets and exports.

All of it is compiled without machine code, which MicroPython in a page does not support.
"""

import contextlib
import io
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from kiebitz_host.languages import device_texts, read
from mpremote.romfs import make_romfs

from kiebitz_lab.frozen_tree import ROOT, TextsOf, compile_tree, write_tree

from .older_python import older

HERE = Path(__file__).parent
HOST = ROOT / "host"
# The fake hardware that the simulator and the tests use, too
_HARDWARE = ("hardware", "inner_parts", "oled_model", "screen_reader", "usb")
# What the laptop prints and exports of a game
_LAPTOP = (
    "games/*.py", "games/*/__init__.py", "link/journal.py", "library/derive.py", "library/replay.py", "league/names.py",
    "show/entries.py",
    "show/sheets.py", "export/bgstats.py",
)  # fmt: skip
_LEFT_OUT = ("games/live.py", "games/questions.py")  # not needed in a page
_NOT_IN_A_PAGE = ("main.py", "_boot.py", "image.py")


def device_image(instead: Mapping[str, str] = MappingProxyType({})) -> bytes:
    """Return the file system with the firmware, its fake hardware, and the module that drives them.

    `instead` has the text of modules, by their paths, that take the place of others.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_firmware(folder)
        for module in _HARDWARE:
            _copy(HOST / "kiebitz_host" / "sim" / f"{module}.py", folder / "kiebitz_host" / "sim")
        _copy(HOST / "kiebitz_host" / "flash_layout.py", folder)
        for package in ("kiebitz_host", "kiebitz_host/sim"):
            (folder / package / "__init__.py").touch()
        for path in sorted((HERE / "device").glob("*.py")):
            _copy(path, folder)
        for name_of_module, text in instead.items():
            (folder / name_of_module).write_text(text)
        return packed(folder)


def laptop_image() -> bytes:
    """Return the file system with the firmware and with what the laptop prints and exports of a game."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_firmware(folder, read)
        for pattern in _LAPTOP:
            for path in sorted((HOST / "kiebitz_host").glob(pattern)):
                if path.relative_to(HOST / "kiebitz_host").as_posix() not in _LEFT_OUT:
                    target = folder / path.relative_to(HOST)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_text(older(path.read_text()))
        for package in ("", "link", "library", "league", "show", "export"):
            (folder / "kiebitz_host" / package / "__init__.py").touch()
        for path in sorted((HERE / "laptop").glob("*.py")):
            _copy(path, folder)
        return packed(folder)


def write_firmware(folder: Path, texts_of: TextsOf = device_texts) -> None:
    """Write the modules of the firmware into a new folder, without machine code and what only starts a Pico."""
    write_tree(folder, False, texts_of)
    for name in _NOT_IN_A_PAGE:
        (folder / name).unlink()


def packed(folder: Path) -> bytes:
    """Return the modules of a folder, compiled, as a file system."""
    compile_tree(folder, [])
    with contextlib.redirect_stdout(io.StringIO()):  # it names every file
        return bytes(make_romfs(str(folder), mpy_cross=False))


def _copy(source: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, folder)
