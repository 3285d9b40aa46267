"""Kill every command that writes with SIGKILL, repeatedly: python -m kiebitz_lab.torture.kill_store.

Afterwards the store must be as before the command or as after it. What the command has printed, or confirmed to a
device, must be stored. Half of the kills are at a moment that the seed repeats exactly: before the k-th step of SQLite
or operation on a file. The others are after a random time, which also hits the writing itself.
"""

import os
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from kiebitz.store.presets import Presets
from kiebitz_host.cli import main as kiebitz
from kiebitz_host.cli.presets import Folder
from kiebitz_host.library import database
from kiebitz_host.library.decisions import decode
from kiebitz_host.library.journal_record import decode as decoded
from kiebitz_host.library.journal_record import unpacked
from kiebitz_host.library.store import Store

from .campaign import Campaign, command_line, run
from .writing_commands import STORE, Scenario, scenarios

_STEPS = 200  # instructions of SQLite between two moments
_FILE_OPERATIONS = ("open", "os.rename", "os.remove", "os.chmod")
# Columns with the time of the command itself; that of a game is estimated from it, if its device had no clock
_TIMES = ("received", "time", "seen", "at", "digest")


@dataclass
class Measured:
    """A scenario that was run to its end once."""

    scenario: Scenario
    before: object
    after: object
    moments: int
    seconds: float


# --- in the child ---


class Killer:
    """A counter of the moments of a run that kills the process at one of them."""

    def __init__(self, at: int | None = None):
        self.count = 0
        self._at = at

    def tick(self, *_: object) -> None:
        self.count += 1
        if self.count == self._at:
            os.kill(os.getpid(), signal.SIGKILL)

    def listen(self) -> None:
        """Count the steps of every connection and the operations on files, from now on."""
        plain = database.connect

        def connect(path: Path, mode: str) -> sqlite3.Connection:
            connection = plain(path, mode)
            connection.set_progress_handler(self.tick, _STEPS)
            connection.set_trace_callback(self.tick)
            return connection

        database.connect = connect
        sys.addaudithook(lambda event, _: self.tick() if event in _FILE_OPERATIONS else None)


def _child(scenario: Scenario, folder: Path, killer: Killer) -> None:
    """Run the command in a process of its own, and end it. The number of moments goes into a file."""
    code = 1
    try:
        out = os.open(folder / "out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(out, 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115 - this process has no other
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
        os.environ["KIEBITZ_DB"] = str(folder / STORE)
        killer.listen()
        code = kiebitz([str(word) for word in scenario.argv(folder)]) if scenario.argv else scenario.action(folder)
        sys.stdout.flush()
        (folder / "moments").write_text(str(killer.count))
    finally:
        os._exit(code)


def _start(scenario: Scenario, folder: Path, killer: Killer) -> int:
    """Run a scenario in a new process. Returns its id."""
    child = os.fork()
    if child == 0:
        _child(scenario, folder, killer)
    return child


# --- in the parent ---


def state(folder: Path) -> object:
    """Return the content of the store without timestamps of commands, the exported file, and the presets.

    The store is opened as by a command that writes, which checks all of it.
    """
    export = folder / "export.csv"
    with Store(folder / STORE, say=lambda _: None):
        pass
    with closing(sqlite3.connect(folder / STORE)) as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = {table: _rows(connection, table) for table in sorted(tables) if table != "sqlite_sequence"}
    return rows, export.read_bytes() if export.exists() else None, Presets(Folder(folder)).all


def _rows(connection: sqlite3.Connection, table: str) -> list[tuple]:
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    wanted = ", ".join(name for name in columns if name not in _TIMES)
    rows = connection.execute(f"SELECT {wanted} FROM {table}")
    return sorted((_without_times(table, row) for row in rows), key=repr)


def _without_times(table: str, row: tuple) -> tuple:
    """Return what is in a row of journals or decisions but the time of the command."""
    if table == "contents":
        number, data = row
        return (number, decoded(unpacked(data))._replace(at=0))
    if table == "decisions":
        decision = decode(row[-1])
        values = {key: value for key, value in decision.values.items() if key != "decision"}
        return (decision.kind, decision.about, repr(values))
    return row


def measure(scenario: Scenario, folder: Path) -> Measured:
    """Run a scenario to its end in a folder. Returns the states before and after it, and how long it is."""
    _fill(scenario, folder)
    before = state(folder)
    _fill(scenario, folder)
    started = time.monotonic()
    _, status = os.waitpid(_start(scenario, folder, Killer()), 0)
    seconds = time.monotonic() - started
    if status:
        raise RuntimeError(f"{scenario.name} does not work: {(folder / 'out').read_text()}")
    moments = int((folder / "moments").read_text())
    return Measured(scenario, before, state(folder), moments, seconds)


def _fill(scenario: Scenario, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(scenario.files, folder)


def trial(campaign: Campaign, chance: random.Random, measured: list[Measured], folder: Path) -> None:
    """Kill one command at one moment, and check what is left."""
    one = measured[campaign.number % len(measured)]
    _fill(one.scenario, folder)
    if chance.randrange(2):
        child = _start(one.scenario, folder, Killer(chance.randint(1, one.moments)))
    else:
        child = _start(one.scenario, folder, Killer())
        time.sleep(chance.uniform(0, one.seconds))
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    campaign.figures["killed" if os.WIFSIGNALED(status) else "ended before the kill"] += 1
    out = (folder / "out").read_text() if (folder / "out").exists() else ""
    try:
        found = state(folder)
        _judge(campaign, one, folder, found, out)
    except Exception as error:
        campaign.fail(f"{one.scenario.name}: {error!r}")


def _judge(campaign: Campaign, one: Measured, folder: Path, found: object, out: str) -> None:
    name = one.scenario.name
    if found == one.after:
        campaign.figures["everything stored"] += 1
    elif found == one.before:
        campaign.figures["nothing stored"] += 1
    elif one.scenario.between and one.scenario.between(folder):
        campaign.figures["a part stored, game by game"] += 1
    else:
        campaign.fail(f"{name}: the store is neither as before nor as after")
    if out and found != one.after:
        campaign.fail(f"{name}: printed {out!r}, but not stored")
    if one.scenario.check and (wrong := one.scenario.check(folder)):
        campaign.fail(f"{name}: {wrong}")
    if found != one.after:
        _again(campaign, one, folder)


def _again(campaign: Campaign, one: Measured, folder: Path) -> None:
    """Run the same command again, which must complete what was killed."""
    if one.scenario.argv:
        done = run(*one.scenario.argv(folder), "--db", folder / STORE)
        if done.code != 0:
            campaign.fail(f"{one.scenario.name}: run again, it ends with {done.code}: {done.err}")
    else:
        one.scenario.action(folder)
    if state(folder) != one.after:
        campaign.fail(f"{one.scenario.name}: run again, it has not completed")
    campaign.figures["run again and completed"] += 1


def play(campaign: Campaign, first: int, count: int) -> None:
    """Run the trials, the scenarios in turn."""
    with tempfile.TemporaryDirectory() as place:
        measured = [measure(one, Path(place, "try")) for one in scenarios(Path(place, "files"))]
        campaign.figures["different commands"] = len(measured)
        campaign.run(lambda campaign, chance: trial(campaign, chance, measured, Path(place, "try")), first, count)


def main(argv: list[str] | None = None) -> int:
    return command_line("kiebitz_lab.torture.kill_store", __doc__ or "", 1000, play, argv)


if __name__ == "__main__":
    sys.exit(main())
