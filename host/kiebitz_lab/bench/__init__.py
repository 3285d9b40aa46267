"""`make bench`: measures, prints tables and collects the figures in build/bench.json."""

import json
import sys
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
    """Run every part. Returns the exit code; a part that cannot be measured here says why, and the whole run fails."""
    from . import (  # they import this package themselves
        club,
        device,
        games,
        languages,
        page,
        presses,
        rest,
        results,
        start,
        sync,
        web,
        web_pages,
    )

    parts = {
        "games": games,
        "presses": presses,
        "results": results,
        "club": club,
        "start": start,
        "sync": sync,
        "languages": languages,
        "rest": rest,
        "web": web,
        "web_pages": web_pages,
        "page": page,
        "chip": device,
    }
    for name, part in parts.items():
        print(f"Measuring: {name} ...", file=sys.stderr)
        try:
            figures = part.measure()
        except (games.NotMeasured, Trouble) as trouble:
            print(trouble, file=sys.stderr)
            return 1
        record(name, figures)
        part.show(figures)
    print(f"Written to {RESULTS.relative_to(ROOT)}")
    return 0
