"""Maps every spelling on a device to one person, who has one name here.

The name of a person is always one of the person's spellings, so that games played under this name belong to them.
"""

from ..outcome import Trouble
from .database import Database
from .ids import stable_id


def person_of(db: Database, spelling: str) -> int:
    """Return the id of the person with this spelling; adds a new person if there is none."""
    found = db.value("SELECT person FROM spellings WHERE spelling = ?", spelling)
    if found is not None:
        return found
    person = db.run("INSERT INTO people (uuid, name) VALUES (?, ?)", stable_id("player", spelling), spelling)
    db.run("INSERT INTO spellings VALUES (?, ?)", spelling, person)
    assert person is not None
    return person


def find(db: Database, word: str) -> int:
    """Return the id of the person with this name or spelling, in any case of letters; raises Trouble if not one."""
    found = db.value("SELECT person FROM spellings WHERE spelling = ?", word)
    if found is not None:
        return found
    sought = word.strip().casefold()
    alike = {who for spelling, who in db.rows("SELECT * FROM spellings") if spelling.casefold() == sought}
    if len(alike) == 1:
        return alike.pop()
    if alike:
        raise Trouble(f"several people are called like {word!r}: write the name exactly as `kiebitz players` does.")
    raise Trouble(f"there is no player {word!r}; `kiebitz players` lists everybody.")


def name_of(db: Database, person: int) -> str:
    return db.value("SELECT name FROM people WHERE id = ?", person)


def rename(db: Database, person: int, name: str) -> str:
    """Rename a person; games that arrive under the new name belong to the person, too. Returns the stored name."""
    from kiebitz.games import Refused
    from kiebitz.games.base import check_name

    try:
        name = check_name(name)
    except Refused:
        raise Trouble("a name has 1 to 24 letters, the most that fit on the device.") from None
    with db.transaction():
        other = db.value("SELECT person FROM spellings WHERE spelling = ? AND person != ?", name, person)
        if other is not None:
            _make_way(db, name, other)
        db.run("UPDATE people SET name = ? WHERE id = ?", name, person)
        db.run("INSERT OR IGNORE INTO spellings VALUES (?, ?)", name, person)
    return name


def _make_way(db: Database, name: str, person: int) -> None:
    """Forget a person who is in no game at all, so that the name is free; raises Trouble if there are games."""
    games = db.rows(_GAMES, person)
    if not games:
        db.run("DELETE FROM spellings WHERE person = ?", person)
        db.run("DELETE FROM people WHERE id = ?", person)
        return
    where = "" if not all(deleted for _, deleted in games) else f" in deleted games ({_numbers(games)})"
    raise Trouble(
        f"there is a player {name!r} already{where}; if they are one person, use `kiebitz players join`. "
        "Nothing was changed."
    )


def only_deleted(db: Database, person: int) -> str:
    """Return the numbers of the games of a person who is in deleted games only; else empty."""
    games = db.rows(_GAMES, person)
    return _numbers(games) if all(deleted for _, deleted in games) else ""


_GAMES = "SELECT number, deleted FROM scores JOIN games USING (number) WHERE person = ? ORDER BY number"


def _numbers(games: list[tuple]) -> str:
    return ", ".join(str(number) for number, _ in games)


def join(db: Database, person: int, other: int) -> None:
    """Make `other` another spelling of `person`."""
    if person == other:
        raise Trouble("these are one person already.")
    with db.transaction():
        together = db.value(
            "SELECT max(a.number) FROM scores a JOIN scores b ON a.number = b.number "
            "WHERE a.person = ? AND b.person = ?",
            person,
            other,
        )
        if together:
            raise Trouble(f"both sat at the table in game {together}, so they are two people. Nothing was changed.")
        db.run("UPDATE spellings SET person = ? WHERE person = ?", person, other)
        db.run("UPDATE scores SET person = ? WHERE person = ?", person, other)
        db.run("DELETE FROM people WHERE id = ?", other)


def split(db: Database, spelling: str) -> list[int]:
    """Make a spelling a person of its own again. Returns the numbers of the games that must be derived anew."""
    with db.transaction():
        person = db.value("SELECT person FROM spellings WHERE spelling = ?", spelling)
        if person is None:
            raise Trouble(f"no game was played under {spelling!r}; `kiebitz players` lists all spellings.")
        if name_of(db, person) == spelling:
            raise Trouble(f"{spelling!r} is the name of this player: split off one of the other spellings.")
        db.run("DELETE FROM spellings WHERE spelling = ?", spelling)
        # The remaining person keeps the id known to other programs, unless the id was made from this spelling
        if db.value("SELECT uuid FROM people WHERE id = ?", person) == stable_id("player", spelling):
            name = name_of(db, person)
            db.run("UPDATE people SET uuid = ? WHERE id = ?", stable_id("player", name), person)
        person_of(db, spelling)
        return [number for (number,) in db.rows("SELECT number FROM scores WHERE person = ?", person)]


def renames(db: Database) -> dict[str, str]:
    """Return {spelling: name} for every spelling that is not the name of its person."""
    return dict(
        db.rows(
            "SELECT spelling, name FROM spellings JOIN people ON people.id = person "
            "WHERE spelling != name ORDER BY spelling"
        )
    )


def names(db: Database) -> list[str]:
    """Return the names of all who have played, those who played last first."""
    return [
        name
        for (name,) in db.rows(
            "SELECT name FROM people JOIN scores ON scores.person = people.id JOIN games USING (number) "
            "WHERE NOT deleted GROUP BY people.id ORDER BY max(games.at) DESC, name"
        )
    ]
