"""The house rules of a game: shown at the table, and chosen before it begins."""

from . import icons
from .keys import LEFT, OK, RIGHT
from .screen import ARROWS, LINE, Menu, draw_list, footer, header, wrap
from .table_screen import Stepper
from .texts import text

_ROWS = 2
_HELP_LINES = 3  # below the list: what a rule does


def value_text(value):
    return str(value) if isinstance(value, int) else text("val." + value)


class HouseRules(Menu):
    """A list of rules with their values; with `on_change` they can be changed."""

    def __init__(self, app, cls, options, players, on_change=None):
        self.cls = cls
        self.options = options
        self.players = players
        self.on_change = on_change
        self.names = sorted(cls.OPTIONS, key=lambda name: (name != "turns", name))
        super().__init__(app, text("rules.title"), [])
        self._build()

    def _build(self):
        self.items = []
        for name in self.names:
            mark = "" if self.options[name] == self.cls.OPTIONS[name][0] else "\u25cf "
            self.items.append((mark + text("opt." + name) + ": " + value_text(self.options[name]), None))

    def draw(self, c):
        header(c, self.title, text("game." + self.cls.KIND))
        draw_list(c, [label for label, _ in self.items], self.at, LINE + 2, LINE + 2 + _ROWS * 9)
        y = c.h - (_HELP_LINES + 1) * LINE
        for line in wrap(c, text("opt." + self.names[self.at] + ".help"), c.w):
            c.text(line, 0, y)
            y += LINE
        if self.on_change:
            footer(c, (ARROWS, ""), (icons.OK, "key.change"), (icons.UNDO, "key.back"))
        else:
            footer(c, (ARROWS, ""), (icons.UNDO, "key.back"))

    def key(self, k):
        if k in (LEFT, RIGHT, OK) and self.on_change:
            self._change(-1 if k == LEFT else 1)
        elif k not in (OK, RIGHT):
            super().key(k)

    def _change(self, step):
        name = self.names[self.at]
        values = self.cls.OPTIONS[name]
        if len(values) > 1:
            at = values.index(self.options[name])
            self._set(name, values[(at + step) % len(values)])
        else:
            low = 8 * self.players

            def enter(value):
                self._set(name, value)
                self.app.pop()

            self.app.push(Stepper(self.app, text("opt." + name), self.options[name], low, 9999, enter))

    def _set(self, name, value):
        self.options[name] = value
        self.on_change(self.options)
        self._build()


def show_house_rules(app, game):
    app.push(HouseRules(app, game, game.options, game.n))
