"""Build short finished games with these players and points for the tests of the results."""

import json

from kiebitz.games.five_dice.rules import BOXES

SEVEN = ["Anna", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina"]  # the people of an evening
DAY = "2026-01-05"  # day 5 of the fixture `put`


def lines_of(setup, events):
    return [json.dumps(line, separators=(",", ":")) for line in [setup, *events]]


def carre(players, points, **setup):
    """Return a PokerCarre pad that ends with these points."""
    marks = [{"ev": "mark", "p": p, "rubric": 1} for p, k in enumerate(points) for _ in range(k)]
    return lines_of({"game": "poker_carre", "players": players, **setup}, [*marks, {"ev": "finish"}])


def spot(players, points, **setup):
    """Return a Top Spot match of one game with these points."""
    setup = {"game": "top_spot", "players": players, "match_length": 1, "confirm": True, **setup}
    tricks = [{"ev": "point", "p": p} for p, k in enumerate(points) for _ in range(k)]
    return lines_of(setup, [*tricks, {"ev": "end_game"}, {"ev": "next_game"}])


def poch(players, chips, **setup):
    """Return a game of Poch that lends itself to these chips, with 100 for everybody at the start."""
    options = {"chips_total": 100 * len(players), "loans": "gift"}
    setup = {"game": "poch", "players": players, "options": options, **setup}
    assert sum(chips) == 100 * len(players)
    have = [100] * len(players)
    loans = []
    while have != chips:
        giver = next(p for p in range(len(chips)) if have[p] > chips[p])
        taker = next(p for p in range(len(chips)) if have[p] < chips[p])
        k = min(have[giver] - chips[giver], chips[taker] - have[taker])
        have[giver] -= k
        have[taker] += k
        loans.append({"ev": "loan", "from": giver, "to": taker, "k": k})
    return lines_of(setup, [*loans, {"ev": "end_game"}])


def any_game(title, players, *rounds, low=False, **setup):
    """Return another game with this title, which ends by hand after these rounds of points by seat."""
    options = {"wins": "low"} if low else {}
    points = [{"ev": "points", "p": p, "k": k} for column in rounds for p, k in enumerate(column)]
    setup = {"game": "any_game", "players": players, "title": title, "options": options, **setup}
    return lines_of(setup, [*points, {"ev": "end_game"}])


def counter(title, players, *added, start=0, limit=None, **setup):
    """Return a counter with this title that is played from `start` to `limit`; added: (seat, points)."""
    options = {"entry": "counter", "start": start, "end": "target", "limit": limit}
    events = [{"ev": "add", "p": p, "k": k} for p, k in added]
    return lines_of({"game": "any_game", "players": players, "title": title, "options": options, **setup}, events)


def wizard(players, *rounds, **setup):
    """Return a game of Wizard with these rounds: (bids, tricks) by seat."""
    events, options = [], {"most": len(rounds)}
    for bids, tricks in rounds:
        events += [{"ev": "bid", "p": p, "k": k} for p, k in enumerate(bids)]
        events += [{"ev": "tricks", "p": p, "k": k} for p, k in enumerate(tricks)]
    return lines_of({"game": "bids", "players": players, "options": options, **setup}, events)


def kniffel(players, *boxes, again=(), **setup):
    """Return a game of Kniffel with these points in the boxes of each seat, and a further five of a kind of `again`."""
    turns = [(box, p, points[k]) for k, box in enumerate(BOXES) for p, points in enumerate(boxes)]
    events = [{"ev": "write", "p": p, "box": box, "k": k} for box, p, k in turns]
    more = [{"ev": "again", "p": p} for p in again]
    return lines_of({"game": "five_dice", "players": players, **setup}, [*events[:-1], *more, events[-1]])


def skat(players, *games, **setup):
    """Return a list of Skat with as many games as there are: the arguments of an entry, or None if all passed."""
    events = [{"ev": "play", **game} if game else {"ev": "passed"} for game in games]
    options = {"series": len(games), **setup.pop("options", {})}
    return lines_of({"game": "skat", "players": players, "options": options, **setup}, events)


def royal(players, rounds, spent=(), **setup):
    """Return a game of Royal Flush; `rounds` are the seats that end each round, `spent` the chips by seat."""
    spending = [{"ev": "spend", "p": p, "k": k} for p, k in enumerate(spent) if k]
    ends = [{"ev": "score", "p": p, "board": "royal_flush"} for p in rounds]
    return lines_of({"game": "royal_flush", "players": players, **setup}, [*spending, *ends])


def level_on_points():
    """Return a game of Royal Flush with 60 points each, which Anna wins by her chips."""
    setup, *ends = royal(["Anna", "Ben"], [0, 1, 0])
    before = [
        {"ev": "spend", "p": 1, "k": 1},
        {"ev": "score", "p": 1, "board": "four_kind"},
        {"ev": "score", "p": 1, "board": "big_straight"},
    ]
    return [setup, *map(json.dumps, before), *ends]


def unfinished(lines):
    """Return the same game before its last entry."""
    return lines[:-1]


def put(store, k, players=("Anna", "Ben"), laptop="aabbcc"):
    """Add a game of these players to a store; k numbers it."""
    store.add_journal(f"{laptop}-{k:04d}-0", carre(list(players), [k % 5, 2]), {"id": "e6"}, 1000 + k, False)
