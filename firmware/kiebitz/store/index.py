"""What the history tells of each game without replaying it, and what a laptop has confirmed: checked lines in a file.

A change is a new line at the end; the last one of a game counts. What is told of a game is derived: a line that is
damaged or missing costs nothing but the time to replay its journal. A confirmation, the mark of what the laptop has,
is a short line of its own, and so is one of everything that stands before it; if it is lost, the laptop confirms again.
"""

import json

from ..machine_code import const
from .events import encode
from .library import ALL
from .library import INDEX as NAME
from .sealed_lines import CORRUPT, LINE_MAX, PIECE, checked, seal, unseal

_BESIDE = "index.new"
_QUOTE = b'"'  # with which a mark begins, and an entry does not
_MARK = b'"mark":"'  # of the journal that an entry was made of
_MARK_SIZE = const(8)
# The file is written afresh when it holds so many lines more than three for each game
_SLACK = const(16)


class Index:
    def __init__(self, storage):
        self._storage = storage
        self._where = None  # game id -> (start, length, mark) of its last line; None: not read yet
        self._seen = {}  # game id -> mark, once the file was read
        self._changes = 0  # how often the file was written
        self._lines = 0
        self._end = 0
        self._tail = 0  # bytes of a torn line at the end, or -1: the file cannot be read to its end

    def release(self):
        """Give back the memory; what is needed is read again."""
        self._where = None
        self._seen = {}

    def changed(self):
        """Somebody else has added to the file."""
        self._changes += 1
        self.release()

    def get(self, game_id):
        """The entry of a game, or None."""
        place = self._places().get(game_id)
        return self._at(game_id, place) if place else None

    def seen(self, game_id):
        """The mark of what a laptop has confirmed; empty without one."""
        self._places()
        return self._seen.get(game_id, "")

    def agrees(self, game_id, mark):
        """Whether this mark is the one in the entry of a game; that the line is whole is not checked."""
        place = self._places().get(game_id)
        return place is not None and isinstance(mark, str) and place[2] == mark

    def _at(self, game_id, place):
        line = self._storage.read(NAME, place[0], place[1])
        text = None if line is None else unseal(line, NAME)
        mark = game_id.encode() + b" "
        if text is None or not text.startswith(mark):
            return None
        return json.loads(text[len(mark) :].decode())

    def _places(self):
        if self._where is None:
            for _ in self.load():
                pass
        return self._where

    def load(self):
        """Read the file, unless that is done; yields again and again, as there is other work to do."""
        if self._where is not None:
            return
        where = {}
        seen = {}
        lines = begin = 0
        data = b""
        changes = self._changes
        for piece in _pieces(self._storage.open(NAME)):
            yield
            if changes != self._changes:  # somebody has written meanwhile
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

    def put(self, game_id, entry, games):
        """Keep what is told of a game; games() gives all ids there are, in case the file is written afresh."""
        line = entry_line(game_id, entry)
        start = self._append([line], games)
        self._places()[game_id] = (start, len(line) - 1, entry["mark"])

    def confirm(self, marks, games):
        """Keep the marks of some games, in one step; `games` as above."""
        self._append([_seen_line(game_id, marks[game_id]) for game_id in marks], games)
        self._seen.update(marks)

    def _append(self, lines, games):
        """Add lines to the file, and return where they begin."""
        self._places()
        self._changes += 1
        try:
            if self._tail < 0 or (self._lines > _SLACK and self._lines > 3 * len(games()) + _SLACK):
                checked(self._rewrite, games())
                self._places()
            # A torn line is closed, and from then on passed over like any damaged one
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
        storage = self._storage
        storage.write(_BESIDE, b"")
        lines = b""
        for game_id in games:
            entry = self.get(game_id)
            if entry is not None:
                lines += entry_line(game_id, entry)
            if game_id in self._seen:
                lines += _seen_line(game_id, self._seen[game_id])
            if len(lines) > PIECE:
                storage.append(_BESIDE, lines)
                lines = b""
        storage.append(_BESIDE, lines)
        storage.rename(_BESIDE, NAME)
        self.release()


def _pieces(file):
    """Yield the file piece by piece; None in the end if the flash is damaged there."""
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
    """Note what a line in the data tells, as far as that can be told at a glance; `place` is where it lies on flash."""
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


def entry_line(game_id, entry):
    """The line that tells of a game, with its checksum."""
    return seal(game_id + " " + encode(entry), NAME)


def _seen_line(game_id, mark):
    return seal('%s "%s"' % (game_id, mark), NAME)


# --- what a laptop says that it has: until then the device forgets nothing ---


def confirm(games, game_id, lines):
    """A laptop says that it has so many event lines of this game. Returns True if that is all of it."""
    entry = games.entry(game_id)
    if entry is None or entry["lines"] != lines:
        return False
    return list(confirm_all(games, {game_id: entry["mark"]}))[-1] == [game_id]


def confirm_all(games, marks):
    """A laptop says what it has: the mark of its lines, by a game's id.

    Yields None again and again, as there is other work to do, and in the end a list of the games of which that is all.
    The flash is written once.
    """
    try:
        yield from games.index.load()
    except OSError:
        pass  # then everything is replayed
    done = []
    for game_id in marks:
        if not _is_told(games, game_id, marks[game_id]):
            entry = games.entry(game_id)
            yield None
            if entry is None or entry["mark"] != marks[game_id]:
                continue
        done.append(game_id)
    new = {game_id: marks[game_id] for game_id in done if games.seen(game_id) != marks[game_id]}
    if new:
        games.index.confirm(new, games.ids)
    yield done


def _is_told(games, game_id, mark):
    """Whether a game that nobody plays has this mark, as far as the index knows.

    Should it have grown since, this mark is not its own any more, and so it does not count as confirmed.
    """
    try:
        return not games.in_play(game_id) and games.index.agrees(game_id, mark)
    except OSError:
        return False
