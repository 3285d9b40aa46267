"""Emulate the host at the other end of the USB cable, which receives, sends, or misbehaves.

It corrects three points in which the emulator's own host differs from a real one. An idle endpoint is left waiting: if
it were always answered with empty packets, the device would never sleep and run three times too slow. The device
receives the start of a frame every millisecond: without it, what the device prints before its enumeration stays in its
buffer. And a packet takes the time that it takes on a full-speed bus without other traffic.
"""

from typing import Any

from .pico import NS_PER_MS, Pico, TimeUp

_SOF_READ = 0x48  # registers of the controller
_SIE_STATUS = 0x50
_SOF = 1 << 17  # interrupts
_SUSPEND = 1 << 14
_SUSPENDED = 1 << 4  # in SIE_STATUS
_FRAME_NS = 1 * NS_PER_MS
_RESET_NS = 10 * NS_PER_MS  # time of the host's bus reset; frames begin after it
_AVAILABLE = 1 << 10  # in the control word of a buffer: the buffer holds a packet
_LENGTH = 0x3FF
_BYTE_NS = _FRAME_NS / (19 * 77)  # a frame holds 19 packets of 64 bytes, or 1.2 MB/s
_AROUND = 13  # overhead of a packet in bytes
_SUSPEND_MS = 3  # without a frame, as the USB specification defines it


class UsbHost:
    """A USB host that enumerates the device and opens its serial port while the cable is plugged in.

    It has the same operations as the host's end of FakeUsb, so that a PtyPort works with either.
    """

    def __init__(self, pico: Pico, plugged: bool = True, sense: int | None = None):
        """Connect a Pico, with the cable plugged in or not. The pin `sense` is high while the cable gives power."""
        from rp2040py.usb.cdc import USBCDC

        usb: Any = pico.mcu.usb_ctrl  # its private members are used here
        self.out = bytearray()  # everything the device has sent
        self.connected_ms: float | None = None  # time when the port was opened
        self.plugged = plugged
        self._pico = pico
        self._usb = usb
        self._reading = True
        self._fetched = 0  # how much of `out` receive() has returned
        self._unsent = bytearray()
        self._waiting_read: tuple[int, int] | None = None  # (endpoint, size) that the device waits to receive
        self._held: list[tuple[int, int]] = []  # transfers that nobody has fetched yet
        self._under_way: tuple[int, int] | None = None  # the transfer on the bus
        self._cdc = USBCDC(usb)
        self._cdc.on_serial_data = self._received
        self._cdc.on_device_connected = self._connected
        self._enabled, usb.on_usb_enabled = usb.on_usb_enabled, self._controller_enabled
        self._read, usb.on_endpoint_read = usb.on_endpoint_read, self._device_receives
        self._read_register, usb.read_uint32 = usb.read_uint32, self._register_read
        self._write_register, usb.write_uint32 = usb.write_uint32, self._register_written
        self._transfer, usb.dpram_updated = usb.dpram_updated, self._device_transfers
        usb.read_delay_microseconds = _packet_ns(64) / 1000
        self._bus = pico.clock.create_alarm(self._carried)
        self._pump = pico.clock.create_alarm(self._send_some)
        self._frame = pico.clock.create_alarm(self._start_frame)
        self._sense = None if sense is None else pico.mcu.gpio[sense]
        self._set_sense(plugged)
        if plugged:
            self._frame.schedule(_FRAME_NS)
        pico.on_reset.append(self._forget)

    # --- what a program at the port does ---

    def send(self, data: bytes) -> None:
        """Send bytes, as fast as the device takes them."""
        self._unsent += data
        self._send_some()

    @property
    def unread(self) -> int:
        """The number of bytes that the device has not taken yet."""
        return len(self._unsent) + self._cdc.tx_fifo.item_count

    def receive(self) -> bytes:
        """Return the bytes that have arrived since the last call."""
        data = bytes(self.out[self._fetched :])
        self._fetched = len(self.out)
        return data

    @property
    def reading(self) -> bool:
        """True if the host takes what the device sends; if not, the data stays in the device."""
        return self._reading

    @reading.setter
    def reading(self, reading: bool) -> None:
        self._reading = reading
        if reading:
            self._let_through()

    def wait_for(self, text: bytes, limit_ms: float = 5000, since: int | None = None) -> bytes:
        """Run until the device has sent `text`, from offset `since` in `out` or from now on.

        Returns everything sent.
        """
        since = len(self.out) if since is None else since
        try:
            self._pico.run_until(lambda: text in self.out[since:], limit_ms)
        except TimeUp:
            raise TimeUp(f"{text!r} not sent within {limit_ms} ms, but {bytes(self.out[since:])[-400:]!r}") from None
        return bytes(self.out[since:])

    # --- the cable ---

    def disconnect(self) -> None:
        """Pull the cable; the device has another supply."""
        self.plugged = False
        self._set_sense(False)
        self.connected_ms = None
        self._frame.cancel()
        self._unsent.clear()
        self._pico.at(_SUSPEND_MS, self._suspend)

    def connect(self, reading: bool = True) -> None:
        """Plug in the cable if it is not plugged in, and enumerate the device again."""
        self.reading = reading
        if not self.plugged:
            self.plugged = True
            self._set_sense(True)
            self._cdc._on_controller_reset()
            self._forget()
            self._frame.schedule(_RESET_NS + _FRAME_NS)
            self._usb.reset_device()

    def _set_sense(self, powered: bool) -> None:
        if self._sense:
            self._sense.set_input_value(powered)

    def _suspend(self) -> None:
        if not self.plugged:
            self._usb._sie_status |= _SUSPENDED
            self._usb._sie_status_updated()

    def _forget(self) -> None:
        """Forget all transfers after a reset of either end."""
        self.connected_ms = None
        self._waiting_read = None
        self._held.clear()
        self._bus.cancel()
        self._under_way = None

    # --- inside the emulator ---

    def _connected(self) -> None:
        self.connected_ms = self._pico.ms
        self._send_some()

    def _received(self, data) -> None:
        self.out += data

    def _controller_enabled(self) -> None:
        if self.plugged:
            self._enabled()

    def _start_frame(self) -> None:
        self._usb._sof_frame_number = (self._usb._sof_frame_number + 1) & 0x7FF
        if self._usb._int_enable & _SOF:
            self._usb._int_raw |= _SOF
            self._usb.check_interrupts()
        self._frame.schedule(_FRAME_NS)

    def _register_read(self, offset: int) -> int:
        if offset == _SOF_READ:
            self._usb._int_raw &= ~_SOF
            self._usb.check_interrupts()
        return self._read_register(offset)

    def _register_written(self, offset: int, value: int) -> None:
        if offset == _SIE_STATUS and self._usb.raw_write_value & _SUSPENDED:
            self._usb._sie_status &= ~_SUSPENDED
            self._usb._int_raw &= ~_SUSPEND
        self._write_register(offset, value)

    def _device_transfers(self, offset: int, value: int) -> None:
        """Take a buffer that the device has made ready; one with data for the port waits until somebody reads."""
        serial_in = 0x80 + 8 * self._cdc._in_endpoint
        if not self.plugged or (not self._reading and offset == serial_in):
            self._held.append((offset, value))
        elif offset == serial_in and value & _AVAILABLE:
            self._under_way = (offset, value)
            self._bus.schedule(_packet_ns(value & _LENGTH))
        else:
            self._transfer(offset, value)

    def _carried(self) -> None:
        """Deliver the packet, unless the cable was pulled meanwhile."""
        if self._under_way and self.plugged:
            (offset, value), self._under_way = self._under_way, None
            self._transfer(offset, value)

    def _let_through(self) -> None:
        held, self._held = self._held, []
        for offset, value in held:
            self._device_transfers(offset, value)

    def _device_receives(self, endpoint: int, size: int) -> None:
        if endpoint == self._cdc._out_endpoint and self._cdc.tx_fifo.empty:
            self._waiting_read = (endpoint, size)
        else:
            self._read(endpoint, size)

    def _send_some(self) -> None:
        if self.connected_ms is None:
            return  # the port is not open yet
        fifo = self._cdc.tx_fifo
        room = fifo.size - fifo.item_count
        for byte in self._unsent[:room]:
            fifo.push(byte)
        del self._unsent[:room]
        if self._waiting_read and not fifo.empty:
            (endpoint, size), self._waiting_read = self._waiting_read, None
            self._read(endpoint, size)
        if self._unsent:
            self._pump.schedule(_FRAME_NS)


def _packet_ns(size: int) -> float:
    """Return the time in nanoseconds that a packet takes on the bus."""
    return (size + _AROUND) * _BYTE_NS
