"""List the titles under which games with bids are known, with their rules."""

from .rules import most_cards

KEPT: dict = {}  # a preset keeps nothing of a set-up besides title and options

_OPTIONS = {"Wizard": {}, "Oh Hell": {"points": "ten_plus", "cards": "up_down", "sum": "not_equal"}}
TITLES = ("Wizard", "Oh Hell")


def options_for(title, players):
    """Return the options of a built-in title, without those at their defaults."""
    return dict(_OPTIONS[title])


def fitting(title, options, players):
    """Return the options of a preset for n players, with a largest hand that the cards are enough for."""
    options = dict(options)
    if "most" in options:
        options["most"] = min(options["most"], most_cards(options.get("points", "wizard"), players))
    return options
