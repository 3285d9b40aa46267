"""Updates a database of an earlier version step by step, and makes a copy of the file before each step."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from ..outcome import Trouble
from . import journals, schema
from .damage import check_everything, check_tables
from .database import APPLICATION_ID, Damaged, Database, connect, damaged
from .decisions import add, is_known_text, people_taken_over, taken_over
from .ids import stable_id
from .journal_record import TIME_MAX, History, Record, united

_VERSION_MAX = 1000  # a higher version comes from damage


def prepare(db: Database, rebuild: Callable[[], object], say: Callable[[str], None], create: bool) -> None:
    """Create the tables of a new database if `create` allows it, or update those of an old one.

    Raises Trouble for a damaged file, or one of another program or a newer Kiebitz.
    """
    version = version_of(db)
    if version == schema.VERSION:
        return
    if version == 0:
        if not create:
            raise damaged(str(db.path), "it has no tables")
        _create(db)
        return
    check_everything(db, version)  # before a copy is made of it
    say(f"Bringing {db.path} from version {version} to {schema.VERSION} ...")
    while version_of(db) < schema.VERSION:
        _step(db, rebuild, say)


def version_of(db: Database) -> int:
    """Return the version of the tables, 0 for a file without any.

    Raises Trouble if they are not what this version has, or are those of another program or a newer Kiebitz.
    """
    tables = {name for (name,) in db.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
    ours = db.value("PRAGMA application_id") == APPLICATION_ID
    version = db.value("PRAGMA user_version")
    if not ours and not tables:
        return 0
    if not ours and not any(map(tables.issuperset, (schema.EARLIER[1], schema.table_names(schema.KEPT)))):
        raise Trouble(f"{db.path} belongs to another program; name another file with --db. Nothing was changed.")
    if not ours or not 0 < version < _VERSION_MAX:
        raise damaged(str(db.path), "its header is not that of its tables")
    if version > schema.VERSION:
        raise Trouble(
            f"{db.path} was written by a newer Kiebitz (version {version}, this one knows {schema.VERSION}): "
            "update Kiebitz. Nothing was changed."
        )
    check_tables(db, version)
    return version


def _create(db: Database) -> None:
    with db.transaction():
        if version_of(db) == 0:  # still: another process may have been quicker
            db.create(schema.KEPT)
            db.create(schema.DERIVED)
            _sign(db, schema.VERSION)


def _sign(db: Database, version: int) -> None:
    db.run(f"PRAGMA application_id = {APPLICATION_ID}")
    db.run(f"PRAGMA user_version = {version}")


def _step(db: Database, rebuild: Callable[[], object], say: Callable[[str], None]) -> None:
    """Update by one version: copy the file, change the tables, and after the last step derive everything anew."""
    db.run("PRAGMA foreign_keys = OFF")  # a referenced table is replaced; this works only outside a transaction
    try:
        with db.transaction():
            version = version_of(db)
            if version == schema.VERSION:
                return
            say(f"Version {version} is kept as {back_up(db.path, version)}")
            STEPS[version](db)
            if db.rows("PRAGMA foreign_key_check"):
                raise Damaged(f"{db.path} holds entries that belong to no game. Nothing was changed.")
            if version + 1 == schema.VERSION:
                db.script(schema.DROP_DERIVED)
                db.create(schema.DERIVED)
                rebuild()
            _sign(db, version + 1)
    finally:
        db.run("PRAGMA foreign_keys = ON")


def back_up(path: Path, version: int) -> Path:
    """Copy a database that nobody is writing to.

    Returns the copy's path; the copy is created completely or not at all.
    """
    target, k = path.with_name(f"{path.name}.v{version}.bak"), 1
    while target.exists():
        k += 1
        target = path.with_name(f"{path.name}.v{version}.bak{k}")
    beside = target.with_name(target.name + ".tmp")
    try:
        with closing(connect(path, "ro")) as source, closing(sqlite3.connect(beside)) as copy:
            source.backup(copy)
            if copy.execute("PRAGMA quick_check").fetchall() != [("ok",)]:
                raise sqlite3.DatabaseError("the copy is not whole")
        os.replace(beside, target)
    except (sqlite3.Error, OSError) as error:
        if beside.is_file():
            beside.unlink()
        raise Trouble(f"no backup of {path} could be made ({error}), so it stays as it is.") from None
    return target


def _fix_and_delete(db: Database) -> None:
    """Migrate 1 -> 2: add corrections and deletions made on the laptop, with their times."""
    db.script(
        """
        CREATE TABLE corrections (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            number INTEGER NOT NULL REFERENCES journals,
            made INTEGER NOT NULL,
            entry INTEGER,
            old TEXT,
            new TEXT,
            undoes INTEGER REFERENCES corrections
        );
        CREATE TABLE removals (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            number INTEGER NOT NULL REFERENCES journals,
            made INTEGER NOT NULL,
            removed INTEGER NOT NULL
        );
        CREATE INDEX corrections_of_game ON corrections (number);
        CREATE INDEX removals_of_game ON removals (number);
        """
    )


def _histories(db: Database) -> None:
    """Migrate 2 -> 3: add several histories of a game, estimated times, and the devices."""
    db.script(
        """
        CREATE TABLE devices (
            id TEXT PRIMARY KEY,
            product TEXT,
            version TEXT,
            name TEXT,
            seen INTEGER NOT NULL
        ) WITHOUT ROWID;
        INSERT INTO devices (id, seen) SELECT device, max(received) FROM journals WHERE device IS NOT NULL GROUP BY 1;

        CREATE TABLE journals_3 (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            game TEXT NOT NULL UNIQUE,
            device TEXT,
            received INTEGER NOT NULL,
            at INTEGER NOT NULL,
            approximate INTEGER NOT NULL,
            damaged INTEGER NOT NULL
        );
        INSERT INTO journals_3 SELECT number, game, device, received,
            CASE WHEN at > 0 THEN at ELSE received END, at <= 0, 0 FROM journals;
        DROP TABLE journals;
        ALTER TABLE journals_3 RENAME TO journals;

        CREATE TABLE lines_3 (
            number INTEGER NOT NULL REFERENCES journals,
            variant INTEGER NOT NULL,
            n INTEGER NOT NULL,
            text TEXT NOT NULL,
            PRIMARY KEY (number, variant, n)
        ) WITHOUT ROWID;
        INSERT INTO lines_3 SELECT number, 0, n, text FROM lines;
        DROP TABLE lines;
        ALTER TABLE lines_3 RENAME TO lines;
        """
    )


def _entries_in_and_out(db: Database) -> None:
    """Migrate 3 -> 4: change no table that is kept. An older program cannot read the corrections without old or new."""


def _titles(db: Database) -> None:
    """Migrate 4 -> 5: change no table that is kept. Games have a title, a league and the direction of their points."""


def _decisions(db: Database) -> None:
    """Migrate 5 -> 6: corrections, deletions and joined names become decisions, and a journal is one text."""
    told = db.rows("SELECT person, spelling FROM spellings ORDER BY spelling")
    people = db.rows("SELECT id, uuid, name FROM people ORDER BY id")
    db.script(schema.DROP_DERIVED)
    db.script("ALTER TABLE journals RENAME TO journals_5")
    for statement in schema.KEPT.split(";"):
        if "CREATE TABLE devices" not in statement:
            db.script(statement)
    contents = people_taken_over(_groups(people, told))
    for number in [number for (number,) in db.rows("SELECT number FROM journals_5 ORDER BY number")]:
        contents += _take_journal(db, number)
    journals.name_namesakes(db)
    add(db, [content for content in contents if is_known_text(content)])
    for table in ("journals_5", "lines", "corrections", "removals"):
        db.run(f"DROP TABLE {table}")


def _groups(people: list[tuple], told: list[tuple]) -> Iterator[tuple[str, str, list[str]]]:
    """Yield (the spelling that the id was made from, name, spellings) of those with several spellings."""
    for person, uuid, name in people:
        spellings = [spelling for who, spelling in told if who == person]
        if set(spellings) - {name}:
            yield next((one for one in spellings if stable_id("player", one) == uuid), name), name, spellings


def _take_journal(db: Database, number: int) -> list[str]:
    """Take over the journal of a game. Returns the decisions about it."""
    game, device, received, at, approximate, was_damaged = db.rows(
        "SELECT game, device, received, at, approximate, damaged FROM journals_5 WHERE number = ?", number
    )[0]
    lines: dict[int, list[str]] = {}
    for variant, text in db.rows("SELECT variant, text FROM lines WHERE number = ? ORDER BY variant, n", number):
        lines.setdefault(variant, []).append(text)
    if not lines:
        return []
    histories = [History(own, bool(was_damaged) and variant == 0) for variant, own in lines.items()]
    if not 0 < at < TIME_MAX:
        at, approximate = min(max(received, 1), TIME_MAX - 1), 1
    record = Record(journals.own_id(game), device, at, bool(approximate), united(histories))
    journals.insert_as(db, number, game, record, received)
    sql = "SELECT id, made, entry, old, new, undoes FROM corrections WHERE number = ? ORDER BY id"
    removals = db.rows("SELECT made, removed FROM removals WHERE number = ? ORDER BY id", number)
    return taken_over(record.key, db.rows(sql, number), removals)


# Version -> function that makes the next version
STEPS = {1: _fix_and_delete, 2: _histories, 3: _entries_in_and_out, 4: _titles, 5: _decisions}
