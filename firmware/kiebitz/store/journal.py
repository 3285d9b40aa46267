"""Store a game as a journal, a file with a line for each entry, which counts only once its line is on flash.

A line is the replay form of the set-up (number 0) or of an event, a blank, its number, a blank, and the CRC32 of the
game's id and of everything before the checksum on the line. Undo, redo and corrections are lines like any other: no
written line is ever removed. A line whose entry was made in another minute at the table than the one before also has
the key `min`: these minutes belong to the line, not to the event, and no undo takes them back.
"""

import binascii
import json
from array import array

from ..games import Refused
from ..machine_code import const, micropython, ptr8, ptr32
from .events import encode
from .journal_files import SUFFIX
from .replay import EVENTS_MAX, ReplayedTable
from .sealed_lines import LINE_MAX, READ_ONLY, StorageFull, attempt, checked, each_line, seal, set_aside, unseal

_NO_ENTRY = const(2)
IO_ERROR = 5

# Entries are refused when only this much is free: settings, roster and repairs need space too, and littlefs copies
# a block before it frees the old one.
RESERVE_BYTES = 32768
# After this many bytes the free space is measured again
_TRUST_BYTES = const(4096)
# Longer than any line the games make (a refereed trick of five players takes 390)
_LONG_LINE_BYTES = const(512)
_COPY_BYTES = const(4096)
# Bytes read at once when a line is read again: the next lines wanted are most likely beside it
_WINDOW_BYTES = const(1024)
# Lines taken at once when a game continues from a checkpoint
_SKIP_BYTES = const(8192)
_SKIP_LINES = const(128)


def file_name(game_id):
    """Return the name of the journal file of a game."""
    return game_id + SUFFIX


class Journal:
    """The lines of one game, which store the events of its Table by their offsets in the file.

    A new journal begins with begin(); Journal.open returns one that is on flash.
    """

    def __init__(self, files, game_id: str):
        self.files = files  # JournalFiles, or a Storage
        self.id = game_id
        self.name = file_name(game_id)
        self._at_start()
        self._spare = 0  # bytes that surely fit, by the last measurement
        self._flaw = None  # what follows the good lines in the file: None, "torn" or "bad"
        self._window = b""  # the part of the file that was read last, to read lines again
        self._window_at = 0
        self.now = 0  # the minutes at the table, to be set before an entry is written

    def _at_start(self):
        """Start reading at the beginning of the file."""
        self.lines = 0  # good lines in the file, the set-up included
        self.size = 0  # of these lines, in bytes
        self._sum = 0  # CRC32 of all these lines
        self.minutes = 0  # at the table until the last of these lines; 0: nobody has counted them

    def begin(self, setup: dict):
        """Store the first line of a new game. The file is stored whole or not at all."""
        line = self._sealed(setup)
        if not self.has_room(len(line)):
            raise StorageFull()
        beside = self.id + ".tmp"
        checked(self.files.write, beside, line)
        checked(self.files.rename, beside, self.name)
        self._count(line)

    @classmethod
    def open(cls, files, game_id: str, saved=None):
        """Open the journal of a game on flash. Returns (journal, table, report).

        saved: a Checkpoint of this game, or None. report: None; ("torn", bytes): a line that was being written at a
        power cut is dropped; ("bad", line, events): this line, counted from 1, is damaged, the original file is kept
        as .bad, and the events before the line are in force. If the set-up line is damaged, journal and table are None.
        OSError: the file cannot be read, or a newer version has begun the game.
        """
        was_set_aside = recover(files, game_id)
        journal = cls(files, game_id)
        if files.size(journal.name) is None:
            raise OSError(_NO_ENTRY)
        table, rest = journal._read(saved)
        if table is None:
            attempt(set_aside, files, journal.name, game_id)
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
        script = ReplayedTable(self)

        def take(line):
            text = self._text(line)
            if text is None:
                return True
            try:
                script.feed(text, self.size)
            except Refused as refused:
                if not self.lines and refused.info.get("what") == "rules":
                    raise OSError(READ_ONLY) from None  # of a newer version: the file is left alone
                return True
            self._count(line + b"\n")
            self.minutes = script.minutes
            return False

        if saved:
            each_line(self.files, self.name, lambda line: take(line) or True)  # the set-up
            if not script.table or not self._skip(script, saved):
                self._at_start()
                return self._read(None)
        rest = each_line(self.files, self.name, take, self.size)
        return script.table, rest

    def _skip(self, script, saved):
        """Continue from a checkpoint. Returns False if the checkpoint was made of other lines than those in the file.

        The checksums of these lines are not checked one by one: the mark covers all of them.
        """
        try:
            self._skip_lines(script.table, saved.lines)
            if self.lines != saved.lines or self.mark != saved.mark:
                return False
            script.table.take_up(saved.snapshots, saved.now)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, OSError):
            return False  # a line is damaged or cannot be read: reading without a checkpoint finds out which
        script.line = self.lines
        script.events = self.lines - 1
        script.minutes = self.minutes = saved.minutes
        return True

    def _skip_lines(self, table, most):
        """Take whole lines of the file until the journal has `most` lines, or the file ends.

        The file is opened once and read into one buffer: to open it and to allocate memory for each piece takes longer
        than to read it.
        """
        starts = array("I", [0] * (_SKIP_LINES + 1))
        file = self.files.open_stored(self.name)
        try:
            piece = bytearray(min(_SKIP_BYTES, file.seek(0, 2)))
            while self.lines < most:
                file.seek(self.size)
                if not self._skip_piece(table, piece, file.readinto(piece), starts, most):
                    break
        finally:
            file.close()
        if self.lines < most:  # the newest lines are in another file
            rest = self.files.read(self.name, self.size, _SKIP_BYTES)
            self._skip_piece(table, rest, len(rest), starts, most)

    def _skip_piece(self, table, piece, size, starts, most):
        """Take the whole lines in the first `size` bytes of a piece of the file, until the journal has `most` lines.

        Returns the bytes taken.
        """
        base, done = self.size, 0
        while self.lines < most:
            n = _plain_lines(piece, done, size, starts, min(_SKIP_LINES, most - self.lines), base)
            if n:
                table.skip_plain(memoryview(starts)[:n])
                done = starts[n] - base
                self.lines += n
                continue
            end = piece.find(b"\n", done, size) + 1
            if not end:
                break
            table.skip(_value(piece[done : end - 10]), base + done)
            done = end
            self.lines += 1
        self._sum = binascii.crc32(memoryview(piece)[:done], self._sum)
        self.size += done
        return done

    # --- lines ---

    def read(self, place):
        """Return the event of the line that begins at this offset; OSError if the line is damaged."""
        at = place - self._window_at
        end = self._window.find(b"\n", at) if at >= 0 else -1
        if end < 0:
            # After an undo the lines before are wanted, else those behind
            ahead = 0 < self._window_at + len(self._window) <= place
            at = 0 if ahead else min(place, _WINDOW_BYTES)
            self._window_at = place - at
            self._window = b""
            while end < 0:
                start = self._window_at + len(self._window)
                piece = self.files.read(self.name, start, min(_WINDOW_BYTES + _LONG_LINE_BYTES, self.size - start))
                if not piece:
                    raise OSError(IO_ERROR)
                self._window += piece
                end = self._window.find(b"\n", at)
        data = unseal(self._window[at:end], self.id)
        if data is None:
            raise OSError(IO_ERROR)
        value = _value(data)
        value.pop("min", None)
        return value

    def _sealed(self, value):
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

    def has_room(self, size=_LONG_LINE_BYTES):
        """Return True if a line of this size can be written now and read again later."""
        if size > self._spare:
            self._spare = min(_TRUST_BYTES, self.files.free() - RESERVE_BYTES)
        return size <= self._spare and self.lines <= EVENTS_MAX

    def make_ready(self):
        """Measure the free space, which takes 24 ms, before the next entry comes."""
        if self._spare < 2 * _LONG_LINE_BYTES:
            self._spare = min(_TRUST_BYTES, self.files.free() - RESERVE_BYTES)

    def append(self, event: dict):
        """Write one event. Returns its place once it is on flash. After an OSError the event does not count."""
        if self.now > self.minutes:
            event = dict(event)
            event["min"] = self.now
        line = self._sealed(event)
        if len(line) > LINE_MAX or not self.has_room(len(line)):
            raise StorageFull()
        self.heal()
        self._flaw = "torn"
        self._spare -= len(line)
        checked(self.files.append, self.name, line)
        self._flaw = None
        place = self.size
        self._count(line)
        self.minutes = max(self.minutes, self.now)
        return place

    def heal(self):
        """Truncate the journal after the valid lines, by a copy that is renamed over it."""
        if self._flaw == "torn" and self.files.size(self.name) == self.size:
            self._flaw = None
        if self._flaw is None:
            return
        if recover(self.files, self.id):
            self._flaw = None
            return
        beside = self.id + ".tmp"
        self._copy(beside)
        if self._flaw == "bad":
            checked(set_aside, self.files, self.name, self.id)
        checked(self.files.rename, beside, self.name)
        self._flaw = None

    def _copy(self, beside):
        """Copy the good lines to the file `beside`."""
        put = self.files.write
        at = 0
        while at < self.size:
            piece = self.files.read(self.name, at, min(_COPY_BYTES, self.size - at))
            if not piece:
                raise OSError(IO_ERROR)
            checked(put, beside, piece)
            put = self.files.append
            at += len(piece)


@micropython.viper
def _plain_lines(piece: ptr8, at: int, size: int, starts: ptr32, most: int, base: int) -> int:
    """Find up to `most` plain events from `at` on, until a special event or an unfinished line. Returns their number.

    `starts` gets the offset of each in the file, at which `base` is the offset of the piece, and the end of the last.
    """
    n = 0
    starts[0] = base + at
    while n < most and at + 10 <= size:
        # und, red, cor, ins, rem or opt
        name = piece[at + 7] << 16 | piece[at + 8] << 8 | piece[at + 9]
        if name == 0x756E64 or name == 0x726564 or name == 0x636F72 or name == 0x696E73 or name == 0x72656D:
            break
        if name == 0x6F7074:
            break
        while at < size and piece[at] != 0x0A:
            at += 1
        if at == size:
            break
        at += 1
        n += 1
        starts[n] = base + at
    return n


def _value(data):
    """Return the set-up or event of a line without its checksum."""
    return json.loads(data[: data.rfind(b" ")])


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
