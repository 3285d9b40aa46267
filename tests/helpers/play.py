"""Provide a short vocabulary for what happens at the table, invariants of every game, and a plain reference table."""

import gc
import os
import sys

import kiebitz.games
from kiebitz.games import GAMES, Refused, new_game
from kiebitz.games.base import COMMON, bad
from kiebitz_lab.dice import setup


def game(kind, n, options=None, **keys):
    """Return a game for n players, set up and not yet begun."""
    return new_game(setup(kind, n, options, **keys))


def case_of(kind):
    """Return the module tests/games/KIND/case.py, with the data of this game for the tests of all games."""
    return __import__("games." + kind + ".case", None, None, ("*",))


def game_path(kind, name):
    """Return the path of tests/games/KIND/NAME."""
    return __file__[: -len("helpers/play.py")] + "games/" + kind + "/" + name


def short_game(kind):
    """Return (set-up, events) of a short piece of a game; all events are taken."""
    return case_of(kind).short()


def in_every_game(test):
    """Turn a test that takes the name of a game into one that runs it for every game, one in memory at a time.

    KIEBITZ_GAME names the only game to be tested.
    """

    def run():
        only = os.getenv("KIEBITZ_GAME")
        for kind in (only,) if only else GAMES:
            before = set(sys.modules)
            test(kind)
            if sys.implementation.name == "micropython":  # CPython has memory for all games
                forget(set(sys.modules) - before)

    return run


def forget(modules):
    """Unload the modules of the rules that are among these."""
    for module in modules:
        package, _, name = module.rpartition(".")
        if package == "kiebitz.games":
            delattr(kiebitz.games, name)
            del sys.modules[module]
    gc.collect()


def changed(line, **keys):
    """Return a set-up with some keys replaced; None leaves a key out."""
    line = dict(line)
    for key in keys:
        if keys[key] is None:
            del line[key]
        else:
            line[key] = keys[key]
    return line


def ev(name, **args):
    """Return one event, as in a replay line."""
    args["ev"] = name
    return args


def sure(event):
    """Return the same event after the confirming press."""
    event = dict(event)
    event["confirm"] = True
    return event


def play(g, *events):
    """Enter events that must all be accepted. Returns the codes of the notes of the last one."""
    notes = []
    for event in events:
        notes = g.apply(event)
    return [note[0] for note in notes]


def code_of(action, *args):
    """Return the code with which an action was refused, or None if it was accepted."""
    try:
        action(*args)
    except Refused as refusal:
        return refusal.code
    return None


def refuses(g, code, *events):
    """Check that each of these events is refused with this code, and nothing at all has changed."""
    for event in events:
        before = g.snapshot()
        got = code_of(g.apply, event)
        assert got == code, "%s: %s, not %s" % (event, got, code)
        assert g.snapshot() == before, "%s was refused but changed the game" % (event,)


def refuses_setup(code, line):
    """Check that a game cannot be set up this way."""
    got = code_of(new_game, line)
    assert got == code, "%s: %s, not %s" % (line, got, code)


def shows(g, **expected):
    """Check these values of the summary."""
    summary = g.summary()
    for key in expected:
        assert summary[key] == expected[key], "%s: %s, not %s" % (key, summary[key], expected[key])


def ended(g, winners):
    """Check that the game is over and these seats have won."""
    assert g.over
    shows(g, winners=winners)


def refused(code, call, *args):
    """Call the action, check that it is refused with exactly this code, and return the refusal."""
    try:
        call(*args)
    except Refused as refusal:
        assert refusal.code == code, "refused with %s, not with %s" % (refusal.code, code)
        return refusal
    raise AssertionError("not refused, though %s was expected" % code)


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
