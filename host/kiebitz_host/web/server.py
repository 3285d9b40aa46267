"""Build the app with all pages and run the server until it is stopped, however many pages are open."""

import asyncio
import logging
import os
import socket
from contextlib import asynccontextmanager
from pathlib import Path

import uvicorn
from kiebitz.text import text
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from ..html import Child, el
from ..outcome import Trouble
from ..show.qr import qr_picture
from ..system import raise_file_limit
from . import club, device_lists, live, panel, result_pages
from .connections import AT_ONCE, FILES, Connection, Log, Peers
from .frame import STATIC, titled
from .requests import page
from .security import HEADERS, Guard, new_token
from .site import Site


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
            *panel.ROUTES,
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
