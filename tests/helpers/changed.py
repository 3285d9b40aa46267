"""Boards and displays that differ from one of the profiles."""


def changed(thing, **changes):
    """Return a copy of a profile, or of its display, with some facts changed."""
    return type(thing)(**dict(thing.__dict__, **changes))
