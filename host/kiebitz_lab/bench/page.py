"""Measures the device in a page: how soon it shows its first picture, how soon a key changes it, and what it weighs."""

import gzip
import statistics
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, sync_playwright

from kiebitz_lab.pages import launch
from kiebitz_lab.site.build import build
from kiebitz_lab.site.server import served

_STARTS = 5
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


def measure() -> dict[str, Any]:
    """Return the figures: medians, and the bytes of everything that the page loads, compressed."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        site = build(Path(name) / "site", downloads=False, gallery=False)
        with served(site) as address:
            browser = launch(playwright)
            first = [_start(browser, address, site)[0] for _ in range(_STARTS)]
            _, keys, weight = _start(browser, address, site, _KEYS)
            browser.close()
    return {
        "page_first_picture_ms": round(statistics.median(first)),
        "page_key_to_canvas_ms": round(statistics.median(keys), 1),
        "page_bytes": weight,
    }


def _start(browser: Browser, address: str, site: Path, keys: int = 0) -> tuple[float, list[float], int]:
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


def show(figures: dict[str, Any]) -> None:
    """Print the figures."""
    print("The device in a page")
    print(f"  first picture after           {figures['page_first_picture_ms']} ms")
    print(f"  key to canvas                 {figures['page_key_to_canvas_ms']} ms")
    print(f"  everything it loads, gzip     {figures['page_bytes']:,} bytes")
