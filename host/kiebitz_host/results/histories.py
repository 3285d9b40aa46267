"""What to do when a game arrives that is known already: the same, longer, shorter, or gone apart."""


def _begins(short: list[str], long: list[str]) -> bool:
    """True if the one history is the beginning of the other, or all of it."""
    return long[: len(short)] == short


def merged(histories: list[list[str]], lines: list[str]) -> tuple[str, list[list[str]]]:
    """(what has happened, the histories then): the first one is the game, the others are kept aside.

    "same" and "shorter": all of it is held; "longer": the game goes on; "apart": another history of the same game. The
    longest history is the game, of equally long ones the one that was there before.
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
