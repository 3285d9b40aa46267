"""Check `kiebitz web --tell`: each change is posted to one address of the user's network without delaying the table."""

import json
import re
import select
import socket
import ssl
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Empty, Queue

import pytest
from helpers.play import ev, setup
from helpers.shelf import games_on
from host.conftest import kiebitz  # noqa: F401 - the command line as a fixture
from kiebitz_host.outcome import Trouble
from kiebitz_host.web import webhook
from kiebitz_host.web.webhook import LINES_MAX, TRIES, FollowedGame, Receiver, Webhook
from kiebitz_lab.pages import wait_until

PATIENCE_S = 12
DOCS = (Path(__file__).parents[2] / "docs/webhook.md").read_text("utf-8")


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

    def post():
        with suppress(OSError):  # the other side may hang up first
            Receiver(f"{scheme}://127.0.0.1:{port}/").post(b"{}")

    posting = threading.Thread(target=post, daemon=True)
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


def test_a_host_that_answers_at_one_of_its_addresses_is_reached(home, monkeypatch):
    """As localhost is at ::1 and 127.0.0.1, and the receiver listens at the second only."""
    port = home.server.server_port
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in ("::1", "127.0.0.1")]
    real = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, *a, **k: found if host == "nas" else real(host, *a, **k))
    Receiver(f"http://nas:{port}/hook").post(b'{"what":"begin"}')
    assert home.next() == {"what": "begin"}


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
    documented = json.loads(re.search(r"```json\n(.*?)```", DOCS, re.S)[1])
    assert {**documented, "at": posted["at"]} == posted
    assert {*posted, "begin", "change", "state"} == set(re.findall(r"^- `(\w+)`", DOCS, re.M))


TYPES = {"integer": int, "string": str, "boolean": bool, "object": dict, "array": list, "null": type(None)}


def test_every_value_has_the_documented_type():
    described = re.findall(r"^- `(\w+)` \(([\w ]+)\)", DOCS, re.M)
    types = {key: [TYPES[word] for word in words.split(" or ")] for key, words in described}
    followed = FollowedGame("g", "d")
    lines = lines_of(ev("point", p=1), ev("undo"), ev("redo"), ev("end_match"))
    posted = [one for end in range(len(lines)) for one in followed.payloads(lines[: end + 1])]
    for payload in posted:
        assert payload.keys() == types.keys() and all(type(payload[key]) in types[key] for key in types), payload
        assert [type(payload["game"][key]) for key in ("id", "kind", "title")] == [str] * 3
        for player in payload["players"]:
            assert [type(player[key]) for key in ("name", "total", "leads", "winner")] == [str, int, bool, bool]
