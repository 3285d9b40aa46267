"""Manage the project's cache folder for files that are slow to build and the same for every checkout.

A cached file is used only if it still has the hash with which it was stored.
"""

import hashlib
import json
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from kiebitz_host import system
from kiebitz_host.outcome import Trouble
from kiebitz_host.system import locked


def cache_folder() -> Path:
    """Return the cache folder; create it if missing."""
    folder = system.cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as trouble:
        raise Trouble(f"cannot make the cache folder {folder}: {trouble.strerror}.") from None
    return folder


@contextmanager
def only_one(name: str, say):
    """Hold an exclusive lock between processes while `name` is being built."""
    with locked(cache_folder() / f"{name}.lock", lambda: say(f"waiting: another process makes {name}")):
        yield


Entry = tuple[str, int, int]  # SHA-256, size, time of the last change in nanoseconds


def seal(path: Path, known: dict[str, Entry] | None = None) -> None:
    """Store the hashes of a file or of all files in a folder; unchanged files in `known` are not read."""
    _seal_of(path).write_text(json.dumps(_entries(path, known or {})))


def sealed(path: Path) -> dict[str, Entry] | None:
    """Return the entries of a file or folder if every file has the hash it was sealed with, and none is new or gone."""
    try:
        wanted = {name: tuple(entry) for name, entry in json.loads(_seal_of(path).read_text()).items()}
        found = _entries(path, {})
    except (OSError, ValueError, AttributeError, TypeError):
        return None
    same = {name: entry[0] for name, entry in found.items()} == {name: entry[0] for name, entry in wanted.items()}
    return found if same and found else None


def _seal_of(path: Path) -> Path:
    """Return the file that holds the hashes of a file or folder."""
    return path.with_name(path.name + ".sha256")


def _entries(path: Path, known: dict[str, Entry]) -> dict[str, Entry]:
    """Return {name: entry} of a file or of all files in a folder."""
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]

    def entry(file: Path) -> tuple[str, Entry]:
        name, state = str(file.relative_to(path.parent)), file.stat()
        kept = known.get(name)
        if kept and kept[1:] == (state.st_size, state.st_mtime_ns):
            return name, kept
        return name, (hashlib.sha256(file.read_bytes()).hexdigest(), state.st_size, state.st_mtime_ns)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(pool.map(entry, files))
