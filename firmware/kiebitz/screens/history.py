"""Show all entries of the game, newest first, to go back to an entry or correct it."""

from ..games import Refused, table_screen
from ..machine_code import const
from ..session import doubt, entry_line
from ..text import later, refusal, text
from ..text.describe import describe
from ..widgets.screen import Menu

_NAME_W = const(48)  # of each name, where one message has two sentences


class Entries:
    """The labels of a list, one line per entry, made when they are shown: a game may have hundreds of entries."""

    def __init__(self, play):
        self.play = play

    def __len__(self):
        return len(self.play.table)

    def number(self, i):
        """Return the number of the event in line i."""
        return len(self) - 1 - i

    def __getitem__(self, i):
        k = self.number(i)
        return entry_line(self.play.table.event(k), self.play.names, self.play.game.KIND, "%d " % (k + 1))


class History(Menu):
    """The list of entries, newest first."""

    def __init__(self, app, play):
        super().__init__(app, later("menu.history"), [])
        self.play = play
        self.entries = Entries(play)
        self.resume()

    def resume(self):
        self.right = str(len(self.entries))
        self.at = min(self.at, max(0, len(self.entries) - 1))
        self.items = range(max(1, len(self.entries)))

    def labels(self):
        return self.entries if len(self.entries) else [later("history.none")]

    def choose(self):
        if not len(self.entries):
            return
        app, i = self.app, self.at
        k = self.entries.number(i)
        items = [
            (later("leave"), app.pop),
            (later("history.correct"), lambda: correct(app, self.play, k)),
        ]
        after = len(self.entries) - 1 - k
        if after:
            items.append((later("history.go_back", n=after), lambda: self._go_back(after)))
        app.push(Menu(app, self.entries[i], items))

    def _go_back(self, after):
        """Take back the `after` entries that follow the chosen one."""
        self.app.pop_to_table()
        self.play.undo(after)


def correct(app, play, k):
    """Show the table as it was before entry k; the next entry made there replaces entry k."""
    old = describe(play.table.event(k), play.names, play.game.KIND)
    screen = table_screen(app, Correction(app, play, k))
    screen.takes_back = False
    app.push(screen)
    app.toast(text("history.again", what=old), 0)


class Correction:
    """A stand-in for Session while one entry is corrected."""

    can_undo = can_redo = False
    last = None

    def __init__(self, app, play, k):
        self.app = app
        self.k = k
        self.play = play
        self.game = play.table.game_at(k)
        self.seat = play.table.event(k).get("p")
        self.delta = [0] * self.game.n

    @property
    def names(self):
        return self.game.names

    @property
    def table(self):
        return self.play.table

    def enter(self, ev, then=None):
        """Replace the old event by this one, if all later events still fit."""
        try:
            done = self.play.replace(self.k, ev)
        except Refused as refused:
            self._refuse(refused, ev)
            return
        if done:
            self.app.pop_to_table()
            self.app.changed(self.play)
            self.app.toast(text("history.corrected", what=describe(ev, self.names, self.game.KIND)))

    def _refuse(self, refused, ev):
        """Show why the correction is not possible, or ask for a confirming press."""
        if refused.at != self.k:
            names = [self.app.canvas.fit(name, _NAME_W) for name in self.names]
            what = describe(self.table.event(refused.at), names, self.game.KIND)
            self.app.refuse(text("history.later", what=what, why=refusal(refused, names)))
        elif refused.code[:2] == "W_":
            sure = dict(ev)
            sure["confirm"] = True
            doubt(self.app, refused, self.names, lambda: self.enter(sure))
        else:
            self.app.refuse(refusal(refused, self.names))
