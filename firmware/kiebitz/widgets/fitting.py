"""Fit texts to the width of the display; of a sentence about players only the names are shortened."""

from ..machine_code import const
from ..text import said, text

_READABLE = const(30)  # the fewest columns of a shortened name in the full line
_SHORTEST = const(12)  # and in the brief one


class TextWithNames:
    """A line with players' names, of which only the names are shortened if it is too long.

    make(names) returns the line; brief(names) may return a shorter one, for when shorter names are not enough.
    """

    def __init__(self, make, names, brief=None):
        self.make = make
        self.names = names
        self.brief = brief or make

    def __call__(self):
        return self.make(self.names)

    def fit(self, c, room):
        """Return the line, at most `room` columns wide."""
        line = _with_shorter_names(c, self.make, self.names, room, _READABLE)
        if c.width(line) > room:
            line = c.fit(_with_shorter_names(c, self.brief, self.names, room, _SHORTEST), room)
        return line


def _with_shorter_names(c, make, names, room, shortest):
    """Return the line, with the names cut as far as `room` demands; none of them below `shortest` columns."""
    line = make(names)
    if c.width(line) <= room:
        return line
    longest = max([c.width(name) for name in names])
    while c.width(line) > room and longest > shortest:
        longest = max(longest - (c.width(line) - room + 1) // 2, shortest)
        line = make([c.fit(name, longest) for name in names])
    return line


def about(key, name, **places):
    """Return a TextWithNames about one player, from the sentence `key`."""
    return TextWithNames(lambda names: text(key, name=names[0], **places), [name])


def fitted(c, words, room):
    """Return a text, a function that returns one, or a TextWithNames, as a string of at most `room` columns."""
    return words.fit(c, room) if isinstance(words, TextWithNames) else c.fit(said(words), room)


def least_width(c, words):
    """Return the columns that a text needs, a TextWithNames with the shortest names."""
    if isinstance(words, TextWithNames):
        return c.width(_with_shorter_names(c, words.brief, words.names, 0, _SHORTEST))
    return c.width(said(words))
