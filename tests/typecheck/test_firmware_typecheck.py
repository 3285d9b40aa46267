"""Check that the type check of the firmware reports names that MicroPython lacks."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

FINE = """
import gc, json, os, sys, time
import framebuf
from machine import I2C, Pin
from micropython import const

WIDTH = const(128)

def start(name):
    pin = Pin(3, Pin.IN, Pin.PULL_UP)
    bus = I2C(0, scl=Pin(5), sda=Pin(4), freq=400_000)
    frame = framebuf.FrameBuffer(bytearray(1024), WIDTH, 64, framebuf.MONO_VLSB)
    frame.text("Kiebitz", 0, 0)
    bus.writeto(0x3C, b"x")
    gc.collect()
    os.rename("a", "b")
    print(json.dumps({}), pin.value(), time.ticks_diff(time.ticks_ms(), 0), sys.implementation)
    try:
        with open(name) as file:
            return file.readline().strip().split(",")
    except OSError as trouble:
        return [trouble.errno]
"""

# Each of these lines must be reported, and for the reason named.
WRONG = (
    ("import machine; machine.nope()", "nope"),
    ("import time; time.monotonic()", "monotonic"),
    ("import time; time.strftime('%H')", "strftime"),
    ("import os; os.path.join('a', 'b')", "path"),
    ("import os; os.environ", "environ"),
    ("import json; json.dumps({}, indent=2)", "indent"),
    ("import dataclasses", "dataclasses"),
    ("import pathlib", "pathlib"),
    ("import itertools", "itertools"),
    ("import functools", "functools"),
    ("'10H'.removeprefix('1')", "removeprefix"),
    ("'7'.zfill(2)", "zfill"),
    ("'7'.ljust(2)", "ljust"),
    ("b'7'.title()", "title"),
    ("(5).bit_length()", "bit_length"),
    ("FileNotFoundError", "FileNotFoundError"),
    ("UnicodeDecodeError", "UnicodeDecodeError"),
    ("format(1, '3d')", "format"),
    ("from machine import Pin; Pin(1).press()", "press"),
    ("def seat(n: int) -> str: return n", "return value"),
)


def _check(path):
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", "tests/typecheck/firmware.ini", str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout + done.stderr


def test_a_call_micropython_has_passes(tmp_path):
    (tmp_path / "fine.py").write_text(FINE)
    code, report = _check(tmp_path / "fine.py")
    assert code == 0, report


def test_every_call_micropython_lacks_is_reported(tmp_path):
    (tmp_path / "wrong.py").write_text("".join(line + "\n" for line, _ in WRONG))
    code, report = _check(tmp_path / "wrong.py")
    assert code == 1, report
    for number, (line, reason) in enumerate(WRONG, 1):
        found = [text for text in report.splitlines() if f"wrong.py:{number}: error:" in text]
        assert any(reason in text for text in found), (line, report)
