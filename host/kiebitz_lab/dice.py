"""Provide random numbers, set-ups and damaged lines for tests, the same on both interpreters."""


NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gil", "Hal", "Ida")

# The keys beside "options" in a set-up; every other keyword of setup() is a house rule.
_SETUP_KEYS = ("boards", "child", "dealer", "mode", "level", "match_length", "confirm", "players", "title", "teams")


class Dice:
    """A small random generator with the same numbers for the same seed on every interpreter."""

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


def setup(kind, n, options=None, **keys):
    """Return the set-up of a game for n players; other keywords are house rules.

    Pass Poch's house rule `dealer` in `options`, because a set-up key has the same name.
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


ODD_BYTES = (
    b"\x03", b"\x00", b"\xff", b"~", b'"', b"{", b" ", b"K! ", b"K? ", b"\r\n", b">>> ", b"9" * 12, b"x" * 1200,
)  # fmt: skip


def fuzzed(dice: Dice, line: bytes) -> bytes:
    """Return a line with a few bytes changed, lost, doubled or put in."""
    for _ in range(1 + dice.below(3)):
        at = dice.below(len(line) + 1)
        kind = dice.below(5)
        if kind == 0:
            line = line[:at] + bytes([dice.below(256)]) + line[at + 1 :]
        elif kind == 1:
            line = line[:at] + line[at + 1 + dice.below(20) :]
        elif kind == 2:
            line = line[:at] + dice.pick(ODD_BYTES) + line[at:]
        elif kind == 3:
            line = line[:at] + line[at // 2 :]
        else:
            line = line[:at]
    return line
