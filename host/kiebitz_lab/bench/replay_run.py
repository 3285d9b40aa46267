"""Measure one replay file on the running interpreter, CPython or MicroPython: replay_run.py FILE prints JSON."""

import gc
import json
import sys
import time

from kiebitz.games import game_class
from kiebitz.store.table import Table

EARLY = 10
ROUNDS = 5
UNDOS = 20
ON_MICROPYTHON = sys.implementation.name == "micropython"


def now_us():
    return time.ticks_us() if ON_MICROPYTHON else time.perf_counter_ns() // 1000  # type: ignore[attr-defined]


def since_us(start):
    return time.ticks_diff(now_us(), start) if ON_MICROPYTHON else now_us() - start  # type: ignore[attr-defined]


def heap_used():
    gc.collect()
    return gc.mem_alloc()  # type: ignore[attr-defined]


def events_of(file):
    for line in file:
        yield json.loads(line)


def play_through(file):
    """Return microseconds for (all events, an undo after ten of them, an undo at the end), and the number of events."""
    table = Table(json.loads(file.readline()))
    playing = early = 0
    for event in events_of(file):
        start = now_us()
        table.play(event)
        playing += since_us(start)
        if len(table) == EARLY:
            early = undo_us(table)
    return playing, early, undo_us(table), len(table)


def undo_us(table):
    """Return the microseconds of one undo, the average of a few."""
    total = 0
    for _ in range(UNDOS):
        start = now_us()
        table.undo()
        total += since_us(start)
        table.redo()
    return total // UNDOS


def speed(path):
    """Return the best of a few rounds, which excludes other load on the computer."""
    rounds = []
    for _ in range(ROUNDS):
        gc.collect()
        with open(path) as file:
            rounds.append(play_through(file))
    playing, early, late = [min([figures[i] for figures in rounds]) for i in range(3)]
    return {"events_per_second": rounds[0][3] * 1000000 // playing, "undo_10_us": early, "undo_end_us": late}


def heap(path):
    """Return the memory of the table, at its highest and after every event was undone."""
    with open(path) as file:
        setup = json.loads(file.readline())
        game_class(setup["game"])  # load the code of the game, which is not part of the figure
        before = heap_used()
        table = Table(setup)
        highest = 0
        for event in events_of(file):
            table.play(event)
            event = None
            if len(table) % 10 == 0:
                highest = max(highest, heap_used() - before)
        while table.can_undo:
            table.undo()
        return {"heap_bytes": highest, "heap_undone_bytes": heap_used() - before}


def main(path):
    figures = {}
    if ON_MICROPYTHON:
        # As on the device, against fragmentation of the heap
        gc.threshold(32_768)  # type: ignore[attr-defined]
        figures.update(heap(path))
    figures.update(speed(path))
    version = ".".join([str(number) for number in sys.implementation.version[:3]])
    print(json.dumps({"version": version, "word_bits": 64 if sys.maxsize > 1 << 32 else 32, "figures": figures}))


if __name__ == "__main__":
    main(sys.argv[1])
