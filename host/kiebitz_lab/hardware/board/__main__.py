"""Build the board (`make board`): all files into build/board, and those to look at into hardware/board."""

import shutil
import sys

from kiebitz_host.outcome import Trouble

from ...frozen_tree import ROOT
from .build import BUILD, COMMITTED, FILES, build, built, complaints
from .pictures import draw


def main(arguments: list[str]) -> int:
    """Build all; with the argument `files` only what is stale, without pictures. Returns the exit code."""
    try:
        folder = built() if arguments == ["files"] else build()
        wrong = complaints(folder)
        if wrong:
            raise Trouble("KiCad objects:\n" + "\n".join(wrong))
        if arguments != ["files"]:
            COMMITTED.mkdir(parents=True, exist_ok=True)
            for name in FILES:
                shutil.copy(BUILD / name, COMMITTED)
            draw(folder)
            for path in sorted(COMMITTED.iterdir()):
                print(path.relative_to(ROOT))
    except Trouble as trouble:
        print(f"kiebitz: {trouble}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
