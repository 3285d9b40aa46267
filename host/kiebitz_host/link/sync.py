"""Sync the games of one device to the store: download, check, replay, date, store and confirm them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from kiebitz.games import Refused
from kiebitz.games.base import bad, check_name
from kiebitz.link import EARLIEST, LATEST
from kiebitz.store.replay import ReplayedTable
from kiebitz.store.table import Table
from kiebitz.text import text

from .channel import Value
from .client import Client
from .journal import JournalDownload, mark

# Results of Store.add_journal() if the lines are stored
STORED = ("new", "longer", "same", "shorter", "apart", "namesake")
# Estimated duration of each of several undated games in a row: an evening of games, the last one just before the next
# known time
GAME_S = 3600
# A clock that is further ahead than this is wrong
AHEAD_S = 86_400


def sensible_times(entries: list[Value], held: dict[str, Any], now: int) -> dict[str, tuple[int, bool]]:
    """Return {game: (unix seconds, True if estimated)} for the games of a device, listed newest first.

    The order in which the games began is certain, so an estimate is between its known neighbours.
    """
    times: dict[str, tuple[int, bool]] = {}
    undated: list[str] = []
    upper = now
    for entry in entries:
        known = _known(entry, held.get(entry["id"]), now)
        if known is None:
            undated.append(entry["id"])
            continue
        times.update(_guesses(undated, known[0], upper))
        times[entry["id"]] = known
        undated = []
        upper = min(upper, known[0])
    times.update(_guesses(undated, None, upper))
    return times


def _known(entry: Value, held: Any, now: int) -> tuple[int, bool] | None:
    at = entry.get("at", 0)
    if 0 < at <= now + AHEAD_S:
        return at, False
    return (held.played_at, held.approximate) if held else None


def _guesses(undated: list[str], lower: int | None, upper: int) -> dict[str, tuple[int, bool]]:
    """Return estimated times between two moments for consecutive games, newest first."""
    step = GAME_S
    if lower is not None:
        step = max(0, min(GAME_S, (upper - lower) // (len(undated) + 1)))
    return {game_id: (upper - step * k, True) for k, game_id in enumerate(undated, 1)}


# A whole sync takes seconds. A device that is not done by then sends too slowly
SYNC_S = 1800.0


@dataclass
class SyncedGame:
    """The result of a sync for one game of the device."""

    id: str
    game: str = ""
    players: list[str] = field(default_factory=list)
    title: str = ""  # of a game that has one
    outcome: str = "same"  # from the store, or "unreadable"
    entries: int = 0  # fetched, including the set-up
    finished: bool = False
    confirmed: bool = False
    estimated: bool = False  # the time when the game was played
    flaw: str = ""  # a sentence if a part of the game could not be stored
    thrown: bool = False  # discarded on the device


@dataclass
class SyncReport:
    """The result of one sync with one device."""

    port: str
    device: str
    version: str
    games: list[SyncedGame] = field(default_factory=list)
    aside: int = 0  # corrupt files on the device
    clock_was_set: bool = False  # before this sync
    renamed: list[tuple[str, str]] = field(default_factory=list)

    @property
    def news(self) -> list[SyncedGame]:
        return [game for game in self.games if game.outcome in ("new", "longer", "apart", "namesake")]


class _Wanted:
    """A game with lines that must be fetched."""

    def __init__(self, fetched: SyncedGame, entry: Value, held: Any, time: tuple[int, bool]):
        self.fetched = fetched
        self.entry = entry
        self.held = held
        self.time = time
        self.known = [*_beginnings(held, entry["lines"]), []]  # possible prefixes, tried in turn


class Sync:
    """Copy the games of one device to the store.

    Calls `on_progress` with (entries received, entries expected).
    """

    def __init__(self, client: Client, store: Any, now: int, on_progress: Callable[[int, int], None] = lambda *_: None):
        self._client = client
        self._store = store
        self._now = now
        self._on_progress = on_progress
        self._done = 0  # lines received
        self._here = 0  # lines of the games that are completely stored
        self._total = 0
        self._kept: dict[str, str] = {}  # the stored games with their marks

    def run(self) -> SyncReport:
        """Run the whole sync.

        Returns its report. LinkTrouble loses nothing, because the next run resumes where this one stopped.
        """
        self._client.give_up_after(SYNC_S)
        who = self._client.hello()
        report = SyncReport(self._client.port, who["device"], who["version"], clock_was_set=bool(who["now"]))
        if EARLIEST <= self._now <= LATEST:  # else this computer's clock is wrong as well
            self._client.set_clock(self._now)
        entries, report.aside = self._client.games()
        held = {entry["id"]: self._store.stored_game(entry["id"]) for entry in entries}
        times = sensible_times(entries, held, self._now)
        device = {"id": who["device"], "version": who["version"], "product": who["product"], "name": report.port}
        self._total = sum(_missing(entry, held[entry["id"]]) for entry in entries)
        self._on_progress(0, self._total)
        wanted = []
        for entry in reversed(entries):  # the oldest first: an interruption leaves the store without gaps
            fetched, is_here = self._listed(entry, held[entry["id"]])
            report.games.append(fetched)
            if not is_here:
                wanted.append(_Wanted(fetched, entry, held[entry["id"]], times[entry["id"]]))
        self._read(wanted, device)
        self._decide(report, {entry["id"]: entry.get("mark", "") for entry in entries})
        everything = all(game.confirmed or game.id in self._kept for game in report.games)
        confirmed = self._client.confirm(self._kept, everything)
        for game in report.games:
            game.confirmed = game.confirmed or game.id in confirmed
        report.renamed = self._rename()
        return report

    # --- one game ---

    def _listed(self, entry: Value, held: Any) -> tuple[SyncedGame, bool]:
        """Return (the result so far from the device's list, True if nothing must be fetched)."""
        fetched = SyncedGame(entry["id"], entry.get("game", ""), entry.get("players", []), entry.get("title", ""))
        if "lines" not in entry:
            fetched.outcome = "unreadable"
            fetched.flaw = text("flaw.first")
            return fetched, True
        fetched.finished, fetched.confirmed = entry["finished"], entry["confirmed"]
        is_here = _has(held, entry["id"], entry["lines"], entry["mark"])
        if is_here:
            self._confirm(fetched, entry["mark"])
        return fetched, is_here

    def _read(self, games: list["_Wanted"], device: dict) -> None:
        """Fetch games, and store each as soon as it is complete.

        If the stored lines are a prefix of the device's lines, only the missing lines are fetched.
        """
        while games:
            by_id = {game.entry["id"]: game for game in games}
            again = []
            readings = [JournalDownload(game_id, game.known[0], game.entry["lines"]) for game_id, game in by_id.items()]
            come = dict.fromkeys(by_id, 0)  # lines of each game
            for reading in self._client.read_all(readings):
                self._count(len(reading.lines) - come[reading.id])
                come[reading.id] = len(reading.lines)
                if not reading.ended:
                    continue
                game = by_id[reading.id]
                lines = game.known.pop(0) + reading.lines
                agrees = _agrees(game.entry, lines)
                if game.known and not agrees and not reading.code:
                    again.append(game)
                    continue
                self._keep(game, lines, reading.whole and agrees, reading.code, device)
                self._here += _missing(game.entry, game.held)
                self._done = max(self._done, self._here)
                self._on_progress(self._done, self._total)
            games = again

    def _keep(self, game: "_Wanted", lines: list[str], whole: bool, code: str, device: dict) -> None:
        entry, fetched = game.entry, game.fetched
        if code == "E_GAME" or (code and not lines):
            fetched.flaw = text("flaw.gone") if code == "E_GAME" else text("flaw.unreadable", code=code)
            fetched.outcome = "unreadable"
            return
        good, table, flaw = taken = replayed(lines)
        if flaw or not whole:
            flaw = flaw or text("flaw.line", n=len(lines) + 1)
        elif entry["damaged"]:
            flaw = text("flaw.part")
        key = "flaw.taken" if good else "flaw.nothing"
        fetched.flaw = text(key, flaw=flaw, n=len(good) - 1) if flaw else ""
        if not good:
            fetched.outcome = "unreadable"
            return
        fetched.estimated = game.time[1]
        fetched.outcome = self._store.add_journal(entry["id"], good, device, *game.time, bool(flaw), table)
        if fetched.outcome not in STORED:
            fetched.outcome, fetched.flaw = "unreadable", text("flaw.nothing", flaw=text("flaw.long"))
            return
        fetched.entries = len(good) - (_stored_of(good, game.held) if fetched.outcome == "longer" else 0)
        fetched.finished = taken.finished
        fetched.confirmed = False
        if whole and good == lines:
            self._confirm(fetched, mark(entry["id"], good))

    def _count(self, lines: int) -> None:
        if lines:
            self._done = min(self._done + lines, self._total)
            self._on_progress(self._done, self._total)

    def _confirm(self, fetched: SyncedGame, whole: str) -> None:
        """Mark a game for confirmation. The device is notified at the end, and may then delete the game."""
        if not fetched.confirmed:
            self._kept[fetched.id] = whole

    # --- decisions ---

    def _decide(self, report: SyncReport, marks: dict[str, str]) -> None:
        """Apply the games discarded or restored on the device, before any game is confirmed."""
        for game in report.games:
            game.thrown = game.id in self._client.thrown
        self._store.take_over_thrown(report.device, marks, self._client.thrown)

    # --- names ---

    def _rename(self) -> list[tuple[str, str]]:
        """Update the spellings in the device's roster. Returns the changed (old, new) names."""
        renames = {old: new for old, new in self._store.renames().items() if _is_accepted(new)}
        if not renames:
            return []
        names = self._client.roster()
        wanted = list(dict.fromkeys(renames.get(name, name) for name in names))
        if wanted == names:
            return []
        self._client.write_roster(wanted)
        return [(name, renames[name]) for name in names if name in renames]


def _missing(entry: Value, held: Any) -> int:
    """Return an estimate of how many lines must be fetched."""
    if "lines" not in entry or _has(held, entry["id"], entry["lines"], entry["mark"]):
        return 0
    return max(entry["lines"] - (len(held.lines) if held else 0), 1)


def _has(held: Any, game_id: str, lines: int, whole: str) -> bool:
    """Return True if the store has all of the device's lines of a game, in one of its histories."""
    histories = held.all_lines if held else []
    return any(len(history) >= lines and mark(game_id, history[:lines]) == whole for history in histories)


def _agrees(entry: Value, lines: list[str]) -> bool:
    """Return True if the lines begin with those listed by the device."""
    return len(lines) >= entry["lines"] and mark(entry["id"], lines[: entry["lines"]]) == entry["mark"]


def _beginnings(held: Any, lines: int) -> list[list[str]]:
    """Return the stored histories that may be a prefix of the device's game."""
    histories = held.all_lines if held else []
    return [history for history in histories if len(history) < lines]


def _stored_of(lines: list[str], held: Any) -> int:
    """Return how many of the lines were stored before."""
    histories = held.all_lines if held else []
    return max([len(history) for history in histories if lines[: len(history)] == history], default=0)


class Replayed(NamedTuple):
    """The lines of a game that the rules accept, the resulting table, and why the next line is refused."""

    lines: list[str]
    table: Table | None
    flaw: str

    @property
    def finished(self) -> bool:
        """True if the game is over after these lines."""
        return self.table is not None and self.table.game.over


def replayed(lines: list[str]) -> Replayed:
    """Replay the lines. Returns those that the rules accept."""
    script = ReplayedTable()
    for k, line in enumerate(lines):
        try:
            script.feed(line.encode())
            if script.table is None:
                raise bad("game")  # a blank line instead of the set-up
        except Refused as refused:
            flaw = text("flaw.refused", n=k + 1, code=refused.code)
            return Replayed(lines[:k], script.table, flaw)
    return Replayed(lines, script.table, "")


def _is_accepted(name: str) -> bool:
    """Return True if the device accepts this name."""
    try:
        return check_name(name) == name
    except Refused:
        return False
