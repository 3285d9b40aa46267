"""Keep games that were thrown away for a month, or until their space is needed."""

from ..machine_code import const
from .sealed_lines import attempt

_KEPT_S = const(30 * 86400)
_KEPT_MAX = const(20)


class Trash:
    """The games that were thrown away.

    `pairs` lists them, the latest last: [id, time in unix seconds, or 0 if the clock was not set].
    """

    def __init__(self, library, pairs):
        self._library = library
        self.pairs = pairs

    def ids(self):
        """Return the ids of the games, the latest last."""
        return [game_id for game_id, _ in self.pairs]

    def throw(self, game_id, now):
        """Throw the game in play away. After an OSError nothing has changed."""
        kept = [pair for pair in self.pairs if pair[0] != game_id and not (now and 0 < pair[1] < now - _KEPT_S)]
        kept = kept[1 - _KEPT_MAX :]
        gone = [pair[0] for pair in self.pairs if pair not in kept and pair[0] != game_id]
        self._set(kept + [[game_id, now]], None)
        self._library.close()
        for old in gone:
            attempt(self._library.erase, old)

    def bring_back(self, game_id):
        """Take a game out of those that were thrown away."""
        self._set([pair for pair in self.pairs if pair[0] != game_id], self._library.running)

    def make_room(self):
        """Remove the game that was thrown away first. Returns False if there is none."""
        if not self.pairs:
            return False
        self._library.erase(self.pairs[0][0])
        self._set(self.pairs[1:], self._library.running)
        return True

    def _set(self, pairs, running):
        """Store the list, together with the id of the running game."""
        before, self.pairs = self.pairs, pairs
        try:
            self._library.set_running(running)
        except OSError:
            self.pairs = before
            raise
