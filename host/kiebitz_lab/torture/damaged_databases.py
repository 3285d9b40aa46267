"""Damage databases in many ways and run every command on them: python -m kiebitz_lab.torture.damaged_databases.

A damaged file must never be written to, no command may end in a traceback, and `kiebitz rebuild --from` must take over
every game that SQLite can still read.
"""

import json
import random
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from kiebitz_host.library import database
from kiebitz_host.library.decisions import id_of
from kiebitz_host.library.journal_record import BadRecord, decode, digest_of, unpacked
from kiebitz_host.library.store import Store

from .campaign import GAMES, Campaign, command_line, make_store, run

PAGE = 4096
READING = (
    ["games"], ["games", "--json"], ["games", "--player", "Anna"], ["league"], ["players"], ["show", "3"],
    ["show", "24", "--history", "2"], ["show", "1", "--raw"], ["fix", "1"], ["export", "csv"], ["export", "json"],
    ["export", "bgstats"], ["export", "link", "2"],
)  # fmt: skip
WRITING = (
    ["add", "GAME"], ["players", "rename", "Anna", "Eva"], ["players", "join", "Anna", "Player B"],
    ["players", "split", "Player A"], ["fix", "2", "--entry", "1", "--with", '{"ev":"pass"}'], ["fix", "1", "--undo"],
    ["delete", "3"], ["restore", "5"], ["rebuild"],
)  # fmt: skip

# Values that Kiebitz never stores
_STRANGE = (None, -1, 2**62, 1.5, "", "\x00", "nonsense", "[", "[1]", b"\xff\xfe", "\N{PILE OF POO}" * 50)


# --- damage to the bytes ---


def _flips(chance: random.Random, data: bytearray) -> None:
    for _ in range(chance.choice((1, 3, 10, 100))):
        data[chance.randrange(len(data))] = chance.randrange(256)


def _bits(chance: random.Random, data: bytearray) -> None:
    for _ in range(chance.choice((1, 2, 5))):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def _header(chance: random.Random, data: bytearray) -> None:
    for _ in range(chance.choice((1, 1, 4, 20))):
        data[chance.randrange(100)] = chance.randrange(256)


def _version(chance: random.Random, data: bytearray) -> None:
    data[60:64] = chance.choice((0, 1, 2, 4, 77, 2**31, 2**32 - 1)).to_bytes(4, "big")


def _signature(chance: random.Random, data: bytearray) -> None:
    data[68:72] = chance.randbytes(4)


def _lost_page(chance: random.Random, data: bytearray) -> None:
    for _ in range(chance.choice((1, 1, 2, 5))):
        at = chance.randrange(len(data) // PAGE) * PAGE
        data[at : at + PAGE] = chance.choice((bytes(PAGE), b"\xff" * PAGE, chance.randbytes(PAGE)))


def _swapped_pages(chance: random.Random, data: bytearray) -> None:
    a, b = (k * PAGE for k in chance.sample(range(1, len(data) // PAGE), 2))
    data[a : a + PAGE], data[b : b + PAGE] = data[b : b + PAGE], data[a : a + PAGE]


def _cut(chance: random.Random, data: bytearray) -> None:
    pages = chance.randrange(len(data) // PAGE)
    del data[pages * PAGE + chance.choice((0, chance.randrange(PAGE))) :]


def _not_utf8(chance: random.Random, data: bytearray) -> None:
    """Damage a text in a decision, an id or a name."""
    for _ in range(chance.choice((1, 3))):
        at = data.find(chance.choice((b'"kind"', b"Player", b"4b1f2a-")), chance.randrange(len(data)))
        if at > 0:
            data[at + 1] = chance.choice((0xFF, 0x80, 0xC3))


# --- damage to tables and values, by SQL ---


def _schema(connection: sqlite3.Connection) -> list[tuple[str, list[str]]]:
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    tables = [name for (name,) in names.fetchall()]
    return [(t, [row[1] for row in connection.execute(f"PRAGMA table_info({t})")]) for t in tables]


def _strange_value(chance: random.Random, connection: sqlite3.Connection) -> None:
    table, columns = chance.choice(_schema(connection))
    _rewrite_schema(connection, "replace(sql, 'NOT NULL', '')")
    value = chance.choice(_STRANGE)
    where = chance.choice(("1", f"{columns[0]} = (SELECT {columns[0]} FROM {table} ORDER BY random() LIMIT 1)"))
    try:
        connection.execute(f"UPDATE {table} SET {chance.choice(columns)} = ? WHERE {where}", (value,))
    except sqlite3.Error:
        connection.execute(f"DELETE FROM {table}")


def _strange_table(chance: random.Random, connection: sqlite3.Connection) -> None:
    table, columns = chance.choice(_schema(connection))
    action = chance.choice(("rename", "drop", "column"))
    connection.execute("PRAGMA legacy_alter_table = ON")
    if action == "rename":
        connection.execute(f"ALTER TABLE {table} RENAME TO tab1e")
    elif action == "drop":
        connection.execute(f"DROP TABLE {table}")
    else:
        connection.execute(f"ALTER TABLE {table} RENAME COLUMN {chance.choice(columns)} TO c0lumn")


def _lost_rows(chance: random.Random, connection: sqlite3.Connection) -> None:
    table, columns = chance.choice(_schema(connection))
    connection.execute(f"DELETE FROM {table} WHERE {columns[0]} % 3 = 0")


def _rewrite_schema(connection: sqlite3.Connection, expression: str) -> None:
    (version,) = connection.execute("PRAGMA schema_version").fetchone()
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute(f"UPDATE sqlite_master SET sql = {expression}")
    connection.execute(f"PRAGMA schema_version = {version + 1}")
    connection.execute("PRAGMA writable_schema = RESET")


BYTES = (_flips, _bits, _header, _version, _signature, _lost_page, _swapped_pages, _cut, _not_utf8)
SQL = (_strange_value, _strange_table, _lost_rows)


class Ground:
    """A sound store, and a folder in which its copies are damaged."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.path = folder / "results.db"
        self.games = make_store(self.path)
        self.sound = self.path.read_bytes()
        with closing(sqlite3.connect(self.path)) as connection:
            self.about = {row[1]: row for row in connection.execute("SELECT * FROM journals")}
            self.signs = self._signs(connection)
        self.game = folder / "game.jsonl"
        self.game.write_text('{"game":"poker_carre","players":["Anna","Ben"]}\n{"ev":"mark","p":0,"rubric":1}\n')

    def damage(self, chance: random.Random) -> bytes:
        """Damage the file in one way. Returns its content."""
        if chance.randrange(4) == 0:
            self.path.write_bytes(self.sound)
            with closing(sqlite3.connect(self.path, isolation_level=None)) as connection:
                chance.choice(SQL)(chance, connection)
                _restore_schema(connection, self.signs[0])
            return self.path.read_bytes()
        data = bytearray(self.sound)
        ways: tuple[Callable, ...] = BYTES
        chance.choice(ways)(chance, data)
        self.path.write_bytes(data)
        return bytes(data)

    def is_sound(self) -> bool:
        """Return True if the damage cannot be detected: only letters, numbers or unused space are wrong.

        This includes an empty file, in which a command that writes creates a new store.
        """
        if not self.path.stat().st_size:
            return True
        try:
            with closing(sqlite3.connect(self.path)) as connection:
                for table, _ in _schema(connection):
                    connection.execute(f"SELECT * FROM {table}").fetchall()
                whole = connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
                return whole and self._signs(connection) == self.signs and _has_its_contents(connection)
        except (sqlite3.Error, UnicodeDecodeError):
            return False

    @staticmethod
    def _signs(connection: sqlite3.Connection) -> list[list[tuple]]:
        """Return tables, version and signature."""
        asked = ("SELECT name, sql FROM sqlite_master ORDER BY name", "PRAGMA user_version", "PRAGMA application_id")
        return [connection.execute(sql).fetchall() for sql in asked]

    def readable(self) -> set[str]:
        """Return the ids of the games of which SQLite still reads every byte as it was."""
        with closing(sqlite3.connect(self.path)) as connection:
            connection.text_factory = bytes
            return {game_id for game_id, lines in self.games.items() if self._reads(connection, game_id, lines)}

    def _reads(self, connection: sqlite3.Connection, game_id: str, lines: list[str]) -> bool:
        number = self.about[game_id][0]
        try:
            connection.execute("PRAGMA writable_schema = ON")
            (data,) = connection.execute("SELECT data FROM contents WHERE number = ?", (number,)).fetchone()
            return decode(unpacked(data)).lines == lines
        except (sqlite3.Error, UnicodeDecodeError, TypeError, BadRecord):
            return False


def _has_its_contents(connection: sqlite3.Connection) -> bool:
    """Return True if every journal and every decision is what its name says."""
    decisions = connection.execute("SELECT id, content FROM decisions").fetchall()
    rows = connection.execute("SELECT digest, data FROM journals LEFT JOIN contents USING (number)").fetchall()
    try:
        return all(digest_of(unpacked(data)) == digest for digest, data in rows) and (
            all(id_of(content) == key for key, content in decisions)
        )
    except (BadRecord, TypeError, AttributeError):
        return False


def _restore_schema(connection: sqlite3.Connection, schema: list[tuple]) -> None:
    """Put NOT NULL back into the tables whose values were damaged."""
    stored = dict(connection.execute("SELECT name, sql FROM sqlite_master"))
    for name, sql in schema:
        if sql and stored.get(name) == sql.replace("NOT NULL", "") != sql:
            _rewrite_schema(connection, f"CASE WHEN name = '{name}' THEN '{sql}' ELSE sql END")


def trial(campaign: Campaign, chance: random.Random, ground: Ground) -> None:
    """Damage a copy, run every command on it, and rescue what is left."""
    for rest in ground.folder.glob("results.db?*"):
        rest.unlink()
    damaged = ground.damage(chance)
    sound = ground.is_sound()
    campaign.figures["files with damage that nobody can notice" if sound else "files with damage"] += 1
    for argv in (*READING, *WRITING):
        argv = [str(ground.game) if word == "GAME" else word for word in argv]
        done = run(*argv, "--db", ground.path)
        campaign.figures["commands"] += 1
        if "is damaged" in done.err:
            campaign.figures["commands that said the file is damaged"] += 1
        _judge(campaign, ground, argv, done, damaged, may_write=sound and argv[0] in [words[0] for words in WRITING])
        if ground.path.read_bytes() != damaged:
            campaign.figures["commands that changed a file with damage that nobody can notice"] += 1
            ground.path.write_bytes(damaged)
    _rescue(campaign, ground)


def _judge(campaign: Campaign, ground: Ground, argv, done, damaged: bytes, may_write: bool) -> None:
    command = " ".join(argv)
    if done.code is None:
        campaign.fail(f"kiebitz {command} ended in a traceback:\n{done.err}")
    elif done.code == 2 and not done.err.strip().endswith("."):
        campaign.fail(f"kiebitz {command} gave no sentence: {done.err}")
    if ground.path.read_bytes() != damaged and not may_write:
        campaign.fail(f"kiebitz {command} has written to a damaged file")
    left = list(ground.folder.glob("results.db?*"))
    if left:
        campaign.fail(f"kiebitz {command} has left {left[0].name}")


def _rescue(campaign: Campaign, ground: Ground) -> None:
    new = ground.folder / "new.db"
    new.unlink(missing_ok=True)
    readable = ground.readable()
    before = ground.path.read_bytes()
    done = run("rebuild", "--from", ground.path, "--db", new, "--json")
    if done.code is None:
        campaign.fail(f"kiebitz rebuild --from ended in a traceback:\n{done.err}")
        return
    if ground.path.read_bytes() != before:
        campaign.fail("kiebitz rebuild --from has written to the damaged file")
    with Store(new) as store:
        held = {game_id: store.stored_game(game_id) for game_id in ground.games}
    whole = {game_id for game_id, found in held.items() if found and found.lines == ground.games[game_id]}
    if done.code == 0 and json.loads(done.out)["taken"]["new"] < len(whole):
        campaign.fail(f"kiebitz rebuild --from reports {done.out}, but has taken {len(whole)}")
    if readable - whole and "written by a newer Kiebitz" not in done.err:  # looks like a changed number
        campaign.fail(f"kiebitz rebuild --from has not taken {sorted(readable - whole)}: {done.err}")
    campaign.figures["games in all files"] += GAMES
    campaign.figures["games that SQLite still reads"] += len(readable)
    campaign.figures["games taken over whole"] += len(whole)


def play(campaign: Campaign, first: int, count: int) -> None:
    """Run the trials in a folder of their own."""
    durable, database.SYNCHRONOUS = database.SYNCHRONOUS, "OFF"  # no power is cut here
    try:
        with tempfile.TemporaryDirectory() as folder:
            ground = Ground(Path(folder))
            campaign.run(lambda campaign, chance: trial(campaign, chance, ground), first, count)
    finally:
        database.SYNCHRONOUS = durable


def main(argv: list[str] | None = None) -> int:
    return command_line("kiebitz_lab.torture.damaged_databases", __doc__ or "", 1000, play, argv)


if __name__ == "__main__":
    sys.exit(main())
