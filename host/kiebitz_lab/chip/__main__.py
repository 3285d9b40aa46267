"""Prepares what the emulated Pico needs, and prints its progress: the image, and the emulator's fast core."""

import sys

from kiebitz_host.outcome import BAD_USAGE, OK, Trouble

from kiebitz_lab.image.build import current_image

from . import require
from .processor import fast_library


def main() -> int:
    try:
        require("sim --chip")
        current_image()
        fast_library()
    except Trouble as trouble:
        print(f"kiebitz: {trouble}", file=sys.stderr)
        return BAD_USAGE
    return OK


if __name__ == "__main__":
    sys.exit(main())
