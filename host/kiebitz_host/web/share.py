"""The addresses of these pages as QR codes: one for everybody who looks on, one that may change something."""

from kiebitz.text import text
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from ..results.qr import BORDER, code_of
from .answer import page
from .frame import titled
from .html import Child, Node, el


def code(address: str) -> Node:
    """Return the QR code of an address as a picture, dark on light whatever the colours of the page."""
    rows = [list(row) for row in code_of(address).matrix_iter(border=BORDER)]
    path = "".join([f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark])
    size = len(rows)
    return el("svg", el("rect", width=size, height=size, fill="#ffffff"), el("path", d=path, fill="#000000"),
              viewBox=f"0 0 {size} {size}", role="img", aria_label=text("web.share.code"), class_="qr")  # fmt: skip


async def show(request: Request) -> HTMLResponse:
    """Answer with the codes; only for those who have the token already."""
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
    return el("figure", el("figcaption", words), code(address), el("p", address, class_="quiet"), class_="tile")


ROUTES = [Route("/share", show)]
