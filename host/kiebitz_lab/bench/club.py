"""Measure clubs: commands on large stores on both engines, an exchange in files, and twenty concurrent writers.

`make bench` measures 10,000, 100,000 and 1,000,000 games, which takes about ten minutes;
`python -m kiebitz_lab.bench.club 10000` measures fewer. Processor
time is measured beside the time by the clock: it is the better figure on a busy computer.
"""

import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import Any

from kiebitz_host.exchange import Folder, Side, StoreSide, exchange
from kiebitz_host.library import database, schema
from kiebitz_host.library.store import Store
from rich import box
from rich.console import Console
from rich.table import Table as Grid

from ..postgres_server import Server, running
from ..synthetic_store import fill_quickly, records

SIZES = (10_000, 100_000, 1_000_000)
EXCHANGED = 10_000  # journals
WRITERS = 20
WRITTEN = 50  # games by each writer
ROUNDS = 3
COMMANDS = (("games",), ("league",), ("league", "poch"), ("players",), ("add", "GAME"))
GOALS = {
    "games": "0.5 s",
    "league": "0.5 s",
    "memory of games in MB": "100",
    "memory of league in MB": "100",
    "add and league": "under 1 s",
    "bytes a game": "1,500",
}
GAME = (
    '{"game":"poch","players":["Player A","Player B"],"options":{"chips_total":200},"at":%d}\n'
    '{"ev":"loan","from":1,"to":0,"k":50}\n{"ev":"end_game"}\n'
)
LATE = 4_000_000_000  # after all other games


def measure(sizes: tuple[int, ...] = SIZES, exchanged: int = EXCHANGED) -> dict[str, Any]:
    """Return {"sqlite 10000": {"games": seconds, ...}, "postgresql 10000": ..., "exchange": ..., "writers": ...}."""
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder, running(durable=True) as server:
        place = Path(folder)
        for size in sizes:
            path = place / f"{size}.db"
            _make(path, size)
            figures[f"sqlite {size}"] = {
                "bytes a game": round(path.stat().st_size / size),
                **_commands(str(path), place),
            }
            address = server.new_schema("bench")
            copy(path, address)
            figures[f"postgresql {size}"] = {
                "bytes a game": round(_bytes(server) / size),
                **_commands(address, place),
            }
            path.unlink()
        figures["exchange"] = _exchange(place, server, exchanged)
        figures["writers"] = _writers(server)
    return figures


def _make(path: Path, size: int) -> None:
    """Make a store to be measured, without fsync."""
    durable, database.SYNCHRONOUS = database.SYNCHRONOUS, "OFF"
    try:
        with Store(path) as store:
            fill_quickly(store, size)
    finally:
        database.SYNCHRONOUS = durable


def copy(path: Path, address: str) -> None:
    """Copy a store into a club's database, table by table, because deriving a million games takes many minutes."""
    with Store(path) as source, Store(address) as target:
        for table in [*schema.table_names(schema.KEPT), *reversed(schema.DERIVED_TABLES)]:
            columns = [row[1] for row in source.db.rows(f"PRAGMA table_info({table})")]
            sql = f"COPY {table} ({', '.join(columns)}) FROM STDIN"
            with target.db.connection.cursor() as cursor, cursor.copy(sql) as rows:
                for row in source.db.connection.execute(f"SELECT {', '.join(columns)} FROM {table}"):
                    rows.write_row(row)
        for table, key in (("journals", "number"), ("people", "id"), ("spellings", "id")):
            last = target.db.value(f"SELECT max({key}) FROM {table}") or 0
            target.db.run(f"ALTER TABLE {table} ALTER COLUMN {key} RESTART WITH {last + 1}")
        target.db.run("ANALYZE")


def _bytes(server: Server) -> int:
    """Return the size of all tables with their indices."""
    sql = "SELECT sum(pg_total_relation_size(format('bench.%I', tablename)::regclass)) FROM pg_tables"
    return int(server.sql("club", f"{sql} WHERE schemaname = 'bench'")[0][0])


def _commands(place: str, folder: Path) -> dict[str, Any]:
    """Run whole commands. Returns the elapsed time, the processor time and the memory of each."""
    found: dict[str, Any] = {}
    game = folder / "game.jsonl"
    for words in COMMANDS:
        runs = []
        for k in range(ROUNDS):
            game.write_text(GAME % (LATE + k))
            run = _timed([str(game) if word == "GAME" else word for word in words], place)
            if words[0] == "add":
                run = [sum(pair) for pair in zip(run, _timed(["league"], place), strict=True)]
            runs.append(run)
        name = "add and league" if words[0] == "add" else " ".join(words)
        seconds, processor, memory = [sorted(values)[ROUNDS // 2] for values in zip(*runs, strict=True)]
        found[name] = round(seconds, 2)
        found[f"{name}, processor"] = round(processor, 2)
        if words in (("games",), ("league",)):
            found[f"memory of {name} in MB"] = round(memory / 1000)
    return found


def _timed(argv: list[str], place: str) -> list[float]:
    """Run a command. Returns [seconds, seconds of the processor, the most memory in KB]."""
    command = [sys.executable, "-c", _MEASURED, str(Path(sys.executable).with_name("kiebitz")), *argv]
    done = subprocess.run(command, env={**os.environ, "KIEBITZ_DB": place}, capture_output=True, text=True, check=True)
    return [float(word) for word in done.stdout.split()]


# A small process starts the command, because the memory of the parent counts as well
_MEASURED = """
import resource, subprocess, sys, time
started = time.perf_counter()
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
seconds, used = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
print(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss)
"""


def _exchange(folder: Path, server: Server, count: int) -> dict[str, Any]:
    """Return how many journals a second are written to files, taken from them, and given to a club's database."""
    stick = folder / "stick"
    stick.mkdir()
    found: dict[str, Any] = {"journals": count}
    with Store(folder / "one.db") as one, Store(folder / "two.db") as two, Store(server.new_schema("given")) as club:
        fill_quickly(one, count)
        sides: dict[str, tuple[Store, Side]] = {
            "given to files": (one, Folder(stick)),
            "taken from files": (two, Folder(stick)),
            "given to PostgreSQL": (one, StoreSide(club)),
        }
        for name, (store, other) in sides.items():
            started, used = time.perf_counter(), time.process_time()
            report = exchange(StoreSide(store), other, [])
            found[f"{name} a second"] = round(count / (time.perf_counter() - started))
            found[f"{name} a second of the processor"] = round(count / (time.process_time() - used))
            if max(report.taken["journals"], report.given["journals"]) != count:
                raise RuntimeError(f"{report} instead of {count}")
    return found


def _write(address: str, number: int, count: int) -> None:
    """Store games one by one, as a sync does."""
    with Store(address) as store:
        for record in islice(records(count, seed=number + 1), count):
            store.add_records([record._replace(own=f"{number}-{record.own}")])


def _writers(server: Server) -> dict[str, Any]:
    """Return how many games per second twenty laptops store concurrently, each game confirmed separately."""
    address = server.new_schema("writers")
    Store(address).close()
    started = time.perf_counter()
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_write, args=(address, number, WRITTEN)) for number in range(WRITERS)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    seconds = time.perf_counter() - started
    with Store(address) as store:
        games = store.db.value("SELECT count(*) FROM games")
    if games != WRITERS * WRITTEN:
        raise RuntimeError(f"{games} games of {WRITERS * WRITTEN}")
    return {"writers": WRITERS, "games each": WRITTEN, "games a second": round(games / seconds)}


def show(figures: dict[str, Any], console: Console | None = None) -> None:
    """Print a table for each number of games, with a column for each engine."""
    out = console or Console()
    stores = [name for name in figures if " " in name]  # engine and number of games
    for size in dict.fromkeys(name.split()[1] for name in stores):
        title = f"Clubs: seconds for whole commands, {int(size):,} games"
        grid = Grid(box=box.SIMPLE_HEAD, title=title, title_justify="left")
        columns = [name for name in stores if name.split()[1] == size]
        for heading in ("", *[name.split()[0] for name in columns], "goal"):
            grid.add_column(heading, justify="right" if heading else "left", no_wrap=True)
        for row in dict.fromkeys(row for name in columns for row in figures[name]):
            grid.add_row(row, *[f"{figures[name].get(row, '')}" for name in columns], GOALS.get(row, ""))
        out.print(grid)
    for part in ("exchange", "writers"):
        out.print(f"{part}: " + ", ".join(f"{key} {value}" for key, value in figures[part].items()))


if __name__ == "__main__":
    show(measure(tuple(map(int, sys.argv[1:])) or SIZES))
