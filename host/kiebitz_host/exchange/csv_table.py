"""Read a CSV file as people's programs write it: any usual encoding, separator, line end and name of a column.

A name, a number or a date never has a line break, so that every line is a row, and a wrong line is the only one lost.
"""

import csv
import re
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import nullcontext
from typing import NamedTuple

from ..outcome import Trouble
from ..printable import CONTROLS, printable

STDIN = "-"
SIZE_MAX = 32_000_000  # bytes
ROWS_MAX = 200_000
LINE_MAX = 4000  # characters
_SHOWN_MAX = 40  # characters of a cell in a sentence
_SEPARATORS = ";,\t|"
_SEP = re.compile(r'"?sep=([;,|\t])"?', re.IGNORECASE)  # the first line of some files of Excel
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
# Kiebitz and spreadsheets put an apostrophe before text that would be a formula
_FORMULA = "=+-@\t\r\uff1d\uff0b\uff0d\uff20"
_APOSTROPHE = re.compile(rf"((?:^|;)\s*)'(?=[{re.escape(_FORMULA)}])")


class BadRow(NamedTuple):
    """A line that cannot be used, and why, as the rest of a sentence."""

    line: int
    why: str

    def sentence(self) -> str:
        """Return the sentence for a person."""
        return printable(f"line {self.line}: {self.why}.")


class Row(NamedTuple):
    """The cells of a line by column, without spaces around; a missing column is an empty cell."""

    line: int
    cells: dict[str, str]


class CsvTable(NamedTuple):
    """An opened file: the columns found, the columns left out, and the lines."""

    columns: dict[str, str]  # key -> head in the file
    ignored: list[str]  # heads
    encoding: str
    places: dict[str, int]
    width: int
    separator: str
    lines: list[str]
    first: int

    def rows(self) -> Iterator[Row | BadRow]:
        """Yield every line that is not empty, or why it is not a row."""
        for number, line in enumerate(self.lines[self.first :], self.first + 1):
            if not line.strip(" \t" + self.separator):
                continue
            try:
                cells = _cells(line, self.separator)
            except ValueError as bad:
                yield BadRow(number, str(bad))
                continue
            while len(cells) > self.width and not cells[-1]:
                cells.pop()
            if len(cells) != self.width:
                count = "1 column" if len(cells) == 1 else f"{len(cells)} columns"
                yield BadRow(number, f"it has {count} instead of {self.width}")
            else:
                yield Row(number, {key: cells[place] for key, place in self.places.items()})


def _cells(line: str, separator: str) -> list[str]:
    """Split a line into cells; raise ValueError with a reason for a person."""
    if len(line) > LINE_MAX:
        raise ValueError(f"it has more than {LINE_MAX} characters")
    try:
        (cells,) = csv.reader([line], delimiter=separator, strict=True)
    except (csv.Error, ValueError):
        raise ValueError("a quotation mark is not closed, or stands within a cell") from None
    return [_APOSTROPHE.sub(r"\1", cell.strip()) for cell in cells]


def is_formula(cell: str) -> bool:
    """Return True if a spreadsheet would take a text for a formula."""
    return cell[:1] in tuple(_FORMULA)


def shown(cell: str) -> str:
    """Return a cell in quotation marks for a sentence."""
    return repr(printable(cell if len(cell) <= _SHOWN_MAX else cell[: _SHOWN_MAX - 3] + "..."))


def bare(word: str) -> str:
    """Return a word without case, accents, spaces and signs, for comparison."""
    letters = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in letters if letter.isalnum())


def open_table(name: str, known: dict[str, str], needed: tuple[str, ...]) -> CsvTable:
    """Return the table of a file, or of standard input for "-"; raise Trouble if it is none.

    known: {key of a column: its names, separated by spaces, as bare() returns them}; needed: keys without which the
    file is of no use.
    """
    text, encoding = _decoded(name, _content(name))
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(lines) > ROWS_MAX:
        raise Trouble(f"{name} has more than {ROWS_MAX:,} lines: import it in parts. Nothing was imported.")
    full = [k for k, line in enumerate(lines) if line.strip()]
    separators = _SEPARATORS
    if full and (sep := _SEP.fullmatch(lines[full[0]].strip(" "))):
        separators = sep[1]
        del full[0]
    if not full:
        raise Trouble(f"{name} is empty. Nothing was imported.")
    first = full[0]
    by_name = {name: key for key, names in known.items() for name in names.split()}
    heads: list[str] = []
    for separator in separators:
        try:
            cells = _cells(lines[first], separator)
        except ValueError:
            continue
        if not heads or _count(cells, by_name) > _count(heads, by_name):
            heads, best = cells, separator
    if not heads:
        raise Trouble(f"{name}, line {first + 1}: the names of the columns cannot be read. Nothing was imported.")
    while len(heads) > 1 and not heads[-1]:
        heads.pop()
    places: dict[str, int] = {}
    for place, head in enumerate(heads):
        key = by_name.get(bare(head))
        if key in places:
            both = f"{shown(heads[places[key]])} and {shown(head)}"
            raise Trouble(f"{name}, line {first + 1}: {both} mean the same: rename one. Nothing was imported.")
        if key:
            places[key] = place
    missing = [key for key in needed if key not in places]
    if missing:
        there = ", ".join(shown(head) for head in heads[:20])
        raise Trouble(
            f"{name}, line {first + 1}: no column {' and no column '.join(missing)}; there are {there}. --help shows "
            "an example. Nothing was imported."
        )
    found = {key: heads[place] for key, place in places.items()}
    ignored = [head for place, head in enumerate(heads) if place not in places.values() and head]
    return CsvTable(found, ignored, encoding, places, len(heads), best, lines, first + 1)


def _count(heads: list[str], by_name: dict[str, str]) -> tuple[int, int]:
    return sum(bare(head) in by_name for head in heads), len(heads)


def _content(name: str) -> bytes:
    try:
        with open(name, "rb") if name != STDIN else nullcontext(_stdin()) as file:
            content = file.read(SIZE_MAX + 1)
    except OSError as trouble:
        raise Trouble(f"cannot read {name}: {trouble.strerror}.") from None
    if len(content) > SIZE_MAX:
        raise Trouble(f"{name} has more than {SIZE_MAX // 1_000_000} MB: import it in parts. Nothing was imported.")
    return content


def _stdin():
    if sys.stdin is None:
        raise Trouble("there is no standard input to read.")
    return sys.stdin.buffer


def _decoded(name: str, content: bytes) -> tuple[str, str]:
    """Return the text of a file, and its encoding."""
    if content.startswith(_WORKBOOKS):
        raise Trouble(f"{name} is a workbook, not CSV: save it as CSV in the spreadsheet first. Nothing was imported.")
    for bom, encoding in _BOMS:
        if content.startswith(bom):
            tried = [encoding]
            content = content[len(bom) :]
            break
    else:
        tried = ["utf-8", "cp1252"]
    for encoding in tried:
        try:
            return content.decode(encoding), {"cp1252": "Windows-1252"}.get(encoding, encoding.upper())
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
    encodings = " or ".join(tried).replace("cp1252", "Windows-1252").replace("utf", "UTF")
    raise Trouble(f"{name}, line {line}: this is not text in {encodings}. Nothing was imported.")


def has_controls(cell: str) -> bool:
    """Return True if a cell has characters that cannot be printed."""
    return CONTROLS.search(cell) is not None
