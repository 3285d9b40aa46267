"""Things go wrong around the device: it says so, lives on, and loses nothing that it has acknowledged."""

import pytest
from helpers.patched import patched
from kiebitz.link.wire import ANSWER, REQUEST, frame, unframe
from kiebitz.store.no_storage import NoStorage
from kiebitz.store.roster import Roster
from kiebitz.store.safe_file import SafeFile
from kiebitz.store.settings import FORMAT, Settings
from kiebitz_host.link.client import Client
from kiebitz_lab.chip.bench import Bench
from kiebitz_lab.chip.branch import branch
from kiebitz_lab.chip.cable import ChipCable
from kiebitz_lab.chip.files import FS_END, FS_START, changed, damaged, filled, flash_with, read_files
from kiebitz_lab.chip.twin import MemoryStorage, Twin, in_use, settled
from kiebitz_lab.littlefs_flash import LittlefsStorage, after_cut

ROYAL = {"game": "royal_flush", "players": ["Anna", "Ben", "Cleo"]}
ABOUT = "down*3 ok down*9 ok"
SUPPLY = slice(46, 54)  # the rows that tell it
BACK_MS = 2500  # a display that is plugged in again is asked for at least so often


@pytest.fixture(scope="module")
def table_flash(flash):
    """Return a flash with a game that has two entries."""
    twin = Twin(in_use()).sit_down(ROYAL).keys("ok up ok down ok up left ok")
    return changed(flash, twin.files())


@pytest.fixture(scope="module")
def at_table(table_flash):
    """Return a device at the table of that game. Tests work on copies of it."""
    return Bench(table_flash).boot()


def test_the_display_goes_away_and_comes_back_with_what_was_played_meanwhile(at_table):
    def story(bench):
        bench.unplug_display()
        bench.keys("ok right ok")
        assert not bench.bus.busy
        dark = len(bench.flash.operations)
        bench.plug_display()
        bench.run_ms(BACK_MS).settle()
        return dark, bench.oled.unknown, bench.frame(), bench.run_ms(5000).settle().frame(), bench.files("data")

    written, unknown, back, later, files = branch(at_table, story)
    twin = Twin().sit_down(ROYAL).keys("ok up ok down ok up left ok ok right ok wait:5000")
    assert written and unknown == [] and any(map(any, back))
    assert later == twin.frame()
    assert settled(files) == settled(twin.files())


def test_a_display_that_is_missing_at_power_on_shows_the_first_screen_when_it_comes(flash, first_screen):
    bench = first_screen.with_flash(flash)
    bench.unplug_display()
    bench.run_ms(2000).settle()
    assert bench.bus.bytes == 0
    bench.plug_display()
    bench.run_ms(BACK_MS).settle()
    assert bench.frame() == first_screen.frame()


def test_a_display_pulled_in_the_middle_of_a_picture_is_drawn_whole_again(at_table):
    def story(bench):
        bench.press("left")
        drawn = bench.bus.bytes
        bench.pico.run_until(lambda: bench.bus.bytes > drawn + 20, 300, step_ms=0.1)
        bench.unplug_display()
        bench.run_ms(100)
        bench.release("left")
        bench.plug_display()
        return bench.run_ms(BACK_MS).settle().frame()

    assert branch(at_table, story) == Twin().sit_down(ROYAL).keys("ok up ok down ok up left ok left").frame()


def test_a_full_flash_is_told_and_the_game_stays_as_it_was(table_flash):
    before = read_files(table_flash, "data")
    bench = Bench(filled(table_flash)).boot()
    table = bench.frame()
    for _ in range(40):  # a little room is left in the block of the journal
        bench.keys("ok right ok")
        if bench.files("data") == before:
            break
        before = bench.files("data")
    else:
        raise AssertionError("the flash never got full")
    assert bench.frame() != table
    assert "data/crash.txt" not in bench.files("data") and bench.serial.out == b""
    again = bench.power_cut().boot()
    assert again.files("data") == before


def test_a_flash_that_is_full_before_the_first_start_does_not_leave_the_display_dark(bare_flash):
    bench = Bench(filled(bare_flash)).boot()
    assert bench.oled.lit and bench.serial.out == b""


def test_a_file_system_beyond_repair_is_told_and_only_a_long_press_after_the_offer_formats_it(table_flash, bare_flash):
    flash = damaged(table_flash)
    bench = Bench(flash).boot()
    lost = Twin(storage=NoStorage())
    assert lost.sees("cannot be read") and bench.frame() == lost.frame()
    for keys in ("wait:6000", "right", "ok undo", "hold:ok", "undo", "ok"):
        assert bench.keys(keys).frame() == lost.keys(keys).frame(), keys
    assert bench.pico.flash_content() == flash and bench.flash.operations == [], "nothing was touched"
    bench.hold("ok")
    bench.pico.run_until(lambda: bench.pico.resets)
    bench.boot()
    assert list(bench.files()) == ["data/settings"] and bench.frame() == Twin(language=None).frame()
    assert bench.keys("ok").frame() == Twin(language=None).keys("ok").frame()


def test_a_root_that_is_lost_where_there_was_nothing_else_is_made_anew_at_once(bare_flash):
    bench = Bench(damaged(bare_flash)).boot()
    assert bench.frame() == Twin(language=None).frame() and list(bench.files()) == ["data/settings"]


def test_a_new_pico_is_formatted_at_once(image):
    erased = flash_with(image)
    erased = erased[:FS_START] + b"\xff" * (FS_END - FS_START) + erased[FS_END:]
    bench = Bench(erased).boot()
    assert bench.frame() == Twin(language=None).frame()
    assert bench.power_cut().boot().frame() == bench.frame()


def test_games_of_a_newer_version_are_told_and_nothing_is_touched(table_flash):
    settings = MemoryStorage()
    SafeFile(settings, "settings").save({"language": "de", "format": [FORMAT + 1, "9.9.0"]})
    files = {"data/settings": settings.files["settings"]}
    flash = changed(table_flash, files)
    bench = Bench(flash).boot()
    twin = Twin({**read_files(flash)})
    assert twin.sees("9.9.0", "unberührt") and bench.frame() == twin.frame()
    bench.keys("up down right undo wait:8000")
    assert bench.flash.operations == [] and bench.pico.flash_content() == flash
    upgraded = Bench(changed(flash, {"data/settings": read_files(table_flash)["data/settings"]})).boot()
    assert upgraded.frame() == Bench(table_flash).boot().frame()


def test_files_of_the_version_before_are_cleared_away_and_the_game_goes_on(table_flash):
    loose = {f"kiebitz/{name}.mpy": b"dead" * 300 for name in ("__init__", "power_on", "ui/app", "ui/texts/__init__")}
    loose["main.py"] = b"import nothing\nfrom kiebitz.power_on import power_on\npower_on()\n"
    loose["board.txt"] = b"pico_oled\n"
    bench = Bench(changed(table_flash, {**loose, "notes.txt": b"mine"})).boot()
    assert bench.frame() == Bench(table_flash).boot().frame(), "none of them is loaded"
    bench.run_ms(2000)
    assert "main.py" in bench.files()
    bench.run_ms(6000)
    assert [name for name in bench.files() if not name.startswith("data/")] == ["notes.txt"]
    assert settled(bench.files("data")) == settled(Twin(read_files(table_flash)).keys("wait:8000").files())


def test_a_damaged_game_is_told_and_what_is_good_of_it_goes_on(table_flash):
    files = settled(read_files(table_flash, "data"))
    name = next(name for name in files if name.endswith(".kbz"))
    lines = files[name].splitlines(keepends=True)
    spoilt = {name: b"".join([*lines[:-1], lines[-1].replace(b"ev", b"eV")]), "data/settings": b"unreadable"}
    before = "data/settings.old"
    bench = Bench(changed(table_flash, {"data/fresh/lines": b"", before: None, **spoilt})).boot()
    twin = Twin({**{path: files[path] for path in files if path != before}, **spoilt})
    for keys in ("", "ok", "ok", "ok", "ok right ok"):
        assert bench.keys(keys).frame() == twin.keys(keys).frame(), keys
    kept = settled(bench.files("data"))
    assert kept == settled(twin.files())
    assert kept[name.replace(".kbz", ".bad")] == spoilt[name] and kept["data/settings.bad"] == b"unreadable"
    assert len(kept[name].splitlines()) == len(lines)


def test_a_supply_of_3_volts_is_told_and_changes_nothing_else(flash, first_screen):
    bench = first_screen.with_flash(flash)
    bench.set_vsys(3000)
    bench.boot()
    assert bench.frame() == first_screen.frame()
    twin = Twin()
    twin.hw.vsys_mv = 3001  # its converter rounds down
    assert bench.keys(ABOUT).frame()[SUPPLY] == twin.keys(ABOUT).frame()[SUPPLY]
    assert twin.sees("3.00 V")
    assert bench.frame()[SUPPLY] != Twin().keys(ABOUT).frame()[SUPPLY]


def request(seq, word="who"):
    return frame(REQUEST, seq, word, "{}")


def answered(out, seq):
    """Tell whether a request was answered by a whole line."""
    heard = [unframe(ANSWER, line) for line in out.split(b"\n")]
    return any(found and found[0] == seq for found in heard)


def test_a_usb_host_that_never_reads_does_not_stop_the_game(at_table):
    def story(bench):
        bench.serial.send(request(1))
        bench.run_ms(500)
        assert answered(bench.serial.out, 1)
        bench.serial.reading = False
        sent = len(bench.serial.out)
        bench.serial.send(b"".join(request(seq) for seq in range(2, 60)))
        bench.keys("ok right ok undo")
        assert len(bench.serial.out) == sent
        frame, files = bench.run_ms(5000).settle().frame(), bench.files("data")
        bench.serial.reading = True
        bench.run_ms(3000)
        return frame, files, bench.serial.out

    frame, files, out = branch(at_table, story)
    twin = Twin().sit_down(ROYAL).keys("ok up ok down ok up left ok ok right ok undo wait:5000")
    assert frame == twin.frame()
    assert settled(files) == settled(twin.files())
    assert answered(out, 59), "once it reads again, it gets what it has asked for"


@pytest.mark.parametrize("half", [b'K? 2 who {"ha', request(2)])
def test_a_cable_pulled_in_the_middle_of_a_line_does_not_stop_the_game(at_table, half):
    # A line from the host, or one to it that is still in the pipe

    def story(bench):
        bench.serial.reading = False
        bench.serial.send(half)
        bench.run_ms(20)
        bench.serial.disconnect()
        bench.keys("ok right ok")
        bench.serial.connect()
        bench.keys("undo")
        assert bench.serial.connected_ms is not None
        frame, files = bench.run_ms(5000).settle().frame(), bench.files("data")
        bench.serial.send(b"\n" + request(3))
        bench.run_ms(500)
        assert answered(bench.serial.out, 3)
        bench.serial.send(b"\x03")
        return frame, files, bench.serial.wait_for(b">>> ", 3000, since=0)

    frame, files, told = branch(at_table, story)
    twin = Twin().sit_down(ROYAL).keys("ok up ok down ok up left ok ok right ok undo wait:5000")
    assert frame == twin.frame()
    assert settled(files) == settled(twin.files())
    assert b"KeyboardInterrupt" in told


def test_it_needs_no_usb_host(flash, first_screen):
    bench = Bench(flash, usb=False).boot()
    assert bench.frame() == first_screen.frame()
    assert bench.tap("down").frame() == Twin().keys("down").frame()
    assert bench.serial.connected_ms is None


def test_an_app_that_cannot_start_says_so_on_the_display_and_at_the_prompt(flash):
    broken = patched(flash, ("kiebitz/store/roster.py", "        value, self.report = ", "        value, self.repo = "))
    bench = Bench(broken)
    told = bench.serial.wait_for(b">>> ", 5000, since=0)
    assert b"AttributeError" in told
    assert b"AttributeError" in bench.files("data")["data/crash.txt"]
    assert bench.oled.lit and sum(map(sum, bench.frame())) > 200, "there is a text"


def test_a_board_that_cannot_be_built_is_told_at_the_prompt_and_kept(flash):
    broken = patched(flash, ("kiebitz/board/__init__.py", "self.buzzer = Buzzer(", "self.buzzer = 1 // 0 or Buzzer("))
    bench = Bench(broken)
    assert b"ZeroDivisionError" in bench.serial.wait_for(b">>> ", 5000, since=0)
    assert b"ZeroDivisionError" in bench.files("data")["data/crash.txt"]


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
        bench = Bench(flash[:FS_START] + cut + flash[FS_START + len(cut) :]).boot(20_000)
        assert Client(ChipCable(bench)).roster() == ["Anna", "Ben"]
