"""Check invariants of every game after every event, and provide a plain table as a reference implementation.

A game may have more invariants in tests/games/KIND/watch.py as WATCH.
"""

from importlib import import_module
from importlib.util import find_spec

from kiebitz.games import Refused, new_game
from kiebitz.games.base import bad


def watch(game):
    """Return a watcher for the game: before(event) just before it is entered, after(event) when it was taken."""
    name = f"games.{game.KIND}.watch"
    return import_module(name).WATCH(game) if find_spec(name) else Watch(game)


class Watch:
    def __init__(self, game):
        self.game = game
        self.legal = []

    def before(self, event):
        self.legal = self.game.legal()

    def after(self, event):
        game = self.game
        assert event["ev"] in self.legal or event["ev"] == "seats", "%s was taken but not offered" % event["ev"]
        assert len(game.totals()) == game.n
        assert bool(game.winners()) == game.over
        assert game.over == (game.legal() == [])


class PlainTable:
    def __init__(self, setup):
        self.game = new_game(setup)
        self.start = self.game.snapshot()
        self.past = [([], self.start)]  # (events in force, state after them), what could be redone at the end
        self.now = 0

    @property
    def events(self):
        return self.past[self.now][0]

    @property
    def state(self):
        return self.past[self.now][1]

    def play(self, line):
        if line["ev"] == "undo" or line["ev"] == "redo":
            self._go(line.get("k", 1) if line["ev"] == "redo" else -line.get("k", 1))
        elif line["ev"] in ("correct", "insert", "remove"):
            self._change(line["ev"], line["at"], line.get("event"))
        else:
            self.game.restore(self.state)
            self.game.apply(line)
            self._keep(self.events + [self.game.canonical(line)])

    def _go(self, steps):
        if not 0 <= self.now + steps < len(self.past):
            raise Refused("E_PHASE")
        self.now += steps

    def _change(self, name, at, event):
        if at >= len(self.events) + (name == "insert"):
            raise bad("at")
        before, new = self.events[:at], [] if name == "remove" else [event]
        later = list(range(at if name == "insert" else at + 1, len(self.events)))
        self.game.restore(self.start)
        for ev in before + new:
            self.game.apply(ev)
        for k in later:
            try:
                self.game.apply(self.events[k])
            except Refused as refusal:
                refusal.at = k
                raise
        self._keep(before + [self.game.canonical(ev) for ev in new] + [self.events[k] for k in later])

    def _keep(self, events):
        self.past = self.past[: self.now + 1] + [(events, self.game.snapshot())]
        self.now += 1
