"""`make uf2`: builds the image of this checkout and prints its path."""

import sys

from kiebitz_host.outcome import BAD_USAGE, OK, Trouble

from .build import current_image


def main() -> int:
    """Build the image. Returns the exit code."""
    try:
        print(current_image())
    except Trouble as trouble:
        print(f"kiebitz: {trouble}", file=sys.stderr)
        return BAD_USAGE
    return OK


if __name__ == "__main__":
    sys.exit(main())
