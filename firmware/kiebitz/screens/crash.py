"""An error that nobody expected: kept in a file, and as a short trace on the display."""

from ..store.crash import keep_crash
from ..text import text
from ..widgets.screen import LINE


def show_crash(board, error, after=""):
    """Keep an error and show it, with a sentence below about what comes next."""
    lines = keep_crash(board.storage, error)
    c = board.canvas
    c.clear()
    y = 0
    for line in [text("crash.title")] + lines[-6:] + [after]:
        c.text(c.fit(line, c.w), 0, y)
        y += LINE
    board.display.show()
