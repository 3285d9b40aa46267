"""Provide short functions for the events of Poch, from the ante to the last card."""

from kiebitz.games.poch.rules_bidding import POOLS

from helpers.play import ev, game, play, sure

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
