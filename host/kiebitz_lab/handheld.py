"""Run a whole device without hardware: real screens on fake pins, keys as input, readable text as output."""

from kiebitz.app import CHANGES, App
from kiebitz.board.profiles import DEFAULT, PROFILES
from kiebitz.raster.large_canvas import across, down
from kiebitz.raster.tints import COLOURS, SIZE
from kiebitz.screens.letters import GROUP, KEYS, MORE, pages_of
from kiebitz.screens.start import open_table
from kiebitz.store.settings import Settings
from kiebitz.text import upper
from kiebitz.widgets.keys import NAMES
from kiebitz.widgets.screen import Menu
from kiebitz_host.sim.hardware import CHORD_MS, Hardware, PowerOff
from kiebitz_host.sim.screen_reader import ScreenReader, presses_of

TAP_MS = 40
STEP_MS = 5
SETTLE_MS = 100  # on a board with chords, until a tap has been reported
_FOOTER_GAP = 3  # columns between the labels of two keys


def presses(script):
    """Yield the words of a script one by one: "ok*3" gives three."""
    for word in script.split():
        word, _, times = word.partition("*")
        for _ in range(int(times or 1)):
            yield word


def tints_of(display):
    """Return (left, top, right, bottom, number of the colour) of each coloured rectangle; none on an OLED."""
    tints = getattr(display, "tints", None)
    return [tuple(tints.data[k : k + SIZE]) for k in range(0, SIZE * tints.count, SIZE)] if tints else []


def _is_in(tint, x, y):
    return tint[0] <= x < tint[2] and tint[1] <= y < tint[3]


class CheckedApp(App):
    """An app that compares every partial drawing with a complete one, and shows no empty menu."""

    def draw(self):
        assert not isinstance(self.top, Menu) or len(self.top.labels()), self.top
        only_changes = self.dirty == CHANGES
        super().draw()
        if only_changes:
            drawn = self._picture()
            self.dirty = True
            super().draw()
            assert drawn == self._picture(), self.top

    def _picture(self):
        """Return the pixels, and the coloured rectangles."""
        return bytes(self.board.display.buffer), sorted(tints_of(self.board.display))


class ScriptedDevice:
    """A device switched on with the files on `storage`, which has the operations of the board's Storage.

    The players have already chosen a language; without one, a new device asks for it first.
    """

    step_ms = STEP_MS  # longer in scenarios that only look at screens

    def __init__(self, storage, language="en", board=DEFAULT):
        self.storage = storage
        self.profile = PROFILES[board]
        self.presses = 0
        self.look = None  # called after every press
        if language:
            Settings(storage).set("language", language)
        self.on()

    def on(self, hw=None):
        """Switch the power on, with new hardware unless some is given."""
        self.hw = hw or Hardware(self.profile)
        self.words = ScreenReader()
        self.board = self.words.watch(self.hw.board(self.storage))
        self.app = CheckedApp(self.board)
        self.wait(2 * self.step_ms)

    def sit_down(self, setup, events=()):
        """Begin a game without the menus, play these events, and show its table. Returns this device."""
        games = self.app.library
        games.create(setup)
        for event in events:
            games.play(event)
        open_table(self.app)
        self.wait(2 * self.step_ms)
        return self

    # --- time and keys ---

    def wait(self, ms):
        for _ in range(ms // self.step_ms):
            self._turn()

    def _turn(self):
        self.app.step()
        self.hw.time.advance(self.step_ms)

    def run(self):
        """Run the app's own loop until the power goes off."""
        try:
            self.app.run()
        except PowerOff:
            pass

    def power_off(self):
        raise PowerOff

    def keys(self, script):
        """Press keys: "up down left right ok undo", "ok*3", "hold:undo", "wait:500". Returns this device.

        pick:KEY chooses the line of the open menu that has this text key, at:KEY moves the cursor to it.
        """
        self.pressed(script)
        return self

    def plain(self, script):
        """Yield the words of a script without pick: and at:. The caller must press each before the next."""
        for word in presses(script):
            yield from presses_of(word, self.app.top)

    def pressed(self, script):
        """Press keys as keys() does. Returns the script without pick: and at:, for a chip that shows the same."""
        words = []
        for word in self.plain(script):
            self._press(word)
            words.append(word)
        return " ".join(words)

    def _press(self, word):
        kind, _, rest = word.partition(":")
        if kind == "wait":
            self.wait(int(rest))
            return
        key = NAMES.index((rest or kind).upper())
        self.presses += 1
        chords = self.profile.chords
        self.hw.press(key)
        # A key that may begin a chord counts later
        self.wait((700 if kind == "hold" else TAP_MS) + (CHORD_MS if chords and kind == "hold" else 0))
        self.hw.release(key)
        self.wait(TAP_MS + (SETTLE_MS if chords else 0))
        if self.look:
            self.look()

    # --- what a player sees ---

    def lines(self):
        """Return the texts on the display, line by line, names in full."""
        return self.words.lines(True)

    def text(self):
        return "\n".join(self.lines())

    def sees(self, *words):
        """Return True if all these words can be read on the display, also across the end of a line."""
        shown = " ".join(self.lines())
        return all(word in shown for word in words)

    def colour_of(self, words):
        """Return the name of the colour of these words; "plain" if the display has no colours.

        If several texts have these words, it is the one that has no others, else the first.
        """
        c = self.app.canvas
        texts = sorted(self.words.drawn, key=lambda text: text[2] != words)
        y, x, shown, _, height, _ = [text for text in texts if words in text[2]][0]
        x = across(x + c.width(shown[: shown.find(words)]) + 2)
        y = down(y + height // 2)
        found = [tint[4] for tint in tints_of(self.board.display) if _is_in(tint, x, y)]
        return COLOURS[found[-1] if found else 0][0]

    # --- shortcuts of scenarios ---

    @property
    def game(self):
        return self.app.library.table.game

    @property
    def table(self):
        return self.app.library.table

    def faults(self):
        """Return the texts of this screen that are outside the display, overlapping, or wrongly shortened.

        Only names of players may lose their end.
        """
        found = []
        w, h = self.app.canvas.w, self.app.canvas.h
        drawn = [word for word in self.words.drawn if word[2].strip()]
        for i, (y, x, s, tw, th, fitted) in enumerate(drawn):
            if x < 0 or y < 0 or x + tw > w or y + th > h:
                found.append("outside: " + s)
            if fitted and not self._is_names(fitted, len(s) - 1):
                found.append("shortened: " + fitted)
            for y2, x2, s2, tw2, th2, _ in drawn[:i]:
                apart = _FOOTER_GAP if y == y2 == h - th else 0
                if x < x2 + tw2 + apart and x2 < x + tw + apart and y < y2 + th2 and y2 < y + th:
                    found.append("over each other: " + s2 + " / " + s)
        return found + self._long_hints()

    def _long_hints(self):
        """Return the hints about keys that do not fit into the last line, on any of its pages."""
        c = self.app.canvas
        if len(c.hints) < 2:
            return []
        room = c.hints_w - (c.width("\u2026") + _FOOTER_GAP if c.hints_w == c.w else 0)
        return ["shortened: " + word for page in c.hints for word in page if c.width(word) > room]

    def _is_names(self, whole, kept):
        """Return True if everything in a text after `kept` letters belongs to the names at its end."""
        names = self.app.roster.names + (self.game.names if self.table else [])
        for entry in [self.app.library.entry(game_id) for game_id in self.app.library.ids()]:
            names = names + entry["players"]
        before, rest = "", whole
        while rest != before:
            before = rest
            for name in names:
                if rest.endswith(name):
                    rest = rest[: -len(name)].rstrip(", ")
        return rest != whole and len(rest) <= kept


def spelled(name, lang="en"):
    """Return the keys that write a name."""
    return " ".join([_letter(upper(char), pages_of(lang)) for char in name])


def _letter(char, pages):
    """Return the keys that choose a letter, through as many pages as it takes."""
    keys = []
    for page in pages:
        found = char in page
        at = page.index(char if found else MORE)
        keys += [NAMES[KEYS[place]].lower() for place in (at // GROUP, at % GROUP)]
        if found:
            return " ".join(keys)
    raise LookupError(char)
