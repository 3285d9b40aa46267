"""Count the minutes of the game in play by ticks, because the board has no clock that runs without power.

The lines of the journal carry the minutes. A small file keeps those since the last entry, so that a power cut loses no
more than one minute. If the file is lost or corrupt, the minutes of the last entry count.
"""

from ..machine_code import const
from .sealed_lines import attempt, seal, unseal

NAME = "fresh/minutes"  # beside the tail, because a write to this small folder takes 4 ms and no erase
_MINUTE_MS = const(60_000)
_GAMES_MAX = const(8)  # games in the file, which must stay small


class PlayTime:
    """The minutes that have passed since begin(), without the rests.

    The ticks of the board's clock, ms() and diff(), wrap round after some days. Without a clock no time passes.
    """

    def __init__(self, storage, clock=None):
        self._storage = storage
        self._ms = clock.ms if clock else lambda: 0
        self._diff = clock.diff if clock else lambda end, start: 0
        self._passed = 0  # milliseconds
        self._since = self._ms()  # the ticks up to which they are counted
        self._resting = False
        self._resumed = None  # the journal of a game that was resumed, until the file is read
        self._kept = None  # [(game id, minutes)] in the file, the one kept last at the end; None: not read yet

    def begin(self, minutes=0):
        """Restart at this number of minutes."""
        self._since = self._ms()
        self._passed = minutes * _MINUTE_MS
        self._resumed = None

    def resume(self, journal):
        """Continue the minutes of a journal's game. The file is read later, to show the table 3 ms sooner."""
        self.begin(journal.minutes)
        self._resumed = journal

    def minutes(self):
        """Return the whole minutes."""
        if self._resumed:
            journal, self._resumed = self._resumed, None
            self._passed += max(0, self._kept_of(journal.id) - journal.minutes) * _MINUTE_MS
        now = self._ms()
        if not self._resting:
            self._passed += max(0, self._diff(now, self._since))
        self._since = now
        return self._passed // _MINUTE_MS

    def rest(self, resting):
        """Count no time from now on, or count it again."""
        self.minutes()
        self._resting = resting

    def keep(self, journal):
        """Store the minutes, at most once a minute, if journal and file have fewer."""
        game_id, minutes = journal.id, self.minutes()
        if minutes > max(journal.minutes, self._kept_of(game_id)):
            others = [pair for pair in self._kept if pair[0] != game_id]
            self._kept = others[1 - _GAMES_MAX :] + [(game_id, minutes)]
            words = ["%s %d" % pair for pair in self._kept]
            attempt(self._storage.write, NAME, seal(" ".join(words), NAME))

    def _kept_of(self, game_id):
        """Return the minutes that the file has for a game, 0 without them."""
        if self._kept is None:
            self._kept = _read(self._storage)
        return max([0] + [minutes for name, minutes in self._kept if name == game_id])


def _read(storage):
    """Return [(game id, minutes)] of the file; empty if it is missing or damaged."""
    try:
        words = (unseal((storage.read(NAME) or b"")[:-1], NAME) or b"").decode().split()
        return [(words[k], int(words[k + 1])) for k in range(0, len(words), 2)]
    except (OSError, ValueError, IndexError):
        return []
