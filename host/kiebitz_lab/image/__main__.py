"""Build the image of this checkout: `make uf2` prints its path, `make room` the sizes of its parts."""

import argparse
import re
import sys

from kiebitz_host.flash_layout import FS_START
from kiebitz_host.install.uf2 import MICROPYTHON
from kiebitz_host.outcome import BAD_USAGE, OK, Trouble

from .build import current_image, elf_of
from .room import room, show


def main(argv: list[str] | None = None) -> int:
    """Build the image. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="make uf2", description="Build the image of this checkout.")
    parser.add_argument("--micropython", metavar="VERSION", default=MICROPYTHON, help="try another MicroPython")
    parser.add_argument("--room", action="store_true", help="print the sizes of the parts of the image")
    options = parser.parse_args(argv)
    version = options.micropython
    try:
        if not re.fullmatch(r"[0-9]+\.[0-9]+\.[0-9]+", version):
            raise Trouble(f"a version of MicroPython looks like {MICROPYTHON}, not like {version}.")
        image = current_image(version=version)
        if options.room:
            show(room(elf_of(image), FS_START))
        else:
            print(image)
    except Trouble as trouble:
        print(f"kiebitz: {trouble}", file=sys.stderr)
        return BAD_USAGE
    return OK


if __name__ == "__main__":
    sys.exit(main())
