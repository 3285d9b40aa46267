"""Describe the scenes outside a game: from the first start on, and in trouble."""

from types import SimpleNamespace

from kiebitz.games import GAMES, presets_of
from kiebitz.screens.language import FirstLanguage, KeepPicture
from kiebitz.screens.power import LostFlash
from kiebitz.screens.start import begin, tell_report
from kiebitz.store.safe_file import SafeFile
from kiebitz.store.sealed_lines import StorageFull
from kiebitz.store.settings import FORMAT, in_menu
from kiebitz.text import LANGUAGES
from kiebitz.widgets.keys import UNDO
from kiebitz.widgets.screen import Screen
from kiebitz_host.sim.hardware import Hardware

from ..games import GAMES_IN_LAB
from ..games.royal_flush import score
from ..handheld import spelled
from .table import confirm_and_leave

_TRACE = (("app.py", 145, "run"), ("app.py", 125, "step"), ("app.py", 189, "_key"), ("example.py", 21, "broken"))

_BROKEN = 5  # an input or output error
_NEW_NAMES = ("Al", "Bo", "Ela")  # letters with the same keys in all languages


class _Places:
    """The traceback of an error that came from these places, (module, line, function), the innermost last."""

    def __init__(self, place, *inner):
        file, self.tb_lineno, function = place
        self.tb_frame = SimpleNamespace(f_code=SimpleNamespace(co_filename=file, co_name=function))
        self.tb_next = _Places(*inner) if inner else None


class _Example(ValueError):
    """An error with a constant traceback, because the real one would change the picture with every edit."""

    __traceback__ = _Places(*_TRACE)  # type: ignore[assignment]


_Example.__name__ = "ValueError"


class _Broken(Screen):
    def key(self, k):
        raise _Example("example")


def _seated(kind):
    """Return the keys from the start that choose this game and write three new names.

    A title is chosen if the game has titles: the last built-in one, a plain sheet.
    """
    presets = presets_of(kind)
    words = [title for title in presets.TITLES if " " not in title] if presets else []  # a blank would end the key
    titles = [f"pick:title.{words[-1]}"] if presets else []
    keys = ["pick:start.new", f"pick:game.{kind}", *titles, "pick:players.new"]
    keys += [f"{spelled(name)} hold:ok" for name in _NEW_NAMES]
    return " ".join([*keys, "undo"])


def device(players):
    """Return the scenes from the first start on, and in trouble."""
    return [*_from_the_start(), *_in_trouble(players)]


def _from_the_start():
    """Return the scenes of a device without games."""
    first = _seated(GAMES[0])
    # Each setting but the language, which is chosen from a list, to the value before its default
    changes = [f" at:set.{setting.name} right*{len(setting.values) - 1}" for setting in in_menu()[1:]]
    return [
        ("first start", None, [], _first_language),
        ("start", None, [], ""),
        ("start, drawn seats", None, [], _drawn_seats),
        ("no games yet", None, [], "pick:start.games"),
        ("which game", None, [], "ok"),
        ("who plays", None, [], "ok ok"),
        ("too few players", None, [], "ok ok right"),
        ("who plays, guests", None, [], "ok ok ok*4"),
        ("name of a guest", None, [], "ok ok ok*4 up*3 ok"),
        ("name", None, [], "ok ok pick:players.new up up ok up"),
        ("name, five letters", None, [], "ok ok pick:players.new up up ok up right"),
        ("name, other letters", None, [], "ok ok pick:players.new up up down down"),
        ("name without letters", None, [], "ok ok pick:players.new hold:ok"),
        ("name with too many letters", None, [], "ok ok pick:players.new" + " up up" * 25),
        ("next name", None, [], first + " ok"),
        ("who plays, seated", None, [], first),
        ("who plays, moved up", None, [], first + " up*2 left"),
        ("ready", None, [], first + " right at:new.dealer left"),
        ("dealer by lot", None, [], first + " right at:new.dealer right"),
        ("dealer drawn", None, [], first + " right at:new.dealer right up ok"),
        *_before_each_game(),
        *_titles(),
        ("players", None, [], f"pick:start.players ok {spelled('Al')} hold:ok"),
        ("settings", None, [], "pick:start.settings" + "".join(changes)),
        ("languages", None, [], "pick:start.settings ok"),
        ("change the language", None, [], "pick:start.settings ok down ok"),
        ("settings, end", None, [], "pick:start.settings at:set.about"),
        ("keep this picture", None, [], lambda device: _push(device, KeepPicture(device.app))),
        ("display", None, [], "pick:start.settings pick:set.display at:display.find"),
        ("update", None, [], "pick:start.settings pick:set.update"),
        ("updating", None, [], "pick:start.settings pick:set.update ok"),
        ("UNDO held at power-on", None, [], _undo_held),
        ("about", None, [], "pick:start.settings pick:set.about"),
        ("self-test", None, [], "pick:start.settings pick:set.test up down"),
        ("self-test done", None, [], "pick:start.settings pick:set.test up down left right ok undo"),
        ("restore defaults", None, [], "pick:start.settings pick:set.defaults"),
        ("defaults restored", None, [], "pick:start.settings pick:set.defaults ok"),
    ]


def _before_each_game():
    """Yield the scenes before each game begins."""
    for kind, game in GAMES_IN_LAB.items():
        for title, keys in game.setup_scenes(_seated(kind)):
            yield title, None, [], keys


def _titles():
    """Return the scenes of the list of titles, for the first game that has one."""
    kind = next(kind for kind in GAMES if presets_of(kind))
    choose = f"ok pick:game.{kind} "
    played = ("Flip 7", "Tichu", "Schwimmen mit Bartholomä")

    def after(keys):
        """Return a function that presses keys with titles that were played."""

        def play(device):
            for title in reversed(played):
                device.app.presets.played({"game": kind, "title": title, "players": ["Anna", "Ben"]})
            device.keys(choose + keys)

        return play

    def damaged(device):
        device.app.presets.report = "damaged"
        device.keys(choose)

    return [
        ("which title", None, [], choose),
        ("which title, played last", None, [], after("down*2")),
        ("which title, the end of the list", None, [], choose + "at:presets.new"),
        ("new title", None, [], choose + "pick:presets.new"),
        ("change a title", None, [], after("down right")),
        ("change a well-known title", None, [], choose + "right"),
        ("title kept", None, [], choose + "down right ok"),
        ("title removed", None, [], after("right pick:players.remove")),
        ("damaged titles", None, [], damaged),
    ]


def _in_trouble(players):
    """Return the scenes with a full, broken or damaged flash, a stuck key, or an error."""
    setup = {"game": "royal_flush", "players": players}
    over = [score(0, "royal_flush")] * 3
    return [
        ("memory full", None, [], lambda device: _trouble(device, StorageFull())),
        ("memory full, games to remove", setup, over, _full_of_games),
        ("games removed", setup, over, lambda device: _full_of_games(device, "ok")),
        ("memory full, unfinished games to remove", setup, over[:1], _full_of_unfinished),
        ("remove an unfinished game", setup, over[:1], _remove_unfinished),
        ("newest entries set aside", setup, over[:1], _set_aside),
        ("memory broken", None, [], lambda device: _trouble(device, OSError(_BROKEN))),
        ("torn entry", None, [], lambda device: _report(device, ("torn", 7))),
        ("damaged game", None, [], lambda device: _report(device, ("bad", 9, 120))),
        ("lost game", None, [], lambda device: _report(device, ("bad", 1, 0))),
        ("damaged settings", None, [], lambda device: _damaged(device, "settings")),
        ("damaged players", None, [], lambda device: _damaged(device, "roster")),
        ("damaged note", None, [], lambda device: _damaged(device, "library")),
        ("memory lost", None, [], lambda device: _push(device, LostFlash(device.app))),
        ("memory lost, erase", None, [], lambda device: _push(device, LostFlash(device.app)).keys("ok")),
        ("erasing", None, [], _erasing),
        ("newer games", None, [], _newer),
        ("key stuck", None, [], _stuck),
        ("error", None, [], _crash),
    ]


# --- scenes that need more than keys ---


def _undo_held(device):
    """Show the screen after power-on with UNDO pressed."""
    hardware = Hardware(device.profile)
    hardware.press(UNDO)
    device.on(hardware)


def _first_language(device):
    """Ask for the language, with the cursor on the one in use."""
    lang = device.app.settings["language"]
    device.app.push(FirstLanguage(device.app))
    device.keys(f"up*{len(LANGUAGES) - LANGUAGES.index(lang)}")


def _drawn_seats(device):
    """Show the first screen of a device for which a club has drawn a table."""
    kind = next(iter(GAMES))
    device.app.roster.seat({"table": 3, "setup": {"game": kind, "players": ["Anna", "Ben", "Cleo", "Dan"]}})
    device.app.top.resume()
    device.app.wake()
    device.wait(100)


def _trouble(device, trouble, keys=""):
    """Show trouble with the flash, then press keys."""
    device.app.flash_trouble(trouble)
    device.wait(100)
    device.keys(keys)


def _full_of_games(device, keys=""):
    """Show a full flash with a game that may be removed, then press keys."""
    confirm_and_leave(device)
    _trouble(device, StorageFull(), keys)


def _two_games(device):
    """Leave two games, of which a laptop has fetched the first."""
    setup = device.table.setup
    confirm_and_leave(device)
    device.sit_down(setup)
    device.app.leave_table()
    device.wait(100)


def _full_of_unfinished(device):
    """Show a full flash with an unfinished game that may be removed."""
    _two_games(device)
    _trouble(device, StorageFull())


def _remove_unfinished(device):
    """Ask before an unfinished game is removed."""
    _two_games(device)
    device.keys("pick:start.games down ok ok pick:shelf.remove")


def _set_aside(device):
    """Make an entry while the newest lines of another game have to be set aside."""
    device.app.library.files.lost = "another.kbz"
    device.keys("ok ok")


def _report(device, report):
    """Show the report of a damaged game."""
    tell_report(device.app, report)
    device.wait(100)


def _damaged(device, name):
    """Start with a damaged file of settings, roster or games."""
    getattr(device.app, name).report = "damaged"
    begin(device.app)
    device.wait(100)


def _push(device, screen):
    """Show a screen and return the device."""
    device.app.push(screen)
    device.wait(100)
    return device


def _newer(device):
    """Start with games that a newer version has stored in an unknown format."""
    values = dict(device.app.settings.all(), format=[FORMAT + 1, "0.9.0"])
    SafeFile(device.storage, "settings").save(values)
    device.on()


def _erasing(device):
    """Erase a lost flash, without a real format."""
    device.board.format = device.board.reset = lambda: None
    _push(device, LostFlash(device.app)).keys("ok hold:ok")


def _stuck(device):
    """Start with two keys pressed that stay pressed."""
    hardware = Hardware(device.profile)
    hardware.press("left")
    hardware.press("right")
    device.on(hardware)
    device.keys("pick:start.settings pick:set.test")


def _crash(device):
    """Raise an unexpected error in a screen."""
    device.app.push(_Broken(device.app))
    device.hw.tap("ok")
    device.hw.time.at(500, device.power_off)
    device.run()
