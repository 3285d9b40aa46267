"""Reads the tables of another database row by row, of any version and damaged or not, and skips what is missing."""

import sqlite3
from collections.abc import Iterator

from .damage import is_time
from .decisions import is_correction
from .ids import stable_id

NUMBER_MAX = 10_000_000  # a larger number comes from damage
_BEYOND = 100  # numbers after the last trace that are looked for in a damaged file: a page of a table has fewer


def _text(data: bytes) -> str | bytes:
    """Return a text of the database; its bytes, if it is not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


class OtherTables:
    """The tables of another database. Journals are one text in `contents`, or in earlier versions rows of `lines`."""

    def __init__(self, connection: sqlite3.Connection):
        self.connection = connection
        self.connection.text_factory = _text
        self.sound = self._rows("PRAGMA quick_check") == [("ok",)]
        self._rows("PRAGMA writable_schema = ON")  # a file that was cut off can still be opened this way

    def _rows(self, sql: str, *values) -> list[tuple]:
        """Return as many rows as can be read."""
        found: list[tuple] = []
        try:
            for row in self.connection.execute(sql, values):
                found.append(row)
        except (sqlite3.Error, UnicodeDecodeError):
            pass  # the second one: in the text of an error, names of damaged tables need not be UTF-8
        return found

    def readable(self) -> int:
        """Return the number of journals, lines and tables that can be read."""
        asked = ("SELECT number FROM contents", "SELECT number FROM lines", "SELECT name FROM sqlite_master")
        return sum(len(self._rows(sql)) for sql in asked)

    def numbers(self) -> list[int]:
        """Return all numbers up to the highest that has a trace in any table, to find games in a damaged part."""
        found = {row[0] for sql in _TRACES for row in self._rows(sql)}
        numbers = {number for number in found if type(number) is int and 0 < number < NUMBER_MAX}
        return list(range(1, max(numbers, default=0) + 1 + (0 if self.sound else _BEYOND)))

    def content(self, number: int) -> bytes | None:
        """Return the packed text of a journal, or None."""
        found = self._rows("SELECT data FROM contents WHERE number = ?", number)
        return found[0][0] if found and isinstance(found[0][0], bytes) else None

    def decisions(self) -> list[tuple[str, str]]:
        """Return (id, text) of the decisions."""
        rows = self._rows("SELECT id, content FROM decisions")
        return [(key, text) for key, text in rows if isinstance(key, str) and isinstance(text, str)]

    # --- earlier versions ---

    def histories(self, number: int) -> list[list[str]]:
        """Return the histories of a game, each from its first line up to the first gap."""
        columns = {row[1] for row in self._rows("PRAGMA table_info(lines)")}
        variant = "variant" if "variant" in columns else "0"
        # Line by line: a scan loses the last line before a damaged page, and goes on with a page that is not its own
        named = self._rows(f"SELECT DISTINCT {variant} FROM lines WHERE number = ?", number)
        which = sorted({0, *[k for (k,) in named if type(k) is int]})
        return [self._lines(f"number = ? AND {variant} = ? AND n = ?", number, k) for k in which]

    def _lines(self, where: str, number: int, variant: int) -> list[str]:
        """Return the lines of a history up to the first that cannot be read."""
        lines: list[str] = []
        while (row := self._rows(f"SELECT text FROM lines WHERE {where}", number, variant, len(lines))) and (
            isinstance(row[0][0], str)
        ):
            lines.append(row[0][0])
        return lines

    def known(self, number: int) -> dict | None:
        """Return the row of a game in the table of journals, or None if it is not plausible."""
        rows = self._rows("SELECT * FROM journals WHERE number = ?", number)
        columns = [about[1] for about in self._rows("PRAGMA table_info(journals)")]
        known = dict(zip(columns, rows[0], strict=False)) if rows else {}
        kinds = {"game": str, "at": int, "received": int}
        return known if all(type(known.get(key)) is kind for key, kind in kinds.items()) else None

    def corrections(self, number: int) -> Iterator[tuple]:
        """Yield (id, made, entry, old, new, undoes) of the corrections that can be."""
        sql = "SELECT id, made, entry, old, new, undoes FROM corrections WHERE number = ? ORDER BY id"
        for key, made, entry, old, new, undoes in self._rows(sql, number):
            if is_time(made) and (undoes or is_correction(entry, old, new)):
                yield key, made, entry, old, new, undoes

    def removals(self, number: int) -> list[tuple[int, bool]]:
        """Return (made, removed) of the deletions that can be."""
        rows = self._rows("SELECT made, removed FROM removals WHERE number = ? ORDER BY id", number)
        return [(made, bool(removed)) for made, removed in rows if is_time(made)]

    def people(self) -> Iterator[tuple[str, str, list[str]]]:
        """Yield (the spelling that the id was made from, name, spellings) of those whom an earlier version has joined.

        Later versions derive them from their decisions.
        """
        if self._rows("SELECT name FROM sqlite_master WHERE name = 'decisions'"):
            return
        told = self._rows("SELECT person, spelling FROM spellings ORDER BY spelling")
        for person, uuid, name in self._rows("SELECT id, uuid, name FROM people ORDER BY id"):
            spellings = [spelling for who, spelling in told if who == person and isinstance(spelling, str)]
            if isinstance(name, str) and set(spellings) - {name}:
                yield next((one for one in spellings if stable_id("player", one) == uuid), name), name, spellings


_TRACES = (
    "SELECT number FROM journals",
    "SELECT number FROM contents",
    "SELECT max(number) FROM contents",
    "SELECT number FROM games",
    "SELECT max(number) FROM scores",
    "SELECT DISTINCT number FROM lines",
    "SELECT max(number) FROM lines",
    "SELECT seq FROM sqlite_sequence WHERE name = 'journals'",
)
