"""Format a report as one text: the verdict first, then the figures, then every step."""

import platform
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from kiebitz import VERSION

from ..install.device import FROZEN
from ..link.answers import Screen
from ..printable import printable
from ..sim.picture import drawn
from . import Played, Report, Step

_PICTURES_MAX = 4  # most differing pictures that are drawn
_LABEL = 16
# A device keeps its last errors in two kilobytes
_CRASHES_BYTES = 4096
_CRASHES_LINES = 100
_LINE_CHARACTERS = 200
_NO_CACHE = "not counted: this is not a real RP2040, or an emulated one without a model of its cache"


def sheet(report: Report, moment: datetime | None = None) -> str:
    """Return the text of a report; `moment` is its timestamp."""
    when = (moment or datetime.now(UTC)).strftime("%Y-%m-%d %H:%M UTC")
    system = f"{platform.system()} {platform.release()}, {platform.machine()}, Python {platform.python_version()}"
    parts = [
        [f"Kiebitz report of {when}", f"made by kiebitz {VERSION} on {system}", *_WHAT_IT_IS],
        ["Result", *_result(report)],
        ["The device", *_device(report)],
        ["Times in milliseconds", *_times(report)],
        ["The cache of the flash", *_cache(report.times)],
        ["Steps", *_steps(report)],
    ]
    different = [number for number, step in enumerate(report.played.steps) if not step.same]
    for number in different[:_PICTURES_MAX]:
        parts.append(_pictures(number, report.played.steps[number]))
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts) + "\n"


_WHAT_IT_IS = (
    "A scenario was played on the device over USB, in a separate folder, and every picture compared with the",
    "simulator's. This file holds no names, no games and no serial number. Please send it with the form for hardware.",
)


def summary(played: Played) -> str:
    """Return a sentence that summarizes the comparison."""
    wrong = [str(number) for number, step in enumerate(played.steps) if not step.same]
    count = len(played.steps)
    if not wrong:
        told = f"all {count} pictures are the simulator's"
    else:
        told = f"{len(wrong)} of {count} pictures differ from the simulator's: {_few(wrong)}"
    return f"{told}, but the scenario ended early: {played.ended}" if played.ended else told


def _few(numbers: Sequence[str], most: int = 12) -> str:
    shown = ", ".join(numbers[:most])
    return f"steps {shown}" + (" ..." if len(numbers) > most else "")


def _result(report: Report) -> Iterable[str]:
    yield f"  {'pictures':<{_LABEL}}{printable(summary(report.played))}"
    same = report.files == report.files_after
    kept = f"{report.files['files']} of the players, CRC32 {report.files['crc']} before"
    after = "and after: unchanged" if same else f"and {report.files_after['crc']} after: CHANGED"
    yield f"  {'files':<{_LABEL}}{kept} {after}"
    if report.times["crash"]:
        yield f"  {'error':<{_LABEL}}{printable(report.times['crash'])}"


def _device(report: Report) -> Iterable[str]:
    facts, screen = report.facts, report.played.steps[0].shown
    rows = [
        ("firmware", f"kiebitz {VERSION}"),
        ("MicroPython", f"{facts.micropython} on {facts.machine}"),
        ("board", f"{report.board}, {screen.width} by {screen.height} pixels"),
        ("flash", f"{facts.free * facts.block // 1024} of {facts.blocks * facts.block // 1024} KB free"),
        ("games", str(facts.games)),
        ("memory", f"{report.times['memory']:,} bytes free after the story"),
    ]
    first = facts.path[0] if facts.path else ""
    if first not in ("", FROZEN):
        rows.append(("modules", f"those in {first} come before the firmware"))
    kept = report.crashes[-_CRASHES_BYTES:].decode(errors="replace").splitlines()
    rows += [("earlier errors", line[:_LINE_CHARACTERS]) for line in kept[-_CRASHES_LINES:] if line != "--"]
    return [f"  {label:<{_LABEL}}{printable(value)}" for label, value in rows]


def _times(report: Report) -> Iterable[str]:
    steps, times = report.played.steps[1:], report.times
    device = list(zip(steps, (us / 1000 for us in times["press_us"]), strict=False))
    yield "  device: by its own clock, from the key to the whole picture on its display"
    yield "  link: by this computer's clock, from the request for a key to the picture that was read"
    yield "  an entry is written to flash before it is shown"
    yield f"  {'':<34}{'keys':>6}{'median':>9}{'95 %':>9}{'longest':>9}"
    yield _row("device, keys without an entry", [ms for step, ms in device if not step.written])
    yield _row("device, keys with an entry", [ms for step, ms in device if step.written])
    yield _row("link, keys without an entry", [step.link_ms for step in steps if not step.written])
    yield _row("link, keys with an entry", [step.link_ms for step in steps if step.written])
    yield f"  the start of the app, to its first picture, by the device's clock: {times['start_us'] / 1000:.0f}"
    yield f"  from the reset to the first answer over USB, by this computer's clock: {report.restart_s * 1000:.0f}"


def _row(label: str, values: list[float]) -> str:
    if not values:
        return f"  {label:<34}{0:>6}"
    values = sorted(values)
    chosen = [values[len(values) // 2], values[min(len(values) - 1, len(values) * 95 // 100)], values[-1]]
    return f"  {label:<34}{len(values):>6}" + "".join(f"{value:>9.1f}" for value in chosen)


def _cache(times: dict[str, Any]) -> Iterable[str]:
    counts = {"the start": times["start_cache"], "all keys": times["press_cache"]}
    if not any(accesses for _, accesses in counts.values()):
        return [f"  {_NO_CACHE}"]
    return [
        f"  {label:<{_LABEL}}{hits:,} of {accesses:,} reads hit: {100 * hits / max(1, accesses):.2f} %"
        for label, (hits, accesses) in counts.items()
    ]


def _steps(report: Report) -> Iterable[str]:
    times = report.times["press_us"]
    yield f"  {'step':>4}  {'chapter':<12}{'key':<12}{'picture':<10}{'device':>8}{'link':>8}  the simulator shows"
    for number, step in enumerate(report.played.steps):
        chapter, key = (step.press.chapter, str(step.press)) if step.press else ("", "")
        device = f"{times[number - 1] / 1000:.1f}" if 0 < number <= len(times) else ""
        link = f"{step.link_ms:.1f}" if number else ""
        told = "same" if step.same else "DIFFERS"
        shown = printable(step.title)
        yield f"  {number:>4}  {chapter:<12}{key:<12}{told:<10}{device:>8}{link:>8}  {shown}"


def _pictures(number: int, step: Step) -> list[str]:
    """Return both pictures of a step as text."""
    return [
        f"Step {number}: the device shows",
        *_drawn(step.shown),
        f"Step {number}: the simulator shows",
        *_drawn(step.expected),
    ]


def _drawn(screen: Screen) -> list[str]:
    """Return the lines of a picture, without colours."""
    rows = [
        bytes(screen.pages[y // 8 * screen.width + x] >> y % 8 & 1 for x in range(screen.width))
        for y in range(screen.height)
    ]
    return drawn(rows, "braille")
