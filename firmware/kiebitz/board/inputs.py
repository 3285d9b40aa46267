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


class _Presses(io.IOBase):
    """A stream that is readable while a press is latched, so that select can wait for a press."""

    def __init__(self, seen):
        self._seen = seen

    def ioctl(self, request, events):
        return events if request == _POLL and any(self._seen) else 0
