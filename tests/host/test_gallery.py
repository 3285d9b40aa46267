"""Every screen in every language: no text is cut, covered or outside, and its last line explains its keys."""

import gc
import zlib
from itertools import combinations
from pathlib import Path

import pytest
from helpers.faulty_storage import FaultyStorage
from kiebitz import text as texts
from kiebitz.board.profiles import DEFAULT
from kiebitz.games.poker_carre.card_entry import CardMatrix, items_words
from kiebitz.raster import icons
from kiebitz.raster.canvas import Canvas
from kiebitz.screens.power import BatteryEmpty, Updating
from kiebitz.screens.scoreboard import Scoreboard
from kiebitz.screens.settings import SelfTest
from kiebitz.text import Phrases
from kiebitz.widgets.keys import DOWN, LEFT, NAMES, OK, RIGHT, UNDO, UP
from kiebitz.widgets.screen import Notice
from kiebitz_host import languages
from kiebitz_host.sim.hardware import Reset
from kiebitz_lab import gallery
from kiebitz_lab.handheld import ScriptedDevice
from kiebitz_lab.scenes import GROUPS, HARD_GROUPS, LONG, MANY, scenes_of

DOCS = Path(__file__).parents[2] / "docs"
# Not a whole screen: refusals, entries and names of things, which other tests measure
ELSEWHERE = ("E_", "W_", "ev.", "phase.", "dir.", "pool.", "rubric.", "seat", "app.", "shelf.kept", "carre.short.")


def faults_of(lang, scene, board=DEFAULT):
    """Return the layout faults on all screens of the scene."""
    found = {}
    gallery.play(FaultyStorage(), lang, scene, lambda device: found.update(dict.fromkeys(device.faults())), board)
    return list(found)


@pytest.fixture(autouse=True)
def quick_gc():
    """Freeze pytest's objects, because the firmware calls gc.collect() between screens."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("lang", texts.LANGUAGES)
def test_every_screen_fits(lang, group):
    for scene in scenes_of(group):
        assert faults_of(lang, scene) == [], scene[0]


@pytest.mark.parametrize("group", HARD_GROUPS)
@pytest.mark.parametrize("lang", texts.LANGUAGES)
def test_every_screen_fits_with_the_longest_names_most_players_and_high_numbers(lang, group):
    for scene in scenes_of(group, True):
        assert faults_of(lang, scene) == [], scene[0]


@pytest.mark.long
@pytest.mark.parametrize(("lang", "group"), [*[("de", group) for group in GROUPS], ("nl", "device")])
def test_every_screen_fits_with_the_labels_of_four_keys(lang, group):
    other = ("display", "key stuck")  # there is no other display, and a jammed chord is UNDO at power-on
    for scene in [scene for scene in scenes_of(group) if scene[0] not in other]:
        assert faults_of(lang, scene, "display_pack") == [], scene[0]


def test_screens_fit_the_large_display():
    for scene in scenes_of("spot"):
        assert faults_of("de", scene, gallery.OTHER_BOARD) == [], scene[0]


@pytest.mark.long
@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("lang", texts.LANGUAGES)
def test_every_screen_fits_the_large_display(lang, group):
    """Check that moved cursors leave the same picture as a full redraw, too."""
    for hard in (False, True) if group in HARD_GROUPS else (False,):
        for scene in scenes_of(group, hard):
            assert faults_of(lang, scene, gallery.OTHER_BOARD) == [], (scene[0], hard)


@pytest.mark.parametrize("lang", texts.LANGUAGES)
def test_any_combinations_of_a_placement_fit_a_line_in_words_short_words_or_points(lang):
    texts.use(lang)
    canvas = Canvas(128, 64)
    kinds = [[line, kind, 7] for line in "HV" for kind in ("straight", "set", "colour")]
    shown = []
    for n in range(1, len(kinds) + 1):
        for items in combinations(kinds, n):
            line = items_words(canvas, list(items), canvas.w)
            assert canvas.width(line) <= canvas.w, line
            shown.append(line)
    for kind in ("straight", "set", "colour"):
        assert any(texts.text("kind." + kind) in line for line in shown)
        assert any(texts.text("carre.short." + kind) + " 7" in line for line in shown)


def test_the_hard_scenes_are_hard():
    assert {len(name) for name in MANY} <= {22, 23, 24} and len(MANY) == 8 and len(LONG) == 5
    totals = {}
    for group in ("royal", "carre", "poch", "spot"):
        for scene in scenes_of(group, True):
            game = gallery.play(FaultyStorage(), "en", scene, lambda device: None).app.library.table
            if game:
                totals[group] = max(totals.get(group, 0), *game.game.totals())
    assert min(totals.values()) > 100, totals


def test_a_text_that_is_cut_is_found_unless_it_is_a_name():
    device = ScriptedDevice(FaultyStorage(), "en")
    device.app.roster.add("Maximiliane-Alexandrina")
    for title, fault in (
        ("Maximiliane-Alexandrina, Maximiliane-Alexandrina", []),
        ("1 Maximiliane-Alexandrina, Maximiliane-Alexandrina", []),
        ("Settings of Maximiliane-Alexandrina are all right", ["shortened"]),
        ("This sentence is far too long for the display", ["shortened"]),
    ):
        device.app.push(Notice(device.app, title, "Go on?"))
        device.wait(100)
        assert [line.split(":")[0] for line in device.faults()] == fault, title


def test_texts_outside_or_over_each_other_are_found():
    device = ScriptedDevice(FaultyStorage(), "en")
    canvas = device.app.canvas
    for places, fault in (
        ([(0, 0), (40, 0)], []),
        ([(0, 0), (10, 0)], ["over each other"]),
        ([(0, 0), (10, 4)], ["over each other"]),
        ([(-1, 0)], ["outside"]),
        ([(110, 30)], ["outside"]),
        ([(0, 57)], ["outside"]),
        ([(0, 56), (27, 56)], ["over each other"]),  # what keys do needs a gap
        ([(0, 48), (27, 48)], []),
    ):
        canvas.clear()
        for x, y in places:
            canvas.text("Points", x, y)
        assert [line.split(":")[0] for line in device.faults()] == fault, places


def test_every_sentence_is_on_some_screen(monkeypatch):
    asked = set()
    get = Phrases.get

    def spy(phrases, key):
        asked.add(key)
        return get(phrases, key)

    monkeypatch.setattr(Phrases, "get", spy)
    for scene in [scene for group in GROUPS for scene in scenes_of(group)] + scenes_of("spot", True):
        gallery.play(FaultyStorage(), "en", scene, lambda device: None)
    for board in gallery.SHOP_BOARDS:  # whose names are in About
        gallery.play(FaultyStorage(), "en", gallery.scene_of("device", "about"), lambda device: None, board)
    keys = languages.device_keys()
    assert len(keys) > 500
    assert [key for key in keys if key not in asked and not key.startswith(ELSEWHERE)] == []


def test_the_gallery_draws_a_picture_of_every_scene_and_a_sheet(tmp_path, monkeypatch):
    monkeypatch.setattr(gallery, "GROUPS", ["spot"])
    count = gallery.draw("fr", tmp_path / "fr")
    assert count == len(scenes_of("spot"))
    names = {path.name for path in (tmp_path / "fr").iterdir()}
    assert len(names) == count + 1 and {"all.png", "spot-final-ranking.png"} <= names


def test_the_gallery_draws_the_other_board_in_its_colours(tmp_path):
    gallery.draw_few(tmp_path / "other.png", gallery.OTHER_SCENES[:2], 4, gallery.OTHER_BOARD)
    data = (tmp_path / "other.png").read_bytes()
    assert int.from_bytes(data[16:20], "big") == 4 * 244 + 4
    palette = data[data.index(b"PLTE") + 4 :][: int.from_bytes(data[data.index(b"PLTE") - 4 :][:4], "big")]
    assert len(palette) == 3 * 4  # dark, lit, the bar, and the frame around


def pixels(path):
    """Return the uncompressed pixels of a PNG, because zlib versions compress differently."""
    data = path.read_bytes()
    return data[:33], zlib.decompressobj().decompress(data[data.index(b"IDAT") + 4 :])


def test_the_pictures_of_the_pages_for_players_are_up_to_date(tmp_path):
    gallery.draw_pages(tmp_path)
    drawn = {path.name: pixels(path) for path in tmp_path.iterdir()}
    assert {path.name: pixels(path) for path in (DOCS / "games").glob("*.png")} == drawn  # else: make shots


def test_every_page_for_players_shows_its_pictures():
    pages = {page: scenes for page, scenes in gallery.page_scenes().items() if scenes}
    assert len(pages) > 5
    for page, scenes in pages.items():
        text = (DOCS / (page + ".md")).read_text("utf-8")
        for group, title in scenes:
            assert gallery.file_name(group, title) in text, (page, title)


def test_the_screens_of_the_docs_exist():
    for group, title in gallery.OTHER_SCENES + gallery.FEW_SCENES:
        assert title in [scene[0] for scene in scenes_of(group)], title


def test_two_pictures_never_have_the_same_name():
    names = [gallery.file_name(group, scene[0]) for group in GROUPS for scene in scenes_of(group)]
    assert len(set(names)) == len(names)


# --- keys explained by the last line ---

GLYPHS = {
    "\u2190": {LEFT},
    "\u2192": {RIGHT},
    "\u2191": {UP},
    "\u2193": {DOWN},
    icons.FOUR_ARROWS: {UP, DOWN, LEFT, RIGHT},
    icons.OK: {OK},
    icons.UNDO: {UNDO},
}
# Without a last line: the scoreboard fills the display and any key closes it; no key acts on the other two
WHOLE = (Scoreboard, BatteryEmpty, Updating)
HINTS_MS = 3000
# Keys that act, but in none of the scenes: the list has one game, the two keys are ticked
IDLE = {"LibraryMenu": (UP, DOWN), "SelfTest": (UP, DOWN)}


def keys_in(hint):
    """Return (keys, words) of a hint: the glyphs in front, and what follows them."""
    keys = set()
    while hint[:1] in GLYPHS:
        keys |= GLYPHS[hint[0]]
        hint = hint[1:]
    return keys, hint


def named(device):
    """Return the keys in the last line, on all its pages; every glyph must be followed by a word or a number."""
    found = set()
    for page in device.app.canvas.hints:
        for hint in page:
            keys, words = keys_in(hint)
            assert words.strip(), (device.app.top, page)
            found |= keys
    if isinstance(device.app.top, CardMatrix):  # a narrow panel, with OK in the line above the last
        found |= {OK for y, _, words, *_ in device.words.drawn if y == 48 and keys_in(words)[0] == {OK}}
    return found


def shown(scene, board=DEFAULT):
    """Return a device at the end of a scene, without the message over its last line."""
    device = gallery.play(FaultyStorage(), "en", scene, board=board)
    device.board.display.show = lambda: 0
    device.app.apply_settings()  # removes the message
    device.wait(20)
    return device


def state(device):
    """Return what a player could notice: the stack of screens, the picture, and what is on flash."""
    app = device.app
    journal = app.library.journal.lines if app.library.table else None
    return [type(screen) for screen in app.stack], bytes(app.board.display.buffer), journal, app.library.running


def acts(scene, key, hold):
    """Return True if a key, pressed or held, does anything on the last screen of a scene but say why it cannot."""
    device = shown(scene)
    device.board.format = device.board.reset  # raises Reset, too
    before = state(device)
    try:
        device.keys(("hold:" if hold else "") + NAMES[key].lower())
    except Reset:
        return True
    told = device.app._toast
    device.app.apply_settings()  # removes the message
    device.wait(20)
    return state(device) != before or bool(told and told[3] != "refused")


def is_whole(device):
    top = device.app.top
    return isinstance(top, WHOLE) or (isinstance(top, SelfTest) and bool(top.pattern))


def walked():
    """Return {(screen, phase of Poch): {keys in the last line: scenes}} of all screens."""
    found = {}
    for group in GROUPS:
        for scene in scenes_of(group):
            if scene[0] == "error":
                continue  # not a screen; its last line says that any key starts again
            device = shown(scene)
            if not is_whole(device):
                top = device.app.top
                kind = type(top).__name__, type(getattr(top, "view", None)).__name__
                lines = str([[keys_in(hint)[0] for hint in page] for page in device.app.canvas.hints])
                found.setdefault(kind, {}).setdefault(lines, []).append(scene)
    return found


def test_the_last_line_explains_the_keys_that_do_something_and_no_others():
    missing, idle = [], []
    for kind, lines in walked().items():
        told, done = set(), set(IDLE.get(kind[0], ()))
        for scenes in lines.values():
            keys = named(shown(scenes[0]))
            told |= keys
            for key in set(range(len(NAMES))) - keys:
                missing += [(kind, scenes[0][0], NAMES[key], hold) for hold in (0, 1) if acts(scenes[0], key, hold)]
        for scene in [scene for scenes in lines.values() for scene in scenes]:
            done |= {key for key in told - done if acts(scene, key, False) or acts(scene, key, True)}
            if told <= done:
                break
        idle += [(kind, NAMES[key]) for key in told - done]
    assert not missing + idle, "\n".join(map(str, missing + idle))


@pytest.mark.parametrize("board", [DEFAULT, gallery.OTHER_BOARD])
def test_keys_that_do_not_fit_follow_while_nobody_presses_one(board):
    device = shown(next(scene for scene in scenes_of("royal") if scene[0] == "table in play"), board)
    pages = device.app.canvas.hints
    assert len(pages) > 1
    for page in [*pages, *pages]:
        assert device.lines()[-1].split()[0] == page[0].split()[0], page
        device.wait(HINTS_MS)
    assert not device.faults()


def test_a_key_shows_the_first_keys_again():
    device = shown(next(scene for scene in scenes_of("royal") if scene[0] == "table in play"))
    first = device.lines()[-1]
    device.wait(HINTS_MS)
    assert device.lines()[-1] != first
    device.keys("down")  # redraws two lines only
    assert device.lines()[-1] == first


def test_the_scoreboard_has_no_last_line_and_any_key_closes_it():
    scene = next(scene for scene in scenes_of("table") if scene[0] == "scoreboard of 4")
    for key in NAMES:
        device = shown(scene)
        assert isinstance(device.app.top, Scoreboard) and not device.app.canvas.hints
        device.keys(key.lower())
        assert not isinstance(device.app.top, Scoreboard), key
