"""What the history tells of each game without replaying it: one checked line a game, all of it derived.

A change is a new line at the end; the last line of a game counts. A line that is damaged or missing costs nothing but
the time to replay its journal.
"""

import json

from .log import encode
from .sealed import PIECE, checked, each_line, seal, unseal

NAME = "index"
_BESIDE = "index.new"
# The file is written afresh when it holds so many lines more than twice the games
_SLACK = 16


class Index:
    def __init__(self, storage):
        self._storage = storage
        self._where = None  # game id -> (start, length) of its last line; None: not read yet
        self._lines = 0
        self._end = 0
        self._tail = 0  # bytes of a torn line at the end, or -1: the file cannot be read to its end

    def release(self):
        """Give back the memory; what is needed is read again."""
        self._where = None

    def get(self, game_id):
        """The entry of a game, or None."""
        place = self._places().get(game_id)
        return self._at(game_id, place) if place else None

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
            self._lines = self._end = 0
            self._tail = each_line(self._storage, NAME, lambda line: self._place(where, line))
            self._where = where
        return self._where

    def _place(self, where, line):
        game_id = line[: line.find(b" ") + 1].strip()
        try:
            where[game_id.decode()] = (self._end, len(line))
        except UnicodeError:
            pass
        self._lines += 1
        self._end += len(line) + 1

    def put(self, game_id, entry, games):
        """Keep the entry of a game; `games` are all ids there are, in case the file is written afresh."""
        places = self._places()
        line = _line(game_id, entry)
        try:
            if self._tail < 0 or self._lines > 2 * len(games) + _SLACK:
                checked(self._rewrite, games)
                places = self._places()
            # A torn line is closed, and from then on passed over like any damaged one
            checked(self._storage.append, NAME, b"\n" + line if self._tail else line)
        except OSError:
            self.release()
            raise
        if self._tail:
            self._end += self._tail + 1
            self._tail = 0
        places[game_id] = (self._end, len(line) - 1)
        self._lines += 1
        self._end += len(line)

    def _rewrite(self, games):
        storage = self._storage
        storage.write(_BESIDE, b"")
        lines = b""
        for game_id in games:
            entry = self.get(game_id)
            if entry is not None:
                lines += _line(game_id, entry)
            if len(lines) > PIECE:
                storage.append(_BESIDE, lines)
                lines = b""
        storage.append(_BESIDE, lines)
        storage.rename(_BESIDE, NAME)
        self.release()


def _line(game_id, entry):
    return seal(game_id + " " + encode(entry), NAME)
