"""Set up a new game: which game, which players, and the few choices of each game, with sensible defaults."""

from ..games import GAMES, Refused, game_class, questions_of
from ..raster import icons
from ..session import doubt
from ..text import later, refusal, text
from ..widgets.keys import LEFT, OK, RIGHT
from ..widgets.screen import ARROWS, Menu, about, footer
from .house_rules import HouseRules
from .players import PickPlayers, guest_name
from .start import open_table
from .who_starts import WhoStarts


def choose_game(app):
    """Ask which game to play, then open its set-up."""
    items = [(later("game." + kind), lambda kind=kind: set_up(app, kind)) for kind in GAMES]
    app.push(Menu(app, later("new.which"), items))


def set_up(app, kind, players=()):
    """Open the set-up of a game: who plays, then Ready. With the right number of `players`, Ready is shown at once.

    players: the names in the order of their seats; UNDO leads back to them.
    """
    cls = game_class(kind)

    def ready(names):
        app.push(Ready(app, kind, names))
        low, high = cls.BEST
        if not low <= len(names) <= high:
            app.toast(text("new.best", low=low, high=high), 0)

    low, high = cls.PLAYERS
    picking = PickPlayers(app, low, high, ready, players)
    app.push(picking)
    if low <= len(players) <= high:
        ready(picking.names())


class Ready(Menu):
    """The last screen before a game: OK on the first line begins; the lines below change the set-up."""

    footer_follows = True

    def __init__(self, app, kind, names):
        self.cls = game_class(kind)
        self.names = names
        n = len(names)
        self.setup = {"game": kind, "players": names, "dealer": n - 1}
        self.options = {name: self.cls.OPTIONS[name][0] for name in self.cls.OPTIONS}
        self.questions = questions_of(kind)
        if self.questions:
            self.questions.defaults(self.setup)
        super().__init__(app, later("game." + kind), [])
        self._build()

    def _build(self):
        """Make the lines of the menu."""
        setup, n = self.setup, len(self.names)
        self.right = icons.PEOPLE + str(n)
        self.items = [
            (later("new.start"), self._start),
            (about("new.dealer", self.names[setup["dealer"]]), lambda: self.cycle("dealer", range(n))),
            (later("new.dealer.lot"), self._draw_lots),
        ]
        if self.questions:
            self.items += self.questions.items(self)
        if self.cls.options_offered(setup, self.options):
            changed = len(self._own_rules())
            label = later("new.rules.own", n=changed) if changed else later("new.rules")
            self.items.append((label, self._house_rules))

    def _own_rules(self):
        """Return {name: value} of the house rules that make a difference and are not at their defaults."""
        names = self.cls.options_offered(self.setup, self.options)
        return {name: self.options[name] for name in names if self.options[name] != self.cls.OPTIONS[name][0]}

    def choice(self, label, key, values):
        """Return the menu line (label, action) for a key of the set-up that has these values.

        label: the key of the line's text.
        """
        return lambda: text(label, value=text(key + "." + self.setup[key])), lambda: self.cycle(key, values)

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

    def cycle(self, key, values):
        """Set a key of the set-up to its next value, or to the one before."""
        values = list(values)
        self.setup[key] = values[(values.index(self.setup[key]) + self.step) % len(values)]
        self._build()

    def _draw_lots(self):
        """Let chance choose the dealer."""

        def drawn(seat):
            self.setup["dealer"] = seat

        self.app.push(WhoStarts(self.app, self.names, drawn))

    def _house_rules(self):
        self.app.push(HouseRules(self.app, self.cls, self.setup, self.options, True))

    def _start(self, confirm=False):
        """Create the game and open its table; a doubt asks for one confirming press."""
        app = self.app
        setup = dict(self.setup)
        setup["options"] = self._own_rules()
        if confirm:
            setup["confirm"] = True
        try:
            app.games.create(setup)
            app.roster.played(self.names, [guest_name(seat) for seat in range(len(self.names))])
        except Refused as refused:
            if refused.code[:2] == "W_":
                doubt(app, refused, self.names, lambda: self._start(True))
            else:
                app.refuse(refusal(refused, self.names))
        except OSError as trouble:
            app.flash_trouble(trouble)
        else:
            open_table(app)
