"""Measure web pages: a key press until a page shows it, the pages of a large store, and the device in a page."""

import gzip
import http.client
import os
import statistics
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

from kiebitz_host.library.store import Store
from kiebitz_host.outcome import Trouble
from playwright.sync_api import Browser, Page, sync_playwright
from rich import box
from rich.console import Console
from rich.table import Table as Grid

from kiebitz_lab.site.build import build, served

from .. import synthetic_store
from ..pages import CHROMIUM, WebStand, launch, wait_until
from ..web_load import BACK, ENTRY, TO_A_TABLE, Played

PRESSES = 40
PRESS_GOAL_MS = 100
# The page notes the time of every change; both clocks are that of this computer
_NOTE = """() => {
  window.changes = [];
  document.getElementById('live').addEventListener('shown', () => window.changes.push(Date.now()));
}"""


def measure_press() -> dict[str, Any]:
    """Return the milliseconds from the press of a key to the changed page: half of them are below the median."""
    if not Path(CHROMIUM).exists():
        raise Trouble(f"the pages are measured with {CHROMIUM}: install chromium, then run make bench again.")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        flash = Path(folder, "flash")
        flash.mkdir()
        played = Played(flash)
        try:
            stand = WebStand(Path(folder, "results.db"), find=played.find, open_port=played.open_port)
            with stand:
                browser = launch(playwright)
                times = _measured(stand, played, browser.new_page())
                browser.close()
        finally:
            played.device.stop()
    return {"press_to_page_ms": round(median(times)), "press_to_page_most_ms": round(max(times))}


def _measured(stand: WebStand, played: Played, page: Page) -> list[float]:
    wait_until(stand.site.devices.seen, "the device is followed")
    for key in TO_A_TABLE.split():
        played.device.tap(key)
    wait_until(lambda: stand.site.devices.seen()[0].snapshot, "a game is being played")
    page.goto(stand.address + "/live")
    page.evaluate(_NOTE)
    times = []
    for k in range(2 * PRESSES):
        pressed = page.evaluate("Date.now()")
        played.device.tap(BACK if k % 2 else ENTRY)
        page.wait_for_function("count => window.changes.length > count", arg=k)
        if k % 2 == 0:  # UNDO acts when the key is released: a finger decides how long that takes
            times.append(page.evaluate("k => window.changes[k]", k) - pressed)
    return times


def show_press(figures: dict[str, Any], console: Console | None = None) -> None:
    """Print the figures with the goal."""
    console = console or Console()
    console.print(
        f"From a key press to the page: {figures['press_to_page_ms']} ms, at most {figures['press_to_page_most_ms']} "
        f"(goal: {PRESS_GOAL_MS})"
    )


GAMES = 10_000
ROUNDS = 7
PAGE_GOAL_MS = 200
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


def measure_pages(count: int = GAMES, rounds: int = ROUNDS) -> dict[str, Any]:
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


def show_pages(figures: dict[str, Any], console: Console | None = None) -> None:
    """Print the figures, a row for each page."""
    grid = Grid(box=box.SIMPLE_HEAD, title=f"Pages of a store of {GAMES:,} games", title_justify="left")
    grid.add_column("page", no_wrap=True)
    for head in ("after a change", "again", "goal", "size", "goal"):
        grid.add_column(head, justify="right")
    for name, place in PAGES.items():
        first, again = figures[f"web_{name}_ms"], figures[f"web_{name}_again_ms"]
        size = figures["web_page_bytes"][name]
        row = [place, f"{first:.0f} ms", f"{again:.0f} ms", f"{PAGE_GOAL_MS} ms", f"{size / 1000:.1f} KB"]
        grid.add_row(*row, f"{WEIGHT_MAX / 1000:.0f} KB")
    (console or Console()).print(grid)


_VISITS = 5
_KEYS = 40
_FIRST = "performance.getEntriesByName('kiebitz-first-picture')[0].startTime"
# Presses a key of the case. Resolves to the milliseconds until the next picture is on the canvas
_KEY_MS = """(key) => new Promise((resolve) => {
  const button = document.querySelector(`#device .key[data-key="${key}"]`);
  const move = (name) => button.dispatchEvent(new PointerEvent(name, { pointerId: 1 }));
  const begin = performance.now();
  const seen = new MutationObserver(() => {
    seen.disconnect();
    const ms = performance.now() - begin;
    move("pointerup");
    setTimeout(() => resolve(ms), 60);
  });
  seen.observe(document.getElementById("screen"), { attributes: true, attributeFilter: ["data-shown"] });
  move("pointerdown");
})"""


def measure_device_page() -> dict[str, Any]:
    """Return the figures: medians, and the bytes of everything that the page loads, compressed."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        site = build(Path(name) / "site", downloads=False, gallery=False)
        with served(site) as address:
            browser = launch(playwright)
            first = [_open_device_page(browser, address, site)[0] for _ in range(_VISITS)]
            _, keys, weight = _open_device_page(browser, address, site, _KEYS)
            browser.close()
    return {
        "page_first_picture_ms": round(statistics.median(first)),
        "page_key_to_canvas_ms": round(statistics.median(keys), 1),
        "page_bytes": weight,
    }


def _open_device_page(browser: Browser, address: str, site: Path, keys: int = 0) -> tuple[float, list[float], int]:
    """Open the page as a new visitor. Returns (ms to the first picture, ms of each key, bytes loaded, compressed)."""
    context = browser.new_context(locale="en-GB", service_workers="block")  # it fetches all other pages, too
    loaded: set[str] = set()
    context.on("request", lambda request: loaded.add(urlsplit(request.url).path.lstrip("/")))
    page = context.new_page()
    page.goto(address + "play.html")
    page.wait_for_selector("#screen[data-shown]")
    first = page.evaluate(_FIRST)
    parts = [site / name for name in loaded if name]
    weight = sum(len(gzip.compress(path.read_bytes())) for path in parts if path.is_file())
    times = [page.evaluate(_KEY_MS, k % 2) for k in range(keys)]
    context.close()
    return first, times, weight


def show_device_page(figures: dict[str, Any]) -> None:
    """Print the figures."""
    print("The device in a page")
    print(f"  first picture after           {figures['page_first_picture_ms']} ms")
    print(f"  key to canvas                 {figures['page_key_to_canvas_ms']} ms")
    print(f"  everything it loads, gzip     {figures['page_bytes']:,} bytes")
