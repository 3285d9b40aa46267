"""Answer the requests for a club's evenings: pages for everybody, and with the token the forms that run an evening."""

import os
import secrets
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from kiebitz.text import text
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ..exchange.members import read_members
from ..export.files import csv_text, members_csv
from ..html import Child, el, fragment, table
from ..league.club_evening import Evening, seats_of
from ..league.draw import SEED_MAX
from ..league.money import Rates, cents_of, fees_of
from ..league.season import evening_lines, season_lines
from ..library import people
from ..library.club_decisions import COUNT_MAX, METHODS, SERIES_MAX, TABLES_MAX, WAYS, day
from ..library.club_evenings import Evenings
from ..library.club_games import settings_of
from ..library.location import open_store, read_store
from ..link.client import Client
from ..outcome import Trouble
from ..received import Unfit
from ..show import club_tables
from . import club_forms, club_sheets
from .club_page import ClubEvening, evening_page, evening_picture, id_of, list_page, load, season_page, title_of
from .forms import hidden
from .frame import Visit, titled, whole_page
from .live import device_name
from .requests import check_token, form_of, page, visit_of
from .site import CLUB

SEE_OTHER, NOT_FOUND = 303, 404
CSV = "text/csv; charset=utf-8"
SCREENS_MAX = 20  # evenings that are shown on the wall at once


def _found(request: Request, ask: bool = False) -> ClubEvening:
    """Return the evening in the URL."""
    site = request.app.state.site
    request.state.store_state = site.store_state()
    with read_store(site.args) as store:
        try:
            return load(store, request.path_params["key"], ask)
        except Trouble:
            raise HTTPException(NOT_FOUND) from None


def _number(form: Mapping[str, str], key: str, low: int, high: int, default: int | None = None) -> int:
    """Return a number in a form; raise Trouble unless it is one within bounds."""
    word = form.get(key, "").strip()
    if not word and default is not None:
        return default
    if not (word.isascii() and word.isdigit() and len(word) < 12 and low <= int(word) <= high):
        raise Trouble(text("web.form"))
    return int(word)


def _day(form: Mapping[str, str], key: str, default: str) -> str:
    try:
        return day(form[key]) if form.get(key) else default
    except Unfit:
        raise Trouble(text("web.form")) from None


def _one_of(form: Mapping[str, str], key: str, words: tuple[str, ...]) -> str:
    if form.get(key) not in words:
        raise Trouble(text("web.form"))
    return form[key]


# --- pages ---


def evenings(request: Request) -> Response:
    site, visit = request.app.state.site, visit_of(request)
    request.state.store_state = site.store_state()
    with read_store(site.args) as store:
        found = Evenings(store)
        today = found.today()
    forms: list[Child] = []
    if visit.may_change:
        forms = [
            el("section", el("h2", text("club.page.begin")), club_forms.rules_form("/club", None, today), id="begin"),
            el("section", el("h2", text("club.page.begin_season")), club_forms.season_form(today), id="season"),
            el("p", el("a", text("club.page.members"), href="/club/members", class_="button"), class_="screen-only"),
        ]
    return page(request, text("club.page.title"), list_page(visit, found, *forms), fresh=True)


def evening(request: Request) -> Response:
    visit = visit_of(request)
    found = _found(request, visit.may_change)
    forms: list[Child] = []
    if visit.may_change:
        followers = request.app.state.site.devices.followers.values()
        devices = [(one.seen.device, device_name(one.seen)) for one in list(followers) if one.connected]
        forms = club_forms.forms_of(found, sorted(devices))
    content = evening_page(visit, found, *forms)
    return page(request, title_of(found.evening), content, fresh=True, printed=True, body_class="club")


def season(request: Request) -> Response:
    found, one, scores = _season(request)
    return page(request, one.name, season_page(visit_of(request), one, scores), fresh=True)


def _season(request: Request) -> tuple[Evenings, Any, list]:
    site = request.app.state.site
    request.state.store_state = site.store_state()
    with read_store(site.args) as store:
        found = Evenings(store)
        one = next((one for one in found.seasons if id_of(one.key) == request.path_params["key"]), None)
        if one is None:
            raise HTTPException(NOT_FOUND)
        return found, one, found.scores(found.in_days(one.since, one.until))


def wall(request: Request) -> Response:
    """Answer with the seating plan and the standings for a television."""
    site = request.app.state.site
    found = _found(request)
    device = CLUB + id_of(found.evening.key)
    live = partial(club_sheets.tables_and_standings, found)
    site.put_on_wall(device, lambda all_seen: str(live(all_seen)), SCREENS_MAX)
    seen = site.seen()
    content = club_sheets.wall_page(found, live(seen), f"/events/live/{device}", site.state(device, seen))
    return page(request, title_of(found.evening), content, wide=True, live=True, fresh=True,
                body_class="club-wall")  # fmt: skip


def lists(request: Request) -> Response:
    """Answer with the lists of a series to print."""
    found = _found(request)
    query = request.query_params
    series = _number(query, "series", 1, SERIES_MAX, max(found.evening.draws, default=1))
    rows = _number(query, "rows", 1, club_sheets.ROWS_MAX, club_sheets.ROWS)
    return page(request, title_of(found.evening), club_sheets.lists_page(found, series, rows), wide=True,
                body_class="club-lists")  # fmt: skip


# --- files ---


def evening_file(request: Request) -> Response:
    found = _found(request)
    visit = Visit(request.state.lang, offline=True)
    html = whole_page(visit, title_of(found.evening), evening_page(visit, found), printed=True)
    return Response(html, media_type="text/html", headers=_file(found.evening.day, "html"))


def picture(request: Request) -> Response:
    found = _found(request)
    return Response(evening_picture(found), media_type="image/png",
                    headers=_file(found.evening.day, "png", "inline"))  # fmt: skip


def _file(name: str, kind: str, shown: str = "attachment") -> dict[str, str]:
    return {"Content-Disposition": f'{shown}; filename="kiebitz-{name}.{kind}"'}


def standings_csv(request: Request) -> Response:
    found = _found(request)
    columns, rows = club_tables.standings_rows(evening_lines(found.scores), found.scores, found.numbers)
    return Response(csv_text(columns, rows), media_type=CSV, headers=_file(found.evening.day, "csv"))


def season_csv(request: Request) -> Response:
    _, one, scores = _season(request)
    columns, rows = club_tables.standings_rows(season_lines(scores, one.by, one.best, one.least))
    return Response(csv_text(columns, rows), media_type=CSV, headers=_file(one.since, "csv"))


def money_csv(request: Request) -> Response:
    check_token(request)
    found = _found(request)
    rows = club_tables.money_rows(found.evening, found.money)
    headers = _file(f"{found.evening.day}-money", "csv")
    return Response(csv_text(club_tables.MONEY_COLUMNS, rows), media_type=CSV, headers=headers)


# --- changes ---


async def begin(request: Request) -> Response:
    """Begin an evening."""
    check_token(request)
    form = await form_of(request)
    place = await run_in_threadpool(_save, request, form, None)
    return RedirectResponse(place, SEE_OTHER)


def _save(request: Request, form: Mapping[str, str], word: str | None) -> str:
    """Store the rules of an evening. Returns the address of its page."""
    game, title = form.get("game", ""), form.get("title", "").strip()
    series = _number(form, "series", 1, SERIES_MAX, 1)
    rates = Rates(
        cents_of(form.get("stake", "").strip() or "0"),
        fees_of(form.get("fees", "").split()),
        tuple(cents_of(one) for one in form.get("prizes", "").split()),
    )
    sizes = [_number({"size": one}, "size", 1, 99) for one in form.get("sizes", "").split()]
    with open_store(request.app.state.site.args) as store:
        found = Evenings(store)
        old = found.find(word) if word else None
        if old and game != old.game and form.get("sizes", "").split() == [str(size) for size in old.sizes]:
            sizes = []  # those of the other game
        key = found.save(
            old, name=form.get("name", ""), day=_day(form, "day", found.today()), game=game, title=title,
            settings=settings_of(form.get("settings", "").split()), series=series, sizes=sizes or None, rates=rates,
        )  # fmt: skip
    return f"/club/{id_of(key)}"


async def begin_season(request: Request) -> Response:
    check_token(request)
    form = await form_of(request)

    def store_it() -> None:
        with open_store(request.app.state.site.args) as store:
            found = Evenings(store)
            since, until = _day(form, "since", found.today()), _day(form, "until", "") or None
            if until and until < since or not form.get("name", "").strip():
                raise Trouble(text("web.form"))
            best, least = _number(form, "best", 1, COUNT_MAX, 1), _number(form, "least", 1, COUNT_MAX, 1)
            found.set_season(form["name"].strip(), since=since, until=until, by=_one_of(form, "by", WAYS),
                                       best=best, least=least)  # fmt: skip

    await run_in_threadpool(store_it)
    return RedirectResponse("/club", SEE_OTHER)


async def change(request: Request) -> Response:
    """Do one of the actions of an evening, then show it again."""
    check_token(request)
    action = request.path_params["action"]
    if action not in _ACTIONS:
        raise HTTPException(NOT_FOUND)
    form = await form_of(request)
    part = await run_in_threadpool(_change, request, action, form)
    return RedirectResponse(f"/club/{request.path_params['key']}{part}", SEE_OTHER)


def _change(request: Request, action: str, form: dict[str, str]) -> str:
    if action == "change":
        _save(request, form, request.path_params["key"])
        return ""
    if action == "seats":
        _send_seats(request, form)
        return "#devices"
    with open_store(request.app.state.site.args) as store, store.batch():
        found = Evenings(store)
        evening = found.find(request.path_params["key"], True)
        _ACTIONS[action](found, evening, form)
    return f"#{_PARTS.get(action, action)}"


def _here(found: Evenings, evening: Evening, form: Mapping[str, str]) -> None:
    now, gone, new = club_forms.ticked(form)
    series = _number(form, "series", 1, evening.series)
    come = list(dict.fromkeys([*found.persons(now), *found.persons(new, True)]))
    if come:
        found.note_present(evening, come, True, series)
    if gone:
        found.note_present(evening, [one for one in gone if one not in come], False, series)


def _draw(found: Evenings, evening: Evening, form: Mapping[str, str]) -> None:
    series = _number(form, "series", 1, evening.series)
    seed = _number(form, "seed", 0, SEED_MAX, secrets.randbelow(SEED_MAX + 1))
    found.draw(evening, series, _one_of(form, "by", METHODS), seed, form.get("again") == "1")


def _assign(found: Evenings, evening: Evening, form: Mapping[str, str]) -> None:
    found.assign_fitting(evening)


def _game(found: Evenings, evening: Evening, form: Mapping[str, str]) -> None:
    number, spot = _number(form, "number", 1, 10**9), form.get("spot", "")
    if spot == "off":
        found.take_off(evening, number)
        return
    series, _, table_word = spot.partition(".")
    found.assign_one(evening, number, _number({"n": series}, "n", 1, SERIES_MAX),
                     _number({"n": table_word}, "n", 1, TABLES_MAX))  # fmt: skip


def _team(found: Evenings, evening: Evening, form: Mapping[str, str]) -> None:
    names = [found.person(value) for key, value in form.items() if key.startswith("of.")]
    team = form.get("team", "").strip()
    if not team or (not names and team not in evening.teams):
        raise Trouble(text("web.form"))
    found.set_team(evening, team, names)


def _settle(found: Evenings, evening: Evening, form: Mapping[str, str]) -> None:
    balances = " ".join(str(line.balance) for line in found.money(evening).lines)
    if balances != form.get("seen"):
        raise Trouble(text("club.page.meanwhile"))
    found.settle(evening)


def _undo(found: Evenings, evening: Evening, form: Mapping[str, str]) -> None:
    if found.last(evening).id != form.get("seen"):
        raise Trouble(text("club.page.meanwhile"))
    found.undo(evening)


_ACTIONS: dict[str, Callable[..., None]] = {
    "here": _here, "draw": _draw, "assign": _assign, "game": _game, "team": _team, "settle": _settle, "undo": _undo,
    "cancel": lambda found, evening, form: found.cancel(evening),
    "restore": lambda found, evening, form: found.restore(evening),
    "change": lambda *_: None, "seats": lambda *_: None,
}  # fmt: skip
# Action -> the part of the page that shows its effect
_PARTS = {"here": "present", "draw": "draw", "assign": "games", "game": "games", "team": "teams", "settle": "money",
          "undo": "history", "cancel": "main", "restore": "main"}  # fmt: skip


def _send_seats(request: Request, form: Mapping[str, str]) -> None:
    """Give tables to devices that are plugged in; each device is noted when it has stored its table."""
    site = request.app.state.site
    with open_store(site.args) as store:
        for key, word in form.items():
            found = Evenings(store)
            evening = found.find(request.path_params["key"])
            series = _number(form, "series", 1, evening.series)
            tables = evening.draws[series].tables if series in evening.draws else []
            follower = site.devices.followers.get(key.removeprefix("table."))
            table = _number({"n": word}, "n", 0, len(tables)) if key.startswith("table.") else 0
            if follower is None or not table:
                continue
            seats, now = seats_of(evening, series, table), int(store.now())
            follower.ask(partial(_seat, seats=seats, now=now))
            found.set_seats(evening, series, table, follower.seen.device)


def _seat(client: Client, seats: dict[str, Any], now: int) -> None:
    client.set_clock(now)
    client.seats(seats)


# --- members ---


def members(request: Request) -> Response:
    check_token(request)
    return _members_page(request, "", None)


def _members_page(request: Request, content: str, preview: Child, status: int = 200) -> Response:
    with read_store(request.app.state.site.args) as store:
        listed = people.listed(store.db, imported=True, with_members=True)
    heads: list[Child] = [text("sheet.player"), text("club.page.number"), text("club.page.club")]
    rows: list[list[Child]] = [[one["name"], one.get("number", ""), one.get("club", "")] for one in listed]
    csv = el("a", text("club.page.members.csv"), href="/club/members.csv", download=True, class_="button")
    title = text("club.page.members")
    content_parts = fragment(
        titled(title, text("web.players.count", n=len(rows))),
        club_forms.import_page(preview, content),
        table(heads, rows, title) if rows else None,
        el("p", csv) if rows else None,
    )
    return page(request, title, content_parts, status=status)


async def import_members(request: Request) -> Response:
    """Show what a list of members would change, and store exactly that when it is sent again with its seal."""
    check_token(request)
    form = await form_of(request)
    return await run_in_threadpool(_import_members, request, form)


def _import_members(request: Request, form: Mapping[str, str]) -> Response:
    content = form.get("list", "")
    handle, file = tempfile.mkstemp(suffix=".csv")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(content.encode())
        with open_store(request.app.state.site.args) as store, store.batch():
            found = read_members(store.db, file)
            seal = f"{len(found.new)} {len(found.changed)} {len(found.bad)}"
            if form.get("seen") == seal and not found.bad:
                if found.wanted:
                    people.add_members(store.db, found.wanted)
                return RedirectResponse("/club/members", SEE_OTHER)
    except Trouble as trouble:
        words = str(trouble).replace(file, text("club.page.this_list"))
        return _members_page(request, content, el("p", words, class_="warn", role="alert"), 422)
    finally:
        os.unlink(file)
    said: list[Child] = [
        el("p", text("club.page.preview", new=len(found.new), changed=len(found.changed), same=found.same)),
        [el("p", note) for note in found.notes],
    ]
    if found.bad:
        wrong = el("ul", [el("li", row.sentence()) for row in found.bad])
        said += [el("p", text("club.page.wrong_rows"), class_="warn", role="alert"), wrong]
        return _members_page(request, content, said, 422)
    if found.wanted:
        button = el("button", text("web.store"), class_="main")
        said.append(el("form", hidden(list=content, seen=seal), button, method="post", action="/club/members",
                       class_="actions"))  # fmt: skip
    return _members_page(request, content, said)


def all_members_csv(request: Request) -> Response:
    check_token(request)
    with read_store(request.app.state.site.args) as store:
        listed = people.listed(store.db, imported=True, with_members=True)
    return Response(members_csv(listed), media_type=CSV, headers=_file("members", "csv"))


def _evening_routes() -> list[Route]:
    pages = {
        "": evening, "/wall": wall, "/lists": lists, "/file": evening_file, "/picture": picture,
        "/standings.csv": standings_csv, "/money.csv": money_csv,
    }  # fmt: skip
    return [Route(f"/club/{{key}}{part}", handler) for part, handler in pages.items()]


ROUTES = [
    Route("/club", evenings),
    Route("/club", begin, methods=["POST"]),
    Route("/club/season", begin_season, methods=["POST"]),
    Route("/club/season/{key}", season),
    Route("/club/season/{key}/standings.csv", season_csv),
    Route("/club/members", members),
    Route("/club/members", import_members, methods=["POST"]),
    Route("/club/members.csv", all_members_csv),
    *_evening_routes(),
    Route("/club/{key}/{action}", change, methods=["POST"]),
]
