"""Implement the rules of Poch (ante, cashing, bidding, show-down, play-out)."""

from ...machine_code import const
from ..base import LIMIT, OFF_ON, REQUIRED, SUITS, Refused, bad, by_seat, count, integer, one_of, positive, string
from .rules_bidding import ANTE, KING, MARRIAGE, POOLS, QUEEN, Bidding, read_hands

SINGLES = 5  # the first five pools belong to one trump card each, which somebody must hold
_PACK = const(32)

_SEAT = ("p", count, REQUIRED)


def read_best(value, what):
    """Return a seat, or None for nobody."""
    return None if value is None else count(value, what)


def read_left(value, what):
    """Return {"1": 3} as {1: 3}; negative numbers pass, as the round refuses them with a code of its own."""
    left = by_seat(value, what)
    for p in left:
        integer(left[p], what)
    return left


_CHIPS_MAX = const(9999)  # that a device offers


class Poch(Bidding):
    """The rules of Poch."""

    KIND = "poch"
    PLAYERS = (2, 8)
    BEST = (3, 6)
    OPTIONS = {
        "turns": ("free", "follow"),
        "chips_total": (300,),
        "overlap_cash": OFF_ON,
        "bidding": ("single_lap", "until_matched"),
        "held": ("doubles", "equal"),
        "no_poch": ("carry", "high_card"),
        "direction_scope": ("game", "round"),
        "shortage": ("partial", "debt"),
        "dealer": ("left", "winner", "fixed"),
        "loans": ("owed", "gift"),
        "final_pools": ("ignore", "split"),
    }
    EVENTS = {
        "start_round": (("trump", string, REQUIRED),),
        "cash": (_SEAT, ("pool", string, REQUIRED)),
        "end_cash": (),
        "bid": (_SEAT, ("k", count, REQUIRED)),
        "hold": (_SEAT,),
        "pass": (_SEAT,),
        "showdown": (("best", read_best, REQUIRED),),
        "reveal": (("hands", read_hands, REQUIRED),),
        "lead": (_SEAT, ("dir", one_of("UP", "DOWN"), REQUIRED)),
        "end_round": (("winner", count, REQUIRED), ("left", read_left, REQUIRED)),
        "loan": (("from", count, REQUIRED), ("to", count, REQUIRED), ("k", positive, REQUIRED)),
        "retire": (_SEAT,),
        "end_game": (),
    }
    SEATS = {"p": "name", "winner": "name", "best": "name", "from": "name", "to": "other"}
    NAMED = {"pool": "pool.", "trump": "suit.", "dir": "dir."}
    FIELDS = (
        "phase",
        "round",
        "dealer",
        "chips",
        "pools",
        "bank",
        "trump",
        "direction",
        "active",
        "hands",
        "cashed",
        "turn",
        "stake",
        "passed",
        "high",
        "high_bidder",
        "poch_winner",
        "owed",
    )

    @staticmethod
    def fill_places(event, places):
        if event["ev"] == "showdown":
            return "" if places["name"] else ".nobody"
        if event["ev"] == "reveal":
            places["n"] = len(event["hands"])
        return ""

    @staticmethod
    def matters(name, setup, options):
        return name != "turns"  # the order of the bidding is kept in any case

    @classmethod
    def option_range(cls, name, players):
        return ANTE * players, _CHIPS_MAX

    def option(self, name, value):
        if name != "chips_total":
            return super().option(name, value)
        if type(value) is not int or not ANTE * self.n <= value <= LIMIT:
            raise Refused("E_SETTING", name=name)
        return value

    # --- ready: between two rounds ---

    def do_start_round(self, trump, confirm):
        """Take the ante of every player, fill the pools, and begin the first phase."""
        self.need_phase("READY")
        if len(trump) != 1 or trump not in SUITS:
            raise Refused("E_SUIT", suit=trump)
        seats = self.seats()
        short = sorted([p for p in seats if self.chips[p] < ANTE])
        if short and not self.in_debt:
            raise Refused("E_ANTE_SHORT", seats=short)
        for i, p in enumerate(seats):
            self.chips[p] -= ANTE
            self.hands[p] = _PACK // len(seats) + (1 if i < _PACK % len(seats) else 0)
        self.pools = [pool + len(seats) for pool in self.pools]
        self.trump = trump
        self.cashed = [None] * len(POOLS)
        self._clear_bids()
        if self.options["direction_scope"] == "round":
            self.direction = None
        self.phase = "CASH"

    def do_loan(self, giver, taker, k, confirm):
        """Move k chips from one player to another, who owes them unless a loan is a present."""
        self.need_phase("READY")
        self.need_seat(giver)
        self.need_seat(taker)
        if giver == taker:
            raise bad("to")
        if self.chips[giver] < k:
            raise Refused("E_CHIPS", p=giver, have=self.chips[giver], need=k)
        self.chips[giver] -= k
        self.chips[taker] += k
        if self.options["loans"] == "owed":
            self.owed[giver] += k
            self.owed[taker] -= k

    def do_retire(self, p, confirm):
        """Take a player out of the game, which ends if fewer than two are left."""
        self.need_phase("READY")
        self.need_seat(p)
        self.active[p] = False
        self.hands[p] = 0
        if sum(self.active) < 2:
            self._finish()
        elif p == self.dealer:
            self.dealer = self.next_active(p)

    def do_end_game(self, confirm):
        """End the game between two rounds."""
        self.need_phase("READY")
        self._finish()

    def _finish(self):
        """End the game; with the house rule `split`, share out pools and bank."""
        self.phase = "OVER"
        if self.options["final_pools"] == "split":
            pot = sum(self.pools) + self.bank
            self.chips = [chips + pot // self.n for chips in self.chips]
            self.pools = [0] * len(POOLS)
            self.bank = pot % self.n

    # --- first phase: cashing the pools ---

    def do_cash(self, p, pool, confirm):
        """Pay a pool to the player who shows its card."""
        self.need_phase("CASH")
        self.need_seat(p)
        if pool not in POOLS or pool == "POCHER":
            raise Refused("E_POOL", pool=pool)
        i = POOLS.index(pool)
        if self.cashed[i] is not None:
            raise Refused("E_CASHED", pool=pool, p=self.cashed[i])
        for other in (KING, QUEEN) if i == MARRIAGE else (MARRIAGE,) if i in (KING, QUEEN) else ():
            holder = self.cashed[other]
            if holder is not None and (holder != p or self.options["overlap_cash"] == "off"):
                raise Refused("E_CASH_CONFLICT", pool=pool, other=POOLS[other], p=holder)
        self.chips[p] += self.pools[i]
        self.pools[i] = 0
        self.cashed[i] = p

    def uncashed(self):
        """Return the pools of single trump cards that nobody has cashed, although somebody must hold the card."""
        spoken_for = ()
        if self.options["overlap_cash"] == "off" and self.cashed[MARRIAGE] is not None:
            spoken_for = (KING, QUEEN)
        return [POOLS[i] for i in range(SINGLES) if self.cashed[i] is None and i not in spoken_for]

    def do_end_cash(self, confirm):
        """Begin the bidding; a doubt if a pool is left whose card somebody must hold."""
        self.need_phase("CASH")
        if self.uncashed() and not confirm:
            raise Refused("W_UNCASHED", pools=self.uncashed())
        self.phase = "BID"
        self.turn = self.seats()[0]

    # --- third phase: playing out ---

    def starter(self):
        """Return the seat that begins the play-out."""
        return self.seats()[0] if self.poch_winner is None else self.poch_winner

    def do_lead(self, p, direction, confirm):
        """Set the direction of the play-out, up or down."""
        self.need_phase("PLAYOUT")
        self.need_seat(p)
        if self.direction is not None and self.direction != direction:
            raise Refused("E_DIRECTION_LOCKED", direction=self.direction)
        self.direction = direction

    def most_left(self):
        """Return the most cards a player can have left; of uneven hands, any player may have got the larger."""
        return -(-_PACK // sum(self.active))

    def _check_left(self, winner, left):
        """Refuse numbers of cards that cannot be left at the end of a round."""
        self.need_seat(winner)
        for p in sorted(left):
            self.need_seat(p)
        for p in self.seats():
            most = 0 if p == winner else self.most_left()
            cards = left.get(p, 0 if p == winner else -1)
            if not 0 <= cards <= most:
                raise Refused("E_LEFT", p=p, most=most)
        for p in sorted(left):
            if p != winner and not left[p]:
                raise Refused("E_TWO_OUT", p=p)

    def settlement(self, winner, left):
        """Return the change of chips for each seat if the round ends with these cards left."""
        changes = [0] * self.n
        for p in left:
            if p != winner:
                paid = left[p] if self.in_debt else min(left[p], self.chips[p])
                changes[p] -= paid
                changes[winner] += paid
        return changes

    def do_end_round(self, winner, left, confirm):
        """Take a chip for every card left, pass the deal on, and end the round. Returns the notes."""
        self.need_phase("PLAYOUT")
        self._check_left(winner, left)
        notes = []
        for p in sorted(left):
            if p != winner:
                self.chips[winner] += self._compulsory(p, left[p], notes)
        if self.options["dealer"] == "left":
            self.dealer = self.next_active(self.dealer)
        elif self.options["dealer"] == "winner":
            self.dealer = winner
        self.round += 1
        self.trump = None
        self.phase = "READY"
        return notes

    # --- what a screen asks ---

    def totals(self):
        return [chips + owed for chips, owed in zip(self.chips, self.owed)]

    def total_parts(self, p):
        return "%d%+d" % (self.chips[p], self.owed[p]) if self.owed[p] else ""

    def rounds_over(self):
        return self.round - 1

    def legal(self):
        if self.phase == "READY":
            return ["start_round", "loan", "retire", "end_game"]
        if self.phase == "CASH":
            return ["cash", "end_cash"]
        if self.phase == "BID":
            return ["bid", "hold", "pass"] if self.high else ["bid", "pass"]
        if self.phase == "SHOW":
            return ["showdown", "reveal"]
        return ["end_round", "lead"] if self.phase == "PLAYOUT" else []

    def details(self):
        return {
            "chips": list(self.chips),
            "pools": {name: pool for name, pool in zip(POOLS, self.pools)},
            "bank": self.bank,
            "dealer": self.dealer,
            "round": self.round,
            "trump": self.trump,
            "owed": list(self.owed),
        }


GAME = Poch
