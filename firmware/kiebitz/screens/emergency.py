"""What the device shows when its flash cannot be used as it is: it says what happened, and touches nothing unasked."""

from .. import VERSION
from ..machine_code import const
from ..raster import icons
from ..text import LANGUAGES, text, use
from ..widgets.keys import LEFT, OK, RIGHT
from ..widgets.screen import LINE, Screen, footer, header, wrap

_TURN_MS = const(5000)  # if it is not known which language the players read, each has its turn


def show_emergency(app):
    """Show what keeps the device from its games."""
    app.push((NewerData if app.board.emergency == "newer" else LostFlash)(app))


class Emergency(Screen):
    """Says something, in every language if it is not known which one the players read."""

    title = ""
    message = ""

    def __init__(self, app):
        super().__init__(app)
        self._lang = LANGUAGES.index(app.settings["language"])
        self._turning = not app.settings.chosen("language")
        self._since = app.clock.ms()

    def places(self):
        """Return what the message is filled with."""
        return {}

    def draw(self, c):
        use(LANGUAGES[self._lang])
        header(c, text(self.title))
        y = LINE + 2
        for line in wrap(c, text(self.message, **self.places()), c.w - 4):
            c.text(line, 2, y)
            y += 9
        self.draw_footer(c)

    def draw_footer(self, c):
        footer(c, ("\u2190\u2192", "key.language"), (icons.OK, "key.next"))

    def tick(self, now):
        if self._turning and self.app.clock.diff(now, self._since) >= _TURN_MS:
            self._speak(1, now)

    def key(self, k):
        self._turning = False
        if k in (LEFT, RIGHT):
            self._speak(1 if k == RIGHT else -1, self.app.clock.ms())

    def _speak(self, step, now):
        self._since = now
        self._lang = (self._lang + step) % len(LANGUAGES)
        self.app.dirty = True

    def back(self):
        """There is nothing behind this."""


class LostFlash(Emergency):
    """The file system cannot be mounted. Games can be fetched first; erasing is offered after that was said."""

    title = "lost.title"
    message = "lost.message"

    def key(self, k):
        super().key(k)
        if k == OK:
            self.app.push(EraseFlash(self.app, self._lang))


class EraseFlash(Emergency):
    """Only a long press erases; UNDO goes back."""

    title = "lost.title"
    message = "lost.erase"

    def __init__(self, app, lang):
        super().__init__(app)
        self._lang = lang
        self._turning = False
        self._pressed = False

    def draw_footer(self, c):
        footer(c, (icons.OK, "key.hold_erase"), (icons.UNDO, "key.back"))

    def key(self, k):
        self._pressed = k == OK  # here, and not on the screen before

    def hold(self, k):
        if k == OK and self._pressed:
            self.app.toast(text("lost.erasing"), 0)
            self.app.draw()
            self.app.board.format()
            self.app.board.reset()

    def back(self):
        self.app.pop()


class NewerData(Emergency):
    """A newer version has kept games in a way that this one does not know: an update brings them back."""

    title = "newer.title"
    message = "newer.message"

    def places(self):
        return {"newer": self.app.settings.newer(), "version": VERSION}

    def draw_footer(self, c):
        footer(c, ("\u2190\u2192", "key.language"), (icons.OK, "set.update"))

    def key(self, k):
        super().key(k)
        if k == OK:
            self.app.start_update()
