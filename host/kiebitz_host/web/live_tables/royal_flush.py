"""Draws Royal Flush: the nine boards with their slots and the pieces on them, the chips and the pot."""

from kiebitz.games.royal_flush.boards import BOARDS
from kiebitz.text import text

from ...games.base import remark
from ...printable import printable
from ..html import Child, Node, el
from ..moments import Moment
from .base import LiveTable, chip_pile, disc, dots, initials, svg, words_at

ACROSS = 3  # boards in a row
WIDTH, HEIGHT, GAP = 290, 160, 15  # of a board
POT = 84  # height of the band with the pot
RADIUS = 33  # of a slot


class RoyalFlushTable(LiveTable):
    """The table of Royal Flush."""

    def facts(self, game, p):
        facts: list[tuple[str, Child]] = [
            (text("sheet.chips"), [game.chips[p], " ", dots(game.chips[p])]),
            (text("sheet.pieces"), game.pieces[p]),
        ]
        return facts + ([(text("sheet.jokers"), game.jokers[p])] if any(game.child) else [])

    def badges(self, game, p):
        return [text("web.live.starts")] if p == game.first and game.phase == "PLAY" else []

    def acting(self, game):
        return [game.turn] if game.follows and game.phase == "PLAY" else []

    def open(self, game):
        if game.phase == "BETWEEN":
            return text("sheet.royal.boards", n=game.round)
        if game.follows:
            return remark("E_TURN", {"p": game.turn}, game)
        return text("sheet.royal.started", name=printable(game.names[game.first]))

    def picture(self, moment: Moment) -> Child:
        game, before = moment.game, moment.before
        same = before is not None and before.boards == game.boards
        boards = [
            _board(game, k, before.slots[k] if same else game.slots[k], (k % ACROSS) * (WIDTH + GAP),
                   k // ACROSS * (HEIGHT + GAP))
            for k in range(len(game.boards))
        ]  # fmt: skip
        rows = -(-len(boards) // ACROSS)
        top = rows * (HEIGHT + GAP)
        width = ACROSS * WIDTH + (ACROSS - 1) * GAP
        pot = _pot(game, width, top)
        return svg(width, top + POT if pot else top - GAP, text("web.live.boards"), boards, pot)


def _board(game, k: int, before: list, left: int, top: int) -> Node:
    """Return a board with its slots; the next slot to be taken is framed."""
    board, slots = game.boards[k], game.slots[k]
    values = BOARDS[board][0]
    letters = initials(game.names)
    following = slots.index(None) if None in slots else -1
    parts = []
    for i, (value, p) in enumerate(zip(values, slots, strict=True)):
        x = left + WIDTH * (2 * i + 1) / (2 * len(values))
        y = top + 88
        if p is None:
            kind = "slot next" if i == following else "slot"
            parts.append(el("circle", cx=x, cy=y, r=RADIUS, class_=kind))
            parts.append(words_at(x, y + 11, value, 30, class_="slot-value"))
        else:
            parts.append(disc(x, y, RADIUS, letters[p], p, before[i] != p))
            parts.append(words_at(x, y + 57, value, 22, class_="taken-value"))
        if p is None and before[i] is not None:
            parts.append(el("circle", cx=x, cy=y, r=RADIUS + 6, class_="gone"))
    frame = el("rect", x=left + 1, y=top + 1, width=WIDTH - 2, height=HEIGHT - 2, rx=14,
               class_="board" if following >= 0 else "board full")  # fmt: skip
    title = words_at(left + WIDTH / 2, top + 36, text(f"board.{board}"), 26, class_="board-name")
    return el("g", frame, title, parts)


def _pot(game, width: int, top: int) -> Child:
    """Return the chips that were spent, and what each would get; nothing when the game is over."""
    if game.over:
        return None
    pot = game.spent + game.carry
    share = game.sharing()[0] if game.shares_out else 0
    return el(
        "g",
        words_at(20, top + 52, f"{text('web.live.pot')}: {pot}", 32, text_anchor="start", class_="board-name"),
        chip_pile(width * 0.36, top + 42, pot, 12, 12) if pot else None,
        words_at(width - 10, top + 50, text("web.live.pot_each", n=share), 22, text_anchor="end", class_="soft")
        if pot and game.shares_out else None,
    )  # fmt: skip


TABLE = RoyalFlushTable
