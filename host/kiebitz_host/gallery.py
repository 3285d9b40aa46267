"""`make shots`: a picture of every screen in every language, and for each language one sheet with all of them."""

import argparse
import re
import shutil
import sys
import tempfile
from pathlib import Path

from kiebitz.board.storage import Storage
from kiebitz.ui.texts import LANGUAGES

from .handheld import Device
from .png import write_png
from .scenes import GROUPS, HARD_GROUPS, scenes_of

SCALE = 4
SHEET_SCALE = 2
COLUMNS = 6
GAP = 4
OUT = Path("build") / "shots"
LOOK_MS = 20
README_SHEET = Path("docs") / "screens.png"  # the English sheet, for the README


class Flash(Storage):
    """A folder that says how much a Pico has free, so that pictures are the same everywhere."""

    def free(self):
        return 1_376_256


def play(storage, lang, scene, look=None):
    """A device that shows a scene; look(device) is called for every screen on the way, and no pixels are sent then."""
    _, setup, events, keys = scene
    device = Device(storage, lang)
    if look:
        device.look = lambda: look(device)
        device.board.display.show = lambda: 0
        device.step_ms = LOOK_MS
    if setup:
        device.sit_down(setup, events)
    if isinstance(keys, str):
        device.keys(keys)
    else:
        keys(device)
    if look:
        look(device)
    return device


def file_name(group, title):
    return re.sub(r"[^a-z0-9]+", "-", f"{group} {title}".lower()).strip("-") + ".png"


def draw(lang, folder, hard=False):
    """Draw every scene in a language into the folder, and all of them on a sheet; returns how many there are."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures = []
    for group in HARD_GROUPS if hard else GROUPS:
        for scene in scenes_of(group, hard):
            with tempfile.TemporaryDirectory() as flash:
                oled = play(Flash(flash), lang, scene).hw.oled
            frame = oled.frame()
            write_png(folder / file_name(group, scene[0]), oled.width, oled.height, frame, SCALE)
            pictures.append(frame)
    width, height, rows = sheet(pictures)
    write_png(folder / "all.png", width, height, rows, SHEET_SCALE)
    return len(pictures)


def sheet(pictures):
    """Width, height and rows of one picture with all the others side by side."""
    high, wide = len(pictures[0]), len(pictures[0][0])
    lines = -(-len(pictures) // COLUMNS)
    width, height = COLUMNS * (wide + GAP) + GAP, lines * (high + GAP) + GAP
    rows = [[2] * width for _ in range(height)]
    for i, picture in enumerate(pictures):
        x, y = GAP + i % COLUMNS * (wide + GAP), GAP + i // COLUMNS * (high + GAP)
        for dy, row in enumerate(picture):
            rows[y + dy][x : x + wide] = row
    return width, height, rows


def main(argv=None):
    parser = argparse.ArgumentParser(prog="gallery", description=__doc__)
    parser.add_argument("--hard", action="store_true", help="with the longest names, most players and high numbers")
    options = parser.parse_args(argv)
    for lang in LANGUAGES:
        folder = OUT / (lang + "-hard" if options.hard else lang)
        print(f"{draw(lang, folder, options.hard)} screens in {folder}, all of them on {folder / 'all.png'}")
    if not options.hard:
        shutil.copy(OUT / "en" / "all.png", README_SHEET)
    return 0


if __name__ == "__main__":
    sys.exit(main())
