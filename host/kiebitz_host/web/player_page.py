"""Render the pages of the players: the list, results, ratings, opponents and last games, and changes of names."""

import hashlib
import json
from collections.abc import Mapping
from typing import NamedTuple

from kiebitz.games.base import NAME_MAX
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
from ..outcome import Trouble
from ..show.present import local, no_players
from .curves import SEATS, Line
from .forms import field, filter_form, hidden, period_fields, select
from .frame import Visit, address, player_address, titled
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


# Kind of change -> the field with its second name: the new name, the other player, or the spelling to separate
FIELDS = {"rename": "new", "join": "other", "split": "spelling"}


class Change(NamedTuple):
    """A change of a player: its kind, the player's name, and the value of FIELDS."""

    kind: str
    name: str
    other: str


class Attempt(NamedTuple):
    """A change that is being previewed."""

    change: Change
    rows: list[tuple[str, int, int]]  # name, number of games before and after the change
    refusal: str  # why the change is refused; empty if it is accepted
    taken: bool  # the new name belongs to another player
    hidden: str  # the numbers of the player's games, if all of them are deleted


def change_in(kind: str, form: Mapping[str, str]) -> Change:
    """Return the change in a form; raise Trouble if a field is missing."""
    who, other = form.get("name", ""), form.get(FIELDS[kind], "").strip()
    if not who or not other:
        raise Trouble(text("web.form"))
    return Change(kind, who, other)


def attempt(store: Store, change: Change) -> Attempt:
    """Preview a change without storing anything. Returns its effect; raises Trouble if the player does not exist."""
    db, other = store.db, change.other
    person = people.find(db, change.name)
    who = people.name_of(db, person)
    count = people.games_of(db, person)
    rows, refusal, taken = [], "", False
    try:
        if change.kind == "rename":
            taken = people.named(db, other) not in (None, person)
            other = people.check_rename(db, person, other)
            if other == who:
                raise Trouble(text("fix.unchanged"))
            rows = [(who, count, 0), (other, 0, count)]
        elif change.kind == "join":
            joined = people.find(db, other)
            other = people.name_of(db, joined)
            people.check_join(db, person, joined)
            more = people.games_of(db, joined)
            rows = [(who, count, count + more), (other, more, 0)]
        else:
            people.check_split(db, other)
            own = people.games_under(db, other)
            rows = [(who, count, count - own), (other, 0, own)]
    except Trouble as trouble:
        refusal = text("web.rename.taken", name=plain_name(other)) if taken else str(trouble)
    return Attempt(Change(change.kind, who, other), rows, refusal, taken, people.only_deleted(db, person))


def seal(found: Attempt) -> str:
    """Return a hash of the previewed effect."""
    return hashlib.sha256(json.dumps(found).encode()).hexdigest()[:20]


def store_change(store: Store, kind: str, form: Mapping[str, str]) -> str:
    """Store a previewed change. Returns the player's name; raises Trouble if its effect has changed since."""
    with store.batch():
        found = attempt(store, change_in(kind, form))
        who, other = found.change.name, found.change.other
        if found.refusal:
            raise Trouble(found.refusal)
        if seal(found) != form.get("seen"):
            raise Trouble(text("web.people.meanwhile"))
        person = people.find(store.db, who)
        if kind == "rename":
            return people.rename(store.db, person, other)
        if kind == "join":
            people.join(store.db, person, people.find(store.db, other))
        else:
            people.split(store.db, other)
    return who


# --- pages ---


def change_page(found: Attempt) -> Node:
    """Return the content of the page that previews a change."""
    kind, who, other = found.change
    back = player_address(who)
    parts: list[Child] = [titled(text(f"web.{kind}"), el("a", name(who), href=back))]
    if found.refusal:
        parts.append(el("p", found.refusal, class_="warn", role="alert"))
        if found.taken:
            place = address("/people/join", [("name", other), ("other", who)])
            parts.append(el("p", el("a", text("web.join"), href=place, class_="button")))
        return fragment(*parts)
    names = {"rename": {"old": who, "new": other}, "join": {"name": who, "other": other}, "split": {"name": other}}
    values = {key: plain_name(value) for key, value in names[kind].items()}
    parts.append(el("p", text(f"web.{kind}.effect", **values), class_="lead"))
    guest, known = (other, who) if kind == "join" else (who, other)
    if kind != "split" and is_guest(guest):
        parts.append(el("p", text("people.guest", guest=plain_name(guest), name=plain_name(known))))
    if found.hidden:
        parts.append(el("p", text("people.hidden", numbers=found.hidden)))
    heads = [text("sheet.player"), text("sheet.before"), text("web.afterwards")]
    rows: list[list[Child]] = [[name(who), *[_games(count) for count in counts]] for who, *counts in found.rows]
    form = el(
        "form",
        hidden(name=who, **{FIELDS[kind]: other}, seen=seal(found)),
        el("button", text("web.store"), type="submit", class_="main"),
        el("a", text("web.leave"), href=back, class_="button"),
        method="post", action=f"/people/{kind}", class_="actions",
    )  # fmt: skip
    return fragment(*parts, table(heads, rows, text("sheet.effect"), {1, 2}), form)


def _games(count: int) -> str:
    return text("web.games.count", n=count) if count else "–"


def change_forms(who: str, also: list[str], others: list[str]) -> Node:
    """Return the forms on the page of a player: rename, join with another player, and separate a spelling."""
    new = el("input", type="text", name="new", maxlength=NAME_MAX, required=True, dir="auto", autocomplete="off")
    forms = [_form("rename", who, text("web.rename.new"), new)]
    if others and not is_guest(who):  # a guest would keep the name
        choices = [("", text("web.choose")), *[(one, one) for one in others]]
        label = text("web.join.other", name=plain_name(who))
        forms.append(_form("join", who, label, select("other", choices, "", required=True)))
    if also:
        spellings = select("spelling", [(one, one) for one in also], also[0])
        forms.append(_form("split", who, text("web.split.of"), spellings))
    return el("section", el("h2", text("web.change")), forms, class_="screen-only")


def _form(kind: str, who: str, label: str, control: Node) -> Node:
    button = el("button", text(f"web.{kind}"), type="submit")
    return el("form", hidden(name=who), field(label, control), button, method="get", action=f"/people/{kind}",
              class_="actions")  # fmt: skip


def trail(made: list[Decision]) -> Node | None:
    """Return the list of decisions about a player, oldest first."""
    lines = [el("li", f"{local(one.made)}: {_in_words(one)}") for one in made]
    return fragment(el("h2", text("web.trail")), el("ul", lines, class_="trail")) if lines else None


def _in_words(one: Decision) -> str:
    values = {key: plain_name(value) for key, value in one.values.items()}
    if one.kind == "rename":
        return text("people.renamed", old=values["name"], new=values["new"])
    return text("people.joined", **values) if one.kind == "join" else text("people.split", **values)
