"""Read and write the USB serial port without blocking."""

from ..link import PACKET
from ..machine_code import const, micropython

# MicroPython reports whether its output buffer of 256 bytes is full, but not how many bytes are free, and a larger
# write blocks. So only whole packets are written: a buffer that is not full has space for a packet.
# Others may have written before: at first nothing is written until the buffer is empty. While the buffer holds
# something, one of its packets is ready at the USB controller. If none is ready, and none after the USB stack has had
# its turn either, the buffer is empty.
# A host that reads fetches a packet in a tenth of a millisecond, which is about this number of polls
_GLANCES = const(20)
# After this number of bytes, in less than a millisecond, the bus is checked again
CHECKED = 8 * PACKET

# MicroPython takes a silent bus (cable pulled, laptop asleep) as closed after 3 ms. From then on the buffer always
# seems to have space, and a write into the full buffer never ends. So nothing is written unless the last frame is
# younger than this; the host begins a frame every millisecond.
_FRESH_MS = const(2)
# To read the frame number this many times takes about 3 ms
_LOOKS = const(100)
# Another host begins with another frame number; within this time the host cannot change
_JUMP_MS = const(32)

# Registers of the USB controller
SOF_RD = const(0x50110048)  # the number of the last frame, 0 to 2047, which a host begins every millisecond
_EP2_IN = const(0x50100090)  # the buffers from which the host reads MicroPython's console
_FRAMES = const(2048)
_READY = const(1 << 10 | 1 << 26)


class Serial:
    """The port, built from the binary streams of the console, `select`, a clock and the memory with USB registers."""

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
        self._known = False  # nothing but whole packets is in the buffer
        self._ms = clock.ms
        self._diff = clock.diff
        self._memory = memory
        self._number = memory[SOF_RD]
        self._looked = clock.ms()  # when the frame number was last read
        self._began = self._looked  # the earliest time at which that frame can have begun

    def waiting(self) -> bool:
        """Return True if something has arrived."""
        for _ in self._arrived(0):
            return True
        return False

    @micropython.native
    def read(self, n: int):
        """Return up to n bytes that have arrived already."""
        if not self.waiting():
            return b""
        got = bytearray(n)
        # The stream blocks if it has fewer bytes than requested, so one byte is read at a time
        arrived, readinto, byte = self._arrived, self._readinto, self._byte
        for k in range(n):
            for _ in arrived(0):
                readinto(byte)
                got[k] = byte[0]
                break
            else:
                return bytes(got[:k])
        return bytes(got)

    def write(self, data) -> int:
        """Write as much of the data as the buffer takes. Returns how many bytes were written.

        The data must end with a line end, because blank lines may be added to fill the packet.
        """
        size = len(data)
        taken = self._packets(data, size // PACKET * PACKET)
        if size - taken < PACKET and taken < size:
            taken += self._packets(_filled(data[taken:]), PACKET)
        return min(taken, size)

    @micropython.native
    def _packets(self, data, size):
        """Write whole packets. Returns how many bytes were written.

        Allocates nothing, because a garbage collection takes longer than the result of a bus check stays valid.
        """
        room, write, memory = self._room, self._write, self._memory
        taken = glances = 0
        number = -1
        while taken < size and glances < _GLANCES:
            if not glances and not taken % CHECKED:
                before, number = number, memory[SOF_RD]
                # The frame number has changed since the last check: the bus is alive, no closer check is needed
                if (before < 0 or number == before) and not (self._is_open() and self._is_known()):
                    break
            glances += 1
            for _ in room(0):
                taken += write(data, taken, PACKET)
                glances = 0
        self._known = self._known and not taken % PACKET
        return taken

    def _is_known(self):
        """Return True if the output buffer holds nothing but whole packets."""
        self._known = self._known or self._is_empty()
        return self._known

    def _is_empty(self):
        """Return True if the host has fetched everything, also after the USB stack, which poll() runs, had its turn."""
        memory = self._memory
        for _ in range(_GLANCES):
            if not memory[_EP2_IN] & _READY:
                for _ in self._room(0):
                    return not memory[_EP2_IN] & _READY
                return False
        return False

    @micropython.native
    def _is_open(self):
        """Return True if the bus is alive; waits for the next frame if nothing else can prove it."""
        for look in range(_LOOKS):
            number = self._memory[SOF_RD]
            now = self._ms()
            passed = self._diff(now, self._looked)
            if number != self._number:
                # `frames` frames have begun since, the last no earlier than if they followed each other without a gap
                frames = (number - self._number) % _FRAMES if 0 <= passed < _JUMP_MS else 1
                self._began = self._looked + frames - 1
                self._number = number
            elif not look and passed >= _FRESH_MS:
                self._looked = now
                return False
            self._looked = now
            if 0 <= self._diff(now, self._began) < _FRESH_MS:
                return True
        return False


def _filled(packet):
    """Return the data, with blank lines added until the last packet is full."""
    return bytes(packet) + b"\n" * (-len(packet) % PACKET)


class Unplugged:
    """The port of a board without USB, which receives and sends nothing."""

    def waiting(self) -> bool:
        return False

    def read(self, n: int):
        return b""

    def write(self, data) -> int:
        return 0

