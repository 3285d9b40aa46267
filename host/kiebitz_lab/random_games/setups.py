"""Write the set-up of a game in one line, alone in this module: a test on a small heap needs nothing else here."""

from . import NAMES

# The keys beside "options" in a set-up; every other keyword of setup() is a house rule.
_SETUP_KEYS = ("boards", "child", "dealer", "mode", "level", "match_length", "confirm", "players", "title")


def setup(kind, n, options=None, **keys):
    """Return the set-up of a game for n players; keywords that are no set-up keys are house rules.

    Poch has a house rule with the same name as the set-up key `dealer`: pass this rule in `options`.
    """
    line = {"game": kind, "players": list(NAMES[:n])}
    chosen = dict(options or {})
    for key in keys:
        if key in _SETUP_KEYS:
            line[key] = keys[key]
        else:
            chosen[key] = keys[key]
    line["options"] = chosen
    return line
