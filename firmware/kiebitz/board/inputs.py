"""Read the pins of the keys as one number, and latch every press until read() reports it."""

import io

from ..machine_code import const
from .profiles import pins_of

# A released contact may bounce for this long. Without this lock-out the interrupt would note a bounce while the device
# works on the release, and report it as a press much later
_BOUNCE_MS = const(20)
_TICKS_MAX = const((1 << 30) - 1)  # the highest value of ticks_ms(); it wraps to 0
_POLL = const(3)  # the ioctl() request of select for pending events


class Inputs:
    """The keys, polled. An interrupt latches each press, so that none is lost while the display or flash is written."""

    def __init__(self, machine, time, keys):
        pin = machine.Pin
        gpios = []
        self._bits = []  # for each pin, the bit of its key
        for key in range(len(keys)):
            for gpio in pins_of(keys[key]):
                gpios.append(gpio)
                self._bits.append(1 << key)
        self._pins = tuple([pin(gpio, pin.IN, pin.PULL_UP) for gpio in gpios])
        # One byte for each pin, so that the interrupt and read() never write the same number
        self._seen = bytearray(len(gpios))
        self._ticks = time.ticks_ms
        self._was = bytearray(len(gpios))  # 1 for each pin that was down in the last read()
        self._up_since = [time.ticks_ms() - _BOUNCE_MS] * len(gpios)
        for i in range(len(gpios)):
            self._pins[i].irq(self._noting(i), pin.IRQ_FALLING, hard=True)

    def _noting(self, i):
        """Return the interrupt handler of pin i."""
        # With one more closure variable, calling note() would allocate memory, which an interrupt handler must not do
        seen, up_since, ticks = self._seen, self._up_since, self._ticks

        def note(_):
            if (ticks() - up_since[i]) & _TICKS_MAX >= _BOUNCE_MS:
                seen[i] = 1

        return note

    def pressed(self) -> bool:
        """Return True if a key went down since the last read()."""
        return any(self._seen)

    def waiter(self, select):
        """Return a function wait(ms) that sleeps for ms milliseconds, or until a key is pressed.

        Polling the keys every millisecond would keep the processor awake for a tenth of the time.
        """
        poll = select.poll()
        poll.register(_Presses(self._seen), select.POLLIN)
        return poll.ipoll

    def read(self) -> int:
        """Return a bit for each key that is down now or was seen down since the last call."""
        mask = 0
        seen = self._seen
        for i in range(len(seen)):
            noted = seen[i]
            seen[i] = 0
            down = noted or not self._pins[i].value()
            if down:
                mask |= self._bits[i]
            elif self._was[i]:
                self._up_since[i] = self._ticks()
                seen[i] = 0  # drops bounce that was noted since the pin was read above
            self._was[i] = bool(down)
        return mask


# A contact that has closed or opened may bounce for this long
_SETTLE_MS = const(25)
# Two keys that are down together for this long are a chord. Fingers that roll from one key to the next overlap for less
_TOGETHER_MS = const(60)
_ALONE_MS = const(600)  # after this long a key that is held counts as pressed
_SHOWN_MS = const(30)  # a key is reported for at least this long, more than the lock-out in widgets/keys.py
_APART_MS = const(40)  # from the held key to the next one, so that its release is reported before

# States of the held key. UNDECIDED: a chord may follow. USED: it was part of one. ALONE: it counts as pressed
_FREE, _UNDECIDED, _USED, _ALONE = range(4)


class Chords:
    """Turn two switches that are down together into a third key, for a board with fewer switches than keys.

    The key that is held for a chord counts when it is released, or after a while. A chord counts when its second switch
    is released, or when both were down together for a moment; if the held one is released first, each was meant alone.
    """

    def __init__(self, table, time, inputs):
        self._held = 1 << table[0][0]
        self._meant = {1 << other: 1 << meant for _, other, meant in table}
        self._read = inputs.read
        self._ticks = time.ticks_ms
        self._diff = time.ticks_diff
        self._state = _FREE
        self._since = 0  # when the held key went down
        self._second = 0  # the switch that went down after the held one, as long as it is open what is meant
        self._second_at = 0
        self._waiting = []  # [switch, key, until] of each press that is to be reported after others
        self._shown = []  # the same of those that are reported now; `until` is the time that they need at least
        self._next_at = None  # the next press is not reported before this time
        # Keys held at power-on are not a chord
        now = time.ticks_ms()
        self._down = inputs.read()
        self._changed_at = {1 << key: now - _SETTLE_MS for key in range(6)}
        if self._down & self._held:
            self._state = _ALONE
        for switch in self._changed_at:
            if self._down & switch:
                self._shown.append([switch, switch, now])

    def read(self) -> int:
        """Return a bit for each key that is down now or was pressed since the last call."""
        now = self._ticks()
        changed = self._settled(self._read() ^ self._down, now)
        self._down ^= changed
        pressed = changed & self._down
        if pressed & self._held:
            self._state, self._since = _UNDECIDED, now
        for switch in self._changed_at:
            if switch != self._held and pressed & switch:
                self._press(switch, now)
        if changed & ~self._down & self._second:
            self._chord()
        if changed & ~self._down & self._held:
            if self._state == _UNDECIDED:
                self._alone()
            self._state = _FREE
        if self._state == _UNDECIDED:
            if self._second:
                if self._diff(now, self._second_at) >= _TOGETHER_MS:
                    self._chord()
            elif self._diff(now, self._since) >= _ALONE_MS:
                self._state = _ALONE
                self._waiting.append([self._held, self._held, 0])
        return self._report(now)

    def _settled(self, changed, now):
        """Return the changes that are not a bounce, and note their time."""
        if changed:
            for switch, at in self._changed_at.items():
                if changed & switch:
                    if 0 <= self._diff(now, at) < _SETTLE_MS:
                        changed ^= switch
                    else:
                        self._changed_at[switch] = now
        return changed

    def _press(self, switch, now):
        """Take a press of a switch other than the held one."""
        if self._second:
            self._chord()
        if self._state == _UNDECIDED:
            if switch in self._meant:
                self._second, self._second_at = switch, now
                return
            self._alone()
            self._state = _USED
        key = self._meant.get(switch, switch) if self._state != _FREE else switch
        self._waiting.append([switch, key, 0])

    def _chord(self):
        """Report that the second switch and the held one were meant together."""
        self._waiting.append([self._second, self._meant[self._second], 0])
        self._second = 0
        self._state = _USED

    def _alone(self):
        """Report a tap of the held key, then the second switch."""
        self._waiting.append([0, self._held, 0])
        if self._second:
            self._waiting.append([self._second, self._second, 0])
            self._second = 0

    def _report(self, now):
        """Return the keys that are reported now."""
        while self._waiting and (self._next_at is None or self._diff(now, self._next_at) >= 0):
            press = self._waiting.pop(0)
            press[2] = now + _SHOWN_MS & _TICKS_MAX
            self._next_at = None if press[0] else now + _APART_MS & _TICKS_MAX
            self._shown.append(press)
        mask = 0
        for press in list(self._shown):
            if not press[0] & self._down and self._diff(now, press[2]) >= 0:
                self._shown.remove(press)
            else:
                mask |= press[1]
        return mask


class _Presses(io.IOBase):
    """A stream that is readable while a press is latched, so that select can wait for a press."""

    def __init__(self, seen):
        self._seen = seen

    def ioctl(self, request, events):
        return events if request == _POLL and any(self._seen) else 0
