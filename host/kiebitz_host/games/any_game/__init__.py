"""Show any other game on the laptop: rounds or a counter, the distance to the target, and the dealer."""

from kiebitz.games.any_game.rules import POINTS_MAX
from kiebitz.text import text
from rich.text import Text

from ...terminal import seat_text, shown
from ..base import DEALER, NOTHING, TOTAL, GameOnLaptop, players_table, texts

ROUNDS_SHOWN = 6  # latest rounds with a column of their own


class AnyGame(GameOnLaptop):
    """Any other game on the laptop."""

    SETUP = (("title", ("Any game", "rules.title.own"), "rules.title"), DEALER)
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
        sentences = [] if game.over or not game.by_rounds else [text("sheet.any.deals", name=_name(game, game.dealer))]
        sentences.append(text(f"sheet.any.{'low' if game.low_wins else 'high'}"))
        if game.options["end"] == "target":
            sentences.append(text("sheet.any.target", n=game.options["limit"]))
        yield Text(" ".join(sentences))

    def rows(self, table):
        """Return the rows: the points at the start if there were any, and each round, or the sum of all entries."""
        game = table.game
        start = game.options["start"]
        rows = [("start", [start] * game.n)] if start else []
        if not game.by_rounds:
            return [*rows, ("added", [total - start for total in game.totals()])] if start else super().rows(table)
        rows += [(f"round {k}", points) for k, points in enumerate(game.rounds, 1)]
        if len(game.missing()) < game.n:
            rows.append((f"round {game.round}", [k or 0 for k in game.now]))
        return rows or super().rows(table)

    def part(self, game):
        return f"round {game.round}" if game.by_rounds else None

    def seats(self, game):
        return game.missing() if game.by_rounds else super().seats(game)

    def ask_value(self, asker, game, event, what, kind, old, optional):
        if what == "k":
            return asker.number(self.question(game, "k"), old, -POINTS_MAX, POINTS_MAX)
        return super().ask_value(asker, game, event, what, kind, old, optional)

    def facts(self):
        return {"points": [-POINTS_MAX, POINTS_MAX]}

    def tables(self, facts):
        low, high = facts["points"]
        yield Text(text("rules.any.points", low=low, high=high))


def _name(game, p):
    return shown(game.names[p])


def _players(game):
    """Return the table of points in each round; the first rounds may be summed up."""
    rounds = game.rounds
    recent = rounds[-ROUNDS_SHOWN:]
    before = len(rounds) - len(recent)
    now = game.by_rounds and (not game.over or len(game.missing()) < game.n)
    target = game.options["end"] == "target" and not game.over
    headers = texts("sheet.before") if before else []
    headers += [text("sheet.round_column", n=k + 1) for k in range(before, len(rounds))]
    headers += texts(*(["sheet.now"] if now else []), "sheet.total", *(["sheet.any.to_go"] if target else []))
    found = players_table(*headers)
    to_go = game.to_target() if target else []
    for p, total in enumerate(game.totals()):
        cells: list = [str(game.options["start"] + sum(points[p] for points in rounds[:before]))] if before else []
        cells += [str(points[p]) for points in recent]
        cells += [NOTHING if game.now[p] is None else str(game.now[p])] if now else []
        cells += [str(total)] + ([str(to_go[p])] if target else [])
        found.add_row(seat_text(p, game.names), *cells)
    return found


GAME = AnyGame
