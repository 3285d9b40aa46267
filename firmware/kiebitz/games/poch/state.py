"""The state of a game of Poch (chips, pools, bank, seats), and the payments the rules demand."""

from ..base import Game, Refused

POOLS = ("A", "K", "Q", "J", "T", "MARRIAGE", "SEQUENCE", "POCHER")
KING, QUEEN, MARRIAGE, POCHER = 1, 2, 5, 7
ANTE = len(POOLS)


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
        """True if players may owe chips: a compulsory payment then goes below zero."""
        return self.options["shortage"] == "debt"

    def _compulsory(self, p, amount, notes):
        """Take a payment the rules demand, as far as p can pay, and note the missing chips. Returns the chips paid."""
        paid = amount if self.in_debt else min(amount, self.chips[p])
        self.chips[p] -= paid
        if paid < amount:
            notes.append(("W_SHORT", {"p": p, "missing": amount - paid}))
        return paid
