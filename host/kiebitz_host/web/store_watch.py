"""Waits in a thread for changes of the store, whoever makes them: a club's server announces each, a file is looked at.

A server that goes away is asked for again until it is back; what has changed meanwhile is told then.
"""

import threading
from argparse import Namespace
from collections.abc import Callable, Hashable

from ..outcome import Trouble
from ..results.results_file import read_store
from ..results.store import Store
from .kept import state_of
from .moments import Seen
from .stored_tables import StoredTables

WAIT_S = 2.0  # for a change, before it is looked whether the program ends
AGAIN_S = 1.0  # until a server that does not answer is asked again


class StoreWatch:
    """Calls tell(tables) at the start and after every change, with the tables of a club as its database has them."""

    def __init__(self, args: Namespace, tell: Callable[[list[Seen]], None]):
        self._args = args
        self._tell = tell
        self._tables = StoredTables()
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watch the store", daemon=True)
        self._state: Hashable | None = None  # of the store, when it was told last

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End soon: nobody waits for the thread, which only reads."""
        self._ends.set()

    def _run(self) -> None:
        while not self._ends.is_set():
            try:
                with read_store(self._args) as store:
                    self._follow(store)
            except Trouble:
                pass  # the pages say what it is when somebody asks for one
            self._ends.wait(AGAIN_S)

    def _follow(self, store: Store) -> None:
        """Tell of every change of an open store; ends if there is nothing to wait for."""
        store.db.wait_for_change(0)  # from here on every change is noticed
        if state_of(store) != self._state:
            self._tell_now(store)
        while not store.is_missing and not self._ends.is_set():
            if store.db.wait_for_change(WAIT_S) or self._tables.are_due():
                self._tell_now(store)

    def _tell_now(self, store: Store) -> None:
        self._state = state_of(store)
        self._tell(self._tables.found(store))
