"""Show that the battery is low, that the flash cannot be used, and the last screen before the boot loader starts."""

from .. import VERSION
from ..machine_code import const
from ..raster import icons
from ..text import LANGUAGES, text, use
from ..widgets.keys import LEFT, OK, RIGHT, UNDO
from ..widgets.screen import LINE, Screen, draw_message, footer, header

_READ_MS = const(700)  # until the picture is on the display, and the answer has been sent to the laptop
_HELD_MS = const(1500)  # how long UNDO must stay down after power-on


class Updating(Screen):
    """The message that stays on the display while the boot loader runs."""

    def __init__(self, app):
        super().__init__(app)
        self._since = app.clock.ms()

    def draw(self, c):
        header(c, text("set.update"))
        draw_message(c, text("update.now"))

    def tick(self, now):
        if not self.app.dirty and self.app.clock.diff(now, self._since) >= _READ_MS:
            self.app.library.close()
            self.app.board.bootloader()

    def back(self):
        """Do nothing, because the boot loader is about to start."""


class UndoHeld(Screen):
    """The message that holding UNDO starts the boot loader, so that the case need not be opened for BOOTSEL.

    Any other key leads to the game, so that a device whose UNDO is jammed can be used.
    """

    all_keys = True

    def __init__(self, app):
        super().__init__(app)
        self._since = app.clock.ms()

    def draw(self, c):
        header(c, text("set.update"))
        draw_message(c, text("update.held"))
        footer(c, (icons.FOUR_ARROWS + icons.OK, "presets.key.play"), (icons.UNDO, "set.update"))

    def tick(self, now):
        app = self.app
        if UNDO not in app.keys.stuck:  # a key that is down from power-on counts as stuck until it is released
            app.pop()
        elif app.clock.diff(now, self._since) >= _HELD_MS:
            app.pop()
            if not app.board.supply.on_battery():  # a Pico W can detect it only now
                app.start_update()

    def key(self, k):
        self.app.pop()


class BatteryEmpty(Screen):
    """The message of an empty battery, over the screen that comes back with USB. Any key shows it again for a while."""

    all_keys = True

    def draw(self, c):
        header(c, text("battery.title"))
        draw_message(c, text("battery.empty"))

    def tick(self, now):
        if not self.app.board.supply.empty:
            self.app.pop()
            self.app.wake()


def tell_supply(app):
    """Show an icon in every header while the battery is low, and a message once while the display is on.

    If the battery is empty, show that, store everything, and let the display go off until USB is back.
    """
    supply, canvas = app.board.supply, app.canvas
    if supply.empty:
        if not isinstance(app.top, BatteryEmpty):
            app.keep()
            app.close_scoreboard()
            app.push(BatteryEmpty(app))
            if not app.is_dark:
                app.stay_on()  # there is time to read it
        return
    if supply.low != canvas.battery_low:
        canvas.battery_low = supply.low
        app.dirty = True
    if not supply.low:
        app.low_told = False
    elif not app.low_told and app.shows_table:
        app.low_told = True
        app.close_scoreboard()  # the icon is in the header of the table
        app.beep(220, 120)
        app.toast(text("battery.low"), 0)


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
