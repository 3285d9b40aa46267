"""The pins of the keys as one number, with every press remembered until it was asked for."""


class Inputs:
    """Polled, but an interrupt notes each press: a tap while the display or the flash is written is not lost."""

    def __init__(self, machine, gpios):
        pin = machine.Pin
        self._pins = tuple([pin(gpio, pin.IN, pin.PULL_UP) for gpio in gpios])
        # A byte a key, so that the interrupt and read() never write the same number
        self._seen = bytearray(len(gpios))
        for i in range(len(gpios)):
            self._pins[i].irq(self._noting(i), pin.IRQ_FALLING, hard=True)

    def _noting(self, i):
        seen = self._seen

        def note(_):
            seen[i] = 1

        return note

    def read(self) -> int:
        """A bit for each key that is down now or was seen down since the last call."""
        mask = 0
        seen = self._seen
        for i in range(len(seen)):
            noted = seen[i]
            seen[i] = 0
            if noted or not self._pins[i].value():
                mask |= 1 << i
        return mask
