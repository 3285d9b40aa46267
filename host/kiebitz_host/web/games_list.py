"""Render the list of games: filters, a row for each game, and pages of fifty."""

from typing import NamedTuple

from kiebitz.games import GAMES
from kiebitz.text import game_name, text

from ..html import Child, Node, el, fragment, join, name, table
from ..league import names as leagues
from ..league.columns import whole_text
from ..league.period import Period
from ..library import people, query
from ..library.query import Filter
from ..library.store import Store
from ..show.present import ListedGame, heads_of, listed_games, no_games
from .forms import field, filter_form, period_fields, period_in, select
from .frame import Visit, address, titled

ON_A_PAGE = 50  # games
# State filter -> filter values
STATES: dict[str, dict[str, bool]] = {
    "finished": {"finished": True},
    "unfinished": {"finished": False},
    "early": {"early": True},
    "deleted": {"deleted": True},
}


class Found(NamedTuple):
    """A page of the list."""

    games: list[dict]
    in_all: int
    page: int
    names: list[str]
    titles: dict[str, str]  # by the id of their league
    period: Period


def find_games(store: Store, visit: Visit) -> Found:
    """Return the games selected by the URL; raise Trouble for an invalid period."""
    names, titles = people.names(store.db), query.titles(store.db)
    period = period_in(visit, store)
    wanted = wanted_games(visit, names, titles, period)
    if wanted is None:
        return Found([], 0, 1, names, titles, period)
    count = query.count(store.db, wanted)
    last = max(1, -(-count // ON_A_PAGE))
    word = visit.value("page")
    page = min(int(word[:9]), last) if word.isascii() and word.isdigit() and int(word[:9]) else 1
    some = query.games(store.db, wanted, ON_A_PAGE, (page - 1) * ON_A_PAGE)
    return Found(some, count, page, names, titles, period)


def wanted_games(visit: Visit, names: list[str], titles: dict[str, str], period: Period) -> Filter | None:
    """Return the filter in a URL; None if no game can match."""
    kind, player = visit.value("game"), visit.value("player")
    if (kind and kind not in GAMES and kind not in titles) or (player and player not in names):
        return None
    state = STATES.get(visit.value("state"), {})
    players = [player] if player else []
    since, until = period.since, period.until
    return Filter(game=kind or None, players=players, since=since, until=until, imported=None, **state)


def games_list(visit: Visit, found: Found) -> Node:
    """Return the content of the page."""
    counted = text("web.games.count", n=whole_text(found.in_all))
    counted += f" {found.period.in_words()}" if found.period else ""
    parts: list[Child] = [titled(text("web.nav.games"), counted), _filters(visit, found)]
    if found.games:
        parts += [games_table(found.games), el("p", text("web.evening.ends"), class_="quiet"), _pages(visit, found)]
    else:
        filtered = any(visit.value(key) for key in ("game", "player", "state"))
        parts.append(el("p", no_games(found.period, filtered) if found.names else text("web.games.none")))
    return fragment(*parts)


def games_table(games: list[dict], with_date: bool = True, linked: bool = True) -> Node:
    """Return a table with a row for each game; `linked` rows link to their sheets."""
    listed = listed_games(games, page=True)
    heads = heads_of(listed, "game", "number", *(["date"] if with_date else []), "players")
    has_notes = any(game.notes for game in listed)
    rows: list[list[Child]] = []
    for game in listed:
        words = name(game.game, class_="nw")
        title = el("a", words, href=f"/games/{game.number}") if linked else words
        date = el("span", game.date, class_="date")
        cells: list[Child] = [title, game.number, *([date] if with_date else []), _standings(game)]
        rows.append([*cells, *([el("span", game.notes, class_="notes")] if has_notes else [])])
    return table(heads, rows, text("web.nav.games"), numbers={1}, class_="games")


def _standings(game: ListedGame) -> Node:
    """Return the players with their points, best first; winners have a star and are bold."""
    return join(", ", [_standing(*player) for player in game.players])


def _standing(who: str, points: int, has_won: bool) -> Node:
    words: list[Child] = [name(who), "\u00a0", points]
    if not has_won:
        return el("span", words)
    return el("strong", words, el("span", "\u00a0★", aria_hidden="true"), el("span", f" {won()}", class_="hidden"))


def won() -> str:
    return text("web.won")


def _filters(visit: Visit, found: Found) -> Node:
    names, known = found.names, found.titles
    titled = {league: leagues.league_name(league, known) for league in known}
    # A title with the name of its kind stands for the kind
    kinds = [(kind, game_name(kind)) for kind in GAMES if game_name(kind) not in titled.values()]
    kinds = [("", text("league.all")), *kinds, *titled.items()]
    players = [("", text("web.everybody")), *[(who, who) for who in names]]
    states = [("", text("web.state.any")), *[(state, text(f"state.{state}")) for state in STATES]]
    return filter_form(
        "/games",
        field(text("rules.game"), select("game", kinds, visit.value("game"))),
        field(text("sheet.player"), select("player", players, visit.value("player"))),
        period_fields(visit),
        field(text("web.state"), select("state", states, visit.value("state"))),
    )


def _pages(visit: Visit, found: Found) -> Node | None:
    last = -(-found.in_all // ON_A_PAGE)
    if last < 2:
        return None

    def link(page: int, key: str, rel: str) -> Child:
        if not 1 <= page <= last:
            return el("span")
        return el("a", text(key), href=visit.same_page(page=str(page)), rel=rel)

    return el(
        "nav",
        link(found.page - 1, "web.newer", "prev"),
        el("span", text("web.page", n=found.page, of=last)),
        link(found.page + 1, "web.older", "next"),
        class_="pages",
        aria_label=text("web.pages"),
    )


def list_address(**values: str) -> str:
    """Return the URL of the list with these filters."""
    return address("/games", values.items())
