"""Let somebody join a game in play, pause, leave or come back; in the menu of the table."""

from ...raster import icons
from ...screens.players import guest_name, write_name
from ...text import later, text
from ...widgets.screen import Menu, marked
from .number import NumberEntry
from .rules import POINTS_MAX


def items(table):
    """Return the menu items (label, action) about who is there."""
    lines = [
        (later("any.menu.join"), lambda: _join(table.app, table.session)),
        (later("any.menu.away"), lambda: _choose(table, "away")),
    ]
    if table.game.gone:
        lines.append((later("any.menu.back"), lambda: _choose(table, "back")))
    return lines


def _choose(table, name):
    """Choose who leaves or pauses, or who comes back."""
    app, session, game = table.app, table.session, table.game
    seats = [p for p in range(game.n) if (p in game.gone) == (name == "back")]
    lines = [(later("leave"), app.pop)]
    lines += [(game.names[p], lambda p=p: session.enter({"ev": name, "p": p})) for p in seats]
    app.push(Menu(app, later("any.menu." + name), lines))


def _join(app, session):
    """Choose who joins: a guest, a name of the list, or a new one."""
    game = session.game
    if game.n == game.PLAYERS[1]:
        app.refuse(text("E_PLAYERS.join", high=game.n))
        return

    def chosen(name):
        title = text("any.brings", name=name)

        def enter(k):
            session.enter({"ev": "join", "name": name, "k": k})

        app.push(NumberEntry(app, title, game.options["start"], -POINTS_MAX, POINTS_MAX, enter))

    def written(name):
        if name in game.names:
            app.refuse(text("E_ARG.players"))
        else:
            chosen(name)

    seat = game.n
    while guest_name(seat) in game.names:
        seat += 1
    names = [guest_name(seat)] + [name for name in app.roster.names if name not in game.names]
    lines = [(later("leave"), app.pop)]
    lines += [(name, lambda name=name: chosen(name)) for name in names]
    lines.append((marked(icons.PLUS, "players.new"), lambda: write_name(app, later("players.name"), written)))
    app.push(Menu(app, later("any.menu.join"), lines))
