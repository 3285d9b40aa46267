"""Makes a round trip through every screen that keys lead to, as lines of keys: settings, players, games, library."""

from collections.abc import Iterator

from kiebitz.text import LANGUAGES, own_name

from ..games import GAMES_IN_LAB
from ..games.base import FOUR
from .twin import Twin

# At the table of any game
_ANY_LOOKS = [
    "undo",
    "hold:undo",
    "menu:menu.standings back:table",
    "menu:menu.history ok pick:history.correct back:table",
    "menu:start.settings back:table",
    "menu:lots.title ok right ok right ok right ok back:table",
]

LANGUAGE_CHOSEN = "ok undo"  # a device without games asks which one to play


def to_language(lang: str) -> str:
    """Return the keys from the language in the settings to the line that changes it; OK is the next key."""
    return f"ok pick:{own_name(lang)} at:language.change"


def all_languages() -> str:
    """Return the keys from the language in the settings through all languages, back to the first."""
    return " ".join(f"{to_language(lang)} ok" for lang in [*LANGUAGES[1:], LANGUAGES[0]])


def start() -> Twin:
    """Return a device on which these players have played before, and nobody has chosen a language yet."""
    twin = Twin(language=None)
    twin.app.roster.played(FOUR)
    twin.restart()
    return twin


def lap(entries: int = 0, rest_ms: int = 0) -> Iterator[str]:
    """Yield lines of keys from the first screen back to it: `entries` entries in each game, with a rest after each.

    Without entries the lap is as short as possible.
    """
    rest = [f"wait:{rest_ms}"] if rest_ms else []
    yield f"pick:start.settings {all_languages()}"
    yield "pick:set.display undo pick:set.update undo"
    yield "pick:set.about undo pick:set.test up down left right ok undo hold:ok ok ok hold:undo"
    yield "at:set.brightness right pick:set.defaults ok back:start"
    yield "pick:start.players ok up up up down hold:ok down ok pick:players.rename up up hold:ok ok pick:players.remove"
    yield "back:start"
    for kind, game in GAMES_IN_LAB.items():
        for played in game.laps():
            yield f"pick:start.new pick:game.{kind} {played.who} {played.ready}"
            for entry in played.entries[: max(entries, played.round or 2)]:
                yield entry
                yield from rest
            if entries or played.round:
                yield from _ANY_LOOKS
                if game.HOUSE_RULES:
                    yield "menu:menu.rules down back:table"
            yield from played.looks
            if not played.ends:
                yield "menu:menu.leave"
    yield "pick:start.games ok ok pick:leave back:start"
