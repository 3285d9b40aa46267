"""Provide a short vocabulary for what happens at the table: games, events, refusals."""

import gc
import os
import sys

import kiebitz.games
from kiebitz.games import GAMES, Refused, new_game
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
