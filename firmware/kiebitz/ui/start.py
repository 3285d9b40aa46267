"""The first screen, and what happens at power-on: a running game goes straight back to its table."""

from . import icons
from .screen import ARROWS, Menu, Notice, footer, marked
from .texts import later

_SAID = 16  # letters that are repeated of a name nobody knows


def table_screen(app, play):
    """The table of a game, its module imported when it is first needed."""
    kind = play.game.KIND
    if kind == "royal_flush":
        from .table_royal import RoyalTable as table
    elif kind == "poker_carre":
        from .table_carre import carre_table as table
    elif kind == "poch":
        from .table_poch import PochTable as table
    else:
        from .table_top_spot import TopSpotTable as table
    return table(app, play)


def open_table(app):
    """Put the game in play on the display, above the first screen."""
    app.clear()
    from .play import Play

    app.push(Start(app))
    app.push(table_screen(app, Play(app)))


def resume(app):
    """Back to the table of the running game, telling what was lost if something was."""
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
    """What is on the display after power-on."""
    app.push(Start(app))
    if app.games.running:
        resume(app)
    for kept, name in ((app.settings, "settings"), (app.roster, "roster"), (app.games, "games")):
        if kept.report:
            app.push(Notice(app, later("report.title"), later("report." + name)))
    if app.board.unknown_profile:
        _tell_board(app, *app.board.unknown_profile)
    if not app.settings.chosen("language"):
        from .language_screen import FirstLanguage

        app.push(FirstLanguage(app))


def _tell_board(app, said, known, used):
    """Say what board.txt should say, whether it says something else or is not there."""
    known = ", ".join(known)
    if said is None:
        message = later("report.no_board", known=known, used=used)
    else:
        message = later("report.board", name=said[:_SAID], known=known, used=used)
    app.push(Notice(app, later("report.title"), message))


class Start(Menu):
    def __init__(self, app):
        super().__init__(app, later("start.title"), [])
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
        from .shelf import Shelf

        self.app.push(Shelf(self.app))

    def _players(self):
        from .players import Players

        self.app.push(Players(self.app))

    def _settings(self):
        from .settings_screens import SettingsMenu

        self.app.push(SettingsMenu(self.app))
