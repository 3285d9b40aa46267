"""Show and edit the names and presets on a device with a real keyboard. Requires the token."""

from kiebitz.games import GAMES, Refused, presets_of
from kiebitz.games.base import NAME_MAX
from kiebitz.store.presets import PRESETS_MAX, check_preset
from kiebitz.store.roster import NAMES_MAX
from kiebitz.text import text
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from ..html import Child, Node, el, name, sentence
from ..library.location import read_store
from ..link.trouble import DeviceRefused, LinkTrouble
from ..printable import printable
from ..received import BadName, checked_names
from ..show.entries import preset_in_words
from .devices import DeviceThread
from .forms import field, select
from .frame import titled
from .live import device_name
from .requests import follower_of, form_of, page, page_of_devices

LINES = 12
SUGGESTED_MAX = 20


def show_names(request: Request) -> HTMLResponse:
    """Answer with the names of every connected device."""

    def part(follower: DeviceThread, roster: list[str]) -> list[Child]:
        sent = request.query_params.get("sent") == follower.seen.device
        said = el("p", text("web.names.sent", n=len(roster)), role="status") if sent else None
        return [said, _names_form(follower, "\n".join(roster)), _suggestions(request, roster)]

    about = text("web.names.about", n=NAMES_MAX)
    return page_of_devices(request, text("web.names.title"), about, lambda client: client.roster(), part)


def _names_form(follower: DeviceThread, lines: str, trouble: Child = None) -> Node:
    device = follower.seen.device
    return el(
        "form",
        el("label", text("web.names.on", device=device_name(follower.seen)), for_=f"names-{device}"),
        el("p", trouble, class_="warn", id=f"trouble-{device}", role="alert") if trouble else None,
        el("textarea", lines, id=f"names-{device}", name="names", rows=LINES, cols=NAME_MAX + 6, spellcheck="false",
           aria_describedby=f"trouble-{device}" if trouble else None, aria_invalid="true" if trouble else None),
        el("p", el("button", text("web.names.send"), class_="main")),
        method="post",
        action=f"/names/{device}",
        class_="names",
    )  # fmt: skip


def _suggestions(request: Request, roster: list[str]) -> Child:
    """Return the names of people with games who are not on the list."""
    with read_store(request.app.state.site.args) as store:
        others = [one for one in store.roster_names() if one not in roster][:SUGGESTED_MAX]
    if not others:
        return None
    return el("details", el("summary", text("web.names.others")), el("ul", [el("li", name(one)) for one in others]))


async def send_names(request: Request) -> Response:
    """Send the list to the device."""
    form = await form_of(request)
    return await run_in_threadpool(_send_names, request, form.get("names", ""))


def _send_names(request: Request, lines: str) -> Response:
    follower = follower_of(request)
    words = [line for line in lines.splitlines() if line.strip()]
    try:
        names = checked_names(words)
        if len(names) > NAMES_MAX:
            return _names_refused(request, follower, lines, text("web.names.many", n=len(names), most=NAMES_MAX))
        follower.ask(lambda client: client.write_roster(names))
    except BadName as bad:
        trouble = sentence("web.names.bad", name=name(printable(bad.args[0])[: 2 * NAME_MAX]), n=NAME_MAX)
        return _names_refused(request, follower, lines, trouble)
    except LinkTrouble as trouble_of_link:
        return _names_refused(request, follower, lines, str(trouble_of_link))
    return RedirectResponse(f"/names?sent={follower.seen.device}", 303)


def _names_refused(request: Request, follower: DeviceThread, lines: str, trouble: Child) -> HTMLResponse:
    """Answer with the submitted names, and why they were not sent."""
    title = text("web.names.title")
    return page(request, title, titled(title), _names_form(follower, lines, trouble), status=422)


NAMES_ROUTES = [
    Route("/names", show_names),
    Route("/names/{device}", send_names, methods=["POST"]),
]

# Games that can have a title; these settings belong to the last one in the menus, the sheet of any other game
KINDS = tuple(kind for kind in GAMES if presets_of(kind))
POINTS_MAX = 100_000


def show_presets(request: Request) -> HTMLResponse:
    """Answer with the presets of every connected device."""

    def part(follower: DeviceThread, presets: list[dict]) -> list[Child]:
        return [_preset_list(follower, presets), _preset_form(follower, {})]

    about = text("web.presets.about", n=PRESETS_MAX)
    return page_of_devices(request, text("web.presets.title"), about, lambda client: client.presets(), part)


def _preset_list(follower: DeviceThread, presets: list[dict]) -> Node:
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


def _preset_form(follower: DeviceThread, written: dict[str, str], trouble: str = "") -> Node:
    """Return the form for a new preset, filled with the submitted values."""

    def choice(key: str, values: tuple[str, ...]) -> Node:
        choices = [(value, text(f"web.presets.{key}.{value}")) for value in values]
        return field(text(f"web.presets.{key}"), select(key, choices, written.get(key, values[0])))

    def number(key: str) -> Node:
        control = el("input", type="number", name=key, min=-POINTS_MAX, max=POINTS_MAX, value=written.get(key, ""))
        return field(text(f"web.presets.{key}"), control)

    steps = [str(step) for step in presets_of(KINDS[-1]).KEPT["step"]]
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
    """Return the preset described by a form; raise Refused or ValueError if it is invalid."""
    options: dict[str, object] = {key: form[key] for key in ("wins", "entry", "end") if form.get(key)}
    if options.get("end", "open") != "open":
        options["limit"] = int(form.get("limit", ""))
    if form.get("start", "").strip():
        options["start"] = int(form["start"])
    title = form.get("title", "").strip()
    preset = {**presets_of(KINDS[-1]).kept_for(title), "game": KINDS[-1], "title": title, "options": options}
    if form.get("step"):
        preset["step"] = int(form["step"])
    return check_preset(preset)


async def add_preset(request: Request) -> Response:
    """Send a preset to the device."""
    return await run_in_threadpool(_add_preset, request, await form_of(request))


def _add_preset(request: Request, form: dict[str, str]) -> Response:
    follower = follower_of(request)
    try:
        preset = preset_of(form)
        follower.ask(lambda client: client.write_preset(preset))
    except (Refused, ValueError):
        return _preset_refused(request, follower, form, text("web.presets.bad", n=NAME_MAX))
    except LinkTrouble as trouble:
        full = isinstance(trouble, DeviceRefused) and trouble.code == "E_FULL"
        return _preset_refused(
            request, follower, form, text("web.presets.full", n=PRESETS_MAX) if full else str(trouble)
        )
    return RedirectResponse("/presets", 303)


async def remove_preset(request: Request) -> Response:
    """Remove a preset from the device."""
    form = await form_of(request)
    preset = {"game": form.get("game", ""), "title": form.get("title", "")}
    follower = follower_of(request)
    await run_in_threadpool(follower.ask, lambda client: client.remove_preset(preset))
    return RedirectResponse("/presets", 303)


def _preset_refused(request: Request, follower: DeviceThread, form: dict[str, str], trouble: str) -> HTMLResponse:
    """Answer with the submitted preset, and why it was not sent."""
    title = text("web.presets.title")
    return page(request, title, titled(title), _preset_form(follower, form, trouble), status=422)


PRESETS_ROUTES = [
    Route("/presets", show_presets),
    Route("/presets/{device}", add_preset, methods=["POST"]),
    Route("/presets/{device}/remove", remove_preset, methods=["POST"]),
]
