"""Show any other game on the laptop: rounds or a counter, the distance to the target, and who takes part."""

from itertools import combinations

from kiebitz.games import Refused
from kiebitz.games.any_game.rules import POINTS_MAX
from kiebitz.text import text
from rich.text import Text

from ...asking import NOTHING as NO_ANSWER
from ...terminal import seat_text, shown
from ..base import DEALER, NOTHING, TOTAL, GameOnLaptop, names_of, players_table, texts

ROUNDS_SHOWN = 6  # latest rounds with a column of their own
_BOUNDS = {"exchange": (0, POINTS_MAX), "double": (1, 32)}  # event -> least and most k


class AnyGame(GameOnLaptop):
    """Any other game on the laptop."""

    SETUP = (
        ("title", ("Any game", "rules.title.own"), "rules.title"),
        ("teams", ("rules.any.teams.none", "rules.any.teams.each"), "rules.any.teams"),
        DEALER,
    )
    ROW_NAMES = {TOTAL: "sheet.total", "round": "row.round", "start": "row.start", "added": "row.added"}
    REPORT = "ok*3 right up*2 ok left ok down*3 ok undo hold:ok"

    def title(self, game):
        if not game.by_rounds:
            return [text("sheet.any.counter")]
        if game.over:
            return []
        if game.options["end"] == "rounds":
            return [text("sheet.round_of", n=game.round, of=game.options["limit"])]
        return [text("sheet.round", n=game.round)]

    def sheet(self, game):
        yield _players(game)
        sentences = []
        if shows_deal(game):
            sentences.append(text("sheet.any.deals", name=_name(game, game.dealer)))
        sentences += about_people(game)
        if game.factor > 1 and not game.over:
            sentences.append(text("sheet.any.factor", k=game.factor, n=len(game.factors)))
        sentences.append(text(f"sheet.any.{'low' if game.low_wins else 'high'}"))
        if game.options["end"] == "target":
            sentences.append(text("sheet.any.target", n=game.options["limit"]))
        yield Text(" ".join(sentences))

    def rows(self, table):
        """Return the rows: the points at the start if there were any, and each round, or the sum of all entries."""
        game = table.game
        brought = game.brought()
        rows = [("start", brought)] if any(brought) else []
        if not game.by_rounds:
            added = [total - start for total, start in zip(game.totals(), brought, strict=True)]
            return [*rows, ("added", added)] if rows else super().rows(table)
        rows += [(f"round {k}", [k or 0 for k in points]) for k, points in enumerate(game.rounds, 1)]
        if game.begun:
            rows.append((f"round {game.round}", [k or 0 for k in game.now]))
        return rows or super().rows(table)

    def part(self, game):
        return f"round {game.round}" if game.by_rounds else None

    def choices(self, game, event, what):
        """Return the seats that an entry can name, or all possible winners of a round."""
        if what == "winners":
            sets = [list(some) for k in range(1, game.n) for some in combinations(game.playing(), k)]
            return [(names_of(game, seats), seats) for seats in sets if _can_share(game, seats)]
        if what != "p":
            return super().choices(game, event, what)
        seats = {
            "points": game.missing(), "back": game.gone, "away": [p for p in game.playing() if game.now[p] is None],
        }.get(event["ev"], game.playing())  # fmt: skip
        return [(game.names[p], p) for p in seats]

    def ask_value(self, asker, game, event, what, kind, old, optional):
        if what == "k":
            low, high = _BOUNDS.get(event["ev"], (-POINTS_MAX, POINTS_MAX))
            return asker.number(self.question(game, "k"), old, low, high)
        if what == "name":
            return asker.words(self.question(game, what), "" if old is NO_ANSWER else old)
        return super().ask_value(asker, game, event, what, kind, old, optional)

    def facts(self):
        return {"points": [-POINTS_MAX, POINTS_MAX]}

    def tables(self, facts):
        low, high = facts["points"]
        yield Text(text("rules.any.points", low=low, high=high))


def _can_share(game, winners) -> bool:
    """Return True if the points can be shared between these winners and the others."""
    try:
        game.shares(winners, 0)
    except Refused:
        return False
    return True


def shows_deal(game) -> bool:
    """Return True if the players want to see who deals."""
    return not game.over and game.shows_deal


def about_people(game) -> list[str]:
    """Return sentences about teams, who is away, who sits out and who ended the round."""
    words = []
    if game.teams:
        teams = [names_of(game, game.team_of(game.teams.index(k))) for k in range(max(game.teams) + 1)]
        words.append(text("sheet.any.teams", teams=" · ".join(teams)))
    if game.over:
        return [*words, text("sheet.any.early")] if game.early else words
    if game.sitting_out is not None:
        words.append(text("sheet.any.sits_out", name=_name(game, game.sitting_out)))
    if game.gone:
        words.append(text("sheet.any.away", names=names_of(game, game.gone)))
    if game.ender is not None:
        words.append(text("sheet.any.ended", name=_name(game, game.ender)))
    return words


def _name(game, p):
    return shown(game.names[p])


def _cell(points):
    """Return the points of a round as a cell; a dot for who has none."""
    return NOTHING if points is None else str(points)


def _players(game):
    """Return the table of points in each round; the first rounds may be summed up."""
    rounds = game.rounds
    recent = rounds[-ROUNDS_SHOWN:]
    before = len(rounds) - len(recent)
    now = game.options["entry"] == "rounds" and (not game.over or game.begun)
    target = game.options["end"] == "target" and not game.over
    headers = texts("sheet.before") if before else []
    headers += [text("sheet.round_column", n=k + 1) for k in range(before, len(rounds))]
    headers += texts(*(["sheet.now"] if now else []), "sheet.total", *(["sheet.any.to_go"] if target else []))
    found = players_table(*headers)
    to_go = game.to_target() if target else []
    for p, total in enumerate(game.totals()):
        cells: list = [str(game.brought()[p] + sum(points[p] or 0 for points in rounds[:before]))] if before else []
        cells += [_cell(points[p]) for points in recent]
        cells += [_cell(game.now[p])] if now else []
        cells += [str(total)] + ([str(to_go[p])] if target else [])
        found.add_row(seat_text(p, game.names), *cells)
    return found


GAME = AnyGame
