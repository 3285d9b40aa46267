"""Throw the game in play away: it is kept for a while, and UNDO on the first screen brings it back."""

from ..text import text
from .new_game import set_up
from .start import Start
from .storage_trouble import guarded


def throw_away(app, anew):
    """Throw the game in play away and show the first screen; anew: above it, the set-up with the same players."""
    game, setup = app.library.table.game, app.library.table.setup
    thrown = guarded(app, app.library.throw_away)
    if not thrown:
        return
    start = Start(app)
    start.thrown = thrown
    app.stack = []
    app.push(start)
    if anew:
        set_up(app, game.KIND, list(game.names), setup if game.title else None)
        app.toast(text("thrown.anew"))
    else:
        app.toast(text("thrown.done"))
