"""Run the benchmark (`make bench`): print tables and collect the figures in build/bench.json."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kiebitz_host.outcome import Trouble

from ..frozen_tree import ROOT

RESULTS = ROOT / "build" / "bench.json"


def record(part: str, figures: dict[str, Any], path: Path = RESULTS) -> None:
    """Write the figures of one part of the benchmark beside those of the others."""
    results = json.loads(path.read_text()) if path.exists() else {}
    results[part] = figures
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(results, indent=2) + "\n")


def main() -> int:
    """Run every part. Returns the exit code; prints the reason and fails if a part cannot be measured here."""
    # Slow to import, and not needed for one part
    from . import club, commands, device, evenings, games, languages, sync, web

    parts: dict[str, tuple[Callable[[], dict[str, Any]], Callable[[dict[str, Any]], None]]] = {
        "games": (games.measure, games.show),
        "presses": (games.measure_presses, games.show_presses),
        "results": (commands.measure_results, commands.show_results),
        "club": (club.measure, club.show),
        "evenings": (evenings.measure, evenings.show),
        "start": (commands.measure_start, commands.show_start),
        "sync": (sync.measure, sync.show),
        "languages": (languages.measure, languages.show),
        "rest": (device.measure_rest, device.show_rest),
        "web": (web.measure_press, web.show_press),
        "web_pages": (web.measure_pages, web.show_pages),
        "page": (web.measure_device_page, web.show_device_page),
        "chip": (device.measure, device.show),
    }
    for name, (measure, show) in parts.items():
        print(f"Measuring: {name} ...", file=sys.stderr)
        try:
            figures = measure()
        except (games.NotMeasured, Trouble) as trouble:
            print(trouble, file=sys.stderr)
            return 1
        record(name, figures)
        show(figures)
    print(f"Written to {RESULTS.relative_to(ROOT)}")
    return 0
