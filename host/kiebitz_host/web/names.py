"""The names on a device, edited with a real keyboard. Only with the token."""

from kiebitz.games.base import NAME_MAX
from kiebitz.store.roster import NAMES_MAX
from kiebitz.text import text
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from ..html import Child, Node, el, name, sentence
from ..library.location import read_store
from ..link.trouble import LinkTrouble
from ..printable import printable
from ..received import BadName, checked_names
from .devices import DeviceThread
from .frame import titled
from .live import device_name
from .requests import follower_of, form_of, page, page_of_devices

ROWS = 12
SUGGESTED_MAX = 20


def show(request: Request) -> HTMLResponse:
    """Answer with the names of every device that is connected."""

    def part(follower: DeviceThread, roster: list[str]) -> list[Child]:
        sent = request.query_params.get("sent") == follower.seen.device
        said = el("p", text("web.names.sent", n=len(roster)), role="status") if sent else None
        return [said, _form(follower, "\n".join(roster)), _suggestions(request, roster)]

    about = text("web.names.about", n=NAMES_MAX)
    return page_of_devices(request, text("web.names.title"), about, lambda client: client.roster(), part)


def _form(follower: DeviceThread, lines: str, trouble: Child = None) -> Node:
    device = follower.seen.device
    return el(
        "form",
        el("label", text("web.names.on", device=device_name(follower.seen)), for_=f"names-{device}"),
        el("p", trouble, class_="warn", id=f"trouble-{device}", role="alert") if trouble else None,
        el("textarea", lines, id=f"names-{device}", name="names", rows=ROWS, cols=NAME_MAX + 6, spellcheck="false",
           aria_describedby=f"trouble-{device}" if trouble else None, aria_invalid="true" if trouble else None),
        el("p", el("button", text("web.names.send"), class_="main")),
        method="post",
        action=f"/names/{device}",
        class_="names",
    )  # fmt: skip


def _suggestions(request: Request, roster: list[str]) -> Child:
    """Return the names of those who have played and are not on the list."""
    with read_store(request.app.state.site.args) as store:
        others = [one for one in store.roster_names() if one not in roster][:SUGGESTED_MAX]
    if not others:
        return None
    return el("details", el("summary", text("web.names.others")), el("ul", [el("li", name(one)) for one in others]))


async def send(request: Request) -> Response:
    """Send the list to the device."""
    form = await form_of(request)
    return await run_in_threadpool(_send, request, form.get("names", ""))


def _send(request: Request, lines: str) -> Response:
    follower = follower_of(request)
    words = [line for line in lines.splitlines() if line.strip()]
    try:
        names = checked_names(words)
        if len(names) > NAMES_MAX:
            return _refused(request, follower, lines, text("web.names.many", n=len(names), most=NAMES_MAX))
        follower.ask(lambda client: client.write_roster(names))
    except BadName as bad:
        trouble = sentence("web.names.bad", name=name(printable(bad.args[0])[: 2 * NAME_MAX]), n=NAME_MAX)
        return _refused(request, follower, lines, trouble)
    except LinkTrouble as trouble_of_link:
        return _refused(request, follower, lines, str(trouble_of_link))
    return RedirectResponse(f"/names?sent={follower.seen.device}", 303)


def _refused(request: Request, follower: DeviceThread, lines: str, trouble: Child) -> HTMLResponse:
    """Answer with what was written, and why it was not sent."""
    title = text("web.names.title")
    return page(request, title, titled(title), _form(follower, lines, trouble), status=422)


ROUTES = [
    Route("/names", show),
    Route("/names/{device}", send, methods=["POST"]),
]
