"""How this device is set: a few choices with defaults, kept on flash."""

from kiebitz_languages import CODES as LANGUAGES

from ..games.base import Refused
from .safe_file import SafeFile

# Also what board/profiles.py calls them; "" is none
BOARDS = ("", "pico_oled", "pico_oled_sh1106", "pico_lcd_13")

# name -> (default, everything it can be, in the order the keys go through it)
CHOICES = {
    "language": (LANGUAGES[0], LANGUAGES),
    "brightness": (6, (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)),
    "dim_s": (60, (0, 15, 30, 60, 120, 300)),  # 0: never
    "off_s": (300, (0, 60, 120, 300, 600, 1800)),  # 0: never
    "flip": (False, (False, True)),
    "repeat": (100, (0, 50, 100, 200)),  # percent; 0: keys do not repeat
    "sound": (True, (False, True)),
    "board": ("", BOARDS),  # that somebody has said it is; "": as it was found
    "found": ("", BOARDS),
    "trial": ("", BOARDS),  # for the next start only
}
_OF_THE_DEVICE = ("language", "board", "found")  # not a matter of taste: defaults do not undo them
# How games are kept on flash. Whoever changes that counts up, and an older firmware will leave everything alone.
FORMAT = 1

ORDER = ("language", "brightness", "dim_s", "off_s", "flip", "repeat", "sound")


class Settings:
    """Every change is on flash when it returns; OSError and Refused mean that nothing has changed."""

    def __init__(self, storage):
        self._file = SafeFile(storage, "settings")
        value, self.report = self._file.load()
        # Keys of another version are kept as they are
        self._values = value if isinstance(value, dict) else {}

    def __getitem__(self, name):
        default, allowed = CHOICES[name]
        value = self._values.get(name, default)
        return value if _is_one_of(value, allowed) else default

    def chosen(self, name):
        """False while only the default stands for it."""
        return _is_one_of(self._values.get(name), CHOICES[name][1])

    def set(self, name, value):
        if name not in CHOICES or not _is_one_of(value, CHOICES[name][1]):
            raise Refused("E_SETTING", name=name)
        if self[name] != value or not self.chosen(name):
            values = dict(self._values)
            values[name] = value
            self._save(values)

    def restore(self):
        """Go back to the defaults; the board stays, and the language, or who asked for this could not read on."""
        kept = [name for name in self._values if name not in CHOICES or name in _OF_THE_DEVICE]
        self._save({name: self._values[name] for name in kept})

    def all(self):
        """Return what a laptop may see and set."""
        return {name: self[name] for name in ORDER + ("board",)}

    def newer(self):
        """Return the version of the firmware that has kept games in a newer format; empty if it is known here."""
        kept = self._values.get("format")
        if not isinstance(kept, list) or [type(part) for part in kept] != [int, str]:
            return ""
        return kept[1] if kept[0] > FORMAT else ""

    def hold(self):
        """Leave the file as it is from now on. Returns a storage through which nothing can be touched."""
        from .no_storage import NoStorage  # hardly ever needed

        storage = NoStorage()
        self._file = SafeFile(storage, self._file.name)
        return storage

    def _save(self, values):
        self._file.save(values)
        self._values = values


def _is_one_of(value, allowed):
    """Like `in`, but True is not 1."""
    return any(type(value) is type(choice) and value == choice for choice in allowed)
