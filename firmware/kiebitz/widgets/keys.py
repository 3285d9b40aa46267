"""Debounce six switches and turn them into key events (press, hold, repeat, release)."""

from ..machine_code import const

UP, DOWN, LEFT, RIGHT, OK, UNDO = range(6)
NAMES = ("UP", "DOWN", "LEFT", "RIGHT", "OK", "UNDO")

LOCKOUT_MS = 25  # after an accepted change, bounce is ignored for this long
HOLD_MS = 600
_REPEAT_FIRST_MS = const(400)
_REPEAT_SLOW_MS = const(150)
_REPEAT_FAST_MS = const(40)
_REPEAT_STEP_MS = const(10)  # each repeat comes sooner by this much

_ARROWS = 1 << UP | 1 << DOWN | 1 << LEFT | 1 << RIGHT


class Keys:
    """The state of all keys; call feed() every few milliseconds.

    The kinds of events are "press", "hold", "repeat" (arrows only) and "release".
    """

    def __init__(self, clock):
        self.rate = 100  # speed of the repeat in percent; 0 turns it off
        self.down = 0  # a bit for each key that counts as pressed
        self._diff = clock.diff
        self._fresh = True
        self._stuck = 0
        self._muted = 0  # keys that report nothing until they are released
        self._locked = 0
        self._held = 0  # keys whose hold was reported
        self._since = [0] * len(NAMES)  # when the last change was accepted
        self._last = [0] * len(NAMES)  # when the last press or repeat was reported
        self._repeats = [0] * len(NAMES)

    @property
    def stuck(self):
        """The keys that were down at power-on and have not been released since; such keys are ignored."""
        return [key for key in range(len(NAMES)) if self._stuck >> key & 1]

    @property
    def active(self):
        """True while a key is down that is not stuck, or bounces, so that feed() must be called every few ms."""
        return self._locked or self.down & ~self._stuck

    @property
    def bouncing(self):
        """True while a contact may still open and close because a key was just pressed or released."""
        return self._locked != 0

    def feed(self, mask: int, now: int):
        """Take a bit for each key that is down, or was since the last call. Returns [(key, kind)] of the events."""
        if self._fresh:
            self._fresh = False
            self.down = self._muted = self._stuck = mask
        if not (mask or self.down or self._locked):
            return ()
        events = []
        for key in range(len(NAMES)):
            bit = 1 << key
            age = self._diff(now, self._since[key])
            if self._locked & bit:
                if 0 <= age < LOCKOUT_MS:
                    continue
                self._locked ^= bit
            if (mask ^ self.down) & bit:
                self._change(key, bit, now, events)
            elif self.down & bit & ~self._muted:
                self._stay(key, bit, age, now, events)
        return events

    def pressed(self, mask: int, now: int) -> bool:
        """Feed as feed() does. Returns True if a key was pressed."""
        return any([kind == "press" for _, kind in self.feed(mask, now)])

    def swallow(self, key: int) -> None:
        """Report nothing more about a key until it is pressed again."""
        self._muted |= self.down & 1 << key

    def _change(self, key, bit, now, events):
        self._since[key] = self._last[key] = now
        self._repeats[key] = 0
        self._locked |= bit
        self._held &= ~bit
        self.down ^= bit
        if self.down & bit:
            events.append((key, "press"))
        elif self._muted & bit:
            self._muted ^= bit
            self._stuck &= ~bit
        else:
            events.append((key, "release"))

    def _stay(self, key, bit, age, now, events):
        if age >= HOLD_MS and not self._held & bit:
            self._held |= bit
            events.append((key, "hold"))
        if self.rate and bit & _ARROWS and self._diff(now, self._last[key]) >= self._gap(self._repeats[key]):
            self._last[key] = now
            self._repeats[key] += 1
            events.append((key, "repeat"))

    def _gap(self, repeats):
        """Return the milliseconds until the next repeat."""
        if not repeats:
            return _REPEAT_FIRST_MS
        gap = _REPEAT_SLOW_MS - (repeats - 1) * _REPEAT_STEP_MS
        return max(gap, _REPEAT_FAST_MS) * 100 // self.rate
