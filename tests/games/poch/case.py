"""Provide the data of Poch, and check its invariants after every event, for the tests of all games."""

from helpers.play import ev, game, play, setup, sure
from helpers.watch import Watch
from kiebitz.games.poch.rules_bidding import POOLS

NUMBERED = "P"  # the beginning of its numbered cases
PLAYERS = (2, 8)
OPTIONS = {
    "turns": ("free", "follow"),
    "chips_total": (300,),
    "overlap_cash": ("on", "off"),
    "bidding": ("single_lap", "until_matched"),
    "held": ("doubles", "equal"),
    "no_poch": ("carry", "high_card"),
    "direction_scope": ("game", "round"),
    "shortage": ("partial", "debt"),
    "dealer": ("left", "winner", "fixed"),
    "loans": ("owed", "gift"),
    "final_pools": ("ignore", "split"),
}
NUMBERS = ("chips_total",)  # house rules that are numbers
FIRST = (ev("start_round", trump="S"), ev("cash", p=1, pool="A"))  # events with which a game may begin
BY_SEAT = ev("retire")  # an event that takes any seat
SUMMARY = "chips pools bank dealer round trump owed"  # the keys that only its summary has
PHASES = ("READY", "CASH", "BID", "SHOW", "PLAYOUT", "OVER")
# Each kind of entry, with long values: they must fit a line of the history
ENTRIES = [
    ev("start_round", trump="H"),
    ev("end_cash"),
    ev("bid", p=1, k=100),
    ev("hold", p=0),
    ev("pass", p=0),
    ev("showdown", best=0),
    ev("showdown", best=None),
    ev("reveal", hands={"0": [2, "K", True]}),
    ev("lead", p=3, dir="UP"),
    ev("lead", p=3, dir="DOWN"),
    ev("end_round", winner=0, left={"1": 2}),
    {"ev": "loan", "from": 0, "to": 1, "k": 100},
    ev("retire", p=0),
    ev("end_game"),
] + [ev("cash", p=1, pool=pool) for pool in POOLS]


def short():
    """Return (set-up, events) of a short piece with everything a journal can hold; all events are taken."""
    return setup("poch", 2, chips_total=40), [
        ev("start_round", trump="H"),
        ev("cash", p=1, pool="A"),
        sure(ev("end_cash")),
        ev("undo"),
        sure(ev("end_cash")),
        ev("bid", p=0, k=2),
        ev("pass", p=1),
    ]


START = ev("start_round", trump="H")
LEAVE_ALL = sure(ev("end_cash"))


def cash(p, *pools):
    """Return the events by which one player shows cards and takes these pools."""
    return [ev("cash", p=p, pool=pool) for pool in pools]


def bid(p, k):
    return ev("bid", p=p, k=k)


def hold(p):
    return ev("hold", p=p)


def out(p):
    """Return the pass of a player, who is out of the bidding, not of the round."""
    return ev("pass", p=p)


def best(p):
    return ev("showdown", best=p)


def reveal(**hands):
    """Return the event in which the contestants show their hands, given as p0=(4, "8", True)."""
    return ev("reveal", hands={key[1:]: list(hands[key]) for key in hands})


def last_card(winner, **left):
    """Return the event in which player `winner` is out and the others have cards left, given as p1=2."""
    return ev("end_round", winner=winner, left={key[1:]: left[key] for key in left})


def loan(giver, taker, k):
    event = ev("loan", to=taker, k=k)
    event["from"] = giver
    return event


def bidding(n=4, options=None, **keys):
    """Return a round in which nobody has cashed anything and the bidding begins left of the dealer."""
    g = game("poch", n, options, **keys)
    play(g, START, LEAVE_ALL)
    return g


def pool(g, name):
    return g.pools[POOLS.index(name)]


def in_sight(g):
    """Return all chips of the game, with the players, in the pools and in the bank."""
    return sum(g.summary()["chips"]) + sum(g.pools) + g.summary()["bank"]


class PochWatch(Watch):
    def __init__(self, game):
        super().__init__(game)
        self.all_chips = game.n * (game.options["chips_total"] // game.n)
        self.antes = 0  # paid into POCHER since it was last won

    def before(self, event):
        super().before(event)
        g = self.game
        self.chips = list(g.chips)
        self.had_winner = g.poch_winner is not None
        self.claimed = list(g.cashed[:5])
        self.expected = None
        if event["ev"] == "end_round" and g.phase == "PLAYOUT" and 0 <= event["winner"] < g.n:
            left = {int(p): event["left"][p] for p in event["left"] if int(p) < g.n}
            self.expected = [a + b for a, b in zip(g.chips, g.settlement(event["winner"], left))]

    def after(self, event):
        super().after(event)
        g = self.game
        assert sum(g.chips) + sum(g.pools) + g.bank == self.all_chips
        assert g.in_debt or min(g.chips) >= 0
        assert min(g.pools) >= 0 and g.bank >= 0
        if event["ev"] == "start_round":
            self.antes += sum(g.active)
        elif g.poch_winner is not None and not self.had_winner:
            self.antes = 0
            assert g.bank == 0
        elif event["ev"] == "end_round":
            assert g.chips == self.expected
            for pool, claimer in zip(g.pools, self.claimed):
                assert pool == 0 or claimer is None
        if g.over and g.options["final_pools"] == "split":
            self.antes = 0
            assert g.bank < g.n
        assert g.pools[7] == self.antes


WATCH = PochWatch
