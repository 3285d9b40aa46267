"""Stores all games: takes journals from the devices, and keeps the derived tables up to date."""

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ..outcome import Trouble
from ..printable import say
from . import people, schema
from .damage import check_everything
from .database import Database
from .known_games import merged
from .migrations import prepare
from .results_file import default_path

if TYPE_CHECKING:
    from kiebitz.store.table import Table

    from .derive import Derived  # the rules are imported when a game is replayed: most commands only read

__all__ = ["Held", "Store", "default_path"]

_NOWHERE = Path(os.devnull, "nothing")  # no file can have this name
_TWIN = "~"  # between an id that several games have and the number of the game; no device has it in an id
YEAR_2100 = 4102444800  # a later time comes from a clock that was never set


def _to_stderr(message: str) -> None:
    say(message, sys.stderr)


def _size_of(path: Path) -> int | None:
    """Return the size of a file, None if there is none; raises Trouble for what can be no database."""
    try:
        if path.is_dir():
            raise Trouble(f"{path} is a folder; --db takes the name of a file.")
        if path.exists() and not path.is_file():
            raise Trouble(f"{path} is no regular file; --db takes the name of one.")
        return path.stat().st_size if path.exists() else None
    except OSError as trouble:
        raise Trouble(f"cannot use {path}: {trouble.strerror}.") from None


class Held:
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
        self.namesakes = namesakes  # the histories of other games that came with the same id
        self.played_at = at
        self.approximate = bool(approximate)
        self.damaged = bool(damaged)
        self.finished = bool(finished)

    @property
    def all_lines(self) -> list[list[str]]:
        """All that is stored under the id of the game, history by history."""
        return [self.lines, *self.variants, *self.namesakes]


class Store:
    """The database of results. Every change is on disk when it returns; Trouble means that nothing has changed.

    With create=False a missing file is not created, and one of 0 bytes stays so: the store is then empty, and must not
    be written. With create=True the whole file is checked, because a damaged one is never written to.
    """

    def __init__(
        self,
        path: str | Path,
        create: bool = True,
        now: Callable[[], float] = time.time,
        say: Callable[[str], None] = _to_stderr,
    ):
        self.path = Path(path)
        self.now = now
        if create:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as trouble:
                raise Trouble(f"the folder for {self.path} cannot be made: {trouble.strerror}.") from None
        size = _size_of(self.path)
        if size == 0 and not create:
            say(f"{self.path} has 0 bytes: if games are missing, `kiebitz rebuild --from FILE` takes over a backup.")
        self.db = Database(self.path, "rwc" if create else "rw" if size else "memory")
        try:
            prepare(self.db, self._derive_all, say, create or not size)
            if create and size:
                check_everything(self.db, schema.VERSION)
        except BaseException:
            self.db.close()
            raise

    @classmethod
    def copy_of(cls, db: Database) -> "Store":
        """Return a store in memory with the content of a database."""
        copy = cls(_NOWHERE, create=False)
        with copy.db.trouble():
            db.connection.backup(copy.db.connection)
        return copy

    def close(self) -> None:
        self.db.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def batch(self):
        """Return a context: `with store.batch():` makes everything inside one transaction."""
        return self.db.transaction()

    # --- journals ---

    def number(self, game_id: str) -> int | None:
        """Return the number under which a game is listed, or None."""
        return self.db.value("SELECT number FROM journals WHERE game = ?", game_id)

    def id_for(self, game_id: str, setup: str) -> str:
        """Return the id under which a game with this first line is stored, or is to be stored.

        This is its own id, unless another game came with the same id: then it gets a number, as in "id~2".
        """
        own = game_id.partition(_TWIN)[0]
        k, stored = 1, own
        while (first := self._first_line(stored)) is not None and first != setup:
            k += 1
            stored = f"{own}{_TWIN}{k}"
        return stored

    def _first_line(self, game_id: str) -> str | None:
        return self.db.value(
            "SELECT text FROM journals JOIN lines USING (number) WHERE game = ? AND variant = 0 AND n = 0", game_id
        )

    def histories(self, number: int) -> list[list[str]]:
        """Return the raw lines of a game, followed by those of its other histories."""
        found: dict[int, list[str]] = {}
        for variant, text in self.db.rows(
            "SELECT variant, text FROM lines WHERE number = ? ORDER BY variant, n", number
        ):
            found.setdefault(variant, []).append(text)
        return list(found.values())

    def held(self, game_id: str) -> Held | None:
        """Return what is stored of a game, also of a deleted one; None if the game was never stored."""
        row = self.db.row(
            "SELECT number, games.at, approximate, damaged, finished FROM journals JOIN games USING (number) "
            "WHERE game = ?",
            game_id,
        )
        if row is None:
            return None
        number, *about = row
        twins = self.db.rows("SELECT number FROM journals WHERE substr(game, 1, ?) = ?", *_twins_of(game_id))
        namesakes = [lines for (twin,) in twins for lines in self.histories(twin)]
        return Held(number, self.histories(number), namesakes, *about)

    def add_journal(
        self,
        game_id: str,
        lines: list[str],
        device: dict | None,
        played_at: int | None,
        approximate: bool,
        damaged: bool | None = False,
        table: "Table | None" = None,
    ) -> str:
        """Add the whole journal of a game. Returns "new", "longer", "same", "shorter", "apart" or "namesake".

        A namesake is a new game whose id another game has already: the two begin with different set-ups.
        table: the game after these lines, if they were replayed already.
        """
        if not lines:
            raise ValueError("a journal has at least its set-up")
        if not played_at or not 0 < played_at < YEAR_2100:
            played_at, approximate = None, True
        with self.db.transaction():
            self._see(device)
            stored = self.id_for(game_id, lines[0])
            number = self.number(stored)
            if number is None:
                number = self._insert(stored, lines, device, played_at, approximate, damaged)
                self.derive(number, table)
                return "new" if stored == game_id else "namesake"
            held = self.histories(number)
            word, histories = merged(held, lines)
            if word in ("longer", "apart"):
                self._replace(number, held, histories)
            if histories[0] != lines:
                damaged = table = None  # about another history, or about fewer lines
            if self._update(number, played_at, approximate, damaged, word) or histories != held:
                self.derive(number, table)
            return word

    def _see(self, device: dict | None) -> None:
        """Store a device and the time when it was last connected."""
        if device:
            values = [device.get(key) for key in ("product", "version", "name")]
            self.db.run(
                "INSERT INTO devices (id, product, version, name, seen) VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT (id) DO UPDATE SET product = coalesce(excluded.product, product), "
                "version = coalesce(excluded.version, version), name = coalesce(excluded.name, name), "
                "seen = excluded.seen",
                device["id"],
                *values,
                int(self.now()),
            )

    def _insert(self, game_id, lines, device, played_at, approximate, damaged) -> int:
        now = int(self.now())
        number = self.db.run(
            "INSERT INTO journals (game, device, received, at, approximate, damaged) VALUES (?, ?, ?, ?, ?, ?)",
            game_id,
            device["id"] if device else None,
            now,
            played_at or now,
            bool(approximate),
            bool(damaged),
        )
        assert number is not None
        self._write(number, 0, lines)
        return number

    def _write(self, number: int, variant: int, lines: list[str], start: int = 0) -> None:
        rows = [(number, variant, n, text) for n, text in enumerate(lines) if n >= start]
        self.db.many("INSERT INTO lines VALUES (?, ?, ?, ?)", rows)

    def _replace(self, number: int, held: list[list[str]], histories: list[list[str]]) -> None:
        """Write the histories in their new order; of a game that has only grown, write only the new lines."""
        if histories[0][: len(held[0])] == held[0] and histories[1:] == held[1:]:
            self._write(number, 0, histories[0], len(held[0]))
            return
        self.db.run("DELETE FROM lines WHERE number = ?", number)
        for variant, lines in enumerate(histories):
            self._write(number, variant, lines)

    def _update(self, number: int, played_at, approximate, damaged, word: str) -> bool:
        """Update time and damage of a game. Returns True if that changed anything.

        An exact time replaces an estimated one. A damage is cleared when the device sends more lines, undamaged.
        """
        row = self.db.row("SELECT at, approximate, damaged FROM journals WHERE number = ?", number)
        assert row is not None
        at, rough, was_damaged = row
        if rough and played_at and not approximate:
            at, rough = played_at, 0
        if damaged is not None:
            was_damaged = int(damaged or (was_damaged and word == "same"))
        if (at, rough, was_damaged) == row:
            return False
        self.db.run(
            "UPDATE journals SET at = ?, approximate = ?, damaged = ? WHERE number = ?", at, rough, was_damaged, number
        )
        return True

    # --- what is derived ---

    def corrections(self, number: int) -> list[tuple[int, int, str | None, str | None]]:
        """Return (id, entry, old, new) for the corrections of a game that were not undone."""
        return self.db.rows(
            "SELECT id, entry, old, new FROM corrections WHERE number = ?1 AND undoes IS NULL AND id NOT IN "
            "(SELECT undoes FROM corrections WHERE number = ?1 AND undoes IS NOT NULL) ORDER BY id",
            number,
        )

    def replayed(self, number: int, table: "Table | None" = None) -> "Derived":
        """Return the game, replayed with its corrections; `table` has all its lines already."""
        from .derive import Derived

        lines = self.db.rows("SELECT text FROM lines WHERE number = ? AND variant = 0 ORDER BY n", number)
        return Derived([text for (text,) in lines], self.corrections(number), table)

    def derive(self, number: int, table: "Table | None" = None) -> "Derived":
        """Derive everything about one game anew; `table` as in replayed(). Returns the derived game."""
        derived = self.replayed(number, table)
        with self.db.transaction():
            self._forget(number)
            self._write_game(number, derived)
            rows = enumerate(derived.rows())
            self.db.many(
                "INSERT INTO rounds VALUES (?, ?, ?, ?)",
                [(number, n, label, json.dumps(points)) for n, (label, points) in rows],
            )
        return derived

    def _forget(self, number: int) -> None:
        for name in ("rounds", "scores", "games"):
            self.db.run(f"DELETE FROM {name} WHERE number = ?", number)

    def _write_game(self, number: int, derived: "Derived") -> None:
        deleted = self.db.value("SELECT removed FROM removals WHERE number = ? ORDER BY id DESC LIMIT 1", number)
        at = self.db.value("SELECT at FROM journals WHERE number = ?", number)
        table = derived.table
        self.db.run(
            "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            number,
            derived.kind,
            table.game.phase if table else None,
            derived.finished,
            derived.early,
            len(table) if table else 0,
            len(self.corrections(number)) - len(derived.unfit),
            derived.flaw,
            deleted or 0,
            at,
        )
        seats = [people.person_of(self.db, name) for name in derived.names]
        scores = enumerate(zip(seats, derived.scores(), strict=True))
        self.db.many(
            "INSERT INTO scores VALUES (?, ?, ?, ?, ?, ?, ?)", [(number, p, who, *score) for p, (who, score) in scores]
        )

    def rebuild(self, on_progress: Callable[[int, int], object] | None = None) -> int:
        """Derive everything anew from the journals. Returns the number of games."""
        with self.db.transaction():
            self.db.script(schema.DROP_DERIVED)
            self.db.script(schema.DERIVED)
            return self._derive_all(on_progress)

    def _derive_all(self, on_progress: Callable[[int, int], object] | None = None) -> int:
        numbers = self.db.rows("SELECT number FROM journals ORDER BY number")
        for done, (number,) in enumerate(numbers, 1):
            self.derive(number)
            if on_progress:
                on_progress(done, len(numbers))
        return len(numbers)

    # --- people, for the device ---

    def renames(self) -> dict[str, str]:
        """Return {spelling: name} for spellings that are no longer used."""
        return people.renames(self.db)

    def players_names(self) -> list[str]:
        """Return the names of all who have played, those who played last first."""
        return people.names(self.db)

    def roster_names(self) -> list[str]:
        """Return the names for the roster of a device: as many as it keeps, and only those it accepts."""
        from kiebitz.store.roster import NAMES_MAX

        return [name for name in self.players_names() if _fits(name)][:NAMES_MAX]


def _twins_of(game_id: str) -> tuple[int, str]:
    """Return (length, beginning) of the ids of other games that came with this id."""
    start = game_id + _TWIN
    return len(start), start


def _fits(name: str) -> bool:
    from kiebitz.games import Refused
    from kiebitz.games.base import check_name

    try:
        return check_name(name) == name
    except Refused:
        return False
