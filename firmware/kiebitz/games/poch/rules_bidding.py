"""Define the state of a game of Poch with its payments, show-down hands and bidding."""

from ..base import Game, Refused, bad, boolean, by_seat, count

POOLS = ("A", "K", "Q", "J", "T", "MARRIAGE", "SEQUENCE", "POCHER")
KING, QUEEN, MARRIAGE, POCHER = 1, 2, 5, 7
ANTE = len(POOLS)
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


class PochState(Game):
    """The state that all phases work on."""

    def start(self, confirm):
        n = self.n
        self.owed = [0] * n  # chips that each seat has lent, minus those it has borrowed
        self.phase = "READY"
        self.round = 1
        self.chips = [self.options["chips_total"] // n] * n
        self.pools = [0] * len(POOLS)
        self.bank = 0
        self.trump = self.direction = None
        self.active = [True] * n
        self.hands = [0] * n
        self.cashed = [None] * len(POOLS)
        self._clear_bids()

    def _clear_bids(self):
        """Set everything about the bidding to its start."""
        self.turn = None
        self.stake = [0] * self.n
        self.passed = [False] * self.n
        self.high = 0
        self.high_bidder = self.poch_winner = None

    def need_seat(self, p):
        super().need_seat(p)
        if not self.active[p]:
            raise Refused("E_PLAYER", p=p)

    def next_active(self, p):
        """Return the next active seat to the left."""
        p = self.left_of(p)
        while not self.active[p]:
            p = self.left_of(p)
        return p

    def seats(self):
        """Return the active seats from left of the dealer to the dealer."""
        order = [(self.dealer + i) % self.n for i in range(1, self.n + 1)]
        return [p for p in order if self.active[p]]

    @property
    def in_debt(self):
        """True if players may owe chips, so that a compulsory payment can go below zero."""
        return self.options["shortage"] == "debt"

    def _compulsory(self, p, amount, notes):
        """Take a payment the rules demand, as far as p can pay, and note the missing chips. Returns the chips paid."""
        paid = amount if self.in_debt else min(amount, self.chips[p])
        self.chips[p] -= paid
        if paid < amount:
            notes.append(("W_SHORT", {"p": p, "missing": amount - paid}))
        return paid


class Bidding(PochState):
    """The part of the game that moves the chips of the bank."""

    @property
    def laps(self):
        """True if the bidding continues until all stakes are equal."""
        return self.options["bidding"] == "until_matched"

    def min_bid(self):
        """Return the lowest bid that is accepted now."""
        return self.high + 1

    def price(self, p, amount):
        """Return how many chips this player pays to raise the stake to `amount`."""
        return amount - self.stake[p] if self.laps else amount

    def to_hold(self, p):
        """Return how many chips this player pays to hold."""
        return self.price(p, self.high)

    def contestants(self):
        """Return the seats that are still in the bidding with a stake, in bidding order."""
        return [p for p in self.seats() if not self.passed[p] and self.stake[p]]

    def _need_bidder(self, p):
        """Refuse a player whose turn it is not."""
        self.need_phase("BID")
        self.need_seat(p)
        if p != self.turn:
            raise Refused("E_TURN", p=self.turn)

    def _stake(self, p, amount):
        """Move the price of a stake from the player to the bank."""
        cost = self.price(p, amount)
        if cost > self.chips[p]:
            raise Refused("E_CHIPS", p=p, have=self.chips[p], need=cost)
        self.chips[p] -= cost
        self.bank += cost
        self.stake[p] = amount

    def do_bid(self, p, k, confirm):
        """Stake k chips, more than the highest bid."""
        self._need_bidder(p)
        if k <= self.high:
            raise Refused("E_BID_LOW", need=self.min_bid())
        self._stake(p, k)
        self.high = k
        self.high_bidder = p
        self._next_bidder(p)

    def do_hold(self, p, confirm):
        """Stake as much as the highest bid."""
        self._need_bidder(p)
        if not self.high:
            raise Refused("E_NO_BID")
        self._stake(p, self.high)
        self._next_bidder(p)

    def do_pass(self, p, confirm):
        """Leave the bidding."""
        self._need_bidder(p)
        self.passed[p] = True
        self._next_bidder(p)

    def _next_bidder(self, p):
        """Go on to the seat that bids after p, or end the bidding."""
        if self.laps:
            order = [(p + i) % self.n for i in range(1, self.n + 1)]
            order = [q for q in order if self.active[q] and not self.passed[q]]
            waiting = [q for q in order if not self.high or self.stake[q] < self.high]
        else:
            waiting = [] if p == self.dealer else [self.next_active(p)]
        if waiting:
            self.turn = waiting[0]
            return
        self.turn = None
        rivals = self.contestants()
        self.phase = "SHOW" if len(rivals) > 1 else "PLAYOUT"
        if len(rivals) == 1:
            self._take_bank(rivals[0])

    def _take_bank(self, p):
        """Pay bank and Pocher pool to the winner."""
        self.chips[p] += self.bank + self.pools[POCHER]
        self.bank = self.pools[POCHER] = 0
        self.poch_winner = p

    def _need_contestant(self, p):
        """Refuse a player who is not in the show-down."""
        if p not in self.contestants():
            raise Refused("E_NOT_CONTESTANT", p=p)

    def do_showdown(self, winner, confirm):
        """Pay the bank to the named winner; None leaves it for the next round. Returns the notes."""
        self.need_phase("SHOW")
        if winner is not None:
            self.need_seat(winner)
            self._need_contestant(winner)
        return self._show(winner)

    def do_reveal(self, hands, confirm):
        """Pay the bank to the best of the shown hands. Returns the notes."""
        self.need_phase("SHOW")
        for p in sorted(hands):
            self.need_seat(p)
        for p in sorted(hands):
            self._need_contestant(p)
        check_hands(hands, 1 if self.options["no_poch"] == "high_card" else 2)
        return self._show(best_hand(hands))

    def doubles(self, winner):
        """Return True if the highest bidder has to double the bank for this winner of the show-down."""
        if self.options["held"] == "equal" and self.stake[winner] == self.high:
            return False
        return winner != self.high_bidder

    def _show(self, winner):
        """End the show-down, with the doubling of the bank if that is due. Returns the notes."""
        self.phase = "PLAYOUT"
        if winner is None:
            return []
        notes = []
        if self.doubles(winner):
            self.bank += self._compulsory(self.high_bidder, self.bank, notes)
        self._take_bank(winner)
        return notes
