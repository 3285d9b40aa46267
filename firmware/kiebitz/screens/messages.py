"""Show trouble with the flash, the notes of an entry and unexpected errors."""

from ..raster import icons
from ..store.sealed_lines import StorageFull
from ..text import later, text
from ..widgets.fitting import about
from ..widgets.screen import ARROWS, LINE, SIDES, Menu, Notice, footer


def guarded(app, action):
    """Call an action that uses the flash and return its result; after an OSError, show it and return None."""
    try:
        return action()
    except OSError as trouble:
        app.flash_trouble(trouble)
        return None


def tell_trouble(app, trouble):
    """Show that nothing was lost or changed, and what the player can do."""
    if not isinstance(trouble, StorageFull):
        code = trouble.args[0] if trouble.args else "?"
        app.push(Notice(app, later("flash.title"), later("flash.error", code=code)))
        return
    question = "flash.offer"
    removable = app.library.removable()
    if not removable:
        question = "flash.offer_unfinished"
        removable = app.library.removable(finished=False)
    if not removable:
        app.push(Notice(app, later("flash.title"), later("flash.full")))
        return

    def make_room():
        for game_id in removable:
            guarded(app, lambda game_id=game_id: app.library.remove(game_id))
        app.toast(text("flash.made_room", n=len(removable)))

    app.push(Notice(app, later("flash.title"), later(question, n=len(removable)), make_room))


class Notes(Menu):
    """The players who could not pay in full, the only note that an entry may have twice, until a key closes it."""

    def __init__(self, app, notes, names):
        items = [(about("notes.row", names[info["p"]], missing=info["missing"]), app.pop) for _, info in notes]
        super().__init__(app, later("notes.title"), items)

    def draw_footer(self, c):
        footer(c, (ARROWS, "key.line"), (SIDES + icons.OK + icons.UNDO, "key.next"))


def show_crash(board, error, after=""):
    """Keep an error in a file and show it, with the sentence `after` below.

    The checkpoints are removed, because a corrupt one would cause the error again at each start.
    """
    from ..store.checkpoint import forget_all
    from ..store.crash import keep_crash

    forget_all(board.storage)

    lines = keep_crash(board.storage, error)
    c = board.canvas
    c.clear()
    y = 0
    for line in [text("crash.title")] + lines[-6:] + [after]:
        c.text(c.fit(line, c.w), 0, y)
        y += LINE
    board.display.show()
