"""Let the player choose the display of the device, with an automatic way back from a dark screen."""

from ..machine_code import const
from ..raster import icons
from ..text import later, text
from ..widgets.keys import OK
from ..widgets.screen import Menu, Screen, draw_message, footer, header
from .messages import guarded

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
