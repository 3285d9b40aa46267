"""Answer the requests of a laptop, piece by piece, so that the game goes on."""

import binascii
import json

from .. import VERSION
from ..games import Refused
from ..games.base import bad, boolean, check_name, count, integer, string
from ..machine_code import const
from ..store.crash import keep_crash
from ..store.laptop_view import LaptopView
from ..store.roster import NAMES_MAX
from ..store.sealed_lines import LINE_MAX
from ..widgets.keys import NAMES
from . import EARLIEST, LATEST, PACKET, PROTOCOL
from .wire import ANSWER, escape, escaped, frame

# The larger a part of a file, the fewer turns it takes
SIZES = (4096, 2048)
# Bytes before the lines, into which the first line can grow; PACKET bytes after them are for the blanks of the last one
HEAD = 256
_BLANK = b"\n" * PACKET
# Bytes that are escaped at once
_PIECE = const(2048)


def new_buffer():
    """Return a buffer to be reused, because a fragmented heap may have no space for another one."""
    for size in SIZES:
        try:
            return bytearray(HEAD + size + PACKET)
        except MemoryError:
            pass
    return bytearray(HEAD + LINE_MAX + 1 + PACKET)


def index_pieces(buffer, end, _):
    """Yield the lines of the index in pieces, escaped because names may contain more than ASCII."""
    start = HEAD
    while start < end:
        stop = buffer.rfind(b"\n", start, min(start + _PIECE, end)) + 1
        stop = stop or buffer.find(b"\n", start) + 1
        yield escaped(memoryview(buffer)[start:stop])
        start = stop


def journal_pieces(buffer, end, is_first):
    """Yield the lines of a journal in pieces; only the first line, the set-up, has names and is escaped."""
    start = HEAD
    if is_first:
        stop = buffer.find(b"\n", HEAD) + 1
        line = escaped(memoryview(buffer)[HEAD:stop])
        start = stop - len(line)
        if start >= 0:
            buffer[start:stop] = line
        else:
            yield line
            start = stop
    blanks = -(end - start) % PACKET
    buffer[end : end + blanks] = _BLANK[:blanks]
    yield memoryview(buffer)[start : end + blanks]


# The list of games stays in memory for as long as the laptop keeps asking
_RELEASE_MS = const(2_000)
# The next piece of a roster must come within this time
_NAMES_MS = const(10_000)
# Keys from a laptop that are not handled yet
_KEYS_MAX = const(4)
# A laptop that follows the game repeats its request within this time
FOLLOW_MS = 30_000
# Names in one piece of the roster, and files in one piece of the list: to find a file takes a millisecond
_PIECE_NAMES = const(4)
_PIECE_FILES = const(16)
_NO_ENTRY = const(2)
_ID_LETTERS = "0123456789abcdef-"


class Requests:
    """The answers to all requests of a laptop."""

    def __init__(self, app):
        self._app = app
        self._buffer = None
        self._view = LaptopView(app.library)
        self._end = 0  # the offset in the file at which the lines sent last end
        self._sum = 0  # CRC32 of the index, as it was sent last
        self._listed = None  # when the index was last in use, in ticks
        self._following = None  # when a laptop last asked to follow the game, in ticks
        self._told = None  # the _now() that was last sent to the follower
        self._names = []  # the part of a new roster that has arrived
        self._named = 0  # when it arrived, in ticks
        self._key_seq = None  # sequence number of the last key that the laptop pressed
        self._faults = []  # requests that raised an unexpected error

    def answer(self, seq, word, value):
        """Yield the lines of the answer in pieces; an empty piece means that the work is not done yet."""
        try:
            for kind, content in self._answer_to(word, value, seq):
                yield content if kind is None else frame(ANSWER, seq, kind, json.dumps(content))
        except Refused as refused:
            yield frame(ANSWER, seq, "no", json.dumps({"code": refused.code}))
        except OSError as trouble:
            yield frame(ANSWER, seq, "no", json.dumps({"code": "E_FLASH", "errno": _errno(trouble)}))
        except MemoryError:
            yield frame(ANSWER, seq, "no", '{"code":"E_MEMORY"}')
        except Exception as error:  # a bug; the game goes on, and the trace is stored
            self._fault(word, error)
            yield frame(ANSWER, seq, "no", '{"code":"E_FAULT"}')

    def _fault(self, word, error):
        """Store the trace of an unexpected error, once for each request to limit flash wear."""
        if word not in self._faults:
            self._faults.append(word)
            keep_crash(self._app.board.storage, error)

    def _answer_to(self, word, value, seq):
        """Return a generator of (kind, content); a kind of None means that the content is ready to be sent."""
        if word not in _ANSWERS:
            raise Refused("E_VERB")
        if word != "names":
            self._names = []
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
        """Send the index as it is stored, and the sizes of the files, from which the laptop makes the list of games."""
        library = self._app.library
        self._end = self._sum = 0
        try:
            yield from self._lines(self._view.index_lines(), index_pieces)
        except OSError:
            pass  # the laptop asks for each game that the index does not list
        told = {"index": self._end, "mark": "%08x" % self._sum, "thrown": library.thrown.pairs}
        if library.journal is not None:
            told["playing"] = library.journal.id
        yield None, escape(self._view.line_in_play())
        files = {}
        listed = 0
        for name, size in self._view.sizes():
            files[name] = size
            if len(files) == _PIECE_FILES:
                yield "+", {"files": files}
                listed += len(files)
                files = {}
        yield "+", {"files": files}
        told["files"] = listed + len(files)
        yield "ok", told

    def _game(self, value, seq):
        self._listed = self._app.clock.ms()
        yield "ok", _listed(self._app.library, _game_id(value.get("id")))

    def _read(self, value, seq):
        """Send the lines of several games as they are stored on flash, those of each game from an offset on.

        The lines have checksums of their own. The last piece has for each game the offset at which its lines end, or
        the code of a refusal.
        """
        wanted = value.get("games")
        if not isinstance(wanted, list) or len(wanted) % 2:
            raise bad("games")
        ids = [_game_id(game_id) for game_id in wanted[::2]]
        places = [count(at, "at") for at in wanted[1::2]]
        ends: list = []
        for k in range(len(ids)):
            try:
                yield from self._lines(self._view.journal_lines(ids[k], places[k]), journal_pieces)
                ends.append(self._end)
            except OSError as trouble:
                ends.append("E_GAME" if _errno(trouble) == _NO_ENTRY else "E_FLASH")
        yield "ok", {"ends": ends}

    def _lines(self, reader, escaped):
        """Send the lines of a LineReader, and note the offset at which they end, and the CRC32 of the index.

        escaped() yields the pieces for the lines that are in the buffer.
        """
        buffer = self._buffer = self._buffer or new_buffer()
        try:
            while True:
                at = reader.at
                end = reader.fill(buffer, HEAD, len(buffer) - PACKET)
                if not end:
                    break
                if escaped is index_pieces:
                    self._sum = binascii.crc32(memoryview(buffer)[HEAD:end], self._sum)
                for piece in escaped(buffer, end, not at):
                    yield None, piece
            self._end = reader.at
        finally:
            reader.close()

    def _confirm(self, value, seq):
        """Confirm the games that the laptop has read to the last byte; a game may have grown meanwhile."""
        if "index" in value:
            confirming = self._view.confirm_index(count(value["index"], "index"), string(value.get("mark"), "mark"))
        else:
            marks = value.get("games")
            if not isinstance(marks, dict):
                raise bad("games")
            for game_id in marks:
                _game_id(game_id)
            confirming = self._view.confirm(marks)
        for done in confirming:
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
        """Take one piece of a new roster. The first begins at 0; the last, without `more`, stores all names."""
        at = count(value.get("at"), "at")
        more = boolean(value.get("more"), "more")
        names = value.get("names")
        if not isinstance(names, list) or at + len(names) > NAMES_MAX:
            raise bad("names")
        if at > len(self._names):
            raise Refused("E_ORDER")
        self._names = self._names[:at] + [check_name(name) for name in names]
        self._named = self._app.clock.ms()
        if not more:
            self._app.roster.replace(self._names)
        yield "ok", {"names": len(self._names)}

    def _seats(self, value, seq):
        """Take the seats that a club has drawn for this device; `gone` removes them. Send those that are stored."""
        app = self._app
        if "table" in value or "gone" in value:
            app.roster.seat(None if boolean(value.get("gone", False), "gone") else value)
            app.top.resume()
            app.wake()
        yield "ok", app.roster.seats or {}

    # --- presets ---

    def _presets(self, value, seq):
        presets = self._app.presets.all
        for preset in presets:
            yield "+", {"preset": preset}
        yield "ok", {"presets": len(presets)}

    def _preset(self, value, seq):
        """Add a preset, or replace the one with the same title; with `gone`, remove the title if it is there."""
        presets = self._app.presets
        if not boolean(value.get("gone", False), "gone"):
            presets.add(value)
        elif presets.place(value.get("game"), value.get("title")) >= 0:
            presets.remove(value["game"], value["title"])
        yield "ok", {"presets": len(presets.all)}

    # --- settings, picture and keys ---

    def _settings(self, value, seq):
        yield "ok", {"settings": self._app.settings.all()}

    def _set(self, value, seq):
        name, wanted = string(value.get("name"), "name"), value.get("value")
        if name == "board" and wanted and wanted not in self._app.board.names:
            raise Refused("E_SETTING", name=name)  # of another family, whose image has to be installed
        self._app.settings.set(name, wanted)
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
        answer = {"width": display.width, "height": display.height}
        tints = getattr(display, "tints", None)  # a colour display has coloured rectangles
        if tints:
            answer["tints"] = binascii.hexlify(tints.stored()).decode()
        yield "ok", answer

    def _key(self, value, seq):
        key = value.get("key")
        hold = boolean(value.get("hold", False), "hold")
        if key not in NAMES:
            raise bad("key")
        if seq != self._key_seq:  # else the answer got lost, and the laptop has repeated its request
            if len(self._app.remote_keys) >= _KEYS_MAX:
                raise Refused("E_BUSY")
            self._key_seq = seq
            # Not handled here, because too little of the stack is left for what a key can start
            self._app.remote_keys.append((NAMES.index(key), hold))
        while self._app.remote_keys:
            yield None, b""
        yield "ok", {}

    # --- watching ---

    def _follow(self, value, seq):
        on = boolean(value.get("on"), "on")
        self._following = self._app.clock.ms() if on else None
        self._told = self._view.state()
        yield "ok", self._state()

    def news(self):
        """Return a line for a laptop that follows the game, or None. Call this when there is nothing else to do."""
        try:
            return self._news()
        except Exception as error:
            self._following = None
            self._fault("news", error)
            return None

    def _news(self):
        """Return a line for a laptop that follows the game, or None."""
        if self._listed is not None and self._is_past(self._listed, _RELEASE_MS):
            self._listed = None
            self._app.library.release()
        if self._names and self._is_past(self._named, _NAMES_MS):
            self._names = []
        if self._following is None:
            return None
        if self._is_past(self._following, FOLLOW_MS):
            self._following = None
        elif self._told != self._view.state():
            self._told = self._view.state()
            return frame(ANSWER, 0, "now", json.dumps(self._state()))
        return None

    def _is_past(self, since, ms):
        clock = self._app.clock
        return not 0 <= clock.diff(clock.ms(), since) < ms

    def _state(self):
        """Return the answer about the running game, for a laptop that follows it."""
        journal = self._app.library.journal
        if journal is None:
            return {"id": None}
        return {"id": journal.id, "lines": journal.lines, "mark": journal.mark}


_ANSWERS = {
    "who": Requests._who,
    "clock": Requests._clock,
    "games": Requests._games,
    "game": Requests._game,
    "read": Requests._read,
    "confirm": Requests._confirm,
    "roster": Requests._roster,
    "names": Requests._names_in,
    "seats": Requests._seats,
    "presets": Requests._presets,
    "preset": Requests._preset,
    "settings": Requests._settings,
    "set": Requests._set,
    "update": Requests._update,
    "screen": Requests._screen,
    "key": Requests._key,
    "follow": Requests._follow,
}


def _game_id(value):
    """Return the id of a game after a check that it is safe as a file name."""
    game_id = string(value, "id")
    if not game_id or game_id.strip(_ID_LETTERS):
        raise Refused("E_GAME")
    return game_id


def _listed(library, game_id):
    """Return the index entry of a game; for a corrupt game, an entry marked as damaged."""
    entry = library.readable_entry(game_id)
    if entry is None:
        return {"id": game_id, "damaged": True}
    listed = {"lines": entry["lines"] + 1}
    for key in ("id", "game", "players", "at", "events", "finished", "confirmed", "damaged", "mark"):
        listed[key] = entry[key]
    if "title" in entry:
        listed["title"] = entry["title"]
    return listed


def _errno(trouble):
    """Return the number of an OSError; 0 without one."""
    code = trouble.args[0] if trouble.args else 0
    return code if isinstance(code, int) else 0
