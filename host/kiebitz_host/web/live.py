"""Render the live table: the game in play on each device, updated with every entry."""

from kiebitz.text import text
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from ..games.live import live_table
from ..html import Child, Node, el, fragment, name
from ..snapshots import DeviceState
from . import frame
from .requests import page, visit_of
from .site import ALL

SHORT_ID = 6  # last characters of a device id, enough to distinguish devices


def device_name(seen: DeviceState) -> str:
    """Return the display name of a device."""
    return f"Kiebitz {seen.device[-SHORT_ID:]}"


def render(all_seen: list[DeviceState], device: str) -> str:
    """Return the content of a device's live page; for ALL, the only table or a list of all tables."""
    chosen = [seen for seen in all_seen if device in (ALL, seen.device)]
    if not chosen:
        return str(_nobody())
    if len(chosen) == 1:
        return str(_table(chosen[0]))
    return str(_list(chosen))


def _table(seen: DeviceState) -> Node:
    lost = el("p", text("web.live.lost", device=device_name(seen)), class_="live-lost") if seen.lost else None
    if seen.snapshot is None:
        return _waiting(device_name(seen), text("web.live.lost" if seen.lost else "web.live.idle",
                                                device=device_name(seen)))  # fmt: skip
    return fragment(lost, live_table(seen.snapshot.game.KIND).markup(seen.snapshot))


def _nobody() -> Node:
    return _waiting("Kiebitz", text("web.live.nobody"), "live-waiting live-nobody")


def _waiting(title: str, words: str, class_: str = "live-waiting") -> Node:
    return el("article", el("h1", title), el("p", words, class_="lead", data_say=words), class_=class_)


def _list(all_seen: list[DeviceState]) -> Node:
    return el(
        "article",
        el("h1", text("web.live.tables")),
        el("ul", [el("li", _tile(seen), class_="tile") for seen in all_seen], class_="tiles"),
        class_="live-list",
    )


def _tile(seen: DeviceState) -> list[Child]:
    snapshot = seen.snapshot
    link = el("a", device_name(seen), href=f"/live/{seen.device}")
    if snapshot is None:
        return [el("h2", link), el("p", text("web.live.lost" if seen.lost else "web.live.idle",
                                             device=device_name(seen)))]  # fmt: skip
    game = snapshot.game
    totals = zip(game.names, game.totals(), strict=True)
    return [
        el("h2", link),
        el("p", live_table(game.KIND).title(game), class_="big"),
        el("p", [el("span", name(one), f" {total}", class_="pair") for one, total in totals]),
        el("p", text("web.live.lost", device=device_name(seen)), class_="warn") if seen.lost else None,
    ]


# --- requests ---


async def show(request: Request) -> HTMLResponse:
    """Answer with the live page."""
    site = request.app.state.site
    device = request.path_params.get("device", ALL)
    seen = site.seen()
    state = site.state(device, seen)
    table = Node(render(seen, device))  # safe: rendered from nodes
    content = el("div", table, class_="live", id="live", data_stream=_stream(device), data_state=state)
    tv = request.query_params.get("tv") is not None
    buttons = el(
        "p",
        el("button", text("web.live.full"), type="button", id="full", hidden=True),
        el("button", text("web.live.aloud"), type="button", id="aloud", hidden=True, aria_pressed="false"),
        class_="live-buttons",
    )
    said = el("p", role="status", class_="hidden", id="said")
    gone = el("p", text("web.live.offline"), class_="live-lost", id="offline", hidden=True)
    script = el("noscript", el("p", text("web.live.script"), class_="warn"))
    what_for = frame.what_for(visit_of(request))
    return page(request, text("web.nav.live"), script, gone, content, what_for, said, buttons,
                wide=True, live=True, body_class="live-page tv" if tv else "live-page")  # fmt: skip


def _stream(device: str) -> str:
    return f"/events/live/{device}" if device else "/events/live"


async def events(request: Request) -> Response:
    """Answer with the stream of a live page."""
    known = request.headers.get("last-event-id") or request.query_params.get("state", "")
    return request.app.state.site.follow(request.path_params.get("device", ALL), request.state.lang, known)


ROUTES = [
    Route("/live", show),
    Route("/live/{device}", show),
    Route("/events/live", events),
    Route("/events/live/{device}", events),
]
