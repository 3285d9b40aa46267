"""What the history tells of each game without replaying it, and what a laptop has confirmed: checked lines in a file.

A change is a new line at the end; the last one of a game counts. What is told of a game is derived: a line that is
damaged or missing costs nothing but the time to replay its journal. A confirmation, the mark of what the laptop has,
is a short line of its own; if it is lost, the laptop confirms again.
"""

import json

from .log import encode
from .sealed import PIECE, checked, each_line, seal, unseal

NAME = "index"
_BESIDE = "index.new"
_QUOTE = b'"'  # with which a mark begins, and an entry does not
# The file is written afresh when it holds so many lines more than three for each game
_SLACK = 16


class Index:
    def __init__(self, storage):
        self._storage = storage
        self._where = None  # game id -> (start, length) of its last line; None: not read yet
        self._seen = {}  # game id -> mark, once the file was read
        self._lines = 0
        self._end = 0
        self._tail = 0  # bytes of a torn line at the end, or -1: the file cannot be read to its end

    def release(self):
        """Give back the memory; what is needed is read again."""
        self._where = None
        self._seen = {}

    def get(self, game_id):
        """The entry of a game, or None."""
        place = self._places().get(game_id)
        return self._at(game_id, place) if place else None

    def seen(self, game_id):
        """The mark of what a laptop has confirmed; empty without one."""
        self._places()
        return self._seen.get(game_id, "")

    def _at(self, game_id, place):
        line = self._storage.read(NAME, place[0], place[1])
        text = None if line is None else unseal(line, NAME)
        mark = game_id.encode() + b" "
        if text is None or not text.startswith(mark):
            return None
        return json.loads(text[len(mark) :].decode())

    def _places(self):
        if self._where is None:
            where = {}
            self._seen = {}
            self._lines = self._end = 0
            self._tail = each_line(self._storage, NAME, lambda line: self._place(where, line))
            self._where = where
        return self._where

    def _place(self, where, line):
        at = line.find(b" ")
        try:
            game_id = line[: max(at, 0)].decode()
            if line[at + 1 : at + 2] != _QUOTE:
                where[game_id] = (self._end, len(line))
            elif unseal(line, NAME) is not None:
                self._seen[game_id] = line[at + 2 : line.rfind(_QUOTE)].decode()
        except UnicodeError:
            pass
        self._lines += 1
        self._end += len(line) + 1

    def put(self, game_id, entry, games):
        """Keep what is told of a game; `games` are all ids there are, in case the file is written afresh."""
        line = _line(game_id, entry)
        start = self._append([line], games)
        self._places()[game_id] = (start, len(line) - 1)

    def confirm(self, marks, games):
        """Keep the marks of some games, in one step; `games` as above."""
        self._append([_seen_line(game_id, marks[game_id]) for game_id in marks], games)
        self._seen.update(marks)

    def _append(self, lines, games):
        """Add lines to the file, and return where they begin."""
        self._places()
        try:
            if self._tail < 0 or self._lines > 3 * len(games) + _SLACK:
                checked(self._rewrite, games)
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
                lines += _line(game_id, entry)
            if game_id in self._seen:
                lines += _seen_line(game_id, self._seen[game_id])
            if len(lines) > PIECE:
                storage.append(_BESIDE, lines)
                lines = b""
        storage.append(_BESIDE, lines)
        storage.rename(_BESIDE, NAME)
        self.release()


def _line(game_id, entry):
    return seal(game_id + " " + encode(entry), NAME)


def _seen_line(game_id, mark):
    return seal('%s "%s"' % (game_id, mark), NAME)
