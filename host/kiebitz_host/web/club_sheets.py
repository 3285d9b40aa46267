"""Render what hangs on the wall and lies on the tables: the seating plan for a television, and lists to print."""

from collections.abc import Sequence

from kiebitz.store.events import encode
from kiebitz.text import game_name, text

from ..games.live import DeviceState
from ..html import Child, Node, el, fragment, name
from ..league.club_evening import Evening, Spot, seats_of
from ..league.season import Line, Score, evening_lines
from ..printable import printable
from ..show.qr import qr_picture
from .club_page import ClubEvening, title_of
from .frame import titled

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
        tiles.append(_tile(k, names, points, "club.page.finished" if game else "club.page.playing" if playing else ""))
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


def _tile(k: int, names: list[str], points: dict[str, int], state: str) -> Node:
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
