"""Read and write an exchange folder: a file for each journal and each decision.

The name of a file is a hash of its content, so a file is never rewritten, and a truncated or corrupt copy is detected.
Files are written under a temporary name and renamed, so a concurrent reader never sees a partial file. Any way to merge
folders works: a synced folder, a USB stick, git.
"""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from ..library.journal_record import RECORD_MAX
from ..outcome import Trouble
from ..printable import printable
from .exchange import Item, left_out

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
