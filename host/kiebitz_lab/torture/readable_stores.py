"""Write stores in every way up to every limit, and read them back: python -m kiebitz_lab.torture.readable_stores.

Every writer takes part: sync, files, exchange, corrections, deletions, names, members, evenings, seasons, imported
results, games thrown away on a device, rescue and rebuild; on SQLite, and in every fourth trial on PostgreSQL.
Afterwards the store must open, every journal and decision must be valid, another laptop must take all of them, and a
rebuild must change nothing. The limits of a record are lowered, so that every trial reaches them.
"""

import json
import random
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from kiebitz.games import Refused
from kiebitz.games.base import NAME_MAX
from kiebitz.store.replay import LINE_MAX
from kiebitz_host.exchange import DECISIONS, JOURNALS, StoreSide, exchange
from kiebitz_host.library import (
    database,
    decisions,
    fixes,
    imported,
    journal_record,
    journals,
    people,
    query,
    removals,
    repair,
)
from kiebitz_host.library.club_decisions import PEOPLE_MAX
from kiebitz_host.library.decisions import latest
from kiebitz_host.library.derive import Replay
from kiebitz_host.library.journal_record import History, Record, decode, fitting, united
from kiebitz_host.library.store import Store
from kiebitz_host.outcome import Trouble

from ..postgres_server import DATABASE, Server, running
from ..synthetic_store import finished_games, shown
from .campaign import Campaign, change_club, command_line

SCHEMA = "readable"
STEPS = 14
HISTORIES_MAX, RECORD_MAX = 6, 8192 + 30_000
LETTERS = "aZ\u00e9\u00a0\u00ad\u2028\u200f\u202e\ufffe\U0001f0a1'\"\\%<&~/?"
LAST_LINES = ("", "nonsense", "\x1b[2J", "[" * 3000, '{"ev":"\\ud800"}', '{"ev":"undo"}')
CLOCKS = (-(10**9), 0, 1, 1_700_000_000, 1_800_000_000, 2_300_000_000, 4_102_444_799, 4_102_444_800, 5_000_000_000)


class Writers:
    """All ways to write to a store, with random values up to the limits."""

    def __init__(self, chance: random.Random, games: list[list[str]], store: Store, folder: Path):
        self.chance = chance
        self.games = games
        self.store = store
        self.folder = folder
        self.left_out = 0  # histories that did not fit
        self.names = [self._name() for _ in range(5)]
        self.ids = [self._id() for _ in range(3)]
        self.played = [self._game() for _ in range(2)]  # few, so that their histories meet

    def _name(self) -> str:
        length = self.chance.choice((1, 5, NAME_MAX, NAME_MAX))
        return "x" + "".join(self.chance.choices(LETTERS, k=length - 2)) + "y" if length > 2 else "Anna"

    def _id(self) -> str:
        alphabet = "".join(map(chr, range(0x20, 0x7E)))
        return self.chance.choice(("5b3c0f-0003-030303", "".join(self.chance.choices(alphabet, k=80)), "file-x"))

    def _game(self) -> list[str]:
        """Return the lines of a game with names as long as they can be."""
        first, *events = self.chance.choice(self.games)
        setup = json.loads(first)
        names = self.chance.choices(self.names, k=len(setup["players"]))
        setup["players"] = [f"{name[: NAME_MAX - 1]}{p}" for p, name in enumerate(names)]
        setup["id"], setup["device"] = self.chance.choice(self.ids), self.chance.choice(("e6", "~" * 32, "x" * 33, 7))
        return [json.dumps(setup, ensure_ascii=False), *events]

    def _lines(self) -> list[str]:
        """Return the lines of a game, some as long as a line can be, complete or not."""
        whole = self.chance.choice(self.played)
        lines = whole[: self.chance.choice((len(whole), self.chance.randrange(1, len(whole) + 1)))]
        for _ in range(self.chance.choice((0, 0, 1, 6))):
            k = self.chance.randrange(len(lines))
            lines[k] += " " * (LINE_MAX - len(lines[k].encode())) if k else ""
        if self.chance.random() < 0.3:
            lines.append(self.chance.choice(LAST_LINES))
        return lines

    def _number(self) -> int:
        return self.chance.choice([number for (number,) in self.store.db.rows("SELECT number FROM journals")])

    def _person(self) -> int:
        return self.chance.choice([person for (person,) in self.store.db.rows("SELECT id FROM people")])

    def sync(self) -> None:
        device = {"id": "~" * 32, "version": "1", "product": "kiebitz", "name": "/dev/" + "x" * 300}
        own = self.chance.choice(self.ids)
        times: tuple[Any, ...] = (None, 0, 1, 1_700_000_000, 4_102_444_800, 1 << 34, 1 << 80, 0.5, "x", True, [], {})
        at = self.chance.choice(times)
        flags = (self.chance.random() < 0.5, self.chance.random() < 0.2)
        self.left_out += self.store.add_journal(own, self._lines(), device, at, *flags) == journals.TOO_LONG

    def file(self) -> None:
        lines = self._lines()
        replay = Replay(line.encode() for line in lines)
        if not replay.refused and replay.table:
            imported.add_file(self.store, lines, replay.table.setup, self.chance.choice((None, 5, 1 << 33)))

    def exchange(self) -> None:
        lines = self._lines()
        count = self.chance.randrange(HISTORIES_MAX + 3)
        more = [History([*lines, f'{{"ev":"{k}"}}'], k % 2 == 0) for k in range(count)]
        record = Record(self.chance.choice(self.ids), "e6", 5, False, fitting(united([History(lines), *more])))
        with suppress(journal_record.BadRecord):
            (added,) = self.store.add_records([decode(record.encode())])
            self.left_out += added.left_out

    def decisions(self) -> None:
        number, kind = self._number(), self.chance.choice(("delete", "restore", "throw away"))
        key = journals.load(self.store.db, number).key
        time = self.chance.choice((0, latest(self.store.now()) - 1, latest(self.store.now())))
        text = decisions.content_of(time, "x" * 80, kind, key, {}, f"{self.chance.getrandbits(32)}")
        self.store.add_decisions([text])

    def delete(self) -> None:
        self.chance.choice((removals.delete, removals.restore))(self.store, self._number())

    def throw_away(self) -> None:
        own = self.chance.choice(self.ids)
        thrown = {own: self.chance.choice((0, 1_700_000_000, 1 << 34))} if self.chance.random() < 0.7 else {}
        self.store.take_over_thrown("~" * 32, {own: "0000abcd"}, thrown)

    def fix(self) -> None:
        number = self._number()
        table = self.store.replayed(number).table
        event = dict(table.event(self.chance.randrange(len(table)))) if table and len(table) else {}
        if self.chance.random() < 0.4:
            event["note"] = self.chance.choice(("\u00e9" * 2000, "\ud800", "x" * 5000, float("inf"), 10**20))
        entry, name = self.chance.randrange(1, 6), self.chance.choice(("correct", "insert", "remove"))
        fixes.stored(self.store, number, fixes.Change(name, entry, None if name == "remove" else event))

    def undo(self) -> None:
        fixes.take_back(self.store, self._number())

    def rename(self) -> None:
        people.rename(self.store.db, self._person(), self._name())

    def join(self) -> None:
        people.join(self.store.db, self._person(), self._person())

    def split(self) -> None:
        spellings = [spelling for (spelling,) in self.store.db.rows("SELECT spelling FROM spellings")]
        people.split(self.store.db, self.chance.choice(spellings))

    def club(self) -> None:
        letters = self.chance.choice(("x", "\U0001f0a1"))
        people_of_club = [*self.names, *[f"{letters * (NAME_MAX - 3)}{k:03}" for k in range(PEOPLE_MAX + 1)]]
        few = self.chance.sample(people_of_club, self.chance.choice((1, 8, len(people_of_club))))
        change_club(self.store, self.chance, few)

    def rescue(self) -> None:
        other = self.folder / "other.db"
        other.unlink(missing_ok=True)
        with Store(other, now=self.store.now) as store:
            Writers(self.chance, self.games, store, self.folder).sync()
            removals.delete(store, 1)
        repair.rescue(self.store, str(other))

    def rebuild(self) -> None:
        self.store.rebuild()


OFTEN = ("sync", "sync", "sync", "file", "exchange", "exchange")
ALL = (*OFTEN, "decisions", "delete", "throw_away", "fix", "fix", "undo", "rename", "rename", "join", "split", "rescue",
       "rebuild", "club", "club", "club", "club")  # fmt: skip


def trial(campaign: Campaign, chance: random.Random, games: list[list[str]], folder: Path, club: str) -> None:
    """Write a store, close it, and read it."""
    clock = chance.choice(CLOCKS)
    place: Path | str = club if campaign.number % 4 == 3 else folder / "results.db"
    with Store(place, now=lambda: clock) as store:
        writers = Writers(chance, games, store, folder)
        for step in range(STEPS):
            name = chance.choice(OFTEN if step < 2 else ALL)
            campaign.figures["steps"] += 1
            with suppress(Trouble, Refused, fixes.Unfit, IndexError):  # a sentence, or nothing there yet
                getattr(writers, name)()
                campaign.figures["steps that were stored or changed nothing"] += 1
        campaign.figures["histories left out at a limit"] += writers.left_out
    with Store(place, now=lambda: clock) as store, Store(folder / "new.db", now=lambda: clock) as other:
        _read(campaign, store, other)
    campaign.figures[f"stores on {'PostgreSQL' if place == club else 'SQLite'}"] += 1


def _read(campaign: Campaign, store: Store, other: Store) -> None:
    """Read everything back, here and on another laptop."""
    numbers = [number for (number,) in store.db.rows("SELECT number FROM journals")]
    found = journals.load_all(store.db, numbers)
    if sorted(found) != sorted(numbers):
        campaign.fail("a journal is not readable")
    texts = decisions.contents(store.db)
    if decisions.ids(store.db) != set(texts) or not all(map(decisions.is_known_text, texts.values())):
        campaign.fail("a decision is not readable")
    campaign.figures["journals read"] += len(found)
    campaign.figures["decisions read"] += len(texts)
    here = shown(store)
    campaign.figures["evenings read"] += len(here["evenings"])
    skipped: list[str] = []
    exchange(StoreSide(other), StoreSide(store), skipped)
    if [sentence for sentence in skipped if "years ahead" not in sentence]:
        campaign.fail(f"another laptop has left something out: {skipped}")
    wanted = {what: StoreSide(store).names(what) for what in (JOURNALS, DECISIONS)}
    for what, names in wanted.items():
        if len(names - StoreSide(other).names(what)) > len(skipped):
            campaign.fail(f"another laptop has not taken all {what}")
    if not skipped and shown(other) != here:
        campaign.fail("another laptop shows something else")
    if query.has_journals(store.db):
        store.rebuild()
        if shown(store) != here:
            campaign.fail("a rebuild changes what is shown")


def _reset(server: Server, folder: Path) -> None:
    for rest in folder.glob("*.db*"):
        rest.unlink()
    tables = "journals, contents, aliases, decisions, devices, people, spellings, games, scores, league_cache"
    server.sql(DATABASE, f"SET search_path = {SCHEMA}; TRUNCATE {tables} RESTART IDENTITY")


def play(campaign: Campaign, first: int, count: int) -> None:
    """Run the trials with lower limits of a record."""
    before = database.SYNCHRONOUS, journal_record.HISTORIES_MAX, journal_record.RECORD_MAX
    database.SYNCHRONOUS, journal_record.HISTORIES_MAX, journal_record.RECORD_MAX = "OFF", HISTORIES_MAX, RECORD_MAX
    try:
        with running() as server, tempfile.TemporaryDirectory() as folder:
            games, club = finished_games(), server.new_schema(SCHEMA)
            Store(club).close()

            def one(campaign: Campaign, chance: random.Random) -> None:
                _reset(server, Path(folder))
                try:
                    trial(campaign, chance, games, Path(folder), club)
                except Exception as error:
                    import traceback  # only after a failure

                    campaign.fail(f"{error!r}\n{traceback.format_exc()}")

            campaign.run(one, first, count)
    finally:
        database.SYNCHRONOUS, journal_record.HISTORIES_MAX, journal_record.RECORD_MAX = before


def main(argv: list[str] | None = None) -> int:
    return command_line("kiebitz_lab.torture.readable_stores", __doc__ or "", 5000, play, argv)


if __name__ == "__main__":
    sys.exit(main())
