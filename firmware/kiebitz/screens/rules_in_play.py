"""Change a house rule during the game; its effect on the totals is shown before it is entered."""

from ..games import Refused, questions_of
from ..raster import icons
from ..session import refuse
from ..text import later, text, value_text
from ..widgets.keys import DOWN, OK, UP
from ..widgets.screen import ARROWS, LINE, Menu, Screen, footer, header, text_right, wrap
from .house_rules import HouseRules


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
            items = [(value_text(value, self.cls.KIND), lambda value=value: self._set(name, value)) for value in values]
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
        c.text("\u25cf " + value_text(self.event["value"], self.kind), 2, y)
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
            keys.insert(0, (ARROWS, ""))
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
