"""Play the scenario of a report beside the games. This file is sent to the Pico and runs there.

The app gets a separate folder for its files, so the games and settings of the players are not changed.
"""

# Uses modules that only MicroPython has:
# mypy: ignore-errors

import binascii
import gc
import json
import os
import sys
import time

FOLDER = "report"
FILE_TYPE = 0x8000
# Registers of the flash cache: hits and accesses since the last write to them; they saturate at 32 bits
XIP_CTRL = 0x400C8000 if "RP2350" in getattr(sys.implementation, "_machine", "") else 0x14000000
HITS = XIP_CTRL + 0x0C
ACCESSES = XIP_CTRL + 0x10

# After this time without a key from the laptop, the device restarts with the games of its players
SILENCE_MS = 30_000

app = None
heard_ms = 0  # time of the last key
start_us = 0
start_cache = [0, 0]  # hits, accesses
press_us = []  # of each press: from the key to the complete picture on the display's bus
press_cache = [0, 0]


def tell_files():
    """Remove leftovers of an earlier report, then print number and CRC32 of the players' files, with their names."""
    clear()
    crc, count = fingerprint("", 0, 0)
    print(json.dumps({"files": count, "crc": f"{crc:08x}"}))


def fingerprint(folder, crc, count):
    """Return (CRC32, number) of all files in a folder, continuing from the given values."""
    for name, kind in sorted([entry[:2] for entry in os.ilistdir(folder or "/")]):
        path = folder + "/" + name
        crc = binascii.crc32(path.encode(), crc)
        if kind != FILE_TYPE:
            crc, count = fingerprint(path, crc, count)
            continue
        count += 1
        with open(path, "rb") as file:
            piece = file.read(1024)
            while piece:
                crc = binascii.crc32(piece, crc)
                piece = file.read(1024)
    return crc, count


def clear(folder=FOLDER):
    """Remove the files of a report, even of an interrupted one."""
    try:
        entries = [entry[:2] for entry in os.ilistdir(folder)]
    except OSError:
        return
    for name, kind in entries:
        if kind == FILE_TYPE:
            os.remove(folder + "/" + name)
        else:
            clear(folder + "/" + name)
    os.rmdir(folder)


def start(settings):
    """Start the app in a separate folder with these settings, and record how long that took."""
    global app, start_us, heard_ms
    if sys.path[0] == "":
        sys.path[:] = [".frozen"]
    clear()
    from kiebitz.board.storage import Storage
    from kiebitz.store.settings import Settings

    kept = Settings(Storage(FOLDER))
    for name in settings:
        kept.set(name, settings[name])
    kept.claim()  # a start writes this once
    for name in [name for name in sys.modules if name.split(".")[0] == "kiebitz"]:
        del sys.modules[name]  # because a start imports all of them
    gc.collect()
    heard_ms = time.ticks_ms()
    cache()
    begun = time.ticks_us()
    app = made()
    app.step()
    start_us = time.ticks_diff(time.ticks_us(), begun)
    start_cache[:] = cache()


def made():
    """Return an app that records how long each key of the laptop takes."""
    import select

    import machine
    from kiebitz.app import App
    from kiebitz.board import Board
    from kiebitz.board.storage import Storage
    from kiebitz.store.settings import Settings

    class TimedApp(App):
        def press(self, k, hold=False):
            global heard_ms
            cache()
            begun = time.ticks_us()
            App.press(self, k, hold)
            if self.dirty:
                self.draw()
            press_us.append(time.ticks_diff(time.ticks_us(), begun))
            for at, count in enumerate(cache()):
                press_cache[at] += count
            heard_ms = time.ticks_ms()

        def step(self):
            # If the laptop is gone, a battery-powered device must return to its players
            if time.ticks_diff(time.ticks_ms(), heard_ms) > SILENCE_MS:
                clear()
                machine.reset()
            App.step(self)

        def start_update(self):
            pass  # a report must not end in the bootloader, whichever key is pressed

    storage = Storage(FOLDER)
    console = (sys.stdin.buffer, sys.stdout.buffer, select)
    return TimedApp(Board(machine, time, Settings(storage), storage, console=console))


def cache():
    """Return [hits, accesses] of the cache since the last call."""
    import machine  # not at the top, so that CPython can import this file

    counted = [machine.mem32[HITS], machine.mem32[ACCESSES]]
    machine.mem32[HITS] = machine.mem32[ACCESSES] = 0
    return counted


def tell_times():
    """Print the measurements, and the last error of the app."""
    gc.collect()
    told = {
        "start_us": start_us,
        "start_cache": start_cache,
        "press_us": press_us,
        "press_cache": press_cache,
        "memory": gc.mem_free(),
        "crash": "",
    }
    try:
        with open(FOLDER + "/crash.txt", "rb") as file:
            told["crash"] = "".join([chr(byte) if 32 <= byte < 127 else " " for byte in file.read()[-700:]])
    except OSError:
        pass
    print(json.dumps(told))
