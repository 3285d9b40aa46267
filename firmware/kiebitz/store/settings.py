"""Store the settings of this device."""

from collections import namedtuple

from kiebitz_languages import CODES as LANGUAGES

from .. import VERSION
from ..games.base import Refused
from .safe_file import SafeFile

# The names in board/profiles.py; "" is none
BOARDS = (
    "", "pico_oled", "pico_oled_sh1106", "pico_oled_242", "pico_lcd_13", "picoboy_color", "display_pack", "picosystem",
)  # fmt: skip

ON_OFF = (False, True)

# How a value is worded; bools are "on" and "off", other values are shown as they are
SECONDS = 1  # as a time; 0 is "never"
SENTENCES = 2  # each value has a sentence of its own: set.NAME.VALUE
OWN_NAME = 3  # a language under its own name

# Where a setting stands
MENU = 2  # in the menu of the settings, and a laptop may read and set it
LINK = 1  # a laptop may read and set it
DEVICE = 0  # only the device uses it

Setting = namedtuple("Setting", ("name", "default", "values", "words", "place", "kept"))


def setting(name, default, values, words=0, place=MENU, kept=False):
    """Return a Setting. values: in the order in which the keys step through them; kept: restore() leaves it alone."""
    return Setting(name, default, values, words, place, kept)


# One line for each setting, in the order of the menu (docs/adding-a-setting.md)
SETTINGS = (
    setting("language", LANGUAGES[0], LANGUAGES, OWN_NAME, kept=True),
    setting("brightness", 6, (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)),
    setting("dim_s", 60, (0, 15, 30, 60, 120, 300), SECONDS),
    setting("off_s", 300, (0, 60, 120, 300, 600, 1800), SECONDS),
    setting("scoreboard", True, ON_OFF),  # shown without a key while nobody presses one
    setting("flip", False, ON_OFF),
    setting("repeat", 100, (0, 50, 100, 200), SENTENCES),  # percent; 0: keys do not repeat
    setting("sound", True, ON_OFF),
    setting("advice", False, ON_OFF),  # True: cursors begin where a move scores most
    setting("board", "", BOARDS, place=LINK, kept=True),  # chosen by the player; "": use the one that was found
    setting("found", "", BOARDS, place=DEVICE, kept=True),
    setting("trial", "", BOARDS, place=DEVICE),  # for the next start only
    setting("pad_told", False, ON_OFF, place=DEVICE),  # True: the message of the first PokerCarre pad was shown
)
_BY_NAME = {one.name: one for one in SETTINGS}

# The number of all formats on flash together (docs/formats.md), of the rules too. Count up with each change: firmware
# that does not know it then leaves all files alone.
FORMAT = 1


def is_value(name, value):
    """Return True if a setting of this name can have this value; unlike with `in`, True is not 1."""
    if name not in _BY_NAME:
        return False
    return any(type(value) is type(choice) and value == choice for choice in _BY_NAME[name].values)


def in_menu():
    """Return the settings of the menu, in its order."""
    return [one for one in SETTINGS if one.place == MENU]


class Settings:
    """The settings. A change is on flash when its method returns; after OSError or Refused nothing has changed."""

    def __init__(self, storage, format=FORMAT):
        self.format = format
        self._file = SafeFile(storage, "settings")
        value, self.report = self._file.load()
        # Unknown keys are kept unchanged
        self._values = value if isinstance(value, dict) else {}

    def __getitem__(self, name):
        """Return the value of a setting, or its default if the stored value is not valid."""
        default = _BY_NAME[name].default
        value = self._values.get(name, default)
        return value if is_value(name, value) else default

    def chosen(self, name):
        """Return True if a valid value is stored, False if the default is in force."""
        return is_value(name, self._values.get(name))

    def set(self, name, value):
        """Store the value of a setting; raises Refused if the name or the value is not valid."""
        if not is_value(name, value):
            raise Refused("E_SETTING", name=name)
        if self[name] != value or not self.chosen(name):
            values = dict(self._values)
            values[name] = value
            self._save(values)

    def restore(self):
        """Restore the defaults, except for board and language, so that the player can still read."""
        kept = [name for name in self._values if name not in _BY_NAME or _BY_NAME[name].kept]
        self._save({name: self._values[name] for name in kept})

    def all(self):
        """Return the settings by name that a laptop may read and set."""
        return {one.name: self[one.name] for one in SETTINGS if one.place}

    def newer(self):
        """Return the firmware version that stored games in a newer format; empty if this firmware knows the format."""
        kept = self._values.get("format")
        if not isinstance(kept, list) or [type(part) for part in kept] != [int, str]:
            return ""
        return kept[1] if kept[0] > self.format else ""

    def claim(self):
        """Store the format of this firmware, unless it is stored."""
        kept = self._values.get("format")
        stored = kept[0] if isinstance(kept, list) and kept and type(kept[0]) is int else 0
        if stored < self.format:
            values = dict(self._values)
            values["format"] = [self.format, VERSION]
            self._save(values)

    def hold(self):
        """Stop writing to the file from now on. Returns a storage through which nothing on flash can be changed."""
        from .no_storage import NoStorage

        storage = NoStorage()
        self._file = SafeFile(storage, self._file.name)
        return storage

    def _save(self, values):
        """Store all values."""
        self._file.save(values)
        self._values = values
