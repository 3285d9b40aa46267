"""Show the table of PokerCarre kept as a pad, and define the base of both tables."""

from ...raster import icons
from ...screens.table_screen import TableScreen, draw_players, lead_text, leading
from ...text import later, text
from ...widgets.fitting import about, fitted
from ...widgets.keys import OK, RIGHT
from ...widgets.screen import ARROWS, LINE, footer, header
from .pad import PadScreen, TickScreen

_MODES = ("score", "grid")


def defaults(setup):
    """Fill in what a set-up starts with."""
    setup["mode"] = _MODES[0]


def items(ready):
    """Return the lines of the menu before a game, as (label, action)."""
    label = later("new.carre.grid" if ready.setup["mode"] == "grid" else "new.carre.score")
    return [(label, lambda: ready.cycle("mode", _MODES))]


def carre_table(app, session):
    """Return the first screen of a game, by its mode: grid or pad."""
    if session.game.mode == "grid":
        from .grid_table import CarreGrid  # not at the top: that module imports CarreTable from this one

        return CarreGrid(app, session)
    return CarrePad(app, session)


class CarreTable(TableScreen):
    """The base of both tables. The cursor follows the turn, and a finished game shows its ranking."""

    def __init__(self, app, session):
        super().__init__(app, session)
        self.at = self.session.corrected.get("p", self.game.turn)
        self.seen = self._progress()

    def _progress(self):
        """Return the part of the state that moves the cursor when it changes."""
        game = self.game
        return game.over, game.placed, game.turn

    def changed(self):
        """Move the cursor on after a placement or a skip; crosses on the pad leave it where it is."""
        seen = self._progress()
        if seen == self.seen:
            return
        self.at = self.game.turn
        if self.game.over and not self.seen[0]:
            self.show_ranking()
        self.seen = seen

    def cards_placed(self):
        """Return the number of placed cards, out of all, as text."""
        return icons.CARDS + "%d/%d" % (self.game.placed, self.game.to_place)

    def skip(self, p):
        """Enter that a player skips the turn."""
        self.session.enter({"ev": "skip", "p": p})

    def skip_item(self):
        """Return (label, action) of the menu line that skips."""
        return about("carre.menu.skip", self.game.names[self.at]), lambda: self.on_turn(self.skip)

    def open_pad(self):
        """Show the pad of everybody."""
        self.app.push(PadScreen(self.app, self.session, self.at))

    def ending_items(self):
        if self.game.phase != "PLAY":
            return []
        return [(later("carre.menu.finish"), lambda: self.session.enter({"ev": "finish"}))]


class CarrePad(CarreTable):
    """The list of players, to enter combinations or, if turns are followed, every placement."""

    def __init__(self, app, session):
        super().__init__(app, session)
        if not app.settings["pad_told"] and not len(session.table):
            app.toast(text("carre.printed"), 0)
            try:
                app.settings.set("pad_told", True)
            except OSError:
                pass  # a full flash must not prevent the game

    def draw(self, c):
        game = self.game
        totals = game.totals()
        leaders = leading(game)
        header(c, self._title(), lead_text(game, leaders), game.n == 5)
        columns = [[str(total)] for total in totals]
        y = LINE + (2 if game.n < 5 else 0)
        self._rows = draw_players(c, self.session, leaders, self.at, y, c.h - 2 * LINE, columns, (26,))
        c.text(fitted(c, self.status(), c.w), 0, c.h - 2 * LINE)
        if game.over:
            ok, right = "carre.key.result", "carre.key.pad"
        else:
            ok, right = "carre.key.score", "carre.key.no_points" if game.follows else "carre.key.pad"
        keys = ((icons.OK, ok), ("\u2192", right), ("\u2190", "key.menu"), (ARROWS, "key.who"))
        footer(c, *keys, *self.undo_hints())

    def _title(self):
        game = self.game
        if game.over:
            return text("phase.OVER")
        return self.cards_placed() if game.follows else text("game.poker_carre")

    def status(self):
        """Return the line below the players."""
        game = self.game
        if self.session.last or game.over:
            return self.session.last or ""
        if game.follows or not (game.placed or any([any(counts) for counts in game.counts])):
            return about("carre.to_place", game.names[game.turn])
        return ""

    def key(self, k):
        if self.game.over and k == OK:
            self.show_ranking()
        elif k == OK:
            self.on_turn(self._tick)
        elif k == RIGHT and self.game.follows and not self.game.over:
            self.on_turn(self._no_points)
        elif k == RIGHT:
            self.open_pad()
        else:
            return super().key(k)
        return None

    def _tick(self, p):
        self.app.push(TickScreen(self.app, self.session, p))

    def _no_points(self, p):
        self.session.enter({"ev": "place", "p": p, "items": []})

    def menu_items(self):
        items = [(later("carre.menu.pad"), self.open_pad)]
        if "skip" in self.game.legal():
            items.append(self.skip_item())
        return items


TABLE = carre_table
