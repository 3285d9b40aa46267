"""The first screen, and what happens at power-on: a running game goes straight back to its table."""

import gc

from ..games import table_screen
from ..raster import icons
from ..session import Play
from ..text import later
from ..widgets.screen import ARROWS, Menu, Notice, footer, marked


def open_table(app):
    """Put the game in play on the display, above the first screen."""
    app.stack = []
    app.push(Start(app))
    app.push(table_screen(app, Play(app)))


def resume(app):
    """Back to the table of the running game, telling what was lost if something was."""
    gc.collect()  # 5 ms; the game is kept in one place then, and not between what the start has left
    try:
        _, table, report = app.games.resume()
    except OSError as trouble:
        app.flash_trouble(trouble)
        return
    if table is not None:
        open_table(app)
    if report is not None:
        tell_report(app, report)


def tell_report(app, report):
    """Say what was lost of a game."""
    if report[0] == "torn":
        message = later("report.torn")
    else:
        message = later("report.bad", events=report[2]) if report[2] else later("report.lost")
    app.push(Notice(app, later("report.title"), message))


def begin(app):
    """Put on the display what is there after power-on. What is seldom shown is loaded then: 5 ms of every start."""
    if app.board.emergency:
        from .emergency import show_emergency

        show_emergency(app)
        return
    app.push(Start(app))
    if app.games.running:
        resume(app)
    for kept, name in ((app.settings, "settings"), (app.roster, "roster"), (app.games, "games")):
        if kept.report:
            app.push(Notice(app, later("report.title"), later("report." + name)))
    if not app.settings.chosen("language"):
        from .language import FirstLanguage

        app.push(FirstLanguage(app))
    if app.board.choice.on_trial:
        from .display import KeepPicture

        app.push(KeepPicture(app))


class Start(Menu):
    """What it leads to is loaded when it is chosen: all of it would cost every start 15 ms."""

    def __init__(self, app):
        super().__init__(app, later("start.title"), [], right=app.board.tree)
        self.resume()

    def back(self):
        """There is nothing behind the first screen."""

    def draw_footer(self, c):
        footer(c, (ARROWS, ""), (icons.OK, "key.choose"))

    def resume(self):
        """A game may have ended or begun meanwhile."""
        app = self.app
        self.items = []
        if app.games.running:
            self.items.append((marked(icons.RETURN, "start.resume"), lambda: resume(app)))
        self.items += [
            (marked(icons.CARDS, "start.new"), self._new),
            (marked(icons.LIST, "start.games"), self._games),
            (marked(icons.PEOPLE, "start.players"), self._players),
            (marked(icons.GEAR, "start.settings"), self._settings),
        ]
        self.at = min(self.at, len(self.items) - 1)

    def _new(self):
        from .new_game import choose_game

        choose_game(self.app)

    def _games(self):
        from .library import Shelf

        self.app.push(Shelf(self.app))

    def _players(self):
        from .players import Players

        self.app.push(Players(self.app))

    def _settings(self):
        from .settings import SettingsMenu

        self.app.push(SettingsMenu(self.app))
