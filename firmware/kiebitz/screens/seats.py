"""Give the seats other names: somebody takes over a seat, a spelling is corrected, two names are exchanged."""

from ..text import later
from ..widgets.screen import Menu, Notice, TextWithNames, about
from .letters import NameEntry


class Seats(Menu):
    """The players in seating order with their points; OK on a name changes who sits there."""

    def __init__(self, app, session):
        super().__init__(app, later("menu.names"), [])
        self.session = session
        self.resume()

    def resume(self):
        totals = self.session.game.totals()
        self.items = [(self._label(p, totals[p]), lambda p=p: self._one(p)) for p in range(self.session.game.n)]

    def _label(self, p, total):
        """Return the line of a seat: name and points."""
        return TextWithNames(lambda names: "%d %s  %d" % (p + 1, names[0], total), [self.session.names[p]])

    def _one(self, p):
        """Open the menu of one seat."""
        app, names = self.app, self.session.names
        typed = NameEntry(app, later("players.name"), lambda name: self._ask(p, name), names[p])
        items = [(later("leave"), app.pop), (later("seats.other"), lambda: app.push(typed))]
        items += [
            (about("seats.exchange", name), lambda name=name: self._ask(p, name)) for name in names if name != names[p]
        ]
        items += [
            (about("seats.takes", name), lambda name=name: self._ask(p, name))
            for name in app.roster.names
            if name not in names
        ]
        app.push(Menu(app, names[p], items))

    def _ask(self, p, name):
        """Say that the points stay with the seat, then enter the names; a name of another seat is exchanged."""
        names = list(self.session.names)
        if name in names:
            names[names.index(name)] = names[p]
        names[p] = name
        question = later("seats.points", name=name, n=self.session.game.totals()[p])

        def enter():
            self.session.enter({"ev": "seats", "players": names})

        self.app.push(Notice(self.app, later("menu.names"), question, enter))
