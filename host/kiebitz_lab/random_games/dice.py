"""Chance for the tests: dice that fall alike on both interpreters."""


class Dice:
    """A small random source: the same seed throws the same numbers everywhere."""

    def __init__(self, seed):
        self._state = (seed * 40503 + 2531011) & 0x7FFFFFFF
        self._throw()
        self._throw()

    def _throw(self):
        self._state = (self._state * 1103515245 + 12345) & 0x7FFFFFFF
        return self._state >> 8

    def below(self, n):
        """A number from 0 to n - 1."""
        return self._throw() % n

    def chance(self, percent):
        return self.below(100) >= 100 - percent

    def pick(self, items):
        return items[self.below(len(items))]

    def some(self, items, k):
        """k different ones of the items."""
        items = list(items)
        return [items.pop(self.below(len(items))) for _ in range(k)]

    def weighted(self, *choices):
        """One of (weight, choice), ..."""
        throw = self.below(sum([weight for weight, _ in choices]))
        for weight, choice in choices:
            if throw < weight:
                return choice
            throw -= weight
