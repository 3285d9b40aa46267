"""Generate random PokerCarre: declared placements and plain marks on the pad, or card by card on the grid."""

from kiebitz.games import Refused
from kiebitz.games.poker_carre.rules import check_items

_DECK = [colour + value for colour in "abcdefg" for value in "1234567"]
_KINDS = (("straight", 4), ("colour", 3), ("set", 3))


def furnish(line, n, dice):
    """Add a random mode to a set-up."""
    if dice.chance(50):
        line["mode"] = dice.pick(("grid", "score"))


def event(game, dice, endless):
    """Return an event that mostly fits the state."""
    if game.phase == "SETUP":
        return _extra(game, dice) if any(game.cells) else _layout(dice)
    if game.options["turns"] == "follow":
        p = game.turn
    else:
        p = dice.pick([seat for seat in range(game.n) if game.held[seat]])
    if not endless and dice.below(200) == 199:
        return {"ev": "finish"}
    if not endless and game.options["turns"] == "follow" and dice.chance(4):
        return {"ev": "turn", "p": dice.below(game.n)}
    last = not game.stock
    if game.mode == "score":
        return _on_the_pad(game, p, dice, endless and last)
    if endless and (last or dice.chance(85)):
        return _skip_again(game, p)
    event = _on_the_grid(game, p, dice)
    return _skip_again(game, p) if endless and event["ev"] == "skip" else event


def _layout(dice):
    cards = dice.some(_DECK, 9)
    return {"ev": "layout", "cards": cards if dice.chance(40) else " ".join(cards)}


def _extra(game, dice):
    x, y = dice.pick(((3, 0), (-1, 2), (1, 3), (0, -1), (2, 3)))
    return {"ev": "extra", "card": dice.pick(game.unplayed()), "x": x, "y": y}


def _on_the_pad(game, p, dice, full):
    names = [(25, "mark"), (5, "unmark")]
    if not full:
        names.append((60, "place"))
    if game.options["turns"] == "follow" and not full:
        names.append((8, "skip"))
    name = dice.weighted(*names)
    if name == "place":
        return {"ev": "place", "p": p, "items": _items(dice)}
    if name == "skip":
        return {"ev": "skip", "p": p}
    return {"ev": name, "p": dice.below(game.n), "rubric": 1 + dice.below(5)}


def _items(dice):
    items = []
    for line in "HV":
        for kind, smallest in _KINDS:
            if dice.chance(30):
                items.append([line, kind, min(7, smallest + dice.pick((0, 0, 0, 1, 1, 2, 3, 4)))])
    try:
        check_items(items)
    except Refused:
        items = items[:1]
    return items


def _on_the_grid(game, p, dice):
    unplayed = game.unplayed()
    for card in dice.some(unplayed, min(6, len(unplayed))):
        cells = game.fits(card)
        if cells:
            x, y = dice.pick(cells)
            if dice.chance(4):
                return {"ev": "skip", "p": p, "hand": _hand(unplayed, dice)}
            return {"ev": "place", "p": p, "card": card, "x": x, "y": y}
    skip = {"ev": "skip", "p": p}
    if dice.chance(50):
        skip["hand"] = _hand(unplayed, dice)
    return skip


def _hand(unplayed, dice):
    cards = dice.some(unplayed, min(len(unplayed), 1 + dice.below(4)))
    return cards if dice.chance(40) else " ".join(cards)


def _skip_again(game, p):
    """Return a skip of the same seat every time, which counts only once."""
    return {"ev": "skip", "p": game.skipped[0] if game.skipped else p}
