"""Generate random Poch: rounds with cashing, bidding, show-down and play-out, loans and retirements between them."""

from kiebitz.games.poch.rules_bidding import KING, MARRIAGE, POOLS, QUEEN, RANKS


def furnish(line, n, dice):
    """Add the random choices of Poch to a set-up."""
    if dice.chance(40):
        line["options"]["chips_total"] = dice.pick((8 * n, 8 * n + dice.below(80), 301, 1000))


def event(game, dice, endless):
    """Return an event that mostly fits the state."""
    if game.phase == "READY":
        return _between(game, dice, endless)
    if game.phase == "CASH":
        return _cash(game, dice)
    if game.phase == "BID":
        return _bid(game, dice)
    if game.phase == "SHOW":
        return _show(game, dice)
    return _play_out(game, dice)


def _active(game):
    """Return the seats of the players who have not retired."""
    return [p for p in range(game.n) if game.active[p]]


def _between(game, dice, endless):
    seats = _active(game)
    short = [p for p in seats if game.chips[p] < 8 and not game.in_debt]
    if short and dice.chance(95):
        names = ((60, "loan"), (25, "retire"), (15, "end_game"))
    else:
        names = ((85, "start_round"), (5, "loan"), (4, "retire"), (6, "end_game"))
    name = names[0][1] if endless else dice.weighted(*names)
    if name == "loan":
        return _loan(game, seats, short, dice)
    if name == "retire":
        return {"ev": "retire", "p": dice.pick(short or seats)}
    return {"ev": "start_round", "trump": dice.pick("SHDC")} if name == "start_round" else {"ev": "end_game"}


def _loan(game, seats, short, dice):
    rich = max(seats, key=lambda p: game.chips[p])
    poor = dice.pick(short or seats)
    k = max(1, min(8 - game.chips[poor] + dice.below(30), game.chips[rich] - 8))
    return {"ev": "loan", "from": rich, "to": poor, "k": k}


def _cash(game, dice):
    pools = game.uncashed()
    if not pools or dice.chance(10):
        pools = [POOLS[i] for i in range(7) if game.cashed[i] is None]
        if not pools or dice.chance(60):
            return {"ev": "end_cash", "confirm": True} if game.uncashed() else {"ev": "end_cash"}
    pool = dice.pick(pools)
    p = dice.pick(_active(game))
    i = POOLS.index(pool)
    for other in (KING, QUEEN) if i == MARRIAGE else (MARRIAGE,) if i in (KING, QUEEN) else ():
        if game.cashed[other] is not None:
            p = game.cashed[other]
    return {"ev": "cash", "p": p, "pool": pool}


def _bid(game, dice):
    p = game.turn
    names = [(40, "pass")]
    if game.chips[p] >= game.price(p, game.min_bid()):
        names.append((35, "bid"))
    if game.high and game.chips[p] >= game.to_hold(p):
        names.append((35, "hold"))
    name = dice.weighted(*names)
    event = {"ev": name, "p": p}
    if name == "bid":
        spare = game.chips[p] - game.price(p, game.min_bid())
        event["k"] = game.min_bid() + dice.below(1 + min(spare, dice.pick((3, 12, 300))))
    return event


def _show(game, dice):
    rivals = game.contestants()
    if dice.chance(50):
        return {"ev": "showdown", "best": None if dice.chance(15) else dice.pick(rivals)}
    hands = {}
    if dice.chance(20):
        rank, trump = dice.pick(RANKS), dice.below(2) == 1
        hands = {str(rivals[0]): [2, rank, trump], str(rivals[1]): [2, rank, not trump]}
    else:
        smallest = 1 if game.options["no_poch"] == "high_card" else 2
        ranks = dice.some(RANKS, len(rivals))
        for p, rank in zip(rivals, ranks):
            if not dice.chance(25):
                spelled = "10" if rank == "T" and dice.chance(50) else rank
                hands[str(p)] = [smallest + dice.pick((0, 0, 1, 4 - smallest)), spelled, dice.below(2) == 1]
    return {"ev": "reveal", "hands": hands}


def _play_out(game, dice):
    if dice.chance(25):
        way = game.direction or dice.pick(("UP", "DOWN"))
        return {"ev": "lead", "p": game.starter(), "dir": way}
    seats = _active(game)
    winner = dice.pick(seats)
    left = {}
    for p in seats:
        if p != winner:
            left[str(p)] = 1 + dice.below(game.most_left())
        elif dice.chance(30):
            left[str(p)] = 0
    return {"ev": "end_round", "winner": winner, "left": left}
