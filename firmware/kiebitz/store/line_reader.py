"""Read the lines of a file into a buffer, piece by piece, while the game goes on: the link sends them to a laptop."""

from ..machine_code import const

_NO_ENTRY = const(2)


class LineReader:
    """A reader of whole lines. opened() returns the open file, or None without one.

    littlefs may move a file to which something is appended while it is open for reading: so the file is opened again
    whenever state() returns something else than before.
    """

    def __init__(self, opened, state, at=0):
        self.at = at  # the offset at which the next lines begin
        self._opened = opened
        self._state = state
        self._file = self._was = None
        self._is_last = False

    def fill(self, buffer, start, end):
        """Read the next lines into buffer[start:end]. Returns their end in the buffer, 0 if there are no more.

        OSError 2 means that there is no such file.
        """
        if self._is_last:
            return 0
        state = self._state()
        if self._file is None or state != self._was:
            self.close()
            self._file, self._was = self._opened(), state
            if self._file is None:
                raise OSError(_NO_ENTRY)
        self._file.seek(self.at)
        size = self._file.readinto(memoryview(buffer)[start:end])
        self._is_last = start + size < end
        stop = buffer.rfind(b"\n", start, start + size) + 1
        if stop:
            self.at += stop - start
        else:
            self.at = min(self.at, self._file.seek(0, 2))
        return stop

    def close(self):
        """Close the file, if it is open."""
        if self._file:
            self._file.close()
