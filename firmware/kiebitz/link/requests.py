"""What a laptop can ask of the device: each request is answered piece by piece, so that the game goes on."""

import binascii
import json

from .. import VERSION
from ..games import Refused
from ..games.base import bad, boolean, count, integer, string
from ..machine_code import const
from ..store.index import confirm_all, entry_line
from ..store.journal_tail import SUFFIX
from ..store.library import ALL, INDEX, describe, is_aside
from ..store.roster import NAMES_MAX
from ..store.sealed_lines import checked, seal
from ..widgets.keys import NAMES
from . import EARLIEST, LATEST, PROTOCOL
from .pieces import Place, index_pieces, journal_pieces, new_buffer
from .wire import ANSWER, escape, frame

# The list of games stays in memory for as long as the laptop keeps asking
_RELEASE_MS = const(2_000)
# A laptop that follows the game says so again before this is over
FOLLOW_MS = 30_000
# Names in one piece of the roster, and files in one of the list: to find one takes a millisecond
_PIECE_NAMES = const(4)
_PIECE_FILES = const(16)
_ID_LETTERS = "0123456789abcdef-"


class Desk:
    def __init__(self, app):
        self._app = app
        self._buffer = None
        self._end = 0  # of the lines that were sent last, in their file
        self._listed = None  # when the index was last in use, in ticks
        self._following = None  # since when, in ticks
        self._told = None  # what the follower knows
        self._names = []  # of a roster that arrives in pieces
        self._key_seq = None  # of the last key that was pressed from afar

    def answer(self, seq, word, value):
        """Yield the lines of the answer, in pieces; an empty piece says that more is to come."""
        try:
            for kind, content in self._answer_to(word, value, seq):
                yield content if kind is None else frame(ANSWER, seq, kind, json.dumps(content))
        except Refused as refused:
            yield frame(ANSWER, seq, "no", json.dumps({"code": refused.code}))
        except OSError as trouble:
            yield frame(ANSWER, seq, "no", json.dumps({"code": "E_FLASH", "errno": _errno(trouble)}))
        except MemoryError:
            yield frame(ANSWER, seq, "no", '{"code":"E_MEMORY"}')

    def _answer_to(self, word, value, seq):
        if word not in _ANSWERS:
            raise Refused("E_VERB")
        return _ANSWERS[word](self, value, seq)

    def _who(self, value, seq):
        app = self._app
        yield "ok", {
            "product": "kiebitz",
            "version": VERSION,
            "protocol": PROTOCOL,
            "device": app.board.device_id,
            "board": app.board.choice.name,
            "now": app.clock.now(),
        }

    def _clock(self, value, seq):
        self._app.clock.set(integer(value.get("now"), "now", EARLIEST, LATEST))
        yield "ok", {}

    # --- games ---

    def _games(self, value, seq):
        """The index as it is on flash, and the sizes of the files: the laptop puts it together in no time."""
        games = self._app.games
        self._end = 0
        try:
            yield from self._lines(games.storage.open, 0, index_pieces, INDEX)
        except (OSError, Refused):
            pass  # what it does not tell is asked for
        told = {"index": self._end}
        if games.journal is not None:
            told["playing"] = games.journal.id
        yield None, escape(_line_in_play(games))
        files = {}
        told["files"] = 0
        for name, size in _files(games):
            files[name] = size
            if len(files) == _PIECE_FILES:
                yield "+", {"files": files}
                told["files"] += len(files)
                files = {}
        yield "+", {"files": files}
        told["files"] += len(files)
        yield "ok", told

    def _game(self, value, seq):
        self._listed = self._app.clock.ms()
        yield "ok", _listed(self._app.games, _game_id(value.get("id")))

    def _read(self, value, seq):
        """Games, the lines of each as they are on flash, from some byte on; they carry checksums of their own.

        In the end it is told of each where its lines end, or why there are none.
        """
        wanted = value.get("games")
        if not isinstance(wanted, list) or len(wanted) % 2:
            raise bad("games")
        ids = [_game_id(game_id) for game_id in wanted[::2]]
        places = [count(at, "at") for at in wanted[1::2]]
        ends: list = []
        for k in range(len(ids)):
            try:
                yield from self._lines(self._app.games.storage.open, places[k], journal_pieces, ids[k] + SUFFIX)
                ends.append(self._end)
            except Refused as refused:
                ends.append(refused.code)
            except OSError:
                ends.append("E_FLASH")
        yield "ok", {"ends": ends}

    def _lines(self, opened, at, escaped, *args):
        """The lines of a file from there on, and in `_end` where they end.

        opened(*args) opens it, escaped() gives the lines that are in the buffer.
        """
        buffer = self._buffer = self._buffer or new_buffer()
        place = Place(opened, args, at)
        try:
            while place.fill(buffer, self._now()):
                for piece in escaped(buffer, place.end, not at):
                    yield None, piece
                at = place.at
            self._end = place.at
        finally:
            place.close()

    def _confirm(self, value, seq):
        """Only what the laptop has seen, to the last bit, is confirmed: a game may have gone on meanwhile."""
        games = self._app.games
        if "index" in value:
            yield "ok", {"confirmed": confirm_index(games, count(value["index"], "index"))}
            return
        marks = value.get("games")
        if not isinstance(marks, dict):
            raise bad("games")
        for game_id in marks:
            _game_id(game_id)
        for done in confirm_all(games, marks):
            self._listed = self._app.clock.ms()
            if done is None:
                yield None, b""
            else:
                yield "ok", {"confirmed": done}

    # --- roster ---

    def _roster(self, value, seq):
        names = list(self._app.roster.names)
        for at in range(0, len(names), _PIECE_NAMES):
            yield "+", {"names": names[at : at + _PIECE_NAMES]}
        yield "ok", {"names": len(names)}

    def _names_in(self, value, seq):
        """A roster in pieces: the first is number 0, the last has no more to come and puts them all into force."""
        at = count(value.get("at"), "at")
        more = boolean(value.get("more"), "more")
        names = value.get("names")
        if not isinstance(names, list) or at + len(names) > NAMES_MAX:
            raise bad("names")
        if at > len(self._names):
            raise Refused("E_ORDER")
        self._names = self._names[:at] + names
        if not more:
            self._app.roster.replace(self._names)
        yield "ok", {"names": len(self._names)}

    # --- settings, picture and keys ---

    def _settings(self, value, seq):
        yield "ok", {"settings": self._app.settings.all()}

    def _set(self, value, seq):
        self._app.settings.set(string(value.get("name"), "name"), value.get("value"))
        self._app.wake()
        yield "ok", {}

    def _update(self, value, seq):
        self._app.start_update()
        yield "ok", {}

    def _screen(self, value, seq):
        display = self._app.board.display
        picture = bytes(display.buffer)
        for at in range(0, len(picture), display.width):
            page = binascii.hexlify(picture[at : at + display.width]).decode()
            yield "+", {"page": at // display.width, "columns": page}
        yield "ok", {"width": display.width, "height": display.height}

    def _key(self, value, seq):
        key = value.get("key")
        hold = boolean(value.get("hold", False), "hold")
        if key not in NAMES:
            raise bad("key")
        if seq != self._key_seq:  # else the answer got lost, and the laptop asks again
            self._key_seq = seq
            self._app.remote_key(NAMES.index(key), hold)
        yield "ok", {}

    # --- watching ---

    def _follow(self, value, seq):
        on = boolean(value.get("on"), "on")
        self._following = self._app.clock.ms() if on else None
        self._told = self._now()
        yield "ok", self._state()

    def news(self):
        """To be asked when there is nothing else to do: a line for whoever follows the running game, or None."""
        if self._listed is not None and self._is_past(self._listed, _RELEASE_MS):
            self._listed = None
            self._app.games.release()
        if self._following is None:
            return None
        if self._is_past(self._following, FOLLOW_MS):
            self._following = None
        elif self._told != self._now():
            self._told = self._now()
            return frame(ANSWER, 0, "now", json.dumps(self._state()))
        return None

    def _is_past(self, since, ms):
        clock = self._app.clock
        return not 0 <= clock.diff(clock.ms(), since) < ms

    def _now(self):
        journal = self._app.games.journal
        return None if journal is None else (journal.id, journal.lines)

    def _state(self):
        journal = self._app.games.journal
        if journal is None:
            return {"id": None}
        return {"id": journal.id, "lines": journal.lines, "mark": journal.mark}


_ANSWERS = {
    "who": Desk._who,
    "clock": Desk._clock,
    "games": Desk._games,
    "game": Desk._game,
    "read": Desk._read,
    "confirm": Desk._confirm,
    "roster": Desk._roster,
    "names": Desk._names_in,
    "settings": Desk._settings,
    "set": Desk._set,
    "update": Desk._update,
    "screen": Desk._screen,
    "key": Desk._key,
    "follow": Desk._follow,
}


def confirm_index(games, size):
    """A laptop says that it has all that the index told of when it was so long; False if it is another one now."""
    if not size or games.storage.size(INDEX) != size:
        return False
    checked(games.storage.append, INDEX, seal(ALL, INDEX))
    games.index_changed()
    return True


def _files(games):
    """Yield name and size of every journal, and of every damaged file that is kept."""
    playing = games.journal.name if games.journal is not None else None
    for name, size in games.storage.sizes():
        if name == playing:
            yield name, games.journal.size
        elif name.endswith(SUFFIX) or is_aside(name):
            yield name, size


def _line_in_play(games):
    """What the index would tell of the game in play, if it were put on the shelf now; empty without one."""
    if games.journal is None:
        return b""
    return entry_line(games.journal.id, describe(games.journal, games.table))


def _game_id(value):
    """The id of a game, which is also the name of a file: nothing that could name another one."""
    game_id = string(value, "id")
    if not game_id or game_id.strip(_ID_LETTERS):
        raise Refused("E_GAME")
    return game_id


def _listed(games, game_id):
    """What the list tells of a game; of one that cannot be read, that it is damaged."""
    try:
        entry = games.entry(game_id)
    except OSError:
        entry = None
    if entry is None:
        return {"id": game_id, "damaged": True}
    listed = {"lines": entry["lines"] + 1}
    for key in ("id", "game", "players", "at", "events", "finished", "confirmed", "damaged", "mark"):
        listed[key] = entry[key]
    return listed


def _errno(trouble):
    code = trouble.args[0] if trouble.args else 0
    return code if isinstance(code, int) else 0
