"""Test the image of each board from a shop on an emulated RP2040 with the board's wires."""

import pytest
from kiebitz.board.profiles import PROFILES, family_of
from kiebitz_lab.chip.flash import flash_with
from kiebitz_lab.chip.probes import branch
from kiebitz_lab.chip.rig import Rig
from kiebitz_lab.handheld import ReferenceDevice, in_use, settled
from kiebitz_lab.hardware.checks import INPUTS, uses
from kiebitz_lab.image.build import family_images

BOARDS = ("picoboy_color", "display_pack", "picosystem")
FIRST_SCORE = "ok ok pick:players.new up up hold:ok up left hold:ok hold:ok ok ok right ok"


@pytest.fixture(scope="module", params=BOARDS)
def board(request):
    return request.param


@pytest.fixture(scope="module")
def image(board):
    """Return the image of the board's family."""
    return family_images()[family_of(board)]


@pytest.fixture(scope="module")
def rig(board, image):
    """Return a device that was just switched on, in use before, with every level that it has driven."""
    rig = Rig(flash_with(image, in_use(board)), board)
    rig.driven = set()
    for gpio, pin in enumerate(rig.pico.mcu.gpio):
        pin.add_listener(lambda level, _, gpio=gpio: rig.driven.add(gpio) if level in (0, 1) else None)
    return rig.boot()


def test_a_new_device_asks_for_the_language(board, image):
    rig = Rig(flash_with(image), board).boot()
    assert rig.oled.colours() == ReferenceDevice(language=None, board=board).hw.oled.colours()


def test_it_starts_and_shows_the_first_screen_of_the_simulator(rig, board):
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


def test_the_image_of_another_family_is_repaired_by_the_right_one(image, board):
    """Ignore what the device has stored about its board."""
    other = "picosystem" if board != "picosystem" else "picoboy_color"
    rig = Rig(flash_with(image, in_use(other)), board).boot()
    assert rig.oled.colours() == ReferenceDevice(board=board).hw.oled.colours()
