"""Check that the firmware in a page draws the same pictures and writes the same journals as on CPython."""

import json
import subprocess
from array import array
from pathlib import Path
from zlib import crc32

import pytest
from kiebitz_lab.handheld import ReferenceDevice, presses, settled
from kiebitz_lab.pages import npm_micropython
from kiebitz_lab.samples import SAMPLES, to_first_entry
from kiebitz_lab.site.build import STATIC
from kiebitz_lab.site.bundle import device_image

HERE = Path(__file__).parent
BOARDS = ("pico_oled", "pico_lcd_13")
# A game from the start screen on, its first entry taken back and made again; the language was chosen before
MENUS = to_first_entry("royal_flush").partition(" ")[2] + " undo hold:undo left undo"


@pytest.fixture(scope="session")
def image(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "device.romfs"
    path.write_bytes(device_image())
    return path


def played_in_the_page(image, scenarios):
    command = ["node", str(HERE / "play_samples.mjs"), str(npm_micropython()), str(image), str(STATIC)]
    done = subprocess.run(command, input=json.dumps(scenarios), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def pixels(reference):
    """Return the pixels as the page has them: 0 or 1 on an OLED, 16 bits of colour on the square display."""
    model = reference.hw.oled
    if not model.has_colours:
        return b"".join(model.frame())
    assert model.lit and model.inverted
    return b"".join(array("H", column[: model.width]).tobytes() for column in reversed(model.ram))


def played_on_cpython(board, setup, keys):
    """Return (checksum of each picture, journals) of the same scenario."""
    reference = ReferenceDevice(board=board)
    if setup:
        reference.sit_down(setup)
    pictures = [crc32(pixels(reference))]
    reference.look = lambda: pictures.append(crc32(pixels(reference)))
    reference.keys(" ".join(keys))
    return pictures, journals_of(reference.files()), reference.text()


def journals_of(files):
    """Return the files without the settings, because these differ in the display that was found."""
    return {path: data for path, data in settled(files).items() if "settings" not in path}


@pytest.mark.parametrize("board", BOARDS)
def test_every_sample_game_is_the_same_in_the_page(image, board):
    scenarios = [{"board": board, "setup": setup, "keys": list(presses(keys))} for setup, keys in SAMPLES.values()]
    scenarios.append({"board": board, "setup": None, "keys": list(presses(MENUS))})
    count = 0
    for scenario, found in zip(scenarios, played_in_the_page(image, scenarios), strict=True):
        pictures, journals, text = played_on_cpython(**scenario)
        assert found["text"] == text
        assert found["pictures"] == pictures
        files = {path: bytes.fromhex(data) for path, data in found["files"].items()}
        assert journals_of(files) == journals and journals
        count += len(pictures)
    assert count > 400


def test_a_wrong_key_is_noticed(image):
    setup, keys = SAMPLES["top_spot"]
    first, second = played_in_the_page(
        image,
        [{"board": "pico_oled", "setup": setup, "keys": list(presses(script))} for script in (keys, "down " + keys)],
    )
    assert first["pictures"] != second["pictures"][:-1] and first["files"] != second["files"]
