"""Answer the requests for games, evenings, league and players."""

from collections.abc import Callable

from kiebitz.text import text
from starlette.concurrency import run_in_threadpool
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ..html import plain_name
from ..league.evenings import day_of
from ..library import people, query
from ..library.location import open_store, read_store
from ..library.query import evenings
from ..library.store import Store
from ..outcome import Trouble
from . import changing, evening_page, league_page, player_page, sending
from .evening_page import evening_of
from .forms import period_in
from .frame import player_address
from .game_page import game_page, sheet_of, title_of
from .games_list import find_games, games_list
from .league_page import find_league
from .player_page import find_player
from .requests import form_of, page, visit_of

SEE_OTHER, FORBIDDEN, NOT_FOUND = 303, 403, 404


def open_for_reading(request: Request) -> Store:
    """Open the store for one request, and record its version first. Returns the store."""
    site = request.app.state.site
    request.state.store_state = site.store_state()
    return read_store(site.args)


def number_in(request: Request, store: Store) -> int:
    """Return the number of the game in the URL."""
    number = request.path_params["number"]
    if not query.by_number(store.db, [number]):
        raise HTTPException(NOT_FOUND)
    return number


# --- games ---


def games(request: Request) -> Response:
    visit = visit_of(request)
    with open_for_reading(request) as store:
        found = find_games(store, visit)
    return page(request, text("web.nav.games"), games_list(visit, found), fresh=True)


def game(request: Request) -> Response:
    with open_for_reading(request) as store:
        sheet = sheet_of(store, number_in(request, store))
    return page(request, title_of(sheet.facts), game_page(visit_of(request), sheet), printed=True, fresh=True)


# --- changes of a game: a page that previews the effect, and a form that stores it ---


def may_change(request: Request) -> None:
    """Reject a visitor without the token."""
    if not request.state.may_change:
        raise HTTPException(FORBIDDEN)


def fix(request: Request) -> Response:
    may_change(request)
    visit = visit_of(request)
    kind, entry = visit.value("do", "correct"), visit.value("entry")
    if kind not in changing.KINDS or not (entry.isascii() and entry.isdigit()):
        raise HTTPException(NOT_FOUND)
    answers = {key: value for key, value in visit.query if key not in ("do", "entry", "lang", "theme")}
    with open_for_reading(request) as store:
        found = changing.attempt(store, number_in(request, store), kind, int(entry[:9]), answers)
    return page(request, text(f"web.{kind}_entry", k=entry), changing.fix_page(visit, found))


def undo(request: Request) -> Response:
    may_change(request)
    with open_for_reading(request) as store:
        found = changing.undoing(store, number_in(request, store))
    return page(request, text("web.undo_fix"), changing.undo_page(found))


def removal(request: Request) -> Response:
    may_change(request)
    action = request.path_params["action"]
    if action not in changing.REMOVALS:
        raise HTTPException(NOT_FOUND)
    with open_for_reading(request) as store:
        found = query.one(store.db, number_in(request, store))
    return page(request, text(f"web.{action}"), changing.removal_page(found, action))


async def change(request: Request) -> Response:
    """Store the change of a submitted form, then show the game."""
    may_change(request)
    await run_in_threadpool(_store, request, await form_of(request))
    return RedirectResponse(f"/games/{request.path_params['number']}", SEE_OTHER)


def _store(request: Request, form: dict[str, str]) -> None:
    action = request.path_params["action"]
    with open_store(request.app.state.site.args) as store:
        number = number_in(request, store)
        if action == "fix":
            changing.store_change(store, number, form)
        elif action == "undo":
            changing.take_back(store, number, form)
        elif action in changing.REMOVALS:
            changing.REMOVALS[action](store, number)
        else:
            raise HTTPException(NOT_FOUND)


# --- the evening ---


def evening(request: Request) -> Response:
    found = _evening(request)
    content = evening_page.evening_page(visit_of(request), found)
    return page(request, evening_page.title_of(found.day), content, printed=True, fresh=True)


def _evening(request: Request) -> evening_page.Evening:
    """Return the evening in the URL; without one, the last."""
    day = request.path_params.get("day")
    with open_for_reading(request) as store:
        if day is None:
            day = next((day for day, _ in evenings(store.db, 1)), day_of(int(store.now())))
        try:
            return evening_of(store, day)
        except Trouble:
            raise HTTPException(NOT_FOUND) from None


# --- league and players ---


def league(request: Request) -> Response:
    found = _league(request)
    title = f"{league_page.title_of(found)} · {text('web.nav.league')}"
    return page(request, title, league_page.league_page(visit_of(request), found), printed=True, fresh=True)


def _league(request: Request) -> league_page.Found:
    """Return the league in the URL."""
    visit = visit_of(request)
    with open_for_reading(request) as store:
        period = period_in(visit, store)
        found = find_league(store, visit.value("game"), visit.value("early") == "1", period, visit.value("by"))
    if found is None:
        raise HTTPException(NOT_FOUND)
    return found


def players(request: Request) -> Response:
    visit = visit_of(request)
    with open_for_reading(request) as store:
        period = period_in(visit, store)
        found = people.listed(store.db, period.since, period.until)
    return page(request, text("web.nav.players"), player_page.players_page(visit, found, period), fresh=True)


def player(request: Request) -> Response:
    visit = visit_of(request)
    with open_for_reading(request) as store:
        found = find_player(store, request.path_params["name"] or visit.value("name"), period_in(visit, store))
    if found is None:
        raise HTTPException(NOT_FOUND)
    return page(request, plain_name(found.name), player_page.player_page(visit, found), fresh=True)


# --- changes of a player, in two steps as those of a game ---


def people_kind(request: Request) -> str:
    """Return the kind of change in the URL; reject a visitor without the token, and an unknown kind."""
    may_change(request)
    kind = request.path_params["kind"]
    if kind not in player_page.FIELDS:
        raise HTTPException(NOT_FOUND)
    return kind


def preview_people(request: Request) -> Response:
    kind = people_kind(request)
    change = player_page.change_in(kind, dict(visit_of(request).query))
    with open_for_reading(request) as store:
        found = player_page.attempt(store, change)
    return page(request, text(f"web.{kind}"), player_page.change_page(found))


async def change_people(request: Request) -> Response:
    """Store the change of a submitted form, then show the player."""
    kind = people_kind(request)
    who = await run_in_threadpool(_store_people, request, kind, await form_of(request))
    return RedirectResponse(player_address(who), SEE_OTHER)


def _store_people(request: Request, kind: str, form: dict[str, str]) -> str:
    with open_store(request.app.state.site.args) as store:
        return player_page.store_change(store, kind, form)


# --- files and pictures to send ---


def send_game(request: Request) -> Response:
    with open_for_reading(request) as store:
        sheet = sheet_of(store, number_in(request, store))
    if sheet.facts["phase"] is None:
        raise HTTPException(NOT_FOUND)
    return _send(request, f"game-{sheet.facts['number']}", lambda: sending.game_file(sheet, request.state.lang),
                 lambda: sending.game_picture(sheet))  # fmt: skip


def send_evening(request: Request) -> Response:
    found = _evening(request)
    if not found.games:
        raise HTTPException(NOT_FOUND)
    return _send(request, found.day, lambda: sending.evening_file(found, request.state.lang),
                 lambda: sending.evening_picture(found))  # fmt: skip


def send_league(request: Request) -> Response:
    found = _league(request)
    if not found.history.league.standings:
        raise HTTPException(NOT_FOUND)
    return _send(request, "league", lambda: sending.league_file(found, request.state.lang),
                 lambda: sending.league_picture(found))  # fmt: skip


def _send(request: Request, file: str, html: Callable[[], str], picture: Callable[[], bytes]) -> Response:
    """Answer with the single file to save, or with the picture to look at."""
    if request.url.path.endswith("/file"):
        return Response(html(), media_type="text/html", headers=_named("attachment", f"{file}.html"))
    return Response(picture(), media_type="image/png", headers=_named("inline", f"{file}.png"))


def _named(shown: str, file: str) -> dict[str, str]:
    return {"Content-Disposition": f'{shown}; filename="kiebitz-{file}"'}


async def changes(request: Request) -> Response:
    """Answer with the stream of changes of the store."""
    known = request.headers.get("last-event-id") or request.query_params.get("state", "")
    return request.app.state.site.follow_store(known)


class NumberConvertor(Convertor[int]):
    """Match the number of a game in a URL; one with more digits than a database stores is not found."""

    regex = "[0-9]{1,18}"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


register_url_convertor("number", NumberConvertor())

SENT = (("/games/{number:number}", send_game), ("/evening/{day}", send_evening), ("/league", send_league))
ROUTES = [
    Route("/games", games),
    Route("/games/{number:number}", game),
    *[Route(f"{path}/{kind}", send) for path, send in SENT for kind in ("file", "picture")],
    Route("/games/{number:number}/fix", fix),
    Route("/games/{number:number}/undo", undo),
    Route("/games/{number:number}/{action}", removal),
    Route("/games/{number:number}/{action}", change, methods=["POST"]),
    Route("/evening", evening),
    Route("/evening/{day}", evening),
    Route("/league", league),
    Route("/players", players),
    Route("/players/{name:path}", player),
    Route("/people/{kind}", preview_people),
    Route("/people/{kind}", change_people, methods=["POST"]),
    Route("/events/store", changes),
]
