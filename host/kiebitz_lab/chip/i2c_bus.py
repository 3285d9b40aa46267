"""Emulates the I2C bus between the Pico and its display, with the time that every bit takes on the wire."""

from collections.abc import Callable

from .pico import Pico

_BYTE_BITS = 9  # with its acknowledge
_TX_EMPTY = 1 << 4  # interrupt of the emulator's I2C block
_DATA = 0x40  # the control byte before the bytes of a picture


class I2cBus:
    """One display at one address of one of the two buses, and its reset wire; nothing answers while it is unplugged."""

    def __init__(self, pico: Pico, number: int, address: int, display, reset: int | None = None):
        self.plugged = True
        self.bytes = 0  # taken by the display
        self.idle_since_ms = 0.0  # the end of the last transfer
        self.drawn_ms = 0.0  # time when the last byte of the picture had arrived
        self.on_token: Callable[[str, int], None] | None = None  # called with each token when it has passed the wire
        self._pico = pico
        self.number = number
        self.address = address
        self._display = display
        self._selected = False
        self._control: int | None = None  # the first byte of this transfer
        i2c = self._i2c = pico.mcu.i2c[number]
        i2c.on_start = self._start
        i2c.on_connect = self._connect
        i2c.on_write_byte = self._write
        i2c.on_read_byte = self._read
        i2c.on_stop = self._stop
        if reset is not None:
            pico.mcu.gpio[reset].add_listener(self._reset_wire)
        self._alarm = pico.clock.create_alarm(self._bits_over)
        self._next: Callable[[], None] | None = None  # called when the bits are over
        pico.on_reset.append(self._reset)

    @property
    def busy(self) -> bool:
        return self._next is not None

    def _after(self, bits: int, action: Callable[[], None]) -> None:
        """Call the action when `bits` bits have passed the wire."""
        low, high = self._i2c.scl_low_period, self._i2c.scl_high_period
        # The block counts low + 1, and high + 7 with the length of the spike filter, which the SDK sets to low / 16.
        cycles = low + 1 + high + 7 + max(1, low // 16)
        self._next = action
        self._alarm.schedule(bits * cycles * self._pico.clocks.cycle_ns)

    def _bits_over(self) -> None:
        action, self._next = self._next, None
        if action:
            action()

    def _reset_wire(self, level, _before) -> None:
        """Pass the level on; a pin that is no output any more leaves the wire to the pull-up of the module."""
        if self.plugged:
            self._display.reset(level != 0)

    def _reset(self) -> None:
        self._alarm.cancel()
        self._next = None
        self._selected = False

    # --- what the emulator's I2C block does ---

    def _token(self, kind: str, value: int = 0) -> None:
        if self.on_token:
            self.on_token(kind, value)

    def _start(self, _repeated) -> None:
        self._token("start")
        self._after(1, self._i2c.complete_start)

    def _connect(self, address: int, _mode) -> None:
        self._selected = self.plugged and self._display.answers and address == self.address
        self._control = None
        self._token("address", address)
        if self._selected:
            self._display.start()
        answered = self._selected
        self._after(_BYTE_BITS, lambda: self._acknowledge(self._i2c.complete_connect, answered))

    def _write(self, byte: int) -> None:
        self._after(_BYTE_BITS, lambda: self._written(byte))

    def _written(self, byte: int) -> None:
        answered = self._selected and self.plugged
        self._token("write", byte)
        if answered:
            self.bytes += 1
            self._display.write(byte)
            if self._control == _DATA:
                self.drawn_ms = self._pico.ms
            elif self._control is None:
                self._control = byte
        self._acknowledge(self._i2c.complete_write, answered)

    def _acknowledge(self, complete, answered: bool) -> None:
        complete(answered)
        if not answered:
            # The emulator empties its queue without an interrupt, and the program would wait in vain for it.
            self._i2c._set_interrupts(_TX_EMPTY)

    def _read(self, _acknowledge) -> None:
        self._after(_BYTE_BITS, self._read_through)

    def _read_through(self) -> None:
        byte = self._display.read() if self.plugged else 0xFF
        self._token("read", byte)
        self._i2c.complete_read(byte)

    def _stop(self) -> None:
        self._selected = False
        self._after(1, self._stopped)

    def _stopped(self) -> None:
        self._token("stop")
        self.idle_since_ms = self._pico.ms
        self._i2c.complete_stop()
