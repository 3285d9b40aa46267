"""Show an unexpected error as a short trace on the display, and keep it in a file."""

from ..store.crash import keep_crash
from ..text import text
from ..widgets.screen import LINE


def show_crash(board, error, after=""):
    """Keep an error in a file and show it, with the sentence `after` below."""
    lines = keep_crash(board.storage, error)
    c = board.canvas
    c.clear()
    y = 0
    for line in [text("crash.title")] + lines[-6:] + [after]:
        c.text(c.fit(line, c.w), 0, y)
        y += LINE
    board.display.show()
