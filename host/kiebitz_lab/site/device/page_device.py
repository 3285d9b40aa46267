"""Run the firmware in a page on the simulator's fake hardware, with display, buzzer and flash in JavaScript.

The page calls start() once, then turn() from a timer and at once after a key.
"""

import io
import sys
from array import array

import kiebitz_page  # the page's API, in JavaScript
import page_flash
from uctypes import addressof

page_flash.install(sys.modules)

from kiebitz.board.profiles import PROFILES  # noqa: E402 - the firmware must find `os` in place
from kiebitz_host.sim.hardware import FakeTime, Hardware, PowerOff, Reset  # noqa: E402
from kiebitz_host.sim.screen_reader import ScreenReader  # noqa: E402

hardware = None
app = None
words = None


class PageDisplay:
    """The display at the other end of the bus, in JavaScript."""

    answers = True

    def __init__(self, controller):
        self.controller = controller

    def write(self, data):
        kiebitz_page.bus(addressof(data), len(data) * (2 if isinstance(data, array) else 1))

    def start(self):
        kiebitz_page.begin()

    def read(self):
        return kiebitz_page.status()

    def select(self, low):
        kiebitz_page.select(low)

    def data_follows(self, high):
        kiebitz_page.data(high)

    def reset(self, level=None):
        if level is None:  # the square display; the OLED of the page has no reset wire
            kiebitz_page.reset(hardware.time.elapsed if hardware else 0)

    def shine(self, duty):
        kiebitz_page.shine(duty)


class PageHardware(Hardware):
    """A Pico on USB power whose display and buzzer are in the page."""

    def transfer(self, address, data):
        """Write to the bus of the display in one piece."""
        self._select(address)
        self.oled.write(data)

    def sound(self, hz):
        if hz != self.tone:
            kiebitz_page.sound(hz)
        super().sound(hz)


def start(board, unix, unique_id, language=""):
    """Switch the device on. `language` is for a device that nobody has used yet."""
    global hardware, words
    profile = PROFILES[board]
    hardware = PageHardware(profile, FakeTime(unix), display=PageDisplay(profile.display.controller))
    hardware.unique_id = bytes(unique_id)
    modules = sys.modules
    modules["machine"] = hardware.machine
    modules["time"] = hardware.time
    modules["select"] = hardware.usb.select
    hardware.usb.sys.path = [".frozen"]
    modules["sys"] = hardware.usb.sys
    words = ScreenReader()
    return _guarded(lambda: _build(language))


def _build(language):
    global app
    from kiebitz import power_on  # not before the hardware is in place
    from kiebitz.board import pico
    from kiebitz.board.storage import Storage
    from kiebitz.store.settings import Settings

    settings = Settings(Storage("data"))
    if language and not settings.chosen("language"):
        settings.set("language", language)
    this_board = pico.this_board
    power_on.this_board = lambda: words.watch(this_board())
    app = power_on.build()
    app.step()


def _guarded(action):
    """Run the action. Returns "", "reset", "off", or the traceback of an error."""
    try:
        action()
    except Reset:
        return "reset"
    except PowerOff:
        return "off"
    except Exception as error:
        return _trace(error)
    return ""


def _trace(error):
    """Keep an error in a file as the device does. Returns its trace."""
    from kiebitz.board.storage import Storage
    from kiebitz.store.crash import keep_crash

    try:
        keep_crash(Storage("data"), error)
    except Exception:
        pass  # the first error is the one to show
    out = io.StringIO()
    sys.print_exception(error, out)
    return out.getvalue()


def turn(ms):
    """Do one turn of the app at this time in milliseconds since the start. Returns what _guarded() returns."""
    time = hardware.time
    if ms > time.elapsed:
        time.advance(ms - time.elapsed)
    return _guarded(app.step)


def elapsed():
    """Return the device's milliseconds since the start, which are ahead of the page after a sleep."""
    return hardware.time.elapsed


def is_busy():
    """Return True if the next turn is due soon: a key is down, a beep sounds, or the link is busy."""
    return bool(app.keys.active or app.board.buzzer.sounds or (app.link and app.link.busy))


def press(key):
    hardware.press(key)


def release(key):
    hardware.release(key)


def lines():
    """Return the texts on the display, one line below the other."""
    return "\n".join(words.lines(True))


def state():
    """Return the name of the screen, the game in play, its mode and its number of entries, with blanks between them."""
    table = app.library.table
    if not table:
        return "%s   0" % type(app.top).__name__
    game = table.game
    mode = getattr(game, "mode", "") or game.options.get("entry", "")
    return "%s %s %s %d" % (type(app.top).__name__, game.KIND, mode, len(table))


def set_language(language):
    """Change the language of the device."""
    return _guarded(lambda: _speak(language))


def _speak(language):
    app.settings.set("language", language)
    app.wake()
    app.step()


# --- the cable ---


def plug():
    hardware.usb.connect()


def unplug():
    hardware.usb.disconnect()


def to_device(data):
    hardware.usb.send(bytes(data))


def from_device():
    return hardware.usb.receive()


# --- for tests ---


def sit_down(setup):
    """Begin a game without the menus, and show its table."""
    import json

    from kiebitz.screens.start import open_table

    app.library.create(json.loads(setup))
    open_table(app)
