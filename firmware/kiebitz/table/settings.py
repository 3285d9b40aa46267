"""How this device is set: a few choices with defaults, kept on flash."""

from ..rules.common import Refused
from .safe_file import SafeFile

LANGUAGES = ("en", "de", "fr", "it", "nl")

# name -> (default, everything it can be, in the order the keys go through it)
CHOICES = {
    "language": (LANGUAGES[0], LANGUAGES),
    "brightness": (6, (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)),
    "dim_s": (60, (0, 15, 30, 60, 120, 300)),  # 0: never
    "off_s": (300, (0, 60, 120, 300, 600, 1800)),  # 0: never
    "flip": (False, (False, True)),
    "repeat": (100, (0, 50, 100, 200)),  # percent; 0: keys do not repeat
    "sound": (True, (False, True)),
}
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
        """Back to the defaults; the language stays, or who asked for this could not read on."""
        kept = [name for name in self._values if name not in CHOICES or name == "language"]
        self._save({name: self._values[name] for name in kept})

    def all(self):
        return {name: self[name] for name in ORDER}

    def _save(self, values):
        self._file.save(values)
        self._values = values


def _is_one_of(value, allowed):
    """Like `in`, but True is not 1."""
    return any(type(value) is type(choice) and value == choice for choice in allowed)
