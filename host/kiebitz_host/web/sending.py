"""Turn an evening, a game or a league into something to send: a single HTML file, or a picture."""

from kiebitz.text import text

from ..league.columns import ELO
from ..league.standings import league_table
from ..show.card import Row, Table, card
from ..show.game_sheet import score_sheet
from ..show.present import listed_games, name_of, played
from ..terminal import short_names
from . import evening_page, game_page, league_page
from .frame import Visit, whole_page

ROWS_MAX = 20  # of a table in a picture; rounds beyond it are summed up
NAME_MAX = 10  # letters of a name above a column of a picture
MAKER = "Kiebitz"


# --- files ---


def game_file(sheet: game_page.Sheet, lang: str) -> str:
    """Return the page of a game."""
    visit = Visit(lang, offline=True)
    return whole_page(visit, game_page.title_of(sheet.facts), game_page.game_page(visit, sheet), printed=True)


def evening_file(evening: evening_page.Evening, lang: str) -> str:
    """Return the page of an evening."""
    visit = Visit(lang, offline=True)
    return whole_page(
        visit, evening_page.title_of(evening.day), evening_page.evening_page(visit, evening), printed=True
    )


def league_file(found: league_page.Found, lang: str) -> str:
    """Return the page of a league."""
    visit = Visit(lang, offline=True)
    return whole_page(visit, league_page.title_of(found), league_page.league_page(visit, found), printed=True)


# --- pictures ---


def game_picture(sheet: game_page.Sheet) -> bytes:
    """Return a picture of a readable game: the ranking, then the score sheet."""
    facts = sheet.facts
    about = " · ".join([played(facts), *game_page.circumstances(facts)])
    return card(name_of(facts), about, sheet.standing, (_ranking(facts), _sheet(facts)), MAKER)


def _ranking(facts: dict) -> Table:
    """Return the players, best first, with a bar for their points."""
    scores = facts["scores"]
    points = [score["score"] for score in scores]
    low, high = min(0, *points), max(points)
    rows = []
    for p in sorted(range(len(scores)), key=lambda p: scores[p]["rank"] or 0):
        score = scores[p]
        share = (score["score"] - low) / (high - low) if high > low else 0.0
        star = " ★" if score["winner"] else ""
        rows.append(Row((str(score["rank"] or ""), score["name"] + star, str(score["score"])), p, share, bool(star)))
    return Table("", ("", "", ""), tuple(rows), frozenset({2}))


def _sheet(facts: dict) -> Table:
    sheet = score_sheet(facts, ROWS_MAX)
    heads = ("", *short_names(sheet.names, NAME_MAX), *sheet.beside)
    rows = [Row((row.name, *row.cells)) for row in sheet.rows]
    rows += [Row((sheet.totals.name, *sheet.totals.cells))] if sheet.totals else []
    title = " · ".join(filter(None, [text("web.sheet"), sheet.legend]))
    return Table(title, heads, tuple(rows), frozenset(range(1, len(heads))), len(sheet.names))


def evening_picture(evening: evening_page.Evening) -> bytes:
    """Return a picture of an evening: the winners, then the games."""
    best = evening_page.best_of(evening)
    lead = text("web.evening.best", name=best[0], n=best[1]) if best else ""
    winners = evening_page.winners_of(evening)
    rows = [
        Row((who.name, str(who.played), str(who.wins), _won(who.won)), first=best is not None and who.name == best[0])
        for who in winners
    ]
    won = Table(text("web.who_won"), tuple(evening_page.won_heads()), tuple(rows), frozenset({1, 2}))
    listed = [
        Row((game.game, ", ".join(_standing(*player) for player in game.players)))
        for game in listed_games(evening.games[:ROWS_MAX], page=True)
    ]
    games = Table(text("web.nav.games"), (text("rules.game"), text("rules.players")), tuple(listed))
    tables = (won, games) if rows else (games,)
    return card(evening_page.title_of(evening.day), evening_page.about(evening), lead, tables, MAKER)


def _won(games: dict[str, int]) -> str:
    return ", ".join(f"{kind} ×{n}" if n > 1 else kind for kind, n in games.items()) or "–"


def _standing(who: str, points: int | None, has_won: bool) -> str:
    """Return a name with its points, without a break between them."""
    return " ".join([who, "–" if points is None else str(points), *(["★"] if has_won else [])]).replace(" ", "\u00a0")


def league_picture(found: league_page.Found) -> bytes:
    """Return a picture of the table of a league."""
    history, one = found.history, found.one
    standings = league_table(history.league, history.names, one, found.by, one in history.low)
    elo = [standings.marked(ELO, "Elo")] if one else []
    heads = (text("sheet.place"), text("sheet.player"), *elo, *standings.heads())
    rows = []
    for row in standings.rows[:ROWS_MAX]:
        ratings = [row.rating(one)] if one else []
        cells = (str(row.place), row.name, *ratings, *standings.cells(row, "–", page=True))
        rows.append(Row(cells, first=row.place == 1))
    if len(standings.rows) > ROWS_MAX:
        rows.append(Row(("…", *[""] * (len(heads) - 1))))
    table = Table("", heads, tuple(rows), frozenset(range(2, len(heads))))
    return card(league_page.title_of(found), league_page.about(found), "", (table,), MAKER)
