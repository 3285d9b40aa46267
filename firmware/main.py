"""The entry point of the device: starts the firmware."""

import gc
import os
import sys
import time

try:
    with open("finish.py") as file:
        finish = file.read()
except OSError:
    finish = ""
exec(finish)  # the last step of an install, if the power went while it was done

FOLDERS = ("", "/board", "/link", "/rules", "/table", "/ui", "/ui/texts")  # of kiebitz
COLLECT_MS = 450


class Compiled:
    """The folder kiebitz once more, with modules that are known to be there: looking for one would take 10 ms.

    What is loaded stays. So that it does not lie among garbage all over the heap, that is collected first, if it was
    not just before.
    """

    def __init__(self):
        self.collected = time.ticks_ms()

    def mount(self, _readonly, _mkfs):
        pass

    def umount(self):
        pass

    def ilistdir(self, _path):
        return iter(())

    def stat(self, path):
        if path.startswith("/kiebitz"):
            if path.endswith(".mpy"):
                return (0x8000,) + (0,) * 9
            if path[8:] in FOLDERS:
                return (0x4000,) + (0,) * 9
        raise OSError(2)

    def open(self, path, mode):
        if time.ticks_diff(time.ticks_ms(), self.collected) > COLLECT_MS:
            gc.collect()
            self.collected = time.ticks_ms()
        return open(path, mode)


try:
    open("kiebitz/__init__.mpy").close()
    os.mount(Compiled(), "/compiled")
    sys.path.insert(0, "/compiled")
except OSError:
    pass  # the modules lie there as source

from kiebitz.power_on import power_on  # noqa: E402

power_on()
