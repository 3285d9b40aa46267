"""Draw games with bids: the sheet of the rounds as on paper, bids and tricks of the running round, and their sum."""

from kiebitz.text import text

from ...html import Child, Node, el, name
from ..base import names_of
from ..live import LiveTable, TableSnapshot, initials
from . import sum_words

ROUNDS_MAX = 6  # latest rounds that are shown one by one
CHARS = 5  # of the widest cell, for the style sheet


class BidsTable(LiveTable):
    """The live table of games with bids."""

    def facts(self, game, p):
        found = [("bids", game.bids[p]), ("tricks", game.tricks[p])]
        return [(text(f"web.live.bids.{key}"), number) for key, number in found if number is not None]

    def badges(self, game, p):
        return [text("web.live.deals")] if p == game.dealer and not game.over else []

    def acting(self, game):
        return game.missing() if 0 < len(game.missing()) < game.n else []

    def open(self, game):
        missing = game.missing() if game.phase == "BID" else []
        still = [text("web.live.bids.missing", names=names_of(game, missing))] if 0 < len(missing) < game.n else []
        return " ".join([*filter(None, [sum_words(game)]), *still])

    def picture(self, snapshot: TableSnapshot) -> Child:
        """Return the sheet: the earlier rounds as one row, the latest ones, bids and tricks, and the totals."""
        game, before = snapshot.game, snapshot.before
        count = game.rounds_over()
        first = max(0, count - ROUNDS_MAX)
        known = before.rounds_over() if before is not None else count
        rows: list[Child] = []
        if first:
            sums = [sum(game.points_of(k)[p] for k in range(first)) for p in range(game.n)]
            rows.append(_row(text("row.round", n="1" if first == 1 else f"1–{first}"), sums, class_="soft"))
        for k in range(first, count):
            bids, tricks = game.past(k)
            cells = [_round_cell(*both) for both in zip(bids, tricks, game.points_of(k), strict=True)]
            rows.append(_row(text("row.round", n=k + 1), cells, k >= known))
        if not game.over or game.early:
            same = before is not None and known == count
            for key, now, then in (
                ("bids", game.bids, before.bids if same else game.bids),
                ("tricks", game.tricks, before.tricks if same else game.tricks),
            ):
                cells = ["·" if k is None else k for k in now]
                rows.append(_row(text(f"web.live.bids.{key}"), cells, [a != b for a, b in zip(now, then, strict=True)],
                                 class_="running"))  # fmt: skip
        heads = [el("th", el("span", letters, class_="disc", aria_hidden="true"),
                    el("span", name(one), class_="hidden"), scope="col", class_=f"n seat-{p}")
                 for p, (one, letters) in enumerate(zip(game.names, initials(game.names), strict=True))]  # fmt: skip
        return el(
            "table",
            el("caption", text("web.live.bids.sheet"), class_="hidden"),
            el("thead", el("tr", el("td"), heads)),
            el("tbody", rows),
            el("tfoot", _row(text("sheet.total"), game.totals())),
            class_=f"live-sheet seats-{game.n} rows-{len(rows) + 2} chars-{CHARS}",
        )


def _round_cell(bid: int, made: int, points: int) -> Child:
    """Return the points of a round with tricks and bid before them."""
    return [el("small", f"{made}/{bid} ", class_="soft"), f"{points:+}"]


def _row(label: str, cells: list, new: bool | list[bool] = False, **attributes) -> Node:
    """Return a row; `new` marks all its cells, or some."""
    marks = new if isinstance(new, list) else [new] * len(cells)
    shown = [el("td", cell, class_="n new" if mark else "n") for cell, mark in zip(cells, marks, strict=True)]
    return el("tr", el("th", label, scope="row"), shown, **attributes)


TABLE = BidsTable
