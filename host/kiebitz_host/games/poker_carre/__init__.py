"""Show PokerCarre on the laptop: the pad with its rubrics, and the square of cards."""

from kiebitz.games.base import words
from kiebitz.games.poker_carre.rules_grid import RUBRIC_POINTS, SIDE, SMALLEST, rubric
from kiebitz.text import text
from rich.text import Text

from ... import asking
from ...terminal import seat_text, table
from ..base import DEALER, NOTHING, GameOnLaptop, players_table, remark

COLOUR_STYLES = ("red", "dark_orange", "yellow", "green", "blue", "magenta", "white")  # for the colours a to g
KINDS = ("straight", "colour", "set")
LINES = {"H": "across", "V": "down"}  # a line of the square -> its question


class PokerCarre(GameOnLaptop):
    """PokerCarre on the laptop."""

    SETUP = (("mode", ("score", "grid"), "rules.grid"), DEALER)
    REPORT = "ok*2 right ok*2 undo left"

    def title(self, game):
        mode = [text(f"mode.{game.mode}")]
        return [*mode, text("sheet.carre.placed", n=game.placed, of=game.to_place)] if game.counts_cards else mode

    def sheet(self, game):
        yield _pad(game)
        if game.laid_out:
            yield _square(game)
        if not game.over and game.options["turns"] == "follow":
            yield Text(remark("E_TURN", {"p": game.turn}, game))

    def won_by(self, game, beaten):
        return super().won_by(game, beaten) if game.instant is None else "seven"

    def rows(self, table):
        counts = table.game.counts
        return [(f"rubric {points}", [points * seat[i] for seat in counts]) for i, points in enumerate(RUBRIC_POINTS)]

    def entered(self, game, event):
        return " ".join(words(event.get("cards") or event.get("hand") or [], "cards"))

    def event_key(self, game, name):
        of_mode = {"score": ".items", "grid": ".card"}[game.mode] if name == "place" else ""
        return super().event_key(game, name) + of_mode

    def arguments(self, game, name, old):
        if name != "place":
            return super().arguments(game, name, old)
        return ["p", "items"] if game.mode == "score" else ["p", "card", "x", "y"]

    def choices(self, game, event, what):
        if what == "rubric":
            return [(text(f"rubric.{k}"), k) for k in range(1, len(RUBRIC_POINTS) + 1)]
        return super().choices(game, event, what)

    def ask_value(self, asker, game, event, what, kind, old, optional):
        if what != "items":
            return super().ask_value(asker, game, event, what, kind, old, optional)
        sizes = {(line, kind): size for line, kind, size in ([] if old is asking.NOTHING else old)}
        found = []
        for line, name in LINES.items():
            for kind in KINDS:
                question = self.question(game, name, kind=text(f"kind.{kind}"))
                if size := asker.number(question, sizes.get((line, kind), 0), 0, SIDE):
                    found.append([line, kind, size])
        return found

    def row_name(self, label):
        return text(f"rubric.{RUBRIC_POINTS.index(_points(label)) + 1}")

    def cell(self, label, points):
        return f"{points // _points(label)} x" if points else "·"

    def facts(self):
        """Return, for each rubric, its points and the sizes of straight, colour and set that count there."""
        rows = [{"points": points, **{kind: [] for kind in KINDS}} for points in RUBRIC_POINTS]
        for kind, smallest in SMALLEST.items():
            for size in range(smallest, SIDE + 1):
                rows[rubric(kind, size)][kind].append(size)
        return {"scoring": rows}

    def tables(self, facts):
        headers = [text("rules.points"), *[text(f"kind.{kind}") for kind in KINDS]]
        found = table(*headers, numbers=headers[:1])
        for row in facts["scoring"]:
            found.add_row(str(row["points"]), *[_sizes(row[kind]) for kind in KINDS])
        yield found


def _points(label):
    """Return the points of the rubric in a row's label."""
    return int(label.removeprefix("rubric "))


def _pad(game):
    """Return the table of crosses in each rubric."""
    found = players_table(*[text("sheet.carre.row", n=points) for points in RUBRIC_POINTS], text("sheet.total"))
    for p, total in enumerate(game.totals()):
        crossed = zip(game.counts[p], RUBRIC_POINTS, strict=True)
        cells = [f"{count} x {points}" if count else NOTHING for count, points in crossed]
        found.add_row(seat_text(p, game.names), *cells, str(total))
    return found


def _square(game):
    """Return a picture of the square of cards, with its coordinates."""
    x0, y0, x1, y1 = game.box()
    picture = Text("      " + "".join(f"{x:3} " for x in range(x0, x1 + 1)), style="dim")
    for y in range(y0, y1 + 1):
        picture.append(f"\n{y:4}  ", style="dim")
        for x in range(x0, x1 + 1):
            card = game.card_at(x, y)
            style = f"bold {COLOUR_STYLES['abcdefg'.index(card[0])]}" if card else "dim"
            picture.append(f" {card or ' ·'} ", style=f"not dim {style}" if card else style)
    return picture


def _sizes(sizes):
    """Return the sizes joined by "or"; at most two sizes score the same."""
    return text("rules.or", first=sizes[0], last=sizes[1]) if len(sizes) > 1 else "".join(map(str, sizes)) or "-"


GAME = PokerCarre
