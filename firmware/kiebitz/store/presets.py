"""Store the presets of this device (titles of games with their settings), the last played first."""

from ..games import Refused, game_class, presets_of
from ..games.base import bad, integer
from .safe_file import SafeFile

PRESETS_MAX = 20
FORMAT = 1  # of the file (docs/formats.md)


def check_preset(value):
    """Return a preset as it is stored, with game, title and the options that are not at their defaults.

    Refused if the rules of the game do not accept it, or if the game has no presets.
    """
    if not isinstance(value, dict):
        raise bad("preset")
    kind = value.get("game")
    cls = game_class(kind)
    room = presets_of(kind)
    if not room:
        raise bad("game")
    players = [str(p) for p in range(getattr(room, "PLAYERS", cls.PLAYERS[0]))]
    game = cls({"players": players, "title": value.get("title"), "options": value.get("options", {})})
    own = {name: game.options[name] for name in game.options if game.options[name] != cls.OPTIONS[name][0]}
    preset = {"game": kind, "title": game.title, "options": own}
    for key in room.KEPT:
        values = room.KEPT[key]
        chosen = integer(value.get(key, values[0]), key)
        if chosen not in values:
            raise bad(key)
        if chosen != values[0]:
            preset[key] = chosen
    return preset


class Presets:
    """The list of presets. A change is on flash when its method returns. OSError or Refused mean no change."""

    def __init__(self, storage):
        self._file = SafeFile(storage, "presets", FORMAT)
        value, self.report = self._file.load()
        self.all = []
        kept = (value or {}).get("presets")
        for preset in kept if isinstance(kept, list) else ():
            try:
                self.all.append(check_preset(preset))
            except Refused:
                pass  # the rules do not accept it any more

    def _save(self, presets):
        """Store the list if it has changed; beyond 20 presets the one unused for longest drops out."""
        presets = presets[:PRESETS_MAX]
        if presets != self.all:
            self._file.save({"presets": presets})
            self.all = presets

    def of(self, kind):
        """Return the presets of a game."""
        return [preset for preset in self.all if preset["game"] == kind]

    def place(self, kind, title):
        """Return the position of a preset in the list; -1 if there is none of this title."""
        for at, preset in enumerate(self.all):
            if preset["game"] == kind and preset["title"] == title:
                return at
        return -1

    def played(self, setup):
        """Move the title of a game that begins to the top, with its settings, if the game has presets."""
        if presets_of(setup["game"]):
            preset = check_preset(setup)
            self._save([preset] + self._without(preset))

    def add(self, preset, at=PRESETS_MAX):
        """Add a preset, at the end or at this position; one with the same title is replaced where it is.

        Refused if the list is full, because a preset that was never played must not displace one that was.
        """
        preset = check_preset(preset)
        known = self.place(preset["game"], preset["title"])
        if known >= 0:
            self._save(self.all[:known] + [preset] + self.all[known + 1 :])
        elif len(self.all) >= PRESETS_MAX:
            raise Refused("E_FULL")
        else:
            self._save(self.all[:at] + [preset] + self.all[at:])

    def change(self, title, preset):
        """Replace the preset with this title by another one, which may have a new title, in the same place."""
        preset = check_preset(preset)
        known = self.place(preset["game"], title)
        if known < 0 or (preset["title"] != title and self.place(preset["game"], preset["title"]) >= 0):
            raise bad("title")
        self._save(self.all[:known] + [preset] + self.all[known + 1 :])

    def remove(self, kind, title):
        """Remove a preset. Returns the position that it had, for add()."""
        known = self.place(kind, title)
        if known < 0:
            raise bad("title")
        self._save(self.all[:known] + self.all[known + 1 :])
        return known

    def _without(self, preset):
        """Return the list without the preset of this title."""
        known = self.place(preset["game"], preset["title"])
        return self.all if known < 0 else self.all[:known] + self.all[known + 1 :]
