"""List the titles of a game with their settings, the last played first, then well-known ones; edit the list."""

from .. import VERSION
from ..games import Refused, presets_of
from ..games.base import trim
from ..raster import icons
from ..store.safe_file import NEWER
from ..text import game_name, later, refusal, text
from ..widgets.keys import RIGHT
from ..widgets.screen import ARROWS, Menu, Notice, footer, marked
from .letters import NameEntry
from .messages import guarded
from .new_game import ReadyScreen, set_up
from .players import guest_name


def open_titles(app, kind):
    """Show the titles of a game, with a message if their list was damaged or written by a newer version."""
    app.push(Titles(app, kind))
    presets = app.presets
    if presets.report == NEWER:
        app.push(Notice(app, later("newer.title"), later("newer.message", newer="?", version=VERSION)))
    elif presets.report:
        app.push(Notice(app, later("report.title"), later("report.presets")))
    presets.report = None  # once is enough


class Titles(Menu):
    """The choice of a title. OK goes on with its settings, RIGHT changes them, UNDO restores a removed one."""

    footer_follows = True

    def __init__(self, app, kind):
        self.kind = kind
        self._removed = []  # (position, preset) of those removed, the last one at the end
        self.presets = []  # those of the list, then the well-known ones
        super().__init__(app, later("presets.which"), [])
        self.resume()

    def resume(self):
        """Rebuild the lines of the menu, because a laptop may have changed the list."""
        presets = list(self.app.presets.of(self.kind))
        titles = [preset["title"] for preset in presets]
        built_in = presets_of(self.kind)
        # The title that is also the name of the game in this language comes first
        known = [title for title in built_in.TITLES if text("title." + title) == game_name(self.kind)]
        known += [title for title in built_in.TITLES if title not in known]
        for title in known:
            shown = text("title." + title)
            if shown not in titles:
                options = built_in.options_for(title, 2)
                preset = {"game": self.kind, "title": shown, "options": options}
                preset.update(built_in.kept_for(title) if built_in.KEPT else {})
                presets.append(preset)
        self.presets = presets
        self.items = [(preset["title"], lambda preset=preset: self._play(preset)) for preset in presets]
        self.items.append((marked(icons.PLUS, "presets.new"), self._new))
        self.at = min(self.at, len(self.items) - 1)

    def draw_footer(self, c):
        back = ("\u2190" + icons.UNDO, "key.undo" if self._removed else "key.back")
        if self.at < len(self.presets):
            footer(c, (ARROWS + icons.OK, "presets.key.play"), ("\u2192", "key.change"), back)
        else:
            footer(c, (ARROWS + "\u2192" + icons.OK, "key.choose"), back)

    def key(self, k):
        if k == RIGHT and self.at < len(self.presets):
            preset = self.presets[self.at]
            self.app.push(EditPreset(self.app, self, preset))
            return None
        return super().key(k)

    def back(self):
        """Bring back the preset that was removed last; if there is none, leave the screen."""
        if not self._removed:
            self.app.pop()
            return
        at, preset = self._removed[-1]
        if kept(self.app, lambda: self.app.presets.add(preset, at)) is not None:
            self._removed.pop()
            self.resume()

    def _play(self, preset):
        set_up(self.app, self.kind, (), preset)

    def _new(self):
        """Write a title, then go on with the usual settings."""

        def named(title):
            self.app.pop()
            self._play({"title": title, "options": {}})

        self.app.push(NameEntry(self.app, later("presets.name"), named))

    def remove(self, preset):
        """Remove a preset and show how to restore it."""
        app = self.app
        at = app.presets.place(self.kind, preset["title"])
        if kept(app, lambda: app.presets.remove(self.kind, preset["title"])):
            self._removed.append((at, preset))
            app.pop_to(self)
            app.toast(text("presets.gone", title=preset["title"]))


def kept(app, action):
    """Change the presets. Returns True; with a message, False if they refuse it, and None if the flash does."""
    try:
        return guarded(app, lambda: action() or True)
    except Refused as refused:
        app.refuse(refusal(refused, []))
        return False


class EditPreset(ReadyScreen):
    """The settings of a preset, as before a game, but nobody plays: OK on the first line stores them."""

    def __init__(self, app, titles, preset):
        self.titles = titles
        self.preset = preset
        kind = titles.kind
        self.stored = app.presets.place(kind, preset["title"]) >= 0  # False: a well-known title as it came
        super().__init__(app, kind, [guest_name(0), guest_name(1)], preset)

    def first_items(self):
        """Return the line that stores the settings, and the one that removes the preset."""
        self.right = ""  # nobody plays
        items = [(later("presets.keep"), self._keep)]
        if self.stored:
            items.append((later("players.remove"), lambda: self.titles.remove(self.preset)))
        return items

    def draw_footer(self, c):
        self.draw_keys(c, "presets.key.keep")

    def _keep(self):
        """Store the settings; a well-known title becomes one of the list."""
        presets = self.app.presets
        preset = dict(self.setup)
        preset["options"] = self.own_rules()
        title = self.preset["title"]
        if kept(self.app, lambda: presets.change(title, preset) if self.stored else presets.add(preset)):
            self.app.pop()
            self.titles.at = [known["title"] for known in self.titles.presets].index(trim(preset["title"]))
            self.app.toast(text("presets.kept", title=preset["title"]))
