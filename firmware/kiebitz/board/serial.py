"""The USB serial port as the link sees it: gives and takes what is possible at once, and never waits."""

# MicroPython tells whether its output buffer of 256 bytes has room, but not for how many bytes, and makes a program
# wait that writes more. While the buffer holds something, a packet of it lies ready at the USB controller: if none
# does, and none after the USB stack has had its turn either, the buffer is empty, and there is room for all of a burst.
PACKET = 64  # what is written is a multiple of it: a packet that is too short makes the next one wait
BURST = 256 + PACKET
# A host that reads fetches a burst in half a millisecond: so many looks at the controller
GLANCES = 60

# A bus on which nothing happens, its cable pulled or its laptop asleep, counts as closed after 3 ms. Then there always
# seems to be room, and a write into the full buffer never ends. So nothing is written unless a frame, of which the
# host begins one every millisecond, is younger than this.
FRESH_MS = 2
# So many looks at the frame number take about 3 ms
LOOKS = 100
# Another host counts its frames from elsewhere; within this time there cannot be another one
JUMP_MS = 32

# Registers of the USB controller
_SOF_RD = 0x50110048  # the number of the last frame, 0 to 2047
_EP2_IN = 0x50100090  # the buffers from which the host reads MicroPython's console
_FRAMES = 2048
_READY = 1 << 10 | 1 << 26


class Serial:
    """Made of the binary streams of the console, `select`, a clock and the memory where the registers are."""

    def __init__(self, stdin, stdout, select, clock, memory):
        self._readinto = stdin.readinto
        self._write = stdout.write
        poll = select.poll()
        poll.register(stdin, select.POLLIN)
        self._arrived = poll.ipoll
        poll = select.poll()
        poll.register(stdout, select.POLLOUT)
        self._room = poll.ipoll
        self._byte = bytearray(1)
        self._ms = clock.ms
        self._diff = clock.diff
        self._memory = memory
        self._number = memory[_SOF_RD]
        self._looked = clock.ms()  # when the number was last looked at
        self._began = self._looked  # no earlier than this did its frame begin

    def waiting(self) -> bool:
        """Whether something has arrived."""
        for _ in self._arrived(0):
            return True
        return False

    def read(self, n: int):
        """Up to n bytes that are there already."""
        got = bytearray()
        # Asked for more than there is, the stream would wait for the rest: so it is asked for one at a time
        arrived, readinto, byte = self._arrived, self._readinto, self._byte
        for _ in range(n):
            for _ in arrived(0):
                readinto(byte)
                got.extend(byte)
                break
            else:
                break
        return bytes(got)

    def write(self, data) -> int:
        """Take lines, as much of them as there is room for, and return how many bytes that were.

        The data end with a line end: blank lines may follow them, to fill the packet.
        """
        view = memoryview(data)
        size = len(data)
        taken = 0
        while taken < size:
            burst = view[taken : taken + BURST]
            if len(burst) % PACKET:
                burst = _filled(burst)
            # From this question on no new object is made: a collection would take longer than the answer holds
            if not self._is_open() or not self._is_empty():
                break
            taken += self._write(burst)
        return min(taken, size)

    def _is_empty(self):
        """Whether everything has been fetched, also after the USB stack, which poll() runs, has had its turn."""
        memory = self._memory
        for _ in range(GLANCES):
            if not memory[_EP2_IN] & _READY:
                for _ in self._room(0):
                    return not memory[_EP2_IN] & _READY
                return False
        return False

    def _is_open(self):
        """Whether the bus is alive; waits for the next frame if that cannot be told otherwise."""
        for look in range(LOOKS):
            number = self._memory[_SOF_RD]
            now = self._ms()
            passed = self._diff(now, self._looked)
            if number != self._number:
                # So many frames have begun since, the last of them no earlier than if they followed each other at once
                frames = (number - self._number) % _FRAMES if 0 <= passed < JUMP_MS else 1
                self._began = self._looked + frames - 1
                self._number = number
            elif not look and passed >= FRESH_MS:
                self._looked = now
                return False
            self._looked = now
            if 0 <= self._diff(now, self._began) < FRESH_MS:
                return True
        return False


def _filled(packet):
    """What does not fill its last packet, followed by blank lines."""
    return bytes(packet) + b"\n" * (-len(packet) % PACKET)


class Unplugged:
    """The port of a board without USB: nobody is there."""

    def waiting(self) -> bool:
        return False

    def read(self, n: int):
        return b""

    def write(self, data) -> int:
        return 0

