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
    from kiebitz_host import bench_games, bench_presses, bench_results

    try:
        figures = bench_games.measure()
    except bench_games.NotMeasured as trouble:
        print(trouble, file=sys.stderr)
        return 1
    record("games", figures)
    bench_games.show(figures)
    presses = bench_presses.measure()
    record("presses", presses)
    bench_presses.show(presses)
    results = bench_results.measure()
    record("results", results)
    bench_results.show(results)
    print(f"Written to {RESULTS.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
