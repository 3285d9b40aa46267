"""Emulate the I2C and SPI buses between the Pico and its display, with the time that every bit takes on the wire."""

from collections.abc import Callable
from functools import partial
from typing import Any

from kiebitz.board.profiles import SpiDisplay

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
        """Pass the level on. The module's pull-up sets the level if the pin is not an output."""
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
            # The emulator empties its queue without an interrupt, for which the program would wait forever.
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


_SRAM = 0x20000000
_LAST = 1  # byte of a block, sent the usual way: the emulator ends the transfer with it
_FULL = 65535  # steps of light
_ENABLED = 1  # bit of a PWM channel
_NS = 1e9


class SpiBus:
    """One display on one of the two buses, with its other pins: CS, D/C, reset and light."""

    def __init__(self, pico: Pico, wiring: SpiDisplay, display):
        self.plugged = True
        self.bytes = 0  # taken by the display
        self.idle_since_ms = 0.0  # the end of the last byte
        self.drawn_ms = 0.0  # time when the last byte of the picture had arrived
        self._pico = pico
        self._display = display
        self._data = False  # True for data, False for commands
        self._byte: int | None = None  # on the wire
        self._spi = pico.mcu.spi[wiring.bus]
        self._spi.on_transmit = self._begin
        self._alarm = pico.clock.create_alarm(self._arrived)
        self._block: Any = None  # the DMA channel that sends a block
        self._block_alarm = pico.clock.create_alarm(self._block_arrived)
        channels: list[Any] = pico.mcu.dma.channels
        for channel in channels:
            channel.start = partial(self._start, channel, channel.start)
            channel.read_uint32 = partial(self._asked, channel.read_uint32)
        gpio = pico.mcu.gpio
        gpio[wiring.cs].add_listener(lambda level, _: display.select(level == 0))
        gpio[wiring.dc].add_listener(self._data_follows)
        if wiring.reset is not None:
            gpio[wiring.reset].add_listener(self._reset)
        self._watch(pico.mcu.pwm.channels[wiring.light // 2 % 8], wiring.light % 2)
        pico.on_reset.append(self._cancel)

    @property
    def busy(self) -> bool:
        return self._byte is not None or self._block is not None

    def _cancel(self) -> None:
        self._alarm.cancel()
        self._byte = None
        self._block_alarm.cancel()
        self._block = None
        self._display.shine(0)

    def _begin(self, byte: int) -> None:
        self._byte = byte
        self._alarm.schedule(self._ns(1))

    def _ns(self, count: int) -> float:
        """Return the nanoseconds that `count` bytes take on the wire."""
        return count * self._spi.data_bits * _NS / self._spi.clock_frequency

    def _arrived(self) -> None:
        if self._byte is not None:
            self._take(bytes((self._byte,)))
        self._byte = None
        self._spi.complete_transmit(0)

    def _take(self, data: bytes) -> None:
        self.idle_since_ms = self._pico.ms
        if self.plugged:
            self._display.write(data)
            self.bytes += len(data)
            if self._data:
                self.drawn_ms = self._pico.ms

    # --- blocks, which MicroPython sends by DMA: all but their last byte at once, in the time they take ---

    def _start(self, channel, start) -> None:
        start()
        count = channel._trans_count - _LAST
        if channel.active and channel.treq == self._spi.dreq.tx and count > 0:
            channel.transfer_alarm.cancel()
            self._block = channel
            self._block_alarm.schedule(self._ns(count))

    def _asked(self, read, offset: int) -> int:
        """Read a channel's register.

        While a block is sent, the program waits for its end: advance time to the next alarm.
        """
        if self._block is not None:
            clock = self._pico.clock
            clock.tick(clock.nanos_to_next_alarm)
        return read(offset)

    def _block_arrived(self) -> None:
        sender, self._block = self._block, None
        if sender is None:
            return
        count = sender._trans_count - _LAST
        self._take(self._memory(sender._read_addr, count))
        sender._read_addr += count
        # For every byte sent one comes back, which another channel takes.
        for channel in self._pico.mcu.dma.channels:
            if channel.active and channel.treq in self._spi.dreq:
                channel._trans_count = _LAST
        sender.schedule_transfer()

    def _memory(self, address: int, count: int) -> bytes:
        mcu = self._pico.mcu
        at = address - _SRAM
        if 0 <= at <= len(mcu.sram) - count:
            return bytes(mcu.sram[at : at + count])
        return bytes(mcu.read_uint8(address + i) for i in range(count))

    # --- the other pins ---

    def _data_follows(self, level, _before) -> None:
        self._data = level == 1
        self._display.data_follows(self._data)

    def _reset(self, level, _before) -> None:
        if level == 0:
            self._display.reset()

    def _watch(self, channel: Any, second: int) -> None:
        """Set the light from the registers of its PWM channel; emulating its edges would cost too much time."""
        write = channel.write_register

        def written(offset: int, value: int) -> None:
            write(offset, value)
            high = channel.cc >> 16 if second else channel.cc & 0xFFFF
            duty = min(high * _FULL // (channel.top + 1), _FULL) if channel.csr & _ENABLED else 0
            if duty != self._display.light:
                self._display.shine(duty)

        channel.write_register = written
        channel.update_enable = lambda: None
