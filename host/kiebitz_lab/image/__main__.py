"""`make uf2`: builds the image of this checkout and prints its path."""

import argparse
import re
import sys

from kiebitz_host.install.uf2 import MICROPYTHON
from kiebitz_host.outcome import BAD_USAGE, OK, Trouble

from .build import current_image


def main(argv: list[str] | None = None) -> int:
    """Build the image. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="make uf2", description="Build the image of this checkout.")
    parser.add_argument("--micropython", metavar="VERSION", default=MICROPYTHON, help="try another MicroPython")
    version = parser.parse_args(argv).micropython
    try:
        if not re.fullmatch(r"[0-9]+\.[0-9]+\.[0-9]+", version):
            raise Trouble(f"a version of MicroPython looks like {MICROPYTHON}, not like {version}.")
        print(current_image(version=version))
    except Trouble as trouble:
        print(f"kiebitz: {trouble}", file=sys.stderr)
        return BAD_USAGE
    return OK


if __name__ == "__main__":
    sys.exit(main())
