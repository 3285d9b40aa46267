"""Shares what all pages about a device do: who may open them, which device is meant, a part for each that is there."""

from collections.abc import Callable
from typing import TypeVar

from kiebitz.text import text
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse

from ..link.client import Client
from ..link.trouble import LinkTrouble
from .answer import page
from .devices import Follower
from .frame import titled
from .html import Child, el

Answer = TypeVar("Answer")


def check_token(request: Request) -> None:
    """Raise an HTTPException for a visitor who may change nothing."""
    if not request.state.may_change:
        raise HTTPException(403)


def follower_of(request: Request) -> Follower:
    """Return the device that the address names; raises an HTTPException without the token, or if it is not known."""
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
    part: Callable[[Follower, Answer], list[Child]],
) -> HTMLResponse:
    """Answer with a part for every device that is connected, made of its answer; a device in trouble says so."""
    check_token(request)
    followers = [one for one in request.app.state.site.devices.followers.values() if one.connected]
    content: list[Child] = [titled(title, about)]
    if not followers:
        content.append(el("p", text("web.live.nobody"), class_="lead"))
    for follower in sorted(followers, key=lambda one: one.seen.device):
        try:
            content += part(follower, follower.ask(ask))
        except LinkTrouble as trouble:
            content.append(el("p", str(trouble), class_="warn"))
    return page(request, title, content, live=True)
