"""Provide what differs between Linux, macOS and Windows under the same names."""

import sys

if sys.platform == "win32":
    from .windows import (
        ENDINGS,
        HAS_TERMINAL_FRONT,
        LOST_TERMINAL,
        RawTerminal,
        group_of,
        open_serial_pair,
        raise_file_limit,
        read_now,
        write_now,
    )
else:
    from .posix import (
        ENDINGS,
        HAS_TERMINAL_FRONT,
        LOST_TERMINAL,
        RawTerminal,
        group_of,
        open_serial_pair,
        raise_file_limit,
        read_now,
        write_now,
    )

__all__ = [
    "ENDINGS",
    "HAS_TERMINAL_FRONT",
    "LOST_TERMINAL",
    "RawTerminal",
    "group_of",
    "open_serial_pair",
    "raise_file_limit",
    "read_now",
    "write_now",
]
