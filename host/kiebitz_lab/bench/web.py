"""Measures how long a key press takes from the device to a page in a real browser."""

import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from kiebitz_host.outcome import Trouble
from playwright.sync_api import Page, sync_playwright
from rich.console import Console

from ..pages import CHROMIUM, WebStand, launch, wait_until
from ..web_load import BACK, ENTRY, TO_A_TABLE, Played

PRESSES = 40
GOAL_MS = 100
# The page notes the time of every change; both clocks are that of this computer
_NOTE = """() => {
  window.changes = [];
  document.getElementById('live').addEventListener('shown', () => window.changes.push(Date.now()));
}"""


def measure() -> dict[str, Any]:
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


def show(figures: dict[str, Any], console: Console | None = None) -> None:
    """Print the figures with the goal."""
    console = console or Console()
    console.print(
        f"From a key press to the page: {figures['press_to_page_ms']} ms, at most {figures['press_to_page_most_ms']} "
        f"(goal: {GOAL_MS})"
    )
