"""Something else than a file system of this layout is on the flash: the player decides, and nothing is lost before."""

import random

import pytest
from kiebitz.store.no_storage import NoStorage
from kiebitz_host.flash_layout import BLOCK, BLOCKS, FLASH_SIZE, FS_SIZE, FS_START
from kiebitz_host.install.uf2 import read_uf2
from kiebitz_lab.chip.files import make_file_system
from kiebitz_lab.chip.reference import ReferenceDevice
from kiebitz_lab.chip.rig import Rig

ROYAL = {"game": "royal_flush", "players": ["Anna", "Ben", "Cleo"]}
STOCK_START = 0xA0000  # where MicroPython's own image for a Pico, and Kiebitz before, had the file system
STOCK_BLOCKS = (FLASH_SIZE - STOCK_START) // BLOCK
SMALL = {"main.py": b"print(42)\n" * 20}  # small enough for littlefs to keep it in the root


def season(games):
    """Return the files of a device with this number of games."""
    files = ReferenceDevice().sit_down(ROYAL).keys("ok up ok down ok up left ok").files()
    journal = next(data for name, data in files.items() if name.endswith(".kbz"))
    return files | {f"data/ffffff-{k:04}-2a2a2a.kbz": journal * 3 for k in range(2, games + 2)}


def fat(name=b"KIEBITZ    "):
    """Return a FAT12 volume with one file, in sectors of 4 KB as MicroPython makes them."""
    boot = bytearray(BLOCK)
    boot[:11] = b"\xeb\xfe\x90MSDOS5.0"
    boot[11:36] = b"\x00\x10\x01\x01\x00\x01\x80\x00\x00\x01\xf8\x01\x00\x3f\x00\xff\x00" + bytes(8)
    boot[38:62] = b"\x29\x2a\x2a\x2a\x2a" + name + b"FAT12   "
    boot[510:512] = b"\x55\xaa"
    table = b"\xf8\xff\xff\xff\x0f".ljust(BLOCK, b"\0")
    root = (b"MAIN    PY " + b"\x20" + bytes(14) + b"\x02\x00\x0a\x00\x00\x00").ljust(BLOCK, b"\0")
    return bytes(boot) + table + root + b"print(42)\n".ljust(BLOCK, b"\0")


FOREIGN = {
    "FAT": fat,
    "random bytes": lambda: random.Random(1).randbytes(FS_SIZE),
    "zeros": lambda: bytes(FS_SIZE),
    "a smaller littlefs": lambda: make_file_system(season(30), BLOCKS // 2),
    "a larger littlefs": lambda: make_file_system(season(30), 2 * BLOCKS)[:FS_SIZE],
    "a smaller littlefs with a file in its root": lambda: make_file_system(SMALL, BLOCKS // 2),
}


def written_over(image, start, content):
    """Return a flash with this content at this place, over which the image was written."""
    flash = bytearray(b"\xff" * FLASH_SIZE)
    flash[start : start + len(content)] = content
    program = read_uf2(image)
    flash[: len(program)] = program
    return bytes(flash)


def refused(flash):
    """Check that the device asks and touches nothing. Returns the device; held, the next OK formats."""
    rig = Rig(flash).boot(20_000)
    lost = ReferenceDevice(storage=NoStorage())
    assert lost.sees("cannot be read") and rig.frame() == lost.frame()
    for keys in ("wait:6000", "right", "ok undo", "hold:ok", "undo", "ok"):
        assert rig.keys(keys).frame() == lost.keys(keys).frame(), keys
    assert rig.flash.operations == [] and rig.pico.flash_content() == flash
    return rig


def test_games_of_the_old_layout_are_left_alone_until_the_player_erases_them(image):
    old = make_file_system(season(60), STOCK_BLOCKS)
    flash = written_over(image, STOCK_START, old)
    assert flash[STOCK_START:] == old, "the new image ends before the old games"
    rig = refused(flash)
    rig.hold("ok")
    rig.pico.run_until(lambda: rig.pico.resets)
    assert rig.boot().frame() == ReferenceDevice(language=None).frame() and list(rig.files()) == ["data/settings"]
    assert rig.pico.flash_content()[STOCK_START:FS_START] == flash[STOCK_START:FS_START]


def test_a_file_system_that_ends_before_the_new_place_is_not_touched(image):
    old = make_file_system(SMALL, STOCK_BLOCKS)
    flash = written_over(image, STOCK_START, old)
    assert flash[FS_START:] == b"\xff" * FS_SIZE
    rig = Rig(flash).boot()
    assert rig.frame() == ReferenceDevice(language=None).frame()
    assert rig.pico.flash_content()[:FS_START] == flash[:FS_START]


@pytest.mark.parametrize("kind", FOREIGN)
def test_foreign_data_at_the_place_of_the_games_is_left_alone(image, kind):
    refused(written_over(image, FS_START, FOREIGN[kind]()))
