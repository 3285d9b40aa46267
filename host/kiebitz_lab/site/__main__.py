"""Build the web site into build/site (`make site`)."""

import sys

from kiebitz_host.outcome import Trouble

from kiebitz_lab.frozen_tree import ROOT

from .build import build


def main() -> int:
    """Build the site and print its path. Returns the exit code."""
    try:
        site = build()
    except Trouble as trouble:
        print(f"site: {trouble}", file=sys.stderr)
        return 1
    size = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
    name = site.relative_to(ROOT)
    print(f"{name}: {size / 1e6:.1f} MB. Look at it: python3 -m http.server -d {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
