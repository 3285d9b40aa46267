"""Open the menu of a table: what only its game has, and what every table has.

The screens behind its lines are imported when they are opened: otherwise the first menu would come 45 ms later.
"""

from ..text import game_name, later
from ..widgets.screen import Menu
from .table_screen import Ranking


def open_menu(table):
    """Open the menu of this table screen; while an earlier entry is being changed, it has only what goes with that."""
    app, play, game = table.app, table.play, table.game
    items = [(later("menu.back"), app.pop)]
    items += table.menu_items()
    items.append((later("menu.standings"), lambda: app.push(Ranking(app, play))))
    if game.options_offered(play.table.setup, game.options):
        items.append((later("menu.rules"), lambda: _house_rules(app, play)))
    if table.takes_back:
        items += [
            (later("menu.history"), lambda: _history(app, play)),
            (later("start.settings"), lambda: _settings(app)),
            (later("lots.title"), lambda: _who_starts(app, play)),
            (later("clock.title"), lambda: _turn_clock(app, play)),
            (later("menu.names"), lambda: _seats(app, play)),
        ]
        if not game.over:
            items.append((later("menu.anew"), lambda: _throw_away(app, True)))
        items.append((later("menu.throw"), lambda: _throw_away(app, False)))
        items += table.ending_items()
        items.append((later("menu.leave"), app.leave_table))  # the last line, one UP from the first, in every game
    right = later("menu.hold") if table.takes_back and not table.left_repeats else ""
    app.push(Menu(app, lambda: game_name(game.KIND, game.title), items, right=right))


def _house_rules(app, play):
    from .house_rules import HouseRules

    app.push(HouseRules(app, play.game, play.table.setup, play.game.options))


def _history(app, play):
    from .history import History

    app.push(History(app, play))


def _settings(app):
    from .settings import SettingsMenu

    app.push(SettingsMenu(app))


def _who_starts(app, play):
    from .who_starts import WhoStarts

    app.push(WhoStarts(app, play.names))


def _turn_clock(app, play):
    from .turn_clock import open_clock

    open_clock(app, play)


def _seats(app, play):
    from .seats import Seats

    app.push(Seats(app, play))


def _throw_away(app, anew):
    from .thrown_away import throw_away

    throw_away(app, anew)
