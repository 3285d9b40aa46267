"""Exchange all journals and decisions between two places: laptops, folders, a club.

A place is a store or a folder. Journals and decisions are named by a hash of their content, so the missing ones are the
difference of two sets of names, and what both have is never sent. Everything received is validated. It is stored in
batches, each in one transaction, so an interrupted exchange resumes at the next run.

An exchange folder has a file for each journal and each decision. The name of a file is a hash of its content, so a file
is never rewritten, and a truncated or corrupt copy is detected. Files are written under a temporary name and renamed,
so a concurrent reader never sees a partial file. Any way to merge folders works: a synced folder, a USB stick, git.
"""

import os
import secrets
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import NamedTuple, Protocol

from ..library import decisions, journal_record, journals
from ..library.decisions import BadDecision, Decision
from ..library.journal_record import RECORD_MAX, BadRecord, Record
from ..library.store import Store
from ..outcome import Trouble
from ..printable import printable

PORTION = 500  # journals or decisions per transaction
PORTION_BYTES = 16_000_000  # of their contents, which a hostile member can make as long as a record may be

JOURNALS = "journals"
DECISIONS = "decisions"


class Item(NamedTuple):
    """A validated journal or decision."""

    name: str
    content: bytes
    value: Record | Decision


class Side(Protocol):
    """A place that takes part in an exchange; `what` is JOURNALS or DECISIONS.

    A sentence about every item that is left out is appended to `skipped`.
    """

    def names(self, what: str) -> set[str]:
        """Return the names of all items."""

    def read(self, what: str, names: list[str], skipped: list[str]) -> Iterator[tuple[str, bytes]]:
        """Yield (name, content); skip unreadable items."""

    def write(self, what: str, items: list[Item], skipped: list[str]) -> int:
        """Add items, all of them or none. Returns how many changed anything."""

    def in_bulk(self) -> AbstractContextManager[None]:
        """Return the context in which everything is written."""


class Report(NamedTuple):
    """The counts of an exchange."""

    taken: dict[str, int]
    given: dict[str, int]
    skipped: list[str]  # sentences


def name_of(what: str, content: bytes) -> str:
    """Return the name of a journal or a decision."""
    if what == JOURNALS:
        return journal_record.digest_of(content).hex()
    return decisions.id_of(content.decode("utf-8", "replace"))


def decoded(what: str, name: str, content: bytes) -> Item:
    """Validate a content under its name. Raises BadRecord or BadDecision."""
    if name_of(what, content) != name:
        raise BadRecord("its content does not match its name")
    if what == JOURNALS:
        return Item(name, content, journal_record.decode(content))
    try:
        return Item(name, content, decisions.decode(content.decode()))
    except UnicodeDecodeError:
        raise BadDecision("it is not text") from None


def left_out(what: str, name: str, why: object) -> str:
    """Return the sentence about an item that is left out."""
    return f"{what[:-1]} {name} was left out: {why}."


class StoreSide:
    """The store of a laptop or of a club."""

    def __init__(self, store: Store):
        self._store = store
        self.new: list[Decision] = []  # decisions written here
        self.in_bulk = store.in_bulk

    def names(self, what: str) -> set[str]:
        """Return the names of all journals or decisions in the store."""
        if what == JOURNALS:
            return {digest.hex() for digest in journals.digests(self._store.db).values()}
        return decisions.ids(self._store.db)

    def read(self, what: str, names: list[str], skipped: list[str]) -> Iterator[tuple[str, bytes]]:
        """Yield (name, content) of items in the store."""
        db, wanted = self._store.db, set(names)
        if what == DECISIONS:
            for name, text in decisions.contents(db).items():
                if name in wanted:
                    yield name, text.encode()
            return
        digests = journals.digests(db)
        chosen = {number: digest.hex() for number, digest in digests.items() if digest.hex() in wanted}
        for number, content in journals.contents(db, list(chosen)):
            yield chosen[number], content

    def write(self, what: str, items: list[Item], skipped: list[str]) -> int:
        """Add items to the store. Returns how many changed anything."""
        if what == DECISIONS:
            return self._decide(items, skipped)
        added = self._store.add_records([item.value for item in items if isinstance(item.value, Record)])
        for one in added:
            if one.left_out:
                count = "1 history was" if one.left_out == 1 else f"{one.left_out} histories were"
                skipped.append(f"{count} left out of game {one.record.own}: {journal_record.LIMITS}.")
        return sum(one.changed for one in added)

    def _decide(self, items: list[Item], skipped: list[str]) -> int:
        """Add decisions; leave out those with a clock that is too far ahead."""
        texts = []
        for item in items:
            try:
                if isinstance(item.value, Decision):
                    decisions.check_time(item.value, self._store.now())
                texts.append(item.content.decode())
            except BadDecision as bad:
                skipped.append(left_out(DECISIONS, item.name, bad))
        new = self._store.add_decisions(texts)
        self.new += new
        return len(new)


def exchange(
    here: Side, there: Side, skipped: list[str], on_progress: Callable[[int, int], object] = lambda *_: None
) -> Report:
    """Fetch what is missing here, then send what is missing there. Returns the report.

    skipped: gets a sentence about every item that is left out.
    """
    taken, given = {}, {}
    with here.in_bulk():
        for what in (JOURNALS, DECISIONS):
            missing = there.names(what) - here.names(what)
            taken[what] = _move(what, there, here, missing, skipped, on_progress)
    with there.in_bulk():
        for what in (JOURNALS, DECISIONS):
            missing = here.names(what) - there.names(what)
            given[what] = _move(what, here, there, missing, skipped, on_progress)
    return Report(taken, given, skipped)


def _move(what: str, source: Side, target: Side, missing: set[str], skipped: list[str], on_progress: Callable) -> int:
    """Copy the missing contents to the target. Returns how many changed anything there."""
    changed = done = 0
    for portion in _portions(source.read(what, sorted(missing), skipped)):
        sound = []
        for name, content in portion:
            try:
                sound.append(decoded(what, name, content))
            except (BadRecord, BadDecision) as bad:
                skipped.append(left_out(what, name, bad))
        changed += target.write(what, sound, skipped)
        done += len(portion)
        on_progress(done, len(missing))
    return changed


def _portions(contents: Iterable[tuple[str, bytes]]) -> Iterator[list[tuple[str, bytes]]]:
    portion: list[tuple[str, bytes]] = []
    size = 0
    for one in contents:
        portion.append(one)
        size += len(one[1])
        if len(portion) == PORTION or size > PORTION_BYTES:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion


def need_other(store: Store, place: str) -> None:
    """Raise Trouble if the other place is the store itself."""
    if str(store.path) == place:
        raise Trouble("this is the same place twice: name another one.")


README = "README.txt"
ABOUT = (
    "Games of Kiebitz, exchanged between laptops by `kiebitz exchange`. A file for each game and each decision;\n"
    "none of them is ever changed. Nothing in here needs to be edited, renamed or removed.\n"
)
SUFFIX = ".kiebitz"
_BESIDE = ".part"  # suffix of a file that is being written
_LETTERS = 32


class Folder:
    """A folder for an exchange."""

    def __init__(self, path: Path):
        self.path = path
        try:
            if not path.is_dir():
                raise Trouble(f"{path} is not a folder: create it first, or name an existing one.")
            if not os.path.lexists(path / README):
                _write_all({path / README: ABOUT.encode()})
        except OSError as trouble:
            raise self._trouble(trouble) from None

    def _trouble(self, trouble: OSError) -> Trouble:
        return Trouble(
            f"cannot use {printable(os.fsdecode(trouble.filename or self.path))}: {trouble.strerror}. What was "
            "exchanged so far stays; run it again."
        )

    def _place(self, what: str, name: str) -> Path:
        return self.path / what / name[:2] / (name + SUFFIX)

    def names(self, what: str) -> set[str]:
        """Return the names of all files that may be journals or decisions."""
        found = set()
        try:
            for folder in _listed(self.path / what):
                if folder.is_dir(follow_symlinks=False):
                    found |= {_name(entry) for entry in _listed(folder.path)} - {""}
        except OSError as trouble:
            raise self._trouble(trouble) from None
        return found

    def read(self, what: str, names: list[str], skipped: list[str]) -> Iterator[tuple[str, bytes]]:
        """Yield (name, content) of files; report and skip unreadable ones."""
        for name in names:
            path = self._place(what, name)
            try:
                content = _content(path)
            except OSError as trouble:
                skipped.append(left_out(what, name, trouble.strerror))
                continue
            if content is None:
                skipped.append(left_out(what, name, "it is not a regular file, or too long"))
            else:
                yield name, content

    def write(self, what: str, items: list[Item], skipped: list[str]) -> int:
        """Write a file for each item. Returns how many."""
        files = {}
        try:
            for item in items:
                path = self._place(what, item.name)
                if _made(path.parent):
                    files[path] = item.content
                else:
                    skipped.append(left_out(what, item.name, f"{printable(str(path.parent))} is not a folder"))
            _write_all(files)
        except OSError as trouble:
            raise self._trouble(trouble) from None
        return len(files)

    def in_bulk(self) -> AbstractContextManager[None]:
        """Return a context that does nothing, because each file is complete on its own."""
        return nullcontext()


def _made(folder: Path) -> bool:
    """Create a folder. Returns False if something else is in its place."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        return False
    return not folder.is_symlink()


def _listed(path: str | Path) -> list[os.DirEntry]:
    """Return the entries of a folder; none if it does not exist."""
    try:
        with os.scandir(path) as entries:
            return list(entries)
    except (FileNotFoundError, NotADirectoryError):
        return []


def _name(entry: os.DirEntry) -> str:
    """Return the item name of a file; empty if it is not one of ours."""
    name = entry.name.removesuffix(SUFFIX)
    ours = entry.name.endswith(SUFFIX) and len(name) == _LETTERS and set(name) <= set("0123456789abcdef")
    return name if ours and os.path.basename(os.path.dirname(entry.path)) == name[:2] else ""


def _content(path: Path) -> bytes | None:
    """Return the content of a file; None if it is not a regular file, or too large."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(handle, "rb") as file:
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode) or about.st_size > RECORD_MAX:
            return None
        return file.read(RECORD_MAX)


def _write_all(contents: dict[Path, bytes]) -> None:
    """Write files under temporary names, sync them to disk, and rename them; safe for concurrent writers."""
    written: dict[Path, Path] = {}
    try:
        for path, content in contents.items():
            beside = path.with_name(f"{path.name}.{secrets.token_hex(4)}{_BESIDE}")
            written[beside] = path
            with open(beside, "xb") as file:
                file.write(content)
                if not hasattr(os, "sync"):
                    file.flush()
                    os.fsync(file.fileno())
        if hasattr(os, "sync"):
            os.sync()  # once for all files: a sync per file takes five times as long
        for beside, path in written.items():
            os.replace(beside, path)
    except BaseException:
        for beside in written:
            beside.unlink(missing_ok=True)
        raise
