"""Ask for the name of any other game, how points are entered, who wins and when it ends."""

from ...screens.letters import NameEntry
from ...text import later, text, value_text
from .number import NumberEntry
from .rules import AnyGame
from .rules_presets import KEPT, STEPS

ASKS_RULES = True  # the house rules are lines of this menu, not behind one
ASK_NUMBER = NumberEntry
_TARGET = 100
_ROUNDS = 10
_ROUNDS_MAX = 999


def defaults(setup):
    """Fill in what a set-up starts with."""
    setup["title"] = text("game.any_game")
    for key in KEPT:
        setup[key] = KEPT[key][0]


def deals(setup, options):
    """Return True if the table shows who deals."""
    sits_out = options["sits_out"] == "dealer" and AnyGame.matters("sits_out", setup, options)
    return options["entry"] != "counter" and (sits_out or setup["deals"] == 1)


def items(ready):
    """Return the menu items that make a difference, as (label, action)."""
    setup, options = ready.setup, ready.options
    _seat_teams(setup, options)

    def title():
        return text("any.choice", name=text("any.title"), value=setup["title"])

    lines: list = [(title, lambda: _ask_title(ready))]
    for name in ("entry", "wins", "end", "limit", "start", "sits_out", "ender"):
        if not AnyGame.matters(name, setup, options):
            continue
        change = _ask_number if name in ("limit", "start") else _next_value
        lines.append((_label(name, options), lambda name=name, change=change: change(ready, name)))
    if len(_sides(setup)) > 1 and options["entry"] != "exchange":
        lines.append((_teams_label(setup), lambda: _cycle(ready, "sides", _sides(setup))))
    if options["entry"] != "counter":
        lines.append((_deals_label(setup), lambda: _cycle(ready, "deals", KEPT["deals"])))
    lines.append((later("any.menu.step", n=setup["step"]), lambda: ready.cycle("step", STEPS)))
    return lines


def _sides(setup):
    """Return the possible numbers of teams, 0 for none: everybody has a partner."""
    return [0] + list(range(2, len(setup["players"]) // 2 + 1))


def _seat_teams(setup, options):
    """Seat the teams alternately around the table."""
    setup.pop("teams", None)
    sides = setup["sides"]
    if sides in _sides(setup)[1:] and options["entry"] != "exchange":
        setup["teams"] = [p % sides for p in range(len(setup["players"]))]


def _teams_label(setup):
    many = len(set(setup.get("teams", ())))
    value = str(many) if many else text("any.teams.none")
    return lambda: text("any.choice", name=text("any.teams.title"), value=value)


def _deals_label(setup):
    value = text("any.deals.on" if setup["deals"] else "any.deals.off")
    return lambda: text("any.choice", name=text("any.deals"), value=value)


def _cycle(ready, key, values):
    """Set a key of the set-up to its next value; a line for the dealer may come or go above."""
    above = len(ready.first_items())
    if ready.setup[key] not in values:
        ready.setup[key] = values[0]
    ready.cycle(key, values)
    ready.at += len(ready.first_items()) - above


def _label(name, options):
    """Return the label of a house rule with its name and value."""
    return lambda: text("any.choice", name=_called(name, options), value=value_text(options[name], AnyGame.KIND, name))


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
    options, above = ready.options, len(ready.first_items())
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
    ready.at += len(ready.first_items()) - above


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
