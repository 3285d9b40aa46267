"""Show why the flash cannot be used; nothing on flash is changed unless the player asks for it."""

from .. import VERSION
from ..machine_code import const
from ..raster import icons
from ..text import LANGUAGES, text, use
from ..widgets.keys import LEFT, OK, RIGHT
from ..widgets.screen import LINE, Screen, draw_message, footer, header

_TURN_MS = const(5000)  # if no language was chosen, the message is shown in each language for this long


def show_emergency(app):
    """Show why the games cannot be used."""
    app.push((NewerData if app.board.emergency == "newer" else LostFlash)(app))


class Emergency(Screen):
    """A message, shown in one language after the other if no language was chosen."""

    title = ""
    message = ""

    def __init__(self, app):
        super().__init__(app)
        self._lang = LANGUAGES.index(app.settings["language"])
        self._turning = not app.settings.chosen("language")
        self._since = app.clock.ms()

    def places(self):
        """Return the values for the placeholders of the message."""
        return {}

    def draw(self, c):
        use(LANGUAGES[self._lang])
        header(c, text(self.title))
        draw_message(c, text(self.message, **self.places()), LINE + 2)
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
        """Go to the next language, or back to the one before."""
        self._since = now
        self._lang = (self._lang + step) % len(LANGUAGES)
        self.app.dirty = True

    def back(self):
        """Do nothing, because this is the first screen."""


class LostFlash(Emergency):
    """The message that the file system cannot be mounted.

    Games can be fetched first; erasing is offered on the next screen.
    """

    title = "lost.title"
    message = "lost.message"

    def key(self, k):
        super().key(k)
        if k == OK:
            self.app.push(EraseFlash(self.app, self._lang))


class EraseFlash(Emergency):
    """The offer to erase the flash by a long press; UNDO goes back."""

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
        self._pressed = k == OK  # OK was pressed here, and not held since the screen before

    def hold(self, k):
        if k == OK and self._pressed:
            self.app.toast(text("lost.erasing"), 0)
            self.app.draw()
            self.app.board.format()
            self.app.board.reset()

    def back(self):
        self.app.pop()


class NewerData(Emergency):
    """The message that a newer version has stored the games and an update is needed."""

    title = "newer.title"
    message = "newer.message"

    def places(self):
        return {"newer": self.app.settings.newer() or "?", "version": VERSION}

    def draw_footer(self, c):
        footer(c, ("\u2190\u2192", "key.language"), (icons.OK, "set.update"))

    def key(self, k):
        super().key(k)
        if k == OK:
            self.app.start_update()
