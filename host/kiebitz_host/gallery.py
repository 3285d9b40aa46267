"""`make shots`: a picture of every screen, and one sheet with all of them."""

import re
import sys
import tempfile
from pathlib import Path

from kiebitz.board.storage import Storage

from . import scenes
from .handheld import Device
from .png import write_png

SCALE = 4
SHEET_SCALE = 2
COLUMNS = 5
GAP = 4
OUT = Path("build") / "shots"


def sections(lengths=(scenes.SHORT,)):
    """(group, title, setup, events, keys) of every scene, with each of these line-ups."""
    for players in lengths:
        for group in scenes.GROUPS:
            for title, setup, events, keys in getattr(scenes, group)(players):
                yield group, title, setup, events, keys


class Flash(Storage):
    """A folder that says how much a Pico has free, so that pictures are the same everywhere."""

    def free(self):
        return 1_376_256


def play(storage, setup, events, keys):
    """A device that shows a scene."""
    device = Device(storage)
    if setup:
        device.sit_down(setup, events)
    if keys in scenes.STAGED:
        scenes.STAGED[keys](device)
    else:
        device.keys(keys)
    return device


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    pictures = []
    for group, title, setup, events, keys in sections():
        with tempfile.TemporaryDirectory() as folder:
            oled = play(Flash(folder), setup, events, keys).hw.oled
        frame = oled.frame()
        name = re.sub(r"[^a-z0-9]+", "-", f"{group} {title}".lower()).strip("-")
        write_png(OUT / f"{name}.png", oled.width, oled.height, frame, SCALE)
        pictures.append(frame)
    width, height, rows = sheet(pictures)
    write_png(OUT / "all.png", width, height, rows, SHEET_SCALE)
    print(f"{len(pictures)} screens in {OUT}, all of them on {OUT / 'all.png'}")
    return 0


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


if __name__ == "__main__":
    sys.exit(main())
