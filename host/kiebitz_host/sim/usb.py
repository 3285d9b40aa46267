"""Simulate the USB serial port of a Pico: MicroPython's console streams, and the host's end.

As on the chip, a program that reads more than has arrived blocks, and one that writes more than fits into the output
buffer waits for half a second, or forever if the cable was pulled. Waiting is counted and takes time; waiting forever
is an error here. A kilobyte takes a millisecond, and so do eight reads of the frame number.
"""

import sys

PACKET = 64
BUFFER = 256 + PACKET  # including the packet that is ready for the host
WAIT_MS = 500
BYTES_PER_MS = 1024
LOOKS_PER_MS = 8
SUSPEND_MS = 3
AVAILABLE = 1 << 10
_POLL = 3  # the poll request of select to a stream


class FakeUsb:
    def __init__(self, time):
        self.powered = True  # the cable supplies power
        self.host = True  # powered by a computer, not by a charger
        self.connected = False  # a host has the port open
        self.pulled_at = None  # time when the cable was pulled with the port open
        self.reading = False  # the host reads what arrives
        self.waited_ms = 0  # time spent waiting for the host
        self._time = time
        self._to_device = bytearray()
        self._buffer = bytearray()  # output waiting for the host
        self._to_host = bytearray()
        self._carried = 0
        self._looks = 0
        self._last_frame = 0
        self.sys = _Console(self)
        self.select = _Select(self)

    # --- the host's end ---

    def connect(self, reading=True):
        """Open the port as the host, plugging in the cable if needed; the host first receives the buffered output."""
        if self.pulled_at is not None:
            self._buffer = bytearray()  # the device was enumerated again
        self.pulled_at = None
        self.connected = True
        self.reading = reading
        self._drain()

    def disconnect(self):
        """Close the port as the host; data in transit is lost."""
        self.connected = False
        self._lose()

    def pull(self):
        """Pull the cable, or suspend the host, without closing the port."""
        self.pulled_at = self._time.elapsed
        self._lose()

    def _lose(self):
        self.reading = False
        self._to_device = bytearray()
        self._to_host = bytearray()

    def send(self, data):
        """Send data from the host."""
        self._to_device.extend(data)

    @property
    def unread(self):
        """The number of bytes not yet read by the device."""
        return len(self._to_device)

    def receive(self):
        """Return everything that has arrived at the host."""
        self._drain()
        data = bytes(self._to_host)
        self._to_host = bytearray()
        return data

    def _drain(self):
        if self.reading:
            self._to_host.extend(self._buffer)
            self._buffer = bytearray()

    # --- the device's end ---

    def console(self):
        """Return the streams that a board needs: (input, output, select)."""
        return self.sys.stdin.buffer, self.sys.stdout.buffer, self.select

    def frame(self):
        """Return the number of the last frame begun by the host."""
        if self.pulled_at is None and self.powered and self.host:
            self._looks += 1
            self._last_frame = (self._time.elapsed + self._looks // LOOKS_PER_MS) & 0x7FF
        return self._last_frame

    def endpoint(self):
        """Return the register that shows whether a packet waits for the host."""
        self._drain()
        return AVAILABLE if self._buffer else 0

    def _is_suspended(self):
        return self.pulled_at is not None and self._time.elapsed - self.pulled_at >= SUSPEND_MS

    def readable(self):
        return len(self._to_device) > 0

    def writable(self):
        self._drain()
        return not self.connected or self._is_suspended() or len(self._buffer) < BUFFER

    def take(self, size):
        if size > len(self._to_device):
            raise RuntimeError("the program would stay here until more arrives")
        data = bytes(self._to_device[:size])
        self._to_device = self._to_device[size:]
        return data

    def put(self, data):
        """Write bytes.

        Returns how many are accepted; the buffer of a port that nobody has opened keeps the latest ones.
        """
        data = bytes(data)
        if not self.connected:
            self._buffer.extend(data)
            self._buffer = self._buffer[-BUFFER:]
            return len(data)
        done = 0
        while done < len(data):
            packet = data[done : done + PACKET]
            if len(packet) > BUFFER - len(self._buffer):
                if self._is_suspended():
                    raise RuntimeError("the program would stay here until the cable is back")
                self._time.advance(WAIT_MS)
                self.waited_ms += WAIT_MS
                packet = packet[: BUFFER - len(self._buffer)]
            if not packet:
                break
            self._buffer.extend(packet)
            done += len(packet)
            self._pass_time(len(packet))
            self._drain()
        return done

    def pass_ms(self, ms):
        """Advance the clock while the program sleeps."""
        self._time.sleep_ms(ms)

    def _pass_time(self, size):
        self._carried += size
        if self._carried >= BYTES_PER_MS:
            self._carried -= BYTES_PER_MS
            self._time.advance(1)


class _Console:
    """The module `sys`, with the streams of the port."""

    def __init__(self, usb):
        self.path = ["", ".frozen"]
        self.stdin = _Stream(usb)
        self.stdout = self.stdin

    def __getattr__(self, name):
        return getattr(sys, name)


class _Stream:
    """sys.stdin or sys.stdout; their binary streams are the same object, as in MicroPython."""

    def __init__(self, usb):
        self.buffer = _Buffer(usb)


class _Buffer:
    def __init__(self, usb):
        self._usb = usb

    def readinto(self, buffer):
        buffer[:] = self._usb.take(len(buffer))
        return len(buffer)

    def write(self, data, start=0, size=None):
        end = len(data) if size is None else start + size
        return self._usb.put(data[start:end])


class _Select:
    """The module `select`, for this one port."""

    POLLIN = 1
    POLLOUT = 4

    def __init__(self, usb):
        self._usb = usb

    def poll(self):
        return _Poll(self._usb)


class _Poll:
    def __init__(self, usb):
        self._usb = usb
        self._stream = None
        self._flags = 0
        self._asked = None  # ioctl() of a stream created by the firmware itself

    def register(self, stream, flags):
        self._stream = stream
        self._flags = flags
        self._asked = getattr(stream, "ioctl", None)

    def ipoll(self, timeout):
        if self._asked:
            return self._wait(self._asked, timeout)
        if timeout != 0:
            raise RuntimeError("the program would wait here")
        found = 0
        if self._flags & _Select.POLLIN and self._usb.readable():
            found = _Select.POLLIN
        if self._flags & _Select.POLLOUT and self._usb.writable():
            found |= _Select.POLLOUT
        return iter(((self._stream, found),) if found else ())

    def _wait(self, asked, timeout):
        """Wait until the stream has one of the events, or for `timeout` milliseconds."""
        while timeout > 0 and not asked(_POLL, self._flags):
            self._usb.pass_ms(1)
            timeout -= 1
        return iter(())
