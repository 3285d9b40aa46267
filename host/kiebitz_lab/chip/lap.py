"""Makes a round trip through every screen that keys lead to, as lines of keys: settings, players, games, library."""

from collections.abc import Iterator

from ..samples import SAMPLES
from .twin import Twin

PLAYERS = ["Anna", "Ben", "Cleo", "Dan"]

_SHOW_DOWN = 12  # entries of the Poch sample before hands are shown
_ALL_LANGUAGES = " ".join(["right"] * 5)
_SEAT = "down ok "

# From the first screen to the table: players, and screens that are visited before the game begins
_GAMES = {
    "royal_flush": (
        "pick:game.royal_flush",
        _SEAT * 3 + "right",
        "pick:new.boards.starter down ok undo pick:new.children.none undo pick:new.rules down*3 undo pick:new.start",
    ),
    "poker_carre three": ("pick:game.poker_carre", "ok", "down*2 right up*2 ok"),
    "poker_carre pad": ("pick:game.poker_carre", _SEAT * 4 + "right", "ok"),
    "poker_carre grid": ("pick:game.poker_carre", "ok", "down*2 right up*2 ok"),
    "poch": ("pick:game.poch", "ok", "pick:new.rules down*2 ok undo undo pick:new.start"),
    "top_spot refereed": ("pick:game.top_spot", "ok", "down*3 right up*3 ok"),
    "top_spot": ("pick:game.top_spot", "ok", "ok"),
}

# At the table, after the entries
_LOOKS = {
    "royal_flush": ["menu:royal.menu.boards back:table", "menu:royal.menu.cards right ok back:table", "right*2 undo"],
    "poker_carre pad": ["menu:carre.menu.pad down back:table", "menu:carre.menu.finish", "ok"],
    "poker_carre grid": ["menu:carre.menu.pad back:table", "menu: down*3 ok right ok back:table"],
    "poch": ["menu:poch.menu.loan ok ok back:table", "menu:poch.menu.end ok", "ok"],
    "top_spot": ["menu:spot.menu.bonus ok right ok", "ok"],
}
_ENDED = ("poker_carre pad", "poch")  # by the last line of their _LOOKS
_ANY_LOOKS = [
    "undo",
    "hold:undo",
    "menu:menu.standings back:table",
    "menu:menu.rules down back:table",
    "menu:menu.history ok pick:history.correct back:table",
    "menu:start.settings back:table",
]
# Entries at least: with fewer, some screens never appear
_ROUND = {"royal_flush": 12, "poch": 15}

LANGUAGE_CHOSEN = "ok"


def start() -> Twin:
    """Return a device on which these players have played before, and nobody has chosen a language yet."""
    twin = Twin(language=None)
    twin.app.roster.played(PLAYERS)
    twin.restart()
    return twin


def lap(entries: int = 0, rest_ms: int = 0) -> Iterator[str]:
    """Yield lines of keys from the first screen back to it: `entries` entries in each game, with a rest after each.

    Without entries the lap is as short as possible.
    """
    rest = [f"wait:{rest_ms}"] if rest_ms else []
    yield f"pick:start.settings {_ALL_LANGUAGES}"
    yield "pick:set.display undo pick:set.update undo"
    yield "pick:set.about undo pick:set.test up down left right ok undo hold:ok ok ok hold:undo"
    yield "down*3 right pick:set.defaults ok back:start"
    yield "pick:start.players ok ok right ok hold:ok down ok pick:players.rename ok hold:ok ok pick:players.remove"
    yield "back:start"
    for name, (which, who, ready) in _GAMES.items():
        yield f"pick:start.new {which} {who} {ready}"
        for entry in _entries(name)[: max(entries, _ROUND.get(name, 2))]:
            yield entry
            yield from rest
        if entries or name in _ROUND:
            yield from _ANY_LOOKS
        yield from _LOOKS.get(name, [])
        if name not in _ENDED:
            yield "menu:menu.leave"
    yield "pick:start.games ok ok pick:leave back:start"


def _entries(name: str) -> list[str]:
    if name == "poker_carre three":
        return [_entries("poker_carre grid")[0], "ok right*2 up back:table"]
    if name == "top_spot refereed":
        return ["ok" + " right*3 ok" * len(PLAYERS)]
    lines = [line for line in SAMPLES[name][1].splitlines() if line]
    if name == "poker_carre pad":
        return lines[:-1]  # the pad is finished another way
    if name == "poch":
        lines.insert(_SHOW_DOWN, "up*2 ok right back:table")
        return lines[: _ROUND[name]]
    return lines
