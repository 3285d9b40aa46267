"""Attack `kiebitz web` with raw requests and idle connections while two browsers watch.

`python -m kiebitz_lab.torture.raw_http N` sends N requests, many of them invalid, from several addresses of the
loopback interface to a server process with 1,024 file descriptors; then one peer and many peers open a quarter as many
connections and leave them idle. Every answer must have all security headers and a status below 500, and this computer
must be served within a second all the time.
"""

import http.client
import random
import re
import resource
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from urllib.parse import urlencode

from kiebitz_host.web.security import HEADERS
from playwright.sync_api import Browser, Page, expect, sync_playwright

from ..pages import WebProcess, launch, wait_until
from .campaign import Campaign, command_line, make_store

MODULE = "kiebitz_lab.torture.raw_http"
FILES = 1024  # of the server process
SERVED_S = 1.0  # goal for a request of this computer during a flood
ANSWER_S = 10.0  # timeout for an answer, reached only by failures
WAIT_S = 0.05  # for an answer to a request that is not complete
HELD_S = 4.0  # how long a flood goes on after its last connection
PEERS = [f"127.0.0.{number}" for number in range(1, 10)]
FLOOD_PEERS = 100
SECRET = "secret-folder"  # in the path of the database

PLACES = (
    "/", "/live", "/live/{}", "/live?tv={}", "/games", "/games/{}", "/games/1", "/games/{}/fix?entry=1",
    "/games/1/fix?entry={}&do={}", "/games/1/undo", "/games/1/{}", "/games?page={}",
    "/games?day={}&player={}&game={}", "/evening", "/evening/{}", "/league", "/league?game={}&early=1", "/players",
    "/players/{}", "/players/?name={}", "/device", "/device/{}", "/device?fetched={}", "/device/{}/key", "/names",
    "/names/{}", "/presets", "/presets/{}", "/presets/{}/remove", "/share", "/events/live", "/events/live/{}",
    "/events/store?state={}", "/events/device/{}", "/static/kiebitz.css", "/static/{}", "/favicon.ico", "/{}", "//{}",
    "/live?lang={}&theme={}", "/live?token={}", "{}", "*", "http://{}/live",
    "/games/1/file", "/games/{}/picture", "/evening/{}/file", "/league/picture", "/people/{}",
    "/people/join?name={}&other={}", "/people/rename?name={}&new={}", "/league?from={}&until={}",
)  # fmt: skip
NONSENSE = (
    "1", "0", "-1", "9" * 19, "9" * 5000, "%00", "%ff%fe", "..", "%2e%2e", "../../etc/passwd", "evil.example",
    "%ED%A0%80", "%3Cscript%3Ealert(1)%3C/script%3E", "%0d%0aSet-Cookie:%20a=b", "%0aid:%20x", "'%20OR%201=1--",
    "2026-01-04", "de", "a" * 3000, "%E2%80%AE", "%D9%A3", "[", "http://[", "1e999", "NaN", "Player%20A", "correct",
    "delete", "%25", "%", "~",
)  # fmt: skip
OF_DEVICES = ("/device/", "/names/", "/presets/", "/live/", "/events/device/")
METHODS = ("GET",) * 12 + ("POST",) * 6 + ("HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "BREW")
ODD_HEADERS = (
    "Origin: http://[", "Origin: null", "Cookie: =;;=\x01", "Cookie: a=" + "b" * 5000,
    "Accept-Language: de;q=" + "9" * 5000, "Accept-Language: " + "x," * 2000, "Last-Event-ID: " + "9" * 5000,
    "Range: bytes=0-1,5-9,-", "Range: bytes=" + "9" * 5000, "If-Modified-Since: Sun, 99 Nov 99999 99:99:99 GMT",
    "If-None-Match: *", "Transfer-Encoding: chunked", "Expect: 100-continue", "Content-Length: -1",
    "Content-Length: 99999999999999999999", "Content-Length: " + "9" * 5000, "Content-Length: 5",
    "Upgrade: websocket\r\nConnection: Upgrade", "Content-Type: multipart/form-data", "X: " + "y" * 60_000,
    "Host: evil.example", "Content-Type: application/x-www-form-urlencoded; charset=\xff",
    "Connection: keep-alive, close", ": empty", "Accept: \x00",
)  # fmt: skip
HOSTS = ("evil.example", "", "127.0.0.1.evil.example", "[::1", "a@127.0.0.1", "127.0.0.1:" + "9" * 5000)
FIELDS = ("key", "hold", "names", "title", "game", "limit", "start", "step", "do", "entry", "event", "seen", "wins")
INCOMPLETE = (b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked")  # the body may never come
FORM = "Content-Type: application/x-www-form-urlencoded"


class Attacker:
    """The server under attack: the owner's `cookie`, and the id of the simulated `device`."""

    def __init__(self, process: WebProcess):
        self.process = process
        self.cookie = ""
        answer, _ = self.get(f"/live?token={process.token}")
        self.cookie = answer.headers["Set-Cookie"].partition(";")[0]
        self.device = ""
        wait_until(self._finds_device, "the device is followed")

    def _finds_device(self) -> bool:
        found = re.search(rb"/events/device/(\w+)", self.get("/device")[1])
        self.device = found[1].decode() if found else ""
        return bool(found)

    def get(self, path: str) -> tuple[http.client.HTTPResponse, bytes]:
        """Return the answer to a request of the owner, and its body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.process.port, timeout=ANSWER_S)
        try:
            connection.request("GET", path, headers={"Cookie": self.cookie})
            answer = connection.getresponse()
            return answer, answer.read()
        finally:
            connection.close()

    def connect(self, peer: str) -> socket.socket:
        """Open a connection from an address of the loopback interface."""
        return socket.create_connection(("127.0.0.1", self.process.port), ANSWER_S, (peer, 0))


# --- requests ---


def _request(attacker: Attacker, dice: random.Random) -> tuple[bytes, bool]:
    """Return a request, and whether it has the owner's cookie."""
    is_owner = dice.random() < 0.6
    place = dice.choice(PLACES)
    while "{}" in place:
        is_device = dice.random() < 0.7 and place.startswith(OF_DEVICES)
        word = attacker.device if is_device else dice.choice(NONSENSE)
        place = place.replace("{}", word, 1)
    method = dice.choice(METHODS)
    host = dice.choice(HOSTS) if dice.random() < 0.1 else f"127.0.0.1:{attacker.process.port}"
    lines = [f"{method} {place} HTTP/{'1.0' if dice.random() < 0.1 else '1.1'}", f"Host: {host}"]
    lines += [f"Cookie: {attacker.cookie}"] if is_owner else []
    body = ""
    if method == "POST":
        lines += [f"Origin: {attacker.process.address}"] if dice.random() < 0.9 else []
        body = urlencode({dice.choice(FIELDS): dice.choice(NONSENSE) for _ in range(dice.randrange(5))})
        lines += [FORM, f"Content-Length: {len(body)}"]
    lines += [dice.choice(ODD_HEADERS) for _ in range(dice.choice((0, 0, 0, 1, 2)))]
    return "\r\n".join([*lines, "", body]).encode("latin-1"), is_owner


def _mutated(data: bytes, dice: random.Random) -> bytes:
    """Return the data with some bytes changed, inserted, removed or repeated."""
    changed = bytearray(data)
    for _ in range(dice.randrange(1, 6)):
        at = dice.randrange(len(changed))
        change = dice.randrange(4)
        if change == 0:
            changed[at] = dice.randrange(256)
        elif change == 1:
            changed[at:at] = dice.randbytes(dice.randrange(1, 9))
        elif change == 2:
            del changed[at : at + dice.randrange(1, 9)]
        else:
            changed[at:at] = changed[at : at + dice.randrange(1, 40)]
        if not changed:
            break
    return bytes(changed) + b"\r\n\r\n"


def _trial(attacker: Attacker, campaign: Campaign, dice: random.Random) -> None:
    """Send a request, sometimes two at once, and check the first answer."""
    data, is_owner = _request(attacker, dice)
    kind = dice.random()
    if kind < 0.2:
        data = _mutated(data, dice)
    elif kind < 0.25:
        data += _request(attacker, dice)[0]
    campaign.figures["requests"] += 1
    with attacker.connect(dice.choice(PEERS)) as raw:
        try:
            raw.sendall(data)
            may_wait = kind < 0.25 or any(header in data for header in INCOMPLETE)
            raw.settimeout(WAIT_S if may_wait else ANSWER_S)
            answer = http.client.HTTPResponse(raw, method=data.split(b" ", 1)[0].decode("latin-1"))
            answer.begin()
            is_stream = answer.headers.get_content_type() == "text/event-stream"
            body = b"" if is_stream else answer.read()
        except TimeoutError:
            campaign.figures["requests that wait for more"] += 1
            if not may_wait:
                campaign.fail(f"no answer in {ANSWER_S:.0f} s to {data[:200]!r}")
        except (ConnectionError, http.client.HTTPException):
            campaign.figures["connections closed without an answer"] += 1
            if kind >= 0.25:
                campaign.fail(f"no answer to {data[:200]!r}")
        else:
            campaign.figures[f"answers {answer.status}"] += 1
            for why in _faults(attacker, answer, body, is_owner):
                campaign.fail(f"{why}: {answer.status} to {data[:200]!r}")


def _faults(attacker: Attacker, answer: http.client.HTTPResponse, body: bytes, is_owner: bool) -> Iterator[str]:
    if answer.status >= 500:
        yield "an internal error"
    for key, value in HEADERS.items():
        if answer.headers.get_all(key) != [value]:
            yield f"no header {key}"
    location = answer.headers.get("Location", "/")
    if not re.match(r"/(?![/\\])", location):
        yield f"a redirect to {location[:80]}"
    if re.search(rb"""(?:href|src|action)="(?:/[/\\]|https?:(?!//127\.0\.0\.1))""", body) or b"<script>" in body:
        yield "a link to another site, or a script"
    if not is_owner and (SECRET.encode() in body or attacker.process.token.encode() in body):
        yield "a secret for a spectator"


# --- floods ---


class Owner:
    """A thread that loads a page from this computer again and again, and measures the slowest answer."""

    def __init__(self, attacker: Attacker):
        self._attacker = attacker
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.slowest = 0.0
        self.pages = 0
        self.troubles: list[str] = []

    def __enter__(self) -> "Owner":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        self._thread.join(2 * ANSWER_S)

    def _run(self) -> None:
        while not self._ends.wait(0.02):
            started = time.monotonic()
            try:
                answer, _ = self._attacker.get("/device")
                if answer.status != 200:
                    self.troubles.append(f"status {answer.status}")
            except (OSError, http.client.HTTPException) as trouble:
                self.troubles.append(repr(trouble))
            self.slowest = max(self.slowest, time.monotonic() - started)
            self.pages += 1


def _measure(campaign: Campaign, what: str, seconds: float) -> None:
    campaign.figures[what] = max(campaign.figures[what], round(1000 * seconds))


def flood(attacker: Attacker, campaign: Campaign, count: int, peers: int, held_s: float = HELD_S) -> None:
    """Open idle connections from other peers, hold them for a while, and measure how this computer is served."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    opened: list[socket.socket] = []
    started = time.monotonic()
    lines = attacker.process.errors().count("\n")
    with Owner(attacker) as owner:
        try:
            for k in range(count):
                one = socket.socket()
                opened.append(one)
                one.setblocking(False)
                one.bind((f"127.0.1.{1 + k % peers}", 0))
                one.connect_ex(("127.0.0.1", attacker.process.port))
                if k % 50 == 49:
                    time.sleep(0.001)  # to let the server accept them
            pages = owner.pages
            end = time.monotonic() + held_s
            wait_until(lambda: time.monotonic() > end and owner.pages > pages, "the owner is served")
        finally:
            for one in opened:
                one.close()
    took = time.monotonic() - started
    campaign.figures["idle connections"] += count
    campaign.figures["pages of the owner during floods"] += owner.pages
    _measure(campaign, "slowest page of the owner during floods, ms", owner.slowest)
    for trouble in owner.troubles[:3]:
        campaign.fail(f"{count} idle connections of {peers} peers: the owner got {trouble}")
    if owner.slowest > SERVED_S:
        campaign.fail(f"{count} idle connections of {peers} peers: the owner waited for {owner.slowest:.2f} s")
    lines = attacker.process.errors().count("\n") - lines
    campaign.figures["lines of the log"] += lines
    if lines > took + 1:
        campaign.fail(f"{lines} lines in the log in {took:.0f} s: {attacker.process.errors()[-500:]}")


# --- all of it ---


@contextmanager
def watched(attacker: Attacker, campaign: Campaign, browser: Browser) -> Iterator[None]:
    """Let a spectator and the owner watch in two browsers; both must still follow the device afterwards."""
    contexts = [browser.new_context() for _ in range(2)]
    spectator, owner = (context.new_page() for context in contexts)
    troubles: list[str] = []
    for page in (spectator, owner):
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("request", lambda request: troubles.extend(_foreign(attacker, request.url)))
    spectator.goto(f"{attacker.process.address}/live")
    owner.goto(f"{attacker.process.address}/device?token={attacker.process.token}")
    expect(owner.locator("#display[data-shown]")).to_be_visible()
    yield
    _follows(attacker, campaign, spectator, owner)
    for trouble in troubles:
        campaign.fail(f"in a browser: {trouble[:200]}")
    for context in contexts:
        context.close()


def _foreign(attacker: Attacker, url: str) -> list[str]:
    return [] if url.startswith((attacker.process.address, "data:")) else [url]


def _follows(attacker: Attacker, campaign: Campaign, spectator: Page, owner: Page) -> None:
    """Fail unless both pages are connected, and a new visit of each works."""
    for page, path in ((spectator, "/live"), (owner, "/device")):
        expect(page.locator("#offline")).to_be_hidden()
        started = time.monotonic()
        answer = page.goto(attacker.process.address + path)
        _measure(campaign, "slowest page in a browser, ms", time.monotonic() - started)
        if answer is None or answer.status != 200:
            campaign.fail(f"{path} does not open in a browser any more")


def attack(campaign: Campaign, first: int, count: int, browser: Browser, connections: int) -> None:
    """Send requests, then open idle connections, while two browsers watch."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, SECRET)
        folder.mkdir()
        make_store(folder / "results.db")
        with WebProcess(folder, "--no-browser", "--sim", "--flash", str(folder / "flash"), files=FILES) as process:
            attacker = Attacker(process)
            with watched(attacker, campaign, browser):
                campaign.run(partial(_trial, attacker), first, count)
                if process.errors():
                    campaign.fail(f"after the requests the log has: {process.errors()[-1000:]}")
                for peers in (1, FLOOD_PEERS) if connections else ():
                    flood(attacker, campaign, connections, peers)
            campaign.figures["memory of the server, MB"] = round(process.memory_mb())


def _play(campaign: Campaign, first: int, count: int) -> None:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        attack(campaign, first, count, browser, count // 4)
        browser.close()


def main(argv: list[str] | None = None) -> int:
    return command_line(MODULE, "raw requests and idle connections against kiebitz web", 20_000, _play, argv)


if __name__ == "__main__":
    sys.exit(main())
