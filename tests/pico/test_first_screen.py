"""Test power-on on every display and board: real MicroPython sends the pixels of the simulator."""

import hashlib

import pytest
from helpers.device import SHOP
from kiebitz.board.profiles import FAMILIES, PROFILES, family_of, pins_of
from kiebitz.raster.tints import NUMBERS
from kiebitz.screens.power import UndoHeld, Updating
from kiebitz_host.link.client import Client
from kiebitz_host.sim.picture import buffer_rows
from kiebitz_lab.chip.flash import changed, flash_with
from kiebitz_lab.chip.probes import ChipCable, ReferenceDevice, branch, heap, in_use, settled
from kiebitz_lab.chip.rig import Rig
from kiebitz_lab.hardware.checks import INPUTS, uses
from kiebitz_lab.image.build import family_images
from kiebitz_lab.samples import SAMPLES

SH1106 = "pico_oled_sh1106"
LARGE = "pico_oled_242"


def digest(frame):
    return hashlib.sha256(b"".join(frame)).hexdigest()


def test_it_starts_and_shows_its_first_screen(first_screen):
    assert first_screen.oled.lit
    assert first_screen.oled.unknown == []
    assert first_screen.serial.out == b""
    assert first_screen.pico.complaints == []
    assert "data/crash.txt" not in first_screen.files()


def test_the_first_screen_is_that_of_the_simulator_pixel_by_pixel(first_screen):
    assert first_screen.frame() == ReferenceDevice().frame()


def test_a_new_device_asks_for_the_language(bare_flash):
    rig = Rig(bare_flash).boot()
    assert rig.frame() == ReferenceDevice(language=None).frame()
    rig.tap("ok")
    assert rig.frame() == ReferenceDevice(language=None).keys("ok").frame()


@pytest.mark.parametrize("known", [False, True])
def test_an_sh1106_is_found_and_shows_the_same(bare_flash, first_screen, known):
    files = in_use(SH1106) if known else ReferenceDevice(board=SH1106).files()
    rig = Rig(changed(bare_flash, files), SH1106).boot()
    assert rig.oled.controller == PROFILES[SH1106].display.controller == "sh1106"
    assert rig.oled.unknown == []
    assert rig.frame() == first_screen.frame()
    rig.tap("down")
    assert rig.frame() == ReferenceDevice().keys("down").frame()


def test_the_large_oled_wakes_from_its_reset_shows_a_picture_and_is_chosen_by_name(bare_flash, first_screen):
    rig = Rig(changed(bare_flash, in_use(LARGE)), LARGE)
    edges = []
    rig.pico.mcu.gpio[PROFILES[LARGE].display.reset].add_listener(lambda level, _: edges.append((level, rig.pico.ns)))
    assert not rig.oled.answers
    rig.boot()
    assert rig.frame() == first_screen.frame() and rig.oled.unknown == [0x8D], "taken for the usual one"
    pulses = [(low, high) for (level, low), (_, high) in zip(edges, edges[1:], strict=False) if level == 0]
    assert pulses and all(high - low >= 3000 for low, high in pulses), "3 microseconds, says the data sheet"
    reference = ReferenceDevice(board=LARGE)
    to_its_name = reference.pressed(f"pick:start.settings pick:set.display at:display.{LARGE}")

    def scenario(rig):
        rig.keys(to_its_name)
        chosen = rig.frame()
        rig.tap("ok")
        rig.boot()
        return chosen, rig.frame(), rig.tap("ok").frame(), rig.oled.unknown, rig.pico.complaints

    chosen, asked, kept, unknown, complaints = branch(rig, scenario)
    assert chosen == reference.frame()
    assert asked != chosen and kept == first_screen.frame()
    assert unknown == [0x8D] and complaints == []


def test_the_same_run_is_the_same_to_the_cycle(flash, first_screen):
    again = Rig(flash).boot()
    for rig in (first_screen, again):
        assert rig.pico.cycles == again.pico.cycles
        assert rig.ms == again.ms
        assert digest(rig.frame()) == digest(again.frame())
        assert rig.flash.operations == again.flash.operations

    def play(rig):
        rig.keys("down ok undo hold:down")
        return rig.pico.cycles, rig.ms, digest(rig.frame()), hashlib.sha256(rig.pico.mcu.sram).hexdigest()

    assert branch(again, play) == branch(first_screen, play) == branch(first_screen, play)


def test_nothing_is_written_to_flash_at_a_start(first_screen):
    assert first_screen.flash.operations == []


def test_the_reset_button_starts_it_again(attempt):
    def scenario(rig):
        rig.keys("down ok")
        rig.pico.reset()
        return rig.boot().frame()

    assert attempt(scenario) == ReferenceDevice().frame()


def test_a_display_that_is_plugged_in_four_seconds_after_the_first_start_is_lit(bare_flash):
    rig = Rig(bare_flash)
    rig.unplug_display()
    rig.run_ms(4000)
    assert not rig.oled.lit
    rig.plug_display()
    rig.run_ms(2500)
    rig.settle()
    assert rig.oled.lit and any(map(any, rig.frame()))


@pytest.mark.parametrize("board", FAMILIES[""])
def test_no_pin_of_a_key_is_ever_driven_before_a_display_is_found(bare_flash, board):
    rig = Rig(bare_flash)
    rig.unplug_display()
    driven = []
    pins = sorted({gpio for key in PROFILES[board].keys for gpio in pins_of(key)})
    for gpio in pins:
        rig.pico.mcu.gpio[gpio].add_listener(lambda state, _, gpio=gpio: driven.append(gpio) if state < 2 else None)
    lit = PROFILES["pico_lcd_13"].display.light
    light = []
    rig.pico.mcu.gpio[lit].add_listener(lambda state, _: light.append(state))
    rig.run_ms(5000)
    assert light, "the square display was guessed, and its light is on"
    assert driven == [] and all(rig.pico.mcu.gpio[gpio].value >= 2 for gpio in pins)


def shown(screen):
    """Return the picture of a screen of the simulator."""
    reference = ReferenceDevice()
    reference.app.push(screen(reference.app))
    reference.app.draw()
    return reference.frame()


@pytest.mark.parametrize("wireless", [False, True])
def test_undo_held_at_power_on_brings_the_boot_loader_and_says_so(flash, wireless):
    rig = Rig(flash, wireless=wireless)
    rig.press("undo")
    rig.run_ms(1000)
    assert rig.frame() == shown(UndoHeld)
    rig.run_ms(3000)
    assert rig.pico.in_bootloader and rig.frame() == shown(Updating)
    rig = Rig(flash, wireless=wireless)
    rig.press("undo")
    rig.run_ms(800)
    rig.release("undo")
    rig.run_ms(4000)
    assert not rig.pico.in_bootloader, "it was let go"
    rig = Rig(flash, wireless=wireless, usb=False)
    rig.press("undo")
    rig.run_ms(4000)
    assert not rig.pico.in_bootloader, "the boot loader would empty the battery"


# --- the square display ---

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
    """Enter two new players, then a score, with the joystick."""
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
    """Allow more than the 14.7 ms that a picture takes on the wire at 62.5 MHz."""

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


FIRST_SCORE = "ok ok pick:players.new up up hold:ok up left hold:ok hold:ok ok ok right ok"


@pytest.fixture(scope="module", params=SHOP)
def board(request):
    return request.param


@pytest.fixture(scope="module")
def shop_image(board):
    """Return the image of the board's family."""
    return family_images()[family_of(board)]


@pytest.fixture(scope="module")
def rig(board, shop_image):
    """Return a device that was just switched on, in use before, with every level that it has driven."""
    rig = Rig(flash_with(shop_image, in_use(board)), board)
    rig.driven = set()
    for gpio, pin in enumerate(rig.pico.mcu.gpio):
        pin.add_listener(lambda level, _, gpio=gpio: rig.driven.add(gpio) if level in (0, 1) else None)
    return rig.boot()


def test_a_new_board_from_a_shop_asks_for_the_language(board, shop_image):
    rig = Rig(flash_with(shop_image), board).boot()
    assert rig.oled.colours() == ReferenceDevice(language=None, board=board).hw.oled.colours()


def test_a_board_from_a_shop_starts_and_shows_the_first_screen_of_the_simulator(rig, board):
    assert rig.oled.lit and rig.oled.unknown == [] and rig.pico.complaints == []
    assert rig.serial.out == b"" and "data/crash.txt" not in rig.files()
    assert rig.oled.colours() == ReferenceDevice(board=board).hw.oled.colours()
    wide, high = PROFILES[board].display.visible
    assert (rig.oled.width, rig.oled.height) == (wide, high)


def test_no_pin_is_driven_but_the_outputs_of_the_board(rig, board):
    """GP8 of the PicoSystem is an output of its display."""
    profile = PROFILES[board]
    outputs = {use.gpio for use in uses(profile) if use.job not in INPUTS}
    assert profile.display.cs in rig.driven and rig.driven <= outputs and not rig.driven & set(profile.foreign)


def test_a_game_is_begun_and_an_entry_made_and_taken_back_by_its_keys(rig, board):
    played = ReferenceDevice(board=board)
    script = played.pressed(FIRST_SCORE)
    made = played.hw.oled.colours()
    entries = len(played.table)
    taken_back = played.keys("undo wait:3000").hw.oled.colours()

    def scenario(rig):
        rig.keys(script)
        entered = rig.oled.colours()
        rig.keys("undo wait:3000")
        return entered, rig.oled.colours(), rig.files("data")

    colours, after, files = branch(rig, scenario)
    assert entries == 1 and colours == made and after == taken_back
    games = {name: data for name, data in settled(played.files()).items() if name.endswith(".kbz")}
    assert len(games) == 1 and settled(files).items() >= games.items()


def test_the_image_of_another_family_is_repaired_by_the_right_one(shop_image, board):
    """Ignore what the device has stored about its board."""
    other = "picosystem" if board != "picosystem" else "picoboy_color"
    rig = Rig(flash_with(shop_image, in_use(other)), board).boot()
    assert rig.oled.colours() == ReferenceDevice(board=board).hw.oled.colours()
