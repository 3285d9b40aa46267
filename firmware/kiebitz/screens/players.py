"""Let people choose who plays and in which order, and edit the list of names."""

from ..games import Refused
from ..raster import icons
from ..text import later, refusal, text
from ..widgets.fitting import TextWithNames, about
from ..widgets.keys import LEFT, RIGHT
from ..widgets.screen import ARROWS, Menu, Notice, footer, marked
from .letters import NameEntry


def write_name(app, title, on_name, finish=None):
    """Ask for a name, store it in the roster, close the screen and call on_name(name); `finish` as in NameEntry."""

    def done(name):
        try:
            name = app.roster.add(name)
        except Refused as refused:
            app.refuse(refusal(refused, []))
        except OSError as trouble:
            app.flash_trouble(trouble)
        else:
            app.pop()
            on_name(name)

    app.push(NameEntry(app, title, done, finish=finish))


def guest_name(seat):
    """Return what a guest in this seat is called in the language in use."""
    return text("players.guest", n=seat + 1)


class PickPlayers(Menu):
    """The choice of players, from the top in the order of their seats, and below them everybody else.

    OK gives the next seat to a name or a guest, or takes the seat of a name away; LEFT moves a name one seat up, RIGHT
    goes on, and UNDO takes the last change back.
    """

    footer_follows = True

    def __init__(self, app, low, high, on_done, players=()):
        self.low = low
        self.high = high
        self.on_done = on_done
        self.seated = []  # a name for each seat; "" is a guest, whose name follows from the seat
        self._before = []  # what `seated` was before each change
        super().__init__(app, later("players.who"), [])
        self._seat_all(players)
        self.resume()

    def names(self):
        """Return the names of the players in the order of their seats."""
        return [name or guest_name(seat) for seat, name in enumerate(self.seated)]

    def resume(self):
        """Make the lines of the menu."""
        self.right = later("players.count", n=len(self.seated), low=self.low, high=self.high)
        roster = self.app.roster
        self.items = []
        if not self.seated and self.low <= len(roster.last) <= self.high:
            self.items.append((later("players.again", names=", ".join(roster.last)), self._again))
        for seat, name in enumerate(self.names()):
            self.items.append(("%d %s" % (seat + 1, name), lambda seat=seat: self._seated(seat)))
        for name in self._others():
            self.items.append(("\u2610 " + name, lambda name=name: self._seat(name)))
        self.items.append((marked(icons.PLUS, "players.guest.add"), self._guest))
        self.items.append((marked(icons.PLUS, "players.new"), self._new))
        self.at = min(self.at, len(self.items) - 1)

    def _others(self):
        """Return the names of the roster that have no seat."""
        return [name for name in self.app.roster.names if name not in self.seated]

    def draw_footer(self, c):
        back = (icons.UNDO, "key.undo" if self._before else "key.back")
        done = ("\u2192", "players.key.done")
        if self.at < len(self.seated):
            action = "players.key.away" if self.seated[self.at] else "players.key.name"
            footer(c, (icons.OK, action), ("\u2190", "players.key.up"), done, (ARROWS, "key.line"), back)
        elif len(self.seated) < self.low:
            footer(c, (ARROWS + icons.OK, "players.key.seat"), back)
        else:
            footer(c, (ARROWS + icons.OK, "players.key.seat"), done, back)

    def key(self, k):
        if k == RIGHT:
            self._done()
        elif k == LEFT:
            self._move_up()
        else:
            return super().key(k)
        return None

    def back(self):
        """Take back the last change; if there is none, leave the screen."""
        if self._before:
            self.seated = self._before.pop()
            self.resume()
        else:
            self.app.pop()

    def _change(self, seated):
        """Give the seats to these players, unless they are too many. Returns False, with a message, if so."""
        if len(seated) > max(self.high, len(self.seated)):
            self.app.refuse(text("E_PLAYERS", low=self.low, high=self.high, n=len(seated)))
            return False
        self._before.append(self.seated)
        self._seat_all(seated)
        self.resume()
        return True

    def _seat_all(self, names):
        """Give the seats to these players; a player with a guest's name is a guest."""
        guests = [guest_name(seat) for seat in range(max(self.high, len(names)))]
        self.seated = ["" if name in guests else name for name in names]

    def _again(self):
        """Choose the players of the last game, and go on."""
        if self._change(self.app.roster.last):
            self._done()

    def _seat(self, name):
        """Give the next seat to a name; the cursor goes on to the next line without a seat."""
        before = len(self.items)
        if self._change(self.seated + [name]):
            self.at = min(self.at + 1 + len(self.items) - before, len(self.items) - 1)

    def _guest(self):
        """Give the next seat to a guest; the cursor stays for the next guest."""
        if self._change(self.seated + [""]):
            self.at = len(self.items) - 2

    def _seated(self, seat):
        """Take the seat of a name away, or write the name of a guest."""
        if self.seated[seat]:
            self._change(self.seated[:seat] + self.seated[seat + 1 :])
        else:
            write_name(self.app, later("players.name.seat", n=seat + 1), lambda name: self._named(seat, name))

    def _named(self, seat, name):
        """Give a seat to a name that was written, unless the name has a seat already."""
        if name not in self.seated:
            self._change(self.seated[:seat] + [name] + self.seated[seat + 1 :])

    def _move_up(self):
        """Move the player at the cursor one seat up; the first one becomes the last."""
        seat = self.at
        if seat < len(self.seated):
            rest = self.seated[:seat] + self.seated[seat + 1 :]
            self.at = (seat - 1) % len(self.seated)
            self._change(rest[: self.at] + [self.seated[seat]] + rest[self.at :])

    def _new(self):
        """Ask for a name for the next seat, and for more names while the roster has no others."""
        seat = len(self.seated)
        if seat >= self.high:
            self._change(self.seated + [""])
            return
        finish = ("letters.key.go_on", self._written) if self.low <= seat else None
        write_name(self.app, later("players.name.seat", n=seat + 1), self._new_named, finish)

    def _new_named(self, name):
        self._named(len(self.seated), name)
        self.at = len(self.items) - 1
        if not self._others() and len(self.seated) < self.high:
            self._new()

    def _written(self):
        """Go on with the names that were written."""
        self.app.pop()
        self._done()

    def _done(self):
        """Hand the players to `on_done` if their number is allowed."""
        if self.low <= len(self.seated) <= self.high:
            self.on_done(self.names())
        else:
            self.app.refuse(text("E_PLAYERS", low=self.low, high=self.high, n=len(self.seated)))


class Players(Menu):
    """The list of names, to add, rename and remove."""

    def __init__(self, app):
        super().__init__(app, later("start.players"), [])
        self.resume()

    def resume(self):
        names = self.app.roster.names
        self.right = str(len(names))
        self.items = [(marked(icons.PLUS, "players.new"), self._new)]
        self.items += [(name, lambda name=name: self._one(name)) for name in names]
        self.at = min(self.at, len(self.items) - 1)

    def _new(self):
        write_name(self.app, later("players.name"), lambda name: self.resume())

    def _one(self, name):
        """Open the menu of one name."""
        app = self.app
        items = [
            (later("leave"), app.pop),
            (later("players.rename"), lambda: app.push(NameEntry(app, later("players.name"), renamed, name))),
            (later("players.remove"), lambda: self._change(app.roster.remove, name)),
        ]

        def renamed(new):
            if self._change(app.roster.rename, name, new):
                app.pop()

        app.push(Menu(app, name, items))

    def _change(self, action, *names):
        """Change the roster and leave the menu. Returns False, with a message, if that is not possible."""
        try:
            action(*names)
        except Refused as refused:
            self.app.refuse(refusal(refused, []))
        except OSError as trouble:
            self.app.flash_trouble(trouble)
        else:
            self.app.pop()
            return True
        return False


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
        """Return the line of a seat with name and points."""
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
        """Show that the points stay with the seat, then enter the names; a name of another seat is exchanged."""
        names = list(self.session.names)
        if name in names:
            names[names.index(name)] = names[p]
        names[p] = name
        question = later("seats.points", name=name, n=self.session.game.totals()[p])

        def enter():
            self.session.enter({"ev": "seats", "players": names})

        self.app.push(Notice(self.app, later("menu.names"), question, enter))
