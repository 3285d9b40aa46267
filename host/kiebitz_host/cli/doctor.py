"""Run `kiebitz doctor`: report the state of the Picos on USB, and what to do about it. Games are not changed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..install.device import FROZEN, Device, PicoFacts, open_client, save_flash
from ..install.find_picos import Usb, check_port, why_none
from ..install.prompt_session import Session
from ..install.trouble import InBootsel, NotMounted, SeveralPicos
from ..install.uf2 import MICROPYTHON, find_uf2
from ..link.channel import Value
from ..link.client import Client
from ..link.trouble import LinkTrouble, NoPermission, PortBusy
from ..outcome import BAD_USAGE, OK, Trouble
from ..printable import printable, say, show_progress

CRASHES = "data/crash.txt"
REPORT = "kiebitz-report.txt"
SCENARIO = "report"  # folder in the root for the scenario of a report
_MARK = b"\n--\n"  # after each error
_WIDTH = 13
# A device keeps an error in 700 bytes
_PLACES_MAX = 20
_PLACE_CHARACTERS = 200


@dataclass(frozen=True)
class Line:
    """One finding of the doctor; `bad` if it needs action."""

    label: str
    text: str
    bad: bool = False

    def __str__(self) -> str:
        return f"{'!' if self.bad else ' '} {self.label:<{_WIDTH}}{self.text}"


def add(subparsers):
    parser = subparsers.add_parser(
        "doctor",
        description="Examine the Picos on USB: port, MicroPython, firmware, flash, games, the last error. "
        "A running game is interrupted for a moment: the Pico starts again afterwards, and resumes it.",
    )
    parser.add_argument("port", nargs="?", metavar="PORT", help="the one to examine (default: all)")
    parser.add_argument(
        "--save-flash",
        metavar="FILE",
        help="write an image of the Pico's file system to a file instead, even if it cannot be mounted; "
        "kiebitz rescue recovers the games in it",
    )
    parser.add_argument(
        "--report",
        metavar="FILE",
        nargs="?",
        const=REPORT,
        help="play a short scenario on the Pico instead, without changing its games; compare every picture "
        f"with the simulator, measure, and write one file to send back (default: {REPORT})",
    )
    return parser


def run(args):
    doctor = Doctor(Usb())
    if args.save_flash:
        size = doctor.save(args.port, Path(args.save_flash).expanduser())
        name = args.save_flash
        say(f"{name}: {size // 1024} KB of flash. kiebitz rescue {name} takes the games out of it.")
        return OK
    if args.report:
        return write_report(doctor, args.port, Path(args.report).expanduser())
    return tell(doctor.report(args.port))


def write_report(doctor: "Doctor", port: str | None, target: Path) -> int:
    """Play the scenario on the only or the named Pico, and write its report. Returns the exit code."""
    from ..report import Reporter, check_target, write
    from ..report.sheet import sheet, summary

    check_target(target)
    report = Reporter(doctor.connect, doctor.session, doctor.progress).run(doctor.only_pico(port))
    write(target, sheet(report))
    well = not report.played.ended and all(step.same for step in report.played.steps)
    say(f"{target}: {summary(report.played)}. Please send it back with the form for hardware.")
    return OK if well else BAD_USAGE


def tell(findings: Iterator[Line]) -> int:
    """Print each finding as soon as it is known. Returns the exit code."""
    well = True
    for line in findings:
        say(line)
        well = well and not line.bad
    return OK if well else BAD_USAGE


def version_here() -> str | None:
    """Return the version of the UF2 file on this computer; None without a usable file."""
    try:
        return find_uf2().version
    except Trouble:
        return None


@dataclass
class Doctor:
    """Examine Picos; the fields are its dependencies."""

    usb: Usb
    connect: Callable[[str], Client] = open_client
    session: Callable[[str], Any] = Session
    here: Callable[[], str | None] = version_here
    progress: Callable[[str], None] = show_progress

    def save(self, port: str | None, target: Path) -> int:
        """Write the flash of the only or the named Pico to a file. Returns its size."""
        path = self.only_pico(port)
        try:
            with self.session(path) as session:
                return save_flash(Device(session), target, self.progress)
        finally:
            self.progress("")

    def only_pico(self, port: str | None) -> str:
        """Return the named port, or that of the only Pico; raise Trouble unless there is exactly one."""
        found = [check_port(self.usb, port)] if port else self.usb.picos()
        if len(found) > 1:
            raise SeveralPicos("doctor", found)
        if not found:
            raise InBootsel(self.usb.drives()[0]) if self.usb.drives() else why_none(self.usb)
        return found[0]

    def report(self, port: str | None) -> Iterator[Line]:
        """Examine one port, or all ports and drives. Yields a line for each finding."""
        found = [port] if port else self.usb.picos()
        for path in found:
            yield Line("port", path)
            try:
                yield from self._examine(path)
            except Trouble as trouble:
                yield Line("trouble", str(trouble), True)
        if not port:
            yield from self._drives(bool(found))

    def _drives(self, any_port: bool) -> Iterator[Line]:
        """Yield findings about drives, and about a missing Pico."""
        drives, device = self.usb.drives(), self.usb.unmounted()
        for drive in drives:
            yield Line("drive", str(InBootsel(drive)), True)
        if device and not drives:
            yield Line("drive", str(NotMounted(device)), True)
        elif not drives and not any_port:
            yield Line("port", str(why_none(self.usb)), True)

    # --- one Pico ---

    def _examine(self, path: str) -> Iterator[Line]:
        who, settings = self._ask(check_port(self.usb, path))
        with self.session(path) as session:
            device = Device(session)
            facts = device.facts()
            crashes = device.read(CRASHES) if facts.is_mounted else b""
        running = f"{facts.micropython} on {facts.machine}{_clock(facts.mhz)}"
        yield Line("MicroPython", running, facts.micropython != MICROPYTHON)
        yield from self._firmware(who.get("version") or facts.kiebitz, bool(who))
        yield from _flash(facts)
        board = who.get("board") or settings.get("board")
        if board:
            yield Line("board", str(board))
        yield from _files(facts)
        yield from _last_error(crashes)

    def _ask(self, path: str) -> tuple[Value, Value]:
        """Query the running app over the link. Returns (identity, settings), empty if no app answers."""
        try:
            with self.connect(path) as client:
                return client.hello(), client.settings()
        except (PortBusy, NoPermission):
            raise
        except LinkTrouble:
            return {}, {}

    def _firmware(self, version: str | None, runs: bool) -> Iterator[Line]:
        if version is None:
            yield Line("firmware", "no Kiebitz on it: run kiebitz install", True)
            return
        yield Line("firmware", f"kiebitz {version}, {compared(version, self.here())}")
        if not runs:
            yield Line("app", "it does not answer: look at the display, and plug the Pico in again", True)


def compared(there: str, here: str | None) -> str:
    """Compare the version on the device with that of the local UF2 file. Returns a phrase."""
    if here is None:
        return "and there is no UF2 file here to compare it with"
    if there == here:
        return "the same as here"
    newer = _parts(there) > _parts(here)
    return f"newer than {here} here" if newer else f"older than {here} here: kiebitz install updates it"


def _parts(version: str) -> list[tuple[int, str]]:
    """Return a sort key for a version."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in version.replace("-", ".").split(".")]


def _clock(mhz: int) -> str:
    return f" at {mhz} MHz" if mhz else ""


def _flash(facts: PicoFacts) -> Iterator[Line]:
    if not facts.is_mounted:
        way = "save it with kiebitz doctor --save-flash FILE; kiebitz rescue FILE takes the games out of that"
        yield Line("flash", f"no file system is mounted: {way}", True)
        return
    free, size = (blocks * facts.block // 1024 for blocks in (facts.free, facts.blocks))
    yield Line("flash", f"{free} of {size} KB free")
    yield Line("games", str(facts.games))


def _files(facts: PicoFacts) -> Iterator[Line]:
    """Yield findings about files on the flash that are not games."""
    first = facts.path[0] if facts.path else ""
    if first not in ("", FROZEN):
        yield Line("modules", f"those in {first} come before the firmware: a developer has put them there", True)
    if SCENARIO in facts.names:
        yield Line("old files", f"{SCENARIO}: left by a report that was cut short; the next one removes it")


def _last_error(crashes: bytes) -> Iterator[Line]:
    entries = crashes.split(_MARK)
    text = entries[-2].decode(errors="replace") if len(entries) > 1 else ""
    last = [printable(line)[:_PLACE_CHARACTERS] for line in text.splitlines()]
    yield Line("last error", f"of {last[0]}: {last[-1]}" if last else "none")
    for place in last[1:-1][-_PLACES_MAX:]:
        yield Line("", place)
