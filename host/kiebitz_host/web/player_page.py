"""Render the pages of the players: the list, and results, ratings, opponents and last games of each."""

from typing import NamedTuple

from kiebitz.text import text

from ..html import Child, Node, el, fragment, name, plain_name, table
from ..league.columns import average_text, signed_text, streak_words
from ..league.evenings import day_in_words, day_of
from ..league.history import LeagueHistory
from ..league.names import is_guest
from ..league.period import Period
from ..league.standings import by_wins
from ..library import people, query
from ..library.decisions import Decision
from ..library.query import Filter
from ..library.store import Store
from ..show.present import no_players
from .curves import SEATS, Line
from .forms import filter_form, hidden, period_fields
from .frame import Visit, address, player_address, titled
from .games_list import games_table, list_address
from .league_page import elo_figure, history_of, player_link
from .renaming import change_forms, trail

LAST_GAMES = 10
OPPONENTS_MAX = 60
STEPS = 80  # of a curve over time


class Found(NamedTuple):
    """The data for the page of a player."""

    name: str
    person: int
    also: list[str]  # other spellings
    history: LeagueHistory
    games: list[dict]  # the last ones
    in_all: int  # all games, including those that do not count
    period: Period
    others: list[str]  # the names of all other players
    made: list[Decision]  # about the names of the player


def find_player(store: Store, who: str, period: Period) -> Found | None:
    """Return the data of the player with this name in a period; None if there is none."""
    person = people.named(store.db, who)
    if person is None:
        return None
    played = people.played(store.db, period.since, period.until).get(person)
    return Found(
        who,
        person,
        [spelling for spelling, now in people.renames(store.db).items() if now == who],
        history_of(store, period=period),
        query.games(store.db, _games_of(who, period), LAST_GAMES),
        played.games if played else 0,
        period,
        [name for name in people.names(store.db) if name != who],
        people.trail(store.db, person),
    )


def _games_of(who: str, period: Period) -> Filter:
    return Filter(players=[who], since=period.since, until=period.until, imported=None)


# --- one player ---


def player_page(visit: Visit, found: Found) -> Node:
    """Return the content of the page of one player."""
    when = f" {found.period.in_words()}" if found.period else ""
    about = [text("web.games.count", n=signed_text(found.in_all)) + when]
    about += [text("web.also", names=", ".join(map(plain_name, found.also)))] if found.also else []
    parts: list[Child] = [titled(found.name, " · ".join(about))]
    if not visit.offline:
        place = player_address(found.name)
        name_field = hidden(name=found.name) if "?" in place else None  # because a form replaces the query
        parts.append(filter_form(place, name_field, period_fields(visit)))
    if found.person in found.history.league.standings:
        parts += [_tiles(found), _by_league(visit, found), _ratings(found), _opponents(visit, found)]
    else:
        parts.append(el("p", _no_place(found)))
    if found.games:
        more = el("p", el("a", text("web.player.all"), href=list_address(player=found.name)))
        parts += [el("h2", text("web.player.last")), games_table(found.games, linked=not visit.offline)]
        parts += [more] if found.in_all > len(found.games) and not visit.offline else []
    parts.append(trail(found.made))
    parts += [change_forms(found.name, found.also, found.others)] if visit.may_change else []
    return fragment(*parts)


def _no_place(found: Found) -> str:
    """Return why a player is not in the league."""
    if is_guest(found.name):
        return text("web.player.guest")
    if found.period:
        return text("period.none_finished", period=found.period.in_words())
    return text("web.player.none")


def _tiles(found: Found) -> Node:
    line = found.history.league.standings[found.person]
    won = line.wins + line.shared
    facts: list[tuple[str, str]] = [
        (text("league.played"), signed_text(line.played)),
        (text("people.won"), f"{signed_text(won)} · {100 * won / line.played:.0f}\u202f%"),
        (text("league.streak"), streak_words(line.streak)),
        (text("web.moment.run"), str(line.best)),
    ]
    tiles = [
        el("li", el("h2", words, class_="what"), el("p", value, class_="big"), class_="tile") for words, value in facts
    ]
    return el("ul", tiles, class_="tiles small")


def _leagues(found: Found) -> list[str]:
    """Return the leagues of a player, most played first."""
    players = found.history.players
    return sorted(
        [league for league in found.history.league.leagues if (found.person, league) in players],
        key=lambda league: -players[found.person, league].standing.played,
    )


def _by_league(visit: Visit, found: Found) -> Node:
    """Return the table of a player's games by league."""
    history = found.history
    standing = history.league.standings[found.person]
    keys = ("league.played", "league.wins", "league.average", "league.best")
    heads: list[Child] = [text("rules.game"), *[text(key) for key in keys], "Elo", text("sheet.place")]
    rows: list[list[Child]] = []
    for league in _leagues(found):
        line = history.players[found.person, league].standing
        words: Child = name(history.name_of(league))
        record = history.best_of(found.person, league)
        best: Child = signed_text(record.score)
        if not visit.offline:
            words = el("a", words, href=address("/league", [("game", league)]))
            best = el("a", best, href=f"/games/{record.number}")
        average = average_text(line.average)
        own = standing.ratings[league]
        others = [by_wins(one.standing) for (_, name), one in history.players.items() if name == league]
        place = 1 + sum(key < by_wins(line) for key in others)
        won = line.wins + line.shared
        rows.append([words, line.played, won, average, best, f"{own:.0f}", f"{place}/{len(others)}"])
    label = text("web.player.games")
    return fragment(el("h2", label), table(heads, rows, label, set(range(1, len(heads)))))


def _ratings(found: Found) -> Node:
    """Return the curves of the player's ratings, one for each game."""
    history = found.history
    times = history.steps(STEPS)
    lines = [
        Line(history.name_of(league), history.curve(found.person, league, times)) for league in _leagues(found)[:SEATS]
    ]
    about = text("web.elo.about", names=", ".join(plain_name(line.name) for line in lines))
    return elo_figure("elo", text("web.elo"), about, lines, times)


def _opponents(visit: Visit, found: Found) -> Node | None:
    """Return the player's results against each opponent."""
    history = found.history
    met = []
    for person in history.league.standings:
        results = history.league.between(found.person, person) if person != found.person else (0, 0, 0)
        if any(results):
            met.append((sum(results), person, results))
    met.sort(key=lambda item: (-item[0], history.names[item[1]]))
    if not met:
        return None
    heads: list[Child] = [text("sheet.player"), *[text(f"league.{key}") for key in _AGAINST]]
    rows: list[list[Child]] = [
        [player_link(visit, history.names[person]), count, *results] for count, person, results in met[:OPPONENTS_MAX]
    ]
    label = text("league.square")
    return fragment(el("h2", label), table(heads, rows, label, {1, 2, 3, 4}))


_AGAINST = ("games", "ahead", "level", "behind")


# --- all players ---


def players_page(visit: Visit, players: list[dict], period: Period) -> Node:
    """Return the content of the page with all players of a period, most recent first."""
    rows: list[list[Child]] = [
        [player_link(visit, one["name"]), one["games"], one["won"], day_in_words(day_of(one["last"]))]
        for one in players
    ]
    heads: list[Child] = [text("sheet.player"), text("league.games"), text("people.won"), text("people.last")]
    count = text("web.players.count", n=len(players)) + (f" {period.in_words()}" if period else "")
    parts: list[Child] = [titled(text("web.nav.players"), count), filter_form("/players", period_fields(visit))]
    if rows:
        return fragment(*parts, table(heads, rows, text("web.nav.players"), {1, 2}))
    return fragment(*parts, el("p", no_players(period)))
