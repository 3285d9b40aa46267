"""The USB serial port as the link sees it: gives and takes what is possible at once, and never waits."""

# MicroPython tells whether its output buffer of 256 bytes has room, but not for how many bytes, and makes a program
# wait that writes more. USB empties the buffer 64 bytes at a time: if all that is ever written is 64 bytes long,
# there is room for a whole packet or for nothing.
PACKET = 64
BURST = 8 * PACKET  # written in half a millisecond

# A bus on which nothing happens, its cable pulled or its laptop asleep, counts as closed after 3 ms. Then there always
# seems to be room, and a write into the full buffer never ends. So nothing is written unless a frame, of which the
# host begins one every millisecond, is younger than this.
FRESH_MS = 2
# So many looks at the frame number take about 3 ms
LOOKS = 100

_SOF_RD = 0x50110048


def usb_frame(machine):
    """What tells the number of the last frame the USB controller has seen."""
    memory = machine.mem32
    return lambda: memory[_SOF_RD] & 0x7FF


class Serial:
    """Made of the binary streams of the console, `select`, a clock and what tells the number of the USB frame."""

    def __init__(self, stdin, stdout, select, clock, frame):
        self._readinto = stdin.readinto
        self._write = stdout.write
        poll = select.poll()
        poll.register(stdin, select.POLLIN)
        self._arrived = poll.ipoll
        poll = select.poll()
        poll.register(stdout, select.POLLOUT)
        self._room = poll.ipoll
        self._byte = bytearray(1)
        self._clock = clock
        self._frame = frame
        self._number = frame()
        self._looked = clock.ms()  # when the number was last looked at
        self._began = self._looked  # no earlier than this did its frame begin

    def read(self, n: int):
        """Up to n bytes that are there already."""
        got = bytearray()
        # Asked for more than there is, the stream would wait for the rest: so it is asked for one at a time
        while len(got) < n:
            for _ in self._arrived(0):
                break
            else:
                break
            self._readinto(self._byte)
            got.extend(self._byte)
        return bytes(got)

    def write(self, data) -> int:
        """Take lines, as much of them as there is room for, and return how many bytes that were.

        The data end with a line end: blank lines may follow them, to fill the packet.
        """
        view = memoryview(data)
        size = len(data)
        taken = 0
        while taken < size:
            packets = [view[at : at + PACKET] for at in range(taken, min(taken + BURST, size), PACKET)]
            if taken + BURST >= size:
                packets[-1] = _filled(packets[-1])
            # From this question on no new object is made: a collection would take longer than the answer holds
            if not self._is_open():
                break
            done = self._put(packets)
            taken = min(taken + done, size)
            if done < len(packets) * PACKET:
                break
        return taken

    def _put(self, packets):
        """Write packets as long as there is room for them; returns the bytes written."""
        poll, put = self._room, self._write
        done = 0
        for packet in packets:
            for _ in poll(0):
                break
            else:
                break
            written = put(packet)
            done += written
            if written < PACKET:
                break
        return done

    def _is_open(self):
        """Whether the bus is alive; waits for the next frame if that cannot be told otherwise."""
        clock = self._clock
        for look in range(LOOKS):
            number = self._frame()
            before, now = self._looked, clock.ms()
            self._looked = now
            if number != self._number:
                self._number = number
                self._began = before
            elif not look and clock.diff(now, before) >= FRESH_MS:
                return False
            if 0 <= clock.diff(now, self._began) < FRESH_MS:
                return True
        return False


def _filled(packet):
    """A packet that is too short, followed by blank lines."""
    return bytes(packet) + b"\n" * (PACKET - len(packet))


class Unplugged:
    """The port of a board without USB: nobody is there."""

    def read(self, n: int):
        return b""

    def write(self, data) -> int:
        return 0

