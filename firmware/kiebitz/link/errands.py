"""What a laptop can ask of the device besides its games: settings, another roster, its picture and its keys."""

import binascii

from ..rules import Refused
from ..rules.common import bad, boolean, count, string
from ..table.roster import NAMES_MAX
from ..ui.keys import NAMES


class Errands:
    """Loaded when first asked for: a sync is quicker without."""

    def __init__(self, app):
        self._app = app
        self._names = []  # of a roster that arrives in pieces
        self._key_seq = None

    def answer(self, word, value, seq):
        """Yields as the answers of the desk do."""
        if word not in _ANSWERS:
            raise Refused("E_VERB")
        return _ANSWERS[word](self, value, seq)

    def _names_in(self, value, seq):
        """A roster in pieces: the first is number 0, the last has no more to come and puts them all into force."""
        at = count(value.get("at"), "at")
        more = boolean(value.get("more"), "more")
        names = value.get("names")
        if not isinstance(names, list) or at + len(names) > NAMES_MAX:
            raise bad("names")
        if at > len(self._names):
            raise Refused("E_ORDER")
        self._names = self._names[:at] + names
        if not more:
            self._app.roster.replace(self._names)
        yield "ok", {"names": len(self._names)}

    def _settings(self, value, seq):
        yield "ok", {"settings": self._app.settings.all()}

    def _set(self, value, seq):
        self._app.settings.set(string(value.get("name"), "name"), value.get("value"))
        self._app.wake()
        yield "ok", {}

    def _update(self, value, seq):
        self._app.start_update()
        yield "ok", {}

    def _screen(self, value, seq):
        display = self._app.board.display
        picture = bytes(display.buffer)
        for at in range(0, len(picture), display.width):
            page = binascii.hexlify(picture[at : at + display.width]).decode()
            yield "+", {"page": at // display.width, "columns": page}
        yield "ok", {"width": display.width, "height": display.height}

    def _key(self, value, seq):
        key = value.get("key")
        hold = boolean(value.get("hold", False), "hold")
        if key not in NAMES:
            raise bad("key")
        if seq != self._key_seq:  # else the answer got lost, and the laptop asks again
            self._key_seq = seq
            self._app.remote_key(NAMES.index(key), hold)
        yield "ok", {}


_ANSWERS = {
    "names": Errands._names_in,
    "settings": Errands._settings,
    "set": Errands._set,
    "update": Errands._update,
    "screen": Errands._screen,
    "key": Errands._key,
}
