"""Show games with bids and tricks on the laptop: a row for each round, and bid and tricks beside the points."""

from kiebitz.games.bids.rules import most_cards, usual_cards
from kiebitz.text import text, value_text
from rich.text import Text

from ...terminal import seat_text, shown, table
from ..base import DEALER, TOTAL, GameOnLaptop, players_table, texts

ROUNDS_SHOWN = 4  # latest rounds with a column of their own


class Bids(GameOnLaptop):
    """Wizard and its kin on the laptop."""

    SETUP = (("title", ("Wizard", "rules.bids.title.own"), "rules.bids.title"), DEALER)
    ROW_NAMES = {TOTAL: "sheet.total", "round": "row.round"}
    MARKS = "sheet.bids.marks"
    REPORT = "ok*3 up ok right ok left ok up ok*3 undo hold:ok"

    def title(self, game):
        return [] if game.over else [text("sheet.bids.round", n=game.round, of=len(game.hands), cards=game.cards)]

    def sheet(self, game):
        yield _players(game)
        if not game.over:
            deals = text("sheet.bids.deals", name=shown(game.names[game.dealer]))
            yield Text(f"{deals} {sum_words(game)}".strip())

    def rows(self, table):
        game = table.game
        rows = [(f"round {k + 1}", game.points_of(k)) for k in range(game.rounds_over())]
        return rows or super().rows(table)

    def row_marks(self, table):
        """Return tricks and bid by seat of each row, as "2/3" for 2 tricks of 3 that were bid."""
        game = table.game
        pasts = [game.past(k) for k in range(game.rounds_over())]
        return [[_mark(bid, made) for bid, made in zip(bids, tricks, strict=True)] for bids, tricks in pasts]

    def part(self, game):
        return f"round {game.round}"

    def seats(self, game):
        return game.missing()

    def ask_value(self, asker, game, event, what, kind, old, optional):
        if what == "k":
            return asker.number(self.question(game, "k" if game.phase == "BID" else "tricks"), old, 0, game.cards)
        return super().ask_value(asker, game, event, what, kind, old, optional)

    def facts(self):
        """Return the usual and the largest hand for each number of players, with the points of either game."""
        players = {"wizard": range(3, 7), "ten_plus": range(3, 9)}
        return {
            "hands": {points: {n: [usual_cards(points, n), most_cards(points, n)] for n in ns}
                      for points, ns in players.items()}
        }  # fmt: skip

    def tables(self, facts):
        headers = texts("rules.players", "rules.bids.usual", "rules.bids.most")
        for points, hands in facts["hands"].items():
            found = table(*headers, numbers=headers[1:])
            for n, (usual, most) in hands.items():
                found.add_row(str(n), str(usual), str(most))
            yield Text(text("bids.choice", name=text("opt.points"), value=value_text(points, "bids", "points")))
            yield found


def _mark(bid, made):
    return f"{made}/{bid}"


def sum_words(game):
    """Return how the bids add up, in words; empty before the first one."""
    if all(bid is None for bid in game.bids):
        return ""
    total, cards = sum(bid or 0 for bid in game.bids), game.cards
    if total > cards:
        return text("bids.sum.many", n=total, of=cards, k=total - cards) + "."
    if game.phase == "BID":
        return text("bids.sum.part", n=total, of=cards) + "."
    key = "exact" if total == cards else "few"
    return text(f"bids.sum.{key}", n=total, of=cards, k=cards - total) + "."


def _players(game):
    """Return the table of rounds with bids, tricks and points; the first rounds are summed up in the total."""
    count = game.rounds_over()
    first = max(0, count - ROUNDS_SHOWN)
    headers = [text("sheet.round_column", n=k + 1) for k in range(first, count)]
    headers += texts(*([] if game.over else ["sheet.bids.bid", "sheet.bids.tricks"]), "sheet.total")
    found = players_table(*headers)
    for p, total in enumerate(game.totals()):
        cells = []
        for k in range(first, count):
            bids, tricks = game.past(k)
            cells.append(f"{_mark(bids[p], tricks[p])} {game.points_of(k)[p]:+}")
        if not game.over:
            cells += ["·" if number is None else str(number) for number in (game.bids[p], game.tricks[p])]
        found.add_row(seat_text(p, game.names), *cells, str(total))
    return found


GAME = Bids
