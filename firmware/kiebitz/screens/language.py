"""Ask for the language, at the first start and in the settings; each language is listed under its own name."""

from ..raster import icons
from ..text import LANGUAGES, later, own_name, use
from ..widgets.screen import ARROWS, Menu, footer
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
