"""Ask what a game of Royal Flush needs before it begins: which boards, and who is a child."""

from ...text import later
from ...widgets.screen import Menu
from .board_choice import PickBoards
from .rules import jokers_each


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
        setup["boards"] = boards
        app.pop()

    app.push(PickBoards(app, () if setup["boards"] == "starter" else setup["boards"], done))


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
