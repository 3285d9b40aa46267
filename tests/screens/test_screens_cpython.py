"""Test all screens: pauses, headers and the turn clock on both displays, and random keys."""

from types import SimpleNamespace

import pytest
from helpers.device import Device, at_table
from helpers.faulty_storage import FaultyStorage
from kiebitz import app
from kiebitz.board.profiles import PROFILES
from kiebitz.games import GAMES, Refused, new_game
from kiebitz.text import LANGUAGES
from kiebitz.widgets.keys import NAMES as KEY_NAMES
from kiebitz_host.sim.hardware import PowerOff, Reset
from kiebitz_lab import gallery, random_games
from kiebitz_lab.dice import NAMES as ROSTER
from kiebitz_lab.dice import Dice
from kiebitz_lab.games import GAMES_IN_LAB
from kiebitz_lab.games.base import lines_of
from kiebitz_lab.scenes import scenes_of

NAMES = ["Anna", "Ben", "Cleo", "Dan", "Eva", "Fritz"]


@pytest.mark.parametrize("board", PROFILES)
@pytest.mark.parametrize("players", [3, 4, 6])
def test_each_new_second_is_drawn_as_the_whole_screen_would_be(board, players):
    d = at_table({"game": "poch", "players": NAMES[:players]}, board=board)
    d.app.top.open_menu()
    d.wait(20)
    d.pick("Turn clock")
    d.keys("right pick:clock.limit ok pick:clock.on ok")
    d.step_ms = 200
    d.wait(75_000)  # over the limit of a minute, and from one to the next; the device compares every picture
    assert d.sees("1:14") and d.faults() == []


SAMPLES = {name: sample for game in GAMES_IN_LAB.values() for name, sample in game.SAMPLES.items()}


def picture(d):
    """Return the pixels of the display without a message over the screen."""
    d.app.toast("", 1)
    d.wait(10)
    return bytes(d.board.display.buffer)


@pytest.mark.parametrize("name", SAMPLES)
def test_in_every_game_a_power_cut_leaves_the_table_as_it_was(name):
    setup, keys = SAMPLES[name]
    d = at_table(setup)
    tables = 0
    for line in lines_of(keys)[:14]:
        d.keys(line)
        if not d.app.top.takes_back:
            continue
        before = picture(d)
        shown = d.lines()
        d.restart()
        assert picture(d) == before, (line, shown, d.lines())
        tables += 1
    assert tables > 5


TIGHT = {
    "poch": ("ready", "cash the pools", "bidding", "show-down", "play-out", "hands", "cards left", "game over"),
    "royal": ("table in play", "round over", "last round over", "boards of a player", "boards", "between rounds"),
    "spot": ("table", "rounds won", "refereed", "tiebreaker", "game ended", "match over"),
}
EDGE = {"pico_oled": (7, 8, 9), "pico_lcd_13": (28, 29, 30)}  # rows where the bar ends and the first line begins
BESIDE_A_LETTER = 2  # pixels that stay lit beside a descender, so that a g does not look like an o


@pytest.mark.parametrize("board", EDGE)
@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("group", TIGHT)
def test_a_dark_row_parts_the_header_from_the_first_line(group, hard, board):
    for scene in [scene for scene in scenes_of(group, hard) if scene[0] in TIGHT[group]]:
        rows, palette = gallery.play(FaultyStorage(), "en", scene, board=board).hw.oled.picture()
        assert is_parted(rows, palette, board), scene[0]


@pytest.mark.parametrize("board", EDGE)
@pytest.mark.parametrize("n", [4, 8])
def test_a_dark_row_parts_the_header_of_a_stored_game_from_its_players(n, board):
    setup = {"game": "poch", "players": ["Anna", "Ben", "Cleo", "Dan", "Eva", "Fritz", "Gerd", "Heidi"][:n]}
    scene = ("stored", setup, [], "left pick:menu.leave pick:start.games ok")
    device = gallery.play(FaultyStorage(), "en", scene, board=board)
    assert "Poch" in device.lines()[0] and "Anna" in device.lines()[1], device.text()
    assert is_parted(*device.hw.oled.picture(), board)


def is_parted(rows, palette, board):
    """Return True if a row between header and first line is dark, or its pixels are lit only beside a descender."""
    dark = palette.index(min(palette))
    if any(set(rows[y]) == {dark} for y in EDGE[board]):
        return True
    runs = "".join(" " if pixel == dark else "x" for pixel in rows[EDGE[board][0]]).split()
    return board == "pico_oled" and max(map(len, runs)) <= BESIDE_A_LETTER


# --- random keys ---

KEYS = 100_000  # in all languages
LAP = 250  # keys from one start
ENTRIES_MAX = 80  # before the first key of a lap

ARROWS = ("up", "down", "left", "right")
HELD_ARROWS = tuple("hold:" + key for key in ARROWS)
WORDS = (  # with their weights
    *[(12, key) for key in ARROWS],
    *[(1, key) for key in HELD_ARROWS],
    (30, "ok"),
    (1, "hold:ok"),
    (8, "undo"),
    (1, "hold:undo"),
)


class QuickDevice(Device):
    """A device whose taps skip the debouncing, and whose pictures are drawn but not sent."""

    step_ms = 50

    def on(self, hw=None):
        super().on(hw)
        self.board.display.show = lambda: None

    def _press(self, word):
        if ":" in word:
            super()._press(word)
        else:
            self.app.press(KEY_NAMES.index(word.upper()))
            self._turn()


def start(lang, dice):
    """Return a device with some names, mostly at the table of a random game, else at its first screen."""
    d = QuickDevice(language=lang)
    d.app.roster.replace(list(ROSTER[: dice.below(len(ROSTER))]))
    if dice.chance(25):
        return d
    events = []
    setup = dict(random_games.setup(dice.pick(GAMES), dice), confirm=True)
    game = new_game(setup)
    for _ in range(dice.below(ENTRIES_MAX)):
        event = random_games.legal_event(game, dice, endless=True)
        try:
            game.apply(event)
            events.append(event)
        except Refused:
            pass
    return d.sit_down(setup, events)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_key_crashes_the_app_or_makes_two_entries(lang, monkeypatch):
    monkeypatch.setattr(app, "gc", SimpleNamespace(collect=lambda: 0))  # a third of the time
    for lap in range(KEYS // len(LANGUAGES) // LAP):
        dice = Dice(lap * len(LANGUAGES) + LANGUAGES.index(lang))
        d = start(lang, dice)
        pressed = []
        try:
            while len(pressed) < LAP:
                pressed.append(dice.weighted(*WORDS))
                journal = d.app.library.journal
                lines = journal and journal.lines
                d.keys(pressed[-1])
                if journal and pressed[-1] in HELD_ARROWS:
                    made = journal.lines - lines
                    if made == 2 and d.table.event(len(d.table) - 2)["ev"] == "ended":
                        made = 1  # who ended a round is entered with its last points
                    assert made <= 1, "a key makes one entry, however long it is held"
        except (PowerOff, Reset):
            pass  # an update or another display was chosen
        except Exception as error:
            raise AssertionError(f"{lang} {lap}: {' '.join(pressed)}\n{d.text()}") from error
