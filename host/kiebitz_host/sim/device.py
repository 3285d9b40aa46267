"""Run the real firmware as a Pico would: `main.py` from the start, on the hardware and flash of a folder."""

import builtins
import gc
import hashlib
import os
import time
from contextlib import chdir
from importlib.machinery import PathFinder
from importlib.util import module_from_spec, resolve_name
from pathlib import Path
from types import ModuleType, SimpleNamespace

import kiebitz
from kiebitz.board.profiles import DEFAULT, PROFILES
from kiebitz.board.storage import Storage
from kiebitz.store.settings import Settings

from ..flash_layout import BLOCK, BLOCKS
from ..outcome import Trouble
from .flash_folder import DATA, HARDWARE
from .hardware import FakeTime, Hardware, PowerOff, Reset


def set_language(flash, lang, default=None):
    """Set the language of the device; without `lang` use the default, unless the players have chosen one."""
    settings = Settings(Storage(str(Path(flash) / DATA)))
    if not settings.chosen("language"):
        lang = lang or default
    if lang:
        settings.set("language", lang)


def set_board(flash, name):
    """Store the name of the board beside the flash; without a name, keep the stored one."""
    path = Path(flash) / HARDWARE
    try:
        if name or not path.exists():
            path.write_text(f"{name or DEFAULT}\n")
    except OSError as trouble:
        raise Trouble(f"{path} cannot be written: {trouble.strerror}.") from None


def board_of(flash):
    """Return the stored name of the flash's board; the default if it is missing or unknown."""
    try:
        name = (Path(flash) / HARDWARE).read_text("utf-8").strip()
    except (OSError, ValueError):
        return DEFAULT
    return name if name in PROFILES else DEFAULT


def pico_of(flash, clock, unique=True):
    """Return the hardware for a flash. With `unique` it gets its own device id, and so its own game ids."""
    hardware = Hardware(PROFILES[board_of(flash)], clock, os.urandom if unique else None)
    if unique:
        hardware.unique_id = hashlib.sha256(os.fsencode(flash)).digest()[:8]
    return hardware


class LiveTime(FakeTime):
    """The host's clock; while the firmware sleeps, `wait` serves the player."""

    def __init__(self):
        super().__init__(int(time.time()))
        self._start = time.monotonic()
        self.wait = self.advance

    def catch_up(self):
        self.advance(int((time.monotonic() - self._start) * 1000) - self.elapsed)

    def ticks_ms(self):
        self.catch_up()
        return super().ticks_ms()

    def sleep_ms(self, ms):
        self.wait(ms)


class Interpreter:
    """Import every module of `folder` again; `modules` are MicroPython's built-in modules by name.

    Each module gets builtins whose __import__ searches here first. Modules in neither `modules` nor the folder, such as
    json, come from the host's Python. A submodule of a package found here never does, because the host may have it
    imported for other purposes or from another checkout.
    """

    def __init__(self, folder, modules):
        self.modules = dict(modules)
        self._folder = str(folder)
        self._builtins = {**vars(builtins), "__import__": self._import}

    def run(self, path):
        """Run the program in this file."""
        names = {"__name__": "__main__", "__file__": str(path), "__builtins__": self._builtins}
        exec(compile(path.read_text("utf-8"), str(path), "exec"), names)

    def module(self, name):
        """Return a module, imported on first use; None if only the host's Python may have it."""
        if name in self.modules:
            return self.modules[name]
        package, _, own_name = name.rpartition(".")
        parent = self.module(package) if package else None
        if name in self.modules:  # the package has imported it
            return self.modules[name]
        folders = getattr(parent, "__path__", None) if package else [self._folder]
        spec = PathFinder.find_spec(name, folders) if folders else None
        if spec is None or spec.loader is None:  # a folder without __init__.py has no loader
            return None
        module = module_from_spec(spec)
        vars(module)["__builtins__"] = self._builtins
        self.modules[name] = module
        if parent:  # before the module runs, because `from` falls back to the host's sys.modules
            setattr(parent, own_name, module)
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del self.modules[name]
            if parent:
                delattr(parent, own_name)
            raise
        return module

    def _import(self, name, globals=None, locals=None, fromlist=(), level=0):
        """Implement __import__: return the module itself for `from name import ...`, else its top-level package."""
        if level:
            name = resolve_name("." * level + name, globals["__package__"])
        first = self.module(name.partition(".")[0])
        if first is None:
            return builtins.__import__(name, globals, locals, fromlist)
        module = self.module(name)
        if module is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        for part in fromlist or ():
            if not hasattr(module, part):
                self.module(f"{name}.{part}")
        return module if fromlist else first


FIRMWARE = Path(kiebitz.__file__).parents[1]
# The entry point: in a wheel beside the firmware file (a top-level main.py may belong to anyone), or in a checkout
_SHIPPED = Path(__file__).parents[1] / "uf2" / "main.py"
MAIN = _SHIPPED if _SHIPPED.is_file() else FIRMWARE / "main.py"
BOARD = "kiebitz.board.pico"  # the module whose this_board() returns the firmware's board

HEAP_FREE = 180_000  # roughly the free heap of a Pico, because CPython has no such limit


def run(hardware, flash, main=None, fit_out=None, started=None):
    """Run the firmware until the power goes off or the program ends.

    At each start the optional callback `fit_out` gets the board before the firmware does. It returns the board,
    possibly extended, for example with a canvas that reports drawing. `started` gets the Interpreter.
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
    """Return the MicroPython modules that are missing on the host or behave differently there."""
    usb = hardware.usb
    return {
        "machine": hardware.machine,
        "time": hardware.time,
        "sys": usb.sys,
        "select": usb.select,
        "os": _like(os, urandom=hardware.random, statvfs=lambda _: _flash_state(flash)),
        "vfs": SimpleNamespace(mount=lambda: [(flash, "/")]),
        "gc": _like(gc, mem_free=lambda: HEAP_FREE),
        "kiebitz.board.family": SimpleNamespace(FAMILY=hardware.family),
    }


def _like(module, **names):
    """Return a copy of a module with some names replaced."""
    made = ModuleType(module.__name__)
    vars(made).update(vars(module), **names)
    return made


def _bring_board(pico, fit_out):
    """Replace the firmware's board module by one whose board has passed through fit_out()."""
    original = pico.module(BOARD)
    pico.modules[BOARD] = SimpleNamespace(this_board=lambda: fit_out(original.this_board()))


def _flash_state(flash):
    """Return the result of os.statvfs() for a Pico's flash that holds these files."""
    used = sum(-(-path.stat().st_size // BLOCK) for path in flash.rglob("*") if path.is_file())
    free = max(BLOCKS - used, 0)
    return (BLOCK, BLOCK, BLOCKS, free, free, 0, 0, 0, 0, 255)
