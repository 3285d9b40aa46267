"""Draw Royal Flush: the nine boards with their slots and the pieces on them, the chips and the pot."""

from kiebitz.games.royal_flush.rules_boards import BOARDS
from kiebitz.text import text

from ...html import Child, Node, el
from ...printable import printable
from ..base import remark
from ..live import LiveTable, TableSnapshot, disc, dots, initials, ring, svg, words_at

WIDTH, HEIGHT = 290, 200  # of a board
RADIUS = 40  # of a slot


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

    def picture(self, snapshot: TableSnapshot) -> Child:
        game, before = snapshot.game, snapshot.before
        same = before is not None and before.boards == game.boards
        boards = [_board(game, k, before.slots[k] if same else game.slots[k]) for k in range(len(game.boards))]
        gone = same and any(
            new is None and old is not None
            for k in range(len(game.boards))
            for new, old in zip(game.slots[k], before.slots[k], strict=True)
        )
        return el("div", boards, el("div", _pot(game), _rings(gone), class_="live-below"), class_="live-boards",
                  role="group", aria_label=text("web.live.boards"))  # fmt: skip


def _board(game, k: int, before: list) -> Node:
    """Return a board with its slots, the next one framed. The label describes each slot."""
    board, slots = game.boards[k], game.slots[k]
    values = BOARDS[board][0]
    letters = initials(game.names)
    following = slots.index(None) if None in slots else -1
    parts = []
    for i, (value, p) in enumerate(zip(values, slots, strict=True)):
        x, y = WIDTH * (2 * i + 1) / (2 * len(values)), 108
        if p is None:
            kind = "slot next" if i == following else "slot"
            parts.append(el("circle", cx=x, cy=y, r=RADIUS, class_=kind))
            parts.append(words_at(x, y + 14, value, 40, class_="slot-value"))
        else:
            parts.append(disc(x, y, RADIUS, letters[p], p, before[i] != p))
            parts.append(words_at(x, y + 74, value, 28, class_="taken-value"))
        if p is None and before[i] is not None:
            parts.append(el("circle", cx=x, cy=y, r=RADIUS + 6, class_="gone"))
    frame = el("rect", x=1, y=1, width=WIDTH - 2, height=HEIGHT - 2, rx=14,
               class_="board" if following >= 0 else "board full")  # fmt: skip
    title = text(f"board.{board}")
    on_slots = [str(value) if p is None else f"{printable(game.names[p])} {value}"
                for value, p in zip(values, slots, strict=True)]  # fmt: skip
    return svg(WIDTH, HEIGHT, f"{title}: {', '.join(on_slots)}", frame,
               words_at(WIDTH / 2, 42, title, 27, class_="board-name"), parts)  # fmt: skip


def _pot(game) -> Child:
    """Return the spent chips and each player's share; nothing when the game is over."""
    if game.over:
        return None
    pot = game.spent + game.carry
    share = game.sharing()[0] if game.shares_out else 0
    return el(
        "p",
        el("strong", f"{text('web.live.pot')}: {pot}"),
        dots(pot) if pot else None,
        el("span", text("web.live.pot_each", n=share), class_="quiet") if pot and game.shares_out else None,
        class_="live-pot",
    )


def _rings(gone: bool) -> Node:
    """Return what the rings on the boards mean."""
    kinds = [("slot next", "next"), ("slot", "later"), *([("gone", "gone")] if gone else [])]
    return el("p", [ring(kind, text(f"web.live.ring.{key}")) for kind, key in kinds], class_="rings")


TABLE = RoyalFlushTable
