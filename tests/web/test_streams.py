"""Streams of events: every change reaches every spectator."""

import asyncio
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from helpers.play import setup
from host.conftest import kiebitz  # noqa: F401 - the command line as a fixture
from kiebitz.store.table import Table
from kiebitz_host.web import site
from kiebitz_host.web.site import WAITING_MAX, Event, Stream
from kiebitz_lab.pages import wait_until
from kiebitz_lab.web_load import run
from web.support import Visitor

OPEN = 40
END_S = 60.0  # of a busy computer: a server that waits for its streams would never end


def test_an_event_keeps_its_lines_and_cannot_forge_another():
    encoded = Event("live", "a\nevent: x\n\rb\r\nc").encoded
    assert encoded == b"event: live\ndata: a\ndata: event: x\ndata: \ndata: b\ndata: c\n\n"


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_no_field_of_an_event_can_add_another(end):
    encoded = Event(f"live{end}retry: 0", "table", id=f"a{end}data: <b>\0\ud800").encoded
    assert encoded == b"id: a data: <b> ?\nevent: live retry: 0\ndata: table\n\n"


def test_a_stream_accepts_only_encoded_events():
    async def scenario():
        stream = Stream()
        stream.put(b"data: forged\n\n")
        with pytest.raises(AttributeError):
            [piece async for piece in stream.events()]

    run_coroutine(scenario())


def run_coroutine(coroutine):
    """Run a coroutine in its own thread and return its result, because Playwright's loop runs in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def test_a_slow_page_loses_old_states_and_gets_the_newest():
    async def scenario():
        stream = Stream()
        for k in range(3 * WAITING_MAX):
            stream.put(Event("live", str(k)))
        stream_events = stream.events()
        await anext(stream_events)  # how long to wait before connecting again
        found = [await anext(stream_events) for _ in range(WAITING_MAX)]
        stream.end()
        assert [piece async for piece in stream_events] == []
        return found

    assert run_coroutine(scenario()) == [
        Event("live", str(k)).encoded for k in range(2 * WAITING_MAX, 3 * WAITING_MAX)
    ]


def test_a_heartbeat_when_nothing_happens(monkeypatch):
    monkeypatch.setattr(site, "HEARTBEAT_S", 0.0)

    async def scenario():
        stream_events = Stream().events()
        return [await anext(stream_events) for _ in range(3)]

    assert run_coroutine(scenario())[1:] == [b":\n\n", b":\n\n"]


def spot(*winners):
    table = Table(setup("top_spot", 3, match_length=3))
    for p in winners:
        table.play({"ev": "point", "p": p})
    return table


def test_a_page_that_shows_the_state_already_is_not_sent_it_again(stand, visitor):
    stand.show(spot(1))
    wait_until(stand.site.seen, "the pages show it")
    first = visitor.stream("/events/live")
    assert "Ben" in first.next()[1]
    again = visitor.stream("/events/live", last_event_id=first.id)
    wait_until(lambda: len(stand.site.hub) == 2, "both streams are open")
    stand.show(spot(1, 2))
    assert "Entry 2" in again.next()[1]
    for one in (first, again):
        one.close()


def test_a_dead_page_does_not_hold_up_the_others(stand, visitor):
    """Fill the buffers of one page; the others get every change."""
    host = urlsplit(stand.address)
    dead = socket.socket()
    dead.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    dead.connect((host.hostname, host.port))
    dead.sendall(b"GET /events/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    living = visitor.stream("/events/live")
    wait_until(lambda: len(stand.site.hub) == 2, "both streams are open")
    table = Table(setup("poker_carre", 4))
    for k in range(1, 301):
        table.play({"ev": "mark", "p": k % 4, "rubric": 1 + k % 5})
        stand.show(table)
        living.until(f"Entry {k}:")
    dead.close()
    living.close()


def test_changes_that_come_at_once_are_all_sent(stand, visitor):
    """Send one event for each change, even if the server was blocked meanwhile."""
    events = visitor.stream("/events/live")
    assert "No Kiebitz" in events.next()[1]
    table = Table(setup("poker_carre", 4))
    for k in range(1, WAITING_MAX):
        table.play({"ev": "mark", "p": k % 4, "rubric": 1})
        stand.show(table)
    for k in range(1, WAITING_MAX):
        assert f"Entry {k}:" in events.next()[1]


def test_pages_of_devices_that_nobody_has_cost_no_memory(stand, visitor):
    stand.show(spot(1))
    wait_until(stand.site.seen, "the pages show it")
    kept = len(stand.site._kept)
    for k in range(20):
        events = visitor.stream(f"/events/live/{k:016x}")
        assert "No Kiebitz" in events.next()[1]
        events.close()
    assert len(stand.site._kept) == kept


def test_the_server_forgets_pages_that_were_closed(stand, visitor):
    opened = [visitor.stream("/events/live") for _ in range(5)]
    wait_until(lambda: len(stand.site.hub) == 5, "all streams are open")
    for one in opened:
        one.close()
    stand.show(spot(1))
    wait_until(lambda: len(stand.site.hub) == 0, "all streams are forgotten")


def test_all_streams_end_with_the_server(stand, visitor):
    opened = [visitor.stream("/events/live") for _ in range(OPEN)]
    wait_until(lambda: len(stand.site.hub) == OPEN, "all streams are open")
    stand.stop()
    for one in opened:
        one.rest()  # ends instead of blocking


@pytest.mark.skipif(sys.platform == "win32", reason="no Ctrl-C to another process there")
def test_ctrl_c_ends_at_once_with_many_streams_open(tmp_path):
    command = [Path(sys.executable).with_name("kiebitz"), "web", "--no-browser", "--port", "0", "--lang", "en",
               "--db", tmp_path / "results.db"]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        address = process.stdout.readline().split()[-1]
        process.stdout.readline()
        stand = SimpleNamespace(address="http://" + urlsplit(address).netloc)
        opened = [Visitor(stand).stream("/events/live") for _ in range(OPEN)]
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=END_S)
        assert (process.returncode, err) == (0, "")
        for one in opened:
            one.rest()
    finally:
        process.kill()
        process.wait()


# --- many spectators ---

GROWN_MAX_KB = 8 * 1024  # less than a server that buffers every change for every client: 60 x 20 x 10 KB


@pytest.mark.long
def test_every_spectator_sees_every_change():
    """Run a short kiebitz_lab.web_load. Only the long form checks the delays, because tests run in parallel."""
    load = run(spectators=60, seconds=4)
    assert load.changes >= 20 and load.lost == 0
    assert len(load.delays_ms) == load.changes * 60
    assert load.grown_kb < GROWN_MAX_KB
