"""Store all games: add journals and decisions, and keep the derived tables up to date."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kiebitz.games import Refused
from kiebitz.games.base import check_name
from kiebitz.store.roster import NAMES_MAX

from ..league.names import is_guest
from ..outcome import Trouble
from ..printable import say
from . import decisions, journals, league_cache, people, removals, schema
from .club_decisions import is_club_key
from .database import Damaged, Database
from .file_tables import check_everything, prepare
from .journal_record import TIME_MAX, History, Record, fitting
from .location import default_path, is_address

if TYPE_CHECKING:
    from kiebitz.store.table import Table

    from .derive import DerivedGame  # imports the rules, which most commands do not need

__all__ = ["Store", "StoredGame", "default_path"]

_NOWHERE = Path(os.devnull, "nothing")  # a path that cannot exist
_DERIVED_AT_ONCE = 500  # games per batch
_CHECKED_MAX = 16_000_000  # bytes: larger files are not fully checked before every change (docs/clubs.md)


def _to_stderr(message: str) -> None:
    say(message, sys.stderr)


def _size_of(path: Path) -> int | None:
    """Return the size of a file, None if it does not exist; raise Trouble if it cannot be a database."""
    try:
        if path.is_dir():
            raise Trouble(f"{path} is a folder; --db takes the name of a file.")
        if path.exists() and not path.is_file():
            raise Trouble(f"{path} is not a regular file; --db takes the name of one.")
        return path.stat().st_size if path.exists() else None
    except OSError as trouble:
        raise Trouble(f"cannot use {path}: {trouble.strerror}.") from None


class StoredGame:
    """The stored lines and facts of a game."""

    def __init__(
        self,
        number: int,
        histories: list[list[str]],
        namesakes: list[list[str]],
        at: int,
        approximate: int,
        damaged: int,
        finished: int,
    ):
        self.number = number
        self.lines, *self.variants = histories
        self.namesakes = namesakes  # histories of other games with the same id
        self.played_at = at
        self.approximate = bool(approximate)
        self.damaged = bool(damaged)
        self.finished = bool(finished)

    @property
    def all_lines(self) -> list[list[str]]:
        """All lines stored under the id of the game, history by history."""
        return [self.lines, *self.variants, *self.namesakes]


class Store:
    """The database of results. Every change is on disk when a method returns; Trouble means that nothing has changed.

    With create=False a missing or empty file is left as it is; the store is then empty and read-only. With create=True
    the whole file is checked, because a corrupt one must not be written to.
    """

    def __init__(
        self,
        path: str | Path,
        create: bool = True,
        now: Callable[[], float] = time.time,
        say: Callable[[str], None] = _to_stderr,
    ):
        self.now = now
        self._in_bulk = False
        self.path: Path | str
        self.is_missing = False  # no file, or no tables: the store is empty and read-only
        self.db: Any  # a Database, or a ClubDatabase, which has the same methods
        if is_address(path):
            self._open_club(str(path), create)
        else:
            self._open_file(Path(path), create, say)

    def _open_club(self, address: str, create: bool) -> None:
        """Open a club's database."""
        from .club import ClubDatabase, prepare_club

        self.path = address
        self.db = ClubDatabase(address)
        self._prepare(lambda: prepare_club(self.db, create))
        if not self.db.format():  # nobody has written there yet, which is the same as a missing file
            self.db.close()
            self.is_missing = True
            self.db = Database(_NOWHERE, "memory")
            prepare(self.db, True)
        self.db.now = self.now

    def _open_file(self, path: Path, create: bool, say: Callable[[str], None]) -> None:
        """Open a laptop's file."""
        self.path = path
        if create:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as trouble:
                raise Trouble(f"the folder for {path} cannot be created: {trouble.strerror}.") from None
        size = _size_of(path)
        if size == 0 and not create:
            say(f"{path} has 0 bytes: if games are missing, `kiebitz rebuild --from FILE` takes over a backup.")
        self.is_missing = not create and not size
        self.db = Database(path, "rwc" if create else "rw" if size else "memory")
        self.db.now = self.now

        def prepare_file() -> None:
            prepare(self.db, create or not size)
            if create and size and size <= _CHECKED_MAX:
                check_everything(self.db)

        self._prepare(prepare_file)

    def _prepare(self, action: Callable[[], None]) -> None:
        try:
            action()
        except BaseException:
            self.db.close()
            raise

    def close(self) -> None:
        self.db.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Run a block as one transaction, or as part of the transaction that is already open."""
        if self.db.is_changing:
            yield
            return
        with self.db.transaction():
            yield
        if not self._in_bulk:
            self._refresh_cache()

    @contextmanager
    def in_bulk(self) -> Iterator[None]:
        """Rebuild the league cache once at the end of a bulk import.

        An interrupted import leaves no cache, and the next change rebuilds it.
        """
        self._in_bulk = True
        try:
            yield
        finally:
            self._in_bulk = False
        self._refresh_cache()

    def _refresh_cache(self) -> None:
        try:
            while league_cache.refresh(self.db):
                pass
        except Damaged:
            with suppress(Trouble):
                league_cache.forget_all(self.db)
        except Trouble:
            pass  # only the cache is stale; the change itself is stored

    # --- journals ---

    def number(self, game_id: str) -> int | None:
        """Return the number of a game, or None."""
        return self.db.value("SELECT number FROM journals WHERE game = ?", game_id)

    def id_for(self, game_id: str, setup: str) -> str:
        """Return the id under which a game with this first line is or would be stored."""
        own = journals.own_id(game_id)
        known = {number: name for number, name, _ in journals.under(self.db, own)}
        for number, record in journals.load_all(self.db, list(known)).items():
            if record.lines[0] == setup:
                return known[number]
        return own

    def histories(self, number: int) -> list[list[str]]:
        """Return the raw lines of a game, followed by those of its other histories."""
        return [history.lines for history in journals.load(self.db, number).histories]

    def stored_game(self, game_id: str) -> StoredGame | None:
        """Return the stored data of a game, deleted or not; None if it was never stored."""
        row = self.db.row(
            "SELECT number, games.at, approximate, damaged, finished FROM journals JOIN games USING (number) "
            "WHERE game = ?",
            game_id,
        )
        if row is None:
            return None
        number, *about = row
        twins = [twin for twin, name, _ in journals.under(self.db, game_id) if name != game_id]
        found = journals.load_all(self.db, [number, *twins])
        if number not in found:  # unreadable in a club's database: the next sync replaces it
            return None
        namesakes = [history.lines for twin in twins if twin in found for history in found[twin].histories]
        return StoredGame(number, [history.lines for history in found[number].histories], namesakes, *about)

    def add_journal(
        self,
        game_id: str,
        lines: list[str],
        device: dict | None,
        played_at: Any,
        approximate: bool,
        damaged: bool | None = False,
        table: "Table | None" = None,
    ) -> str:
        """Add the whole journal of a game. Returns a word: "new", "longer", "same", "shorter", "apart", "namesake".

        A namesake is a new game with the id of another game but a different set-up. The word is journals.TOO_LONG if
        the lines were left out because a record cannot hold them.
        played_at: unix seconds; anything else, as a hostile device may send it, becomes the time of now.
        table: the game after these lines, if they were replayed already.
        """
        if not lines:
            raise ValueError("a journal has at least its set-up")
        if type(played_at) is not int or not 0 < played_at < TIME_MAX:
            played_at, approximate = self._clock(), True
        histories = fitting((History(lines, bool(damaged)),))
        if not histories:
            return journals.TOO_LONG
        own = journals.own_id(game_id)
        record = Record(own, device["id"] if device else None, played_at, bool(approximate), histories)
        with self.batch():
            self._see(device)
            (added,) = self._add([record], table)
        return added.word

    def add_records(self, records: list[Record]) -> list[journals.Added]:
        """Add journals of another laptop unchanged. Returns the result for each."""
        added: list[journals.Added] = []
        with self.batch():
            while records:
                some: dict[str, Record] = {}
                for record in records:
                    some.setdefault(record.own, record)  # the first of each id
                added += self._add(list(some.values()))
                records = [record for record in records if some[record.own] is not record]
        return added

    def _add(self, records: list[Record], table: "Table | None" = None) -> list[journals.Added]:
        """Add journals with distinct ids, and derive what has changed."""
        added = journals.add(self.db, records, self._clock())
        for fresh in (True, False):
            items = []
            for one, record in zip(added, records, strict=True):
                if one.changed and (one.word in ("new", "namesake")) == fresh:
                    same = one.record.lines == record.lines  # else the table has another history, or fewer lines
                    items.append((one.number, one.record, table if same else None))
            times = [one.earlier for one in added if one.earlier is not None]
            if items:
                schema.write(self.db, items, None if fresh else min(times), fresh)
        return added

    def _see(self, device: dict | None) -> None:
        """Store a device and the time of its last connection."""
        if device:
            values = [device.get(key) for key in ("product", "version", "name")]
            self.db.run(
                "INSERT INTO devices (id, product, version, name, seen) VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT (id) DO UPDATE SET product = coalesce(excluded.product, devices.product), "
                "version = coalesce(excluded.version, devices.version), "
                "name = coalesce(excluded.name, devices.name), seen = excluded.seen",
                device["id"],
                *values,
                self._clock(),
            )

    def _clock(self) -> int:
        """Return the time in seconds, within the limits of the database however wrong the clock is."""
        return min(max(int(self.now()), 1), TIME_MAX - 1)

    # --- decisions ---

    def decide(self, number: int, kind: str, **values) -> None:
        """Store a decision about a game, and derive the game again."""
        with self.batch():
            decisions.decide(self.db, kind, journals.load(self.db, number).key, **values)
            self.derive(number)

    def decided(self, number: int) -> list[decisions.Decision]:
        """Return all decisions about a game, in order of effect."""
        return decisions.about(self.db, journals.load(self.db, number).key)

    def add_decisions(self, contents: list[str]) -> list[decisions.Decision]:
        """Add decisions of another laptop, and derive the affected games. Returns the new ones."""
        with self.batch():
            new = decisions.add(self.db, contents)
            if any(one.about == decisions.PEOPLE for one in new):
                people.settle(self.db)
            people.add_present(self.db, new)
            keys = {one.about for one in new if one.about != decisions.PEOPLE and not is_club_key(one.about)}
            known = journals.under_all(self.db, sorted({key.rpartition("/")[0] for key in keys}))
            for records in journals.load_parts(self.db, [n for found in known.values() for n, _, _ in found]):
                items = [(number, record, None) for number, record in records.items() if record.key in keys]
                schema.write(self.db, items)
        return new

    def take_over_thrown(self, device: str, marks: dict[str, str], thrown: dict[str, int]) -> None:
        """Apply the games discarded or restored on a device; arguments as for removals.taken_over()."""
        contents = removals.taken_over(self.db, device, marks, thrown)
        if contents:
            self.add_decisions(contents)

    def corrections(self, number: int) -> list[tuple[str, int, str | None, str | None]]:
        """Return (id, entry, old, new) of the corrections of a game that were not undone."""
        return decisions.corrections(self.decided(number))

    # --- derived data ---

    def replayed(self, number: int, table: "Table | None" = None) -> "DerivedGame":
        """Return the game, replayed with its corrections; `table` has replayed all its lines already."""
        return schema.replayed(self.db, number, table)

    def derive(self, number: int, table: "Table | None" = None) -> "DerivedGame":
        """Derive one game again; `table` as in replayed(). Returns the derived game."""
        with self.batch():
            (derived,) = schema.write(self.db, [(number, journals.load(self.db, number), table)])
        return derived

    def rebuild(self, on_progress: Callable[[int, int], object] | None = None) -> int:
        """Rebuild all derived tables from the journals. Returns the number of games."""
        with self.batch():
            if self.db.is_shared:  # dropping the tables would also drop the permissions of the other members
                journals.mend(self.db)
                self.db.script(schema.EMPTY_DERIVED)
            else:
                self.db.script(schema.DROP_DERIVED)
                self.db.create(schema.DERIVED)
            return self._derive_all(on_progress)

    def _derive_all(self, on_progress: Callable[[int, int], object] | None = None) -> int:
        people.settle(self.db)
        for made in decisions.about_clubs(self.db).values():
            people.add_present(self.db, made)
        total, done, last = self.db.value("SELECT count(*) FROM journals"), 0, journals.NUMBER_MIN - 1
        some = "SELECT number FROM journals WHERE number > ? ORDER BY number LIMIT ?"
        while numbers := [number for (number,) in self.db.rows(some, last, _DERIVED_AT_ONCE)]:
            for records in journals.load_parts(self.db, numbers):
                items = [(number, record, None) for number, record in records.items()]
                schema.write(self.db, items, fresh=True)
            done, last = done + len(numbers), numbers[-1]
            if on_progress:
                on_progress(done, total)
        return total

    # --- people, for the device ---

    def renames(self) -> dict[str, str]:
        """Return {spelling: name} for spellings that have been replaced by another name."""
        return people.renames(self.db)

    def players_names(self) -> list[str]:
        """Return the names of all people with games, most recent first."""
        return people.names(self.db)

    def roster_names(self) -> list[str]:
        """Return the names for a device's roster: as many as it stores, only valid ones, and no guests."""
        return [name for name in self.players_names() if _fits(name) and not is_guest(name)][:NAMES_MAX]


def _fits(name: str) -> bool:
    try:
        return check_name(name) == name
    except Refused:
        return False
