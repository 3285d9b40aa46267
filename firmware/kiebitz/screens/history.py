"""Show all entries of the game, newest first, to go back to an entry, correct it, delete it or insert one."""

from ..games import Refused, table_screen
from ..games.base import COMMON
from ..raster import icons
from ..session import entry_line, refuse
from ..text import has, later, text
from ..text.describe import describe
from ..widgets.screen import Menu, Notice, footer, signed

_THEN = {"over": "history.then_over", "on": "history.then_on"}
_DONE = {"correct": "history.corrected", "insert": "history.inserted", "remove": "history.removed"}


class EntryLabels:
    """The labels of the list of entries, made when shown because a game may have hundreds."""

    def __init__(self, session):
        self.session = session
        self._first = 0  # the event to which the first of the ends belongs
        self._ends = []

    def __len__(self):
        return len(self.session.table)

    def number(self, i):
        """Return the number of the event in line i."""
        return len(self) - 1 - i

    def __getitem__(self, i):
        k = self.number(i)
        return entry_line(self.session.table.event(k), self.session.names, self.session.game.KIND, "%d " % (k + 1))

    def end(self, i):
        """Return the round and the points of the event in line i, for the right end of the line."""
        k = self.number(i)
        if not 0 <= k - self._first < len(self._ends):
            self._replay(k)
        return self._ends[k - self._first]

    def forget(self):
        """Forget the ends after the game has changed."""
        self._ends = []

    def _replay(self, k):
        """Make the ends of event k and its neighbours, as many as one replay gives."""
        table = self.session.table
        self._first, end = table.stretch(k)
        self._ends = []
        game = table.game_at(self._first)
        before = game.totals()
        for i in range(self._first, end):
            event, number = table.event(i), game.rounds_over()
            game.apply(event)
            after = game.totals()
            words = [] if number is None or event["ev"] in COMMON else [text("history.round", n=number + 1)]
            seats = [event[key] for key in ("p", "winner", "best") if event.get(key) is not None]
            if seats and after[seats[0]] != before[seats[0]]:
                words.append(signed(after[seats[0]] - before[seats[0]]))
            self._ends.append(" ".join(words))
            before = after


class History(Menu):
    """The list of entries, newest first. `entry` is the number of the event to begin with, by default the last."""

    def __init__(self, app, session, entry=None):
        super().__init__(app, later("menu.history"), [])
        self.session = session
        self.entries = EntryLabels(session)
        if entry is not None:
            self.at = self.entries.number(entry)
        self.resume()

    def line_end(self, i):
        return self.entries.end(i) if len(self.entries) else ""

    def resume(self):
        self.entries.forget()
        self.right = str(len(self.entries))
        self.at = min(self.at, max(0, len(self.entries) - 1))
        self.items = range(max(1, len(self.entries)))

    def labels(self):
        return self.entries if len(self.entries) else [later("history.none")]

    def draw_footer(self, c):
        if len(self.entries):
            super().draw_footer(c)
        else:
            footer(c, ("\u2190" + icons.UNDO, "key.back"))

    def choose(self):
        if not len(self.entries):
            return
        app, session = self.app, self.session
        k = self.entries.number(self.at)
        items = [
            (later("leave"), app.pop),
            (later("history.correct"), lambda: enter_again(app, PastSession(app, session, "correct", k))),
            (later("history.insert"), lambda: enter_again(app, PastSession(app, session, "insert", k))),
            (later("history.remove"), lambda: PastSession(app, session, "remove", k).enter(None)),
        ]
        after = len(self.entries) - 1 - k
        if after:
            items.append((later("history.go_back", n=after), lambda: self._go_back(after)))
        app.push(Menu(app, self.entries[self.at], items))

    def _go_back(self, after):
        """Take back the `after` entries that follow the chosen one."""
        self.app.pop_to_table()
        self.session.undo(after)


def enter_again(app, change):
    """Show the table as it was at an earlier entry; the next entry made there is the change."""
    if change.corrected.get("ev") == "seats":
        from .players import Seats

        app.push(Seats(app, change))
        return
    if change.corrected.get("ev") == "option":
        from .house_rules import RulesInPlay

        app.push(RulesInPlay(app, change, change.corrected["name"]))
        return
    screen = table_screen(app, change)
    screen.takes_back = False
    screen.banner = change.banner
    app.push(screen)


class PastSession:
    """Replaces Session while an earlier entry is corrected, inserted or deleted."""

    can_undo = can_redo = False
    last = None

    def __init__(self, app, session, name, k):
        self.app = app
        self.name = name
        self.k = k
        self.session = session
        self.game = session.table.game_at(k)
        self.old = session.table.event(k)
        self.corrected = self.old if name == "correct" else {}
        self.seat = self.old.get("p")
        self.delta = [0] * self.game.n

    @property
    def names(self):
        return self.game.names

    @property
    def table(self):
        return self.session.table

    @property
    def minutes(self):
        return self.session.minutes

    @property
    def banner(self):
        """The entry that is being changed, for the header."""
        if self.name == "correct":
            return entry_line(self.old, self.names, self.game.KIND, "%s %d " % (icons.CORRECT, self.k + 1))
        before = text("history.before", k=self.k + 1)
        return entry_line(self.old, self.names, self.game.KIND, "%s %s " % (icons.PLUS, before))

    def under(self, option):
        """Return the game as it would be with this `option` event in the place of the entry."""
        return self.table.game_at(len(self.table), self.table.rules_after(self.name, self.k, option))

    def enter(self, ev):
        """Make the change with this event, if all later events still fit; if a round would end elsewhere, ask first."""
        try:
            moved = moved_round(self.table, self.name, self.k, ev)
        except Refused as refused:
            refuse(self, refused, ev)
            return
        if moved:
            question = self._question(moved)
            self.app.push(Notice(self.app, later("history." + self.name), question, lambda: self._make(ev)))
        else:
            self._make(ev)

    def _question(self, moved):
        """Return the question whether the end of a round, or of the game, is meant to move."""
        if moved in _THEN:
            return later(_THEN[moved])
        own = "history.moves." + self.game.KIND
        return later(own if has(own) else "history.moves", n=moved)

    def _make(self, ev):
        """Store the change and show the table with it."""
        if self.session.change(self.name, self.k, ev):
            self.app.pop_to_table()
            self.app.changed(self.session)
            what = describe(self.old if ev is None else ev, self.names, self.game.KIND)
            self.app.toast(text(_DONE[self.name], what=what))


def moved_round(table, name, k, ev=None):
    """Try a change (see Table.change) on copies of the game. Raises Refused if the change does not fit.

    Returns the number of the first round that would end at another entry, "over" if the game would be over with the
    change, "on" if it would not be over any more, or None if the ends of rounds stay.
    """
    old, new = table.game_at(k), table.game_at(k, table.rules_after(name, k, ev))
    if name != "remove":
        new.apply(ev)
    first = k
    if name != "insert":
        old.apply(table.event(k))
        first += 1
    moved = None
    for i in range(first, len(table)):
        moved = moved or _difference(old, new)
        event = table.event(i)
        old.apply(event)
        try:
            new.apply(event)
        except Refused as refusal:
            refusal.at = i
            raise
    if old.over != new.over:
        return "over" if new.over else "on"
    return moved or _difference(old, new)


def _difference(old, new):
    """Return the number of the round that is over in one of two games only, or None."""
    a, b = old.rounds_over(), new.rounds_over()
    return None if a == b else min(a, b) + 1
