"""Store a summary of each game, so that the history needs no replay, and what a laptop has confirmed.

The file holds lines with checksums. A change appends a new line, and the last line of a game counts. The summary of a
game is derived: if its line is damaged or missing, the journal is replayed, which costs time only. A confirmation is a
short line of its own with the mark of the lines that the laptop has. A line of the id `all` confirms all entries before
it. If a confirmation is lost, the laptop confirms again.
"""

import binascii
import json

from ..games import GAMES
from ..machine_code import const
from .events import encode
from .sealed_lines import CORRUPT, LINE_MAX, PIECE, checked, seal, unseal

NAME = "index"
ALL = "all"  # the id of the line that confirms all entries before it
_BESIDE = "index.new"
_QUOTE = b'"'  # the first character of a mark, but not of an entry
_MARK = b'"mark":"'  # precedes the mark of the journal in an entry
_MARK_SIZE = const(8)
# The file is rewritten when it holds more than three lines for each game and this many more
_SLACK = const(16)
_LATEST = 4_102_444_800  # the year 2100: a clock with a later time was never set


_KINDS = (("game", str), ("at", int), ("events", int), ("lines", int), ("finished", bool), ("size", int), ("mark", str))
_LISTS = (("players", str), ("totals", int), ("winners", int))


def _is_entry(value):
    """Return True if a value has the keys and types of Index.summary()."""
    try:
        plain = [type(value[key]) is kind for key, kind in _KINDS] + [type(value[key]) is list for key, _ in _LISTS]
        lists = [type(item) is kind for key, kind in _LISTS for item in value[key]]
        seats = len(value["players"])
        return (
            all(plain + lists)
            and len(value["totals"]) == seats
            and all([0 <= seat < seats for seat in value["winners"]])
            and 0 <= value["at"] <= _LATEST
            and type(value["rounds"]) in (int, type(None))
            and type(value.get("title", "")) is str
            and value["game"] in GAMES
        )
    except (KeyError, TypeError):
        return False


class Index:
    """The file of summaries and confirmations."""

    def __init__(self, storage):
        self._storage = storage
        self._where = None  # game id -> (start, length, mark) of its last line; None: not read yet
        self._seen = {}  # game id -> mark, once the file was read
        self._changes = 0  # how many times the file was written
        self._lines = 0
        self._end = 0
        self._tail = 0  # bytes of a torn line at the end, or -1: the file cannot be read to its end

    def release(self):
        """Free the memory; the file is read again when it is needed."""
        self._where = None
        self._seen = {}

    def get(self, game_id):
        """Return the entry of a game, or None."""
        place = self._places().get(game_id)
        return self._at(game_id, place) if place else None

    def seen(self, game_id):
        """Return the mark that a laptop has confirmed for a game; an empty string without a confirmation."""
        self._places()
        return self._seen.get(game_id, "")

    def agrees(self, game_id, mark):
        """Return True if the entry of a game has this mark; the checksum of the line is not checked."""
        place = self._places().get(game_id)
        return place is not None and isinstance(mark, str) and place[2] == mark

    def _at(self, game_id, place):
        """Return the entry stored at (start, length, mark), or None if the line is not one that summary() describes."""
        line = self._storage.read(NAME, place[0], place[1])
        text = None if line is None else unseal(line, NAME)
        mark = game_id.encode() + b" "
        if text is None or not text.startswith(mark):
            return None
        try:
            entry = json.loads(text[len(mark) :].decode())
        except ValueError:
            return None
        return entry if _is_entry(entry) else None

    def _places(self):
        """Return {game id: (start, length, mark)}; the file is read first if necessary."""
        if self._where is None:
            for _ in self.load():
                pass
        return self._where

    def load(self):
        """Read the file, unless it has been read. Yields after each piece, so that the caller can do other work."""
        if self._where is not None:
            return
        where = {}
        seen = {}
        lines = begin = 0
        data = b""
        changes = self._changes
        for piece in _pieces(self.open()):
            yield
            if changes != self._changes:  # the file was written meanwhile
                yield from self.load()
                return
            if piece is None or len(data) > LINE_MAX:
                data = None
                break
            data += piece
            start = 0
            end = data.find(b"\n")
            while end >= 0:
                _place(where, seen, begin + start, data, start, end)
                lines += 1
                start = end + 1
                end = data.find(b"\n", start)
            data = data[start:]
            begin += start
        self._where, self._seen = where, seen
        self._lines, self._end = lines, begin
        self._tail = -1 if data is None else len(data)

    def summary(self, journal, table):
        """Return the entry of a game; `title` and `low` (the fewest points win) are there only if they matter."""
        game, at = table.game, table.setup.get("at", 0)
        entry = {
            "game": game.KIND,
            "players": list(game.names),
            "at": at if type(at) is int and 0 <= at <= _LATEST else 0,
            "events": len(table),
            "lines": journal.lines - 1,
            "finished": game.over,
            "rounds": game.rounds_over(),
            "totals": game.totals(),
            "winners": game.winners(),
            "size": journal.size,
            "mark": journal.mark,
        }
        if game.title:
            entry["title"] = game.title
        if game.low_wins:
            entry["low"] = True
        return entry

    def line(self, game_id, entry):
        """Return the line with the entry of a game, with its checksum."""
        return seal(game_id + " " + encode(entry), NAME)

    def put(self, game_id, entry, games):
        """Store the entry of a game; games() returns the ids of all games, in case the file is rewritten."""
        line = self.line(game_id, entry)
        start = self._append([line], games)
        self._places()[game_id] = (start, len(line) - 1, entry["mark"])

    def confirm(self, marks, games):
        """Store the confirmed marks of some games, in one write; `games` as in put()."""
        self._append([_seen_line(game_id, marks[game_id]) for game_id in marks], games)
        self._seen.update(marks)

    def confirm_all(self, size, mark):
        """Confirm all entries of a file of this size and CRC32, which a laptop has read.

        Yields None between pieces of the file, and at the end True, or False if the file has changed.
        """
        if not size or self._storage.size(NAME) != size:
            yield False
            return
        found, changes = 0, self._changes
        for piece in _pieces(self.open()):
            found = binascii.crc32(piece or b"", found)
            yield None
        if "%08x" % found != mark or changes != self._changes:
            yield False
            return
        checked(self._storage.append, NAME, seal(ALL, NAME))
        self._changes += 1
        self.release()
        yield True

    def open(self):
        """Open the file for reading. Returns the file, or None without one."""
        return self._storage.open(NAME)

    def _append(self, lines, games):
        """Append lines to the file and return the offset of the first one."""
        self._places()
        self._changes += 1
        try:
            if self._tail < 0 or (self._lines > _SLACK and self._lines > 3 * len(games()) + _SLACK):
                checked(self._rewrite, games())
                self._places()
            # A torn line gets a line end, and is then skipped like any damaged line
            data = b"".join(lines)
            checked(self._storage.append, NAME, b"\n" + data if self._tail else data)
        except OSError:
            self.release()
            raise
        start = self._end + (self._tail + 1 if self._tail else 0)
        self._tail = 0
        self._lines += len(lines)
        self._end = start + len(data)
        return start

    def _rewrite(self, games):
        """Write the file again with only the current lines of these games."""
        storage = self._storage
        storage.write(_BESIDE, b"")
        lines = b""
        for game_id in games:
            entry = self.get(game_id)
            if entry is not None:
                lines += self.line(game_id, entry)
            if game_id in self._seen:
                lines += _seen_line(game_id, self._seen[game_id])
            if len(lines) > PIECE:
                storage.append(_BESIDE, lines)
                lines = b""
        storage.append(_BESIDE, lines)
        storage.rename(_BESIDE, NAME)
        self.release()


def _pieces(file):
    """Yield the file piece by piece; the last piece is None if the flash is damaged there."""
    if file is None:
        return
    with file:
        piece = b"-"
        while piece:
            try:
                piece = file.read(PIECE)
            except OSError as trouble:
                if trouble.args[0] != CORRUPT:
                    raise
                piece = None
            if piece != b"":
                yield piece


def _place(where, seen, place, data, start, end):
    """Note the entry or confirmation in data[start:end]; `place` is the offset of the line in the file.

    The checksum of an entry is not checked here; get() checks it.
    """
    at = data.find(b" ", start, end)
    try:
        game_id = data[start : max(at, start)].decode()
        if game_id == ALL:
            if unseal(data[start:end], NAME) is not None:
                seen.update({game_id: where[game_id][2] for game_id in where})
        elif data[at + 1 : at + 2] != _QUOTE:
            mark = data.rfind(_MARK, start, end) + len(_MARK)
            where[game_id] = (place, end - start, data[mark : mark + _MARK_SIZE].decode())
        elif unseal(data[start:end], NAME) is not None:
            seen[game_id] = data[at + 2 : at + 2 + _MARK_SIZE].decode()
    except UnicodeError:
        pass


def _seen_line(game_id, mark):
    """Return the line that confirms a mark of a game, with its checksum."""
    return seal('%s "%s"' % (game_id, mark), NAME)
