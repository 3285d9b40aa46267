"""What must be true of every game after every event; a game may have more in tests/games/KIND/watch.py as WATCH."""

from importlib import import_module
from importlib.util import find_spec


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
