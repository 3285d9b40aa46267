"""Measure a club's evenings: the CPU time of a draw, how often pairs meet again, and the standings of many evenings."""

import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kiebitz_host.league.draw import draw_tables, meetings, table_sizes
from kiebitz_host.league.season import season_lines
from kiebitz_host.library.club_evenings import Evenings
from kiebitz_host.library.decisions import content_of
from kiebitz_host.library.journal_record import History, Record
from kiebitz_host.library.store import Store
from rich import box
from rich.console import Console
from rich.table import Table as Grid

DRAW_GOAL_S = 1.0
STANDINGS_GOAL_S = 0.5
SIZES = [4, 3]
SEASON = 20  # evenings with two series each
CLUBS = (13, 24, 60)
EVENINGS = 1000
MEMBERS = 13
_FIRST_DAY_S = 946_728_000  # 2000-01-01, noon
_DAY_S = 86_400


def measure(evenings: int = EVENINGS, season: int = SEASON, clubs: tuple[int, ...] = CLUBS) -> dict[str, Any]:
    """Return the figures of the draws by members, and the seconds for the standings of all evenings."""
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder, "club.db")) as store:
        fill(store, evenings)
        seconds = min(_standings_s(store) for _ in range(3))
    return {"draws": {str(members): season_of(members, season) for members in clubs}, "standings_s": round(seconds, 3)}


def season_of(members: int, evenings: int) -> dict[str, Any]:
    """Draw a season of two series an evening by lot and by who has met. Returns seconds, repeated pairs and a bound."""
    names = [f"P{k:02}" for k in range(members)]
    found: dict[str, Any] = {"bound": bound(members, 2 * evenings)}
    for method in ("lot", "meet"):
        draws: list[list[list[str]]] = []
        byes: dict[str, int] = {}
        slowest = 0.0
        for seed in range(2 * evenings):
            met = meetings(draws)
            started = time.process_time()
            draws.append(draw_tables(names, SIZES, method, seed, byes, {}, met))
            slowest = max(slowest, time.process_time() - started)
            seated = {name for table in draws[-1] for name in table}
            byes.update((name, byes.get(name, 0) + 1) for name in names if name not in seated)
        counts = meetings(draws).values()
        found[method] = {"repeated": repeated(counts), "most": max(counts), "slowest_s": round(slowest, 3)}
    return found


def repeated(counts: Any) -> int:
    """Return how often a pair sat together that had sat together before, each time with its earlier meetings."""
    return sum(count * (count - 1) // 2 for count in counts)


def bound(members: int, series: int) -> int:
    """Return a lower bound of repeated(): all meetings spread over all pairs as evenly as whole numbers allow."""
    meets = series * sum(size * (size - 1) // 2 for size in table_sizes(members, SIZES))
    pairs = members * (members - 1) // 2
    each, more = divmod(meets, pairs)
    return repeated([each] * (pairs - more) + [each + 1] * more)


def _standings_s(store: Store) -> float:
    started = time.process_time()
    found = Evenings(store)
    lines = season_lines(found.scores(found.in_days("0001-01-01", None)))
    assert len(lines) == MEMBERS
    return time.process_time() - started


# --- a store with many evenings ---


def fill(store: Store, evenings: int, seed: int = 1) -> None:
    """Put evenings with two series each and their finished games into a store."""
    chance = random.Random(seed)
    with store.in_bulk():
        for some in _parts(evenings):
            records: list[Record] = []
            decided: list[str] = []
            for number in some:
                more, texts = evening(number, chance)
                records += more
                decided += texts
            store.add_records(records)
            store.add_decisions(decided)


def _parts(evenings: int) -> Iterator[range]:
    for start in range(0, evenings, 100):
        yield range(start, min(start + 100, evenings))


def evening(number: int, chance: random.Random, members: int = MEMBERS) -> tuple[list[Record], list[str]]:
    """Return the games and the decisions of one evening."""
    names = [f"P{k:02}" for k in range(members)]
    at = _FIRST_DAY_S + number * _DAY_S
    key = f"evening/{number:016x}"
    made: list[tuple[str, dict[str, Any]]] = []
    money = {"stake": 500, "fees": [], "prizes": [2000, 1000]}
    about = {"day": time.strftime("%Y-%m-%d", time.gmtime(at)), "game": "poker_carre", "title": "", "settings": "{}"}
    made.append(("evening", {"name": f"E{number}", **about, "series": 2, "sizes": SIZES, "money": money}))
    made.append(("present", {"names": names, "here": True, "series": 1}))
    records = []
    games = []
    for series in (1, 2):
        tables = draw_tables(names, SIZES, "lot", chance.randrange(1000))
        made.append(("draw", {"series": series, "method": "lot", "seed": 1, "tables": tables, "known": []}))
        for k, table in enumerate(tables, 1):
            own = f"e{number:05}-{series}-{k:02}"
            points = [chance.randrange(12) for _ in table]
            quoted = ",".join(f'"{name}"' for name in table)
            marks = [f'{{"ev":"mark","p":{p},"rubric":1}}' for p, count in enumerate(points) for _ in range(count)]
            setup = f'{{"game":"poker_carre","players":[{quoted}]}}'
            records.append(Record(own, None, at + 60 * k, False, (History([setup, *marks, '{"ev":"finish"}']),)))
            games.append({"game": records[-1].key, "series": series, "table": k})
    made.append(("result", {"games": games}))
    texts = [
        content_of(at * 1000 + k, "bench", kind, key, values, f"{number}-{k}") for k, (kind, values) in enumerate(made)
    ]
    return records, texts


def show(figures: dict[str, Any], console: Console | None = None) -> None:
    """Print a line for each number of members, and the time of the standings."""
    grid = Grid(box=box.SIMPLE_HEAD, title=f"Draws of {SEASON} evenings with two series", title_justify="left")
    for head in ("members", "repeated by lot", "who has met", "lower bound", "slowest draw, CPU", "goal"):
        grid.add_column(head, justify="right")
    for members, one in figures["draws"].items():
        counts = [str(number) for number in (one["lot"]["repeated"], one["meet"]["repeated"], one["bound"])]
        grid.add_row(members, *counts, f"{one['meet']['slowest_s']:.2f} s", f"{DRAW_GOAL_S:.0f} s")
    console = console or Console()
    console.print(grid)
    console.print(
        f"Standings of {EVENINGS} evenings: {figures['standings_s']:.2f} s of CPU time (goal {STANDINGS_GOAL_S} s)"
    )
