"""Count the time of each player in a game with a turn clock.

The times are not part of the journal. A small file keeps those of the game whose clock was used last. It is written at
most once a minute, so a power cut loses no more than that.
"""

from ..machine_code import const
from .safe_file import SafeFile
from .sealed_lines import attempt

NAME = "clock"  # not beside the tail, because a larger folder there would need more erases during entries
LIMITS_S = (0, 30, 60, 120, 180, 300)  # of one turn; 0: none
_SECOND_MS = const(1000)
_KEEP_MS = const(60_000)
_HANDED_MAX = const(20)  # turns that can be taken back


class TurnClock:
    """The clock of one game. Its times are milliseconds; the ticks of the board's clock, ms() and diff(), wrap round.

    exists(game_id) returns True if a game is still on flash.
    """

    def __init__(self, storage, clock, exists):
        self.game_id = None
        self.goes = False
        self.seat = 0  # whose turn it is
        self.turn_ms = 0  # of this turn
        self.used = []  # of each seat, in all
        self.limit_s = 0
        self._file = SafeFile(storage, NAME)
        self._exists = exists
        self._ms = clock.ms
        self._diff = clock.diff
        self._since = self._kept_at = clock.ms()  # the ticks of the last count, and of the last write
        self._handed = []  # (seat, milliseconds) of the turns before
        self._told = False  # that the limit of this turn has passed
        self._changed = False  # something is not in the file

    def sit_down(self, game_id, n, seat):
        """Load the clock of a game of n players, stopped. Start at zero with `seat` if there is none."""
        if game_id == self.game_id:
            return
        kept = self._file.load()[0]
        if not _is_whole(kept):
            kept = [None, 0, 0, 0, []]
        if kept[0] != game_id or len(kept[4]) != n:
            kept[2:] = [seat, 0, [0] * n]
        self.game_id = game_id
        self.limit_s = kept[1] if kept[1] in LIMITS_S else 0
        self.seat = kept[2] % n
        self.turn_ms = kept[3] * _SECOND_MS
        self.used = [seconds * _SECOND_MS for seconds in kept[4]]
        self._handed = []
        self.goes = self._changed = False
        self._told = self.late

    @property
    def late(self):
        """True if this turn has reached the limit."""
        return self.limit_s > 0 and self.turn_ms >= self.limit_s * _SECOND_MS

    def count(self, rests=False):
        """Count the time since the last call, unless the clock rests. Returns True once when a turn is late."""
        now = self._ms()
        passed = self._diff(now, self._since)
        self._since = now
        if self.goes and not rests and passed > 0:
            self.turn_ms += passed
            self.used[self.seat] += passed
            self._changed = True
        if self._told or not self.late:
            return False
        self._told = True
        return True

    def go(self, goes):
        """Start or stop the clock."""
        self.count()
        self.goes = goes

    def hand_over(self, seat):
        """Begin the turn of a seat."""
        self.count()
        self._handed = self._handed[1 - _HANDED_MAX :] + [(self.seat, self.turn_ms)]
        self.seat, self.turn_ms = seat, 0
        self._told = False
        self._changed = True

    @property
    def can_take_back(self):
        """True if there was a turn before this one."""
        return bool(self._handed)

    def take_back(self):
        """Give the turn back to the seat before, with the time since then. Returns False if there was none before."""
        if not self.can_take_back:
            return False
        self.count()
        self.used[self.seat] -= self.turn_ms
        self.seat, before_ms = self._handed.pop()
        self.used[self.seat] += self.turn_ms
        self.turn_ms += before_ms
        self._told = self.late
        return True

    def set_limit(self, seconds):
        """Set the limit of a turn; a turn that is longer already is not reported."""
        self.limit_s = seconds
        self._told = self.late
        self._changed = True

    def clear(self):
        """Stop the clock and set all times to zero."""
        self.goes = self._told = False
        self.turn_ms = 0
        self.used = [0] * len(self.used)
        self._handed = []
        self._changed = True

    def keep(self):
        """Store the times if they have changed and the last write is a minute ago. Call this when there is time."""
        now = self._ms()
        if not self._changed or 0 <= self._diff(now, self._kept_at) < _KEEP_MS:
            return
        self._kept_at = now
        self._changed = False
        if self._exists(self.game_id):
            used = [ms // _SECOND_MS for ms in self.used]
            attempt(self._file.save, [self.game_id, self.limit_s, self.seat, self.turn_ms // _SECOND_MS, used])


def _is_whole(value):
    """Return True if a value of the file is [game id, limit, seat, seconds of the turn, [seconds of each seat]]."""
    if not isinstance(value, list) or len(value) != 5 or not isinstance(value[4], list):
        return False
    return all([type(number) is int and number >= 0 for number in value[1:4] + value[4]])


def forget(storage, game_id):
    """Remove the file if it keeps the times of this game, which is being removed."""
    if storage.size(NAME) is None:
        return
    value = SafeFile(storage, NAME).load()[0]
    if isinstance(value, list) and value[:1] == [game_id]:
        for name in (NAME, NAME + ".old", NAME + ".new"):
            if storage.size(name) is not None:
                attempt(storage.remove, name)
