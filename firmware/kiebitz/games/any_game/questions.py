"""Ask for the name of any other game, how points are entered, who wins and when it ends."""

from ...screens.letters import NameEntry
from ...text import later, text, value_text
from .number import NumberEntry
from .rules import AnyGame
from .rules_presets import STEPS

ASKS_RULES = True  # the house rules are lines of this menu, not behind one
ASK_NUMBER = NumberEntry
_TARGET = 100
_ROUNDS = 10
_ROUNDS_MAX = 999


def defaults(setup):
    """Fill in what a set-up starts with."""
    setup["title"] = text("game.any_game")
    setup["step"] = STEPS[0]


def items(ready):
    """Return the menu items that make a difference, as (label, action)."""
    setup, options = ready.setup, ready.options

    def title():
        return text("any.choice", name=text("any.title"), value=setup["title"])

    lines: list = [(title, lambda: _ask_title(ready))]
    for name in ("entry", "wins", "end"):
        lines.append((_label(name, options), lambda name=name: _next_value(ready, name)))
    if options["end"] != "open":
        lines.append((_label("limit", options), lambda: _ask_number(ready, "limit")))
    lines.append((_label("start", options), lambda: _ask_number(ready, "start")))
    lines.append((later("any.menu.step", n=setup["step"]), lambda: ready.cycle("step", STEPS)))
    return lines


def _label(name, options):
    """Return the label of a house rule with its name and value."""
    return lambda: text("any.choice", name=_called(name, options), value=value_text(options[name], AnyGame.KIND))


def _called(name, options):
    """Return what a house rule is called; the limit after the end that it belongs to."""
    return text("any.limit." + options["end"] if name == "limit" else "opt." + name)


def _ask_title(ready):
    """Let the players write the name of their game."""

    def done(title):
        ready.setup["title"] = title
        ready.app.pop()

    own = ready.setup["title"]
    ready.app.push(NameEntry(ready.app, later("any.title"), done, "" if own == text("game.any_game") else own))


def _next_value(ready, name):
    """Set a house rule to its next value, and what depends on it to a value that fits."""
    options = ready.options
    values = list(AnyGame.OPTIONS[name])
    if name == "end" and options["entry"] == "counter":
        values.remove("rounds")
    at = values.index(options[name])
    options[name] = values[(at + ready.step) % len(values)]
    if options["entry"] == "counter" and options["end"] == "rounds":
        options["end"] = "open"
    if name == "end":
        target = 0 if options["start"] > 0 else _TARGET
        options["limit"] = {"open": None, "target": target, "rounds": _ROUNDS}[options["end"]]
    ready.resume()


def _ask_number(ready, name):
    """Ask for the limit, or for the points at the start."""
    options = ready.options
    low, high = AnyGame.option_range(name, 0)
    if name == "limit" and options["end"] == "rounds":
        low, high = 1, _ROUNDS_MAX

    def done(value):
        options[name] = value
        ready.app.pop()

    ready.app.push(NumberEntry(ready.app, lambda: _called(name, options), options[name], low, high, done))
