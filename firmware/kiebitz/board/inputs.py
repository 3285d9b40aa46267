"""The pins of the keys as one number, with every press remembered until it was asked for."""

from ..machine_code import const
from .profiles import pins_of

# A contact that was let go may close again for so long, which is no press: it would be noted while the device works
# on what letting go has done, and be told much later, when nobody can see any more that it was only bounce
_BOUNCE_MS = const(20)
_TICKS_MAX = const((1 << 30) - 1)  # where the clock begins anew


class Inputs:
    """Polled, but an interrupt notes each press: a tap while the display or the flash is written is not lost."""

    def __init__(self, machine, time, keys):
        pin = machine.Pin
        gpios = []
        self._bits = []  # of each pin, the key it belongs to
        for key in range(len(keys)):
            for gpio in pins_of(keys[key]):
                gpios.append(gpio)
                self._bits.append(1 << key)
        self._pins = tuple([pin(gpio, pin.IN, pin.PULL_UP) for gpio in gpios])
        # A byte a pin, so that the interrupt and read() never write the same number
        self._seen = bytearray(len(gpios))
        self._ticks = time.ticks_ms
        self._was = bytearray(len(gpios))  # down, as read() told last
        self._up_since = [time.ticks_ms() - _BOUNCE_MS] * len(gpios)
        for i in range(len(gpios)):
            self._pins[i].irq(self._noting(i), pin.IRQ_FALLING, hard=True)

    def _noting(self, i):
        # With one name more, calling the function would take memory, and there is none in an interrupt
        seen, up_since, ticks = self._seen, self._up_since, self._ticks

        def note(_):
            if (ticks() - up_since[i]) & _TICKS_MAX >= _BOUNCE_MS:
                seen[i] = 1

        return note

    def pressed(self) -> bool:
        """True if a key went down since the last read()."""
        return any(self._seen)

    def read(self) -> int:
        """A bit for each key that is down now or was seen down since the last call."""
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
                seen[i] = 0  # bounce that came between the look at the pin and this moment was noted all the same
            self._was[i] = bool(down)
        return mask
