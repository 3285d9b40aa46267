"""`kiebitz install`: compiles the firmware, puts it on a Pico, and waits for its first screen."""

import sys

from kiebitz import VERSION
from kiebitz.board.choice import FILE as BOARD_FILE
from kiebitz.board.profiles import DEFAULT, PROFILES

from ..chip.image import find_image, kept_image
from ..firmware import compiled_firmware
from ..outcome import OK
from . import boards
from .device import Device
from .first_screen import wait_for_first_screen
from .installer import OTHER_MAIN, Installer, Report
from .session import Session
from .trouble import MICROPYTHON
from .which_board import say_which_board


def add(subparsers):
    parser = subparsers.add_parser(
        "install",
        help="put the firmware on a Pico",
        description="Compile the firmware and put it on a Pico with MicroPython: only what has changed, checked after "
        "writing. Games, players, settings and board.txt on it stay as they are. The Pico is found by itself. If the "
        "cable is pulled in between, the Pico keeps a firmware that works, and the next install goes on from there.",
        epilog=f"A new Pico needs MicroPython {MICROPYTHON} first: hold its BOOTSEL button down while you plug it in, "
        "and give --uf2.",
    )
    parser.add_argument("port", nargs="?", metavar="PORT", help="where the Pico is, if there are several")
    parser.add_argument(
        "--uf2",
        nargs="?",
        const="",
        metavar="FILE",
        help=f"first put MicroPython on a Pico that waits for it as drive {boards.LABEL}; fetched if no file is given",
    )
    parser.add_argument(
        "--board",
        choices=PROFILES,
        help=f"which hardware it has (default: what its {BOARD_FILE} says, or {DEFAULT})",
    )
    return parser


def run(args):
    files = compiled_firmware()
    path = _with_micropython(args.uf2) if args.uf2 is not None else boards.find("install", args.port, kept_image)
    number = boards.serial_number(path)
    try:
        report, board = _install(path, files, args.board)
    except KeyboardInterrupt:
        _say("stopped: the Pico starts again with a complete firmware, if it had one. Repeat the command to go on.")
        raise
    for line in told(report):
        _say(line)
    if board:
        _say(f"{BOARD_FILE} says: {board}")
    version = wait_for_first_screen(path, number)
    _say(f"started: kiebitz {version} shows its first screen.")
    return OK


def _with_micropython(given: str) -> str:
    drive = boards.waiting_drive()
    image = find_image(given or None)
    _say(f"copying {image.name} to {drive}, and waiting for the Pico to start again")
    return boards.put_micropython(image, drive)


def _install(path: str, files: dict[str, bytes], board: str | None) -> tuple[Report, str | None]:
    size = sum(map(len, files.values())) // 1024
    with Session(path) as session:
        device = Device(session)
        before = device.version()
        there = f"kiebitz {before}" if before else "no firmware"
        _say(f"{path}: {there} on it, kiebitz {VERSION} here ({len(files)} files, {size} KB)")
        try:
            return Installer(device, files, _progress).run(), say_which_board(device, board)
        finally:
            _progress(0, 0)


def told(report: Report) -> list[str]:
    """What was done, for people."""
    lines = []
    if report.sent:
        files = "1 file" if len(report.sent) == 1 else f"{len(report.sent)} files"
        lines.append(f"{files} written and checked, {report.files - len(report.sent)} were the same")
    else:
        lines.append(f"nothing to write: all {report.files} files are there, checked")
    if report.removed:
        lines.append(f"removed: {', '.join(report.removed)}")
    if report.other_main:
        lines.append(f"the program that was there before is kept as {OTHER_MAIN}")
    return lines


def _say(line: str) -> None:
    print(line, flush=True)


def _progress(done: int, total: int) -> None:
    """On a terminal, a line that is written over and over, and wiped at the end."""
    if sys.stderr.isatty():
        line = f"writing {done // 1024} of {total // 1024} KB" if total else ""
        print(f"\r{line}\x1b[K", end="", file=sys.stderr, flush=True)
