"""A new game: which one, who plays, and the few choices of each game behind sensible defaults."""

from ..games import GAMES, Refused, game_class
from ..games.royal_flush.board_choice import PickBoards
from ..machine_code import const
from ..raster import icons
from ..session import doubt
from ..text import later, refusal, text
from ..widgets.keys import LEFT, OK, RIGHT
from ..widgets.screen import ARROWS, Menu, about, footer
from .house_rules import HouseRules
from .players import PickPlayers
from .start import open_table

_MATCH_GAMES_MAX = const(30)


def choose_game(app):
    def chosen(kind):
        low, high = game_class(kind).PLAYERS
        app.push(PickPlayers(app, low, high, lambda names: app.push(Ready(app, kind, names))))

    items = [(later("game." + kind), lambda kind=kind: chosen(kind)) for kind in GAMES]
    app.push(Menu(app, later("new.which"), items))


class Ready(Menu):
    """Everything set: OK on the first line begins; the lines below change what the game starts with."""

    footer_follows = True

    def __init__(self, app, kind, names):
        self.cls = game_class(kind)
        self.names = names
        n = len(names)
        self.setup = {"game": kind, "players": names, "dealer": n - 1}
        self.options = {name: self.cls.OPTIONS[name][0] for name in self.cls.OPTIONS}
        if kind == "royal_flush":
            self.setup["child"] = [0] * n
            self.setup["boards"] = "starter"
        elif kind == "poker_carre":
            self.setup["mode"] = "score"
        elif kind == "top_spot":
            self.setup["level"] = "junior"
            self.setup["mode"] = "tally"
            self.setup["match_length"] = n
        super().__init__(app, later("game." + kind), [])
        self._build()

    def _build(self):
        setup, n = self.setup, len(self.names)
        self.right = icons.PEOPLE + str(n)
        self.items = [
            (later("new.start"), self._start),
            (about("new.dealer", self.names[setup["dealer"]]), lambda: self._cycle("dealer", range(n))),
        ]
        if "child" in setup:
            starter = setup["boards"] == "starter"
            self.items.append((later("new.boards.starter" if starter else "new.boards.own"), self._boards))
            children = sum(setup["child"])
            label = later("new.children", n=children) if children else later("new.children.none")
            self.items.append((label, self._children))
        for key, values in (("level", ("junior", "expert")), ("mode", self._modes())):
            if key in setup:
                self.items.append((self._value(key), lambda key=key, values=values: self._cycle(key, values)))
        if "match_length" in setup:
            lengths = [n * i for i in range(1, _MATCH_GAMES_MAX // n + 1)]
            label = later("new.length", n=setup["match_length"])
            self.items.append((label, lambda: self._cycle("match_length", lengths)))
        changed = len([name for name in self.options if self.options[name] != self.cls.OPTIONS[name][0]])
        label = later("new.rules.own", n=changed) if changed else later("new.rules")
        self.items.append((label, self._house_rules))

    def _value(self, key):
        """A line that tells what this is set to."""
        return lambda: text("new." + key, value=text(key + "." + self.setup[key]))

    def _modes(self):
        return ("score", "grid") if self.cls.KIND == "poker_carre" else ("tally", "assisted")

    def resume(self):
        self._build()

    def draw_footer(self, c):
        footer(c, (ARROWS, ""), (icons.OK, "key.change" if self.at else "new.key.begin"), (icons.UNDO, "key.back"))

    def key(self, k):
        self.step = -1 if k == LEFT else 1
        if k in (LEFT, RIGHT, OK) and (self.at or k == OK):
            self.choose()
        elif k not in (LEFT, RIGHT):
            return super().key(k)
        return None

    def _cycle(self, key, values):
        values = list(values)
        self.setup[key] = values[(values.index(self.setup[key]) + self.step) % len(values)]
        self._build()

    def _boards(self):
        def done(boards):
            self.setup["boards"] = boards
            self.app.pop()

        boards = self.setup["boards"]
        self.app.push(PickBoards(self.app, () if boards == "starter" else boards, done))

    def _children(self):
        self.app.push(_Children(self.app, self.names, self.setup["child"]))

    def _house_rules(self):
        self.app.push(HouseRules(self.app, self.cls, self.options, len(self.names), lambda options: None))

    def _start(self, confirm=False):
        app = self.app
        setup = dict(self.setup)
        setup["options"] = {
            name: self.options[name] for name in self.options if self.options[name] != self.cls.OPTIONS[name][0]
        }
        if confirm:
            setup["confirm"] = True
        try:
            app.games.create(setup)
            app.roster.played(self.names)
        except Refused as refused:
            if refused.code[:2] == "W_":
                doubt(app, refused, self.names, lambda: self._start(True))
            else:
                app.refuse(refusal(refused, self.names))
        except OSError as trouble:
            app.flash_trouble(trouble)
        else:
            open_table(app)


class _Children(Menu):
    """Which players are children and get jokers."""

    def __init__(self, app, names, child):
        self.names = names
        self.child = child
        super().__init__(app, later("new.children.who"), [])
        self._build()

    def _build(self):
        self.items = [(later("new.children.done"), self.app.pop)]
        for p, name in enumerate(self.names):
            tick = "\u2611 " if self.child[p] else "\u2610 "
            self.items.append((tick + name, lambda p=p: self._toggle(p)))

    def _toggle(self, p):
        self.child[p] = 1 - self.child[p]
        self._build()
