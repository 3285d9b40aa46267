"""Check invariants of every game after every event, and provide a plain table as a reference implementation.

A game may have more invariants in tests/games/KIND/case.py as WATCH.
"""

from kiebitz.games import Refused, new_game
from kiebitz.games.base import COMMON, bad

from helpers.play import case_of


def watch(game):
    """Return a watcher for the game. Call before(event) just before an entry and after(event) once it was accepted."""
    return getattr(case_of(game.KIND), "WATCH", Watch)(game)


class Watch:
    def __init__(self, game):
        self.game = game
        self.legal = []

    def before(self, event):
        self.legal = self.game.legal()

    def after(self, event):
        game = self.game
        assert event["ev"] in self.legal or event["ev"] in COMMON, "%s was taken but not offered" % event["ev"]
        assert len(game.totals()) == game.n
        assert bool(game.winners()) == game.over
        assert game.over == (game.legal() == [])


class PlainTable:
    """A table that replays the whole game for every change of the past and every house rule."""

    def __init__(self, setup):
        self.setup = setup
        self.past = [([], new_game(setup).snapshot())]  # (events in force, state after them), then what can be redone
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
        elif line["ev"] == "option":
            self._change("insert", len(self.events), line)
        else:
            game = self._begin(self.events)
            game.restore(self.state)
            game.apply(line)
            self._keep(game, self.events + [line])

    def _go(self, steps):
        if not 0 <= self.now + steps < len(self.past):
            raise Refused("E_PHASE")
        self.now += steps

    def _begin(self, events):
        """Return the game before its first event, under the house rules of these events."""
        options = dict(self.setup["options"])
        for event in events:
            if event["ev"] == "option":
                options[event["name"]] = event["value"]
        return new_game(dict(self.setup, options=options))

    def _change(self, name, at, event):
        if at >= len(self.events) + (name == "insert"):
            raise bad("at")
        if name != "remove":
            new_game(self.setup).read(event)  # what is malformed is refused first
        steps = list(enumerate(self.events))
        steps[at : at + (name != "insert")] = [] if name == "remove" else [(None, event)]
        events = [event for _, event in steps]
        game = self._begin(events)
        for k, step in steps:
            try:
                game.apply(step)
            except Refused as refusal:
                refusal.at = k
                raise
        self._keep(game, events)

    def _keep(self, game, events):
        events = [game.canonical(event) for event in events]
        self.past = self.past[: self.now + 1] + [(events, game.snapshot())]
        self.now += 1
