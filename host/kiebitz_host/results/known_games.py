"""Says what has happened when a known game arrives again: the same, longer, shorter, or with another history."""


def _begins(short: list[str], long: list[str]) -> bool:
    """Return True if the short history is the beginning of the long one, or all of it."""
    return long[: len(short)] == short


def word_for(histories: list[list[str]], lines: list[str]) -> str:
    """Return the word for lines that come to the histories of a game, of which the first one is the game.

    All have the same set-up. "same" and "shorter": all lines are already stored; "longer": the game continues; "apart":
    another history of the same game.
    """
    for held in histories:
        if _begins(lines, held):
            return "same" if len(lines) == len(held) else "shorter"
    return "longer" if _begins(histories[0], lines) else "apart"
