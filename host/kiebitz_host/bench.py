"""`make bench`: measures, prints tables and collects the figures in build/bench.json."""

import json
import sys
from pathlib import Path
from typing import Any

from kiebitz_host.micropython import ROOT

RESULTS = ROOT / "build" / "bench.json"


def record(part: str, figures: dict[str, Any], path: Path = RESULTS) -> None:
    """Write the figures of one part of the benchmark beside those of the others."""
    results = json.loads(path.read_text()) if path.exists() else {}
    results[part] = figures
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(results, indent=2) + "\n")


def main() -> int:
    """Run every part; a part that cannot be measured here says why and makes the whole fail."""
    from kiebitz_host import bench_chip, bench_games, bench_languages, bench_presses, bench_results, bench_sync
    from kiebitz_host.outcome import Trouble

    parts = {
        "games": bench_games,
        "presses": bench_presses,
        "results": bench_results,
        "sync": bench_sync,
        "languages": bench_languages,
        "chip": bench_chip,
    }
    for name, part in parts.items():
        print(f"Measuring: {name} ...", file=sys.stderr)
        try:
            figures = part.measure()
        except (bench_games.NotMeasured, Trouble) as trouble:
            print(trouble, file=sys.stderr)
            return 1
        record(name, figures)
        part.show(figures)
    print(f"Written to {RESULTS.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
