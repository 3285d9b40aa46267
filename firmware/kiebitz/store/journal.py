"""Store a game as a journal: one file, one line per entry, and an entry counts only once its line is on flash.

A line is the replay form of the set-up (number 0) or of an event, a blank, its number, a blank, and the CRC32 of the
game's id and of everything before the checksum on the line. Undo, redo and corrections are lines like any other: no
written line is ever removed.
"""

import binascii

from ..games import Refused
from ..machine_code import const, micropython, ptr8
from . import checkpoint
from .events import BLOCK, encode
from .journal_tail import SUFFIX
from .replay import EVENTS_MAX, Script
from .sealed_lines import LINE_MAX, StorageFull, attempt, checked, each_line, seal, set_aside, unseal

_NO_ENTRY = const(2)
IO_ERROR = 5

# Entries are refused when only this much is free: settings, roster and repairs need room too, and littlefs copies
# a block before it frees the old one.
RESERVE_BYTES = 32768
# After this many bytes the free space is measured again
_TRUST_BYTES = const(4096)
# Longer than any line the games make (a refereed trick of five players takes 390)
_LONG_LINE_BYTES = const(512)
_COPY_BYTES = const(4096)
_SKIP_BYTES = const(8192)  # two blocks of the longest lines
# The first bytes of lines that do more than add an event
_SPECIAL = (b'{"ev":"undo"', b'{"ev":"redo"', b'{"ev":"correct"')



def file_name(game_id):
    """Return the name of the journal file of a game."""
    return game_id + SUFFIX


class Journal:
    """The writer of one game's lines. Made by Journal.create and Journal.open."""

    def __init__(self, storage, game_id: str):
        self.storage = storage
        self.id = game_id
        self.name = file_name(game_id)
        self._at_start()
        self._spare = 0  # bytes that surely fit, by the last measurement
        self._flaw = None  # what follows the good lines in the file: None, "torn" or "bad"

    def _at_start(self):
        """Count no lines: reading begins at the start of the file."""
        self.lines = 0  # good lines in the file, the set-up included
        self.size = 0  # of these lines, in bytes
        self._sum = 0  # CRC32 of all these lines

    @classmethod
    def create(cls, storage, game_id: str, setup: dict):
        """Begin the journal of a new game and return it. The file is stored whole or not at all."""
        journal = cls(storage, game_id)
        line = journal.line(setup)
        journal.need(len(line))
        beside = game_id + ".tmp"
        checked(storage.write, beside, line)
        checked(storage.rename, beside, journal.name)
        journal._count(line)
        return journal

    @classmethod
    def open(cls, storage, game_id: str):
        """Open the journal of a game on flash. Returns (journal, table, report).

        report: None; ("torn", bytes): a line that was being written at a power cut is dropped; ("bad", line, events):
        this line, counted from 1, is damaged, the original file is kept as .bad, and the events before the line are in
        force. If the set-up line is damaged, journal and table are None.
        """
        was_set_aside = recover(storage, game_id)
        journal = cls(storage, game_id)
        if storage.size(journal.name) is None:
            raise OSError(_NO_ENTRY)
        table, rest = journal._read(checkpoint.load(storage, game_id))
        if table is None:
            attempt(set_aside, storage, journal.name, game_id)
            return None, None, ("bad", 1, 0)
        report = None
        if rest:
            journal._flaw = "torn" if rest > 0 else "bad"
            report = ("torn", rest)
        if rest < 0 or was_set_aside:
            report = ("bad", journal.lines + 1, len(table))
        attempt(journal.heal)  # if this fails, append() tries again
        return journal, table, report

    def _read(self, saved):
        """Replay the file up to the first damaged line. Returns (table, rest).

        table: None if the set-up line is damaged. rest: the bytes of a torn line, or -1 for a damaged line.
        saved: a checkpoint or None. If the checkpoint does not fit the file, everything is read without it.
        """
        script = Script(self.lines_between)

        def take(line):
            text = self._text(line)
            if text is None:
                return True
            try:
                script.feed(text)
            except Refused:
                return True
            start = self.size
            self._count(line + b"\n")
            if start and not text.startswith(_SPECIAL):
                script.table.lies_at(start, self.size)
            return False

        if saved:
            each_line(self.storage, self.name, lambda line: take(line) or True)  # the set-up
            if not script.table or not self._skip(script, saved):
                self._at_start()
                return self._read(None)
        rest = each_line(self.storage, self.name, take, self.size)
        return script.table, rest

    def _skip(self, script, saved):
        """Continue from a checkpoint. Returns False if the checkpoint was made of other lines than those in the file.

        The checksums of these lines are not checked one by one: the mark covers all of them.
        """
        try:
            while self.lines < saved.lines:
                piece = self.storage.read(self.name, self.size, _SKIP_BYTES)
                done = self._skip_piece(script, piece or b"", saved.lines)
                if not done:
                    return False
                self._sum = binascii.crc32(memoryview(piece)[:done], self._sum)
                self.size += done
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, OSError):
            return False  # a line is damaged or cannot be read: reading without a checkpoint finds out which
        if self.mark != saved.mark:
            return False
        script.line = self.lines
        script.events = self.lines - 1
        script.table.take_up(saved.snapshots, saved.now)
        return True

    def _skip_piece(self, script, piece, most):
        """Take the lines of a piece of the file, until the journal has `most` lines. Returns the bytes taken."""
        table, at = script.table, self.size
        start = 0
        while self.lines < most:
            if most - self.lines >= BLOCK:
                end = _after_block(piece, start, len(piece), BLOCK)
                if not end and start:
                    break  # the next piece begins with this block
                if end > 0 and table.skip_block(at + start, at + end):
                    self.lines += BLOCK
                    start = end
                    continue
            end = piece.find(b"\n", start) + 1
            if not end:
                break
            line = _event(piece[start : end - 1])
            table.skip(line)
            if not line.startswith(_SPECIAL):
                table.lies_at(at + start, at + end)
            self.lines += 1
            start = end
        return start

    def lines_between(self, start, end):
        """Return the events, as bytes, of the whole lines between two offsets; OSError if a line is damaged."""
        lines = []
        while start < end:
            data = self._piece(start, end - start)
            start += len(data)
            lines += data.split(b"\n")[:-1]
        if None in [unseal(line, self.id) for line in lines]:
            raise OSError(IO_ERROR)
        return [_event(line) for line in lines]

    def _piece(self, start, size):
        """Return some of these bytes of the file; OSError if there are none.

        If the range holds whole lines, so does the returned piece.
        """
        data = self.storage.read(self.name, start, size)
        if not data:
            raise OSError(IO_ERROR)
        return data

    # --- lines ---

    def line(self, value):
        """Return the next line of the file, for a set-up or an event."""
        return seal("%s %d" % (encode(value), self.lines), self.id)

    def _text(self, line):
        """Return the JSON of a line, or None unless its checksum and its number are right."""
        data = unseal(line, self.id)
        number = b" %d" % self.lines
        if data is None or data[-len(number) :] != number:
            return None
        return data[: -len(number)]

    def _count(self, line):
        """Count a line that is now in the file."""
        self.lines += 1
        self.size += len(line)
        self._sum = binascii.crc32(line, self._sum)

    @property
    def mark(self):
        """The CRC32 of all lines so far, as eight hex digits."""
        return "%08x" % self._sum

    # --- writing ---

    def need(self, size=_LONG_LINE_BYTES):
        """Raise StorageFull unless a line of this size can be written now and read again later."""
        if self.lines > EVENTS_MAX or size > LINE_MAX:
            raise StorageFull()
        if size > self._spare:
            self._spare = min(_TRUST_BYTES, self.storage.free() - RESERVE_BYTES)
        if size > self._spare:
            raise StorageFull()

    def make_ready(self):
        """Measure the free space before the next entry comes: that takes 24 ms."""
        if self._spare < 2 * _LONG_LINE_BYTES:
            self._spare = min(_TRUST_BYTES, self.storage.free() - RESERVE_BYTES)

    def append(self, event: dict):
        """Write one event. The event is on flash when this returns; OSError: the event does not count."""
        line = self.line(event)
        self.need(len(line))
        self.heal()
        self._flaw = "torn"
        self._spare -= len(line)
        checked(self.storage.append, self.name, line)
        self._flaw = None
        self._count(line)

    def heal(self):
        """Remove what follows the good lines: copy the good part to another file and rename it over the journal."""
        if self._flaw == "torn" and self.storage.size(self.name) == self.size:
            self._flaw = None
        if self._flaw is None:
            return
        if recover(self.storage, self.id):
            self._flaw = None
            return
        beside = self.id + ".tmp"
        self._copy(beside)
        if self._flaw == "bad":
            checked(set_aside, self.storage, self.name, self.id)
        checked(self.storage.rename, beside, self.name)
        self._flaw = None

    def _copy(self, beside):
        """Copy the good lines to the file `beside`."""
        put = self.storage.write
        at = 0
        while at < self.size:
            piece = self._piece(at, min(_COPY_BYTES, self.size - at))
            checked(put, beside, piece)
            put = self.storage.append
            at += len(piece)


@micropython.viper
def _after_block(piece: ptr8, at: int, size: int, lines: int) -> int:
    """Return the end of the `lines` plain events that begin at `at`.

    Returns 0 if the piece ends before, -1 if one of the events is special.
    """
    while lines:
        name = at + 7
        if name + 3 > size:
            return 0
        # und, red or cor
        start = piece[name] << 16 | piece[name + 1] << 8 | piece[name + 2]
        if start == 0x756E64 or start == 0x726564 or start == 0x636F72:
            return -1
        while piece[at] != 0x0A:
            at += 1
            if at == size:
                return 0
        at += 1
        lines -= 1
    return at


def _event(line):
    """Return the event of a line, without its number and its checksum."""
    return line[: line.rfind(b" ", 0, -9)]


def recover(storage, game_id):
    """Finish or drop a copy of a journal that a power cut left half done.

    Returns True if a damaged journal had been set aside and the copy of its good part is now the journal.
    """
    beside, name = game_id + ".tmp", file_name(game_id)
    if storage.size(beside) is None:
        return False
    if storage.size(name) is None and storage.size(game_id + ".bad") is not None:
        checked(storage.rename, beside, name)
        return True
    attempt(storage.remove, beside)
    return False
