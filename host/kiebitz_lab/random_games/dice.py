"""Provide random numbers for the tests that are the same on both interpreters."""


class Dice:
    """A small random source: the same seed gives the same numbers on every interpreter."""

    def __init__(self, seed):
        self._state = (seed * 40503 + 2531011) & 0x7FFFFFFF
        self._throw()
        self._throw()

    def _throw(self):
        """Return the next random number, of 23 bits."""
        self._state = (self._state * 1103515245 + 12345) & 0x7FFFFFFF
        return self._state >> 8

    def below(self, n):
        """Return a number from 0 to n - 1."""
        return self._throw() % n

    def chance(self, percent):
        """Return True with this probability."""
        return self.below(100) >= 100 - percent

    def pick(self, items):
        """Return one of the items."""
        return items[self.below(len(items))]

    def some(self, items, k):
        """Return a list of k different items."""
        items = list(items)
        return [items.pop(self.below(len(items))) for _ in range(k)]

    def weighted(self, *choices):
        """Return one of the choices, given as (weight, choice), with a probability by its weight."""
        throw = self.below(sum([weight for weight, _ in choices]))
        for weight, choice in choices:
            if throw < weight:
                return choice
            throw -= weight
