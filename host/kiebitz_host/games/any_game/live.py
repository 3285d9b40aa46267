"""Draw any other game: the sheet of its rounds as on paper, and everybody's distance to the target."""

from kiebitz.text import text

from ...html import Child, Node, el, name
from ..base import names_of
from ..live import LiveTable, TableSnapshot, initials, svg, words_at

ROUNDS_MAX = 7  # latest rounds that are shown one by one
CHARS_MIN, CHARS_MAX = 2, 7  # of the numbers in a sheet: its columns are as wide as the longest number
LABEL, WIDTH, HEIGHT = 90, 900, 480  # of the bars of a game without rounds
BAR_MIN, BAR_MAX = 70, 130
TARGET = 50  # height of the band with the target


class AnyGameTable(LiveTable):
    """The table of any other game."""

    def facts(self, game, p):
        if game.options["end"] != "target" or game.over:
            return []
        to_go = text("web.live.to_go", n=max(0, game.to_target()[p]))
        return [(text("web.live.target", n=game.options["limit"]), to_go)]

    def badges(self, game, p):
        if game.over:
            return []
        words = [text("web.live.team", k=game.teams[p] + 1)] if game.teams else []
        if p in game.gone:
            words.append(text("any.away"))
        if p == game.sitting_out:
            words.append(text("any.sits_out"))
        return [*words, text("web.live.deals")] if game.shows_deal and p == game.dealer else words

    def acting(self, game):
        return game.missing() if game.begun else []

    def open(self, game):
        words = [text("web.live.low")] if game.low_wins else []
        if game.options["end"] == "rounds":
            words.append(text("web.live.rounds", n=game.rounds_over(), of=game.options["limit"]) + ".")
        elif game.options["end"] == "target":
            words.append(text("web.live.target", n=game.options["limit"]) + ".")
        if game.begun:
            words.append(text("web.live.missing", names=names_of(game, game.missing())))
        if game.ender is not None:
            words.append(text("sheet.any.ended", name=names_of(game, [game.ender])))
        if game.factor > 1:
            words.append(text("sheet.any.factor", k=game.factor, n=len(game.factors)))
        return " ".join(words)

    def picture(self, snapshot: TableSnapshot) -> Child:
        return _sheet(snapshot) if snapshot.game.by_rounds else _bars(snapshot)


def _sheet(snapshot: TableSnapshot) -> Node:
    """Return the table of rounds: the earlier ones as one row, then the latest, the running one, and the totals."""
    game, before = snapshot.game, snapshot.before
    rounds = game.rounds
    hidden = max(0, len(rounds) - ROUNDS_MAX)
    old_rounds, old_now = (before.rounds, before.now) if before is not None else (rounds, game.now)
    rows: list[Child] = []
    shown = [*rounds[hidden:], game.now, game.totals()]
    if hidden:
        sums = [sum(points[p] or 0 for points in rounds[:hidden]) for p in range(game.n)]
        shown.append(sums)
        rounds_before = "1" if hidden == 1 else f"1–{hidden}"
        rows.append(_row(text("web.live.round", n=rounds_before), sums, sums, class_="soft"))
    for k in range(hidden, len(rounds)):
        rows.append(_row(text("web.live.round", n=k + 1), rounds[k], old_rounds[k] if k < len(old_rounds) else None))
    if game.begun or not (game.over or game.exchanges):
        rows.append(_row(text("web.live.round", n=len(rounds) + 1), game.now,
                         old_now if len(old_rounds) == len(rounds) else [None] * game.n, class_="running"))  # fmt: skip
    heads = [el("th", el("span", letters, class_="disc", aria_hidden="true"), el("span", name(one), class_="hidden"),
                scope="col", class_=f"n seat-{p}")
             for p, (one, letters) in enumerate(zip(game.names, initials(game.names), strict=True))]  # fmt: skip
    return el(
        "table",
        el("caption", text("web.live.sheet"), class_="hidden"),
        el("thead", el("tr", el("td"), heads)),
        el("tbody", rows),
        el("tfoot", _row(text("sheet.total"), game.totals(), game.totals())),
        class_=f"live-sheet seats-{game.n} rows-{len(rows) + 2} chars-{_longest(shown)}",
    )


def _longest(rows: list[list[int | None]]) -> int:
    """Return the length of the longest number, clamped to the widths in the style sheet."""
    return min(CHARS_MAX, max([CHARS_MIN, *[len(str(k)) for points in rows for k in points if k is not None]]))


def _row(label: str, points: list, before: list | None, **attributes) -> Node:
    """Return a row, with the differences from `before` marked."""
    cells = [
        el("td", "·" if k is None else k, class_="n" + (" new" if before is None or before[p : p + 1] != [k] else ""))
        for p, k in enumerate(points)
    ]
    return el("tr", el("th", label, scope="row"), cells, **attributes)


def _bars(snapshot: TableSnapshot) -> Node:
    """Return a bar chart of the totals, with the target as a line."""
    game, before = snapshot.game, snapshot.before
    totals = game.totals()
    target = game.options["limit"] if game.options["end"] == "target" else None
    low = min([0, *totals, *([target] if target is not None else [])])
    high = max([1, *totals, *([target] if target is not None else [])])
    room = WIDTH - LABEL - 130
    bar = min(BAR_MAX, max(BAR_MIN, HEIGHT // game.n))
    size = bar // 2  # of the letters

    def at(points: int) -> float:
        return LABEL + room * (points - low) / (high - low)

    parts: list[Child] = []
    top = 0
    if target is not None:
        top, x = TARGET, f"{at(target):.1f}"
        parts.append(words_at(at(target), TARGET - 16, target, 32, class_="soft"))
        parts.append(el("line", x1=x, x2=x, y1=TARGET, y2=TARGET + bar * game.n, class_="rule strong"))
    for p, total in enumerate(totals):
        y = top + p * bar
        words_y = y + bar / 2 + size * 0.36
        new = before is not None and before.totals()[p : p + 1] != [total]
        left, right = sorted((at(0), at(total)))
        parts.append(
            el(
                "g",
                el("rect", x=f"{left:.1f}", y=y + 10, width=f"{max(2.0, right - left):.1f}", height=bar - 20, rx=6,
                   class_="bar"),
                words_at(LABEL - 20, words_y, initials(game.names)[p], size, text_anchor="end", class_="seat-words"),
                words_at(right + 14, words_y, total, size, text_anchor="start", class_="board-name"),
                class_=f"seat-{p}" + (" new" if new else ""),
            )
        )  # fmt: skip
    return svg(WIDTH, top + bar * game.n, text("web.live.sheet"), parts)


TABLE = AnyGameTable
