"""Decides what happens when a known game arrives again: the same, longer, shorter, or with another history."""


def _begins(short: list[str], long: list[str]) -> bool:
    """Return True if the short history is the beginning of the long one, or all of it."""
    return long[: len(short)] == short


def merged(histories: list[list[str]], lines: list[str]) -> tuple[str, list[list[str]]]:
    """Return (result, new histories): the first history is the game, the others are kept as variants.

    All have the same set-up. Results: "same" and "shorter": all lines are already stored; "longer": the game continues;
    "apart": another history of the same game. The longest history is the game; of equally long ones, the one that was
    stored first.
    """
    for held in histories:
        if _begins(lines, held):
            return "same" if len(lines) == len(held) else "shorter", histories
    game, *aside = histories
    rest = [held for held in aside if not _begins(held, lines)]
    if _begins(game, lines):
        return "longer", [lines, *rest]
    if len(lines) > len(game):
        return "apart", [lines, game, *rest]
    return "apart", [game, *rest, lines]
