"""Ask which boards are played and who is a child, before a game of Royal Flush and between its rounds."""

from ...machine_code import const
from ...text import later, text
from ...widgets.screen import Menu
from .rules import jokers_each
from .rules_boards import BOARD_IDS, BOARDS, STARTER

_FREE = BOARD_IDS[:-1]  # the last one is the Royal Flush
_WANTED = const(8)


def defaults(setup):
    """Fill in what a set-up starts with."""
    setup["child"] = [0] * len(setup["players"])
    setup["boards"] = "starter"


def items(ready):
    """Return the lines of the menu, as (label, action)."""
    setup = ready.setup
    boards = "new.boards.starter" if setup["boards"] == "starter" else "new.boards.own"
    children = sum(setup["child"])
    each = jokers_each(children)
    label = later("new.children", n=children, jokers=each) if children else later("new.children.none")
    return [
        (later(boards), lambda: _choose_boards(ready.app, setup)),
        (label, lambda: ready.app.push(Children(ready.app, setup["players"], setup["child"]))),
    ]


def _choose_boards(app, setup):
    def done(boards):
        setup["boards"] = "starter" if sorted(boards) == sorted(STARTER) else boards
        app.pop()

    app.push(PickBoards(app, STARTER if setup["boards"] == "starter" else setup["boards"], done))


def _label(board, chosen):
    """Return a function that returns the line of a board with its tick and category."""
    tick = "\u2611" if chosen else "\u2610"
    # The colon keeps "A" from being read as an article; there is no room for a space
    return lambda: tick + BOARDS[board][2] + ":" + text("board." + board)


class Children(Menu):
    """A tick for each player who is a child, and so gets jokers."""

    def __init__(self, app, names, child):
        self.names = names
        self.child = child
        super().__init__(app, later("new.children.who"), [])
        self._build()

    def _build(self):
        each = jokers_each(sum(self.child))
        done = later("new.children.each", jokers=each) if each else later("new.children.done")
        self.items = [(done, self.app.pop)]
        for p, name in enumerate(self.names):
            tick = "\u2611 " if self.child[p] else "\u2610 "
            self.items.append((tick + name, lambda p=p: self._toggle(p)))

    def _toggle(self, p):
        self.child[p] = 1 - self.child[p]
        self._build()


class PickBoards(Menu):
    """A list of boards to tick; enter(ids) is called with the ids of the nine boards."""

    def __init__(self, app, boards, enter):
        self.enter = enter
        self.chosen = [board for board in _FREE if board in boards]
        super().__init__(app, later("royal.menu.boards"), [])
        self._build()

    def _build(self):
        """Rebuild the menu items."""
        self.right = "%d/%d" % (len(self.chosen) + 1, _WANTED + 1)
        self.items = [(later("pick.done"), self._done), (later("pick.starter"), self._starter)]
        for board in _FREE:
            self.items.append((_label(board, board in self.chosen), lambda board=board: self._toggle(board)))

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
