"""Provide the data of Poch for the tests of all games."""

from helpers.play import ev, setup, sure
from kiebitz.games.poch.rules_bidding import POOLS

RULES = "3. Poch"  # its section of docs/rules.md
NUMBERED = "P"  # the beginning of its numbered cases
PLAYERS = (2, 8)
OPTIONS = {
    "turns": ("free", "follow"),
    "chips_total": (300,),
    "overlap_cash": ("on", "off"),
    "bidding": ("single_lap", "until_matched"),
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
