"""Open the menu of a table: the items of its game, then the items of all games."""

from ..text import game_name, later
from ..widgets.screen import Menu
from .table_screen import Ranking


def open_menu(table):
    """Open the menu of this table screen; while an earlier entry is being changed, it has only what goes with that."""
    app, session, game = table.app, table.session, table.game
    items = [(later("menu.back"), app.pop)]
    items += table.menu_items()
    items.append((later("menu.standings"), lambda: app.push(Ranking(app, session))))
    if table.takes_back:
        items.append((later("menu.rules"), lambda: _rules_in_play(app, session)))
    elif game.options_offered(session.table.setup, game.options):
        items.append((later("menu.rules"), lambda: _house_rules(app, session)))
    if table.takes_back:
        items += [
            (later("menu.history"), lambda: _history(app, session)),
            (later("start.settings"), lambda: _settings(app)),
            (later("lots.title"), lambda: _who_starts(app, session)),
            (later("clock.title"), lambda: _turn_clock(app, session)),
            (later("menu.names"), lambda: _seats(app, session)),
        ]
        if not game.over:
            items.append((later("menu.anew"), lambda: _start_over(app)))
        items.append((later("menu.throw"), lambda: _throw_away(app)))
        items += table.ending_items()
        items.append((later("menu.leave"), app.leave_table))  # the last line, one UP from the first, in every game
    app.push(Menu(app, lambda: game_name(game.KIND, game.title), items))


def _house_rules(app, session):
    from .house_rules import HouseRules

    app.push(HouseRules(app, session.game, session.table.setup, session.game.options))


def _rules_in_play(app, session):
    from .house_rules import RulesInPlay

    app.push(RulesInPlay(app, session))


def _history(app, session):
    from .history import History

    app.push(History(app, session))


def _settings(app):
    from .settings import SettingsMenu

    app.push(SettingsMenu(app))


def _who_starts(app, session):
    from .who_starts import WhoStarts

    app.push(WhoStarts(app, session.names))


def _turn_clock(app, session):
    from .turn_clock import open_clock

    open_clock(app, session)


def _seats(app, session):
    from .players import Seats

    app.push(Seats(app, session))


def _throw_away(app):
    from .new_game import throw_away

    throw_away(app)


def _start_over(app):
    from .new_game import start_over

    start_over(app)
