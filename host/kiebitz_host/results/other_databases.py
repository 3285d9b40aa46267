"""Takes over games from another database: a backup, that of another laptop, or a damaged one."""

import json
import sqlite3
import struct
from contextlib import closing
from pathlib import Path

from ..outcome import Trouble
from . import people
from .damage import is_correction, is_time
from .database import connect
from .recorded_files import add_file
from .replay import Replay
from .store import Store

NUMBER_MAX = 1000000  # a larger number comes from damage
PAGE = 4096  # bytes; the size that every store has


def rescue(store: Store, source: str) -> dict:
    """Add the games that can be read. Returns {"new": games, "known": games, "lost": games not readable completely}."""
    path = Path(source)
    if not path.is_file():
        raise Trouble(f"cannot read {source}: there is no such file.")
    if path.samefile(store.path):
        raise Trouble("a database cannot be taken over from itself: move the damaged one aside, then name it here.")
    with closing(_opened(path)) as connection:
        found = Rescue(store, connection)
        if found.sound:
            return found.run()
        with closing(_with_new_header(path)) as mended:
            return max(found, Rescue(store, mended), key=Rescue.readable).run()


def _opened(path: Path) -> sqlite3.Connection:
    """Open a database for reading. Returns the connection; raises Trouble if the system cannot read the file."""
    try:
        return connect(path, "ro")
    except sqlite3.OperationalError as trouble:
        raise Trouble(f"cannot read {path}: {trouble}.") from None


def _with_new_header(path: Path) -> sqlite3.Connection:
    """Open a copy in memory whose header is that of a store, for a file whose header is damaged. Returns it."""
    try:
        data = path.read_bytes()
    except OSError as trouble:
        raise Trouble(f"cannot read {path}: {trouble.strerror}.") from None
    pages = -(-len(data) // PAGE)
    # Magic, page size, versions, fractions; counter, pages, free pages, cookie, format, cache, encoding UTF-8; counter
    fields = (b"SQLite format 3", PAGE, 1, 1, 0, 64, 32, 32, 1, pages, 0, 0, 1, 4, 0, 0, 1, 1)
    header = struct.pack(">16sH6B9I32xI4x", *fields)
    connection = sqlite3.connect(":memory:")
    connection.deserialize((header + data[len(header) :]).ljust(pages * PAGE, b"\0"))
    return connection


def _text(data: bytes) -> str | bytes:
    """Return a text of the database; its bytes, if it is not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


class Rescue:
    """Reads a database row by row, and skips what is missing.

    The content of a damaged file may be wrong, so only lines that the rules accept are taken from it. From a sound
    file, everything is taken unchanged.
    """

    def __init__(self, store: Store, connection: sqlite3.Connection):
        self.store = store
        self.connection = connection
        self.connection.text_factory = _text
        self.sound = self._rows("PRAGMA quick_check") == [("ok",)]
        self.lost = 0
        self._rows("PRAGMA writable_schema = ON")  # a file that was cut off can still be opened this way

    def readable(self) -> int:
        """Return the number of lines and tables that can be read."""
        return len(self._rows("SELECT number FROM lines")) + len(self._rows("SELECT name FROM sqlite_master"))

    def run(self) -> dict:
        with self.store.batch():
            if not self.readable():
                raise Trouble("nothing can be read in this file: it is no database, or nothing is left of it.")
            words = [self._game(number) for number in self._numbers()]
            self._people()
        known = sum(word in ("same", "shorter", "longer", "apart") for word in words)
        return {"new": words.count("new") + words.count("namesake"), "known": known, "lost": self.lost}

    def _rows(self, sql: str, *values) -> list[tuple]:
        """Return as many rows as can be read."""
        found: list[tuple] = []
        try:
            for row in self.connection.execute(sql, values):
                found.append(row)
        except (sqlite3.Error, UnicodeDecodeError):
            pass  # the second one: in the text of an error, names of damaged tables need not be UTF-8
        return found

    def _numbers(self) -> list[int]:
        """Return all numbers up to the highest that has a trace in any table, to find games in a damaged part."""
        found = {row[0] for sql in _TRACES for row in self._rows(sql)}
        numbers = {number for number in found if type(number) is int and 0 < number < NUMBER_MAX}
        return list(range(1, max(numbers, default=0) + 1))

    def _histories(self, number: int) -> list[list[str]]:
        """Return the histories of a game, each from its first line up to the first gap."""
        columns = {row[1] for row in self._rows("PRAGMA table_info(lines)")}
        variant = "variant" if "variant" in columns else "0"
        # Line by line: a scan loses the last line before a damaged page, and goes on with a page that is not its own
        named = self._rows(f"SELECT DISTINCT {variant} FROM lines WHERE number = ?", number)
        which = sorted({0, *[k for (k,) in named if type(k) is int]})
        found = [self._lines(f"number = ? AND {variant} = ? AND n = ?", number, k) for k in which]
        return [lines for lines in map(self._good, found) if lines]

    def _lines(self, where: str, number: int, variant: int) -> list[str]:
        """Return the lines of a history up to the first that cannot be read."""
        lines: list[str] = []
        while (row := self._rows(f"SELECT text FROM lines WHERE {where}", number, variant, len(lines))) and (
            isinstance(row[0][0], str)
        ):
            lines.append(row[0][0])
        return lines

    def _good(self, lines: list[str]) -> list[str]:
        """Return the lines that can be trusted."""
        if self.sound or not lines:
            return lines
        replay = Replay(line.encode("utf-8", "replace") for line in lines)
        return lines[: replay.line - 1] if replay.refused else lines

    def _game(self, number: int) -> str | None:
        """Add one game. Returns the result for its first history, None if no line can be read."""
        histories = self._histories(number)
        known = self._known(number)
        if not histories:
            self.lost += known is not None
            return None
        if known is None:
            self.lost += 1  # its time and device are unknown, and its last lines may be missing
            return add_file(self.store, histories[0], _setup(histories[0]), None)[0]
        words = [self._take(known, lines) for lines in histories]
        self._marks(number, self.store.id_for(known["game"], histories[0][0]))
        return words[0]

    def _known(self, number: int) -> dict | None:
        """Return the row of a game in the table of journals, or None if it is not plausible."""
        rows = self._rows("SELECT * FROM journals WHERE number = ?", number)
        columns = [about[1] for about in self._rows("PRAGMA table_info(journals)")]
        known = dict(zip(columns, rows[0], strict=False)) if rows else {}
        kinds = {"game": str, "at": int, "received": int}
        return known if all(type(known.get(key)) is kind for key, kind in kinds.items()) else None

    def _take(self, known: dict, lines: list[str]) -> str:
        device = {"id": known["device"]} if known.get("device") and isinstance(known["device"], str) else None
        at, rough = (known["at"], bool(known.get("approximate"))) if known["at"] > 0 else (known["received"], True)
        cut = not self.sound and not self._is_over(lines)
        self.lost += cut
        return self.store.add_journal(known["game"], lines, device, at, rough, cut or bool(known.get("damaged")))

    @staticmethod
    def _is_over(lines: list[str]) -> bool:
        """Return False for a game that may have lost its end."""
        table = Replay(line.encode() for line in lines).table
        return table is not None and table.game.over

    def _marks(self, theirs: int, game_id: str) -> None:
        """Copy corrections and deletions, unless the game already has some here."""
        ours = self.store.number(game_id)
        db = self.store.db
        if not db.value("SELECT 1 FROM corrections WHERE number = ?", ours):
            ids: dict[int, int | None] = {}
            sql = "SELECT id, made, entry, old, new, undoes FROM corrections WHERE number = ? ORDER BY id"
            for key, made, entry, old, new, undoes in self._rows(sql, theirs):
                if not is_time(made) or not (undoes in ids if undoes else is_correction(entry, old, new)):
                    continue
                ids[key] = db.run(
                    "INSERT INTO corrections (number, made, entry, old, new, undoes) VALUES (?, ?, ?, ?, ?, ?)",
                    ours,
                    made,
                    *((None, None, None, ids[undoes]) if undoes else (entry, old, new, None)),
                )
        if not db.value("SELECT 1 FROM removals WHERE number = ?", ours):
            for made, removed in self._rows("SELECT made, removed FROM removals WHERE number = ? ORDER BY id", theirs):
                if is_time(made):
                    db.run("INSERT INTO removals (number, made, removed) VALUES (?, ?, ?)", ours, made, bool(removed))

    def _people(self) -> None:
        """Copy names that were joined or changed there; joins and names made here stay unchanged."""
        db = self.store.db
        sql = "SELECT spelling, name FROM spellings JOIN people ON people.id = person WHERE spelling != name"
        for spelling, name in self._rows(sql):
            if not isinstance(spelling, str) or not isinstance(name, str):
                continue
            person = db.value("SELECT person FROM spellings WHERE spelling = ?", spelling)
            if person is None or people.name_of(db, person) != spelling:
                continue
            other = db.value("SELECT person FROM spellings WHERE spelling = ?", name)
            try:
                if other is None:
                    people.rename(db, person, name)
                else:
                    people.join(db, other, person)
            except Trouble:
                pass  # they sat at one table here, or are one person already: then nothing changes


def _setup(lines: list[str]) -> dict:
    """Return the set-up of a game, empty if its first line has none."""
    try:
        setup = json.loads(lines[0])
    except (ValueError, RecursionError):
        return {}
    return setup if isinstance(setup, dict) else {}


_TRACES = (
    "SELECT number FROM journals",
    "SELECT DISTINCT number FROM lines",
    "SELECT max(number) FROM lines",
    "SELECT seq FROM sqlite_sequence WHERE name = 'journals'",
)
