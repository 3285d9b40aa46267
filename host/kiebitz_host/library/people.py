"""Map every spelling on a device to one person with one name.

The mapping follows from the decisions about names, in order: `join` moves all spellings of one person to another,
`rename` gives a person a name (and takes it from its previous owner), `split` makes a spelling a person of its own,
`member` gives the number and the club of a person: of all spellings of one person, the latest counts. The name of a
person is always one of their spellings, so that games played under this name belong to them.
"""

from collections.abc import Iterable
from typing import NamedTuple

from kiebitz.games import Refused
from kiebitz.games.base import check_name

from ..league.names import is_guest, stable_id
from ..outcome import Trouble
from . import decisions, league_cache
from .database import Database
from .decisions import PEOPLE, Decision, decide, decide_all
from .league_cache import NOTHING, Played


class Member(NamedTuple):
    """The facts about a member of the club."""

    number: str = ""
    club: str = ""


class Person:
    """The spellings of one person; the id for other programs is derived from the spelling `origin`."""

    def __init__(self, spelling: str):
        self.origin = self.name = spelling
        self.spellings = {spelling}

    def without(self, spelling: str) -> None:
        """Remove a spelling; replace name and origin by remaining spellings if needed."""
        self.spellings.discard(spelling)
        if self.spellings:
            if self.name not in self.spellings:
                self.name = self.origin if self.origin in self.spellings else min(self.spellings)
            if self.origin not in self.spellings:
                self.origin = self.name


def who_is_who(made: Iterable[Decision]) -> dict[str, Person]:
    """Return {spelling: person} for every spelling in these decisions, which must be in order."""
    found: dict[str, Person] = {}

    def of(spelling: str) -> Person:
        if spelling not in found:
            found[spelling] = Person(spelling)
        return found[spelling]

    def move(spelling: str, to: Person) -> None:
        of(spelling).without(spelling)
        to.spellings.add(spelling)
        found[spelling] = to

    for one in made:
        person = of(one.values["name"])
        if one.kind == "join":
            other = of(one.values["other"])
            if other is not person:
                for spelling in sorted(other.spellings):
                    move(spelling, person)
        elif one.kind == "rename":
            new = one.values["new"]
            if of(new) is not person:
                move(new, person)
            person.name = new
        elif one.kind == "split" and len(person.spellings) > 1:
            alone = one.values["name"]
            person.without(alone)
            found[alone] = Person(alone)
    return found


def settle(db: Database) -> None:
    """Update people and spellings from all decisions."""
    wanted = who_is_who(decisions.about(db, PEOPLE))
    rows = db.rows("SELECT id, spelling, person FROM spellings")
    stored = {spelling: (key, person) for key, spelling, person in rows}
    ids = dict(db.rows("SELECT uuid, id FROM people"))
    names = names_by_id(db)
    moved = []
    named = set()  # guests who have a name now, and the other way round
    for spelling, who in wanted.items():
        uuid = stable_id("player", who.origin)
        if uuid not in ids:
            ids[uuid] = _add_person(db, who.origin, who.name)
            names[ids[uuid]] = who.name
        person = ids[uuid]
        if names[person] != who.name:
            db.run("UPDATE people SET name = ? WHERE id = ?", who.name, person)
            if is_guest(who.name) != is_guest(names[person]):
                named.add(person)
            names[person] = who.name
        if spelling not in stored:
            db.run("INSERT INTO spellings (spelling, person) VALUES (?, ?)", spelling, person)
        elif stored[spelling][1] != person:
            db.run("UPDATE spellings SET person = ? WHERE id = ?", person, stored[spelling][0])
            moved.append(stored[spelling][0])
    db.run("DELETE FROM people WHERE id NOT IN (SELECT person FROM spellings)")
    for person in sorted(named):
        moved += [key for (key,) in db.rows("SELECT id FROM spellings WHERE person = ?", person)]
    league_cache.forget_spellings(db, moved)


def _add_person(db: Database, origin: str, name: str) -> int:
    sql = "INSERT INTO people (uuid, name) VALUES (?, ?) RETURNING id"
    return db.value(sql, stable_id("player", origin), name)


def spelling_ids(db: Database, spellings: Iterable[str]) -> dict[str, int]:
    """Return {spelling: its id in the database}; create a person for each new spelling."""
    wanted = list(dict.fromkeys(spellings))
    found: dict[str, int] = {}
    for start in range(0, len(wanted), 500):
        some = wanted[start : start + 500]
        places = ", ".join("?" * len(some))
        found.update(db.rows(f"SELECT spelling, id FROM spellings WHERE spelling IN ({places})", *some))
    for spelling in wanted:
        if spelling not in found:
            person = _add_person(db, spelling, spelling)
            sql = "INSERT INTO spellings (spelling, person) VALUES (?, ?) RETURNING id"
            found[spelling] = db.value(sql, spelling, person)
    return found


def add_present(db: Database, made: Iterable[Decision]) -> None:
    """Create a person for each new spelling in decisions about evenings, so that it can be joined and renamed."""
    spelling_ids(db, [name for one in made if one.kind == "present" for name in one.values["names"]])


def is_known(db: Database, word: str) -> bool:
    """Return True if anybody has this name or spelling, ignoring case."""
    return bool(_alike(db, word))


def _alike(db: Database, word: str) -> set[int]:
    sought = word.strip().casefold()
    rows = db.rows("SELECT spelling, person FROM spellings")
    return {who for spelling, who in rows if spelling.casefold() == sought}


def find(db: Database, word: str) -> int:
    """Return the id of the person with this name or spelling, ignoring case; raise Trouble unless one matches."""
    found = db.value("SELECT person FROM spellings WHERE spelling = ?", word)
    if found is not None:
        return found
    alike = _alike(db, word)
    if len(alike) == 1:
        return alike.pop()
    if alike:
        raise Trouble(f"several people match {word!r}: write the name exactly as `kiebitz players` does.")
    raise Trouble(f"there is no player {word!r}; `kiebitz players` lists everybody.")


def named(db: Database, name: str) -> int | None:
    """Return the id of the person with exactly this name, or None."""
    return db.value("SELECT id FROM people WHERE name = ?", name)


def names_by_id(db: Database) -> dict[int, str]:
    """Return {id: name} of all people."""
    return dict(db.rows("SELECT id, name FROM people"))


def spellings(db: Database) -> dict[str, int]:
    """Return {spelling: person}."""
    return dict(db.rows("SELECT spelling, person FROM spellings"))


def members(db: Database) -> dict[int, Member]:
    """Return {id: number and club} of all members."""
    made = [one.values for one in decisions.about(db, PEOPLE) if one.kind == "member"]
    whose = spellings(db) if made else {}
    found = {}
    for values in made:
        if values["name"] in whose:  # missing only if somebody has changed the tables
            found[whose[values["name"]]] = Member(values["number"], values["club"])
    return found


def add_members(db: Database, wanted: dict[str, Member]) -> None:
    """Make people members, by spelling; the facts replace those from before."""
    with db.transaction():
        decide_all(db, "member", [{"name": name, **member._asdict()} for name, member in wanted.items()])
        settle(db)


def uuids(db: Database) -> dict[str, str]:
    """Return {name: id for other programs} of all people."""
    return dict(db.rows("SELECT name, uuid FROM people"))


def name_of(db: Database, person: int) -> str:
    return db.value("SELECT name FROM people WHERE id = ?", person)


def rename(db: Database, person: int, name: str) -> str:
    """Rename a person, who also gets future games under the new name. Returns the stored name."""
    with db.transaction():
        name = check_rename(db, person, name)
        decide(db, "rename", name=name_of(db, person), new=name)
        settle(db)
    return name


def check_rename(db: Database, person: int, name: str) -> str:
    """Return the name as it would be stored; raise Trouble if the person cannot get it."""
    try:
        name = check_name(name)
    except Refused:
        raise Trouble("a name has 1 to 24 letters, the most that fit on the device.") from None
    other = db.value("SELECT person FROM spellings WHERE spelling = ? AND person != ?", name, person)
    if other is not None:
        _need_free(db, name, other)
    return name


def _need_free(db: Database, name: str, person: int) -> None:
    """Raise Trouble if the owner of a name is in any game."""
    games = db.rows(_GAMES, person)
    if not games:
        return
    where = "" if not all(deleted for _, deleted in games) else f" in deleted games ({_numbers(games)})"
    raise Trouble(
        f"there is a player {name!r} already{where}; if they are one person, use `kiebitz players join`. "
        "Nothing was changed."
    )


def only_deleted(db: Database, person: int) -> str:
    """Return the numbers of a person's games if all of them are deleted; else empty."""
    games = db.rows(_GAMES, person)
    return _numbers(games) if all(deleted for _, deleted in games) else ""


# Games that are not deleted first, and no more than fit into a sentence
_GAMES = (
    "SELECT number, deleted FROM spellings JOIN scores ON scores.spelling = spellings.id JOIN games USING (number) "
    "WHERE person = ? ORDER BY deleted, number LIMIT 20"
)


def _numbers(games: list[tuple]) -> str:
    return ", ".join(str(number) for number, _ in games)


def join(db: Database, person: int, other: int) -> None:
    """Make `other` another spelling of `person`."""
    with db.transaction():
        check_join(db, person, other)
        decide(db, "join", name=name_of(db, person), other=name_of(db, other))
        settle(db)


def check_join(db: Database, person: int, other: int) -> None:
    """Raise Trouble if two people cannot be one."""
    if person == other:
        raise Trouble("these are one person already.")
    together = db.value(_TOGETHER, person, other)
    if together:
        raise Trouble(f"both sat at the table in game {together}, so they are two people. Nothing was changed.")


_TOGETHER = (
    "SELECT max(a.number) FROM spellings s JOIN scores a ON a.spelling = s.id JOIN scores b ON b.number = a.number "
    "JOIN spellings t ON t.id = b.spelling WHERE s.person = ? AND t.person = ?"
)


def split(db: Database, spelling: str) -> None:
    """Make a spelling a person of its own again."""
    with db.transaction():
        check_split(db, spelling)
        decide(db, "split", name=spelling)
        settle(db)


def check_split(db: Database, spelling: str) -> None:
    """Raise Trouble if a spelling cannot be a person of its own."""
    person = db.value("SELECT person FROM spellings WHERE spelling = ?", spelling)
    if person is None:
        raise Trouble(f"no game was played under {spelling!r}; `kiebitz players` lists all spellings.")
    if name_of(db, person) == spelling:
        raise Trouble(f"{spelling!r} is the name of this player: split off one of the other spellings.")


def trail(db: Database, person: int) -> list[Decision]:
    """Return the decisions about a person, in order of effect, including spellings that were joined and split off."""
    own = {spelling for (spelling,) in db.rows("SELECT spelling FROM spellings WHERE person = ?", person)}
    known, found = set(own), []
    for one in decisions.about(db, PEOPLE):
        if one.kind == "member":
            continue
        names = set(one.values.values())
        if known & names:
            found.append(one)
            known = known - (names - own) if one.kind == "split" else known | names
    return found


def renames(db: Database) -> dict[str, str]:
    """Return {spelling: name} for every spelling that is not the name of its person."""
    return dict(
        db.rows(
            "SELECT spelling, name FROM spellings JOIN people ON people.id = person "
            "WHERE spelling != name ORDER BY spelling"
        )
    )


def played(
    db: Database, since: int | None = None, until: int | None = None, imported: bool = False
) -> dict[int, Played]:
    """Return {person: games played} of all people with games in a period, or at any time."""
    found: dict[int, Played] = {}
    whose = dict(db.rows("SELECT id, person FROM spellings"))
    for spelling, counts in league_cache.played(db, since, until, imported).items():
        found[whose[spelling]] = found.get(whose[spelling], NOTHING).plus(counts)
    return found


def games_of(db: Database, person: int) -> int:
    """Return how many games a person has played."""
    return played(db).get(person, NOTHING).games


def games_under(db: Database, spelling: str) -> int:
    """Return how many games were played under a spelling."""
    key = db.value("SELECT id FROM spellings WHERE spelling = ?", spelling)
    return league_cache.played(db).get(key, NOTHING).games


def names(db: Database) -> list[str]:
    """Return the names of all people with games, most recent first."""
    called = names_by_id(db)
    last = {called[person]: about.last for person, about in played(db).items()}
    return sorted(last, key=lambda name: (-last[name], name))


def listed(
    db: Database, since: int | None = None, until: int | None = None, imported: bool = False, with_members: bool = False
) -> list[dict]:
    """Return all people with games in a period, or at any time, as dicts, most recent first.

    with_members: also all members without such games, last.
    """
    spellings: dict[int, list[str]] = {}
    for person, spelling in db.rows("SELECT person, spelling FROM spellings ORDER BY spelling"):
        spellings.setdefault(person, []).append(spelling)
    called = {person: (name, uuid) for person, name, uuid in db.rows("SELECT id, name, uuid FROM people")}
    facts = members(db)
    counts = dict.fromkeys(facts, NOTHING) if with_members else {}
    found = [
        {
            "name": called[person][0],
            "id": called[person][1],
            "spellings": [spelling for spelling in spellings[person] if spelling != called[person][0]],
            "games": about.games,
            "finished": about.finished,
            "won": about.won,
            "last": about.last,
            **(member._asdict() if (member := facts.get(person)) else {}),
        }
        for person, about in {**counts, **played(db, since, until, imported)}.items()
    ]
    return sorted(found, key=lambda player: (-player["last"], player["name"]))
