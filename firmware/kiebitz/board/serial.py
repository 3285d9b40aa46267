"""The USB serial port as the link sees it: gives and takes what is possible at once, and never waits."""

from ..link import PACKET
from ..machine_code import const, micropython

# MicroPython tells whether its output buffer of 256 bytes has room, but not for how many bytes, and makes a program
# wait that writes more. So it is only ever given whole packets: if there is room at all, there is room for one. Who
# has written before us is not known: at first we wait until the buffer is empty. While it holds something, a packet of
# it lies ready at the USB controller: if none does, and none after the USB stack has had its turn either, it is empty.
# A host that reads fetches a packet in a tenth of a millisecond: so many looks
_GLANCES = const(20)
# After so many bytes, which is less than a millisecond, it is asked again whether the bus is alive
CHECKED = 8 * PACKET

# A bus on which nothing happens, its cable pulled or its laptop asleep, counts as closed after 3 ms. Then there always
# seems to be room, and a write into the full buffer never ends. So nothing is written unless a frame, of which the
# host begins one every millisecond, is younger than this.
_FRESH_MS = const(2)
# So many looks at the frame number take about 3 ms
_LOOKS = const(100)
# Another host counts its frames from elsewhere; within this time there cannot be another one
_JUMP_MS = const(32)

# Registers of the USB controller
_SOF_RD = const(0x50110048)  # the number of the last frame, 0 to 2047
_EP2_IN = const(0x50100090)  # the buffers from which the host reads MicroPython's console
_FRAMES = const(2048)
_READY = const(1 << 10 | 1 << 26)


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
        self._known = False  # nothing but whole packets is in the buffer
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

    @micropython.native
    def read(self, n: int):
        """Up to n bytes that are there already."""
        if not self.waiting():
            return b""
        got = bytearray(n)
        # Asked for more than there is, the stream would wait for the rest: so it is asked for one at a time
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
        """Take lines, as much of them as there is room for, and return how many bytes that were.

        The data end with a line end: blank lines may follow them, to fill the packet.
        """
        size = len(data)
        taken = self._packets(data, size // PACKET * PACKET)
        if size - taken < PACKET and taken < size:
            taken += self._packets(_filled(data[taken:]), PACKET)
        return min(taken, size)

    @micropython.native
    def _packets(self, data, size):
        """Write whole packets; how many bytes of them were taken.

        No new object is made here: a collection takes longer than what was found out about the bus stays true.
        """
        room, write, memory = self._room, self._write, self._memory
        taken = glances = 0
        number = -1
        while taken < size and glances < _GLANCES:
            if not glances and not taken % CHECKED:
                before, number = number, memory[_SOF_RD]
                # Another frame than at the last look, just now: no need to look closer
                if (before < 0 or number == before) and not (self._is_open() and self._is_known()):
                    break
            glances += 1
            for _ in room(0):
                taken += write(data, taken, PACKET)
                glances = 0
        self._known = self._known and not taken % PACKET
        return taken

    def _is_known(self):
        """Whether nothing but whole packets is in the buffer."""
        self._known = self._known or self._is_empty()
        return self._known

    def _is_empty(self):
        """Whether everything has been fetched, also after the USB stack, which poll() runs, has had its turn."""
        memory = self._memory
        for _ in range(_GLANCES):
            if not memory[_EP2_IN] & _READY:
                for _ in self._room(0):
                    return not memory[_EP2_IN] & _READY
                return False
        return False

    @micropython.native
    def _is_open(self):
        """Whether the bus is alive; waits for the next frame if that cannot be told otherwise."""
        for look in range(_LOOKS):
            number = self._memory[_SOF_RD]
            now = self._ms()
            passed = self._diff(now, self._looked)
            if number != self._number:
                # So many frames have begun since, the last of them no earlier than if they followed each other at once
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

