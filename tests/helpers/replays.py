"""Replay hundreds of random games with recorded results; both interpreters must get the same."""

import json

from kiebitz.games import Refused
from kiebitz.store.replay import ReplayedTable


def game_path(kind, name):
    """Return the path of tests/games/KIND/NAME."""
    return __file__[: -len("helpers/replays.py")] + "games/" + kind + "/" + name


def check_replays(kind):
    """Replay every recorded game of this kind."""
    checked = 0
    with open(game_path(kind, "replays.jsonl")) as file:
        for text in file:
            checked += 1
            _check(json.loads(text), "line %d of replays.jsonl of %s" % (checked, kind))
    assert checked >= 75, "only %d games of %s" % (checked, kind)


def _check(game, where):
    script, code = _replay(game["script"], where)
    assert code == game["refused"], "%s: %s" % (where, code)
    table = script.table
    if table is None:
        assert game["summary"] is None, where
    else:
        assert len(table) == game["events"], where
        assert table.game.summary() == game["summary"], where


def _replay(lines, where):
    """Return the script after the last line that was taken, and the code of the one that was refused."""
    script = ReplayedTable()
    for k, line in enumerate(lines):
        try:
            script.feed(line.encode())
        except Refused as refusal:
            assert k == len(lines) - 1, "%s: %s at its line %d" % (where, refusal.code, k + 1)
            return script, refusal.code
    return script, None
