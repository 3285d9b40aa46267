"""Parse requests and forms, and answer with pages, including those of connected devices."""

from collections.abc import Callable
from typing import TypeVar
from urllib.parse import parse_qsl

from kiebitz.text import text
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse

from ..html import Child, el
from ..link.client import Client
from ..link.trouble import LinkTrouble
from .devices import DeviceThread
from .frame import THEMES, Visit, titled, whole_page

THEME_COOKIE = "kiebitz_theme"
REMEMBER_S = 365 * 24 * 3600


def visit_of(request: Request) -> Visit:
    """Return the visit of a request; Guard has set its language and rights."""
    words = (request.query_params.get("theme"), request.cookies.get(THEME_COOKIE))
    return Visit(
        lang=request.state.lang,
        theme=next((word for word in words if word in THEMES), THEMES[0]),
        path=request.url.path,
        query=tuple(request.query_params.multi_items()),
        may_change=request.state.may_change,
    )


def page(
    request: Request, title: str, *content: Child, status: int = 200, fresh: bool = False, **options
) -> HTMLResponse:
    """Return a page as the answer to a request; `options` are those of whole_page().

    fresh: the page shows the store, and is reloaded by the browser when the store changes.
    """
    if fresh:
        options["fresh"] = request.state.store_state
    response = HTMLResponse(whole_page(visit_of(request), title, *content, **options), status)
    chosen = request.query_params.get("theme")
    if chosen in THEMES:
        response.set_cookie(THEME_COOKIE, chosen, max_age=REMEMBER_S, httponly=True, samesite="lax")
    return response


FIELDS_MAX = 2000
URLENCODED = "application/x-www-form-urlencoded"


async def form_of(request: Request) -> dict[str, str]:
    """Return the fields of a form, the last of duplicates. Raises HTTPException if it is not a form."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != URLENCODED:
        raise HTTPException(415, "not a form")
    try:
        words = (await request.body()).decode("ascii")
        return dict(parse_qsl(words, keep_blank_values=True, errors="strict", max_num_fields=FIELDS_MAX))
    except ValueError:
        raise HTTPException(400, "not a form") from None


Answer = TypeVar("Answer")


def check_token(request: Request) -> None:
    """Raise an HTTPException if the visitor has no token."""
    if not request.state.may_change:
        raise HTTPException(403)


def follower_of(request: Request) -> DeviceThread:
    """Return the device in the URL; raise an HTTPException without the token, or if the device is unknown."""
    check_token(request)
    follower = request.app.state.site.devices.followers.get(request.path_params["device"])
    if follower is None:
        raise HTTPException(404)
    return follower


def page_of_devices(
    request: Request,
    title: str,
    about: str,
    ask: Callable[[Client], Answer],
    part: Callable[[DeviceThread, Answer], list[Child]],
) -> HTMLResponse:
    """Answer with a section for every connected device, rendered from its answer or its error."""
    check_token(request)
    followers = [one for one in list(request.app.state.site.devices.followers.values()) if one.connected]
    content: list[Child] = [titled(title, about)]
    if not followers:
        content.append(el("p", text("web.live.nobody"), class_="lead"))
    for follower in sorted(followers, key=lambda one: one.seen.device):
        try:
            content += part(follower, follower.ask(ask))
        except LinkTrouble as trouble:
            content.append(el("p", str(trouble), class_="warn"))
    return page(request, title, content, live=True)
