"""Find out, before a change of the past is made, whether it moves the end of a round."""

from ..games import Refused


def moved_round(table, name, k, ev=None):
    """Try a change (see Table.change) on copies of the game. Refused: the change does not fit, as in Table.change.

    Returns the number of the first round that would end at another entry, "over" if the game would be over with the
    change, "on" if it would not be over any more, or None if the ends of rounds stay.
    """
    old, new = table.game_at(k), table.game_at(k)
    if name != "remove":
        new.apply(ev)
    first = k
    if name != "insert":
        old.apply(table.event(k))
        first += 1
    moved = None
    for i in range(first, len(table)):
        moved = moved or _difference(old, new)
        event = table.event(i)
        old.apply(event)
        try:
            new.apply(event)
        except Refused as refusal:
            refusal.at = i
            raise
    if old.over != new.over:
        return "over" if new.over else "on"
    return moved or _difference(old, new)


def _difference(old, new):
    """Return the number of the round that is over in one of two games only, or None."""
    a, b = old.rounds_over(), new.rounds_over()
    return None if a == b else min(a, b) + 1
