"""Measures the pages of a large store: how long list, league and player take, and how heavy the pages are."""

import http.client
import os
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from kiebitz_host.library.store import Store
from rich import box
from rich.console import Console
from rich.table import Table as Grid

from .. import synthetic_store
from ..pages import WebStand

GAMES = 10_000
ROUNDS = 7
GOAL_MS = 200
WEIGHT_MAX = 60_000  # bytes of a page
# The first three are what the goals are about
PAGES = {
    "games": "/games",
    "league": "/league",
    "player": "/players/Player%20A",
    "game": "/games/500",
    "evening": "/evening",
    "one_league": "/league?game=poch",
    "filtered": "/games?player=Player+A&game=poch",
    "players": "/players",
}


def measure(count: int = GAMES, rounds: int = ROUNDS) -> dict[str, Any]:
    """Return {"web_games_ms": median after a change of the store, "web_games_again_ms": without, ...}.

    web_page_bytes has the size of each page without pictures, without its style sheet, and not packed.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.db"
        with Store(path) as store:
            synthetic_store.fill(store, count)
        figures: dict[str, Any] = {"web_page_bytes": {}}
        with WebStand(path) as stand:
            host = urlsplit(stand.address).netloc
            for name, place in PAGES.items():
                _get(host, place)  # modules are imported with the first page
                first = [_timed(host, place, path) for _ in range(rounds)]
                again = [_timed(host, place) for _ in range(rounds)]
                figures[f"web_{name}_ms"] = round(_median(first), 1)
                figures[f"web_{name}_again_ms"] = round(_median(again), 1)
                figures["web_page_bytes"][name] = len(_get(host, place))
        return figures


def _timed(host: str, place: str, changed: Path | None = None) -> float:
    """Return the milliseconds of one request; `changed`: the store, which looks as if it had just been written to."""
    if changed:
        os.utime(changed)
    start = time.perf_counter()
    _get(host, place)
    return (time.perf_counter() - start) * 1000


def _get(host: str, place: str) -> bytes:
    connection = http.client.HTTPConnection(host, timeout=60)
    connection.request("GET", place)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    assert response.status == 200, f"{place}: {response.status}"
    return body


def _median(times: list[float]) -> float:
    return sorted(times)[len(times) // 2]


def show(figures: dict[str, Any], console: Console | None = None) -> None:
    """Print the figures, a row for each page."""
    grid = Grid(box=box.SIMPLE_HEAD, title=f"Pages of a store of {GAMES:,} games", title_justify="left")
    grid.add_column("page", no_wrap=True)
    for head in ("after a change", "again", "goal", "size", "goal"):
        grid.add_column(head, justify="right")
    for name, place in PAGES.items():
        first, again = figures[f"web_{name}_ms"], figures[f"web_{name}_again_ms"]
        size = figures["web_page_bytes"][name]
        row = [place, f"{first:.0f} ms", f"{again:.0f} ms", f"{GOAL_MS} ms", f"{size / 1000:.1f} KB"]
        grid.add_row(*row, f"{WEIGHT_MAX / 1000:.0f} KB")
    (console or Console()).print(grid)
