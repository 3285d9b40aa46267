"""Keeps what takes long to compute until the store changes: the league of thousands of games."""

import threading
from collections.abc import Callable, Hashable
from typing import Any

from ..results.store import Store

KEPT_MAX = 16  # values; the oldest goes first
_COUNTER = slice(24, 28)  # of the header of an SQLite file: a number that grows with every change

_kept: dict[Hashable, tuple[Hashable, Any]] = {}
_one_at_a_time = threading.Lock()


def kept(store: Store, key: Hashable, make: Callable[[], Any]) -> Any:
    """Return what make() returns for this key, or what it has returned since the store was changed last."""
    state = state_of(store)
    if state is None:
        return make()
    with _one_at_a_time:  # of many who ask for the same, one computes
        key = (str(store.path), key)
        found = _kept.get(key)
        if found is None or found[0] != state:
            found = (state, make())
            _kept.pop(key, None)
            _kept[key] = found
            while len(_kept) > KEPT_MAX:
                del _kept[next(iter(_kept))]
        return found[1]


def state_of(store: Store) -> Hashable | None:
    """Return something that differs whenever the store was changed; None if that cannot be said."""
    path = store.path
    if isinstance(path, str):
        return None if store.is_missing else store.db.change_count()
    try:
        with open(path, "rb") as file:
            counter = file.read(_COUNTER.stop)[_COUNTER]
        about = path.stat()
    except OSError:
        return None
    return counter, about.st_mtime_ns, about.st_size, about.st_ino
