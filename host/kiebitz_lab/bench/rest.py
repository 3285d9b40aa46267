"""Measures how much of its time the device is awake on battery while nobody presses a key, on the emulated RP2040.

Awake is a processor that executes instructions: it sleeps in WFE or WFI, and in light sleep most clocks stop as well.
"""

from functools import partial
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table as Grid

from kiebitz_lab.image.build import current_image

from ..chip.files import changed, flash_with
from ..chip.fork import branch
from ..chip.rig import Rig
from ..chip.twin import Twin, in_use

SETUP = {"game": "royal_flush", "players": ["Anna", "Ben", "Cleo"]}
# State of the display -> (milliseconds after which it is in this state, highest percentage of time awake)
STATES = {"on": (5_000, 10), "dimmed": (65_000, 5), "off": (305_000, 1)}
MEASURED_MS = 10_000
PRESS_GOAL_MS = 60
PRESSES = 8  # at different moments of the sleep
PRESS_EVERY_MS = 7.3
TAP_MS = 40


def measure() -> dict[str, Any]:
    """Return {state: {"awake_percent": ..., "press_ms": the longest time from a press until the display shows it}}."""
    flash = changed(flash_with(current_image(), in_use()), Twin().sit_down(SETUP).files())
    rig = Rig(flash, usb=False).boot()
    figures = {}
    for state, (after_ms, _) in STATES.items():
        rig.run_ms(after_ms - rig.ms)
        presses = [branch(rig, partial(_press_ms, wait_ms=k * PRESS_EVERY_MS)) for k in range(PRESSES)]
        figures[state] = {"awake_percent": round(awake(rig), 2), "press_ms": round(max(presses), 1)}
    return figures


def awake(rig: Rig) -> float:
    """Return the percentage of the next seconds in which the processor works."""
    cycles, start = rig.pico.cycles, rig.ms
    rig.run_ms(MEASURED_MS)
    return 100 * rig.pico.load(rig.pico.cycles - cycles, rig.ms - start)


def _press_ms(rig: Rig, wait_ms: float) -> float:
    """Return the milliseconds from a press of LEFT until the menu is drawn, or until a dark display is lit."""
    rig.run_ms(wait_ms)
    was_lit, start = rig.oled.lit, rig.ms
    rig.press("left")
    rig.pico.at(TAP_MS, lambda: rig.release("left"))
    if was_lit:
        rig.run_ms(TAP_MS).settle()
        return rig.bus.drawn_ms - start
    rig.pico.run_until(lambda: rig.oled.lit, 1000)
    return rig.ms - start


def show(figures: dict[str, Any], console: Console | None = None) -> None:
    """Print the figures, the goal beside each."""
    title = "On battery, nobody presses a key: emulated time"
    grid = Grid(box=box.SIMPLE_HEAD, title=title, title_justify="left")
    for heading in ("display", "awake", "goal", "a press shows within", "goal"):
        grid.add_column(heading, justify="left" if heading == "display" else "right", no_wrap=True)
    for state, row in figures.items():
        goal = STATES[state][1]
        grid.add_row(state, f"{row['awake_percent']} %", f"{goal} %", f"{row['press_ms']} ms", f"{PRESS_GOAL_MS} ms")
    (console or Console()).print(grid)
