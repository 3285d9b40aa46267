"""Holds what both engines share: statements that return one row or one value, and transactions."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from ..outcome import Trouble


class AnyDatabase(ABC):
    """A connection whose errors are sentences; every change happens inside transaction()."""

    engine = ""  # the name of the engine
    begins = "BEGIN"  # the statement with which a transaction begins

    def __init__(self, path: Path | str):
        self.path = path
        self.now: Callable[[], float] = time.time
        self.connection: Any = None
        self._depth = 0

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()

    @abstractmethod
    def trouble(self) -> AbstractContextManager[None]:
        """Turn errors of the engine into Trouble."""

    # --- transactions ---

    @property
    def is_changing(self) -> bool:
        """True inside a transaction."""
        return self._depth > 0

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run a block completely or not at all, stored when it ends. Inside another transaction, join that one.

        A trouble in the block says so if somebody else has changed the database since it was opened here.
        """
        if self._depth:
            yield
            return
        self.run(self.begins)
        self._depth = 1
        try:
            self._enter()
            yield
            self._commit()
        except Trouble as trouble:
            self._roll_back()
            if type(trouble) is Trouble and self._is_overtaken():
                raise Trouble(f"somebody else was quicker and has changed {self.path} meanwhile: {trouble}") from None
            raise
        except BaseException:
            self._roll_back()
            raise
        finally:
            self._depth = 0

    def _enter(self) -> None:  # noqa: B027 - a file needs nothing
        """Do what must come first in every transaction."""

    def _commit(self) -> None:
        self.run("COMMIT")

    @abstractmethod
    def _roll_back(self) -> None:
        """Take the open transaction back, if there is one; raises nothing."""

    @abstractmethod
    def _is_overtaken(self) -> bool:
        """Return True if somebody else has changed the database since it was opened here."""

    # --- statements ---

    @abstractmethod
    def rows(self, sql: str, *values) -> list[tuple]:
        """Return all rows of a query."""

    @abstractmethod
    def run(self, sql: str, *values) -> None:
        """Execute a statement that returns no rows."""

    def row(self, sql: str, *values) -> tuple | None:
        """Return the first row, or None."""
        found = self.rows(sql, *values)
        return found[0] if found else None

    def value(self, sql: str, *values):
        """Return the first column of the first row, or None."""
        found = self.row(sql, *values)
        return found[0] if found else None

    def create(self, sql: str) -> None:
        """Execute the statements that create tables."""
        self.script(sql)

    def script(self, sql: str) -> None:
        """Execute several statements within the open transaction."""
        for statement in sql.split(";"):
            if statement.strip():
                self.run(statement)
