"""Give a laptop the games on this device, and store its confirmations."""

from ..machine_code import const
from .journal_files import SUFFIX
from .library import is_aside

_NO_ENTRY = const(2)


class LineReader:
    """A reader of whole lines. opened() returns the open file, or None without one.

    littlefs may move a file that grows while it is open for reading, so the file is opened again whenever the value of
    state() changes.
    """

    def __init__(self, opened, state, at=0):
        self.at = at  # the offset at which the next lines begin
        self._opened = opened
        self._state = state
        self._file = self._was = None
        self._is_last = False

    def fill(self, buffer, start, end):
        """Read the next lines into buffer[start:end]. Returns their end in the buffer, 0 at the end of the file.

        Raises OSError 2 if the file does not exist.
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


class LaptopView:
    """The games as the link sends them, with the lines of index and journals and the sizes of their files."""

    def __init__(self, library):
        self._library = library

    def state(self):
        """Return (id, number of lines) of the journal of the game in play, or None."""
        journal = self._library.journal
        return None if journal is None else (journal.id, journal.lines)

    def index_lines(self):
        """Return a LineReader of the index."""
        return LineReader(self._library.index.open, self.state)

    def journal_lines(self, game_id, at):
        """Return a LineReader of a game's journal, from an offset on."""
        return LineReader(lambda: self._library.files.open(game_id + SUFFIX), self.state, at)

    def line_in_play(self):
        """Return the line that the index would have for the game in play, if it were left now; empty without a game."""
        library = self._library
        if library.journal is None:
            return b""
        return library.index.line(library.journal.id, library.index.summary(library.journal, library.table))

    def sizes(self):
        """Yield (name, size) of every journal, and of every damaged file that is kept."""
        journal = self._library.journal
        for name, size in self._library.files.sizes():
            if journal is not None and name == journal.name:
                yield name, journal.size
            elif name.endswith(SUFFIX) or is_aside(name):
                yield name, size

    def confirm(self, marks):
        """Confirm the games whose lines a laptop has; marks: {game id: mark of the lines on the laptop}.

        Yields None between games, so that the caller can do other work, and at the end the list of the games of which
        the laptop has all lines. The flash is written once.
        """
        try:
            yield from self._library.index.load()
        except OSError:
            pass  # then everything is replayed
        done = []
        for game_id in marks:
            if not self._is_known(game_id, marks[game_id]):
                entry = self._library.entry(game_id)
                yield None
                if entry is None or entry["mark"] != marks[game_id]:
                    continue
            done.append(game_id)
        new = {game_id: marks[game_id] for game_id in done if self._library.seen(game_id) != marks[game_id]}
        if new:
            self._library.index.confirm(new, self._library.ids)
        yield done

    def confirm_index(self, size, mark):
        """Confirm all games of an index of this size and CRC32, which a laptop has read.

        Yields None between pieces of the file, and at the end True, or False if the index has changed.
        """
        return self._library.index.confirm_all(size, mark)

    def _is_known(self, game_id, mark):
        """Return True if a game that is not in play has this mark according to the index.

        If the journal has grown since, its mark differs from this one, so the game does not count as confirmed.
        """
        try:
            return not self._library.in_play(game_id) and self._library.index.agrees(game_id, mark)
        except OSError:
            return False
