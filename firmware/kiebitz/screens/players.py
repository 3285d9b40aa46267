"""Let people choose who plays and in which order, and edit the list of names."""

from ..games import Refused
from ..raster import icons
from ..text import later, refusal, text
from ..widgets.keys import LEFT, RIGHT
from ..widgets.screen import ARROWS, Menu, footer, marked
from .letters import Letters


def new_name(app, on_name):
    """Ask for a name, store it in the roster and call on_name(name)."""

    def done(name):
        try:
            name = app.roster.add(name)
        except Refused as refused:
            app.refuse(refusal(refused, []))
        except OSError as trouble:
            app.flash_trouble(trouble)
        else:
            app.pop()
            on_name(name)

    app.push(Letters(app, later("players.name"), done))


class PickPlayers(Menu):
    """The choice of players: OK gives the next seat to a name or takes its seat away, RIGHT goes on."""

    def __init__(self, app, low, high, on_done, chosen=()):
        self.low = low
        self.high = high
        self.on_done = on_done
        self.chosen = list(chosen)
        super().__init__(app, later("players.who"), [])
        self._build()

    def _build(self):
        """Make the lines of the menu."""
        self.right = later("players.count", n=len(self.chosen), low=self.low, high=self.high)
        last = self.app.roster.last
        self.items = []
        if not self.chosen and self.low <= len(last) <= self.high:
            self.items.append((later("players.again", names=", ".join(last)), self._again))
        for name in self.app.roster.names:
            seat = "%d " % (self.chosen.index(name) + 1) if name in self.chosen else "\u2610 "
            self.items.append((seat + name, lambda name=name: self._toggle(name)))
        self.items.append((marked(icons.PLUS, "players.new"), self._new))

    def draw_footer(self, c):
        if len(self.chosen) < self.low:
            footer(c, (ARROWS, ""), (icons.OK, "players.key.seat"), (icons.UNDO, "key.back"))
        else:
            footer(c, (ARROWS, ""), (icons.OK, "players.key.seat"), ("\u2192", "players.key.done"))

    def key(self, k):
        if k == RIGHT:
            self._done()
        elif k != LEFT:
            return super().key(k)
        return None

    def _again(self):
        """Choose the players of the last game."""
        self.on_done(list(self.app.roster.last))

    def _toggle(self, name):
        """Give a seat to a name, or take its seat away."""
        if name in self.chosen:
            self.chosen.remove(name)
        elif len(self.chosen) == self.high:
            self.app.refuse(text("E_PLAYERS", low=self.low, high=self.high, n=self.high + 1))
            return
        else:
            self.chosen.append(name)
        before = len(self.items)
        self._build()
        self.at = max(0, self.at + len(self.items) - before)

    def _new(self):
        def named(name):
            if name not in self.chosen and len(self.chosen) < self.high:
                self.chosen.append(name)
            self._build()
            self.at = len(self.items) - 1

        new_name(self.app, named)

    def back(self):
        """Take away the seat that was given last; if there is none, leave the screen."""
        if self.chosen:
            self.chosen.pop()
            self._build()
        else:
            self.app.pop()

    def _done(self):
        """Hand the players to `on_done` if their number is allowed."""
        if self.low <= len(self.chosen) <= self.high:
            self.on_done(self.chosen)
        else:
            self.app.refuse(text("E_PLAYERS", low=self.low, high=self.high, n=len(self.chosen)))


class Players(Menu):
    """The list of names: new, rename, remove."""

    def __init__(self, app):
        super().__init__(app, later("start.players"), [])
        self.resume()

    def resume(self):
        names = self.app.roster.names
        self.right = str(len(names))
        self.items = [(marked(icons.PLUS, "players.new"), self._new)]
        self.items += [(name, lambda name=name: self._one(name)) for name in names]
        self.at = min(self.at, len(self.items) - 1)

    def _new(self):
        new_name(self.app, lambda name: self.resume())

    def _one(self, name):
        """Open the menu of one name."""
        app = self.app
        items = [
            (later("leave"), app.pop),
            (later("players.rename"), lambda: app.push(Letters(app, later("players.name"), renamed, name))),
            (later("players.remove"), lambda: self._change(app.roster.remove, name)),
        ]

        def renamed(new):
            if self._change(app.roster.rename, name, new):
                app.pop()

        app.push(Menu(app, name, items))

    def _change(self, action, *names):
        """Change the roster and leave the menu. Returns False, with a message, if that is not possible."""
        try:
            action(*names)
        except Refused as refused:
            self.app.refuse(refusal(refused, []))
        except OSError as trouble:
            self.app.flash_trouble(trouble)
        else:
            self.app.pop()
            return True
        return False
