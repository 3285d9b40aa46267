"""Render the evenings of a club for everybody: the list, one evening with tables and standings, and a season."""

from collections.abc import Iterable
from typing import NamedTuple

from kiebitz.text import game_name, listed, text

from ..html import Child, Node, el, fragment, join, name, plain_name, table
from ..league import club_evening as club
from ..league.club_evening import Asked, ClubGame, Evening, Season, Spot
from ..league.evenings import day_in_words
from ..league.money import MoneySheet
from ..league.season import EveningScores, Line, evening_lines, of_teams, season_lines
from ..library import people
from ..library.club_evenings import Evenings
from ..library.decisions import Decision
from ..library.store import Store
from ..printable import capitalized, printable
from ..show.card import Row, Table, card
from .frame import Visit, send_links, titled

# How tables were drawn, and how the evenings of a season count
DRAWN = {"lot": "club.page.by.lot", "result": "club.page.by.result", "meet": "club.page.by.meet"}
HOW = {"lot": "club.page.method.lot", "result": "club.page.method.result", "meet": "club.page.method.meet"}
# The other pages and files of an evening
PARTS = {"wall": "club.page.wall", "lists": "club.page.lists", "standings.csv": "club.page.standings.csv",
         "money.csv": "club.page.money.csv"}  # fmt: skip
WAYS = {"average": "club.page.way.average", "sum": "club.page.way.sum", "best": "club.page.way.best"}


class ClubEvening(NamedTuple):
    """The data for the pages of an evening."""

    evening: Evening
    results: dict[Spot, ClubGame]
    notes: list[str]
    scores: EveningScores
    money: MoneySheet
    asked: list[Asked]
    people: list[str]  # everybody in the store, and who is here, in alphabetical order
    numbers: dict[str, people.Member]  # number and club of the members
    history: list[Decision]
    last: Decision  # that is in force
    seasons: list[Season]  # with this evening


def id_of(key: str) -> str:
    """Return the part of a key that stands in addresses."""
    return key.partition("/")[2]


def place_of(evening: Evening, part: str = "") -> str:
    """Return the address of a page about an evening."""
    return f"/club/{id_of(evening.key)}{'/' if part else ''}{part}"


def load(store: Store, word: str, ask: bool = False) -> ClubEvening:
    """Return the data of an evening; raise Trouble if there is none. `ask`: also find games that do not fit."""
    found = Evenings(store)
    evening = found.find(word, True)
    games = found.games([evening])
    results = club.results_of(evening, games)
    called = people.names_by_id(store.db)
    everybody = {*called.values(), *evening.people()}
    asked = found.assignment(evening).asked if ask and evening.draws else []
    (scores,) = found.scores([evening])
    return ClubEvening(
        evening, results, club.notes_of(evening, games), scores, found.money(evening), asked,
        sorted((one for one in everybody if not club.is_guest(one)), key=str.casefold), found.members(),
        found.history(evening), found.last(evening), [one for one in found.seasons if one.has(evening.day)],
    )  # fmt: skip


def title_of(evening: Evening) -> str:
    return f"{printable(evening.name)}, {day_in_words(evening.day)}"


def about(evening: Evening) -> str:
    """Return the line below the title: the game and the number of series."""
    words = [printable(game_name(evening.game, evening.title)), text("club.page.series_count", n=evening.series)]
    return " · ".join([*words, *([text("club.page.cancelled")] if evening.cancelled else [])])


# --- an evening ---


def evening_page(visit: Visit, found: ClubEvening, *forms: Child) -> Node:
    """Return the content of the page of an evening; `forms`: what only the laptop's own browser sees."""
    evening = found.evening
    return fragment(
        titled(title_of(evening), about(evening)),
        None if visit.offline else _ways(visit, evening),
        send_links(visit, place_of(evening)) if evening.draws else None,
        [el("p", capitalized(note), class_="warn") for note in found.notes],
        forms[:1],
        [series_part(visit, found, number) for number in evening.draws],
        None if evening.draws else el("p", text("club.page.undrawn")),
        standings_part(found),
        forms[1:],
    )


def _ways(visit: Visit, evening: Evening) -> Node:
    """Return links to the other pages of an evening."""
    links = []
    for part, key in PARTS.items():
        if part != "money.csv" or visit.may_change:
            is_file = part.endswith("csv") or None
            links.append(el("li", el("a", text(key), href=place_of(evening, part), download=is_file)))
    return el("nav", el("ul", links), aria_label=text("club.page.more"), class_="choice screen-only")


def series_part(visit: Visit, found: ClubEvening, number: int) -> Node:
    """Return the tables of a series with their people, games and points."""
    evening = found.evening
    draw = evening.draws[number]
    tiles = [_tile(visit, found, Spot(number, k), names) for k, names in enumerate(draw.tables, 1)]
    byes = evening.byes(number)
    return el(
        "section",
        el("h2", text("club.page.series", n=number)),
        el("p", text(DRAWN[draw.method], seed=draw.seed), class_="quiet"),
        el("ul", tiles, class_="tiles small"),
        el("p", text("club.page.byes", names=listed([plain_name(one) for one in byes]))) if byes else None,
        id=f"series-{number}",
    )


def _tile(visit: Visit, found: ClubEvening, spot: Spot, names: list[str]) -> Node:
    game = found.results.get(spot)
    points = {who: (score, won) for who, score, won in game.seats} if game else {}
    lines = [_player(one, *points.get(one, (None, False))) for one in dict.fromkeys([*names, *points])]
    head: Child = text("club.page.table", n=spot.table)
    if game and not visit.offline:
        head = el("a", head, href=f"/games/{game.number}")
    return el("li", el("h3", head), el("ol", lines, class_="seats"), class_="tile")


def _player(who: str, points: int | None, won: bool) -> Node:
    if points is None:
        return el("li", name(who))
    star = [el("span", "\u00a0★", aria_hidden="true"), el("span", f" {text('web.won')}", class_="hidden")]
    return el("li", name(who), el("span", points, star if won else None, class_="n"))


def standings_part(found: ClubEvening) -> Node | None:
    """Return the standings of an evening, alone and in teams."""
    lines = evening_lines(found.scores)
    if not lines:
        return None
    teams = of_teams(found.scores)
    return el(
        "section",
        el("h2", text("club.page.standings")),
        standings_table(lines, text("club.page.standings"), found.scores),
        standings_table(evening_lines(teams), text("club.page.teams"), teams) if found.evening.teams else None,
        id="standings",
    )


def standings_heads(scores: EveningScores | None) -> list[str]:
    """Return the heads of standings; `scores`: of a single evening, whose series get a column each."""
    series = sorted(scores.series) if scores else []
    more = [text("club.page.s", n=number) for number in series] if len(series) > 1 else []
    if scores is None:
        more = [text("club.page.value"), text("club.page.evenings")]
    return [text("sheet.place"), text("sheet.player"), *more, text("rules.points"), text("club.page.tables_won")]


def standings_cells(line: Line, scores: EveningScores | None) -> list[str]:
    """Return the cells of a line under standings_heads(), without place and name."""
    if scores is None:
        more = [f"{line.value:.1f}".replace("-", "−"), str(line.evenings)]
    else:
        series = sorted(scores.series) if len(scores.series) > 1 else []
        own = [scores.series[number].get(line.name) for number in series]
        more = [str(score.points) if score else "–" for score in own]
    return [*more, str(line.points), str(line.wins)]


def standings_table(lines: list[Line], label: str, scores: EveningScores | None) -> Node:
    """Return standings as a table."""
    heads: list[Child] = [*standings_heads(scores)]
    rows: list[list[Child]] = [
        [str(line.place or "–"), name(line.name), *standings_cells(line, scores)] for line in lines
    ]
    return table(heads, rows, label, {0, *range(2, len(heads))})


def evening_picture(found: ClubEvening) -> bytes:
    """Return a picture of an evening to send: the standings, and the tables of the last series."""
    evening = found.evening
    lines = evening_lines(found.scores)
    heads = tuple(standings_heads(found.scores))
    rows = tuple(
        Row((str(line.place or "–"), line.name, *standings_cells(line, found.scores)), first=line.place == 1)
        for line in lines
    )
    tables = [Table(text("club.page.standings"), heads, rows, frozenset({0, *range(2, len(heads))}))] if rows else []
    if evening.draws:
        last = max(evening.draws)
        seats = tuple(
            Row((text("club.page.table", n=k), ", ".join(names)))
            for k, names in enumerate(evening.draws[last].tables, 1)
        )
        tables.append(Table(text("club.page.series", n=last), ("", ""), seats))
    return card(title_of(evening), about(evening), "", tuple(tables), "Kiebitz")


# --- the list, and seasons ---


def list_page(visit: Visit, found: Evenings, *forms: Child) -> Node:
    """Return the content of the list of all evenings and seasons."""
    rows: list[list[Child]] = []
    for one in reversed(found.all):
        drawn = text("club.page.cancelled") if one.cancelled else f"{len(one.draws)} / {one.series}"
        link = el("a", name(one.name), href=place_of(one))
        rows.append([link, day_in_words(one.day), name(game_name(one.game, one.title)), drawn, len(one.people())])
    heads: list[Child] = [text(f"club.page.{key}") for key in ("evening", "day", "game", "drawn", "people")]
    seasons = [el("li", el("a", name(one.name), href=f"/club/season/{id_of(one.key)}"), f" · {season_words(one)}")
               for one in found.seasons]  # fmt: skip
    return fragment(
        titled(text("club.page.title"), text("club.page.about")),
        table(heads, rows, text("club.page.title"), {4}) if rows else el("p", text("club.page.none")),
        [el("h2", text("club.page.seasons")), el("ul", seasons)] if seasons else None,
        *forms,
    )


def season_words(season: Season) -> str:
    """Return period and count of a season in words."""
    until = day_in_words(season.until) if season.until else text("club.page.open")
    way = text(WAYS[season.by], n=season.best)
    return f"{day_in_words(season.since)} – {until}, {way}"


def season_page(visit: Visit, season: Season, evenings: Iterable[EveningScores]) -> Node:
    """Return the content of the page of a season."""
    scores = list(evenings)
    lines = season_lines(scores, season.by, season.best, season.least)
    links = join(", ", [el("a", title_of(one.evening), href=place_of(one.evening)) for one in scores])
    place = f"/club/season/{id_of(season.key)}/standings.csv"
    csv = el("a", text("club.page.standings.csv"), href=place, download=True)
    return fragment(
        titled(printable(season.name), season_words(season)),
        standings_table(lines, text("club.page.standings"), None) if lines else el("p", text("club.page.no_points")),
        el("p", text("club.page.least", n=season.least), class_="quiet") if season.least > 1 else None,
        el("p", text("club.page.evenings_of"), " ", links) if scores else None,
        el("p", csv, class_="screen-only"),
    )
