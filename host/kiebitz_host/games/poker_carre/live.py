"""Draw PokerCarre: the square of coloured cards, or the pad with everybody's crosses."""

from kiebitz.games.poker_carre.rules_grid import RUBRIC_POINTS, SIDE
from kiebitz.text import text

from ...html import Child, Node, el, plain_name
from ..base import remark
from ..live import LiveTable, TableSnapshot, initials, svg, words_at

CELL, GAP = 92, 8  # of the square
ROW, LABEL, COLUMN = 88, 130, 170  # of the pad
CROSSES_MAX = 4  # more are written as a number
CROSS = 13  # half the width of a cross


class PokerCarreTable(LiveTable):
    """The table of PokerCarre."""

    def facts(self, game, p):
        facts: list[tuple[str, Child]] = [(text("sheet.cards"), game.held[p])] if game.counts_cards else []
        if game.laid_out:
            crosses = " ".join([f"{count}×{points}" for count, points in zip(game.counts[p], RUBRIC_POINTS, strict=True)
                                if count])  # fmt: skip
            facts.append((text("mode.score"), crosses or "·"))
        return facts

    def acting(self, game):
        return [game.turn] if game.follows and game.phase == "PLAY" else []

    def open(self, game):
        return remark("E_TURN", {"p": game.turn}, game) if game.follows else ""

    def picture(self, snapshot: TableSnapshot) -> Child:
        return _square(snapshot) if snapshot.game.laid_out else _pad(snapshot)


def _square(snapshot: TableSnapshot) -> Node:
    """Return the square, seven by seven cells so that it does not jump when it grows, or as many as the cards need."""
    game, before = snapshot.game, snapshot.before
    x0, y0, x1, y1 = game.box()
    columns, rows = max(SIDE, x1 - x0 + 1), max(SIDE, y1 - y0 + 1)
    left, top = x0 - (columns - 1 - x1 + x0) // 2, y0 - (rows - 1 - y1 + y0) // 2
    cells = []
    for y in range(top, top + rows):
        for x in range(left, left + columns):
            card = game.card_at(x, y)
            old = before.card_at(x, y) if before is not None and before.laid_out else card
            cells.append(_cell(card, old, (x - left) * (CELL + GAP), (y - top) * (CELL + GAP)))
    return svg(columns * (CELL + GAP) - GAP, rows * (CELL + GAP) - GAP, text("web.live.square"), cells)


def _cell(card: str | None, old: str | None, x: int, y: int) -> Node:
    """Return one cell: a card in its colour, with the letter of the colour and its value."""
    if card is None:
        kind = "cell gone" if old else "cell"
        return el("rect", x=x + 2, y=y + 2, width=CELL - 4, height=CELL - 4, rx=10, class_=kind)
    return el(
        "g",
        el("rect", x=x + 1, y=y + 1, width=CELL - 2, height=CELL - 2, rx=10),
        words_at(x + CELL / 2, y + CELL * 0.68, card[1], 50, font_weight=700),
        words_at(x + 18, y + 26, card[0], 22),
        class_=f"card card-{card[0]}" + (" new" if card != old else ""),
    )


def _pad(snapshot: TableSnapshot) -> Node:
    """Return the pad: a row for each rubric, a column for each player, crosses as on paper."""
    game, before = snapshot.game, snapshot.before
    width, height = LABEL + COLUMN * game.n, ROW * (len(RUBRIC_POINTS) + 2)
    letters = initials(game.names)
    parts: list[Child] = []
    for p in range(game.n):
        x = LABEL + COLUMN * (p + 0.5)
        parts.append(words_at(x, 56, plain_name(letters[p]), 40, class_=f"seat-{p} seat-words"))
        for row in range(len(RUBRIC_POINTS)):
            count = game.counts[p][row]
            new = before is not None and before.counts[p][row] != count
            parts.append(_crosses(x, ROW * (row + 1.5), count, p, new))
        parts.append(words_at(x, height - 30, game.totals()[p], 44, class_="board-name"))
    for row, points in enumerate(RUBRIC_POINTS):
        y = ROW * (row + 1)
        parts.append(el("line", x1=0, x2=width, y1=y, y2=y, class_="rule"))
        parts.append(words_at(LABEL - 34, y + 58, points, 38, text_anchor="end", class_="soft"))
    parts.append(el("line", x1=0, x2=width, y1=height - ROW, y2=height - ROW, class_="rule strong"))
    return svg(width, height, text("web.live.pad"), parts)


def _crosses(x: float, y: float, count: int, p: int, new: bool) -> Child:
    """Return the crosses of one row of a player."""
    if not count:
        return words_at(x, y + 8, "·", 34, class_="soft" + (" gone-words" if new else ""))
    if count > CROSSES_MAX:
        content: Child = words_at(x, y + 14, f"{count} ×", 40, class_="seat-words")
    else:
        start = x - (count - 1) * CROSS * 1.4 - CROSS
        strokes = f"l{2 * CROSS} {2 * CROSS}m0 {-2 * CROSS}l{-2 * CROSS} {2 * CROSS}"
        lefts = [start + k * CROSS * 2.8 for k in range(count)]
        content = [el("path", d=f"M{left:.0f} {y - CROSS:.0f}{strokes}") for left in lefts]
    backing = el("rect", x=x - COLUMN / 2 + 6, y=y - ROW / 2 + 6, width=COLUMN - 12, height=ROW - 12, rx=10,
                 class_="backing") if new else None  # fmt: skip
    return el("g", backing, el("g", content, class_="crosses"), class_=f"seat-{p}" + (" new" if new else ""))


TABLE = PokerCarreTable
