"""Ask for the language at the first start; each language is listed under its own name."""

from ..raster import icons
from ..text import LANGUAGES, later, own_name, use
from ..widgets.screen import ARROWS, Menu, footer
from .storage_trouble import guarded


class FirstLanguage(Menu):
    """The list of languages, shown in the language at the cursor, so that everybody sees what OK would choose."""

    def __init__(self, app):
        super().__init__(app, later("start.language"), [(own_name(lang), self._chosen) for lang in LANGUAGES])

    def draw(self, c):
        use(LANGUAGES[self.at])
        super().draw(c)

    def redraw(self, c):
        """Return False, to draw everything: all texts change with the cursor."""
        return False

    def draw_footer(self, c):
        footer(c, (ARROWS, ""), (icons.OK, "key.choose"))

    def back(self):
        """Do nothing: there is no screen behind this question."""

    def _chosen(self):
        """Store the language at the cursor."""
        self.app.pop()
        guarded(self.app, lambda: self.app.settings.set("language", LANGUAGES[self.at]))
