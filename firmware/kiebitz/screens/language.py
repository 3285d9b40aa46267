"""Ask for the language and the display, at the first start and in the settings.

Each language is listed under its own name. A display on trial is reverted after some time if nobody keeps it.
"""

from ..machine_code import const
from ..raster import icons
from ..text import LANGUAGES, later, own_name, text, use
from ..widgets.keys import OK
from ..widgets.screen import ARROWS, Menu, Screen, draw_message, footer, header
from .messages import guarded
from .new_game import choose_game


class FirstLanguage(Menu):
    """The list of languages, shown in the language at the cursor, so that everybody sees what OK would choose."""

    def __init__(self, app):
        super().__init__(app, later("start.language"), [(own_name(lang), self._chosen) for lang in LANGUAGES])

    def draw(self, c):
        use(LANGUAGES[self.at])
        super().draw(c)

    def redraw(self, c):
        """Return False to draw everything, because all texts change with the cursor."""
        return False

    def draw_footer(self, c):
        footer(c, (ARROWS + "\u2192" + icons.OK, "key.choose"))

    def back(self):
        """Do nothing, because this is the first screen."""

    def _chosen(self):
        """Store the language at the cursor; a device without games then asks which one to play, a press sooner."""
        app = self.app
        app.pop()
        if not app.library.ids():
            choose_game(app)
        guarded(app, lambda: app.settings.set("language", LANGUAGES[self.at]))


class LanguageMenu(Menu):
    """The list of languages in the settings, the one in use first; another one is taken only after a question."""

    def __init__(self, app):
        current = app.settings["language"]
        items = [(own_name(current), app.pop)]
        for lang in LANGUAGES:
            if lang != current:
                items.append((own_name(lang), lambda lang=lang: app.push(ChangeLanguage(app, lang))))
        super().__init__(app, later("start.language"), items)


class ChangeLanguage(Menu):
    """The question whether to change the language, asked in the new language."""

    def __init__(self, app, lang):
        self.lang = lang
        items = [(later("leave"), self.back), (later("language.change"), self._change)]
        super().__init__(app, later("language.ask"), items)

    def draw(self, c):
        use(self.lang)
        super().draw(c)

    def back(self):
        """Go back to the settings, in the language in use."""
        use(self.app.settings["language"])
        self.app.pop(2)

    def _change(self):
        """Store the language."""
        app = self.app
        app.pop(2)
        guarded(app, lambda: app.settings.set("language", self.lang))
        app.apply_settings()


_KEEP_S = const(10)


def board_text(name):
    """Return the name of a display in words; for an empty name, the text for automatic detection."""
    return text("display." + (name or "find"))


class DisplayMenu(Menu):
    """The menu of displays, the one in use first; choosing another display restarts the device with it on trial."""

    def __init__(self, app):
        self.current = app.board.choice.name
        self.names = [self.current, ""] + [name for name in app.board.names if name != self.current]
        items = [(later("display." + (name or "find")), self._choose) for name in self.names]
        super().__init__(app, later("set.display"), items)

    def _choose(self):
        """Store the display at the cursor, and restart unless it is the one in use."""
        app, name = self.app, self.names[self.at]
        if name == self.current:
            if guarded(app, lambda: app.settings.set("board", name) or True):
                app.pop()
        elif not name:
            if guarded(app, lambda: app.settings.set("board", "") or True):
                app.board.reset()
        elif guarded(app, lambda: app.settings.set("trial", name) or True):
            app.board.reset()


class KeepPicture(Screen):
    """Ask whether the display on trial can be read; without an answer the old one is back after ten seconds."""

    def __init__(self, app):
        super().__init__(app)
        self._since = app.clock.ms()
        self._left = _KEEP_S

    def draw(self, c):
        header(c, text("set.display"), text("set.seconds", n=self._left))
        draw_message(c, text("display.keep", name=board_text(self.app.board.choice.name)))
        footer(c, (icons.OK, "display.key.keep"), (icons.UNDO, "key.no"))

    def tick(self, now):
        left = _KEEP_S - self.app.clock.diff(now, self._since) // 1000
        if left != self._left:
            self._left = left
            self.app.dirty = True
        if left <= 0:
            self.back()

    def key(self, k):
        if k == OK:
            app = self.app
            app.pop()  # first, so that trouble with the flash is shown on top
            guarded(app, lambda: app.settings.set("board", app.board.choice.name))

    def back(self):
        """Restart with the display used before."""
        self.app.board.reset()
