"""Test faults around the device and a flash with foreign data: nothing acknowledged is lost."""

import random

import pytest
from helpers.chip import patched
from kiebitz.link.wire import ANSWER, REQUEST, frame, unframe
from kiebitz.store.no_storage import NoStorage
from kiebitz.store.roster import Roster
from kiebitz.store.safe_file import SafeFile
from kiebitz.store.settings import FORMAT, Settings
from kiebitz.widgets.screen import LINE
from kiebitz_host.flash_layout import BLOCK, BLOCKS, FLASH_SIZE, FS_SIZE, FS_START
from kiebitz_host.install.uf2 import read_uf2
from kiebitz_host.link.client import Client
from kiebitz_host.sim.flash_folder import MemoryStorage
from kiebitz_lab.chip.flash import FS_END, changed, damaged, filled, flash_with, make_file_system, read_files
from kiebitz_lab.chip.probes import ChipCable, ReferenceDevice, branch, in_use, settled
from kiebitz_lab.chip.rig import Rig
from kiebitz_lab.torture.block_cuts import LittlefsStorage, after_cut

ROYAL = {"game": "royal_flush", "players": ["Anna", "Ben", "Cleo"]}
ABOUT = "pick:start.settings pick:set.about"
SUPPLY = slice(46, 54)  # the rows of the message
BACK_MS = 2500  # longest time between two searches for a display


@pytest.fixture(scope="module")
def table_flash(flash):
    """Return a flash with a game that has two entries."""
    reference = ReferenceDevice(in_use()).sit_down(ROYAL).keys("ok up ok down ok up left ok")
    return changed(flash, reference.files())


@pytest.fixture(scope="module")
def at_table(table_flash):
    """Return a device at the table of that game. Tests work on copies of it."""
    return Rig(table_flash).boot()


def test_the_display_goes_away_and_comes_back_with_what_was_played_meanwhile(at_table):
    def scenario(rig):
        rig.unplug_display()
        rig.keys("ok right ok")
        assert not rig.bus.busy
        dark = len(rig.flash.operations)
        rig.plug_display()
        rig.run_ms(BACK_MS).settle()
        return dark, rig.oled.unknown, rig.frame(), rig.run_ms(5000).settle().frame(), rig.files("data")

    written, unknown, back, later, files = branch(at_table, scenario)
    reference = ReferenceDevice().sit_down(ROYAL).keys("ok up ok down ok up left ok ok right ok wait:5000")
    assert written and unknown == [] and any(map(any, back))
    assert later[:-LINE] == reference.frame()[:-LINE], "the last line changes with time"
    assert settled(files) == settled(reference.files())


def test_a_display_that_is_missing_at_power_on_shows_the_first_screen_when_it_comes(flash, first_screen):
    rig = first_screen.with_flash(flash)
    rig.unplug_display()
    rig.run_ms(2000).settle()
    assert rig.bus.bytes == 0
    rig.plug_display()
    rig.run_ms(BACK_MS).settle()
    assert rig.frame() == first_screen.frame()


def test_a_display_pulled_in_the_middle_of_a_picture_is_drawn_whole_again(at_table):
    def scenario(rig):
        rig.press("left")
        drawn = rig.bus.bytes
        rig.pico.run_until(lambda: rig.bus.bytes > drawn + 20, 300, step_ms=0.1)
        rig.unplug_display()
        rig.run_ms(100)
        rig.release("left")
        rig.plug_display()
        return rig.run_ms(BACK_MS).settle().frame()

    reference = ReferenceDevice().sit_down(ROYAL).keys("ok up ok down ok up left ok left")
    assert branch(at_table, scenario) == reference.frame()


def test_a_full_flash_is_told_and_the_game_stays_as_it_was(table_flash):
    before = read_files(table_flash, "data")
    rig = Rig(filled(table_flash)).boot()
    table = rig.frame()
    for _ in range(40):  # the block of the journal has a little free space
        rig.keys("ok right ok")
        if rig.files("data") == before:
            break
        before = rig.files("data")
    else:
        raise AssertionError("the flash never got full")
    assert rig.frame() != table
    assert "data/crash.txt" not in rig.files("data") and rig.serial.out == b""
    again = rig.power_cut().boot()
    assert again.files("data") == before


def test_a_flash_that_is_full_before_the_first_start_does_not_leave_the_display_dark(bare_flash):
    rig = Rig(filled(bare_flash)).boot()
    assert rig.oled.lit and rig.serial.out == b""


def test_a_file_system_beyond_repair_is_told_and_only_a_long_press_after_the_offer_formats_it(table_flash, bare_flash):
    flash = damaged(table_flash)
    rig = Rig(flash).boot()
    lost = ReferenceDevice(storage=NoStorage())
    assert lost.sees("cannot be read") and rig.frame() == lost.frame()
    for keys in ("wait:6000", "right", "ok undo", "hold:ok", "undo", "ok"):
        assert rig.keys(keys).frame() == lost.keys(keys).frame(), keys
    assert rig.pico.flash_content() == flash and rig.flash.operations == [], "nothing was touched"
    rig.hold("ok")
    rig.pico.run_until(lambda: rig.pico.resets)
    rig.boot()
    assert list(rig.files()) == ["data/settings"] and rig.frame() == ReferenceDevice(language=None).frame()
    assert rig.keys("ok").frame() == ReferenceDevice(language=None).keys("ok").frame()


def test_a_root_that_is_lost_where_there_was_nothing_else_is_made_anew_at_once(bare_flash):
    rig = Rig(damaged(bare_flash)).boot()
    assert rig.frame() == ReferenceDevice(language=None).frame() and list(rig.files()) == ["data/settings"]


def test_a_new_pico_is_formatted_at_once(image):
    erased = flash_with(image)
    erased = erased[:FS_START] + b"\xff" * (FS_END - FS_START) + erased[FS_END:]
    rig = Rig(erased).boot()
    assert rig.frame() == ReferenceDevice(language=None).frame()
    assert rig.power_cut().boot().frame() == rig.frame()


def test_games_of_a_newer_version_are_told_and_nothing_is_touched(table_flash):
    settings = MemoryStorage()
    SafeFile(settings, "settings").save({"language": "de", "format": [FORMAT + 1, "9.9.0"]})
    files = {"data/settings": settings.files["settings"]}
    flash = changed(table_flash, files)
    rig = Rig(flash).boot()
    reference = ReferenceDevice({**read_files(flash)})
    assert reference.sees("9.9.0", "unberührt") and rig.frame() == reference.frame()
    rig.keys("up down right undo wait:8000")
    assert rig.flash.operations == [] and rig.pico.flash_content() == flash
    upgraded = Rig(changed(flash, {"data/settings": read_files(table_flash)["data/settings"]})).boot()
    assert upgraded.frame() == Rig(table_flash).boot().frame()


def test_a_damaged_game_is_told_and_what_is_good_of_it_goes_on(table_flash):
    files = settled(read_files(table_flash, "data"))
    name = next(name for name in files if name.endswith(".kbz"))
    lines = files[name].splitlines(keepends=True)
    spoilt = {name: b"".join([*lines[:-1], lines[-1].replace(b"ev", b"eV")]), "data/settings": b"unreadable"}
    before = "data/settings.old"
    rig = Rig(changed(table_flash, {"data/fresh/lines": b"", before: None, **spoilt})).boot()
    reference = ReferenceDevice({**{path: files[path] for path in files if path != before}, **spoilt})
    for keys in ("", "ok", "ok", "ok", "ok right ok"):
        assert rig.keys(keys).frame() == reference.keys(keys).frame(), keys
    kept = settled(rig.files("data"))
    assert kept == settled(reference.files())
    assert kept[name.replace(".kbz", ".bad")] == spoilt[name] and kept["data/settings.bad"] == b"unreadable"
    assert len(kept[name].splitlines()) == len(lines)


def test_a_supply_of_3_volts_is_told_and_changes_nothing_else(flash, first_screen):
    rig = first_screen.with_flash(flash)
    rig.set_vsys(3000)
    rig.boot()
    assert rig.frame() == first_screen.frame()
    reference = ReferenceDevice()
    reference.hw.vsys_mv = 3001  # its converter rounds down
    assert rig.keys(reference.pressed(ABOUT)).frame()[SUPPLY] == reference.frame()[SUPPLY]
    assert reference.sees("3.00 V")
    assert rig.frame()[SUPPLY] != ReferenceDevice().keys(ABOUT).frame()[SUPPLY]


def request(seq, word="who"):
    return frame(REQUEST, seq, word, "{}")


def answered(out, seq):
    """Return True if a request was answered by a whole line."""
    heard = [unframe(ANSWER, line) for line in out.split(b"\n")]
    return any(found and found[0] == seq for found in heard)


def test_a_usb_host_that_never_reads_does_not_stop_the_game(at_table):
    def scenario(rig):
        rig.serial.send(request(1))
        rig.run_ms(500)
        assert answered(rig.serial.out, 1)
        rig.serial.reading = False
        sent = len(rig.serial.out)
        rig.serial.send(b"".join(request(seq) for seq in range(2, 60)))
        rig.keys("ok right ok undo")
        assert len(rig.serial.out) == sent
        frame, files = rig.run_ms(5000).settle().frame(), rig.files("data")
        rig.serial.reading = True
        rig.run_ms(3000)
        return frame, files, rig.serial.out

    frame, files, out = branch(at_table, scenario)
    reference = ReferenceDevice().sit_down(ROYAL).keys("ok up ok down ok up left ok ok right ok undo wait:5000")
    assert frame == reference.frame()
    assert settled(files) == settled(reference.files())
    assert answered(out, 59), "once it reads again, it gets what it has asked for"


@pytest.mark.parametrize("half", [b'K? 2 who {"ha', request(2)])
def test_a_cable_pulled_in_the_middle_of_a_line_does_not_stop_the_game(at_table, half):
    # A line from the host, or one to it that is still in the pipe

    def scenario(rig):
        rig.serial.reading = False
        rig.serial.send(half)
        rig.run_ms(20)
        rig.serial.disconnect()
        rig.keys("ok right ok")
        rig.serial.connect()
        rig.keys("undo")
        assert rig.serial.connected_ms is not None
        frame, files = rig.run_ms(5000).settle().frame(), rig.files("data")
        rig.serial.send(b"\n" + request(3))
        rig.run_ms(500)
        assert answered(rig.serial.out, 3)
        rig.serial.send(b"\x03")
        return frame, files, rig.serial.wait_for(b">>> ", 3000, since=0)

    frame, files, told = branch(at_table, scenario)
    reference = ReferenceDevice().sit_down(ROYAL).keys("ok up ok down ok up left ok ok right ok undo wait:5000")
    assert frame == reference.frame()
    assert settled(files) == settled(reference.files())
    assert b"KeyboardInterrupt" in told


def test_it_needs_no_usb_host(flash, first_screen):
    rig = Rig(flash, usb=False).boot()
    assert rig.frame() == first_screen.frame()
    assert rig.tap("down").frame() == ReferenceDevice().keys("down").frame()
    assert rig.serial.connected_ms is None


def test_an_app_that_cannot_start_says_so_on_the_display_and_at_the_prompt(flash):
    broken = patched(flash, ("kiebitz/store/roster.py", "        value, self.report = ", "        value, self.repo = "))
    rig = Rig(broken)
    told = rig.serial.wait_for(b">>> ", 5000, since=0)
    assert b"AttributeError" in told
    assert b"AttributeError" in rig.files("data")["data/crash.txt"]
    assert rig.oled.lit and sum(map(sum, rig.frame())) > 200, "there is a text"


def test_a_board_that_cannot_be_built_is_told_at_the_prompt_and_kept(flash):
    broken = patched(flash, ("kiebitz/board/__init__.py", "self.buzzer = Buzzer(", "self.buzzer = 1 // 0 or Buzzer("))
    rig = Rig(broken)
    assert b"ZeroDivisionError" in rig.serial.wait_for(b">>> ", 5000, since=0)
    assert b"ZeroDivisionError" in rig.files("data")["data/crash.txt"]


def test_names_are_not_hidden_by_a_rename_that_a_power_cut_has_stopped(flash):
    storage = LittlefsStorage()
    Settings(storage).set("language", "en")
    Settings(storage).set("found", "pico_oled")
    for k in range(60):
        storage.write(f"{k:02}-filling", b"x" * 100)
    Roster(storage).played(["Anna", "Ben"])
    storage.write("pack.tmp", b"renamed")
    image, start = storage.image(), len(storage.flash.log)
    storage.rename("pack.tmp", "0001.pack")
    log = storage.flash.log[start:]
    cuts = [after_cut(image, log, at, 0) for at in range(len(log))]
    hidden = [cut for cut in cuts if LittlefsStorage(cut, False).size("roster") is None]
    assert hidden
    for cut in hidden:
        rig = Rig(flash[:FS_START] + cut + flash[FS_START + len(cut) :]).boot(20_000)
        assert Client(ChipCable(rig)).roster() == ["Anna", "Ben"]


# --- a flash with foreign data ---

STOCK_START = 0xA0000  # start of the file system in MicroPython's own image for a Pico
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
    """Return a flash with this content at this offset, then overwritten by the image."""
    flash = bytearray(b"\xff" * FLASH_SIZE)
    flash[start : start + len(content)] = content
    program = read_uf2(image)
    flash[: len(program)] = program
    return bytes(flash)


def refused(flash):
    """Check that the device asks and changes nothing. Returns the device; the next OK formats if held."""
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
