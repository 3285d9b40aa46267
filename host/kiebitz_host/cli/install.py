"""Run `kiebitz install`: copy the firmware (one UF2 file) to a Pico and wait for its first screen."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from kiebitz.board.profiles import PROFILES, family_of

from ..install.device import enter_bootloader, wait_for_first_screen
from ..install.find_picos import LABELS_OF, Usb, copy, find_pico, wait_for_drive, wait_for_port
from ..install.trouble import InstallTrouble, NoRestart, OtherVersion
from ..install.uf2 import Uf2, find_uf2
from ..outcome import OK
from ..printable import say, show_progress


def add(subparsers):
    parser = subparsers.add_parser(
        "install",
        description="Put the firmware, MicroPython included, on a Pico: find it, make it a drive, and copy the "
        "file there. Games, players and settings on it are not changed.",
        epilog="If the Pico does not become a drive, hold its BOOTSEL button down while you plug it in. "
        f"Its drive is called {' or '.join(LABELS_OF)}.",
    )
    parser.add_argument("port", nargs="?", metavar="PORT", help="where the Pico is, if there are several")
    parser.add_argument(
        "--uf2",
        metavar="FILE",
        help="the firmware (default: $KIEBITZ_UF2, the one that came with this program, or that of make uf2)",
    )
    parser.add_argument(
        "--board", choices=PROFILES, help="the board, if it is a new one from a shop (default: the one that runs there)"
    )
    parser.add_argument("--drive", metavar="PATH", help="the drive of the Pico, if there are several")
    return parser


def run(args):
    Install(Usb()).run(find_uf2(args.uf2), args.port, args.drive, args.board)
    return OK


@dataclass
class Install:
    """Install a firmware; the fields are its dependencies."""

    usb: Usb
    say: Callable[[str], None] = say
    progress: Callable[[str], None] = show_progress
    enter: Callable[[str], tuple[str | None, str]] = enter_bootloader
    copy: Callable[[Uf2, Path, Callable[[str], None]], InstallTrouble | None] = copy
    first_screen: Callable[[Callable[[], str]], str] = wait_for_first_screen
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], object] = time.sleep

    def run(self, uf2: Uf2, port: str | None = None, drive: str | None = None, board: str | None = None) -> str:
        """Put the firmware on the selected Pico. Returns the version that runs afterwards."""
        if not uf2.compared:
            self.say(f"{uf2.path.name}: there is no checksum beside it, so it is not compared with one.")
        place = find_pico(self.usb, port, drive)
        try:
            return self._install(uf2, place, board)
        finally:
            self.progress("")

    def _install(self, uf2: Uf2, place: str | Path, board: str | None) -> str:
        number, before = None, None
        others = set(self.usb.picos())
        if isinstance(place, str):
            number = self.usb.serial_number(place)
            others.discard(place)
            place, before, runs_on = self._made_drive(place, uf2)
            board = board or runs_on
        else:
            self.say(f"{place}: a Pico that waits for its firmware; kiebitz {uf2.version} here")
        if board in PROFILES:
            uf2 = replace(uf2, family=family_of(board))
        try:
            doubt = self.copy(uf2, place, self.progress)
        except KeyboardInterrupt:
            self.say(
                "stopped in the middle: the Pico waits as a drive, and its games stay. Repeat the command to go on."
            )
            raise
        try:
            path = wait_for_port(self.usb, number, others, self.progress, self.clock, self.sleep)
        except NoRestart:
            if doubt:
                raise doubt from None
            raise
        self.progress("waiting for the first screen")
        version = self.first_screen(lambda: self.usb.port_of(number) or path)
        self.progress("")
        if version != uf2.version:
            raise OtherVersion(path, version, uf2.version)
        self.say(f"{path}: kiebitz {version} shows its first screen{_before(before)}.")
        return version

    def _made_drive(self, port: str, uf2: Uf2) -> tuple[Path, str | None, str]:
        """Make the Pico on this port a drive. Returns (the drive, the version that ran before or None, its board)."""
        drives = set(self.usb.drives())
        self.progress(f"asking the Pico on {port} to become a drive")
        before, board = self.enter(port)
        self.progress("")
        there = f"kiebitz {before}" if before else "no Kiebitz"
        self.say(f"{port}: {there} on it, kiebitz {uf2.version} here")
        return wait_for_drive(self.usb, drives, self.progress, self.clock, self.sleep), before, board


def _before(version: str | None) -> str:
    return f", kiebitz {version} ran before" if version else ""
