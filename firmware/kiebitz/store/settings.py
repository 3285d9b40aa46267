"""Store the settings of this device: a few choices with defaults."""

from kiebitz_languages import CODES as LANGUAGES

from .. import VERSION
from ..games.base import Refused
from .safe_file import SafeFile

# The names in board/profiles.py; "" is none
BOARDS = ("", "pico_oled", "pico_oled_sh1106", "pico_oled_242", "pico_lcd_13")

# name -> (default, all values in the order in which the keys step through them)
CHOICES = {
    "language": (LANGUAGES[0], LANGUAGES),
    "brightness": (6, (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)),
    "dim_s": (60, (0, 15, 30, 60, 120, 300)),  # 0: never
    "off_s": (300, (0, 60, 120, 300, 600, 1800)),  # 0: never
    "scoreboard": (True, (False, True)),  # shown by itself while nobody presses a key
    "flip": (False, (False, True)),
    "repeat": (100, (0, 50, 100, 200)),  # percent; 0: keys do not repeat
    "sound": (True, (False, True)),
    "advice": (False, (False, True)),  # True: cursors begin where a move scores most
    "board": ("", BOARDS),  # chosen by the player; "": use the one that was found
    "found": ("", BOARDS),
    "trial": ("", BOARDS),  # for the next start only
}
_OF_THE_DEVICE = ("language", "board", "found")  # not a matter of taste: restore() keeps them
# The number of all formats on flash together (docs/formats.md), of the rules too. Count up with each change: firmware
# that does not know it then leaves all files alone.
FORMAT = 1

ORDER = ("language", "brightness", "dim_s", "off_s", "scoreboard", "flip", "repeat", "sound", "advice")


class Settings:
    """The settings. A change is on flash when its method returns; OSError and Refused: nothing has changed."""

    def __init__(self, storage, format=FORMAT):
        self.format = format
        self._file = SafeFile(storage, "settings")
        value, self.report = self._file.load()
        # Unknown keys are kept unchanged
        self._values = value if isinstance(value, dict) else {}

    def __getitem__(self, name):
        """Return the value of a setting, or its default if the stored value is not valid."""
        default, allowed = CHOICES[name]
        value = self._values.get(name, default)
        return value if _is_one_of(value, allowed) else default

    def chosen(self, name):
        """Return True if a valid value is stored, False if the default is in force."""
        return _is_one_of(self._values.get(name), CHOICES[name][1])

    def set(self, name, value):
        """Store the value of a setting; raises Refused if the name or the value is not valid."""
        if name not in CHOICES or not _is_one_of(value, CHOICES[name][1]):
            raise Refused("E_SETTING", name=name)
        if self[name] != value or not self.chosen(name):
            values = dict(self._values)
            values[name] = value
            self._save(values)

    def restore(self):
        """Restore the defaults, except for the board and the language: the player must still be able to read."""
        kept = [name for name in self._values if name not in CHOICES or name in _OF_THE_DEVICE]
        self._save({name: self._values[name] for name in kept})

    def all(self):
        """Return {name: value} of the settings that a laptop may read and set."""
        return {name: self[name] for name in ORDER + ("board",)}

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
        from .no_storage import NoStorage  # hardly ever needed

        storage = NoStorage()
        self._file = SafeFile(storage, self._file.name)
        return storage

    def _save(self, values):
        """Store all values."""
        self._file.save(values)
        self._values = values


def _is_one_of(value, allowed):
    """Tell whether a value is one of the allowed ones; unlike with `in`, True is not 1."""
    return any(type(value) is type(choice) and value == choice for choice in allowed)
