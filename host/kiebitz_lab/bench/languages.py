"""Measure the cost of each language on flash and in memory, and the time of a change."""

from typing import Any

from kiebitz.store.settings import in_menu
from kiebitz.text import LANGUAGES, own_name
from kiebitz_host.languages import device_texts
from rich import box
from rich.console import Console
from rich.table import Table as Grid

from kiebitz_lab.image.build import current_image
from kiebitz_lab.image.room import current_room

from ..chip.evenings import to_language
from ..chip.flash import flash_with
from ..chip.probes import ReferenceDevice, heap
from ..chip.rig import TAP_MS, Rig

SWITCH_GOAL_MS = 300
TO_SETTINGS = "undo pick:start.settings"  # after the language was chosen, a new device asks which game to play
# Load the sentences of a new game and of all settings into memory
LOOK_AROUND = f"ok undo {TO_SETTINGS} down*{len(in_menu())} undo"


def measure(languages: tuple[str, ...] = LANGUAGES) -> dict[str, Any]:
    """Return {"de": {"text_bytes", "image_bytes", "heap_free", "first_choice_ms", "switch_ms"}, ...}."""
    flash = flash_with(current_image())
    switches = switch_ms(flash)
    rows = current_room()["rows"]
    return {
        lang: {
            "text_bytes": sum(len(sentence.encode()) for sentence in device_texts(lang).values()),
            "image_bytes": rows[f"kiebitz_languages.{lang}"],
            "heap_free": _heap_free(flash, lang),
            "first_choice_ms": round(_first_choice_ms(flash, lang), 1),
            "switch_ms": round(switches[lang], 1),
        }
        for lang in languages
    }


def _to_cursor(lang: str) -> str:
    """Return the keys from the first language to this one."""
    return f"at:{own_name(lang)}"


def _ok_ms(rig: Rig) -> float:
    """Return the milliseconds from OK to the last byte of the picture."""
    start = rig.ms
    rig.tap("ok", TAP_MS)
    return rig.bus.drawn_ms - start


def _first_choice_ms(flash: bytes, lang: str) -> float:
    """Return the milliseconds from OK on a new device's first question to the first screen in that language."""
    return _ok_ms(Rig(flash).boot().keys(ReferenceDevice(language=None).pressed(_to_cursor(lang))))


def switch_ms(flash: bytes) -> dict[str, float]:
    """Return {language: milliseconds from OK in the settings, which selects the language, to the screen in it}."""
    reference = ReferenceDevice(language=None)
    rig = Rig(flash).boot().keys(reference.pressed(f"ok {TO_SETTINGS}"))
    times = {}
    for lang in [*LANGUAGES[1:], LANGUAGES[0]]:
        times[lang] = _ok_ms(rig.keys(reference.pressed(to_language(lang))))
        reference.keys("ok")
    return times


def _heap_free(flash: bytes, lang: str) -> int:
    keys = ReferenceDevice(language=None).pressed(f"{_to_cursor(lang)} ok {LOOK_AROUND}")
    return heap(Rig(flash).boot().keys(keys)).free


def show(figures: dict[str, Any], console: Console | None = None) -> None:
    """Print a line for each language, the goal in the last column."""
    grid = Grid(box=box.SIMPLE_HEAD, title="Languages, times emulated", title_justify="left")
    grid.add_column("language", no_wrap=True)
    for head in ("text", "in the image", "heap free", "first choice", "switch", "goal"):
        grid.add_column(head, justify="right")
    for lang, costs in figures.items():
        sizes = [costs[key] for key in ("text_bytes", "image_bytes", "heap_free")]
        times = [costs[key] for key in ("first_choice_ms", "switch_ms")]
        cells = [*[f"{size:,}" for size in sizes], *[f"{ms:.0f} ms" for ms in times], f"{SWITCH_GOAL_MS} ms"]
        grid.add_row(own_name(lang), *cells)
    (console or Console()).print(grid)
