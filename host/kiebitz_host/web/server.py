"""Build the app with all pages and run the server until it is stopped, however many pages are open.

Connections are limited, so that idle or slow peers neither lock out this computer nor use up all file descriptors. A
connection from this computer to itself has a share of its own. All file descriptors stay below 1024, because pyserial
calls select(), which supports no higher ones.
"""

import asyncio
import logging
import os
import socket
import time
from collections import Counter
from contextlib import asynccontextmanager
from pathlib import Path

import h11
import uvicorn
from kiebitz.text import text
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from uvicorn.protocols.http.flow_control import CLOSE_HEADER
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol

from ..html import Child, el
from ..outcome import Trouble
from ..printable import complain
from ..show.qr import qr_picture
from ..system import raise_file_limit
from . import club, device_lists, live, result_pages
from .frame import STATIC, titled
from .requests import page
from .security import HEADERS, Guard, new_token
from .site import Site

FILES = 1024
OTHERS_MAX = 480  # connections from other computers
OWN_MAX = 256  # connections from this computer
PEER_MAX = 64  # connections from one other computer: some pages in each of some browsers behind one router
AT_ONCE = 16  # connections accepted in one turn of the event loop, before any of them can be refused
REQUEST_S = 10.0  # until the headers of a request, and its body, must have arrived
LOG_S = 1.0  # between two lines of the log


class Log:
    """Print at most one line a second on standard error."""

    def __init__(self) -> None:
        self._next = 0.0

    def __call__(self, line: str) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + LOG_S
            complain(line)


class Peers:
    """Count the open connections of each peer, and decide whether it may open another one."""

    def __init__(self, files: int, log: Log):
        self._others_max = min(OTHERS_MAX, files * OTHERS_MAX // FILES)
        self._own_max = min(OWN_MAX, files * OWN_MAX // FILES)
        self._open: Counter[str] = Counter()  # connections of each other computer
        self._own = 0
        self._log = log

    def admit(self, peer: str, is_own: bool) -> bool:
        """Count a new connection; return False without counting it if there are too many."""
        if is_own:
            admitted = self._own < self._own_max
            self._own += admitted
        else:
            admitted = self._open[peer] < PEER_MAX and self._open.total() < self._others_max
            self._open[peer] += admitted
        if not admitted:
            self._log(f"too many connections: one from {peer} was refused.")
        return admitted

    def leave(self, peer: str, is_own: bool) -> None:
        """Forget a connection that was admitted."""
        if is_own:
            self._own -= 1
            return
        self._open[peer] -= 1
        if not self._open[peer]:
            del self._open[peer]


class Connection(H11Protocol):
    """A connection that is closed if its peer has too many, or does not send a request in time."""

    peers: Peers  # set by the server in its own subclass
    _admitted = False

    def connection_made(self, transport) -> None:
        super().connection_made(transport)
        self._since = self.loop.time()  # when it began to wait for a request, or the request began
        self._peer = self.client[0] if self.client else ""
        self._is_own = self.client is not None and self.server is not None and self._peer == self.server[0]
        self._admitted = self.peers.admit(self._peer, self._is_own)
        if not self._admitted:
            self.connections.discard(self)
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._admitted:
            self._admitted = False
            self.peers.leave(self._peer, self._is_own)

    def on_response_complete(self) -> None:
        self._since = self.loop.time()
        super().on_response_complete()

    def end_if_late(self) -> None:
        """Close the connection if headers or body of a request are overdue."""
        is_complete = self.cycle is not None and not self.cycle.response_complete and not self.cycle.more_body
        if not is_complete and self.loop.time() - self._since > REQUEST_S:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """Answer to an invalid request, with the headers of every answer."""
        headers = [(b"content-type", b"text/plain; charset=utf-8"), CLOSE_HEADER]
        headers += [(key.encode(), value.encode()) for key, value in HEADERS.items()]
        try:
            for event in (
                h11.Response(status_code=400, headers=headers, reason=STATUS_PHRASES[400]),
                h11.Data(data=msg.encode("ascii")),
                h11.EndOfMessage(),
            ):
                self.transport.write(self.conn.send(event) or b"")
        except h11.LocalProtocolError:
            pass  # invalid bytes after an answer that has begun
        self.transport.close()


async def share_page(request: Request) -> HTMLResponse:
    """Answer with the QR codes; requires the token."""
    if not request.state.may_change:
        raise HTTPException(403)
    site = request.app.state.site
    title = text("web.share.title")
    if site.lan is None:
        return page(request, title, titled(title, text("web.share.alone")))
    look, change = f"{site.lan}/live", f"{site.lan}/device?token={site.token}"
    return page(request, title, titled(title), el("div", _card(text("web.share.look"), look),
                _card(text("web.share.change"), change), class_="tiles"), live=True)  # fmt: skip


def _card(words: str, address: str) -> Child:
    return el("figure", el("figcaption", words), qr_picture(address), el("p", address, class_="quiet"), class_="tile")


SHARE_ROUTES = [Route("/share", share_page)]

LOCAL, EVERYWHERE = "127.0.0.1", "0.0.0.0"
GRACE_S = 1  # shutdown timeout for unresponsive pages
TICKS_PER_S = 10  # of uvicorn's main loop


def new_site(db: Path | str, **options) -> Site:
    """Return a site on a database with a new token; `options` are those of Site."""
    return Site(db, new_token(), live.render, **options)


def make_app(site: Site, lang: str) -> Starlette:
    """Return the app; `lang` is the default language of visitors."""

    @asynccontextmanager
    async def lifespan(app):
        site.start()
        yield
        site.stop()

    app = Starlette(
        routes=[
            Route("/", home),
            *live.ROUTES,
            *device_lists.NAMES_ROUTES,
            *device_lists.PRESETS_ROUTES,
            *SHARE_ROUTES,
            *club.ROUTES,
            *result_pages.ROUTES,
            Route("/favicon.ico", icon),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(Guard, token=site.token, codes=site.codes, lang=lang, names=site.names)],
        exception_handlers={HTTPException: refused, Trouble: troubled},
        lifespan=lifespan,
    )
    app.state.site = site
    return app


async def home(request: Request) -> Response:
    """Redirect to the live table."""
    return RedirectResponse("/live", 303)


async def icon(request: Request) -> Response:
    """Answer with the favicon."""
    return FileResponse(STATIC / "icon.svg", media_type="image/svg+xml")


async def refused(request: Request, error: Exception) -> Response:
    """Answer with the page of an HTTP error."""
    assert isinstance(error, HTTPException)
    key = {404: "web.error.missing", 405: "web.error.method", 403: "web.error.token"}.get(error.status_code)
    words = text(key) if key else error.detail
    return page(request, words, titled(words), status=error.status_code)


async def troubled(request: Request, trouble: Exception) -> Response:
    """Answer with the message of an expected error; only with the token, because it may name a path or a host."""
    words = str(trouble) if request.state.may_change else text("web.error.reason")
    return page(request, text("web.error"), titled(text("web.error"), words), status=409)


class Server(uvicorn.Server):
    """A server that limits its connections, and ends all streams before it waits for them."""

    def __init__(self, site: Site, lang: str):
        self._log = log = Log()

        class LimitedConnection(Connection):
            peers = Peers(raise_file_limit(FILES), log)

        super().__init__(
            uvicorn.Config(
                make_app(site, lang),
                log_config=None,
                log_level=logging.CRITICAL,
                access_log=False,
                http=LimitedConnection,
                ws="none",
                backlog=AT_ONCE,
                timeout_graceful_shutdown=GRACE_S,
                server_header=False,
                headers=list(HEADERS.items()),
            )
        )
        self._site = site
        self.when_started = lambda: None  # called in the event loop

    async def startup(self, sockets=None):
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(self._tell)
        self.server_state.default_headers = self.config.encoded_headers
        await super().startup(sockets)
        for opened in sockets or []:
            opened.listen(socket.SOMAXCONN)  # because the backlog above limits only what is accepted at once
        self.when_started()

    def end(self) -> None:
        """Stop the server; called by other threads, after it has started."""
        self._loop.call_soon_threadsafe(setattr, self, "should_exit", True)

    def _tell(self, loop: asyncio.AbstractEventLoop, context: dict) -> None:
        self._log(f"{context['message']} ({context.get('exception')!r})")

    async def on_tick(self, counter: int) -> bool:
        if counter % TICKS_PER_S == 0:
            for connection in list(self.server_state.connections):
                if isinstance(connection, Connection):
                    connection.end_if_late()
        return await super().on_tick(counter)

    async def shutdown(self, sockets=None):
        self._site.hub.end()
        await super().shutdown(sockets)


def listen(port: int, lan: bool) -> socket.socket:
    """Open the port. Returns the socket; raises Trouble if the port is in use."""
    opened = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name != "nt":  # on Windows the option would let two programs share a port
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind((EVERYWHERE if lan else LOCAL, port))
    except OSError as trouble:
        opened.close()
        raise Trouble(f"port {port} cannot be used ({trouble.strerror}): choose another one with --port.") from None
    opened.listen(socket.SOMAXCONN)
    return opened


def lan_address() -> str | None:
    """Return this computer's address in the local network, or None. Sends no packets."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))  # a documentation address (RFC 5737), which nobody has
            return asked.getsockname()[0]
        except OSError:
            return None
