"""Reads the tables of another database row by row, damaged or not, and skips what is missing."""

import sqlite3

NUMBER_MAX = 10_000_000  # a larger number comes from damage
_BEYOND = 100  # numbers after the last trace that are looked for in a damaged file: a page of a table has fewer


def _text(data: bytes) -> str | bytes:
    """Return a text of the database; its bytes, if it is not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


class OtherTables:
    """The tables of another database."""

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
        """Return the number of journals and tables that can be read."""
        asked = ("SELECT number FROM contents", "SELECT name FROM sqlite_master")
        return sum(len(self._rows(sql)) for sql in asked)

    def numbers(self) -> list[int]:
        """Return all numbers up to the highest that has a trace in any table, to find games in a damaged part."""
        found = {row[0] for sql in _TRACES for row in self._rows(sql)}
        numbers = {number for number in found if type(number) is int and 0 < number < NUMBER_MAX}
        return list(range(1, max(numbers, default=0) + 1 + (0 if self.sound else _BEYOND)))

    def format(self) -> int:
        """Return the format of the tables as the header has it, 0 if it cannot be read."""
        found = self._rows("PRAGMA user_version")
        return found[0][0] if found else 0

    def is_listed(self, number: int) -> bool:
        """Return True if the table of journals has a game of this number."""
        return bool(self._rows("SELECT 1 FROM journals WHERE number = ?", number))

    def content(self, number: int) -> bytes | None:
        """Return the packed text of a journal, or None."""
        found = self._rows("SELECT data FROM contents WHERE number = ?", number)
        return found[0][0] if found and isinstance(found[0][0], bytes) else None

    def decisions(self) -> list[tuple[str, str]]:
        """Return (id, text) of the decisions."""
        rows = self._rows("SELECT id, content FROM decisions")
        return [(key, text) for key, text in rows if isinstance(key, str) and isinstance(text, str)]


_TRACES = (
    "SELECT number FROM journals",
    "SELECT number FROM contents",
    "SELECT max(number) FROM contents",
    "SELECT number FROM games",
    "SELECT max(number) FROM scores",
    "SELECT seq FROM sqlite_sequence WHERE name = 'journals'",
)
