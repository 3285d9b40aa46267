"""Examine a running rig (a branch of it, its free heap, a link client), and compare it with a reference device."""

import os
import pickle
import re
import traceback
import warnings
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from kiebitz.board.profiles import DEFAULT
from kiebitz.store.journal_files import JournalFiles
from kiebitz.store.settings import Settings
from kiebitz_host.sim.flash_folder import DATA, MemoryStorage
from kiebitz_host.sim.hardware import Hardware

from ..handheld import ScriptedDevice
from .rig import Rig

Result = TypeVar("Result")


class BranchFailed(Exception):
    """The function in the copy ended with an error; the message is its traceback."""


def branch(rig: Rig, scenario: Callable[[Rig], Result]) -> Result:
    """Call scenario(rig) in a copy of this process. Returns its result, which must be picklable.

    Changes to the rig are lost, so the next branch starts from the same cycle. An assertion that
    fails in the scenario fails here. Raises BranchFailed for any other error.
    """
    ours, theirs = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # other threads of a test runner do not matter to the copy
        child = os.fork()
    if not child:
        os.close(ours)
        _tell(theirs, scenario, rig)
    os.close(theirs)
    with open(ours, "rb") as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    if not told:
        raise BranchFailed("the copy ended without a word")
    kind, result = pickle.loads(told)
    if kind == "done":
        return result
    raise (AssertionError if kind == "asserted" else BranchFailed)(result)


def _tell(pipe: int, scenario, rig: Rig) -> None:
    """Run the scenario in the copy, write its result, and exit without cleaning up what belongs to the original."""
    try:
        try:
            told = pickle.dumps(("done", scenario(rig)))
        except AssertionError as wrong:
            told = pickle.dumps(("asserted", str(wrong) or traceback.format_exc()))
        except BaseException:  # pytest.fail() raises a BaseException
            told = pickle.dumps(("failed", traceback.format_exc()))
        with open(pipe, "wb") as file:
            file.write(told)
    finally:
        os._exit(0)


_BLOCK = 16  # bytes: the allocation unit of MicroPython's heap
_PROMPT = b">>> "
_QUESTION = b"import gc, micropython; gc.collect(); print('heap', gc.mem_free()); micropython.mem_info()\r"


class Heap(NamedTuple):
    """Free memory in bytes, after a collection."""

    free: int
    largest: int  # the largest contiguous piece


def heap(rig: Rig) -> Heap:
    """Stop the app and ask for its memory. Returns the free memory; the app does not continue."""
    since = len(rig.serial.out)
    rig.serial.send(b"\x03")
    rig.serial.wait_for(_PROMPT, since=since)
    since = len(rig.serial.out)
    rig.serial.send(_QUESTION)
    told = rig.serial.wait_for(_PROMPT, since=since).decode()
    free = re.findall(r"heap (\d+)", told)[0]
    return Heap(int(free), int(re.findall(r"max free sz: (\d+)", told)[0]) * _BLOCK)


TURN_MS = 0.5  # between two polls of the port by the computer
ENUMERATED_MS = 1000


class ChipCable:
    """A transport that runs the rig while the client waits."""

    name = "emulated Pico"

    def __init__(self, rig: Rig):
        self.rig = rig
        rig.serial.connect()
        rig.pico.run_until(lambda: rig.serial.connected_ms is not None, ENUMERATED_MS)

    def clock(self) -> float:
        return self.rig.ms / 1000

    def read(self, seconds: float) -> bytes:
        end = self.clock() + seconds
        data = self.rig.serial.receive()
        while not data and self.clock() < end:
            self.rig.run_ms(TURN_MS)
            data = self.rig.serial.receive()
        return data

    def write(self, data: bytes) -> None:
        self.rig.serial.send(data)

    def close(self) -> None:
        self.rig.serial.disconnect()
        self.rig.run_ms(10)


CHIP_ID = b"\xff" * 8
CHIP_RANDOM = b"*"  # all that the emulated chip's random generator returns


def settled(files):
    """Return these files of a device, each journal with its newest lines, which may be in a file of their own."""
    storage = MemoryStorage.of(files)
    journals = JournalFiles(storage)
    journals.settle()
    return {f"{DATA}/{name}": storage.files[name] for name, _ in journals.sizes()}


def in_use(board=DEFAULT):
    """Return the files of a device that has been in use, with a chosen language and a known display."""
    return ReferenceDevice(board=board).files()


class ReferenceDevice(ScriptedDevice):
    """A device switched on with these files, given by their paths on the chip, or with this storage.

    Without either the device has been in use, with this language unless it is None, and a known display.
    """

    def __init__(self, files=None, language="en", board=DEFAULT, storage=None):
        self.seen = None  # a function to call after every turn of the app
        if files is None and storage is None:
            storage = MemoryStorage()
            if language:
                Settings(storage).set("language", language)
                Settings(storage).set("found", board)
        super().__init__(storage or MemoryStorage.of(files), None, board)

    def on(self, hw=None):
        hw = Hardware(self.profile, urandom=lambda n: CHIP_RANDOM * n)
        hw.unique_id = CHIP_ID
        super().on(hw)

    def restart(self):
        """Restart with only what is on flash."""
        self.on()

    def _turn(self):
        super()._turn()
        if self.seen:
            self.seen()

    def frame(self):
        return self.hw.oled.frame()

    def files(self):
        """Return the files on the flash, by their paths on the chip."""
        return {f"{DATA}/{name}": self.storage.files[name] for name in self.storage.names()}
