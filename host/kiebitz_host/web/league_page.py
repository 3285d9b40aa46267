"""Makes the page of the league: the table, head to head, ratings over time and records, of all games or of one."""

import time
from typing import NamedTuple

from kiebitz.games import GAMES
from kiebitz.text import text
from kiebitz.text.formats import date_text, decimal_text

from ..html import Child, Node, el, fragment, name, plain_name, scrolling, table
from ..league.evenings import day_in_words, day_of
from ..league.history import Chronicle, Record
from ..league.standings import Standing
from ..library import query
from ..library.query import Filter, titles
from ..library.store import Store
from ..show.present import whole_text
from ..terminal import short_names
from .curves import SEATS, Line, Tick, curves
from .forms import field, filter_form, select
from .frame import Visit, address, titled
from .store_watch import kept

PLAYERS_MAX = 100  # in the table
SQUARE_MAX = 12  # players in head to head
SQUARE_NAME = 9  # letters of a name above a column
CURVES_MAX = SEATS  # players with a curve
STEPS = 80  # of a curve over time
TICKS = 5


class Found(NamedTuple):
    """Collect what the page of a league needs."""

    chronicle: Chronicle
    chosen: str  # the league or the kind of game that was asked for; empty for all
    one: str | None  # the league, if it is a single one
    early: int  # games that were ended early and do not count
    with_early: bool
    choices: list[str]  # all leagues that there are


def find_league(store: Store, chosen: str = "", with_early: bool = False) -> Found | None:
    """Return the league of a game, or over all games; None if there is no such league."""
    known = titles(store.db)
    if chosen and chosen not in GAMES and chosen not in known:
        return None
    chronicle = chronicle_of(store, chosen, with_early)
    leagues = chronicle.league.leagues
    one = next(iter(leagues)) if chosen and len(leagues) == 1 else None
    early = 0 if with_early else query.count(store.db, Filter(game=chosen or None, finished=True, early=True))
    return Found(chronicle, chosen, one, early, with_early, [*GAMES, *sorted(known, key=known.__getitem__)])


def chronicle_of(store: Store, chosen: str = "", with_early: bool = False) -> Chronicle:
    """Return the story of a league, kept until the store changes."""
    wanted = Filter(game=chosen or None, finished=True, early=None if with_early else False)
    return kept(store, (chosen, with_early), lambda: query.chronicle(store.db, wanted))


def title_of(found: Found) -> str:
    return found.chronicle.name_of(found.chosen) if found.chosen else text("league.all")


def league_page(visit: Visit, found: Found) -> Node:
    """Return the content of the page."""
    story = found.chronicle
    count = text("league.count", n=whole_text(story.league.games))
    parts: list[Child] = [titled(title_of(found), f"{text('web.nav.league')} · {count}"), _choice(visit, found)]
    if not story.league.games:
        return fragment(*parts, el("p", text("league.none")), _early(found))
    persons = story.order(found.one)
    parts.append(_one(visit, found, persons) if found.one else _several(visit, found, persons))
    parts.append(_early(found))
    if found.one:
        parts.append(ratings_curve(story, found.one, persons[:CURVES_MAX]))
    parts += [_square(visit, story, persons), _records(visit, story)]
    return fragment(*parts)


def _choice(visit: Visit, found: Found) -> Node | None:
    if visit.offline:
        return None
    games = [("", text("league.all")), *[(league, found.chronicle.name_of(league)) for league in found.choices]]
    box = el("input", type="checkbox", name="early", value="1", checked=True if found.with_early else None)
    return filter_form(
        "/league",
        field(text("rules.game"), select("game", games, found.chosen)),
        el("label", box, " ", text("web.with_early"), class_="box"),
    )


def _early(found: Found) -> Node | None:
    return el("p", text("web.left_out", n=found.early), class_="quiet") if found.early else None


# --- the table ---


def player_link(visit: Visit, who: str) -> Node:
    """Return a name that leads to the page of the player."""
    return name(who) if visit.offline else el("a", name(who), href=address(f"/players/{who}"))


def streak_words(number: int) -> str:
    return text("league.won", n=number) if number > 0 else text("league.lost", n=-number)


def rating_words(standing: Standing, league: str) -> str:
    return f"{standing.ratings[league]:.0f}" if league in standing.ratings else "·"


def _heads(*keys: str) -> list[Child]:
    return [text(f"league.{key}") for key in keys]


def _one(visit: Visit, found: Found, persons: list[int]) -> Node:
    """Return the table of one league."""
    heads: list[Child] = [text("sheet.player"), text("sheet.place"), "Elo", *_heads("played", "wins", "shared")]
    heads += [text("rules.points"), *_heads("average", "streak", "best")]
    rows: list[list[Child]] = []
    assert found.one is not None
    for place, person in enumerate(persons[:PLAYERS_MAX], 1):
        line = found.chronicle.league.standings[person]
        cells: list[Child] = [player_link(visit, found.chronicle.names[person]), place]
        cells += [rating_words(line, found.one), line.played, line.wins, line.shared, whole(line.points)]
        cells += [decimal_text(f"{line.average:.1f}"), streak_words(line.streak)]
        rows.append([*cells, streak_words(line.best) if line.best else "–"])
    low = el("p", text("web.low_wins"), class_="quiet") if found.one in found.chronicle.low else None
    return fragment(low, table(heads, rows, text("web.nav.league"), set(range(1, len(heads)))))


def whole(number: int) -> str:
    return f"−{whole_text(-number)}" if number < 0 else whole_text(number)


def _several(visit: Visit, found: Found, persons: list[int]) -> Node:
    """Return the table over several leagues: without points, because points of different games cannot be added."""
    story = found.chronicle
    leagues = sorted(story.league.leagues, key=lambda league: -story.league.leagues[league])[:6]
    heads: list[Child] = [text("sheet.player"), text("sheet.place"), *_heads("played", "wins", "shared", "share")]
    heads += [text("league.streak")]
    for league in leagues:
        words = name(story.name_of(league))
        elo = words if visit.offline else el("a", words, href=address("/league", [("game", league)]))
        heads.append(fragment("Elo ", elo))
    rows: list[list[Child]] = []
    for place, person in enumerate(persons[:PLAYERS_MAX], 1):
        line = story.league.standings[person]
        share = f"{100 * (line.wins + line.shared) / line.played:.0f}"
        cells: list[Child] = [player_link(visit, story.names[person]), place, line.played, line.wins, line.shared]
        rows.append([*cells, share, streak_words(line.streak), *[rating_words(line, league) for league in leagues]])
    return table(heads, rows, text("web.nav.league"), set(range(1, len(heads))))


# --- head to head ---


def _square(visit: Visit, story: Chronicle, persons: list[int]) -> Node | None:
    """Return the results of each player in the left column against each in the header: ahead-level-behind."""
    among = persons[:SQUARE_MAX]
    if len(among) < 2:
        return None
    short = short_names([story.names[person] for person in among], SQUARE_NAME)
    heads = [el("td")]
    heads += [
        el("th", el("abbr", name(words), title=plain_name(story.names[person])), scope="col", class_="n")
        for person, words in zip(among, short, strict=True)
    ]
    rows = []
    for person in among:
        cells = [_cell(story, person, other) for other in among]
        rows.append(el("tr", el("th", player_link(visit, story.names[person]), scope="row"), cells))
    label = text("league.square")
    square = el("table", el("thead", el("tr", heads)), el("tbody", rows), class_="square")
    return el("section", el("h2", label), scrolling(label, square), el("p", text("league.legend"), class_="quiet"))


def _cell(story: Chronicle, person: int, other: int) -> Node:
    if person == other:
        return el("td", class_="self")
    results = story.league.between(person, other)
    ahead, _, behind = results
    kind = "n" if ahead == behind else "n ahead" if ahead > behind else "n behind"
    return el("td", "–".join(map(str, results)) if any(results) else "·", class_=kind)


# --- ratings over time ---


def ratings_curve(story: Chronicle, league: str, persons: list[int]) -> Node:
    """Return the curves of the ratings of several players in one league."""
    times = story.steps(STEPS)
    lines = [Line(story.names[person], story.curve(person, league, times)) for person in persons]
    about = text("web.elo.about", names=", ".join(plain_name(line.name) for line in lines))
    return elo_figure("elo", text("web.elo"), about, lines, times)


def elo_figure(key: str, title: str, about: str, lines: list[Line], times: list[int]) -> Node:
    """Return curves over time, with their ends as a table."""
    every = max(1, len(times) // TICKS)
    ticks = [Tick(k, _date(times[k])) for k in range(0, len(times), every)]
    moments = [*range(every - 1, len(times) - 1, every), len(times) - 1]
    rows: list[list[Child]] = []
    for k in moments:
        values = [line.values[k] for line in lines]
        rows.append([_date(times[k]), *["·" if value is None else f"{value:.0f}" for value in values]])
    heads: list[Child] = [text("sheet.date"), *[name(line.name) for line in lines]]
    alternative = table(heads, rows, title, set(range(1, len(heads))))
    return el("section", el("h2", title), curves(key, title, about, lines, ticks, alternative))


def _date(seconds: int) -> str:
    return date_text(seconds + time.localtime(seconds).tm_gmtoff)


# --- records ---


def _records(visit: Visit, story: Chronicle) -> Node | None:
    """Return the best result, the clearest win and the longest series in each league."""
    tiles = []
    for league in sorted(story.league.leagues, key=lambda league: -story.league.leagues[league])[:12]:
        lines = []
        key = "web.record.lowest" if league in story.low else "web.record.highest"
        for words, record in ((key, story.records.get(league)), ("web.record.margin", story.margins.get(league))):
            if record:
                lines.append(_record(visit, story, text(words), record))
        tiles.append(el("li", el("h3", name(story.name_of(league))), lines, class_="tile"))
    best = max(story.league.standings, key=lambda person: story.league.standings[person].best, default=None)
    if best is not None and story.league.standings[best].best > 1:
        run = story.league.standings[best].best
        line = el("p", player_link(visit, story.names[best]), " · ", text("web.games.count", n=run))
        tiles.append(el("li", el("h3", text("web.moment.run")), line, class_="tile"))
    return el("section", el("h2", text("web.records")), el("ul", tiles, class_="tiles")) if tiles else None


def _record(visit: Visit, story: Chronicle, words: str, record: Record) -> Node:
    when = day_of(record.at)
    date: Child = day_in_words(when)
    if not visit.offline:
        date = el("a", date, href=f"/games/{record.number}")
    return el(
        "p",
        el("span", words, ": ", class_="quiet"),
        el("strong", whole(record.score)),
        " ",
        player_link(visit, story.names[record.person]),
        ", ",
        date,
    )
