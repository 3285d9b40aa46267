"""Read the results of old seasons from a CSV file: a row for each player of each game or series."""

import re
import time
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from typing import NamedTuple

from kiebitz.games import GAMES, Refused
from kiebitz.games.base import check_name
from kiebitz_languages import CODES, paths_of, sentences_in

from ..league.names import folded, joined
from ..library import imported
from ..library.database import Database
from ..library.derive import rank
from ..library.imported import PLAYERS_MAX, POINTS_MAX, SERIES_MAX, Known, Results, Seat
from ..outcome import Trouble
from .csv_table import BadRow, CsvTable, Row, has_controls, open_table, shown
from .members import COLUMNS as MEMBER_COLUMNS
from .members import checked, full_name, has_names

# In English, German, French, Italian and Dutch, as bare() returns them
COLUMNS = {
    **{key: MEMBER_COLUMNS[key] for key in ("name", "first", "last")},
    "date": "date day datum tag spieltag data giorno jour dag speeldag",
    "game": "game title spiel titel jeu titre gioco titolo spel",
    "series": "series serie round runde liste list partie manche girone giro partita ronde lijst",
    "table": "table tisch tavolo tafel",
    "points": "points point score pts punkte punktzahl ergebnis resultat result total totale totaal gesamt "
    "gesamtpunkte summe punti punteggio punten score resultaat risultato",
    "place": "place rank rang platz platzierung posto posizione plaats classement position",
    "won": "won winner win gewonnen sieg sieger gagne gagnant victoire vainqueur vinto vincitore vittoria winnaar",
}
_YES = {"1", "x", "*", "yes", "y", "true", "ja", "j", "oui", "o", "vrai", "si", "s", "vero", "wahr", "waar"}
_NO = {"", "0", "-", "no", "n", "false", "nein", "non", "faux", "falso", "falsch", "nee", "onwaar"}
DATES = ("dmy", "mdy")
_DATE_MAX = 40  # characters of a day and a time; a longer cell would take _CLOCK its square in steps
_ANY_OTHER = GAMES[-1]  # keeps the titles that no other game has
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_DOTS = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})")
_SLASHES = re.compile(r"(\d{1,2})([/-])(\d{1,2})\2(\d{4})")
_SHORT = re.compile(r"\d{1,2}([./-])\s?\d{1,2}\1\s?\d{2}")
_CLOCK = re.compile(r"(.*?)[ T,]+(\d{1,2}):(\d{2})(?::\d{2})?")
_POINTS = re.compile(r"[+-]?\d+")
_WHOLE = re.compile(r"([+-]?\d+)[.,]0{1,2}")  # 12,00
_BROKEN = re.compile(r"[+-]?\d+[.,]\d+")
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:[ '\u00a0\u202f\u2019]\d{3})+")  # 1 234 or 1'234


class Found(NamedTuple):
    """The results of a file."""

    table: CsvTable
    new: list[Results]
    same: int
    deleted: list[int]  # numbers of those known that are deleted
    bad: list[BadRow]  # in the order of the lines
    left_out: int  # games with a bad row


class _Line(NamedTuple):
    line: int
    name: str
    points: int
    place: int | None
    won: bool


class _Group:
    """The rows of one game; `key` are the cells that say which game it is."""

    def __init__(self, line: int, cells: dict[str, str]) -> None:
        self.first = line
        self.cells = cells
        self.rows: list[_Line] = []
        self.is_bad = False


def read_results(db: Database, name: str, game: str | None, low: bool, dates: str | None) -> Found:
    """Return the results in a file; raise Trouble if it is not a table of results.

    game: the game of all rows; low: the fewest points win; dates: one of DATES, how 01/02/2026 is read.
    """
    whole = _kind_and_title(game) if game is not None else None
    table = open_table(name, COLUMNS, ("date", "points") if whole else ("date", "game", "points"))
    if not has_names(table):
        open_table(name, COLUMNS, ("name",))  # raises Trouble
    groups, bad = _grouped(table)
    several: list[tuple[_Group, Results]] = []
    for group in groups:
        try:
            several.append((group, _results(group, whole, low, dates, table)))
        except _BadRows as wrong:
            bad += wrong.rows
            group.is_bad = True
    bad += _written_twice(several)
    several = [(group, results) for group, results in several if not group.is_bad]
    new, same, deleted = [], 0, []
    for (group, results), there in zip(several, imported.known(db, [one for _, one in several]), strict=True):
        if there is None:
            new.append(results)
        elif there.same:
            same += 1
            deleted += [there.number] if there.deleted else []
        else:
            bad.append(BadRow(group.first, _other_results(results, there)))
            group.is_bad = True
    return Found(table, new, same, deleted, sorted(bad), sum(group.is_bad for group in groups))


def _written_twice(several: list[tuple[_Group, Results]]) -> Iterator[BadRow]:
    """Yield the games whose rows say the same in different ways, such as one day in two forms."""
    first: dict[str, _Group] = {}
    for group, results in several:
        other = first.setdefault(results.setup(), group)
        if other is not group:
            other.is_bad = group.is_bad = True
            yield BadRow(group.first, f"this is the game of line {other.first}, written differently; write both alike")


def _other_results(results: Results, there: Known) -> str:
    return (
        f"game {there.number} is the same one of {results.day} with other results; if these are right, "
        f"`kiebitz delete {there.number}` first"
    )


class _BadRows(Exception):
    def __init__(self, rows: list[BadRow]) -> None:
        super().__init__(rows)
        self.rows = rows


def _grouped(table: CsvTable) -> tuple[list[_Group], list[BadRow]]:
    """Return the rows by game, and the bad ones; a game with a bad row is bad as a whole.

    Games are told apart by their cells as they are written, so that all rows with the same wrong date are one game. A
    line that is not a row may belong to the game before it or to the one after it.
    """
    groups: dict[tuple[str, ...], _Group] = {}
    bad: list[BadRow] = []
    last: _Group | None = None
    is_torn = False
    for row in table.rows():
        if isinstance(row, BadRow):
            bad.append(row)
            is_torn = True
            if last:
                last.is_bad = True
            continue
        key = tuple(row.cells.get(part, "").casefold() for part in ("date", "game", "series", "table"))
        group = groups.get(key)
        if group is None:
            group = groups[key] = _Group(row.line, row.cells)
        group.is_bad |= is_torn
        is_torn, last = False, group
        try:
            group.rows.append(_line(row))
        except ValueError as wrong:
            bad.append(BadRow(row.line, str(wrong)))
            group.is_bad = True
    return list(groups.values()), bad


def _line(row: Row) -> _Line:
    """Return the result in a row; raise ValueError with a reason for a person."""
    cells = row.cells
    place = cells.get("place", "").rstrip(".")
    if place and not (place.isascii() and place.isdigit() and 1 <= int(place[:9]) <= PLAYERS_MAX):
        raise ValueError(f"{shown(place)} is not a place: write it like 1")
    won = cells.get("won", "").casefold().replace("ì", "i").replace("í", "i")
    if won not in _YES | _NO:
        raise ValueError(f"{shown(won)} does not say who has won: write 1 or 0")
    name = checked(full_name(cells))
    return _Line(row.line, name, points_of(cells["points"]), int(place) if place else None, won in _YES)


def points_of(cell: str) -> int:
    """Return the points in a cell; raise ValueError with a reason for a person."""
    word = cell.replace("\u2212", "-").strip()
    if _GROUPED.fullmatch(word):
        word = re.sub(r"[^\d+-]", "", word)
    if whole := _WHOLE.fullmatch(word):
        word = whole[1]
    if not word.isascii() or not _POINTS.fullmatch(word):
        if not word:
            raise ValueError("there are no points")
        if re.fullmatch(r"[+-]?\d{1,3}[.,]\d{3}", word) and word.isascii():
            raise ValueError(f"{shown(cell)} may be a fraction or thousands: write whole points without a sign between")
        if _BROKEN.fullmatch(word):
            raise ValueError(f"{shown(cell)} is a fraction, and points are whole numbers")
        raise ValueError(f"{shown(cell)} is not a number of points")
    if len(word) > 9 or abs(int(word)) > POINTS_MAX:
        raise ValueError(f"{shown(cell)} are more than {POINTS_MAX:,} points")
    return int(word)


def day_of(cell: str, dates: str | None) -> tuple[str, int]:
    """Return (day as in 2026-01-31 or 2026-01-31 20:15, its time in seconds); raise ValueError with a reason."""
    if not cell:
        raise ValueError("there is no date")
    word, clock = cell, None
    if len(cell) <= _DATE_MAX and (found := _CLOCK.fullmatch(cell)):
        word, clock = found[1], (int(found[2]), int(found[3]))
    if not word.isascii():
        raise ValueError(f"{shown(cell)} is not a date: write it like 2026-01-31 or 31.01.2026")
    if found := _ISO.fullmatch(word):
        year, month, day = [int(part) for part in found.groups()]
    elif found := _DOTS.fullmatch(word):
        day, month, year = [int(part) for part in found.groups()]
    elif found := _SLASHES.fullmatch(word):
        first, second, year = int(found[1]), int(found[3]), int(found[4])
        if dates is None and first <= 12 and second <= 12 and first != second:
            raise ValueError(f"{shown(cell)} may be two days: add --dates dmy (day first) or --dates mdy (month first)")
        is_month_first = dates == "mdy" if dates else second > 12
        month, day = (first, second) if is_month_first else (second, first)
    elif _SHORT.fullmatch(word):
        raise ValueError(f"{shown(cell)}: write the year with four digits")
    else:
        raise ValueError(f"{shown(cell)} is not a date: write it like 2026-01-31 or 31.01.2026")
    try:
        moment = datetime(year, month, day, *(clock or (12, 0)))
        at = int(time.mktime((*moment.timetuple()[:6], 0, 0, -1)))
    except (ValueError, OverflowError):
        raise ValueError(f"{shown(cell)} is a day that does not exist") from None
    if not 1970 < year < 2100:
        raise ValueError(f"{shown(cell)}: nothing was played in the year {year}")
    return moment.strftime("%Y-%m-%d %H:%M" if clock else "%Y-%m-%d"), at


def _results(group: _Group, whole: tuple[str, str] | None, low: bool, dates: str | None, table: CsvTable) -> Results:
    """Return the results of one game; raise _BadRows."""
    wrong: list[BadRow] = []
    day, at, kind, title = "", 0, "", ""
    try:
        day, at = day_of(group.cells["date"], dates)
    except ValueError as bad:
        wrong.append(BadRow(group.first, str(bad)))
    try:
        kind, title = whole or _kind_and_title(group.cells["game"])
    except Trouble as bad:
        wrong.append(BadRow(group.first, str(bad).rstrip(".")))
    series = " · ".join(filter(None, [group.cells.get("series", ""), group.cells.get("table", "")]))
    if len(series) > SERIES_MAX or has_controls(series):
        sentence = f"{shown(series)} is not the name of a series: write at most {SERIES_MAX} letters"
        wrong.append(BadRow(group.first, sentence))
    wrong += _wrong_rows(group, table)
    if wrong or group.is_bad:
        raise _BadRows(wrong)
    return Results(kind, title, day, series, low, tuple(_seats(group.rows, low)), at)


def _wrong_rows(group: _Group, table: CsvTable) -> Iterator[BadRow]:
    """Yield the rows of a game that do not go together."""
    lines: dict[str, int] = {}
    for row in group.rows:
        if row.name in lines:
            more = "" if "series" in table.columns else "; add a column Series if these are several games"
            yield BadRow(row.line, f"{shown(row.name)} is in this game twice, first in line {lines[row.name]}{more}")
        lines.setdefault(row.name, row.line)
    if group.is_bad:
        return  # some of its rows are missing
    placed = [row for row in group.rows if row.place is not None]
    if placed and len(placed) < len(group.rows):
        row = next(row for row in group.rows if row.place is None)
        yield BadRow(row.line, "there is no place, but others of this game have one")
    if len(group.rows) < 2:
        yield BadRow(group.first, "this game has only one player: rows of one game have the same date, game and series")
    if len(group.rows) > PLAYERS_MAX:
        yield BadRow(group.first, f"this game has more than {PLAYERS_MAX} players")


def _seats(rows: list[_Line], low: bool) -> Iterator[Seat]:
    """Yield the results; without places the points decide, without winners those in the first place have won."""
    points = [row.points for row in rows]
    winners = [k for k, row in enumerate(rows) if row.won]
    if not winners:
        if rows[0].place is not None:
            winners = [k for k, row in enumerate(rows) if row.place == 1]
        else:
            best = min(points) if low else max(points)
            winners = [k for k, score in enumerate(points) if score == best]
    ranks = rank(points, winners, low)
    for k, row in enumerate(rows):
        yield Seat(row.name, row.points, ranks[k] if row.place is None else row.place, k in winners)


@cache
def _kinds() -> dict[str, str]:
    """Return {name of a game in any language, folded: its kind}."""
    found = {}
    for lang in CODES:
        sentences = sentences_in(paths_of(lang))
        found.update({folded(sentences[f"game.{kind}"]): kind for kind in GAMES if f"game.{kind}" in sentences})
    return found


@cache
def _kind_and_title(word: str) -> tuple[str, str]:
    """Return (kind, title) of a game: one with its own rules in any language, else a title of Any game."""
    kind = joined(word) if joined(word) in GAMES else _kinds().get(folded(word), "")
    if kind and kind != _ANY_OTHER:
        return kind, ""
    try:
        return _ANY_OTHER, check_name(word, "title")
    except Refused:
        raise Trouble(f"{shown(word)} is not the title of a game: it has 1 to 24 letters.") from None
