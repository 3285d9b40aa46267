"""Runs the real firmware on the host as a Pico would: `main.py` from the start, with its modules, flash and resets."""

import builtins
import gc
import os
import runpy
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path

import kiebitz

from ..outcome import Trouble
from .hardware import PowerOff, Reset

MAIN = Path(kiebitz.__file__).parents[1] / "main.py"

FLASH_BLOCK = 4096
FLASH_BLOCKS = 352  # the size of the file system that MicroPython makes on a Pico
HEAP_FREE = 180_000  # roughly what a Pico has left: CPython has no such limit


def run(hardware, flash, main=None, prepare=None):
    """Run the firmware until the power goes off or the program ends; `prepare` is called before each start."""
    main = main or MAIN
    if not main.is_file():
        raise Trouble(f"there is no {main}: the simulator runs from a checkout of the project.")
    while True:
        with _like_a_pico(hardware, Path(flash), main):
            if prepare:
                prepare()
            try:
                runpy.run_path(str(main), run_name="__main__")
            except Reset:
                continue
            except PowerOff:
                pass
            return


@contextmanager
def _like_a_pico(hardware, flash, main):
    """Give the firmware the surroundings of a Pico; restore everything afterwards."""
    here = os.getcwd()
    modules = _firmware_modules()
    try:
        with ExitStack() as stack:
            for name in modules:  # a start imports everything anew
                del sys.modules[name]
            stack.enter_context(_replaced(builtins, "__import__", _importer(hardware, main)))
            stack.enter_context(_replaced(os, "urandom", hardware.urandom))
            stack.enter_context(_replaced(os, "statvfs", lambda _: _flash_state(flash)))
            stack.enter_context(_replaced(gc, "mem_free", lambda: HEAP_FREE))
            os.chdir(flash)
            yield
    finally:
        os.chdir(here)
        for name in _firmware_modules():
            del sys.modules[name]
        sys.modules.update(modules)


def _firmware_modules():
    return {name: module for name, module in sys.modules.items() if name == "kiebitz" or name.startswith("kiebitz.")}


def _importer(hardware, main):
    """Return an import function that gives the modules of the hardware to the firmware only."""
    original = builtins.__import__
    usb = hardware.usb
    modules = {"machine": hardware.machine, "time": hardware.time, "sys": usb.sys, "select": usb.select}

    def importer(name, globals=None, locals=None, fromlist=(), level=0):
        if name in modules and globals and _is_firmware(globals, main):
            return modules[name]
        return original(name, globals, locals, fromlist, level)

    return importer


def _is_firmware(names, main):
    return names.get("__file__") == str(main) or str(names.get("__name__")).split(".")[0] == "kiebitz"


def _flash_state(flash):
    """Return what os.statvfs() reports for a Pico's flash that holds these files."""
    used = sum(-(-path.stat().st_size // FLASH_BLOCK) for path in flash.rglob("*") if path.is_file())
    free = max(FLASH_BLOCKS - used, 0)
    return (FLASH_BLOCK, FLASH_BLOCK, FLASH_BLOCKS, free, free, 0, 0, 0, 0, 255)


@contextmanager
def _replaced(owner, name, value):
    missing = object()
    before = getattr(owner, name, missing)
    setattr(owner, name, value)
    try:
        yield
    finally:
        if before is missing:
            delattr(owner, name)
        else:
            setattr(owner, name, before)
