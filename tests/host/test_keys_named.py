"""Compare the keys that do something on each screen with the keys that its last line explains."""

import gc

import pytest
from helpers.faulty_storage import FaultyStorage
from kiebitz.board.profiles import DEFAULT
from kiebitz.games.poker_carre.card_entry import CardMatrix
from kiebitz.raster import icons
from kiebitz.screens.power import BatteryEmpty, Updating
from kiebitz.screens.scoreboard import Scoreboard
from kiebitz.screens.settings import SelfTest
from kiebitz.widgets.keys import DOWN, LEFT, NAMES, OK, RIGHT, UNDO, UP
from kiebitz_host.sim.hardware import Reset
from kiebitz_lab import gallery
from kiebitz_lab.scenes import GROUPS, scenes_of

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


@pytest.fixture(autouse=True)
def quick_gc():
    """Freeze pytest's objects, because the firmware calls gc.collect() between screens."""
    gc.freeze()
    yield
    gc.unfreeze()


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
