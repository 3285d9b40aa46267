"""Emulates the SPI bus between the Pico and a display that only listens, with the time of every bit on the wire."""

from functools import partial
from typing import Any

from kiebitz.board.profiles import SpiDisplay

from .pico import Pico

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
        self._data = False  # True: the bytes are no command
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
