"""The board with the square display: what real MicroPython sends over SPI shows the pixels of the simulator."""

import pytest
from kiebitz.raster.tints import NUMBERS
from kiebitz_host.link.client import Client
from kiebitz_host.sim.picture import buffer_rows
from kiebitz_lab.chip.files import flash_with
from kiebitz_lab.chip.probes import ChipCable, branch, heap
from kiebitz_lab.chip.reference import ReferenceDevice, in_use, settled
from kiebitz_lab.chip.rig import Rig
from kiebitz_lab.samples import SAMPLES

BOARD = "pico_lcd_13"
FULL_FRAME = 240 * 240 * 2
LEAST_FREE = 60_000


def reference():
    return ReferenceDevice(board=BOARD)


@pytest.fixture(scope="module")
def lcd(image):
    """Return a device that was just switched on."""
    return Rig(flash_with(image, in_use(BOARD)), BOARD).boot()


def test_it_starts_and_shows_the_first_screen_of_the_simulator(lcd):
    assert lcd.oled.lit and lcd.oled.unknown == [] and lcd.pico.complaints == []
    assert lcd.serial.out == b"" and "data/crash.txt" not in lcd.files()
    assert FULL_FRAME < lcd.bus.bytes < FULL_FRAME + 50
    assert lcd.oled.colours() == reference().hw.oled.colours()


def test_a_new_device_without_an_oled_takes_the_square_display(image):
    rig = Rig(flash_with(image), BOARD).boot()
    assert rig.oled.colours() == ReferenceDevice(language=None, board=BOARD).hw.oled.colours()


def test_a_game_is_begun_and_an_entry_made_by_its_keys(lcd):
    """Two new players, then a score, with the joystick and its press."""
    played = reference()
    script = played.pressed("ok ok pick:players.new up up hold:ok up left hold:ok hold:ok ok ok right ok")

    def scenario(rig):
        rig.keys(script)
        return rig.oled.colours(), rig.files("data")

    colours, files = branch(lcd, scenario)
    assert len(played.table) == 1, played.text()
    assert colours == played.hw.oled.colours()
    games = {name: data for name, data in settled(played.files()).items() if name.endswith(".kbz")}
    assert len(games) == 1 and settled(files).items() >= games.items()


@pytest.mark.parametrize("gpio, key", [(3, "ok"), (15, "ok"), (21, "ok"), (17, "undo"), (19, "undo")])
def test_keys_beside_the_display_do_what_their_table_says(lcd, gpio, key):
    before = "ok down"

    def scenario(rig):
        rig.keys(before)
        rig.pins[gpio].press()
        rig.run_ms(50)
        rig.pins[gpio].release()
        return rig.run_ms(50).settle().oled.colours()

    assert branch(lcd, scenario) == reference().keys(f"{before} {key}").hw.oled.colours()


def test_only_what_has_changed_is_sent_and_soon(lcd):
    def scenario(rig):
        rig.keys("ok")
        sent, start = rig.bus.bytes, rig.ms
        rig.tap("down")
        return rig.bus.bytes - sent, rig.bus.drawn_ms - start

    sent, ms = branch(lcd, scenario)
    assert 0 < sent < FULL_FRAME / 2
    assert ms < 60


def test_every_bit_takes_its_time_on_the_bus(lcd):
    """At 62.5 MHz a picture takes 14.7 ms on the wire alone."""

    def scenario(rig):
        rig.press("ok")
        rig.pico.run_until(lambda: rig.bus.busy, 1000, step_ms=0.1)
        first, start = rig.bus.bytes, rig.ms
        rig.run_ms(300)
        return (rig.bus.bytes - first) * 8 / 62_500, rig.bus.drawn_ms - start

    wire_ms, ms = branch(lcd, scenario)
    assert wire_ms > 5 and wire_ms < ms < wire_ms + 40


@pytest.mark.parametrize("name", ["poch", "poker_carre grid"])
def test_enough_memory_is_left_at_the_largest_tables(image, name):
    """Picture and letters of this display take 20 to 30 KB more than those of the small one."""
    table = reference().sit_down(SAMPLES[name][0])
    flash = flash_with(image, table.files())
    rig = Rig(flash, BOARD).boot()
    rig.keys("left undo")
    assert heap(rig).free >= LEAST_FREE


def test_the_laptop_gets_its_picture(lcd):
    def scenario(rig):
        rig.keys("ok")
        client = Client(ChipCable(rig))
        client.hello()
        return client.screen(), rig.frame()

    (width, height, picture, tints), frame = branch(lcd, scenario)
    rows = [bytes(row) for row in buffer_rows(width, height, picture)]
    assert rows[30:] == frame[30:]  # above it is the bar, in a colour of its own
    assert (width, height) == (240, 240) and any(any(row) for row in rows)
    assert tints[:5] == bytes([0, 0, 240, tints[3], NUMBERS["bar"]]), "the bar comes first, over the whole width"


def test_brightness_can_be_set(lcd):
    def scenario(rig):
        seen = [rig.oled.light]
        rig.keys(reference().pressed("pick:start.settings at:set.brightness left"))
        seen.append(rig.oled.light)
        rig.keys("right*5")
        return [*seen, rig.oled.light]

    usual, darker, brightest = branch(lcd, scenario)
    assert 0 < darker < usual < brightest == 65535
