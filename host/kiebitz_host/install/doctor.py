"""`kiebitz doctor`: tells what it sees of the Picos on USB, and what to do about it. It changes nothing on them."""

from collections.abc import Iterator

from kiebitz import VERSION
from kiebitz.board.choice import FILE as BOARD_FILE
from kiebitz.board.profiles import DEFAULT

from ..firmware import MAIN, compiled_firmware
from ..outcome import BAD_USAGE, OK, Trouble
from . import boards
from .device import FOLDER, Device, Facts, check
from .finish import FINISH, STAGE
from .installer import digest
from .session import Failed, Lost, Session
from .trouble import DeviceFailed, InBootsel, InstallTrouble, NotMounted, Pulled

CRASHES = "data/crash.txt"
_MARK = b"\n--\n"  # after each of them
_WIDTH = 13


class Line:
    """One thing it has seen; `bad` if somebody should do something about it."""

    def __init__(self, label: str, text: str, bad: bool = False):
        self.label = label
        self.text = text
        self.bad = bad

    def __str__(self) -> str:
        return f"{'!' if self.bad else ' '} {self.label:<{_WIDTH}}{self.text}"


def add(subparsers):
    parser = subparsers.add_parser(
        "doctor",
        help="what is on a Pico, and whether it is well",
        description="Look at the Picos on USB: port, permission, MicroPython, firmware, flash, games, the last error. "
        "A running game is interrupted for a moment: the Pico starts again afterwards, and resumes it.",
    )
    parser.add_argument("port", nargs="?", metavar="PORT", help="the one to look at (default: all of them)")
    return parser


def run(args):
    wanted = {path: digest(data) for path, data in compiled_firmware().items()}
    well = True
    for line in report([args.port] if args.port else None, wanted):
        print(line, flush=True)
        well = well and not line.bad
    return OK if well else BAD_USAGE


def report(paths: list[str] | None, wanted: dict[str, str]) -> Iterator[Line]:
    """Everything, about these ports or all there are."""
    found = paths or boards.picos()
    for path in found:
        yield Line("port", path)
        try:
            with Session(boards.find("doctor", path)) as session:
                yield from examine(Device(session), wanted)
        except Trouble as trouble:
            yield Line("trouble", str(trouble), True)
    if not paths:
        yield from _without_micropython(bool(found))


def _without_micropython(any_port: bool) -> Iterator[Line]:
    for drive in boards.drives():
        yield Line("drive", str(InBootsel(drive)), True)
    if not boards.drives() and boards.UNMOUNTED.exists():
        yield Line("drive", str(NotMounted()), True)
    elif not any_port and not boards.drives():
        try:
            boards.find("doctor", None)
        except InstallTrouble as trouble:
            yield Line("port", str(trouble), True)


def examine(device: Device, wanted: dict[str, str]) -> Iterator[Line]:
    """What is to be told of one Pico."""
    try:
        facts = device.facts()
        yield Line("MicroPython", f"{facts.micropython} on {facts.machine}")
        check(device.path, facts)
        yield from _firmware(device, facts, wanted)
        yield Line("flash", f"{facts.free * facts.block // 1024} of {facts.blocks * facts.block // 1024} KB free")
        yield from _data(device)
    except Lost:
        raise Pulled(device.path, None) from None
    except Failed as failed:
        raise DeviceFailed(failed, None) from None


def _firmware(device: Device, facts: Facts, wanted: dict[str, str]) -> Iterator[Line]:
    if FOLDER not in facts.names or MAIN not in facts.names:
        yield Line("firmware", "not complete: run kiebitz install", True)
        return
    there = device.hashes(FOLDER, MAIN)
    version = device.version() or "of unknown version"
    listed = device.manifest()
    yield Line("firmware", f"kiebitz {version}, {len(there)} files, {_difference(there, wanted)}")
    wrong = [path for path, sha in listed.items() if there.get(path) != sha]
    if wrong:
        yield Line("damaged", f"{', '.join(wrong[:3])}{' and others' * (len(wrong) > 3)}: run kiebitz install", True)
    elif not listed:
        yield Line("files", "not checked: they were not put there by kiebitz install")
    else:
        yield Line("files", "whole, as they were installed")
    if FINISH in facts.names or STAGE in facts.names:
        yield Line("cut off", "an install did not come to its end: run kiebitz install", True)


def _difference(there: dict[str, str], wanted: dict[str, str]) -> str:
    if all(there.get(path) == sha for path, sha in wanted.items()):
        return "the same as here"
    return f"not the same as here (kiebitz {VERSION}): run kiebitz install for that"


def _data(device: Device) -> Iterator[Line]:
    yield Line("games", str(device.games()))
    said = device.read(BOARD_FILE).decode(errors="replace").strip()
    yield Line("board", said or f"{DEFAULT} (there is no {BOARD_FILE})")
    crashes = device.read(CRASHES).split(_MARK)
    last = crashes[-2].decode(errors="replace").splitlines() if len(crashes) > 1 else []
    yield Line("last error", f"of {last[0]}: {last[-1]}" if last else "none")
    for place in last[1:-1]:
        yield Line("", place)
