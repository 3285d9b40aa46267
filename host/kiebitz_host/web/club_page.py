"""Render the evenings of a club for everybody: the list, one evening with tables and standings, and a season.

Also what hangs on the wall and lies on the tables: the seating plan for a television, and lists to print.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kiebitz.store.events import encode
from kiebitz.text import game_name, listed, text

from ..games.live import DeviceState
from ..html import Child, Node, el, fragment, join, name, plain_name, table
from ..league import club_evening as club
from ..league.club_evening import Asked, ClubGame, Evening, Season, Spot, seats_of
from ..league.evenings import day_in_words
from ..league.money import MoneySheet
from ..league.season import EveningScores, Line, Score, evening_lines, of_teams, season_lines
from ..library import people
from ..library.club_evenings import Evenings
from ..library.decisions import Decision
from ..library.store import Store
from ..printable import capitalized, printable
from ..show.card import Row, Table, card, qr_picture
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


ROWS = 48  # of a list: the games of a series of Skat at a table of four
ROWS_MAX = 100
FEW = 24  # people of an evening whose names fit on the wall in large letters


def wall_page(found: ClubEvening, live: Node, stream: str, state: str) -> Node:
    """Return the content of the wall; `live`: tables and standings, which the stream of the page replaces."""
    evening = found.evening
    series = max(evening.draws, default=0)
    under = text("club.page.series", n=series) if series else text("club.page.undrawn")
    return fragment(
        titled(title_of(evening), under),
        el("div", live, id="live", data_stream=stream, data_state=state),
        el("p", role="status", class_="hidden", id="said"),
        el("p", text("web.live.offline"), class_="live-lost", id="offline", hidden=True),
    )


def tables_and_standings(found: ClubEvening, all_seen: Sequence[DeviceState]) -> Node:
    """Return the tables of the last series with the points on devices or in the store, and the standings with both."""
    evening = found.evening
    series = max(evening.draws, default=0)
    tables = evening.draws[series].tables if series else []
    total, tiles = dict(found.scores.total), []
    for k, names in enumerate(tables, 1):
        game = found.results.get(Spot(series, k))
        playing = {} if game else _playing(names, all_seen)
        points = {who: score for who, score, _ in game.seats} if game else playing
        for who, score in playing.items():
            total[who] = total.get(who, Score()).plus(score, 0)
        state = "club.page.finished" if game else "club.page.playing" if playing else ""
        tiles.append(_wall_tile(k, names, points, state))
    return el(
        "div",
        el("ul", tiles, class_="tiles plan") if tiles else None,
        _ranks(evening_lines(found.scores._replace(total=total))),
        class_="wall few" if len(evening.people()) <= FEW else "wall",
    )


def _playing(names: list[str], all_seen: Sequence[DeviceState]) -> dict[str, int]:
    """Return {name: points} of the game in play at a table, which is the one of its people."""
    for seen in all_seen:
        if seen.snapshot and sorted(seen.snapshot.game.names) == sorted(names):
            game = seen.snapshot.game
            return dict(zip(game.names, game.totals(), strict=True))
    return {}


def _ranks(lines: list[Line]) -> Node | None:
    """Return standings that are short enough for all members on one screen."""
    if not lines:
        return None
    items = [
        el("li", el("span", line.place, class_="place"), name(line.name), el("span", line.points, class_="n"))
        for line in lines
    ]
    return el("section", el("h2", text("club.page.standings")), el("ol", items, class_="seats ranks"))


def _wall_tile(k: int, names: list[str], points: dict[str, int], state: str) -> Node:
    lines = [el("li", name(one), el("span", points[one], class_="n") if one in points else None) for one in names]
    return el(
        "li",
        el("h2", text("club.page.table", n=k), el("small", " ", text(state)) if state else None),
        el("ol", lines, class_="seats"),
        class_="tile",
    )


def lists_page(found: ClubEvening, series: int, rows: int) -> Node:
    """Return the lists of a series to print: one sheet of paper for each table, with the QR code of its set-up."""
    evening = found.evening
    if series not in evening.draws:
        return fragment(titled(title_of(evening)), el("p", text("club.page.undrawn")))
    tables = evening.draws[series].tables
    return fragment(
        titled(title_of(evening), text("club.page.lists_about")),
        [_list(evening, Spot(series, k), names, rows) for k, names in enumerate(tables, 1)],
    )


def _list(evening: Evening, spot: Spot, names: list[str], rows: int) -> Node:
    heads: list[Child] = [el("th", text("club.page.nr"), scope="col")]
    heads += [el("th", name(one), scope="col") for one in names]
    lines = [el("tr", el("th", k, scope="row"), [el("td") for _ in names]) for k in range(1, rows + 1)]
    total = el("tr", el("th", text("sheet.total"), scope="row"), [el("td") for _ in names])
    what = printable(game_name(evening.game, evening.title))
    return el(
        "section",
        el(
            "div",
            el("div", el("h2", text("club.page.table", n=spot.table)),
               el("p", f"{title_of(evening)} · {text('club.page.series', n=spot.series)} · {what}"),
               el("p", text("club.page.scan"), class_="quiet")),
            qr_picture(encode(seats_of(evening, spot.series, spot.table)["setup"])),
            class_="list-head",
        ),
        el("table", el("thead", el("tr", heads)), el("tbody", lines), el("tfoot", total), class_="list"),
        class_="list-sheet",
    )  # fmt: skip
