"""Tell the player that the flash is full or cannot be written, and offer to make room."""

from ..store.sealed_lines import StorageFull
from ..text import later, text
from ..widgets.screen import Notice


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
