"""Test the image on battery, the memory of the chip at every table, and power cuts at any instant."""

import importlib
import pkgutil
from binascii import crc32
from itertools import islice

import pytest
from helpers.chip import patched
from kiebitz import games, screens, widgets
from kiebitz.link.wire import ANSWER, REQUEST, frame, unframe
from kiebitz.store.table import Table
from kiebitz.text import LANGUAGES
from kiebitz.widgets.screen import LINE, Screen
from kiebitz_host.languages import device_texts
from kiebitz_lab.bench import device
from kiebitz_lab.bench import languages as bench_languages
from kiebitz_lab.chip import cuts, powercut
from kiebitz_lab.chip.cuts import SHOWN, plan
from kiebitz_lab.chip.evenings import all_languages, laps, pieces, shrinks
from kiebitz_lab.chip.flash import AFTER, BEFORE, TORN, changed
from kiebitz_lab.chip.probes import ReferenceDevice, branch, heap, settled
from kiebitz_lab.chip.rig import Rig
from kiebitz_lab.frozen_tree import by_hash
from kiebitz_lab.random_games import long_setups, play_on
from kiebitz_lab.samples import SAMPLES
from kiebitz_lab.torture.busy_hour import play

LEAST_FREE = 150_000
LEAST_IN_ONE_PIECE = 65_536  # eight times the largest allocation of the app
LEAST_AFTER_ALL = 32_768  # in one piece, after all screens
FREE_AFTER_ALL = 100_000  # with every module of eight games in memory
LEAST_AT_A_LONG_GAME = 60_000
TRICKS = 400
# Screens that end with a restart, or appear only at power-on; Notes needs several notes, DrawnDealer chance
LAST_SCREENS = {"BatteryEmpty", "EraseFlash", "KeepPicture", "LostFlash", "NewerData", "UndoHeld", "Updating"}
LAST_SCREENS |= {"Notes", "DrawnDealer"}
REST_MS = 400  # after an entry


@pytest.mark.parametrize("name", SAMPLES)
def test_enough_memory_is_left_at_every_table(flash, name):
    reference = ReferenceDevice().sit_down(SAMPLES[name][0])
    rig = Rig(changed(flash, reference.files())).boot()
    rig.keys("left undo")  # the menu of the table has been there as well
    left = heap(rig)
    assert left.free >= LEAST_FREE and left.largest >= LEAST_IN_ONE_PIECE, left


def test_a_device_without_a_game_has_more(flash):
    left = heap(Rig(flash).boot())
    assert left.free > 180_000 and left.largest > 110_000, left


def long_match():
    """Return a refereed Top Spot game of 400 tricks, every fifth entry taken back and redone."""
    setup = long_setups()["top_spot assisted"]
    table = Table(setup)
    events, tricks = [], 0
    while tricks < TRICKS:
        play_on(table, len(table) + 1)
        event = table.event(len(table) - 1)
        tricks += event["ev"] == "trick"
        events += [event] if len(table) % 5 else [event, {"ev": "undo"}, {"ev": "redo"}]
    return setup, events


@pytest.mark.parametrize("checkpoint", [True, False])
def test_the_longest_game_is_loaded_with_memory_to_spare(flash, checkpoint):
    setup, events = long_match()
    reference = ReferenceDevice().sit_down(setup, events)
    if checkpoint:
        reference.app.library.keep_state()
    files = reference.files()
    assert any(path.endswith(".sav") for path in files) == checkpoint
    rig = Rig(changed(flash, files)).boot(30_000)
    reference.restart()
    # The last line changes with time
    assert rig.frame()[:-LINE] == reference.frame()[:-LINE] and rig.serial.out == b""
    left = heap(rig)
    assert left.free >= LEAST_AT_A_LONG_GAME and left.largest >= LEAST_IN_ONE_PIECE // 8, left


def all_screens():
    """Return the names of all screen classes that are not base classes."""
    for package in (games, screens, widgets):
        for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            importlib.import_module(module.name)
    found, todo = set(), [Screen]
    while todo:
        derived = todo.pop().__subclasses__()
        ours = [screen for screen in derived if screen.__module__.startswith("kiebitz.")]  # others are of tests
        found.update(screen for screen in ours if not screen.__subclasses__())
        todo += derived
    return {screen.__name__ for screen in found}


def test_memory_does_not_shrink_with_every_screen_visited_again_and_again(bare_flash):
    """Play two laps; `make soak` plays for an hour."""
    first, second = islice(laps(bare_flash, rest_ms=REST_MS), 2)
    assert not shrinks([first, first, second]), (first, second)
    assert second.heap.free > FREE_AFTER_ALL and second.heap.largest >= LEAST_AFTER_ALL, second
    assert all_screens() - LAST_SCREENS <= second.screens


def test_entries_stay_quick_and_memory_flat_while_a_laptop_never_stops_asking():
    """Play for a few seconds; `python -m kiebitz_lab.torture.busy_hour` plays for an hour."""
    assert play(0.1, games=16, tell=lambda line: None) == []


A_LANGUAGE = 1_000  # bytes of heap for its module; the sentences are constants in flash


def test_every_language_is_there_in_less_than_a_third_of_a_second(bare_flash):
    times = bench_languages.switch_ms(bare_flash)
    assert set(times) == set(LANGUAGES)
    assert all(0 < ms < bench_languages.SWITCH_GOAL_MS for ms in times.values()), times


def test_the_sentences_of_a_language_take_no_memory(bare_flash):
    reference = ReferenceDevice(language=None)
    to_settings = reference.pressed(f"ok {bench_languages.TO_SETTINGS}")
    once = Rig(bare_flash).boot().keys(to_settings)
    through_all = Rig(bare_flash).boot().keys(f"{to_settings} {reference.pressed(all_languages())}")
    one, all_of_them = heap(once), heap(through_all)
    assert all_of_them.free > one.free - A_LANGUAGE * (len(LANGUAGES) - 1), (one, all_of_them)


def test_every_sentence_of_every_language_is_decoded_as_it_is_in_the_file(attempt):
    keys = by_hash(device_texts("en"))

    def scenario(rig):
        prompt(rig, b"\x03")
        prompt(rig, b"import kiebitz_languages as kl; from binascii import crc32; from kiebitz.text import text\r\n")
        found = {}
        for lang in LANGUAGES:
            prompt(rig, f"m = __import__('kiebitz_languages.{lang}', None, None, ('PAIRS',)); c = 0\r\n".encode())
            prompt(rig, DECODE_ALL)
            found[lang] = prompt(rig, b"print(c, kl.load('" + lang.encode() + b"')('nothing'))\r\n")
        return found

    for lang, said in attempt(scenario).items():
        texts = {**device_texts("en"), **device_texts(lang)}
        whole = crc32(b"".join(texts[key].encode() + b"\n" for key in keys))
        assert said == [f"{whole} None".encode()], lang


DECODE_ALL = (
    b"for k in range(len(m.LENGTHS)): c = crc32(b'\\n', crc32(memoryview(kl._OUT)"
    b"[:kl.decode(k, m.SENTENCES, m.LENGTHS, m.PAIRS, kl._OUT, len(kl._OUT))], c))\r\n\r\n"
)


def prompt(rig, typed):
    """Type something at the prompt. Returns the lines of the answer."""
    since = len(rig.serial.out)
    rig.serial.send(typed)
    return rig.serial.wait_for(b">>> ", since=since).splitlines()[1:-1]


# --- power cuts ---

SEED = 4
PIECES = {piece.name: piece for piece in pieces()}
# How many cuts in which piece
CUTS = {"first-start": 7, "settings": 6, "shelf": 5, "top_spot-0": 7, "poch-3": 6, "new-games": 6}

JOURNAL = "kiebitz/store/journal.py"
WRITING = "        checked(self.files.append, self.name, line)\n"

# Faults of the firmware: the piece that shows them, and the change
BROKEN = {
    "acknowledges before it writes": (
        "top_spot-0",
        (JOURNAL, WRITING, "        self.files.later = (self.name, line)\n"),
        (
            "kiebitz/app.py",
            "        self._sleep.doze(now)\n",
            """        later = getattr(self.library.files, "later", None)
        if later:
            self.library.files.later = None
            self.library.files.append(*later)
        self._sleep.doze(now)
""",
        ),
    ),
    "writes every second time": (
        "top_spot-0",
        (
            JOURNAL,
            WRITING,
            """        self.held = getattr(self, "held", b"") + line
        if self.lines % 2 == 0:
            checked(self.files.append, self.name, self.held)
            self.held = b""
""",
        ),
    ),
    "forgets the line end": ("top_spot-0", (JOURNAL, WRITING, WRITING.replace("line)", "line[:-1])"))),
    "removes what it is about to replace": (
        "settings",
        (
            "kiebitz/store/safe_file.py",
            """            storage.rename(name, name + ".old")
        storage.rename(name + ".new", name)

    def load""",
            """            storage.remove(name)
        storage.write(name, seal(encode(value), name))
        storage.remove(name + ".new")

    def load""",
        ),
        ("kiebitz/store/safe_file.py", 'new_there, value = self._read(name + ".new")', "new_there = value = None"),
    ),
}


class Lost(Exception):
    """Found."""


@pytest.mark.parametrize("name", CUTS)
def test_nothing_that_was_acknowledged_is_lost(bare_flash, name):
    verdicts = []
    cuts.play(PIECES[name], bare_flash, plan(PIECES[name], SEED, CUTS[name]), verdicts.append)
    assert sum(verdict.cuts for verdict in verdicts) == CUTS[name]
    assert [verdict for verdict in verdicts if verdict.lost or verdict.unbootable] == []


@pytest.mark.parametrize("wrong", BROKEN)
def test_firmware_that_loses_entries_is_caught(bare_flash, wrong):
    name, *changes = BROKEN[wrong]

    def tell(verdict):
        if verdict.lost:
            raise Lost

    with pytest.raises(Lost):
        cuts.play(PIECES[name], patched(bare_flash, *changes), plan(PIECES[name], SEED, 12), tell)


def test_cuts_come_in_all_kinds_and_the_same_again():
    work = powercut.share_out(100, SEED)
    cuts = [cut for _, part in work for cut in part]
    assert sum(cut.times for cut in cuts) == 100
    assert {cut.how for cut in cuts} == {BEFORE, TORN, AFTER, SHOWN, None}
    assert {cut.times for cut in cuts} == {1, 2}
    assert len({cut.name for cut in cuts}) == len(cuts)
    piece, part = work[-1]
    assert powercut.one(part[-1].name, SEED) == [(piece, [part[-1]])]
    assert plan(piece, SEED, 3)[0] == part[0]


def test_a_cut_that_nobody_has_named_is_refused(capsys):
    assert powercut.main(["--cut", "poch-99/1"]) == 2
    assert "poch-99/1" in capsys.readouterr().err


DARK_MS = 310_000
EMPTY_MS = 31_000  # three measurements, ten seconds apart
READ_MS = 12_000  # until the message of an empty battery is gone
BACK_MS = 3000  # from USB or a charger to the picture
ABOUT = "pick:start.settings pick:set.about"
SUPPLY = slice(46, 54)  # the rows of the picture that show the voltage
RADIO_PINS = (24, 25, 29)
OUTPUT = (0, 1)  # states of a pin that the program drives


@pytest.fixture(scope="module")
def table_flash(flash):
    return changed(flash, ReferenceDevice().sit_down(device.SETUP).files())


@pytest.fixture(scope="module")
def dark(table_flash):
    """Return a device on battery, whose display is off."""
    rig = Rig(table_flash, usb=False).boot().run_ms(DARK_MS)
    assert not rig.oled.lit
    return rig


def test_it_is_seldom_awake_and_a_press_shows_at_once():
    figures = device.measure_rest()
    assert set(figures) == set(device.STATES)
    for state, row in figures.items():
        assert 0 < row["awake_percent"] < device.STATES[state][1], figures
        assert 0 < row["press_ms"] < device.PRESS_GOAL_MS, figures


def test_a_low_battery_is_told_as_in_the_simulator(table_flash):
    rig = Rig(table_flash, usb=False)
    rig.set_vsys(3100)
    rig.boot().run_ms(12_000)
    reference = ReferenceDevice().sit_down(device.SETUP)
    before = reference.frame()
    reference.hw.usb_power, reference.hw.vsys_mv = False, 3101
    assert rig.frame() == reference.keys("wait:12000").frame() != before
    rig.keys("left")
    assert rig.frame() == reference.keys("left").frame()


@pytest.mark.parametrize("late_ms", [0.0, 11.7, 23.9, 33.3])
def test_no_tap_is_lost_in_light_sleep(dark, late_ms):
    def scenario(rig):
        rig.run_ms(late_ms)
        for key in ("left", "down", "down", "down"):
            rig.press(key)
            rig.run_ms(15)
            rig.release(key)
            rig.run_ms(100)
        return rig.settle().oled.lit, rig.frame()

    # The first tap switches the display on
    assert branch(dark, scenario) == (True, ReferenceDevice().sit_down(device.SETUP).keys("down*3").frame())


def test_usb_works_after_a_light_sleep(dark):
    def scenario(rig):
        rig.serial.connect()
        rig.run_ms(1500)
        rig.serial.send(frame(REQUEST, 7, "who", "{}"))
        rig.run_ms(500)
        return [unframe(ANSWER, line) for line in bytes(rig.serial.out).split(b"\n")]

    assert any(found and found[:2] == (7, "ok") for found in branch(dark, scenario))


def test_it_goes_on_in_light_sleep_for_a_long_time_and_wakes(dark):
    def scenario(rig):
        rig.run_ms(600_000)
        resets, lit = rig.pico.resets, rig.oled.lit
        return resets, lit, rig.tap("left").oled.lit, rig.tap("left").frame()

    assert branch(dark, scenario) == (0, False, True, ReferenceDevice().sit_down(device.SETUP).keys("left").frame())


# --- a Pico W, and an empty battery on both ---


def supply_rows(mv):
    reference = ReferenceDevice()
    reference.hw.vsys_mv = mv
    return reference.keys(ABOUT).frame()[SUPPLY]


def states(rig):
    return [int(rig.pico.mcu.gpio[gpio].value) for gpio in RADIO_PINS]


@pytest.mark.parametrize("mv", [3305, 3705, 4205])
def test_a_pico_w_measures_its_supply_and_leaves_the_pins_of_its_radio_alone(flash, mv):
    rig = Rig(flash, usb=False, wireless=True)
    rig.set_vsys(mv)
    assert rig.boot().keys(ReferenceDevice().pressed(ABOUT)).frame()[SUPPLY] == supply_rows(mv) != supply_rows(mv - 10)
    assert not set(states(rig)) & set(OUTPUT)
    assert rig.pico.complaints == []


def test_a_pico_w_sleeps_on_battery_as_a_pico_does_and_wakes_with_a_key_or_usb(table_flash):
    rig = Rig(table_flash, usb=False, wireless=True)
    rig.set_vsys(3900)
    rig.boot().run_ms(DARK_MS)
    assert not rig.oled.lit
    assert branch(rig, device.awake) < device.STATES["off"][1]
    woken = branch(rig, lambda rig: rig.tap("left").tap("left").frame())
    assert woken == ReferenceDevice().sit_down(device.SETUP).keys("left").frame()

    def talk(rig):
        rig.serial.connect()
        rig.run_ms(1500)
        rig.serial.send(frame(REQUEST, 7, "who", "{}"))
        rig.run_ms(500)
        return [unframe(ANSWER, line) for line in bytes(rig.serial.out).split(b"\n")]

    assert any(found and found[:2] == (7, "ok") for found in branch(rig, talk))


def test_a_pico_w_with_usb_never_sleeps_and_is_not_empty(table_flash):
    rig = Rig(table_flash, wireless=True)
    rig.set_vsys(2900)
    rig.boot().run_ms(EMPTY_MS)
    assert rig.frame() == ReferenceDevice().sit_down(device.SETUP).keys(f"wait:{EMPTY_MS}").frame()


@pytest.mark.parametrize("wireless", [False, True])
def test_an_empty_battery_switches_it_off_with_everything_on_flash_until_usb_is_back(table_flash, wireless):
    rig = Rig(table_flash, usb=False, wireless=wireless)
    rig.set_vsys(3700)
    rig.boot().keys("ok up ok wait:12000")
    reference = ReferenceDevice().sit_down(device.SETUP)
    reference.hw.usb_power, reference.hw.vsys_mv = False, 3701
    table = reference.keys("ok up ok wait:12000").frame()
    assert rig.frame() == table
    rig.set_vsys(2950)
    reference.hw.vsys_mv = 2951
    message = reference.keys(f"wait:{EMPTY_MS}").frame()
    assert reference.sees("empty")
    rig.pico.run_until(lambda: rig.frame() == message, EMPTY_MS, step_ms=100)
    rig.run_ms(READ_MS)
    assert not rig.oled.lit and settled(rig.files("data")) == settled(reference.files())

    def sleep(rig):
        done = len(rig.flash.operations)
        percent = device.awake(rig)
        rig.run_ms(120_000)
        return percent, len(rig.flash.operations) - done, rig.oled.lit, rig.tap("ok").oled.lit, rig.frame()

    percent, *after = branch(rig, sleep)
    assert percent < device.STATES["off"][1]
    assert after == [0, False, True, message], "nothing is written, and a key shows only the message"

    def usb(rig):
        rig.set_vsys(4700)
        rig.serial.connect()
        return rig.run_ms(BACK_MS).oled.lit, rig.frame()[:-LINE], rig.tap("undo").frame()[:-LINE]

    undone = ReferenceDevice().sit_down(device.SETUP).keys("ok up ok undo").frame()
    assert branch(rig, usb) == (True, table[:-LINE], undone[:-LINE]), "the last line changes with time"

    def charger(rig):
        rig.set_vsys(4700)
        if not wireless:
            rig.pico.mcu.gpio[24].set_input_value(True)
        return rig.run_ms(BACK_MS).oled.lit, rig.frame()[:-LINE]

    assert branch(rig, charger) == (True, table[:-LINE]), "a charger has no USB host"
    rig = rig.power_cut()
    rig.set_vsys(3700)
    assert rig.boot().frame() == table
