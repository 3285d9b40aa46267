"""A whole device without hardware: real screens on fake pins; keys in, and what a player can read out."""

from kiebitz.ui.app import App
from kiebitz.ui.keys import NAMES
from kiebitz.ui.start import open_table

from .fakes import Hardware, PowerOff
from .words import Words

TAP_MS = 40
STEP_MS = 5


class Device:
    """Power-on with what is on `storage`, which has the operations of the board's Storage."""

    def __init__(self, storage):
        self.storage = storage
        self.presses = 0
        self.on()

    def on(self):
        self.hw = Hardware()
        self.board = self.hw.board(self.storage)
        self.app = App(self.board)
        self.words = Words()
        self.words.attach(self.app.canvas)
        self.app.dirty = True
        self.wait(2 * STEP_MS)

    def sit_down(self, setup, events=()):
        """Begin a game without the menus, play these events, and show its table."""
        games = self.app.games
        games.create(setup)
        for event in events:
            games.play(event)
        open_table(self.app)
        self.wait(2 * STEP_MS)
        return self

    # --- time and keys ---

    def wait(self, ms):
        for _ in range(ms // STEP_MS):
            self._turn()

    def _turn(self):
        self.app.step()
        self.hw.time.advance(STEP_MS)

    def run(self):
        """Hand over to the app's own loop until the power goes."""
        try:
            self.app.run()
        except PowerOff:
            pass

    def power_off(self):
        raise PowerOff

    def keys(self, script):
        """Press keys: "up down left right ok undo", "ok*3", "hold:undo", "wait:500"."""
        for word in script.split():
            word, _, times = word.partition("*")
            for _ in range(int(times or 1)):
                self._press(word)
        return self

    def _press(self, word):
        kind, _, rest = word.partition(":")
        if kind == "wait":
            self.wait(int(rest))
            return
        key = NAMES.index((rest or kind).upper())
        self.presses += 1
        self.hw.press(key)
        self.wait(700 if kind == "hold" else TAP_MS)
        self.hw.release(key)
        self.wait(TAP_MS)

    # --- what a player sees ---

    def lines(self):
        """The texts on the display, line by line, names in full."""
        return self.words.lines(True)

    def text(self):
        return "\n".join(self.lines())

    def sees(self, *words):
        """True if all of these can be read on the display, also across the end of a line."""
        shown = " ".join(self.lines())
        return all(word in shown for word in words)

    # --- shortcuts of stories ---

    @property
    def game(self):
        return self.app.games.table.game

    @property
    def table(self):
        return self.app.games.table

    def faults(self):
        """What is wrong with the layout of this screen: texts outside, over each other, or shortened that must not be.

        Only what contains a player's name may be shortened.
        """
        found = []
        w, h = self.app.canvas.w, self.app.canvas.h
        drawn = self.words.drawn
        for i, (y, x, s, tw, th, fitted) in enumerate(drawn):
            if x < 0 or y < 0 or x + tw > w or y + th > h:
                found.append("outside: " + s)
            if fitted and not any(name[:8] in fitted for name in self.app.roster.names + self._names()):
                found.append("shortened: " + fitted)
            for y2, x2, s2, tw2, th2, _ in drawn[:i]:
                if s.strip() and s2.strip() and x < x2 + tw2 and x2 < x + tw and y < y2 + th2 and y2 < y + th:
                    found.append("over each other: " + s2 + " / " + s)
        return found

    def _names(self):
        table = self.app.games.table
        return table.game.names if table else []
