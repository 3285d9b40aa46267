"""Draw Kniffel: the pads of all players side by side, the box that was written last marked."""

from kiebitz.games.five_dice.rules import BOXES, UPPER, UPPER_GOAL
from kiebitz.text import text

from ...html import Child, Node, el, plain_name
from ...terminal import short_names
from ..live import LiveTable, TableSnapshot, initials, svg, words_at

WIDTH = 980
ROW = 42
LABEL_W = 250
NAMES_MOST = 4  # more players are named by their initials, as on their cards
NAME_CELLS = 9
LABEL_MOST = 17  # letters at the usual size; a longer label is smaller


class DiceTable(LiveTable):
    """The pads of Kniffel."""

    def facts(self, game, p):
        left = UPPER_GOAL - game.upper(p)
        return [(text("web.live.dice.left"), left)] if left > 0 and not game.over else []

    def acting(self, game):
        return [game.turn] if not game.over and any(any(k is not None for k in sheet) for sheet in game.sheets) else []

    def picture(self, snapshot: TableSnapshot) -> Child:
        game = snapshot.game
        column = (WIDTH - LABEL_W) / game.n
        rows: list[tuple[str, list]] = []
        rows += [(text(f"box.{box}"), [sheet[at] for sheet in game.sheets]) for at, box in enumerate(BOXES)]
        rows.insert(len(UPPER), (text("row.dice.bonus"), [game.bonus(p) or None for p in range(game.n)]))
        extra = [game.extra(p) or None for p in range(game.n)]
        if any(extra):
            rows.append((text("row.dice.extra"), extra))
        before = snapshot.before
        parts: list[Child] = []
        names = initials(game.names) if game.n > NAMES_MOST else short_names(game.names, NAME_CELLS)
        for p, label in enumerate(names):
            x = LABEL_W + (p + 0.5) * column
            parts.append(words_at(x, 32, plain_name(label), 26, class_=f"board-name seat-{p}"))
        for k, (label, points) in enumerate(rows):
            y = (k + 1) * ROW + 6
            at = k if k < len(UPPER) else k - 1
            is_box = k != len(UPPER) and at < len(BOXES)
            parts.append(_row(y, label, not is_box))
            for p, value in enumerate(points):
                new = is_box and before is not None and before.sheets[p][at] != game.sheets[p][at]
                parts.append(_cell(LABEL_W + p * column, y, column, value, f"seat-{p}" if new else None))
        return svg(WIDTH, (len(rows) + 1) * ROW + 12, text("web.live.dice"), parts)


def _row(y: int, label: str, beside: bool) -> Node:
    """Return the line and the label of a row; beside: it is none of the boxes."""
    size = 24 * LABEL_MOST // max(LABEL_MOST, len(label))
    return el(
        "g",
        el("rect", x=0, y=y, width=WIDTH, height=ROW - 4, rx=6, class_="plate" if beside else "felt"),
        words_at(14, y + 28, label, size, text_anchor="start", class_="board-name" if beside else "felt-words"),
    )


def _cell(x: float, y: int, width: float, value: int | None, new: str | None) -> Child:
    """Return the points of a box, a dash if it was struck; new: the class of the seat that has just written it."""
    if value is None:
        return None
    left, inner = f"{x + 4:.1f}", f"{width - 8:.1f}"
    words = "piece-words" if new else "felt-words"
    return el(
        "g",
        el("rect", x=left, y=y + 2, width=inner, height=ROW - 8, rx=6, class_="trick") if new else None,
        words_at(x + width / 2, y + 29, str(value) if value else "–", 28, class_=words),
        class_=new,
    )


TABLE = DiceTable
