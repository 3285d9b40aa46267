"""Ask for an entry of a game as the device does: the kind of event, and then one argument after another.

The questions come from the EVENTS of the game and from the sentences `ask.ARGUMENT` in its folder. A game overrides
what depends on its state, such as the possible seats, boards or numbers of cards.
"""

import json
from typing import Any

from kiebitz.games.base import LIMIT, REQUIRED, boolean, count, integer, positive
from kiebitz.text import has, text, value_text

from ..asking import NOTHING, Asker, Choices

LOWEST = {count: 0, positive: 1, integer: -LIMIT}  # kinds of arguments that are numbers -> their least value


class Questions:
    """The questions of a game. `old` is always the previous entry, empty if there is none."""

    SEATS: tuple[str, ...] = ("p",)  # arguments that are seats
    # Placeholders in the sentences of events -> keys of the words shown before the value is known
    PLACES = {"name": "sheet.player", "other": "sheet.player", "board": "sheet.board", "card": "sheet.cards"}

    def ask(self, asker: Asker, game, old: dict) -> dict:
        """Ask for an entry that is possible now. Returns the event."""
        names = self.possible(game)
        if old and old["ev"] not in [*names, "option"]:
            names = [*names, old["ev"]]
        choices = [(self.pattern(game, name), name) for name in names]
        choices.append((text("menu.rules"), "option"))
        name = asker.choice(text("ask.ev"), choices, old.get("ev", NOTHING))
        same = old if old.get("ev") == name else {}
        if name == "option":
            return self._ask_option(asker, game, same)
        kinds = {what: kind for what, kind, _ in game.arguments(name)}
        needed = [what for what, _, default in game.arguments(name) if default is REQUIRED]
        event = {"ev": name}
        for what in self.arguments(game, name, same):
            before = old.get(what, NOTHING)
            value = self.ask_value(asker, game, event, what, kinds[what], before, what not in needed)
            if value is not NOTHING:
                event[what] = value
        return event

    def _ask_option(self, asker: Asker, game, old: dict) -> dict:
        """Ask which house rule has another value. Returns the event."""
        rules = [(text(f"opt.{name}"), name) for name in game.option_names()]
        name = asker.choice(text("menu.rules"), rules, old.get("name", NOTHING))
        values, before = game.OPTIONS[name], old.get("value", game.options[name])
        if len(values) > 1:
            choices = [(value_text(value, game.KIND), value) for value in values]
            value = asker.choice(text(f"opt.{name}"), choices, before)
        else:
            value = asker.number(text(f"opt.{name}"), before, *game.option_range(name, game.n))
        return {"ev": "option", "name": name, "value": value}

    def possible(self, game) -> list[str]:
        """Return the names of the events that are possible now."""
        return game.legal()

    def pattern(self, game, name: str) -> str:
        """Return the sentence of an event with placeholders: "(Player) spends ..."."""
        key = self.event_key(game, name)
        own = f"{key}.{game.KIND}"
        places: dict[str, str] = {}
        while True:
            try:
                return text(own if has(own) else key, **places)
            except KeyError as missing:
                place = missing.args[0]
                places[place] = f"({text(self.PLACES[place])})" if place in self.PLACES else "..."

    def event_key(self, game, name: str) -> str:
        """Return the key of the sentence of an event."""
        return f"ev.{name}"

    def arguments(self, game, name: str, old: dict) -> list[str]:
        """Return the arguments to ask for: required ones, and those of the old entry."""
        return [what for what, _, default in game.arguments(name) if default is REQUIRED or what in old]

    def seats(self, game) -> list[int]:
        """Return the possible seats."""
        return list(range(game.n))

    def choices(self, game, event: dict, what: str) -> Choices | None:
        """Return the choices of an argument that has few; None if it has many. event: the arguments asked so far."""
        if what in self.SEATS:
            return [(game.names[p], p) for p in self.seats(game)]
        return None

    def question(self, game, what: str, /, **places) -> str:
        """Return the question for an argument: the sentence of this game, or the default one."""
        own = f"ask.{what}.{game.KIND}"
        return text(own if has(own) else f"ask.{what}", **places)

    def ask_value(self, asker: Asker, game, event: dict, what: str, kind, old: Any, optional: bool) -> Any:
        """Ask for one argument. Returns its value, or NOTHING if it is optional and omitted."""
        question = self.question(game, what)
        choices = self.choices(game, event, what)
        if choices is not None:
            return asker.choice(question, choices, old)
        if kind in LOWEST:
            return asker.number(question, old, LOWEST[kind], LIMIT)
        if kind is boolean:
            return asker.yes(question, old)
        if what == "players":
            return [asker.words(text("ask.seat", name=name), name) for name in game.names]
        before = "" if old is NOTHING else old if isinstance(old, str) else json.dumps(old, ensure_ascii=False)
        answer = asker.words(question, before, optional)
        return _value(answer) if isinstance(answer, str) else answer


def _value(answer: str) -> Any:
    """Parse a list or an object written as JSON; return other text unchanged."""
    try:
        return json.loads(answer) if answer[:1] in "[{" else answer
    except (ValueError, RecursionError):
        return answer
