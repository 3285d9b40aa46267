"""Run by MicroPython: plays a sample game and prints how many bytes the app uses (FLASH-FOLDER SAMPLE)."""

import gc
import sys

from kiebitz.board.storage import Storage

from kiebitz_lab import samples
from kiebitz_lab.handheld import Device

gc.collect()
before = gc.mem_alloc()  # type: ignore[attr-defined]
device = Device(Storage(sys.argv[1]))
samples.play(device, sys.argv[2])
gc.collect()
print(gc.mem_alloc() - before)  # type: ignore[attr-defined]
