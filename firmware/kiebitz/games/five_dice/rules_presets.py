"""List the titles under which the game is known, with their points for a further five of a kind."""

KEPT: dict = {}  # a preset keeps nothing of a set-up besides title and options

_EXTRA = (("Kniffel", "fifty"), ("Yahtzee", "hundred"), ("Yams", "off"))
TITLES = tuple([title for title, _ in _EXTRA])


def options_for(title, players):
    """Return the options of a built-in title, without those at their defaults."""
    extra = dict(_EXTRA)[title]
    return {} if extra == "fifty" else {"extra": extra}


def fitting(title, options, players):
    """Return the options of a preset, which do not depend on the number of players."""
    return options
