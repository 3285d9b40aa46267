"""Show Kniffel on the laptop: the pad with thirteen boxes, a column for each player."""

from kiebitz.games.five_dice.rules import BONUS, BOXES, UPPER, UPPER_GOAL, entries
from kiebitz.text import text
from rich.text import Text

from ...terminal import seat_text, short_names, table
from ..base import DEALER, NOTHING, GameOnLaptop, remark

_NAME_CELLS = 12


class FiveDice(GameOnLaptop):
    """Kniffel on the laptop."""

    SETUP = (("title", ("Kniffel", "rules.title.own"), "rules.title"), DEALER)
    ROW_NAMES = {"bonus": "row.dice.bonus", "extra": "row.dice.extra"}
    REPORT = "ok*3 up*2 right ok left ok undo hold:ok"

    def title(self, game):
        return [] if game.over else [text("sheet.dice.boxes", n=sum(_filled(game)), of=game.n * len(BOXES))]

    def sheet(self, game):
        yield _pad(game)
        if not game.over and game.follows:
            yield Text(remark("E_TURN", {"p": game.turn}, game))

    def rows(self, table):
        """Return a row for each box, and one for the bonus and for further fives of a kind, if there are any."""
        game = table.game
        seats = range(game.n)
        rows = [(box, [game.sheets[p][at] or 0 for p in seats]) for at, box in enumerate(BOXES)]
        rows.insert(len(UPPER), ("bonus", [game.bonus(p) for p in seats]))
        extra = [game.extra(p) for p in seats]
        return [*rows, ("extra", extra)] if any(extra) else rows

    def row_name(self, label):
        return text(f"box.{label}") if label in BOXES else super().row_name(label)

    def choices(self, game, event, what):
        if what == "box":
            sheet = game.sheets[event["p"]]
            return [(text(f"box.{box}"), box) for at, box in enumerate(BOXES) if sheet[at] is None]
        if what == "k":
            return [(str(k), k) for k in entries(BOXES.index(event["box"]))]
        return super().choices(game, event, what)

    def facts(self):
        """Return the points that each box can get, and the upper bonus."""
        boxes = {box: list(entries(at)) for at, box in enumerate(BOXES)}
        return {"boxes": boxes, "bonus": {"from": UPPER_GOAL, "points": BONUS}}

    def tables(self, facts):
        headers = [text("rules.dice.box"), text("rules.points")]
        found = table(*headers)
        for box, points in facts["boxes"].items():
            worth = [str(k) for k in points]
            many = len(worth) > len(UPPER)
            found.add_row(text(f"box.{box}"), f"{worth[0]}, {worth[1]}-{worth[-1]}" if many else ", ".join(worth))
        yield found
        yield Text(text("rules.dice.bonus", n=facts["bonus"]["from"], points=facts["bonus"]["points"]))


def _filled(game):
    """Return how many boxes each seat has filled."""
    return [len(BOXES) - sheet.count(None) for sheet in game.sheets]


def _pad(game):
    """Return the pad as on paper: a row for each box, a column for each player."""
    names = [seat_text(p, short_names(game.names, _NAME_CELLS)) for p in range(game.n)]
    found = table("", *names, numbers=names)
    for at, box in enumerate(BOXES):
        found.add_row(text(f"box.{box}"), *[NOTHING if s[at] is None else str(s[at] or "-") for s in game.sheets])
        if at == len(UPPER) - 1:
            seats = range(game.n)
            found.add_row(text("row.dice.bonus"), *[str(game.bonus(p)) if game.bonus(p) else NOTHING for p in seats])
    if any(game.further):
        found.add_row(text("row.dice.extra"), *[str(game.extra(p)) for p in range(game.n)])
    found.add_row(text("sheet.total"), *[str(total) for total in game.totals()])
    return found


GAME = FiveDice
