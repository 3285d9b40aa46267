"""Render the page of the league: table, head to head, ratings over time and records."""

from typing import NamedTuple

from kiebitz.games import GAMES
from kiebitz.text import text

from ..html import Child, Node, el, fragment, name, plain_name, scrolling, table
from ..league.columns import ELO, ORDERS, WINS, signed_text, whole_text
from ..league.evenings import day_in_words, day_of
from ..league.history import LeagueHistory, Record
from ..league.period import ALWAYS, Period
from ..league.standings import LeagueTable, league_table, most_played
from ..library import query
from ..library.query import Filter, titles
from ..library.store import Store
from ..show.present import nobody
from ..terminal import short_names
from .curves import SEATS, Line, Tick, curves
from .forms import field, filter_form, hidden, period_fields, select
from .frame import Visit, address, player_address, send_links, titled
from .store_watch import kept

PLAYERS_MAX = 100  # in the table
RATINGS_MAX = 6  # leagues with ratings in the table over several
SQUARE_MAX = 12  # players in head to head
SQUARE_NAME = 9  # letters of a name above a column
# Print style of the table: (most rows, classes); one that is "alone" leaves no space for what is below it
PRINTED = ((28, "paper long"), (56, "paper long alone"), (PLAYERS_MAX, "paper tiny alone"))
CURVES_MAX = SEATS  # players with a curve
STEPS = 80  # of a curve over time
TICKS = 5
RECORDS_MAX = 12  # leagues with their records


class Found(NamedTuple):
    """The data for the page of a league."""

    history: LeagueHistory
    chosen: str  # the requested league or kind of game; empty for all
    one: str | None  # the league, if it is a single one
    early: int  # games ended early, which do not count
    with_early: bool
    choices: list[str]  # all leagues
    period: Period
    by: str  # the order, one of ORDERS


def find_league(
    store: Store, chosen: str = "", with_early: bool = False, period: Period = ALWAYS, by: str = WINS
) -> Found | None:
    """Return the league of a game, or over all games, in a period; None if it does not exist."""
    known = titles(store.db)
    if chosen and chosen not in GAMES and chosen not in known:
        return None
    history = history_of(store, chosen, with_early, period)
    leagues = history.league.leagues
    one = next(iter(leagues)) if chosen and len(leagues) == 1 else None
    wanted = _wanted(chosen, period, True)
    early = 0 if with_early else query.count(store.db, wanted)
    choices = [*GAMES, *sorted(known, key=known.__getitem__)]
    return Found(history, chosen, one, early, with_early, choices, period, by if one and by in ORDERS else WINS)


def _wanted(chosen: str, period: Period, early: bool | None) -> Filter:
    return Filter(game=chosen or None, since=period.since, until=period.until, finished=True, early=early)


def history_of(store: Store, chosen: str = "", with_early: bool = False, period: Period = ALWAYS) -> LeagueHistory:
    """Return a league with its history, cached until the store changes."""
    wanted = _wanted(chosen, period, None if with_early else False)
    key = (chosen, with_early, period.since, period.until)
    return kept(store, key, lambda: query.league_history(store.db, wanted))


def title_of(found: Found) -> str:
    return found.history.name_of(found.chosen) if found.chosen else text("league.all")


def about(found: Found) -> str:
    """Return the line below the title."""
    when = f" {found.period.in_words()}" if found.period else ""
    return f"{text('web.nav.league')} · {text('league.count', n=whole_text(found.history.league.games))}{when}"


def league_page(visit: Visit, found: Found) -> Node:
    """Return the content of the page."""
    history = found.history
    parts: list[Child] = [titled(title_of(found), about(found)), _choice(visit, found)]
    if not history.league.standings:
        return fragment(*parts, el("p", nobody(history.league, found.period)), _early(found))
    parts.append(send_links(visit, "/league"))
    persons = history.order(found.one, found.by)
    kind = next(kind for most, kind in PRINTED if min(len(persons), PLAYERS_MAX) <= most)
    parts.append(el("section", _one(visit, found) if found.one else _several(visit, found), class_=f"standings {kind}"))
    parts.append(_early(found))
    if found.one:
        parts.append(ratings_curve(history, found.one, persons[:CURVES_MAX]))
    parts += [_square(visit, history, persons), _records(visit, history)]
    return fragment(*parts)


def _choice(visit: Visit, found: Found) -> Node | None:
    if visit.offline:
        return None
    games = [("", text("league.all")), *[(league, found.history.name_of(league)) for league in found.choices]]
    box = el("input", type="checkbox", name="early", value="1", checked=True if found.with_early else None)
    return filter_form(
        "/league",
        field(text("rules.game"), select("game", games, found.chosen)),
        period_fields(visit),
        hidden(by=found.by) if found.by != WINS else None,
        el("label", box, " ", text("web.with_early"), class_="box"),
    )


def _early(found: Found) -> Node | None:
    return el("p", text("web.left_out", n=found.early), class_="quiet") if found.early else None


# --- the table ---


def player_link(visit: Visit, who: str) -> Node:
    """Return a name that links to the page of the player."""
    return name(who) if visit.offline else el("a", name(who), href=player_address(who))


def _one(visit: Visit, found: Found) -> Node:
    """Return the table of one league."""
    assert found.one is not None
    low_wins = found.one in found.history.low
    standings = league_table(found.history.league, found.history.names, found.one, found.by, low_wins)
    keys = ["", "", ELO, *[column.key for column in standings.columns]]
    titles = [text("sheet.player"), text("sheet.place"), "Elo", *[column.title() for column in standings.columns]]
    heads = [_head(visit, standings, key, words) for key, words in zip(keys, titles, strict=True)]
    order = {keys.index(found.by): "ascending" if standings.is_ascending else "descending"}
    rows: list[list[Child]] = []
    for row in standings.rows[:PLAYERS_MAX]:
        cells = standings.cells(row, "–", page=True)
        rows.append([player_link(visit, row.name), row.place, row.rating(found.one), *cells])
    low = el("p", text("web.low_wins"), class_="quiet") if low_wins else None
    return fragment(low, table(heads, rows, text("web.nav.league"), set(range(1, len(heads))), order=order))


def _head(visit: Visit, standings: LeagueTable, key: str, words: str) -> Child:
    """Return the head of a column: a link that orders the table by it, or its mark if it already does."""
    if key == standings.by or key not in ORDERS or visit.offline:
        return standings.marked(key, words)
    return el("a", words, href=visit.same_page(by=key))


def _several(visit: Visit, found: Found) -> Node:
    """Return the table over several leagues, with the ratings in the most played ones."""
    history = found.history
    standings = league_table(history.league, history.names, None)
    leagues = most_played(history.league, RATINGS_MAX)
    heads: list[Child] = [text("sheet.player"), text("sheet.place"), *standings.heads()]
    for league in leagues:
        words = name(history.name_of(league))
        elo = words if visit.offline else el("a", words, href=address("/league", [("game", league)]))
        heads.append(fragment("Elo ", elo))
    rows: list[list[Child]] = []
    for row in standings.rows[:PLAYERS_MAX]:
        cells = standings.cells(row, "–", page=True)
        rows.append([player_link(visit, row.name), row.place, *cells, *[row.rating(league) for league in leagues]])
    order = {2 + [column.key for column in standings.columns].index(WINS): "descending"}
    return table(heads, rows, text("web.nav.league"), set(range(1, len(heads))), order=order)


# --- head to head ---


def _square(visit: Visit, history: LeagueHistory, persons: list[int]) -> Node | None:
    """Return the results of each player in the left column against each in the header: ahead-level-behind."""
    among = persons[:SQUARE_MAX]
    if len(among) < 2:
        return None
    short = short_names([history.names[person] for person in among], SQUARE_NAME)
    heads = [el("td")]
    heads += [
        el("th", el("abbr", name(words), title=plain_name(history.names[person])), scope="col", class_="n")
        for person, words in zip(among, short, strict=True)
    ]
    rows = []
    for person in among:
        cells = [_cell(history, person, other) for other in among]
        rows.append(el("tr", el("th", player_link(visit, history.names[person]), scope="row"), cells))
    label = text("league.square")
    square = el("table", el("thead", el("tr", heads)), el("tbody", rows), class_="square")
    return el("section", el("h2", label), scrolling(label, square), el("p", text("league.legend"), class_="quiet"))


def _cell(history: LeagueHistory, person: int, other: int) -> Node:
    if person == other:
        return el("td", class_="self")
    results = history.league.between(person, other)
    ahead, _, behind = results
    kind = "n" if ahead == behind else "n ahead" if ahead > behind else "n behind"
    return el("td", "–".join(map(str, results)) if any(results) else "·", class_=kind)


# --- ratings over time ---


def ratings_curve(history: LeagueHistory, league: str, persons: list[int]) -> Node:
    """Return the curves of the ratings of several players in one league."""
    times = history.steps(STEPS)
    lines = [Line(history.names[person], history.curve(person, league, times)) for person in persons]
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
    return day_in_words(day_of(seconds))


# --- records ---


def _records(visit: Visit, history: LeagueHistory) -> Node | None:
    """Return the best result, the greatest margin and the longest winning streak in each league."""
    tiles = []
    for league in most_played(history.league, RECORDS_MAX):
        lines = []
        key = "web.record.lowest" if league in history.low else "web.record.highest"
        for words, record in ((key, history.records.get(league)), ("web.record.margin", history.margins.get(league))):
            if record:
                lines.append(_record(visit, history, text(words), record))
        tiles.append(el("li", el("h3", name(history.name_of(league))), lines, class_="tile"))
    best = max(history.league.standings, key=lambda person: history.league.standings[person].best, default=None)
    if best is not None and history.league.standings[best].best > 1:
        run = history.league.standings[best].best
        line = el("p", player_link(visit, history.names[best]), " · ", text("web.games.count", n=run))
        tiles.append(el("li", el("h3", text("web.moment.run")), line, class_="tile"))
    return el("section", el("h2", text("web.records")), el("ul", tiles, class_="tiles")) if tiles else None


def _record(visit: Visit, history: LeagueHistory, words: str, record: Record) -> Node:
    when = day_of(record.at)
    date: Child = day_in_words(when)
    if not visit.offline:
        date = el("a", date, href=f"/games/{record.number}")
    return el(
        "p",
        el("span", words, ": ", class_="quiet"),
        el("strong", signed_text(record.score)),
        " ",
        player_link(visit, history.names[record.person]),
        ", ",
        date,
    )
