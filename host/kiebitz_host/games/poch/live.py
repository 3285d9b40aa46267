"""Draw Poch: the round board with the chips in its pools, dealer, trump, bids and the bank."""

from math import cos, pi, sin

from kiebitz.games.base import RED_SUITS as RED
from kiebitz.games.poch.rules_bidding import POOLS
from kiebitz.text import rank_text, text

from ...html import Child, Node, el
from ..base import names_of
from ..live import LiveTable, TableSnapshot, chip_pile, initials, svg, words_at
from . import notes_on

WIDTH, HEIGHT = 720, 640
CENTRE = (320, 320)
BOARD, RING, POOL, MIDDLE = 312, 218, 78, 106  # radii: of the board, of the ring of pools, of a pool, of the inner one

NAME = 23  # font size of a pool's name; a long one is smaller


class PochTable(LiveTable):
    """The table of Poch."""

    def facts(self, game, p):
        facts: list[tuple[str, Child]] = []
        if game.trump is not None and game.hands[p]:
            facts.append((text("sheet.cards"), game.hands[p]))
        if game.phase in ("BID", "SHOW"):
            facts.append((text("sheet.stake"), game.stake[p]))
        return facts

    def badges(self, game, p):
        return notes_on(game, p)

    def acting(self, game):
        return [game.turn] if game.phase == "BID" and game.turn is not None else []

    def open(self, game):
        phase = text(f"phase.{game.phase}")
        if game.phase == "BID" and game.turn is not None:
            return f"{phase}: {names_of(game, [game.turn])}"
        return f"{phase}. {text(f'sheet.poch.{game.direction}')}" if game.direction else phase

    def picture(self, snapshot: TableSnapshot) -> Child:
        game, before = snapshot.game, snapshot.before
        x, y = CENTRE
        parts: list[Child] = [
            el("circle", cx=x, cy=y, r=BOARD, class_="wood"),
            el("circle", cx=x, cy=y, r=BOARD - 10, class_="wood-edge"),
        ]
        for k in range(len(POOLS)):
            angle = 2 * pi * k / len(POOLS) - pi / 2
            parts.append(_pool(game, before, k, x + RING * cos(angle), y + RING * sin(angle)))
        corners = _trump(game), _legend(game, before)
        return svg(WIDTH, HEIGHT, text("web.live.pools"), parts, _bank(game, before), corners)


def _pool(game, before, k: int, x: float, y: float, radius: float = POOL) -> Node:
    """Return a pool with its chips, and the name of the player who has cashed it."""
    chips = game.pools[k]
    new = before is not None and before.pools[k] != chips
    cashed = game.cashed[k]
    label = _pool_name(game, k)
    kind = "pool" + (" new" if new else "") + (" gone" if new and before.pools[k] > chips else "")
    return el(
        "g",
        el("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=radius),
        words_at(x, y - radius * 0.42, label, 32 if len(POOLS[k]) == 1 else min(NAME, 168 // len(label)),
                 class_="pool-name red" if (game.trump or "-") in RED and len(POOLS[k]) == 1 else "pool-name"),
        chip_pile(x, y + radius * 0.2, chips, 9.5, 6) if chips else None,
        words_at(x, y + radius * 0.74, chips, 32, class_="pool-chips"),
        _taken(game, cashed, x, y - radius * 0.02) if cashed is not None else None,
        class_=kind,
    )  # fmt: skip


def _pool_name(game, k: int) -> str:
    """Return the name of a pool; for a single card, its letter and the trump suit."""
    pool = POOLS[k]
    if len(pool) > 1:
        return text(f"pool.{pool}")
    return rank_text(pool) + (text(f"suit.{game.trump}") if game.trump else "")


def _taken(game, p: int, x: float, y: float) -> Node:
    """Return the token of the player who has cashed a pool."""
    return el(
        "g",
        el("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=22, class_="piece"),
        words_at(x, y + 8, initials(game.names)[p], 22, class_="piece-words"),
        class_=f"taken seat-{p}",
    )


def _trump(game) -> Child:
    """Return the trump suit in a corner, as large as a card."""
    if game.trump is None:
        return None
    kind = "suit red" if game.trump in RED else "suit"
    return el(
        "g",
        el("rect", x=WIDTH - 112, y=14, width=100, height=134, rx=12, class_="paper"),
        words_at(WIDTH - 62, 40, text("web.live.trump"), 19, class_="paper-words"),
        words_at(WIDTH - 62, 122, text(f"suit.{game.trump}"), 80, class_=kind),
    )


def _bank(game, before) -> Node:
    """Return the bank in the middle, which holds the stakes of the bidding and the payments of the play-out."""
    x, y = CENTRE
    new = before is not None and before.bank != game.bank
    gone = new and before.bank > game.bank
    return el(
        "g",
        el("circle", cx=x, cy=y, r=MIDDLE),
        words_at(x, y - MIDDLE * 0.44, text("sheet.bank"), 24, class_="pool-name"),
        chip_pile(x, y + MIDDLE * 0.2, game.bank, 10.5, 6) if game.bank else None,
        words_at(x, y + MIDDLE * 0.74, game.bank, 34, class_="pool-chips"),
        class_="pool" + (" new" if new else "") + (" gone" if gone else ""),
    )


def _legend(game, before) -> Child:
    """Return what a dashed ring means, if there is one: chips that the last entry took out of a pool or the bank."""
    if before is None or not any(
        old > new for old, new in zip([*before.pools, before.bank], [*game.pools, game.bank], strict=True)
    ):
        return None
    return el(
        "g",
        el("g", el("circle", cx=WIDTH - 16, cy=HEIGHT - 20, r=12), class_="pool gone"),
        words_at(WIDTH - 38, HEIGHT - 12, text("web.live.ring.taken"), 23, text_anchor="end", class_="soft"),
    )


TABLE = PochTable
