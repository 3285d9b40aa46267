"""Press random keys on random tables and menus: no key may crash the app, and no menu may be empty."""

from types import SimpleNamespace

import pytest
from helpers.device import Device
from kiebitz import app
from kiebitz.games import GAMES, Refused, new_game
from kiebitz.text import LANGUAGES
from kiebitz.widgets.keys import NAMES as KEY_NAMES
from kiebitz_host.sim.hardware import PowerOff, Reset
from kiebitz_lab import random_games
from kiebitz_lab.dice import NAMES, Dice

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
    d.app.roster.replace(list(NAMES[: dice.below(len(NAMES))]))
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
                    assert journal.lines <= lines + 1, "a key makes one entry, however long it is held"
        except (PowerOff, Reset):
            pass  # an update or another display was chosen
        except Exception as error:
            raise AssertionError(f"{lang} {lap}: {' '.join(pressed)}\n{d.text()}") from error
