"""Read the members of a club from a CSV file, and compare them with the people of a store."""

import re
from typing import NamedTuple

from kiebitz.games import Refused
from kiebitz.games.base import NAME_MAX, check_name

from ..league.names import is_guest
from ..library import people
from ..library.database import Database
from ..library.decisions import CLUB_MAX, NUMBER_MAX
from ..library.people import Member
from .csv_table import BadRow, CsvTable, Row, has_controls, is_formula, open_table, shown

# In English, German, French, Italian and Dutch, as bare() returns them
NAMES = (
    "name names member player fullname mitglied mitglieder spieler spielerin teilnehmer teilnehmerin nom joueur "
    "joueuse membre nomcomplet nome giocatore giocatrice socio membro naam lid speler deelnemer"
)
COLUMNS = {
    "name": NAMES,
    "first": "firstname givenname vorname rufname prenom voornaam",
    "last": "lastname surname familyname nachname familienname zuname nomdefamille cognome achternaam",
    "number": "number no nr memberno membernumber memberid nummer mitgliedsnummer mitgliedsnr mitgliednr passnr "
    "mitgliednummer passnummer spielernummer numero num n numerodemembre licence numerotessera tessera lidnummer lidnr",
    "club": "club clubname verein vereinsname association societe circolo societa vereniging",
}
_SPACES = re.compile(r"\s+")


class Found(NamedTuple):
    """The members of a file."""

    table: CsvTable
    wanted: dict[str, Member]  # by spelling, in the order of the file
    new: list[str]
    changed: list[str]
    same: int
    notes: list[str]  # sentences about what is taken differently from how it is written
    bad: list[BadRow]


def full_name(cells: dict[str, str]) -> str:
    """Return the name in a row, which may be in two columns: first name, then surname."""
    parts = [cells.get(key, "") for key in ("first", "name", "last")]
    return _SPACES.sub(" ", " ".join(filter(None, parts)))


def checked(name: str) -> str:
    """Return a name as a device stores it; raise ValueError with a reason for a person."""
    try:
        return check_name(name)
    except Refused:
        if not name:
            raise ValueError("there is no name") from None
        if len(name) > NAME_MAX:
            raise ValueError(
                f"{shown(name)} has {len(name)} letters, and a name has at most {NAME_MAX} to fit on the device"
            ) from None
        raise ValueError(f"{shown(name)} has characters that cannot be shown") from None


def has_names(table: CsvTable) -> bool:
    """Return True if any column has names."""
    return bool(table.columns.keys() & {"first", "name", "last"})


def read_members(db: Database, name: str) -> Found:
    """Return the members in a file; raise Trouble if it is not a table with names."""
    table = open_table(name, COLUMNS, ())
    if not has_names(table):
        table = open_table(name, COLUMNS, ("name",))  # raises Trouble
    stored = people.members(db)
    whose = people.spellings(db)
    alike: dict[str, set[str]] = {}
    for spelling in whose:
        alike.setdefault(spelling.casefold(), set()).add(spelling)
    called = people.names_by_id(db)
    numbers = {(facts.club, facts.number): person for person, facts in stored.items() if facts and facts.number}
    found = Found(table, {}, [], [], 0, [], [])
    lines: dict[int | str, int] = {}  # person, or name of a new one -> line
    taken: dict[tuple[str, str], int] = {}
    same = 0
    for row in table.rows():
        if isinstance(row, BadRow):
            found.bad.append(row)
            continue
        try:
            spelling, member = _member(row)
            known = spelling if spelling in whose else _only(alike.get(spelling.casefold(), set()), whose, spelling)
            person: int | str = whose[known] if known else spelling.casefold()
            if person in lines:
                raise ValueError(f"{shown(spelling)} is here twice, first in line {lines[person]}")
            place = (member.club, member.number)
            if member.number and place in taken:
                raise ValueError(f"number {shown(member.number)} is here twice, first in line {taken[place]}")
            if member.number and numbers.get(place, person) != person:
                other = called[numbers[place]]
                raise ValueError(
                    f"number {shown(member.number)} is that of {shown(other)}; one person? kiebitz players join or "
                    "rename"
                )
        except ValueError as bad:
            found.bad.append(BadRow(row.line, str(bad)))
            continue
        lines[person] = row.line
        taken[place] = row.line
        if known and known != spelling:
            found.notes.append(f"line {row.line}: {shown(spelling)} is taken for {shown(known)}.")
        if is_formula(spelling):
            found.notes.append(f"line {row.line}: {shown(spelling)} looks like a formula; it is taken as text.")
        before = stored.get(person) if isinstance(person, int) else None
        if before is not None:  # a column that is missing says nothing
            member = Member(
                member.number if "number" in table.columns else before.number,
                member.club if "club" in table.columns else before.club,
            )
        if before == member:
            same += 1
            continue
        found.wanted[known or spelling] = member
        (found.new if before is None else found.changed).append(known or spelling)
    return found._replace(same=same)


def _only(spellings: set[str], whose: dict[str, int], written: str) -> str | None:
    """Return a spelling of the only person who is written like this in another case; None if there is nobody."""
    if len({whose[spelling] for spelling in spellings}) > 1:
        both = " and ".join(shown(spelling) for spelling in sorted(spellings)[:2])
        raise ValueError(f"{shown(written)} may be {both}: write the name exactly")
    return min(spellings, default=None)


def _member(row: Row) -> tuple[str, Member]:
    """Return the name and the facts in a row; raise ValueError with a reason for a person."""
    name = checked(full_name(row.cells))
    if is_guest(name):
        raise ValueError(f"{shown(name)} is what a device calls a guest, not a member")
    number, club = row.cells.get("number", ""), row.cells.get("club", "")
    for what, cell, most in (("number", number, NUMBER_MAX), ("club", club, CLUB_MAX)):
        if len(cell) > most:
            raise ValueError(f"the {what} {shown(cell)} has more than {most} characters")
        if has_controls(cell):
            raise ValueError(f"the {what} {shown(cell)} has characters that cannot be shown")
    return name, Member(number, club)
