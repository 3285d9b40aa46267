"""Render the live table, updated with every entry, and the front panel of a device with its display and keys.

The panel requires the token.
"""

import time
from pathlib import Path

from kiebitz.board.profiles import PROFILES
from kiebitz.text import text
from kiebitz.widgets.keys import NAMES
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from .. import games
from ..games.live import DeviceState, live_table
from ..html import Child, Node, el, fragment, name
from ..library.club_arrivals import assign_synced
from ..library.location import open_store
from ..link.client import Client
from ..link.sync import Sync
from ..link.trouble import LinkTrouble
from . import frame
from .frame import STATIC, address, titled
from .requests import check_token, follower_of, form_of, page, visit_of
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
    link = el("a", device_name(seen), href=address(f"/live/{seen.device}"))
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


def styles(request: Request) -> Response:
    """Answer with the styles of the live table and those of each game, `live.css` in its folder."""
    sheets = [STATIC / "live.css", *sorted(Path(games.__file__).parent.glob("*/live.css"))]
    return Response("\n".join(sheet.read_text("utf-8") for sheet in sheets), media_type="text/css")


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
    return address(f"/events/live/{device}" if device else "/events/live")


async def events(request: Request) -> Response:
    """Answer with the stream of a live page."""
    known = request.headers.get("last-event-id") or request.query_params.get("state", "")
    return request.app.state.site.follow(request.path_params.get("device", ALL), request.state.lang, known)


FETCH_S = 300.0  # timeout for all games of a full device
# Key of the device -> (place in the grid of keys, symbol, keyboard shortcut)
KEYS = {
    "UP": ("up", "▲", "↑"),
    "LEFT": ("left", "◀", "←"),
    "OK": ("ok", "OK", "↵"),
    "RIGHT": ("right", "▶", "→"),
    "DOWN": ("down", "▼", "↓"),
    "UNDO": ("undo", "UNDO", "⌫"),
}
assert sorted(KEYS) == sorted(NAMES)


async def choose(request: Request) -> HTMLResponse:
    """Answer with the panel of the only device, or with a list of devices."""
    check_token(request)
    devices = request.app.state.site.devices.seen()
    if len(devices) == 1:
        request.path_params["device"] = devices[0].device
        return await show_panel(request)
    links = [el("li", el("a", device_name(seen), href=address(f"/device/{seen.device}"))) for seen in devices]
    content = el("ul", links) if links else el("p", text("web.live.nobody"), class_="lead")
    return page(request, text("web.nav.device"), titled(text("web.nav.device")), content)


async def show_panel(request: Request) -> HTMLResponse:
    """Answer with the front panel of a device."""
    seen = follower_of(request).seen
    profile = PROFILES.get(seen.board)
    width, height = (profile.display.width, profile.display.height) if profile else (128, 64)
    label = text("web.device.display")
    panel = el(
        "div",
        el("canvas", label, id="display", width=width, height=height, role="img", aria_label=label,
           class_="square" if width == height else None, data_stream=address(f"/events/device/{seen.device}")),
        _keys(seen.device),
        class_="panel",
    )  # fmt: skip
    lost = el("p", text("web.live.lost", device=device_name(seen)), class_="live-lost", id="unplugged",
              hidden=not seen.lost)  # fmt: skip
    gone = el("p", text("web.live.offline"), class_="live-lost", id="offline", hidden=True)
    script = el("noscript", el("p", text("web.live.script"), class_="warn"))
    hints = el("p", text("web.device.hints"), class_="under")
    said = el("p", role="status", id="said", class_="warn")
    head = titled(text("web.device.title", device=device_name(seen)))
    fetched = request.query_params.get("fetched", "")
    done = None
    if fetched.isascii() and fetched.isdigit():
        done = el("p", text("web.device.fetched", n=int(fetched[:9])), role="status")
    button = el("form", el("button", text("web.device.fetch")), method="post", action=f"/device/{seen.device}/fetch",
                class_="actions")  # fmt: skip
    return page(request, text("web.nav.device"), head, script, lost, gone, done, panel, said, hints, button, live=True)


def _keys(device: str) -> Node:
    buttons = [
        el("button", sign, type="button", class_=f"key key-{place}", data_key=key, title=typed,
           aria_label=text(f"web.device.key.{place}"))
        for key, (place, sign, typed) in KEYS.items()
    ]  # fmt: skip
    return el("div", buttons, class_="keys", id="keys", role="group", aria_label=text("web.device.keys"),
              data_place=f"/device/{device}/key")  # fmt: skip


def fetch(request: Request) -> Response:
    """Copy the games of the device to the store through the open port, which `kiebitz sync` could not share."""
    follower = follower_of(request)
    site = request.app.state.site

    def sync(client: Client) -> int:
        with open_store(site.args) as store:
            report = Sync(client, store, int(time.time())).run()
            assign_synced(store, [game.id for game in report.games if game.finished])
        client.give_up_after(float("inf"))  # the limit was only for the sync
        return len(report.news)

    fetched = follower.ask(sync, FETCH_S)
    return RedirectResponse(f"/device/{follower.seen.device}?fetched={fetched}", 303)


async def press(request: Request) -> Response:
    """Press a key of the device."""
    follower = follower_of(request)
    form = await form_of(request)
    key = form.get("key")
    if key not in NAMES:
        raise HTTPException(400, "no such key")
    try:
        await run_in_threadpool(follower.press, key, form.get("hold") == "1")
    except LinkTrouble as trouble:
        return PlainTextResponse(str(trouble), 409)
    return Response(status_code=204)


async def watch_panel(request: Request) -> Response:
    """Answer with the stream of pictures of the display."""
    return request.app.state.site.watch_screen(follower_of(request))


ROUTES = [
    Route("/static/live.css", styles),
    Route("/live", show),
    Route("/live/{device}", show),
    Route("/events/live", events),
    Route("/events/live/{device}", events),
    Route("/device", choose),
    Route("/device/{device}", show_panel),
    Route("/device/{device}/key", press, methods=["POST"]),
    Route("/device/{device}/fetch", fetch, methods=["POST"]),
    Route("/events/device/{device}", watch_panel),
]
