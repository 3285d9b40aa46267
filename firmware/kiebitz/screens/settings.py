"""Show the settings of the device, facts about it, and its self-test."""

from .. import VERSION
from ..raster import icons
from ..store.settings import OWN_NAME, SECONDS, SENTENCES, in_menu
from ..text import later, own_name, text
from ..text.describe import decimal_text
from ..widgets.keys import LEFT, NAMES, OK, RIGHT, UNDO
from ..widgets.screen import ARROWS, LINE, SIDES, Menu, Notice, Screen, footer, header, text_centre
from .language import DisplayMenu, LanguageMenu, board_text
from .messages import guarded


def value_text(setting, value):
    """Return the value of a setting in words."""
    words = setting.words
    if isinstance(value, bool):
        return text("val.on" if value else "val.off")
    if words == SECONDS:
        if not value:
            return text("set.never")
        return text("set.minutes", n=value // 60) if value % 60 == 0 else text("set.seconds", n=value)
    if words == SENTENCES:
        return text("set.%s.%s" % (setting.name, value))
    return own_name(value) if words == OWN_NAME else str(value)


class SettingsMenu(Menu):
    """The list of settings. OK, LEFT and RIGHT change the value at the cursor."""

    footer_follows = True

    def __init__(self, app):
        settings = in_menu()
        self.last = len(settings) - 1  # the line of the last setting
        items = [(self._value(setting), self._changer(setting)) for setting in settings]
        if len(app.board.names) > 1:
            items.append((later("set.display"), lambda: app.push(DisplayMenu(app))))
        items += [
            (later("set.update"), self._update),
            (later("set.about"), lambda: app.push(About(app))),
            (later("set.test"), lambda: app.push(SelfTest(app))),
            (later("set.defaults"), self._defaults),
        ]
        super().__init__(app, later("start.settings"), items)

    def _value(self, setting):
        """Return a function that returns the line of a setting with its value."""
        name = setting.name
        return lambda: text("set." + name, value=value_text(setting, self.app.settings[name]))

    def _changer(self, setting):
        """Return the action of the line of a setting."""
        return lambda: self._change(setting)

    def draw_footer(self, c):
        if self.at <= self.last:
            footer(c, (ARROWS, "key.line"), (SIDES + icons.OK, "key.change"), (icons.UNDO, "key.back"))
        else:
            footer(c, (ARROWS + "\u2192" + icons.OK, "key.choose"), (icons.UNDO, "key.back"))

    def key(self, k):
        self.step = -1 if k == LEFT else 1
        if k in (LEFT, RIGHT) and self.at <= self.last:
            self.choose()
        elif k != LEFT:
            return super().key(k)
        return None

    def _change(self, setting):
        """Set a setting to its next value, or to the one before; the language is chosen from a list."""
        name, values = setting.name, setting.values
        if setting.words == OWN_NAME:
            self.app.push(LanguageMenu(self.app))
            return
        at = values.index(self.app.settings[name])
        guarded(self.app, lambda: self.app.settings.set(name, values[(at + self.step) % len(values)]))
        self.app.apply_settings()

    def _update(self):
        """Ask whether to start an update."""
        app = self.app
        app.push(Notice(app, later("set.update"), later("update.ask"), app.start_update))

    def _defaults(self):
        """Ask whether to restore the defaults."""

        def restore():
            guarded(self.app, self.app.settings.restore)
            self.app.apply_settings()
            self.app.toast(text("set.restored"))

        self.app.push(Notice(self.app, later("set.defaults"), later("set.defaults.ask"), restore))


class About(Screen):
    """The device id, display, free memory, free flash and supply voltage."""

    def __init__(self, app):
        super().__init__(app)
        board = app.board
        self.device = board.device_id[-12:]
        self.display = board.choice.name
        self.supply = board.supply.millivolts()
        self.memory = board.memory_free()
        self.flash = board.storage.free()

    def _rows(self):
        """Return (key of the label, value in words) of each line."""
        supply = "%d.%02d" % (self.supply // 1000, self.supply % 1000 // 10)
        return (
            ("about.device", self.device),
            ("about.display", board_text(self.display)),
            ("about.memory", text("about.kb", n=self.memory // 1024) if self.memory else "\u2013"),
            ("about.flash", text("about.kb", n=self.flash // 1024)),
            ("about.supply", text("about.volts", n=decimal_text(supply)) if self.supply else "\u2013"),
        )

    def draw(self, c):
        header(c, text("start.title") + " " + VERSION, text("set.about"))
        y = LINE + 2
        for label, value in self._rows():
            c.text(text(label), 2, y)
            c.text(value, 56, y)
            y += 9
        footer(c, ("\u2190" + icons.OK + icons.UNDO, "key.back"))

    def key(self, k):
        if k in (LEFT, OK):
            self.back()


class SelfTest(Screen):
    """The test of keys and display. A pressed key is ticked; holding OK lights all pixels; holding UNDO goes back."""

    all_keys = True

    def __init__(self, app):
        super().__init__(app)
        self.seen = [False] * len(NAMES)
        self.pattern = 0  # 0 the key test, 1 all lit, 2 chequered

    def draw(self, c):
        if self.pattern:
            c.rect(0, 0, c.w, c.h)
            if self.pattern == 2:
                for x in range(0, c.w, 8):
                    for y in range(x % 16, c.h, 16):
                        c.rect(x, y, 8, 8, 0)
            return
        header(c, text("set.test"), "%d/%d" % (sum(self.seen), len(NAMES)))
        for key, name in enumerate(NAMES):
            x, y = key % 3 * (c.w // 3 + 1), LINE + 3 + key // 3 * 11
            c.text(("\u2713" if self.seen[key] else "\u25cb") + " " + text("test." + name), x, y)
        stuck = self.app.keys.stuck
        if stuck:
            message = text("test.stuck", keys=", ".join([text("test." + NAMES[key]) for key in stuck]))
        else:
            message = text("test.all" if all(self.seen) else "test.press")
        text_centre(c, message, LINE + 27)
        every = (icons.FOUR_ARROWS + icons.OK + icons.UNDO, "test.key.test")
        footer(c, (icons.OK, "test.key.pixels"), (icons.UNDO, "test.key.leave"), every)

    def key(self, k):
        if self.pattern:
            self.pattern = (self.pattern + 1) % 3
            return
        self.seen[k] = True

    def hold(self, k):
        if k == OK:
            self.pattern = 1
        elif k == UNDO:
            self.app.pop()
