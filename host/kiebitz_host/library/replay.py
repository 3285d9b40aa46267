"""Replay the lines of a recorded game through the rules."""

import json
from collections.abc import Iterable

from kiebitz.games import GAMES, Refused
from kiebitz.games.base import bad
from kiebitz.store.replay import ReplayedTable, parse
from kiebitz.store.table import Table
from kiebitz.text import refusal, text
from kiebitz.text.describe import describe


class Replay:
    """A recording, replayed to its end or to the first refused line."""

    def __init__(self, lines: Iterable[bytes]):
        self.script = ReplayedTable()
        self.refused: Refused | None = None
        self.kind = None  # the kind of game named by a refused set-up
        try:
            for line in lines:
                self._feed(line)
            self.script.close()
        except Refused as refused:
            self.refused = refused

    def _feed(self, line: bytes) -> None:
        if _has_constants(line):
            self.script.line += 1
            raise bad("line")
        try:
            self.script.feed(line)
        except Refused:
            if self.table is None:
                self.kind = _kind_of(line)
            raise

    @property
    def table(self) -> Table | None:
        return self.script.table

    @property
    def line(self) -> int:
        """The number of the last line read, which is the refused line if there is one."""
        return self.script.line

    @property
    def message(self) -> str:
        """The reason of the refusal; if another entry would no longer fit, with that entry."""
        if self.table is None or self.refused is None or self.refused.at is None:
            return refusal(self.refused, self.table.game.names if self.table else [])
        names, kind = self.table.game.names, self.table.game.KIND
        what = describe(self.table.event(self.refused.at), names, kind)
        return text("history.later", what=what, why=refusal(self.refused, names))

    def report(self) -> dict:
        """Return the state for JSON."""
        report: dict = {"game": self.kind, "phase": None, "players": [], "events": 0, "totals": [], "winners": []}
        report["refused"] = None
        if self.table:
            report.update(self.table.game.summary(), events=len(self.table))
        if self.script.minutes:
            report["minutes"] = self.script.minutes
        if self.refused:
            report["refused"] = {"line": self.line, "code": self.refused.code, "message": self.message}
        return report


def _has_constants(line: bytes) -> bool:
    """Return True if the line has NaN or Infinity, which Python's parser accepts although they are not JSON."""
    if b"NaN" not in line and b"Infinity" not in line:
        return False
    found: list[str] = []
    try:
        json.loads(line, parse_constant=found.append)
    except (ValueError, RecursionError):
        return False  # the replay reports the error, too
    return bool(found)


def _kind_of(line: bytes):
    """Return the kind of game named by a refused set-up, or None."""
    try:
        kind = parse(line).get("game")
    except Refused:
        return None
    return kind if kind in GAMES else None
