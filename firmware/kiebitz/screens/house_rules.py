"""Show the house rules of a game at the table, and let players choose them before the game begins."""

from ..games import questions_of
from ..raster import icons
from ..text import game_name, later, rule_text, text, value_text
from ..widgets.keys import LEFT, OK, RIGHT
from ..widgets.screen import ARROWS, LINE, SIDES, Menu, fitted, footer, header, text_right, wrap
from .table_screen import Stepper


class HouseRules(Menu):
    """A screen for each house rule that makes a difference, with its value; `changes` makes it editable."""

    def __init__(self, app, cls, setup, options, changes=False):
        self.cls = cls
        self.setup = setup
        self.options = options
        self.changes = changes
        self.names = cls.options_offered(setup, options)
        super().__init__(app, later("menu.rules"), self.names)

    def labels(self):
        return [later("opt." + name) for name in self.names]

    def draw(self, c):
        header(c, text("menu.rules"), game_name(self.cls.KIND, self.cls.title))
        y = LINE + 2
        page = "%d/%d" % (self.at + 1, len(self.items))
        text_right(c, page, c.w - 2, y)
        c.text(fitted(c, self.labels()[self.at], c.w - c.width(page) - 6), 2, y)
        c.invert(0, y - 1, c.w, LINE + 1)
        if self.at < len(self.names):
            self._draw_value(c, self.names[self.at], y + LINE + 2)
        if self.changes:
            footer(c, (ARROWS, "key.line"), (SIDES + icons.OK, "key.change"), (icons.UNDO, "key.back"))
        else:
            footer(c, (ARROWS, "key.line"), ("\u2190" + icons.UNDO, "key.back"))

    def _draw_value(self, c, name, y):
        """Draw the value of a rule, and what it means."""
        value = self.options[name]
        usual = self.cls.default(name, len(self.setup["players"]))
        mark = "\u25cb " if value == usual else "\u25cf "
        c.text(mark + value_text(value, self.cls.KIND, name), 2, y)
        y += LINE + 3
        for line in wrap(c, rule_text(name, value, self.cls.KIND), c.w):
            c.text(line, 0, y)
            y += LINE

    def key(self, k):
        if k in (LEFT, RIGHT, OK) and self.changes:
            self._change(-1 if k == LEFT else 1)
        elif k not in (OK, RIGHT):
            super().key(k)

    def _change(self, step):
        """Set the rule to its next value or the one before, or ask for a number."""
        name = self.names[self.at]
        values = self.cls.OPTIONS[name]
        if len(values) > 1:
            at = values.index(self.options[name])
            self._set(name, values[(at + step) % len(values)])
        else:
            self.ask_number(name)

    def ask_number(self, name):
        """Ask for the value of a rule that is a number."""
        low, high = self.cls.option_range(name, len(self.setup["players"]))
        ask = getattr(questions_of(self.cls.KIND), "ASK_NUMBER", Stepper)

        def enter(value):
            self.app.pop()
            self._set(name, value)

        self.app.push(ask(self.app, later("opt." + name), self.options[name], low, high, enter))

    def _set(self, name, value):
        """Set the value of a rule, on which it may depend whether others make a difference."""
        self.options[name] = value
        self.names = self.items = self.cls.options_offered(self.setup, self.options)
        self.at = self.names.index(name)
