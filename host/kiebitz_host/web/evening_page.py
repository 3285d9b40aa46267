"""Render the page of an evening: the games, the winners, and the best moments."""

from collections import Counter
from typing import NamedTuple

from kiebitz.text import text
from kiebitz.text.describe import minutes_text

from ..html import Child, Node, el, fragment, join, name, sentence, table
from ..league import evenings as best_moments
from ..league.columns import whole_text
from ..league.evenings import BestMoment, Course, bounds, day_in_words
from ..library import query
from ..library.query import evenings, neighbours
from ..library.schema import minutes_of_game
from ..library.store import Store
from ..show.present import name_of
from .frame import Visit, send_links, titled
from .games_list import games_table

GAMES_MAX = 60  # most games to replay for one day; more can only come from a wrong clock
LISTED = 30  # evenings in the list below the page


class Evening(NamedTuple):
    """The data for the page of an evening."""

    day: str
    games: list[dict]  # in order of play
    played: list[tuple[dict, Course]]  # the readable ones
    minutes: int
    older: str | None  # the evening before
    newer: str | None  # the evening after
    latest: list[tuple[str, int]]  # the latest evenings with their number of games, newest first


def evening_of(store: Store, day: str) -> Evening:
    """Return the games of a day; raise Trouble if it is not a date."""
    since, until = bounds(day)
    games = query.games(store.db, query.Filter(since=since, until=until, imported=None))[::-1]
    tables = [(game, store.replayed(game["number"]).table) for game in games[:GAMES_MAX]]
    minutes = sum(minutes_of_game(store.db, game["number"]) or 0 for game in games[:GAMES_MAX])
    played = [(game, best_moments.course_of(table)) for game, table in tables if table is not None]
    older, newer = neighbours(store.db, day)
    return Evening(day, games, played, minutes, older, newer, evenings(store.db, LISTED))


def title_of(day: str) -> str:
    return text("web.evening", day=day_in_words(day, long=True))


def evening_page(visit: Visit, evening: Evening) -> Node:
    """Return the content of the page."""
    if not evening.games:
        return fragment(titled(title_of(evening.day)), el("p", text("web.evening.none")), _others(visit, evening))
    return fragment(
        titled(title_of(evening.day), about(evening)),
        send_links(visit, f"/evening/{evening.day}"),
        _winner(evening),
        _who_won(evening),
        _moments(visit, evening),
        el("h2", text("web.nav.games")),
        games_table(evening.games, with_date=False, linked=not visit.offline),
        el("p", text("web.evening.ends"), class_="quiet screen-only"),
        _others(visit, evening),
    )


def about(evening: Evening) -> str:
    """Return the line below the title: games, players, duration."""
    people = {score["name"] for game in evening.games for score in game["scores"]}
    words = [text("web.games.count", n=len(evening.games)), text("web.players.count", n=len(people))]
    return " · ".join([*words, *([minutes_text(evening.minutes)] if evening.minutes else [])])


def _wins(evening: Evening) -> Counter:
    return Counter(
        score["name"]
        for game in evening.games
        if game["finished"]
        for score in game["scores"]
        if score["winner"]
    )  # fmt: skip


def best_of(evening: Evening) -> tuple[str, int] | None:
    """Return (name, wins) of the player who has won more games than anybody else."""
    best = _wins(evening).most_common(2)
    return best[0] if best and (len(best) == 1 or best[0][1] > best[1][1]) else None


def _winner(evening: Evening) -> Node | None:
    """Return a sentence about the player with the most wins."""
    best = best_of(evening)
    return el("p", sentence("web.evening.best", name=name(best[0]), n=best[1]), class_="lead") if best else None


class Winner(NamedTuple):
    """A player of an evening: games and wins, and how often each game was won."""

    name: str
    played: int
    wins: int
    won: dict[str, int]


def winners_of(evening: Evening) -> list[Winner]:
    """Return all players of an evening, best first."""
    wins = _wins(evening)
    played: Counter = Counter(score["name"] for game in evening.games if game["finished"] for score in game["scores"])
    found = []
    for who, count in sorted(played.items(), key=lambda item: (-wins[item[0]], item[1], item[0])):
        won = Counter(
            name_of(game)
            for game in evening.games
            if game["finished"] and any(score["winner"] and score["name"] == who for score in game["scores"])
        )
        found.append(Winner(who, count, wins[who], dict(won)))
    return found


def _who_won(evening: Evening) -> Node:
    """Return the table of all players: games, wins, and the names of the games won."""
    rows: list[list[Child]] = []
    for who in winners_of(evening):
        what = [fragment(name(kind), f" ×{n}" if n > 1 else None) for kind, n in who.won.items()]
        rows.append([name(who.name), who.played, who.wins, join(", ", what) if what else "–"])
    return fragment(el("h2", text("web.who_won")), table(won_heads(), rows, text("web.who_won"), {1, 2}))


def won_heads() -> list[str]:
    return [text("sheet.player"), text("league.played"), text("league.wins"), text("web.won_what")]


def _moments(visit: Visit, evening: Evening) -> Node | None:
    tiles = [
        _highest(visit, best_moments.highest_entries(evening.played)),
        _told(visit, "run", best_moments.longest_run(evening.games)),
        _told(visit, "lead", best_moments.longest_lead(evening.played)),
        _closest(visit, best_moments.closest_finish(evening.games)),
        _told(visit, "comeback", best_moments.greatest_comeback(evening.played)),
    ]
    found = [tile for tile in tiles if tile]
    if not found:
        return None
    return el("section", el("h2", text("web.moments")), el("ul", found, class_="tiles"))


def _tile(what: str, *content: Child) -> Node:
    return el("li", el("h3", what), content, class_="tile")


def _highest(visit: Visit, moments: list[BestMoment]) -> Node | None:
    if not moments:
        return None
    lines = [
        fragment(
            el("p", f"+{whole_text(moment.n)}", class_="big"),
            el("p", name(moment.name), " · ", _game(visit, moment.game)),
        )
        for moment in sorted(moments, key=lambda moment: -moment.n)
    ]
    return _tile(text("web.moment.highest"), lines)


def _told(visit: Visit, kind: str, moment: BestMoment | None) -> Node | None:
    if moment is None:
        return None
    return _tile(
        text(f"web.moment.{kind}"),
        el("p", name(moment.name), class_="big"),
        el("p", sentence(f"web.moment.{kind}.says", n=moment.n, of=moment.of, game=_game(visit, moment.game))),
    )


def _closest(visit: Visit, found: tuple[dict, int] | None) -> Node | None:
    if found is None:
        return None
    game, gap = found
    key = "web.moment.closest.says" if gap else "web.moment.closest.level"
    first, second = [name(score["name"]) for score in sorted(game["scores"], key=lambda score: score["rank"])[:2]]
    return _tile(
        text("web.moment.closest"),
        el("p", text("web.points_apart", n=gap), class_="big"),
        el("p", sentence(key, one=first, other=second, game=_game(visit, game))),
    )


def _game(visit: Visit, game: dict) -> Node:
    words = name(name_of(game))
    return words if visit.offline else el("a", words, href=f"/games/{game['number']}")


def _others(visit: Visit, evening: Evening) -> Node | None:
    """Return links to the previous and next evenings, and to the latest ones."""
    if visit.offline:
        return None
    links = [
        el("a", f"{text(key)} ({day_in_words(day)})", href=f"/evening/{day}", rel=rel) if day else el("span")
        for day, key, rel in ((evening.newer, "web.newer", "next"), (evening.older, "web.older", "prev"))
    ]
    items = [
        el("li", el("a", day_in_words(day), href=f"/evening/{day}"), f" · {text('web.games.count', n=count)}")
        for day, count in evening.latest
    ]
    return el(
        "nav",
        el("div", links, class_="pages"),
        el("h2", text("web.evenings")),
        el("ul", items, class_="columns"),
        aria_label=text("web.evenings"),
        class_="screen-only",
    )
