"""The presets on a device: titles of games with their settings, written with a real keyboard. Only with the token."""

from kiebitz.games import GAMES, Refused, presets_of
from kiebitz.games.base import NAME_MAX
from kiebitz.store.presets import PRESETS_MAX, check_preset
from kiebitz.text import text
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from ..html import Child, Node, el, name
from ..link.trouble import DeviceRefused, LinkTrouble
from ..show.entries import preset_in_words
from .devices import DeviceThread
from .forms import field, select
from .frame import titled
from .live import device_name
from .requests import follower_of, form_of, page, page_of_devices

KINDS = tuple(kind for kind in GAMES if presets_of(kind))  # the games to which players give a title
POINTS_MAX = 100_000


def show(request: Request) -> HTMLResponse:
    """Answer with the presets of every device that is connected."""

    def part(follower: DeviceThread, presets: list[dict]) -> list[Child]:
        return [_list(follower, presets), _form(follower, {})]

    about = text("web.presets.about", n=PRESETS_MAX)
    return page_of_devices(request, text("web.presets.title"), about, lambda client: client.presets(), part)


def _list(follower: DeviceThread, presets: list[dict]) -> Node:
    device = follower.seen.device
    items = [
        el(
            "li",
            el("strong", name(preset["title"])),
            " ",
            el("span", preset_in_words(preset), class_="quiet"),
            " ",
            el(
                "form",
                el("input", type="hidden", name="title", value=preset["title"]),
                el("input", type="hidden", name="game", value=preset["game"]),
                el("button", text("web.presets.remove"), aria_label=f"{text('web.presets.remove')}: {preset['title']}"),
                method="post",
                action=f"/presets/{device}/remove",
            ),
            class_="preset",
        )
        for preset in presets
    ]
    head = el("h2", text("web.presets.on", device=device_name(follower.seen)))
    return el("section", head, el("ul", items, class_="presets") if items else el("p", text("web.presets.none")))


def _form(follower: DeviceThread, written: dict[str, str], trouble: str = "") -> Node:
    """Return the form for a new preset, with what was written."""

    def choice(key: str, values: tuple[str, ...]) -> Node:
        choices = [(value, text(f"web.presets.{key}.{value}")) for value in values]
        return field(text(f"web.presets.{key}"), select(key, choices, written.get(key, values[0])))

    def number(key: str) -> Node:
        control = el("input", type="number", name=key, min=-POINTS_MAX, max=POINTS_MAX, value=written.get(key, ""))
        return field(text(f"web.presets.{key}"), control)

    steps = [str(step) for step in presets_of(KINDS[0]).KEPT["step"]]
    step = select("step", [(step, step) for step in steps], written.get("step", steps[0]))
    title = el("input", name="title", required=True, maxlength=NAME_MAX, value=written.get("title", ""),
               autocomplete="off")  # fmt: skip
    return el(
        "form",
        el("h3", text("web.presets.new")),
        el("p", trouble, class_="warn", role="alert") if trouble else None,
        el(
            "div",
            field(text("web.presets.name"), title),
            choice("wins", ("high", "low")),
            choice("entry", ("rounds", "counter")),
            choice("end", ("open", "target", "rounds")),
            number("limit"),
            number("start"),
            field(text("web.presets.step"), step),
            class_="actions",
        ),
        el("p", el("button", text("web.names.send"), class_="main")),
        method="post",
        action=f"/presets/{follower.seen.device}",
    )


def preset_of(form: dict[str, str]) -> dict:
    """Return the preset that a form describes; raises Refused or ValueError if it is none."""
    options: dict[str, object] = {key: form[key] for key in ("wins", "entry", "end") if form.get(key)}
    if options.get("end", "open") != "open":
        options["limit"] = int(form.get("limit", ""))
    if form.get("start", "").strip():
        options["start"] = int(form["start"])
    step = int(form.get("step") or presets_of(KINDS[0]).KEPT["step"][0])
    return check_preset({"game": KINDS[0], "title": form.get("title", ""), "options": options, "step": step})


async def add(request: Request) -> Response:
    """Send a preset to the device."""
    return await run_in_threadpool(_add, request, await form_of(request))


def _add(request: Request, form: dict[str, str]) -> Response:
    follower = follower_of(request)
    try:
        preset = preset_of(form)
        follower.ask(lambda client: client.write_preset(preset))
    except (Refused, ValueError):
        return _refused(request, follower, form, text("web.presets.bad", n=NAME_MAX))
    except LinkTrouble as trouble:
        full = isinstance(trouble, DeviceRefused) and trouble.code == "E_FULL"
        return _refused(request, follower, form, text("web.presets.full", n=PRESETS_MAX) if full else str(trouble))
    return RedirectResponse("/presets", 303)


async def remove(request: Request) -> Response:
    """Take a preset off the device."""
    form = await form_of(request)
    preset = {"game": form.get("game", ""), "title": form.get("title", "")}
    follower = follower_of(request)
    await run_in_threadpool(follower.ask, lambda client: client.remove_preset(preset))
    return RedirectResponse("/presets", 303)


def _refused(request: Request, follower: DeviceThread, form: dict[str, str], trouble: str) -> HTMLResponse:
    """Answer with what was written, and why it was not sent."""
    title = text("web.presets.title")
    return page(request, title, titled(title), _form(follower, form, trouble), status=422)


ROUTES = [
    Route("/presets", show),
    Route("/presets/{device}", add, methods=["POST"]),
    Route("/presets/{device}/remove", remove, methods=["POST"]),
]
