"""Draw every screen in every language, and one sheet per language with all of them (`make shots`).

Also compare the translated guides for players with the English ones: `docs/LANG/playing.md` and `docs/LANG/games/` have
their headings, list items, table rows and pictures. Emphasised names of texts of the device are updated.

The screens of the other boards are drawn in English.
"""

import argparse
import itertools
import re
import shutil
import sys
import tempfile
from pathlib import Path

from kiebitz.board.profiles import DEFAULT, FAMILIES
from kiebitz.board.storage import Storage
from kiebitz.text import LANGUAGES
from kiebitz_host.languages import device_texts
from kiebitz_host.sim.picture import write_png

from .frozen_tree import ROOT
from .games import GAMES_IN_LAB
from .handheld import ScriptedDevice
from .scenes import GROUPS, HARD_GROUPS, scenes_of

DOCS = ROOT / "docs"
TRANSLATIONS = LANGUAGES[1:]
_TERM = re.compile(r"(\*\*?)(?=\S)(.+?)(?<=\S)\1", re.DOTALL)
# The kinds of lines that a page and its translations have in common
_KINDS = (
    ("heading", re.compile(r"^#+ ")),
    ("list item", re.compile(r"^ *(?:- |\d+\. )")),
    ("table row", re.compile(r"^ *\|")),
    ("picture", re.compile(r"!\[")),
)


def english_pages() -> list[Path]:
    """Return the pages for players, below the folder of the docs."""
    return [Path("playing.md"), *sorted(path.relative_to(DOCS) for path in (DOCS / "games").glob("*.md"))]


def structure(text: str) -> dict[str, list[int]]:
    """Return the number of list items, table rows and pictures below each heading, by kind."""
    found: dict[str, list[int]] = {kind: [0] for kind, _ in _KINDS}
    for line in text.splitlines():
        if _KINDS[0][1].match(line):
            for counts in found.values():
                counts.append(0)
        for kind, pattern in _KINDS:
            found[kind][-1] += len(pattern.findall(line))
    return found


def terms(text: str) -> list[str]:
    """Return what is emphasised in a page, in order."""
    return [" ".join(words.split()) for _, words in _TERM.findall(text)]


def updated(english: str, translated: str, lang: str) -> str:
    """Return the translated page with the device's current words for each text of the device in the English page."""
    keys: dict[str, list[str]] = {}
    for key, sentence in device_texts(LANGUAGES[0]).items():
        keys.setdefault(sentence, []).append(key)
    own = device_texts(lang)
    wanted = [[own[key] for key in keys.get(term, [])] for term in terms(english)]
    if len(wanted) != len(terms(translated)):
        raise ValueError(f"{len(terms(translated))} emphasised words instead of {len(wanted)}: {terms(english)}")
    texts = iter(wanted)

    def replaced(match: re.Match) -> str:
        allowed, words = next(texts), " ".join(match[2].split())
        if not allowed or words.casefold() in [sentence.casefold() for sentence in allowed]:
            return match[0]
        new = allowed[0][0].upper() + allowed[0][1:] if words[0].isupper() else allowed[0]
        return f"{match[1]}{new}{match[1]}"

    return _TERM.sub(replaced, translated)


def update() -> None:
    """Write the translated pages with the device's current words."""
    for page in english_pages():
        for lang in TRANSLATIONS:
            path = DOCS / lang / page
            path.write_text(updated((DOCS / page).read_text("utf-8"), path.read_text("utf-8"), lang), "utf-8")


WIDTH = 512  # of a picture, at most; its size is a whole multiple of the display's
SHEET_WIDTH = 1800
GAP = 4
FRAME = (48, 52, 60)
OUT = Path("build") / "shots"
LOOK_MS = 20
OTHER_BOARD = "pico_lcd_13"
COLUMNS = {DEFAULT: 6, OTHER_BOARD: 4}  # of the sheet of all screens

# For the docs: the English sheet, a choice of screens of either board, and pictures for the pages for players
ALL_SHEET = Path("docs") / "screens.png"
FEW_SHEET = Path("docs") / "screens_few.png"
OTHER_SHEET = Path("docs") / "screens_lcd.png"
# Boards with an image of their own, with what their glass shows around the picture
SHOP_BOARDS = tuple(names[-1] for family, names in FAMILIES.items() if family)
SHOP_SHEET = "docs/screens_{}.png"
FEW_SCENES = (
    ("royal", "table in play"),
    ("royal", "boards of a player"),
    ("table", "scoreboard of 4"),
    ("poch", "ready"),
    ("any", "points of a round"),
    ("table", "undo"),
)
FEW_COLUMNS = 3
OTHER_SCENES = (
    ("device", "start"),
    ("device", "name"),
    *[(game.GROUP, title) for game in GAMES_IN_LAB.values() for title in game.README_SCENES],
)
SHOP_SCENES = (
    ("device", "start"),
    ("device", "name"),
    ("royal", "table in play"),
    ("poch", "ready"),
    ("table", "scoreboard of 4"),
    ("table", "undo"),
)
PAGES = Path("docs") / "games"  # a picture for each scene that a page for players shows
PAGE_SCALE = 3
# The scenes on pages of the docs that are not about one game
DOCS_SCENES = {
    "playing": (
        ("table", "who plays"),
        ("table", "scoreboard of 4"),
        ("table", "undo"),
        ("table", "all entries"),
        ("table", "one entry"),
        ("table", "effect of a house rule"),
    ),
    "club-evening": (("device", "start, drawn seats"),),
}


class Flash(Storage):
    """A folder that always reports the free space of a Pico, so that pictures are the same everywhere."""

    def free(self):
        return 1_376_256


def play(storage, lang, scene, look=None, board=DEFAULT):
    """Return a device that shows a scene; call look(device) for every screen if given, and send no pixels then."""
    _, setup, events, keys = scene
    device = ScriptedDevice(storage, lang, board)
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


def draw(lang, folder, hard=False, board=DEFAULT):
    """Draw every scene in a language into the folder, and all of them on a sheet. Returns the number of scenes."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures = []
    for group in HARD_GROUPS if hard else GROUPS:
        for scene in scenes_of(group, hard):
            rows, palette = picture_of(lang, scene, board)
            high, wide = len(rows), len(rows[0])
            write_png(folder / file_name(group, scene[0]), wide, high, rows, WIDTH // wide, palette)
            pictures.append((rows, palette))
    write_sheet(folder / "all.png", pictures, COLUMNS[board])
    return len(pictures)


def picture_of(lang, scene, board=DEFAULT):
    """Return the picture at the end of a scene: (rows of numbers, the colours for these numbers)."""
    with tempfile.TemporaryDirectory() as flash:
        return play(Flash(flash), lang, scene, board=board).hw.oled.picture()


def write_sheet(path, pictures, columns):
    """Write one picture with all the others side by side."""
    palette = [FRAME]
    for _, colours in pictures:
        palette += [colour for colour in colours if colour not in palette]
    high, wide = len(pictures[0][0]), len(pictures[0][0][0])
    lines = -(-len(pictures) // columns)
    width, height = columns * (wide + GAP) + GAP, lines * (high + GAP) + GAP
    rows = [[0] * width for _ in range(height)]
    for i, (picture, colours) in enumerate(pictures):
        x, y = GAP + i % columns * (wide + GAP), GAP + i // columns * (high + GAP)
        places = [palette.index(colour) for colour in colours]
        for dy, row in enumerate(picture):
            rows[y + dy][x : x + wide] = [places[number] for number in row]
    write_png(path, width, height, rows, SHEET_WIDTH // width, palette)


def draw_few(path, names, columns, board=DEFAULT):
    """Draw a choice of screens, given as (group, title), in English on one sheet."""
    write_sheet(path, [picture_of("en", scene_of(*name), board) for name in names], columns)


def scene_of(group, title):
    """Return the scene of a group with this title."""
    return next(scene for scene in scenes_of(group) if scene[0] == title)


def page_scenes():
    """Return {page of the docs: (group, title) of the scenes it shows}."""
    pages = dict(DOCS_SCENES)
    for kind, game in GAMES_IN_LAB.items():
        pages["games/" + kind] = tuple((game.GROUP, title) for title in game.PAGE_SCENES)
    return pages


def draw_pages(folder=PAGES, lang="en"):
    """Draw the scenes of the pages for players in a language, a picture for each."""
    folder.mkdir(parents=True, exist_ok=True)
    for group, title in itertools.chain(*page_scenes().values()):
        rows, palette = picture_of(lang, scene_of(group, title))
        write_png(folder / file_name(group, title), len(rows[0]), len(rows), rows, PAGE_SCALE, palette)


def main(argv=None):
    parser = argparse.ArgumentParser(prog="gallery", description=__doc__)
    parser.add_argument("--hard", action="store_true", help="with the longest names, most players and high numbers")
    options = parser.parse_args(argv)
    wanted = [(lang, DEFAULT, lang) for lang in LANGUAGES] + [("en", OTHER_BOARD, OTHER_BOARD)]
    for lang, board, name in wanted:
        folder = OUT / (name + "-hard" if options.hard else name)
        print(f"{draw(lang, folder, options.hard, board)} screens in {folder}, all of them on {folder / 'all.png'}")
    if not options.hard:
        shutil.copy(OUT / "en" / "all.png", ALL_SHEET)
        draw_few(FEW_SHEET, FEW_SCENES, FEW_COLUMNS)
        draw_few(OTHER_SHEET, OTHER_SCENES, COLUMNS[OTHER_BOARD], OTHER_BOARD)
        for board in SHOP_BOARDS:
            draw_few(SHOP_SHEET.format(board), SHOP_SCENES, FEW_COLUMNS, board)
        draw_pages()
        update()
    return 0


if __name__ == "__main__":
    sys.exit(main())
