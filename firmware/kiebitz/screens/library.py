"""List the games on this device with their results, to play on or remove a game."""

from ..games import Refused
from ..raster import icons
from ..text import game_name, later, text
from ..text.describe import date_text, day_text
from ..widgets.fitting import TextWithNames
from ..widgets.keys import OK
from ..widgets.screen import LINE, Menu, Notice, Screen, footer, header, text_right
from .messages import guarded
from .start import bring_back, open_table


class LibraryMenu(Menu):
    """The list of all games, newest first."""

    def __init__(self, app):
        super().__init__(app, later("start.games"), [])
        self.resume()

    def resume(self):
        thrown = self.app.library.thrown.ids()
        ids = self.app.library.ids()
        kept = [game_id for game_id in ids if game_id not in thrown]
        self.ids = kept + [game_id for game_id in ids if game_id in thrown]
        self.right = str(len(kept))
        self.items = self.ids or [None]
        self.at = min(self.at, len(self.items) - 1)

    def labels(self):
        return _Labels(self.app.library, self.ids, int(self.right)) if self.ids else [later("shelf.none")]

    def draw_footer(self, c):
        if self.ids:
            super().draw_footer(c)
        else:
            footer(c, ("\u2190" + icons.UNDO, "key.back"))

    def choose(self):
        if self.ids:
            entry = self.app.library.readable_entry(self.ids[self.at])
            if entry:
                self.app.push(GameCard(self.app, entry))

    def back(self):
        self.app.library.release()
        self.app.pop()


class _Labels:
    """The labels of the list of games, made when shown because each is read from flash."""

    def __init__(self, library, ids, kept):
        self.library = library
        self.ids = ids
        self.kept = kept  # how many were not thrown away

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, i):
        entry = self.library.readable_entry(self.ids[i])
        if entry is None:
            return icons.WARNING + " " + text("shelf.damaged")
        if i >= self.kept:
            return _open_game(entry, icons.UNDO)
        if not entry["finished"]:
            return _open_game(entry, icons.HOURGLASS)
        names = ", ".join([entry["players"][p] for p in entry["winners"]])
        return icons.TROPHY + " " + text("shelf.game", game=_name(entry), names=names)


def _name(entry):
    """Return the name of a game in the list."""
    return game_name(entry["game"], entry.get("title"))


def _open_game(entry, mark):
    """Return the line of an unfinished game with game, round, leader and day."""
    leader = _order(entry)[0]
    start = mark + _name(entry)
    if entry.get("rounds") is not None:
        start += " %d" % (entry["rounds"] + 1)
    day = " " + day_text(entry["at"]) if entry["at"] else ""
    return TextWithNames(lambda names: start + " " + icons.CROWN + names[0] + day, [entry["players"][leader]])


def _order(entry):
    """Return the seats of a game, the best first."""
    sign = 1 if entry.get("low") else -1
    return sorted(range(len(entry["players"])), key=lambda p: (p not in entry["winners"], sign * entry["totals"][p], p))


class GameCard(Screen):
    """One game with players and totals, to continue it, or to remove it once a laptop has confirmed it."""

    def __init__(self, app, entry):
        super().__init__(app)
        self.entry = entry

    def draw(self, c):
        entry = self.entry
        day = date_text(entry["at"]) if entry["at"] else text("shelf.events", n=entry["events"])
        header(c, _name(entry), day)
        order = _order(entry)
        columns = 1 if len(order) < 5 else 2
        rows = (len(order) + columns - 1) // columns
        w = c.w if columns == 1 else c.w // 2 - 2
        for i, p in enumerate(order):
            x, y = i // rows * (c.w - w), LINE + 2 + i % rows * (LINE + 1)
            mark = icons.TROPHY if p in entry["winners"] else ""
            total = mark + str(entry["totals"][p])
            text_right(c, total, x + w, y)
            c.text(c.fit(entry["players"][p], w - c.width(total) - 4), x, y)
        if columns > 1:
            c.vline(c.w // 2 - 1, LINE + 2, rows * (LINE + 1))
        synced = text("shelf.synced") if entry["confirmed"] else text("shelf.not_synced")
        text_right(c, synced, c.w, c.h - 2 * LINE)
        footer(c, (icons.OK, "key.menu"), (icons.UNDO, "key.back"))

    def key(self, k):
        if k == OK:
            self._menu()

    def _menu(self):
        """Open the menu of this game."""
        app, entry = self.app, self.entry
        thrown = entry["id"] in app.library.thrown.ids()
        opening = (later("shelf.bring_back"), self._bring_back) if thrown else (later("shelf.open"), self._open)
        items = [(later("leave"), app.pop), opening]
        if entry["confirmed"] and entry["finished"]:
            items.append((later("shelf.remove"), self._remove))
        elif entry["confirmed"] and entry["id"] != app.library.running:
            items.append((later("shelf.remove"), self._ask))
        app.push(Menu(app, lambda: _name(entry), items))

    def _open(self):
        """Open the game to play on, or to look at a finished one; UNDO makes a finished game unfinished again."""
        _, table, _ = guarded(self.app, lambda: self.app.library.resume(self.entry["id"])) or (None, None, None)
        if table is not None:
            open_table(self.app)

    def _bring_back(self):
        """Open a game that was thrown away."""
        bring_back(self.app, self.entry["id"])

    def _ask(self):
        """Ask before an unfinished game is removed."""
        self.app.push(Notice(self.app, later("shelf.remove"), later("shelf.unfinished"), self._remove))

    def _remove(self):
        """Remove the game from flash."""
        try:
            self.app.library.remove(self.entry["id"])
        except (Refused, OSError):
            self.app.refuse(text("shelf.kept"))
            return
        self.app.pop(2)
