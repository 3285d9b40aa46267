"""Show the first screen, or after power-on the table of the running game."""

import gc

from ..games import table_screen
from ..raster import icons
from ..text import later, text
from ..widgets.keys import UNDO
from ..widgets.screen import ARROWS, Menu, Notice, TextWithNames, footer, marked


def open_table(app):
    """Show the table of the game in play, above the first screen."""
    from ..session import Session

    app.stack = []
    app.push(Start(app))
    app.push(table_screen(app, Session(app)))


def resume(app):
    """Open the table of the running game, and report any loss of data."""
    gc.collect()  # takes 5 ms, and leaves the game a less fragmented heap
    app.board.limit_garbage()  # otherwise a replay scatters what it keeps over the whole heap
    try:
        _, table, report = app.library.resume()
    except OSError as trouble:
        app.flash_trouble(trouble)
        return
    if table is not None:
        open_table(app)
    if report is not None:
        tell_report(app, report)


def bring_back(app, game_id):
    """Open a game that was thrown away."""
    try:
        app.library.thrown.bring_back(game_id)
        _, table, _ = app.library.resume(game_id)
    except OSError as trouble:
        app.flash_trouble(trouble)
        return
    if table is not None:
        open_table(app)


def tell_report(app, report):
    """Show what was lost of a game; report as in Journal.open."""
    if report[0] == "torn":
        message = later("report.torn")
    else:
        message = later("report.bad", events=report[2]) if report[2] else later("report.lost")
    app.push(Notice(app, later("report.title"), message))


def begin(app):
    """Show the first screens after power-on."""
    if app.board.emergency:
        from .power import show_emergency

        show_emergency(app)
    else:
        _usual_screens(app)
    if app.board.held_at_power_on(UNDO):
        from .power import UndoHeld

        app.push(UndoHeld(app))


def _usual_screens(app):
    """Show the first screen or the table of the running game, and above it reports and questions."""
    app.push(Start(app))
    if app.library.running:
        resume(app)
    for kept, name in ((app.settings, "settings"), (app.roster, "roster"), (app.library, "games")):
        if kept.report:
            app.push(Notice(app, later("report.title"), later("report." + name)))
    if not app.settings.chosen("language"):
        from .language import FirstLanguage

        app.push(FirstLanguage(app))
    if app.board.choice.on_trial:
        from .language import KeepPicture

        app.push(KeepPicture(app))


class Start(Menu):
    """The first menu."""

    def __init__(self, app):
        super().__init__(app, later("start.title"), [], right=app.board.tree)
        self.thrown = None  # the game that was thrown away just before
        self.resume()

    def back(self):
        """Bring back the game that was thrown away just before; this is the first screen."""
        if self.thrown:
            bring_back(self.app, self.thrown)

    def draw_footer(self, c):
        hints = [(ARROWS + "\u2192" + icons.OK, "key.choose")]
        if self.thrown:
            hints.append(("\u2190" + icons.UNDO, "key.undo"))
        footer(c, *hints)

    def resume(self):
        """Rebuild the menu, because a game may have ended or begun meanwhile."""
        app = self.app
        self.items = []
        if app.library.running:
            self.items.append((marked(icons.RETURN, "start.resume"), lambda: resume(app)))
        seats = app.roster.seats
        if seats:
            self.items.append((_seated(seats), self._take_seats))
        self.items += [
            (marked(icons.CARDS, "start.new"), self._new),
            (marked(icons.LIST, "start.games"), self._games),
            (marked(icons.PEOPLE, "start.players"), self._players),
            (marked(icons.GEAR, "start.settings"), self._settings),
        ]
        self.at = min(self.at, len(self.items) - 1)

    def _take_seats(self):
        from .new_game import begin_seated

        begin_seated(self.app)

    def _new(self):
        from .new_game import choose_game

        choose_game(self.app)

    def _games(self):
        from .library import LibraryMenu

        self.app.push(LibraryMenu(self.app))

    def _players(self):
        from .players import Players

        self.app.push(Players(self.app))

    def _settings(self):
        from .settings import SettingsMenu

        self.app.push(SettingsMenu(self.app))


def _seated(seats):
    """Return the line of drawn seats: the table and its players, on a narrow display only the table's number."""
    table = seats["table"]

    def line(names):
        return icons.CARDS + " " + text("start.seats", n=table, names=", ".join(names))

    def brief(names):
        return icons.CARDS + " %d: " % table + ", ".join(names)

    return TextWithNames(line, seats["setup"]["players"], brief)
