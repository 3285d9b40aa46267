"""Choosing the nine boards of Royal Flush: two of each category; the Royal Flush is always among them."""

from ...machine_code import const
from ...text import later, text
from ...widgets.screen import Menu, marked
from .boards import BOARD_IDS, BOARDS, STARTER

_FREE = BOARD_IDS[:-1]  # the last one is the Royal Flush
_WANTED = const(8)


class PickBoards(Menu):
    """A list of boards to tick; enter(ids) is called with the ids of the nine boards."""

    def __init__(self, app, boards, enter):
        self.enter = enter
        self.chosen = [board for board in _FREE if board in boards]
        super().__init__(app, later("royal.menu.boards"), [])
        self._build()

    def _build(self):
        """Make the lines of the list anew."""
        self.right = "%d/%d" % (len(self.chosen) + 1, _WANTED + 1)
        self.items = [(later("pick.done"), self._done), (later("pick.starter"), self._starter)]
        for board in _FREE:
            tick = "\u2611" if board in self.chosen else "\u2610"
            label = marked(tick + BOARDS[board][2], "board." + board)
            self.items.append((label, lambda board=board: self._toggle(board)))

    def _toggle(self, board):
        if board in self.chosen:
            self.chosen.remove(board)
        else:
            self.chosen.append(board)
        self._build()

    def _starter(self):
        """Tick the boards of the starter layout."""
        self.chosen = [board for board in STARTER if board in _FREE]
        self._build()
        self.at = 0

    def _done(self):
        if len(self.chosen) != _WANTED:
            self.app.refuse(text("pick.wrong", n=_WANTED))
            return
        self.enter([board for board in _FREE if board in self.chosen] + ["royal_flush"])
