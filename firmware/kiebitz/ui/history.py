"""All entries of the game, newest first: go back to one of them, or correct it."""

from ..rules import Refused
from .screen import Menu, Notice
from .start import table_screen
from .texts import refusal, text
from .texts.describe import describe


class Entries:
    """The labels of a list with one line an entry, made when they are shown: a game may have hundreds."""

    def __init__(self, play):
        self.play = play

    def __len__(self):
        return len(self.play.table)

    def number(self, i):
        """The event that stands in line i."""
        return len(self) - 1 - i

    def __getitem__(self, i):
        k = self.number(i)
        return "%d %s" % (k + 1, describe(self.play.table.event(k), self.play.names))


class History(Menu):
    def __init__(self, app, play):
        super().__init__(app, text("history.title"), [])
        self.play = play
        self.entries = Entries(play)
        self.resume()

    def resume(self):
        self.right = str(len(self.entries))
        self.at = min(self.at, max(0, len(self.entries) - 1))
        self.items = range(max(1, len(self.entries)))

    def labels(self):
        return self.entries if len(self.entries) else [text("history.none")]

    def choose(self):
        if not len(self.entries):
            return
        k = self.entries.number(self.at)
        app = self.app
        items = [
            (text("history.leave"), app.pop),
            (text("history.correct"), lambda: correct(app, self.play, k)),
        ]
        later = len(self.entries) - 1 - k
        if later:
            items.append((text("history.go_back", n=later), lambda: self._go_back(later)))
        app.push(Menu(app, self.entries[self.at], items))

    def _go_back(self, later):
        """Take back everything after this entry."""
        self.app.pop_to_table()
        self.play.undo(later)


def correct(app, play, k):
    """The table as it was before entry k: what is entered there takes its place."""
    old = describe(play.table.event(k), play.names)
    screen = table_screen(app, Correction(app, play, k))
    screen.takes_back = False
    app.push(screen)
    app.toast(text("history.again", what=old), 0)


class Correction:
    """Stands for the play while one entry is corrected."""

    can_undo = can_redo = False
    last = ""

    def __init__(self, app, play, k):
        self.app = app
        self.k = k
        self.play = play
        self.game = play.table.game_at(k)
        self.delta = [0] * self.game.n

    @property
    def names(self):
        return self.game.names

    @property
    def table(self):
        return self.play.table

    def enter(self, ev, then=None):
        """Put the event in the place of the old one, if everything after it still fits."""
        try:
            done = self.play.replace(self.k, ev)
        except Refused as refused:
            self._refuse(refused, ev)
            return
        if done:
            self.app.pop_to_table()
            self.app.changed(self.play)
            self.app.toast(text("history.corrected", what=describe(ev, self.names)))

    def _refuse(self, refused, ev):
        sentence = refusal(refused, self.names)
        if refused.at != self.k:
            later = describe(self.table.event(refused.at), self.names)
            self.app.refuse(text("history.later", what=later, why=sentence))
        elif refused.code[:2] == "W_":
            sure = dict(ev)
            sure["confirm"] = True
            self.app.push(Notice(self.app, text("doubt.title"), sentence, lambda: self.enter(sure)))
        else:
            self.app.refuse(sentence)
