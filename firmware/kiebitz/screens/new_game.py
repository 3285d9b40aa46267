"""Set up a new game (kind, players and the choices of each game)."""

from ..games import GAMES, Refused, game_class, new_game, presets_of, questions_of
from ..raster import icons
from ..session import doubt
from ..store.sealed_lines import attempt
from ..text import game_name, later, refusal, text
from ..widgets.fitting import about
from ..widgets.keys import LEFT, OK, RIGHT
from ..widgets.screen import ARROWS, SIDES, Menu, footer
from .house_rules import HouseRules
from .messages import guarded
from .players import PickPlayers, guest_name
from .start import Start, open_table

_LOT = "lot"  # the dealer is drawn when the game begins
# What the device adds to a set-up when the game begins
_ADDED = ("id", "at", "device", "rules")


def choose_game(app):
    """Ask which game to play, then open its set-up."""
    items = [(later("game." + kind), lambda kind=kind: _chosen(app, kind)) for kind in GAMES]
    app.push(Menu(app, later("new.which"), items))


def _chosen(app, kind):
    """Open the set-up of a game; if its players give it a title, the titles come first."""
    if presets_of(kind):
        from .titles import open_titles  # not at the top: that module imports this one

        open_titles(app, kind)
    else:
        set_up(app, kind)


def set_up(app, kind, players=(), preset=None):
    """Open the set-up of a game, first the players, then ReadyScreen. With enough `players` that is shown at once.

    players: the names in the order of their seats; UNDO leads back to them. preset: title and options to begin with.
    """
    cls = game_class(kind)
    chosen = []  # the last ReadyScreen, which UNDO has closed

    def ready(names):
        if not chosen or chosen[0].names != names:
            chosen[:] = [ReadyScreen(app, kind, names, preset)]
        chosen[0].at = 0
        app.push(chosen[0])
        low, high = cls.BEST
        if not low <= len(names) <= high:
            app.toast(text("new.best", low=low, high=high), 0)

    low, high = cls.players_for(preset.get("options", {}) if preset else {})
    picking = PickPlayers(app, low, high, ready, players)
    app.push(picking)
    if low <= len(players) <= high:
        ready(picking.names())


def begin_game(app, setup):
    """Create a game, note its players and its title, and open its table."""
    names = setup["players"]
    app.library.create(setup)
    app.roster.played(names, [guest_name(seat) for seat in range(len(names))])
    if presets_of(setup["game"]):
        attempt(app.presets.played, setup)  # a full flash must not prevent the game
    open_table(app)


def begin_seated(app):
    """Begin the game that a club has drawn for this device."""
    setup = app.roster.seats["setup"]
    kind, names, options = setup["game"], setup["players"], setup.get("options", {})
    room, preset = presets_of(kind), None
    if room:
        title = setup.get("title") or new_game(setup).title
        preset = dict(room.kept_for(title)) if room.KEPT else {}
        preset["title"], preset["options"] = title, options
    ready = ReadyScreen(app, kind, names, preset)
    ready.options.update(options)
    ready.begin(setup.get("dealer", len(names) - 1))


def play_again(app):
    """Begin the ended game again with the same players and settings; the next player deals."""
    table = app.library.table
    setup = {key: value for key, value in table.setup_in_force.items() if key not in _ADDED}
    names = setup["players"] = list(table.game.names)
    setup["dealer"] = (setup.get("dealer", len(names) - 1) + 1) % len(names)
    app.library.close()
    app.stack = [Start(app)]
    app.dirty = True
    try:
        begin_game(app, setup)
    except Refused as refused:  # by rules that have changed since
        app.refuse(refusal(refused, names))
    except OSError as trouble:
        app.flash_trouble(trouble)
    else:
        app.beep()
        app.toast(text("new.again", name=names[setup["dealer"]]))


class ReadyScreen(Menu):
    """The last screen before a game. OK on the first line begins; the lines below change the set-up."""

    footer_follows = True

    def __init__(self, app, kind, names, preset=None):
        self.cls = game_class(kind)
        self.names = names
        n = len(names)
        self.setup = {"game": kind, "players": names, "dealer": n - 1}
        self.options = {name: self.cls.default(name, n) for name in self.cls.OPTIONS}
        self.questions = questions_of(kind)
        if self.questions:
            self.questions.defaults(self.setup)
        if preset:
            self._take(preset)
        super().__init__(app, lambda: game_name(kind, self.setup.get("title")), [])
        self._build()

    def _take(self, preset):
        """Begin with the options of a preset for this number of players."""
        room = presets_of(self.cls.KIND)
        title = self.setup["title"] = preset["title"]
        self.options.update(room.fitting(title, preset.get("options", {}), len(self.names)))
        for key in room.KEPT:
            self.setup[key] = preset.get(key, room.KEPT[key][0])

    def _build(self):
        """Make the lines of the menu."""
        setup = self.setup
        self.right = icons.PEOPLE + str(len(self.names))
        self.items = self.first_items()
        if self.questions:
            self.items += self.questions.items(self)
        asked = getattr(self.questions, "ASKS_RULES", False)
        if self.cls.options_offered(setup, self.options) and not asked:
            usual = self._usual_rules()
            changed = len([name for name in usual if self.options[name] != usual[name]])
            label = later("new.rules.own", n=changed) if changed else later("new.rules")
            self.items.append((label, self._house_rules))

    def first_items(self):
        """Return the menu items of every game (begin, who deals if that is shown)."""
        dealer = self.setup["dealer"]
        deals = getattr(self.questions, "deals", None)
        if deals and not deals(self.setup, self.options):
            return [(later("new.start"), self._begin)]
        label = later("new.dealer.lot") if dealer == _LOT else about("new.dealer", self.names[dealer])
        return [(later("new.start"), self._begin), (label, self._next_dealer)]

    def _next_dealer(self):
        self.cycle("dealer", list(range(len(self.names))) + [_LOT])

    def own_rules(self):
        """Return the house rules by name that make a difference and are not at their defaults."""
        cls, n = self.cls, len(self.names)
        names = cls.options_offered(self.setup, self.options)
        return {name: self.options[name] for name in names if self.options[name] != cls.default(name, n)}

    def _usual_rules(self):
        """Return the house rules that make a difference, with the values of the well-known title or the defaults."""
        cls, n = self.cls, len(self.names)
        usual = {name: cls.default(name, n) for name in cls.options_offered(self.setup, self.options)}
        room = presets_of(self.cls.KIND)
        for title in room.TITLES if room else ():
            if text("title." + title) == self.setup["title"]:
                options = room.options_for(title, n)
                usual.update({name: options[name] for name in options if name in usual})
        return usual

    def choice(self, label, key, values):
        """Return the menu line (label, action) for a key of the set-up that has these values.

        label: the key of the line's text.
        """
        return lambda: text(label, value=text(key + "." + self.setup[key])), lambda: self.cycle(key, values)

    def resume(self):
        self._build()

    def draw_footer(self, c):
        self.draw_keys(c, "new.key.begin")

    def draw_keys(self, c, first):
        """Draw the footer; `first` is the text key for OK in the first line."""
        ok = (SIDES + icons.OK, "key.change") if self.at else (icons.OK, first)
        footer(c, (ARROWS, "key.line"), ok, (icons.UNDO, "key.back"))

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

    def _house_rules(self):
        self.app.push(HouseRules(self.app, self.cls, self.setup, self.options, True))

    def _begin(self):
        """Begin the game, after a draw if the dealer is chosen by lot."""
        if self.setup["dealer"] == _LOT:
            from .who_starts import DrawnDealer

            self.app.push(DrawnDealer(self.app, self.names, self.begin))
        else:
            self.begin(self.setup["dealer"])

    def begin(self, dealer, confirm=False):
        """Create the game and open its table; a doubt asks for one confirming press."""
        app = self.app
        setup = dict(self.setup)
        setup["dealer"] = dealer
        setup["options"] = self.own_rules()
        if confirm:
            setup["confirm"] = True
        try:
            begin_game(app, setup)
        except Refused as refused:
            if refused.code[:2] == "W_":
                doubt(app, refused, self.names, lambda: self.begin(dealer, True))
            else:
                app.refuse(refusal(refused, self.names))
        except OSError as trouble:
            app.flash_trouble(trouble)


def throw_away(app):
    """Throw the game in play away and show the first screen. Returns False if the flash failed."""
    thrown = guarded(app, app.library.throw_away)
    if not thrown:
        return False
    start = Start(app)
    start.thrown = thrown
    app.stack = []
    app.push(start)
    app.toast(text("thrown.done"))
    return True


def start_over(app):
    """Throw the game in play away and show the set-up of the next one with the same players."""
    game, setup = app.library.table.game, app.library.table.setup_in_force
    if throw_away(app):
        set_up(app, game.KIND, list(game.names), setup if presets_of(game.KIND) else None)
        app.toast(text("thrown.anew"))
