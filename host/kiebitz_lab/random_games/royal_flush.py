"""Generate random Royal Flush: layouts, children, hands that make a combination, whole and step-wise turns."""

from kiebitz.games.cards import RANKS, SUITS
from kiebitz.games.royal_flush.rules_boards import BOARD_IDS, BOARDS, categories_are_even

_GROUPS = {
    "pair": (2,),
    "three_kind": (3,),
    "four_kind": (4,),
    "double_pair": (2, 2),
    "triple_pair": (2, 2, 2),
    "full_house": (3, 2),
    "double_three": (3, 3),
}
_TWINS = {"perfect_pair": 1, "perfect_triple": 3}
_DECK = [rank + suit for rank in RANKS for suit in SUITS]

EARLY = "end_game"  # ends a game before its end


def furnish(line, n, dice):
    """Add random children and boards to a set-up."""
    if dice.chance(50):
        line["child"] = [dice.below(2) for _ in range(n)]
    if dice.chance(50):
        strict = line["options"].get("strict_categories", "off") in ("on", True)
        _lay_boards(line, dice, 0 if strict else 20)


def _lay_boards(line, dice, uneven):
    """Add boards to a line and return it: two of each category, or in `uneven` percent of the cases any eight.

    Boards that are uneven need `confirm`.
    """
    if dice.chance(uneven):
        boards = dice.some(BOARD_IDS[:-1], 8)
    else:
        boards = []
        for category in "ABCD":
            boards += dice.some([board for board in BOARD_IDS if BOARDS[board][2] == category], 2)
    boards.append("royal_flush")
    line["boards"] = boards
    if not categories_are_even(boards):
        line["confirm"] = True
    return line


def event(game, dice, endless):
    """Return an event that mostly fits the state."""
    if game.phase == "BETWEEN":
        plain = {"ev": "boards", "boards": "starter"}
        return plain if dice.chance(30) else _lay_boards({"ev": "boards"}, dice, 20)
    p = game.turn if game.follows else dice.below(game.n)
    name = _name(game, dice)
    if name == "score":
        if endless and (game.pieces[p] == 1 or dice.chance(60)):
            return {"ev": "take", "p": p, "swaps": 0, "buys": 0}
        return _score(game, p, dice, endless)
    if name == "turn":
        return {"ev": "turn", "p": dice.below(game.n)}
    if name == "spend" and game.chips[p]:
        return {"ev": "spend", "p": p, "k": 1 + dice.below(game.chips[p])}
    if name in ("take", "spend"):
        swaps = dice.below(min(3, game.chips[p] + 1))
        return {"ev": "take", "p": p, "swaps": swaps, "buys": dice.below(min(2, game.chips[p] - swaps + 1))}
    return {"ev": name, "p": p}


def _name(game, dice):
    """Return the name of the next event."""
    if not game.follows:
        return dice.weighted((55, "score"), (30, "spend"), (15, "take"))
    if game.part == 0:
        return dice.weighted((45, "score"), (20, "take"), (20, "draw"), (10, "swap"), (5, "turn"))
    if game.part == 1:
        return dice.weighted((60, "draw"), (30, "swap"), (5, "turn"), (5, "score"))
    return dice.weighted((60, "end_turn"), (30, "buy"), (5, "turn"), (5, "swap"))


def _score(game, p, dice, endless):
    boards = [board for board, _ in game.open_boards(p) if board != "royal_flush"]
    if not boards or (not endless and dice.chance(10)):
        boards = ["royal_flush"]
    board = dice.pick(boards)
    event = {"ev": "score", "p": p, "board": board}
    if dice.chance(50):
        event["cards"] = _spelled(_with_jokers(hand_for(board, dice), board, game.jokers[p], dice), dice)
    elif game.jokers[p] and dice.chance(40):
        event["jokers"] = 1 + dice.below(game.jokers[p])
    return event


def _run(length, suits, dice):
    """Return cards in sequence, with these suits in turn."""
    low = dice.below(len(RANKS) - length + 1)
    return [RANKS[low + i] + suits[i % len(suits)] for i in range(length)]


def hand_for(board, dice):
    """Return cards that make the combination of this board, without jokers, under any house rules."""
    size = BOARDS[board][1]
    if board in _GROUPS:
        groups = _GROUPS[board]
        ranks = dice.some(RANKS, len(groups))
        return [rank + suit for rank, k in zip(ranks, groups) for suit in dice.some(SUITS, k)]
    if board in _TWINS:
        return dice.some(_DECK, _TWINS[board]) * 2
    if board == "pictures":
        return dice.some([card for card in _DECK if card[0] in "JQK"], size)
    suit = dice.pick(SUITS)
    if board in ("flush", "big_flush"):
        return [rank + suit for rank in dice.some(RANKS, size)]
    if board == "royal_flush":
        return [rank + suit for rank in "TJQKA"]
    return _run(size, dice.some(SUITS, 2) if board in ("straight", "big_straight") else suit, dice)


def _with_jokers(cards, board, jokers, dice):
    """Return the cards, sometimes with jokers in the place of some."""
    if board != "royal_flush" and dice.chance(60):
        for i in range(min(jokers, len(cards))):
            cards[i] = "*"
    return cards


def _spelled(cards, dice):
    """Return the cards as one string or a list, with the tens as T or 10."""
    if dice.chance(30):
        cards = ["10" + card[1] if card[0] == "T" else card for card in cards]
    return cards if dice.chance(40) else " ".join(cards)
