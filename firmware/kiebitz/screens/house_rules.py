"""Show the house rules of a game, let players choose them before it begins, and change one while it is played."""

from ..games import Refused, questions_of
from ..raster import icons
from ..session import refuse
from ..text import game_name, later, rule_text, text, value_text
from ..widgets.fitting import fitted
from ..widgets.keys import DOWN, LEFT, OK, RIGHT, UP
from ..widgets.screen import ARROWS, LINE, SIDES, Menu, Screen, footer, header, text_right, wrap
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


class RulesInPlay(HouseRules):
    """The house rules of the game in play, and below them what is fixed for this game.

    session: a Session, or a PastSession that corrects the change of a rule; name: the rule to begin with.
    """

    def __init__(self, app, session, name=None):
        game = session.game
        self.session = session
        self.fixed = _fixed(app, session.table.setup)
        super().__init__(app, game, session.table.setup, game.options, True)
        self.items = self.labels()
        self.at = self.names.index(name) if name in self.names else 0

    def labels(self):
        return super().labels() + self.fixed

    def _change(self, step):
        name = self.names[self.at] if self.at < len(self.names) else ""
        values = self._possible(name) if name else []
        if not values:
            self.app.refuse(text("rule.fixed"))
        elif len(self.cls.OPTIONS[name]) == 1:
            self.ask_number(name)
        elif len(values) == 1:
            self._set(name, values[0])
        else:
            kind = self.cls.KIND
            items = [(value_text(value, kind, name), lambda value=value: self._set(name, value)) for value in values]
            self.app.push(Menu(self.app, later("opt." + name), items))

    def _possible(self, name):
        """Return the values of a rule, other than the one in force, that go with the other rules of this game."""
        values = self.cls.OPTIONS[name]
        if len(values) == 1:
            return values  # any number
        table, possible = self.session.table, []
        for value in values:
            if value != self.options[name]:
                try:
                    table.game_at(0, table.rules_after("insert", len(table), _event(name, value)))
                    possible.append(value)
                except Refused as refused:
                    if refused.code != "E_SETTING":
                        possible.append(value)  # the sentence of that refusal says more
        return possible

    def _set(self, name, value):
        """Show what this value would change, and enter it after a confirmation."""
        event = _event(name, value)
        try:
            game = self.session.under(event)
        except Refused as refused:
            refuse(self.session, refused, event)
        else:
            self.app.push(RuleEffect(self.app, self.session, event, game))


class RuleEffect(Screen):
    """The totals that another house rule would change. OK enters the rule.

    game: the game as it would be under the rule.
    """

    def __init__(self, app, session, event, game):
        super().__init__(app)
        self.session = session
        self.event = event
        self.kind = game.KIND
        now = session.table.game
        self.rows = [row for row in zip(game.names, now.totals(), game.totals()) if row[1] != row[2]]
        self.first = 0
        if now.over != game.over:
            self.message = "rule.over" if game.over else "rule.goes_on"
        elif now.winners() != game.winners():
            self.message = "rule.winner"
        else:
            self.message = "" if self.rows else "rule.same"

    def draw(self, c):
        header(c, text("opt." + self.event["name"]))
        y = LINE + 2
        c.text("\u25cf " + value_text(self.event["value"], self.kind, self.event["name"]), 2, y)
        y += LINE + 2
        for line in wrap(c, text(self.message), c.w - 4) if self.message else ():
            c.text(line, 2, y)
            y += LINE
        most = (c.h - LINE - y) // LINE
        self.first = max(0, min(self.first, len(self.rows) - most))
        for name, before, after in self.rows[self.first : self.first + most]:
            change = "%d \u2192 %d" % (before, after)
            text_right(c, change, c.w - 2, y)
            c.text(c.fit(name, c.w - c.width(change) - 8), 2, y)
            y += LINE
        keys = [(icons.OK, "key.enter"), (icons.UNDO, "key.back")]
        if len(self.rows) > most:
            keys.append((ARROWS, "key.who"))
        footer(c, *keys)

    def key(self, k):
        if k in (UP, DOWN):
            self.first += 1 if k == DOWN else -1
        elif k == OK:
            self.app.pop()
            self.session.enter(self.event)


def _event(name, value):
    """Return the event that changes a house rule."""
    return {"ev": "option", "name": name, "value": value}


class _SetUp:
    """Stands for the screen before a game when its lines are shown in play."""

    def __init__(self, app, setup):
        self.app = app
        self.setup = setup

    def choice(self, label, key, values):
        """Return the menu line for a key of the set-up."""
        return lambda: text(label, value=text(key + "." + self.setup[key])), None


def _fixed(app, setup):
    """Return the labels of what was chosen before the game and stays."""
    labels = [later("rule.players", n=len(setup["players"]))]
    questions = questions_of(setup["game"])
    if questions and not getattr(questions, "ASKS_RULES", False):
        shown = {"players": setup["players"]}
        questions.defaults(shown)
        shown.update(setup)
        labels += [label for label, _ in questions.items(_SetUp(app, shown))]
    return labels
