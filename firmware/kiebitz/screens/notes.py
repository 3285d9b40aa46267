"""Show the notes of one entry, a line for each: a message has room for one note only."""

from ..raster import icons
from ..text import later
from ..widgets.screen import ARROWS, Menu, about, footer


class Notes(Menu):
    """The players who could not pay in full, the only note that an entry may have twice, until a key closes it."""

    def __init__(self, app, notes, names):
        items = [(about("notes.row", names[info["p"]], missing=info["missing"]), app.pop) for _, info in notes]
        super().__init__(app, later("notes.title"), items)

    def draw_footer(self, c):
        footer(c, (ARROWS, ""), (icons.OK, "key.next"))
