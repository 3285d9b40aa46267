"""Makes pages that are whole files: to send around and to keep, they need neither the server nor a script."""

from ..library.store import Store
from ..outcome import Trouble
from .evening_page import evening_of, evening_page
from .evening_page import title_of as title_of_evening
from .frame import Visit, whole_page
from .game_page import game_page, sheet_of
from .game_page import title_of as title_of_game
from .league_page import find_league, league_page
from .league_page import title_of as title_of_league


def game_file(store: Store, number: int, lang: str) -> str:
    """Return the page of a game."""
    visit = Visit(lang, offline=True)
    sheet = sheet_of(store, number)
    return whole_page(visit, title_of_game(sheet.facts), game_page(visit, sheet), printed=True)


def evening_file(store: Store, day: str, lang: str) -> str:
    """Return the page of an evening; raises Trouble if nothing was played."""
    visit = Visit(lang, offline=True)
    evening = evening_of(store, day)
    if not evening.games:
        raise Trouble(f"nothing was played on {day}.")
    return whole_page(visit, title_of_evening(day), evening_page(visit, evening), printed=True)


def league_file(store: Store, chosen: str, with_early: bool, lang: str) -> str:
    """Return the page of the league of a game, or over all games; `chosen` is the id of a league, or empty."""
    visit = Visit(lang, offline=True)
    found = find_league(store, chosen, with_early)
    if found is None or not found.history.league.games:
        raise Trouble("no finished game counts in this league yet.")
    return whole_page(visit, title_of_league(found), league_page(visit, found))
