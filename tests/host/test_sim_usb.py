"""The simulator's serial port, and the path of a key press to the display."""

import os
import select
import subprocess
import sys
from pathlib import Path

import pytest
from kiebitz.board.storage import Storage
from kiebitz.widgets.keys import OK
from kiebitz_host.link.client import Client
from kiebitz_host.link.ports import named_port, open_port
from kiebitz_host.sim.hardware import Hardware
from kiebitz_host.sim.terminal_ui import PIECE, PtyPort
from kiebitz_host.system import simulator_port
from kiebitz_lab.handheld import ScriptedDevice

PATIENCE_S = 20


@pytest.fixture
def simulator(flash):
    """Yield `kiebitz sim` in a pseudo-terminal with its display on."""
    near, far = os.openpty()
    environment = {**os.environ, "PYTHONUTF8": "1", "COLUMNS": "80", "LINES": "24"}
    process = subprocess.Popen(
        [Path(sys.executable).with_name("kiebitz"), "sim", "--flash", flash],
        stdin=far,
        stdout=far,
        env=environment,
    )
    seen = b""
    try:
        while b"quit" not in seen:
            assert select.select([near], [], [], PATIENCE_S)[0], seen
            seen += os.read(near, 65536)
        yield process, seen.decode(errors="replace")
    finally:
        process.kill()
        process.wait()
        os.close(near)
        os.close(far)


def test_sync_and_keys_work_as_with_a_pico(simulator, flash, kiebitz, tmp_path):
    process, seen = simulator
    path = simulator_port(flash)
    assert f"USB {path}" in seen
    done = kiebitz("sync", "--port", str(flash), "--db", str(tmp_path / "results.db"))
    assert (done.code, done.err) == (0, "")
    assert f"on {path}: 1 game fetched." in done.out
    with Client(open_port(named_port(str(flash)))) as client:
        assert client.hello()["now"] > 0
        assert client.follow()["lines"] == 2
        client.press("UNDO")
        assert client.news(PATIENCE_S)["lines"] == 3
        assert any(client.screen()[2])
    done = kiebitz("sync", "--port", path, "--db", str(tmp_path / "results.db"))
    assert "more entries, still being played" in done.out
    process.kill()
    process.wait()
    assert simulator_port(flash) is None


def test_a_program_that_does_not_read_stops_nobody():
    usb = Hardware().usb
    with PtyPort(usb) as port:
        far = os.open(port.path, os.O_RDWR | os.O_NOCTTY)
        sent = 0
        for _ in range(2000):
            if usb.writable():
                sent += usb.put(b"x" * 63 + b"\n")
            port.pump()
        assert 3 * PIECE < sent < 100_000 and usb.waited_ms == 0 and not usb.writable()
        got = 0
        while got < sent:
            port.pump()
            got += len(os.read(far, PIECE))
        assert got == sent
        os.close(far)


def test_a_program_that_sends_without_end_is_slowed_down():
    usb = Hardware().usb
    with PtyPort(usb) as port:
        far = os.open(port.path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        sent = 0
        for _ in range(100):
            port.pump()
            try:
                sent += os.write(far, b"y" * PIECE)
            except BlockingIOError:
                pass
        assert usb.unread < 3 * PIECE and sent < 100 * PIECE
        os.close(far)


# --- a key press ---

SETUP = {"game": "royal_flush", "players": ["Anna", "Ben", "Cleo", "Dan"]}


def calls_of(action):
    """Return the qualified names of all functions that `action` calls and that return, as (name, event) pairs."""
    found = []

    def record(frame, event, _):
        if event in ("call", "return"):
            found.append((frame.f_code.co_qualname, event))

    before = sys.getprofile()
    sys.setprofile(record)
    try:
        action()
    finally:
        sys.setprofile(before)
    return found


def test_a_key_press_goes_through_the_rules_to_flash_and_only_then_to_the_display(tmp_path):
    device = ScriptedDevice(Storage(str(tmp_path / "data")))
    device.sit_down(SETUP, ({"ev": "score", "p": 0, "board": "pair"},))
    device.keys("ok wait:1000")  # to the nine boards; then wait for idle work to finish
    entries = len(device.table)
    device.hw.press(OK)
    calls = calls_of(lambda: device.wait(device.step_ms))
    assert len(device.table) == entries + 1
    way = [
        ("Keys.feed", "call"),
        ("BoardsScreen.key", "call"),
        ("RoyalFlush.do_score", "call"),
        ("Storage.append", "return"),
        ("Oled.show", "call"),
    ]
    assert [calls.index(step) for step in way] == sorted(calls.index(step) for step in way)
