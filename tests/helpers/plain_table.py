"""A table that simply keeps every list of events it ever had: slow, with nothing in it that could go wrong."""

from kiebitz.games import Refused, new_game
from kiebitz.games.base import bad


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
        elif line["ev"] == "correct":
            self._correct(line["at"], line["event"])
        else:
            self.game.restore(self.state)
            self.game.apply(line)
            self._keep(self.events + [self.game.canonical(line)])

    def _go(self, steps):
        if not 0 <= self.now + steps < len(self.past):
            raise Refused("E_PHASE")
        self.now += steps

    def _correct(self, at, event):
        if at >= len(self.events):
            raise bad("at")
        events = list(self.events)
        events[at] = event
        self.game.restore(self.start)
        for k, ev in enumerate(events):
            try:
                self.game.apply(ev)
            except Refused as refusal:
                refusal.at = k
                raise
        events[at] = self.game.canonical(event)
        self._keep(events)

    def _keep(self, events):
        self.past = self.past[: self.now + 1] + [(events, self.game.snapshot())]
        self.now += 1
