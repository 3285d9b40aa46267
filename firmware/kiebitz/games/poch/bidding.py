"""The second phase of Poch: bidding seat by seat, the show-down, and the payment of the bank."""

from ..base import Refused
from .hands import best_hand, check_hands
from .state import POCHER, PochState


class Bidding(PochState):
    """The part of the game that moves the chips of the bank."""

    @property
    def laps(self):
        """True if the bidding goes round until all stakes are equal."""
        return self.options["bidding"] == "until_matched"

    def min_bid(self):
        """Return the lowest bid that is accepted now."""
        return self.high + 1

    def price(self, p, amount):
        """Return how many chips this player pays to raise the own stake to `amount`."""
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

    def _show(self, winner):
        """End the show-down: unless the highest bidder wins, this player doubles the bank. Returns the notes."""
        self.phase = "PLAYOUT"
        if winner is None:
            return []
        notes = []
        if winner != self.high_bidder:
            self.bank += self._compulsory(self.high_bidder, self.bank, notes)
        self._take_bank(winner)
        return notes
