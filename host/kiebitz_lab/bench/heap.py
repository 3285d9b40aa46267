"""Run by MicroPython: plays a sample game and prints how many bytes the app keeps (FLASH-FOLDER < SAMPLE as JSON)."""

import gc
import json
import sys

from kiebitz.board.storage import Storage

from kiebitz_lab.handheld import ScriptedDevice

setup, keys = json.load(sys.stdin)
gc.collect()
before = gc.mem_alloc()  # type: ignore[attr-defined]
device = ScriptedDevice(Storage(sys.argv[1]))
device.sit_down(setup)
device.keys(keys)
gc.collect()
print(gc.mem_alloc() - before)  # type: ignore[attr-defined]
