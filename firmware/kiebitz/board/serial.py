"""The USB serial port as the link sees it: gives and takes what is possible at once, and never waits."""

# MicroPython tells whether its output buffer of 256 bytes has room, but not for how many bytes, and makes a program
# wait that writes more. USB empties the buffer 64 bytes at a time: if all that is ever written is 64 bytes long,
# there is room for a whole packet or for nothing.
PACKET = 64


class Serial:
    """Made of the binary streams of the console and the module `select`, or of stand-ins for them."""

    def __init__(self, stdin, stdout, select):
        self._stdin = stdin
        self._stdout = stdout
        self._in = select.poll()
        self._in.register(stdin, select.POLLIN)
        self._out = select.poll()
        self._out.register(stdout, select.POLLOUT)
        self._byte = bytearray(1)

    def read(self, n: int):
        """Up to n bytes that are there already."""
        got = bytearray()
        # Asked for more than there is, the stream would wait for the rest: so it is asked for one at a time
        while len(got) < n:
            for _ in self._in.ipoll(0):
                break
            else:
                break
            self._stdin.readinto(self._byte)
            got.extend(self._byte)
        return bytes(got)

    def write(self, data) -> int:
        """Take lines, as much of them as there is room for, and return how many bytes that were.

        The data end with a line end: blank lines may follow them, to fill the packet.
        """
        view = memoryview(data)
        size = len(data)
        poll = self._out.ipoll
        put = self._stdout.write
        taken = 0
        while taken < size:
            for _ in poll(0):
                break
            else:
                break
            if size - taken >= PACKET:
                done = put(view[taken : taken + PACKET])
            else:
                done = min(put(bytes(view[taken:]) + b"\n" * (PACKET - size + taken)), size - taken)
            taken += done
            if done < PACKET:
                break
        return taken


class Unplugged:
    """The port of a board without USB: nobody is there."""

    def read(self, n: int):
        return b""

    def write(self, data) -> int:
        return 0

