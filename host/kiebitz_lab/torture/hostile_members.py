"""Let a member attack a club with files and rows fuzzed from valid ones: python -m kiebitz_lab.torture.hostile_members.

The club has games, corrections, members, evenings, a season and imported results. In turn the member writes into an
exchange folder that a laptop and a club's PostgreSQL read, into the rows of the club's database as its owner, and into
them with the rights of docs/clubs.md. No command may end in a traceback, every valid game and decision must be taken,
every later command must work, and all leagues and evenings must be equal. Rows that only the administrator can repair
must be reported in one sentence.
"""

import json
import os
import random
import shutil
import sys
import tempfile
import time
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

from kiebitz_host.exchange import DECISIONS, JOURNALS, SUFFIX, Folder, StoreSide, exchange, name_of
from kiebitz_host.library import database, league_cache, schema
from kiebitz_host.library.store import Store

from ..postgres_server import DATABASE, Server, grant_rights, running
from ..synthetic_store import shown
from . import hostile_contents
from .campaign import Campaign, Ran, command_line, make_store, run

GAMES = 8
READING = (
    ["games"], ["games", "--json"], ["league"], ["players"], ["players", "--json"], ["show", "1"],
    ["show", "2", "--raw"], ["fix", "1"], ["export", "csv"], ["export", "json"], ["export", "bgstats"],
    ["export", "link", "2"], ["evening", "list"], ["evening", "list", "--json"], ["evening", "show"],
    ["evening", "show", "--json"], ["evening", "standings"], ["evening", "standings", "--season", "2020", "--json"],
    ["evening", "money"], ["evening", "history"], ["evening", "season"], ["players", "export"],
)  # fmt: skip
WRITING = (
    ["add", "GAME"], ["players", "rename", "Anna", "Eva"], ["delete", "3"], ["restore", "3"], ["rebuild"],
    ["exchange", "FOLDER"], ["fix", "1", "--undo"], ["evening", "here", "--new", "Zed"], ["evening", "assign"],
    ["evening", "assign", "1"], ["evening", "draw", "--series", "2"], ["evening", "undo"], ["evening", "cancel"],
    ["evening", "money", "--settle"], ["evening", "season", "2020", "--since", "2020-01-02"],
    ["evening", "team", "Reds", "Anna"], ["players", "import", "MEMBERS", "--yes"],
    ["import", "results", "RESULTS", "--yes"],
)  # fmt: skip
SCHEMA = "hostile"
MEMBER = "member"
TABLES = schema.table_names(schema.KEPT + schema.DERIVED)
LONG_EVERY = 100  # trials between two with journals of the greatest length


class Ground:
    """A club with valid games and decisions, in a folder and on a server."""

    def __init__(self, folder: Path, server: Server):
        self.folder = folder
        self.server = server
        self.laptop, self.stick, self.template = folder / "laptop.db", folder / "stick", folder / "template"
        make_store(folder / "source.db", GAMES)
        self.template.mkdir()
        with Store(folder / "source.db") as store:
            exchange(StoreSide(store), Folder(self.template), [])
            self.good = shown(store)
            self.games = {row[0] for row in store.db.rows("SELECT game FROM journals")}
        self.contents = {what: self._files(what) for what in (JOURNALS, DECISIONS)}
        self.club = server.new_schema(SCHEMA)
        Store(self.club).close()
        server.sql(DATABASE, grant_rights(SCHEMA, MEMBER))
        self.columns = {table: self._columns(table) for table in [*TABLES, "club"]}
        self.game = folder / "game.jsonl"
        self.members, self.results = folder / "members.csv", folder / "results.csv"
        self.members.write_text("Name;Number;Club\nAnna;7;Club\nMember 8;8;\n")
        self.results.write_text("Date;Game;Name;Points\n2019-03-01;Skat;Anna;5\n2019-03-01;Skat;Member 8;3\n")
        self.game.write_text('{"game":"poker_carre","players":["Anna","Ben"]}\n{"ev":"mark","p":0,"rubric":1}\n')

    def _files(self, what: str) -> list[bytes]:
        return [path.read_bytes() for path in sorted((self.template / what).rglob(f"*{SUFFIX}"))]

    def _columns(self, table: str) -> list[tuple[str, str]]:
        where = f"table_schema = '{SCHEMA}' AND table_name = '{table}'"
        return self.server.sql(DATABASE, f"SELECT column_name, data_type FROM information_schema.columns WHERE {where}")

    def reset(self) -> None:
        """Empty laptop, folder and club."""
        shutil.rmtree(self.stick, ignore_errors=True)
        shutil.copytree(self.template, self.stick)
        for rest in self.folder.glob("laptop.db*"):
            rest.unlink()
        everything = ", ".join(f"{SCHEMA}.{table}" for table in [*TABLES, "club", "overwritten", "writers"])
        self.server.sql(DATABASE, f"TRUNCATE {everything} RESTART IDENTITY")
        self.server.sql(DATABASE, f"INSERT INTO {SCHEMA}.club VALUES ('changes', 0), ('format', {schema.FORMAT})")


# --- files ---


def hostile_files(chance: random.Random, ground: Ground, long: bool) -> None:
    """Put hostile files into the folder."""
    for _ in range(2 if long else chance.choice((1, 1, 2, 5))):
        if long or chance.random() < 0.5:
            what, content = JOURNALS, hostile_contents.journal(chance, ground.contents[JOURNALS], long)
        else:
            contents = ground.contents
            what = DECISIONS
            content = hostile_contents.decision(chance, contents[DECISIONS], contents[JOURNALS], time.time())
        name = name_of(what, content) if chance.random() < 0.95 else f"{chance.getrandbits(128):032x}"
        path = ground.stick / what / name[:2] / (name + SUFFIX)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    if chance.random() < 0.2:
        _hostile_place(chance, ground.stick)


def _hostile_place(chance: random.Random, stick: Path) -> None:
    """Put something else in the place of a file or a folder."""
    name = f"{chance.getrandbits(128):032x}"
    place = stick / chance.choice((JOURNALS, DECISIONS)) / name[:2]
    path = chance.choice((place, place / (name + SUFFIX)))
    if path.exists():
        return
    path.parent.mkdir(exist_ok=True)
    pick = chance.randrange(4)
    if pick == 0:
        path.mkdir()
    elif pick == 1:
        os.mkfifo(path)
    elif pick == 2:
        path.symlink_to(chance.choice(("/dev/zero", ".", "/etc", str(path))))
    else:
        path.write_bytes(b"x")


def _folder_trial(campaign: Campaign, chance: random.Random, ground: Ground) -> None:
    hostile_files(chance, ground, campaign.number % LONG_EVERY < 3)
    places: list[Path | str] = [ground.laptop, ground.club]
    chance.shuffle(places)
    for place in (*places, *places):
        done = run("exchange", ground.stick, "--db", place, "--json")
        if done.code not in (0, 2) or not done.out:
            campaign.fail(f"exchange with {place}: {done.err}")
            return
        campaign.figures["items left out"] += len(json.loads(done.out)["skipped"])
    _compare(campaign, ground, "after hostile files")
    _commands(campaign, chance, ground, chance.choice(places))


# --- rows ---


def _literal(chance: random.Random, kind: str) -> object:
    """Return a strange value of the type of a column."""
    if kind in ("bigint", "integer", "smallint"):
        bits = {"bigint": 63, "integer": 31, "smallint": 15}[kind]
        return chance.choice((0, -1, 1, 2, 77, (1 << bits) - 1, -(1 << bits)))
    if kind == "bytea":
        bomb = zlib.compress(b"[" * 20_000_000)
        return chance.choice((b"", b"x", b"\x78\x9c\x00", zlib.compress(b"{}"), zlib.compress(b"[" * 9999), bomb))
    text = chance.choice(hostile_contents.TEXTS)
    return text.replace("\x00", "").encode("utf-8", "ignore").decode()


def _hostile_rows(chance: random.Random, ground: Ground, address: str) -> int:
    """Run some statements that change rows, as the user of the address. Returns how many were not refused."""
    import psycopg  # without a club nobody needs it

    done = 0
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("SELECT setseed(%s)", [chance.random()])
        for _ in range(chance.choice((1, 1, 2, 5))):
            table = chance.choice([*TABLES, *TABLES, "club"])
            columns = ground.columns[table]
            name, kind = chance.choice(columns)
            some = f"ctid IN (SELECT ctid FROM {table} ORDER BY random() LIMIT {chance.choice((1, 3, 999))})"
            pick = chance.randrange(5)
            with suppress(psycopg.Error):
                if pick == 4:
                    _take_id(chance, connection)
                elif pick == 0:
                    connection.execute(f"DELETE FROM {table} WHERE {some}")
                elif pick == 1:
                    value = _literal(chance, "integer" if name == "number" else kind)  # no others can be derived
                    connection.execute(f"UPDATE {table} SET {name} = %s WHERE {some}", [value])
                else:
                    row = _row(chance, ground, table) if pick == 2 else [_literal(chance, kind) for _, kind in columns]
                    places = ", ".join(["%s"] * len(row))
                    names = ", ".join(name for name, _ in columns)
                    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({places})", row)
                done += 1
    return done


def _take_id(chance: random.Random, connection: Any) -> None:
    """Rename a journal, or insert it again, under its id with a suffix."""
    suffix = chance.choice(("~", "~1f2e", "~~1"))
    one = "SELECT number FROM journals ORDER BY random() LIMIT 1"
    if chance.random() < 0.3:
        connection.execute(f"UPDATE journals SET game = game || '{suffix}' WHERE number IN ({one})")
        return
    facts = "device, received, at, approximate, damaged, digest"
    for row in connection.execute(one).fetchall():  # none if all were deleted just before
        connection.execute(
            f"INSERT INTO journals (game, {facts}) SELECT game || '{suffix}', {facts} FROM journals WHERE number = %s",
            row,
        )
        connection.execute(
            "INSERT INTO contents (number, data) SELECT (SELECT max(number) FROM journals), data FROM contents "
            "WHERE number = %s",
            row,
        )


def _row(chance: random.Random, ground: Ground, table: str) -> list[object]:
    """Return a row for a table; of decisions and contents with a hostile content."""
    if table == "decisions":
        contents = ground.contents
        content = hostile_contents.decision(chance, contents[DECISIONS], contents[JOURNALS], time.time())
        name = name_of(DECISIONS, content)
        text = content.decode("utf-8", "replace")
        with suppress(ValueError, TypeError, KeyError):
            whole = json.loads(text)
            return [name, int(whole["time"]), str(whole["about"]), text]
        return [name, 5, "", text]
    if table == "contents":
        return [chance.randrange(20), zlib.compress(hostile_contents.journal(chance, ground.contents[JOURNALS]))]
    return [_literal(chance, kind) for _, kind in ground.columns[table]]


def _rows_trial(campaign: Campaign, chance: random.Random, ground: Ground, address: str) -> None:
    """Attack the rows of a club, run commands, repair it, and compare it with a laptop."""
    for place in (ground.laptop, ground.club):
        run("exchange", ground.stick, "--db", place)
    if chance.random() < 0.5:  # with a league cache, which is attacked, too
        _with_cache(ground)
    kind = "as the owner" if address == ground.club else "as a member"
    campaign.figures[f"hostile statements executed {kind}"] += _hostile_rows(chance, ground, address)
    _commands(campaign, chance, ground, chance.choice((address, ground.club)))
    done = run("rebuild", "--db", ground.club)
    if done.code is None or (done.code and address != ground.club):
        campaign.fail(f"rebuild: {done.err}")
    elif done.code:
        campaign.figures["clubs that only the administrator can repair"] += 1
        return
    for _ in range(2):
        done = run("exchange", ground.club, "--db", ground.laptop)
        if done.code not in (0, 2) or not done.out:
            campaign.fail(f"exchange after hostile rows: {done.err}")
            return
    _compare(campaign, ground, f"after hostile rows {kind}")


def _with_cache(ground: Ground) -> None:
    plain = league_cache.STEP, league_cache.LATE
    league_cache.STEP, league_cache.LATE = 3, 1
    try:
        with Store(ground.club) as store:
            while league_cache.refresh(store.db):
                pass
    finally:
        league_cache.STEP, league_cache.LATE = plain


# --- checks ---


def _compare(campaign: Campaign, ground: Ground, when: str) -> None:
    """Check that laptop and club show the same, and have all valid games."""
    ends = []
    for place in (ground.laptop, ground.club):
        with Store(place) as store:
            ends.append(shown(store))
            missing = ground.games - {row[0] for row in store.db.rows("SELECT game FROM journals")}
            if missing:
                campaign.fail(f"{when}: {place} has not taken {sorted(missing)}")
    if ends[0] != ends[1]:
        wrong = [key for key in ends[0] if ends[0][key] != ends[1][key]]
        campaign.fail(f"{when}: laptop and club show different {wrong}")


def _commands(campaign: Campaign, chance: random.Random, ground: Ground, place: Path | str) -> None:
    """Run some commands; each must work, or say why not."""
    words = {"GAME": ground.game, "FOLDER": ground.stick, "MEMBERS": ground.members, "RESULTS": ground.results}
    for argv in (*chance.sample(READING, 3), *chance.sample(WRITING, 2)):
        done = run(*[words.get(word, word) for word in argv], "--db", place)
        campaign.figures["commands"] += 1
        campaign.figures["commands that worked"] += done.code == 0
        _judge(campaign, argv, done)


def _judge(campaign: Campaign, argv: list[str], done: Ran) -> None:
    if done.code is None:
        campaign.fail(f"kiebitz {' '.join(argv)} ended in a traceback:\n{done.err}")
    elif done.code == 2 and not done.err.strip().endswith("."):
        campaign.fail(f"kiebitz {' '.join(argv)} gave no sentence: {done.err}")


def trial(campaign: Campaign, chance: random.Random, ground: Ground) -> None:
    """Attack in one of three ways."""
    ground.reset()
    way = campaign.number % 3
    try:
        if way == 0:
            _folder_trial(campaign, chance, ground)
        else:
            address = ground.club if way == 1 else ground.server.address(SCHEMA, MEMBER)
            _rows_trial(campaign, chance, ground, address)
    except Exception as error:
        import traceback  # only after a failure

        campaign.fail(f"{error!r}\n{traceback.format_exc()}")


def play(campaign: Campaign, first: int, count: int) -> None:
    """Run the trials on one server."""
    durable, database.SYNCHRONOUS = database.SYNCHRONOUS, "OFF"  # no power is cut here
    sync, os.sync = os.sync, lambda: None
    try:
        with running() as server, tempfile.TemporaryDirectory() as folder:
            ground = Ground(Path(folder), server)
            campaign.run(lambda campaign, chance: trial(campaign, chance, ground), first, count)
    finally:
        database.SYNCHRONOUS, os.sync = durable, sync


def main(argv: list[str] | None = None) -> int:
    return command_line("kiebitz_lab.torture.hostile_members", __doc__ or "", 2000, play, argv)


if __name__ == "__main__":
    sys.exit(main())
