"""Draw Top Spot: everybody around the table with the tricks of this game, and who plays first."""

from math import cos, pi, sin

from kiebitz.text import text

from ...html import Child, Node, el, plain_name
from ...terminal import short_names
from ..live import LiveTable, TableSnapshot, initials, svg, words_at
from . import dealt

WIDTH, HEIGHT = 980, 690
CENTRE = (490, 345)
TABLE_RADII = (330, 200)
SEAT_RADII = (335, 245)
PLATE = (300, 166)
CARD = (24, 38)  # size of a won trick
CARDS_MAX = 7  # per row; at most 13 cards
NAME_CELLS = 12
PILL = 40  # height of the label on the edge of a plate: deals, to act


class TopSpotTable(LiveTable):
    """The table of Top Spot."""

    def facts(self, game, p):
        facts: list[tuple[str, Child]] = [] if game.over else [(text("sheet.now"), game.points[p])]
        facts += [(text("row.spot", n=k), points[p]) for k, points in enumerate(game.history, 1)][-6:]
        if game.hand and not game.over:
            facts.append((text("sheet.cards"), game.hand[p]))
        return facts

    def badges(self, game, p):
        return [text("web.live.deals")] if p == game.dealer and not game.over else []

    def acting(self, game):
        if game.phase == "GAME_END":
            return []
        return list(game.tie) if game.tie else [game.leader] if game.hand or game.tricks else []

    def open(self, game):
        return dealt(game)

    def picture(self, snapshot: TableSnapshot) -> Child:
        game = snapshot.game
        x, y = CENTRE
        parts: list[Child] = [
            el("ellipse", cx=x, cy=y, rx=TABLE_RADII[0], ry=TABLE_RADII[1], class_="felt"),
            words_at(x, y - 6, text("sheet.spot.game", n=game.game_no, of=game.match_length), 34, class_="felt-words"),
        ]
        if game.mode == "tally" and not game.over:
            parts.append(words_at(x, y + 40, f"{text('web.live.tricks')}: {game.tricks}", 26, class_="felt-words"))
        for p in range(game.n):
            angle = 2 * pi * p / game.n + pi / 2
            words = [*self.badges(game, p), *([text("web.live.acts")] if p in self.acting(game) else [])]
            parts.append(_plate(snapshot, p, x + SEAT_RADII[0] * cos(angle), y + SEAT_RADII[1] * sin(angle), words))
        return svg(WIDTH, HEIGHT, text("web.live.spot"), parts)


def _plate(snapshot: TableSnapshot, p: int, x: float, y: float, words: list[str]) -> Node:
    """Return the plate of a player: initials, the points of this game as cards, the total, and `words` on the edge."""
    game, before = snapshot.game, snapshot.before
    width, height = PLATE
    points = game.history[-1][p] if game.over and game.history else game.points[p]
    new = before is not None and (before.points[p] != game.points[p] or before.total[p] != game.total[p])
    left, top = x - width / 2, y - height / 2
    cards = [
        el("rect", x=f"{left + 18 + k % CARDS_MAX * CARD[0]:.1f}", width=CARD[0] - 5, height=CARD[1], rx=4,
           y=f"{top + 70 + k // CARDS_MAX * (CARD[1] + 6):.1f}", class_="trick")
        for k in range(min(points, 2 * CARDS_MAX))
    ]  # fmt: skip
    label = short_names(game.names, NAME_CELLS)[p]
    return el(
        "g",
        el("rect", x=f"{left:.1f}", y=f"{top:.1f}", width=width, height=height, rx=14, class_="plate"),
        el("circle", cx=f"{left + 40:.1f}", cy=f"{top + 38:.1f}", r=23, class_="piece"),
        words_at(left + 40, top + 46, initials(game.names)[p], 23, class_="piece-words"),
        words_at(left + 74, top + 48, plain_name(label), 30, text_anchor="start", class_="board-name"),
        cards,
        words_at(left + width - 18, top + height - 26, game.totals()[p], 64, text_anchor="end", class_="board-name"),
        _pill(x, top if y > CENTRE[1] else top + height, " · ".join(words)) if words and not game.over else None,
        class_=f"seat-{p}" + (" new" if new else ""),
    )


def _pill(x: float, y: float, words: str) -> Node:
    """Return a label on the edge of a plate, on its side towards the table."""
    width = 24 + 13 * len(words)
    return el(
        "g",
        el("rect", x=f"{x - width / 2:.1f}", y=f"{y - PILL / 2:.1f}", width=width, height=PILL, rx=PILL // 2,
           class_="pill"),
        words_at(x, y + 8, words, 24, class_="pill-words"),
    )  # fmt: skip


TABLE = TopSpotTable
