"""Runs the real firmware on the host as a Pico would: `main.py` from the start, with its modules, flash and resets."""

import gc
import os
from contextlib import chdir
from pathlib import Path
from types import ModuleType, SimpleNamespace

import kiebitz

from ..flash_layout import BLOCK, BLOCKS
from ..outcome import Trouble
from .hardware import PowerOff, Reset
from .interpreter import Interpreter

FIRMWARE = Path(kiebitz.__file__).parents[1]
# The entry point: in a wheel beside the firmware file (a main.py among all packages may be anybody's), or in a checkout
_SHIPPED = Path(__file__).parents[1] / "uf2" / "main.py"
MAIN = _SHIPPED if _SHIPPED.is_file() else FIRMWARE / "main.py"
BOARD = "kiebitz.board.pico"  # the module whose this_board() returns the board that the firmware runs on

HEAP_FREE = 180_000  # roughly what a Pico has left: CPython has no such limit


def run(hardware, flash, main=None, fit_out=None, started=None):
    """Run the firmware until the power goes off or the program ends.

    At each start `fit_out`, if given, gets the board before the firmware does. It returns the board, which may have
    more than a Pico has, such as a canvas that reports what is drawn. `started` gets the Interpreter.
    """
    main = main or MAIN
    if not main.is_file():
        raise Trouble(f"there is no {main}: this Kiebitz is not complete, install it again.")
    flash = Path(flash).absolute()
    while True:
        pico = Interpreter(FIRMWARE, _modules(hardware, flash))
        if fit_out:
            _bring_board(pico, fit_out)
        if started:
            started(pico)
        try:
            with chdir(flash):  # the root of MicroPython's file system
                pico.run(main.absolute())
        except Reset:
            continue
        except PowerOff:
            pass
        return


def _modules(hardware, flash):
    """Return the modules of MicroPython that the host does not have, or has with another behaviour."""
    usb = hardware.usb
    return {
        "machine": hardware.machine,
        "time": hardware.time,
        "sys": usb.sys,
        "select": usb.select,
        "os": _like(os, urandom=hardware.random, statvfs=lambda _: _flash_state(flash)),
        "vfs": SimpleNamespace(mount=lambda: [(flash, "/")]),
        "gc": _like(gc, mem_free=lambda: HEAP_FREE),
    }


def _like(module, **names):
    """Return a module with the content of this one, except for these names."""
    made = ModuleType(module.__name__)
    vars(made).update(vars(module), **names)
    return made


def _bring_board(pico, fit_out):
    """Give the firmware a module of the board whose board is fitted out before it is used."""
    original = pico.module(BOARD)
    pico.modules[BOARD] = SimpleNamespace(this_board=lambda: fit_out(original.this_board()))


def _flash_state(flash):
    """Return what os.statvfs() reports for a Pico's flash that holds these files."""
    used = sum(-(-path.stat().st_size // BLOCK) for path in flash.rglob("*") if path.is_file())
    free = max(BLOCKS - used, 0)
    return (BLOCK, BLOCK, BLOCKS, free, free, 0, 0, 0, 0, 255)
