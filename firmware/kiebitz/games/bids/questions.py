"""Ask before the game for the cards of the rounds, how they count, and what the last player may bid."""

from ...screens.table_screen import Stepper
from ...text import later, text, value_text
from .rules import Bids, hands, most_cards, usual_cards

ASKS_RULES = True  # the house rules are lines of this menu, not behind one


def defaults(setup):
    """Fill in nothing: the title comes from the list of titles."""


def items(ready):
    """Return the menu items as (label, action)."""
    options = ready.options
    return [
        (lambda: _line("cards", _course(ready)), lambda: _next_value(ready, "cards")),
        (lambda: _line("most", str(_most(ready))), lambda: _ask_most(ready)),
        (lambda: _line("points", _value("points", options)), lambda: _next_value(ready, "points")),
        (lambda: _line("sum", _value("sum", options)), lambda: _next_value(ready, "sum")),
    ]


def _line(name, value):
    """Return a line of the menu, a house rule with its value."""
    return text("bids.choice", name=text("opt." + name), value=value)


def _value(name, options):
    return value_text(options[name], Bids.KIND, name)


def _players(ready):
    """Return how many play; for a preset, before anybody has a seat, the fewest."""
    return max(Bids.PLAYERS[0], len(ready.names))


def _most(ready):
    """Return the cards of the largest hand."""
    options = ready.options
    return options["most"] or usual_cards(options["points"], _players(ready))


def _course(ready):
    """Return the cards of the first round, of the turning point and of the last round."""
    cards = hands(ready.options["cards"], _most(ready))
    turns = (cards[0], max(cards), cards[-1]) if ready.options["cards"] == "up_down" else (cards[0], cards[-1])
    return "\u2192".join([str(k) for k in turns])


def _next_value(ready, name):
    """Set a house rule to its next value; points that this number of players cannot use are left out."""
    options, n = ready.options, _players(ready)
    values = list(Bids.OPTIONS[name])
    if name == "points":
        values = [value for value in values if n <= Bids.players_for({"points": value})[1]]
    options[name] = values[(values.index(options[name]) + ready.step) % len(values)]
    if options["most"]:
        options["most"] = min(options["most"], most_cards(options["points"], n))
    ready.resume()


def _ask_most(ready):
    """Ask for the cards of the largest hand, and show how many rounds there are then."""
    options, n = ready.options, _players(ready)

    def done(value):
        options["most"] = None if value == usual_cards(options["points"], n) else value
        ready.app.pop()

    def effect(value):
        return text("bids.rounds", n=len(hands(options["cards"], value)))

    high = most_cards(options["points"], n)
    ready.app.push(Stepper(ready.app, later("opt.most"), _most(ready), 1, high, done, effect))
