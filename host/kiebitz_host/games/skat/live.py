"""Draw a list of Skat: the last games with their values and the running totals, the newest one marked."""

from kiebitz.text import text

from ...html import Child, Node, el, plain_name
from ...terminal import short_names
from ..live import LiveTable, TableSnapshot, svg, words_at
from . import in_words

WIDTH = 980
ROW = 46
LABEL_W = 430
VALUE_X = LABEL_W - 16  # where the values end
ROWS = 12
NAME_CELLS = {3: 9, 4: 7}  # players -> letters of a name
LABEL_MOST = 22  # letters at the usual size; a longer label is smaller


class SkatTable(LiveTable):
    """A list of Skat."""

    def facts(self, game, p):
        return [(text("row.skat.won"), game.won[p]), (text("row.skat.lost"), game.lost[p])]

    def badges(self, game, p):
        if game.over or p != game.dealer:
            return []
        return [text("web.live.deals" if game.sits_out is None else "web.live.skat.sits")]

    def picture(self, snapshot: TableSnapshot) -> Child:
        game = snapshot.game
        column = (WIDTH - LABEL_W) / game.n
        parts: list[Child] = []
        for p, label in enumerate(short_names(game.names, NAME_CELLS[game.n])):
            x = LABEL_W + (p + 0.5) * column
            parts.append(words_at(x, 34, plain_name(label), 26, class_=f"board-name seat-{p}"))
        running = [0] * game.n
        first = max(0, game.games - ROWS)
        for k in range(game.games):
            row = game.row(k)
            if row.p is not None:
                running[row.p] += row.points
            if k >= first:
                new = snapshot.before is not None and k == game.games - 1 >= snapshot.before.games
                parts.append(_row((k - first + 1) * ROW + 4, k, row, running, column, new))
        return svg(WIDTH, (ROWS + 1) * ROW + 12, text("web.live.skat"), parts)


def _row(y: int, k: int, row, running: list[int], column: float, new: bool) -> Node:
    """Return a game of the list; `new`: it has just been entered."""
    played = None
    if row.p is not None:
        x = LABEL_W + row.p * column
        played = el(
            "g",
            el("rect", x=f"{x + 4:.1f}", y=y + 3, width=f"{column - 8:.1f}", height=ROW - 10, rx=6, class_="trick")
            if new
            else None,
            words_at(x + column / 2, y + 32, running[row.p], 28, class_="piece-words" if new else "felt-words"),
            class_=f"seat-{row.p}" if new else None,
        )
    value = f"{row.points:+}" if row.points else "–"
    label = f"{k + 1}  {in_words(row)}"
    size = 23 * LABEL_MOST // max(LABEL_MOST, len(label))
    return el(
        "g",
        el("rect", x=0, y=y, width=WIDTH, height=ROW - 4, rx=6, class_="felt"),
        words_at(14, y + 31, label, size, text_anchor="start", class_="felt-words"),
        words_at(VALUE_X, y + 31, value, 25, text_anchor="end", class_="felt-words"),
        played,
    )


TABLE = SkatTable
