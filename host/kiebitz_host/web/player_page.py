"""Render the pages of the players: the list, and results, ratings, opponents and last games of each."""

from typing import NamedTuple

from kiebitz.text import text
from kiebitz.text.formats import decimal_text

from ..html import Child, Node, el, fragment, name, plain_name, table
from ..league.columns import signed_text, streak_words
from ..league.evenings import day_in_words, day_of
from ..league.history import LeagueHistory
from ..library import people, query
from ..library.query import Filter
from ..library.store import Store
from .curves import SEATS, Line
from .frame import Visit, address, titled
from .games_list import games_table, list_address
from .league_page import elo_figure, history_of, player_link

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


def find_player(store: Store, who: str) -> Found | None:
    """Return the data of the player with this name; None if there is none."""
    person = people.named(store.db, who)
    if person is None:
        return None
    played = people.played(store.db).get(person)
    return Found(
        who,
        person,
        [spelling for spelling, now in people.renames(store.db).items() if now == who],
        history_of(store),
        query.games(store.db, Filter(players=[who]), LAST_GAMES),
        played.games if played else 0,
    )


# --- one player ---


def player_page(visit: Visit, found: Found) -> Node:
    """Return the content of the page of one player."""
    about = [text("web.games.count", n=signed_text(found.in_all))]
    about += [text("web.also", names=", ".join(map(plain_name, found.also)))] if found.also else []
    parts: list[Child] = [titled(found.name, " · ".join(about))]
    if found.person in found.history.league.standings:
        parts += [_tiles(found), _by_league(visit, found), _ratings(found), _opponents(visit, found)]
    else:
        parts.append(el("p", text("web.player.none")))
    if found.games:
        more = el("p", el("a", text("web.player.all"), href=list_address(player=found.name)))
        parts += [el("h2", text("web.player.last")), games_table(found.games, linked=not visit.offline)]
        parts += [more] if found.in_all > len(found.games) and not visit.offline else []
    return fragment(*parts)


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
        average = decimal_text(f"{line.average:.1f}")
        own = standing.ratings[league]
        others = [line.ratings[league] for line in history.league.standings.values() if league in line.ratings]
        place = 1 + sum(rating > own for rating in others)
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


def players_page(visit: Visit, history: LeagueHistory, names: list[str]) -> Node:
    """Return the content of the page with all players, most recent first."""
    persons = {who: person for person, who in history.names.items()}
    rows: list[list[Child]] = []
    for who in names:
        person = persons[who]
        line = history.league.standings.get(person)
        last = day_in_words(day_of(history.last[person])) if person in history.last else "–"
        won = line.wins + line.shared if line else 0
        rows.append([player_link(visit, who), line.played if line else 0, won, last])
    heads: list[Child] = [text("sheet.player"), text("league.played"), text("people.won"), text("people.last")]
    count = text("web.players.count", n=len(names))
    content = table(heads, rows, text("web.nav.players"), {1, 2}) if rows else el("p", text("people.none"))
    return fragment(titled(text("web.nav.players"), count), content)
