"""Manages the project's cache folder, for files that take long to make and are the same for every checkout."""

import os
from contextlib import contextmanager
from pathlib import Path

from kiebitz_host.outcome import Trouble


def cache_folder() -> Path:
    """Return the cache folder, as the XDG rules define it; create it if missing."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kiebitz"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as trouble:
        raise Trouble(f"cannot make the cache folder {folder}: {trouble.strerror}.") from None
    return folder


@contextmanager
def only_one(name: str, say):
    """Lock the making of `name` against other processes, and wait while another process makes it."""
    with open(cache_folder() / f"{name}.lock", "ab") as file:
        try:
            import fcntl
        except ImportError:  # no such locks here: at worst the work is done twice
            yield
            return
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            say(f"waiting: another process makes {name}")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
