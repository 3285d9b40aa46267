"""Describe the scenes that belong to no single game: at any table, from the first start on, and in trouble."""

from types import SimpleNamespace

from kiebitz.games import GAMES, presets_of
from kiebitz.screens.display_choice import KeepPicture
from kiebitz.screens.flash_unusable import LostFlash
from kiebitz.screens.language import FirstLanguage
from kiebitz.screens.start import begin, tell_report
from kiebitz.store.safe_file import SafeFile
from kiebitz.store.sealed_lines import StorageFull
from kiebitz.store.settings import FORMAT, in_menu
from kiebitz.text import LANGUAGES
from kiebitz.widgets.keys import UNDO
from kiebitz.widgets.screen import Screen
from kiebitz_host.sim.hardware import Hardware

from kiebitz_lab.laptop_stand_in import confirm

from ..games import GAMES_IN_LAB
from ..games.royal_flush import score, spend
from ..spelling import spelled

_TRACE = (("app.py", 145, "run"), ("app.py", 125, "step"), ("app.py", 189, "_key"), ("example.py", 21, "broken"))

_SUNDAY = 1_794_787_200  # the 15th of November 2026
_LONG = 10  # letters of a name
_BROKEN = 5  # an input or output error
_NEW_NAMES = ("Al", "Bo", "Ela")  # letters with the same keys in all languages


class _Places:
    """The traceback of an error that came from these places, (module, line, function), the innermost last."""

    def __init__(self, place, *inner):
        file, self.tb_lineno, function = place
        self.tb_frame = SimpleNamespace(f_code=SimpleNamespace(co_filename=file, co_name=function))
        self.tb_next = _Places(*inner) if inner else None


class _Example(ValueError):
    """An error from places that are always the same: the real ones would change the picture with every edit."""

    __traceback__ = _Places(*_TRACE)  # type: ignore[assignment]


_Example.__name__ = "ValueError"


class _Broken(Screen):
    def key(self, k):
        raise _Example("example")


def _seated(kind):
    """Return the keys from the start that choose this game and write three new names.

    Of titles, the last one that every device knows is chosen: a plain sheet.
    """
    presets = presets_of(kind)
    titles = [f"pick:title.{presets.TITLES[-1]}"] if presets else []
    keys = ["pick:start.new", f"pick:game.{kind}", *titles, "pick:players.new"]
    keys += [f"{spelled(name)} hold:ok" for name in _NEW_NAMES]
    return " ".join([*keys, "undo"])


def device(players):
    """Return the scenes from the first start on, and in trouble."""
    return [*_from_the_start(), *_in_trouble(players)]


def table(players):
    """Return the scenes that are the same at any table."""
    setup = {"game": "royal_flush", "players": players}
    some = [spend(0, 2), score(1, "four_kind"), score(0, "three_kind")]
    longest = [score(0, "perfect_triple"), score(1, "straight_flush")]
    over = [score(0, "royal_flush")] * 3
    return [
        ("menu", setup, some, "left at:lots.title"),
        ("standings", setup, some, _after_a_while),
        ("final ranking after a long evening", setup, over, _long_evening),
        ("the game begun again", setup, over, "ok left"),
        ("battery low", setup, some, _low_battery),
        ("battery empty", setup, some, _empty_battery),
        ("house rules", setup, some, "left pick:menu.rules" + " down" * 7),
        ("all entries", setup, some, "left pick:menu.history"),
        ("longest entries", setup, longest, "left pick:menu.history"),
        ("no entries", setup, [], "left pick:menu.history"),
        ("one entry", setup, some, "left pick:menu.history down*2 ok"),
        ("correct an entry", setup, some, "left pick:menu.history down ok pick:history.correct"),
        ("corrected", setup, some, "left pick:menu.history down ok pick:history.correct ok up ok"),
        (
            "later entry in the way",
            setup,
            [spend(0, 2), spend(0, 3)],
            "left pick:menu.history down ok pick:history.correct right*4 ok",
        ),
        ("entries taken back", setup, some, "left pick:menu.history down*2 ok pick:history.go_back"),
        ("insert an entry", setup, some, "left pick:menu.history down ok pick:history.insert"),
        ("entry inserted", setup, some, "left pick:menu.history down ok pick:history.insert ok*2"),
        ("entry deleted", setup, some, "left pick:menu.history down ok pick:history.remove"),
        (
            "the end of a round would move",
            setup,
            [*some, *over[:1], *some],
            "left pick:menu.history down*3 ok pick:history.remove",
        ),
        ("the game would go on", setup, over, "left pick:menu.history ok pick:history.remove"),
        (
            "the game would be over",
            setup,
            [*over[:2], some[2]],
            "left pick:menu.history ok pick:history.correct ok down*2 right ok",
        ),
        ("begin anew", setup, some, "left pick:menu.anew"),
        ("names and seats", setup, some, "left pick:menu.names"),
        ("one seat", setup, some, "left pick:menu.names ok down*2"),
        ("points stay with the seat", setup, some, "left pick:menu.names ok down*2 ok"),
        ("names exchanged", setup, some, "left pick:menu.names ok down*2 ok ok"),
        ("end the game now", setup, some, "left pick:menu.end"),
        ("thrown away", setup, some, "left pick:menu.throw"),
        ("games played, one thrown away", setup, some, "left pick:menu.throw pick:start.games"),
        ("a game that was thrown away", setup, some, "left pick:menu.throw pick:start.games ok ok at:shelf.bring_back"),
        ("undo", setup, some, "undo"),
        ("undo held", setup, some, _hold_undo),
        ("redo", setup, some, "undo hold:undo"),
        ("nothing to undo", setup, [], "undo"),
        ("nothing to redo", setup, some, "hold:undo"),
        ("nothing to undo, only to redo", setup, some[:1], _only_redo),
        ("start with a running game", setup, some, "left pick:menu.leave"),
        ("games played", setup, some, "left pick:menu.leave pick:start.games"),
        ("one game", setup, some, "left pick:menu.leave pick:start.games ok"),
        ("one game, what to do", setup, some, "left pick:menu.leave pick:start.games ok ok"),
        ("one game, on the laptop", setup, over, _synced),
        ("one game with eight players", None, [], lambda device: _of_eight(device, players)),
        ("games played, one damaged", setup, some, _damaged_file),
        ("one game, with its day", None, [], lambda device: _on_sunday(device, setup)),
        ("settings at the table", setup, some, "left pick:start.settings"),
        ("who starts", setup, some, "left pick:lots.title"),
        ("who starts, player", setup, some, _thrown("ok", 2)),
        ("who starts, die", setup, some, _thrown("right ok", 4)),
        ("who starts, dice", setup, some, _thrown("right*2 ok", 5)),
        ("who starts, coin", setup, some, _thrown("left ok", 0)),
        ("who starts, coin again", setup, some, _thrown("left ok", 1)),
        ("the same again", None, [], _known(players, "ok ok")),
        ("who plays", None, [], _known(players, "ok ok down ok ok")),
        ("ready", None, [], _known(players, "ok ok ok at:new.rules")),
        ("children", None, [], _known(players, "ok ok ok pick:new.children.none")),
        ("one player", None, [], _known(players, "pick:start.players down ok at:players.remove")),
    ]


def _from_the_start():
    """Return the scenes of a device without games."""
    first = _seated(GAMES[0])
    # Each setting but the language, which is chosen from a list, to the value before its default
    changes = [f" at:set.{setting.name} right*{len(setting.values) - 1}" for setting in in_menu()[1:]]
    return [
        ("first start", None, [], _first_language),
        ("start", None, [], ""),
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
        ("dealer by lot", None, [], first + " right pick:new.dealer.lot"),
        ("dealer drawn", None, [], first + " right pick:new.dealer.lot ok"),
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


# --- functions for scenes that keys alone cannot make ---


def _after_a_while(device):
    """Show the standings of a game that takes 42 minutes so far."""
    device.app.library.time.begin(42)
    device.keys("left pick:menu.standings")


def _long_evening(device):
    """Show the ranking of a game that took more than ten hours."""
    games = device.app.library
    games.play({"ev": "undo"})
    games.time.begin(625)
    games.play({"ev": "redo"})
    device.keys("ok")


def _empty_battery(device):
    """Run the device on a battery that is empty."""
    device.hw.usb_power, device.hw.vsys_mv = False, 2900
    while not device.app.board.supply.empty:
        device.hw.time.advance(10_000)
        device.wait(100)


def _undo_held(device):
    """Show what UNDO does that is down at power-on."""
    hardware = Hardware(device.profile)
    hardware.press(UNDO)
    device.on(hardware)


def _low_battery(device):
    """Run the device on a battery that is nearly empty."""
    device.hw.usb_power, device.hw.vsys_mv = False, 3100
    device.hw.time.advance(10_000)
    device.wait(100)


def _known(players, keys):
    """Return a function that presses keys with these players in the roster, as the last ones who played."""

    def play(device):
        device.app.roster.played(players)
        device.keys(keys)

    return play


def _thrown(keys, number):
    """Return a function that opens Who starts? at the table and presses keys, while every throw is this number."""

    def play(device):
        device.hw.urandom = lambda n: bytes([(number - (device.hw.time.ticks_ms() >> 4)) % 12] * n)
        device.keys("left pick:lots.title " + keys)

    return play


def _first_language(device):
    """Ask for the language, with the cursor on the one in use."""
    lang = device.app.settings["language"]
    device.app.push(FirstLanguage(device.app))
    device.keys(f"up*{len(LANGUAGES) - LANGUAGES.index(lang)}")


def _hold_undo(device):
    """Press UNDO and do not release it."""
    device.hw.press("undo")
    device.wait(100)


def _only_redo(device):
    """Take back the only entry, then press UNDO again."""
    device.keys("undo")
    _hold_undo(device)


def _confirm(device):
    """Confirm the game as if a laptop had fetched it."""
    games = device.app.library
    game_id, lines = games.journal.id, games.journal.lines - 1
    device.app.leave_table()
    confirm(games, game_id, lines)


def _synced(device):
    """Show a game that a laptop has."""
    _confirm(device)
    device.keys("pick:start.games ok ok at:shelf.remove")


def _of_eight(device, players):
    """Show a stored game of eight players."""
    more = [name[:-1] for name in players] if len(players[0]) > _LONG else ["Eva", "Fritz", "Gerda", "Heidi"]
    device.sit_down({"game": "poch", "players": [*players, *more][:8]})
    device.keys("left pick:menu.leave pick:start.games ok")


def _damaged_file(device):
    """List the games, one of them with a damaged file."""
    device.storage.write("abcdef-0009-012345.kbz", b"unreadable")
    device.keys("left pick:menu.leave pick:start.games")


def _on_sunday(device, setup):
    """Show a game that was begun on a known day."""
    device.board.clock.set(_SUNDAY)
    device.sit_down(setup)
    device.keys("left pick:menu.leave pick:start.games ok")


def _trouble(device, trouble, keys=""):
    """Show trouble with the flash, then press keys."""
    device.app.flash_trouble(trouble)
    device.wait(100)
    device.keys(keys)


def _full_of_games(device, keys=""):
    """Show a full flash with a game that may be removed, then press keys."""
    _confirm(device)
    _trouble(device, StorageFull(), keys)


def _two_games(device):
    """Leave a game that a laptop has, and another one."""
    setup = device.table.setup
    _confirm(device)
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
