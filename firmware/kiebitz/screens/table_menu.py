"""Open the menu of a table: what only its game has, and what every table has."""

from ..text import later
from ..widgets.screen import Menu
from .history import History
from .house_rules import HouseRules
from .seats import Seats
from .settings import SettingsMenu
from .table_screen import Ranking
from .thrown_away import throw_away
from .who_starts import WhoStarts


def open_menu(table):
    """Open the menu of this table screen; while an earlier entry is being changed, it has only what goes with that."""
    app, play, game = table.app, table.play, table.game
    setup = play.table.setup
    items = [(later("menu.back"), app.pop)]
    items += table.menu_items()
    items.append((later("menu.standings"), lambda: app.push(Ranking(app, play))))
    if game.options_offered(setup, game.options):
        items.append((later("menu.rules"), lambda: app.push(HouseRules(app, game, setup, game.options))))
    if table.takes_back:
        items += [
            (later("menu.history"), lambda: app.push(History(app, play))),
            (later("start.settings"), lambda: app.push(SettingsMenu(app))),
            (later("lots.title"), lambda: app.push(WhoStarts(app, play.names))),
            (later("menu.names"), lambda: app.push(Seats(app, play))),
        ]
        if not game.over:
            items.append((later("menu.anew"), lambda: throw_away(app, True)))
        items.append((later("menu.throw"), lambda: throw_away(app, False)))
        items += table.ending_items()
        items.append((later("menu.leave"), app.leave_table))  # the last line, one UP from the first, in every game
    right = later("menu.hold") if table.takes_back else ""
    app.push(Menu(app, later("game." + game.KIND), items, right=right))
