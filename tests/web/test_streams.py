"""Streams of events: every change reaches every spectator, and an address with `kiebitz web --tell`."""

import asyncio
import json
import re
import select
import signal
import socket
import ssl
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Empty, Queue
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from helpers.play import ev, setup
from helpers.shelf import games_on
from host.conftest import kiebitz  # noqa: F401 - the command line as a fixture
from kiebitz.store.table import Table
from kiebitz_host.outcome import Trouble
from kiebitz_host.web import site, webhook
from kiebitz_host.web.site import WAITING_MAX, Event, Stream
from kiebitz_host.web.webhook import LINES_MAX, TRIES, FollowedGame, Receiver, Webhook
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


PATIENCE_S = 12
DOCS = Path(__file__).parents[2] / "docs/webhook.md"


class Home:
    """A server that keeps what is posted to it; `status` is its answer, and `holds` delays it until it is released."""

    def __init__(self):
        self.posts = Queue()
        self.status = 200
        self.holds = threading.Event()
        self.holds.set()
        home = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                home.posts.put((self.path, self.headers["content-type"], json.loads(body)))
                home.holds.wait(PATIENCE_S)
                self.send_response(home.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/api/webhook/kiebitz?x=1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def next(self):
        """Return the next payload."""
        return self.posts.get(timeout=PATIENCE_S)[2]

    def close(self):
        self.holds.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def home():
    made = Home()
    yield made
    made.close()


@pytest.fixture
def hook(home, monkeypatch):
    """Return a function that starts a webhook; `hook.said` are its reports."""
    monkeypatch.setattr(webhook, "PAUSE_S", 0)
    started = []

    def start(address=None):
        started.append(Webhook(Receiver(address or home.address), "en", start.said.append))
        started[-1].start()
        return started[-1]

    start.said = []
    yield start
    for one in started:
        one.stop()


def lines_of(*events, **options):
    """Return the lines of a match of Top Spot with three players."""
    return [json.dumps(line) for line in (setup("top_spot", 3, **options), *events)]


def test_an_entry_and_an_undo_on_a_device_arrive(plugged, home):
    def match(storage):
        games_on(storage).create(setup("top_spot", 3, match_length=3))

    _, table = plugged(match, webhook=Webhook(Receiver(home.address), "en"))
    path, kind, begin = home.posts.get(timeout=PATIENCE_S)
    assert (path, kind, begin["what"]) == ("/api/webhook/kiebitz?x=1", "application/json", "begin")
    table.keys("up")
    entry = home.next()
    assert (entry["what"], entry["entries"], entry["over"]) == ("entry", 1, False)
    assert entry["text"].startswith("Point for") and entry["device"] == begin["device"]
    table.keys("undo")
    undone = home.next()
    assert (undone["what"], undone["entry"], undone["entries"]) == ("undo", entry["entry"], 0)


def test_each_line_is_one_payload_and_the_end_one_more(home, hook):
    lines = lines_of(ev("point", p=1), ev("undo"), ev("redo"), ev("end_match"), ev("undo"))
    started = hook()
    for end in range(1, len(lines) + 1):
        started.keep("d1", "g1", lines[:end])
        got = [home.next()]
        if got[0]["over"] and got[0]["what"] == "entry":
            got.append(home.next())
        if end == 1:
            assert got[0]["what"] == "begin" and got[0]["entry"] is None and got[0]["text"] is None
        assert got[0]["device"] == "d1" and got[0]["game"] == {"id": "g1", "kind": "top_spot", "title": "Top Spot"}
        if end == 5:
            assert [one["what"] for one in got] == ["entry", "over"]
            assert [one["winner"] for one in got[1]["players"]] == [False, True, False]
    assert got[0]["what"] == "undo" and not got[0]["over"]


def test_a_game_that_has_begun_before_is_one_payload():
    followed = FollowedGame("g", "d")
    lines = lines_of(ev("point", p=0), ev("point", p=1))
    (state,) = followed.payloads(lines)
    assert state["what"] == "state" and state["entries"] == 2
    assert [one["total"] for one in state["players"]] == [1, 1, 0] and state["players"][0]["leads"]
    assert list(followed.payloads(lines)) == []


def test_a_history_that_differs_is_told_as_a_state():
    followed = FollowedGame("g", "d")
    list(followed.payloads(lines_of(ev("point", p=0), ev("point", p=1))))
    (state,) = followed.payloads(lines_of(ev("point", p=2)))
    assert state["what"] == "state" and [one["total"] for one in state["players"]] == [0, 0, 1]


def test_a_correction_is_a_change():
    followed = FollowedGame("g", "d")
    lines = lines_of(ev("point", p=0))
    list(followed.payloads(lines))
    (change,) = followed.payloads([*lines, json.dumps(ev("correct", at=0, event=ev("point", p=2)))])
    assert change["what"] == "change" and change["entry"]["at"] == 0 and "1" in change["text"]


def test_after_a_long_pause_only_the_newest_entries_are_posted():
    followed = FollowedGame("g", "d")
    lines = lines_of(*[ev("point", p=0), ev("undo")] * 60)
    list(followed.payloads(lines[:1]))
    assert len(list(followed.payloads(lines))) == LINES_MAX


def test_a_receiver_that_hangs_delays_no_entry(home, hook):
    home.holds.clear()
    started = hook()
    lines = lines_of(*[ev("point", p=0), ev("undo")] * 500)
    for end in range(1, len(lines)):
        started.keep("d", "g", lines[:end])  # returns at once: what has been replaced never waits
    assert len(started._waiting) <= 1
    assert home.next()["what"] in ("begin", "state")


class Tls:
    def wrap_socket(self, opened, server_hostname):
        """Take over the descriptor of a socket, as the ssl module does, but without a handshake."""
        seconds = opened.gettimeout()
        taken = socket.socket(fileno=opened.detach())
        taken.settimeout(seconds)
        return taken


@pytest.fixture
def endless():
    """Yield the port of a receiver that sends its answer byte by byte until the other side hangs up, and its thread."""
    server = socket.create_server(("127.0.0.1", 0))

    def run():
        opened, _ = server.accept()
        with opened, suppress(OSError):
            opened.sendall(b"HTTP/1.1 200 OK\r\nX: ")
            while not select.select([opened], [], [], 0.01)[0] or opened.recv(1024):
                opened.sendall(b"y")

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    yield server.getsockname()[1], thread
    server.close()


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_receiver_that_answers_for_ever_is_cut_off(scheme, endless, monkeypatch):
    monkeypatch.setattr(webhook, "TIME_MAX_S", 0.3)
    monkeypatch.setattr(ssl, "create_default_context", Tls)
    port, answering = endless
    posting = threading.Thread(target=Receiver(f"{scheme}://127.0.0.1:{port}/").post, args=(b"{}",), daemon=True)
    posting.start()
    for thread in (posting, answering):
        assert thread.join(PATIENCE_S) or not thread.is_alive()


def test_it_gives_up_after_two_tries_and_reports_once(home, hook):
    home.status = 500
    started = hook()
    lines = lines_of(ev("point", p=0), ev("point", p=1))
    for end in range(1, 4):
        started.keep("d", "g", lines[:end])
        for _ in range(TRIES):
            assert home.next()["entries"] == end - 1
    with pytest.raises(Empty):
        home.posts.get_nowait()
    assert hook.said == ["the webhook does not arrive: status 500."]
    home.status = 204
    started.keep("d", "g", lines + [json.dumps(ev("undo"))])
    assert home.next()["what"] == "undo"
    wait_until(lambda: hook.said[1:] == ["the webhook arrives again."], "the webhook has recovered")


def test_a_redirect_is_not_followed(home, hook):
    home.status = 302
    hook().keep("d", "g", lines_of())
    assert home.next() and home.next()
    wait_until(lambda: hook.said == ["the webhook does not arrive: status 302."], "the redirect is refused")


def test_names_never_leave_the_own_network(monkeypatch):
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", 80))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    with pytest.raises(OSError, match="example.org is not in your own network"):
        Receiver("http://example.org/hook").post(b"{}")


@pytest.mark.parametrize(
    "address", ["", "nas", "ftp://nas/x", "http://", "http://[", "http://nas:99999/", "http://a:b@nas/", "http://nas/\n"]
)
def test_an_address_that_is_none_is_refused_before_the_server_starts(address, kiebitz, tmp_path):  # noqa: F811
    with pytest.raises(Trouble):
        Receiver(address)
    if address:
        done = kiebitz("web", "--port", "0", "--db", str(tmp_path / "r.db"), "--no-browser", "--tell", address)
        assert done.code == 2 and done.err.startswith("kiebitz: ") and len(done.err.splitlines()) == 1


def test_the_documented_payload_is_what_is_posted():
    lines = lines_of(ev("point", p=1))
    followed = FollowedGame("5b3c0f-0012-c67e81", "e6605838833d2f2c")
    list(followed.payloads(lines[:1]))
    (posted,) = followed.payloads(lines)
    documented = json.loads(re.search(r"```json\n(.*?)```", DOCS.read_text("utf-8"), re.S)[1])
    assert {**documented, "at": posted["at"]} == posted
    described = re.findall(r"^- `(\w+)`", DOCS.read_text("utf-8"), re.M)
    assert set(posted) | {"begin", "change", "state"} == set(described)


TYPES = {"integer": int, "string": str, "boolean": bool, "object": dict, "array": list, "null": type(None)}


def test_every_value_has_the_documented_type():
    described = re.findall(r"^- `(\w+)` \(([\w ]+)\)", DOCS.read_text("utf-8"), re.M)
    types = {key: [TYPES[word] for word in words.split(" or ")] for key, words in described}
    followed = FollowedGame("g", "d")
    lines = lines_of(ev("point", p=1), ev("undo"), ev("redo"), ev("end_match"))
    posted = [one for end in range(len(lines)) for one in followed.payloads(lines[: end + 1])]
    for payload in posted:
        assert payload.keys() == types.keys() and all(type(payload[key]) in types[key] for key in types), payload
        assert [type(payload["game"][key]) for key in ("id", "kind", "title")] == [str] * 3
        for player in payload["players"]:
            assert [type(player[key]) for key in ("name", "total", "leads", "winner")] == [str, int, bool, bool]
