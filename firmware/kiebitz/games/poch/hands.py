"""The hands of a Poch show-down: pairs, threes and fours of one rank, and which of them is best."""

from ..base import Refused, bad, boolean, by_seat, count

RANKS = "789TJQKA"


def read_hands(value, what):
    """Return {"0": [2, "K", true]} as {0: (count, rank 0..7, has trump)}."""
    hands = by_seat(value, what)
    for p in hands:
        hand = hands[p]
        if not isinstance(hand, list) or len(hand) != 3:
            raise bad(what)
        rank = "T" if hand[1] == "10" else hand[1]
        if not isinstance(rank, str) or len(rank) != 1 or rank not in RANKS:
            raise bad(what)
        hands[p] = (count(hand[0], what), RANKS.index(rank), boolean(hand[2], what))
    return hands


def check_hands(hands, smallest):
    """Refuse Pochs that one pack of cards cannot hold."""
    for p in sorted(hands):
        if not smallest <= hands[p][0] <= 4:
            raise Refused("E_POCH", p=p)
    for rank in range(len(RANKS)):
        same = [hand for hand in hands.values() if hand[1] == rank]
        trumps = len([hand for hand in same if hand[2]])
        pairs = len([hand for hand in same if hand[0] == 2])
        if sum([hand[0] for hand in same]) > 4 or trumps > 1 or (pairs == 2 and trumps != 1):
            raise Refused("E_POCH", rank=RANKS[rank])


def best_hand(hands):
    """Return the seat with the best Poch; None if nobody has one, or if single cards tie without a trump."""
    order = sorted(hands, key=lambda p: hands[p], reverse=True)
    if not order or (len(order) > 1 and hands[order[0]] == hands[order[1]]):
        return None
    return order[0]
