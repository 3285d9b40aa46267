"""Describe Poch to the laboratory: two rounds as key presses, its screens, and the ids of its pools."""

from kiebitz.games.poch.rules_bidding import KING, MARRIAGE, POOLS, QUEEN, RANKS

from .base import FOUR, RULE, GameInLab, Lap, lines_of

_ROUND = """
down*2 ok
down*2 ok
down ok
down ok
ok
down*3 ok
down*3 ok
ok ok
up*3 ok
up*3 ok
ok
up ok
down ok
down ok right ok right*2 ok ok
"""
_SHOW_DOWN = 12  # the number of entries before hands are shown

_TRUMP_POOLS = ("A", "K", "Q", "J", "T", "SEQUENCE")
_DIRECTIONS = ("UP", "DOWN")
_LOAN = {"ev": "loan", "from": 0, "to": 1, "k": 8}
_RULES = f"pick:new.rules{RULE} down{RULE * 8}"  # skips the number of chips


class Poch(GameInLab):
    """Poch in the laboratory."""

    SAMPLES = {"poch": ({"game": "poch", "players": FOUR}, _ROUND * 2 + "left up*2 ok ok\n")}
    TYPICAL = {"poch": ("a pool cashed", "down ok")}

    GROUP = "poch"
    FIRST_KEYS = {"": "up down ok"}
    README_SCENES = ("ready", "play-out")
    PAGE_SCENES = ("ready", "cash the pools", "bidding", "show-down", "cards left")

    IDS = (*POOLS, *_DIRECTIONS)
    FAMILIES = {"dir": _DIRECTIONS, "pool": POOLS, "rank": [pool for pool in POOLS if len(pool) == 1]}
    SENTENCES = {"showdown": ("showdown", "showdown.nobody")}

    LONG = {"poch": (8, {})}
    SEASON = ("poch",)
    REFUSALS = {
        "direction": "DOWN",
        "other": "SEQUENCE",
        "pool": "MARRIAGE",
        "pools": ["A", "K", "Q", "J", "T"],
        "rank": "K",
        "suit": "X",
    }
    VALUES = {
        "dir": ("UP", "DOWN"),
        "hands": ({}, {"0": [2, "K", True]}, {"0": [4, "7", False], "1": [2, "7", False]}, {"1": [1, "A", True]}),
        "left": ({}, {"0": 0}, {"0": 1, "1": 2}, {"1": 3, "2": 4, "3": 5}, {"0": -1, "1": 40}),
        "pool": ("A", "K", "Q", "J", "T", "MARRIAGE", "SEQUENCE", "POCHER", "B"),
        "trump": ("S", "H", "X", ""),
    }

    def scenes(self, players, hard=False):
        n = len(players)
        setup = {"game": "poch", "players": players, "options": {"chips_total": 4000 if hard else 300}}
        start = [{"ev": "start_round", "trump": "H"}]
        some_cash = start + [{"ev": "cash", "p": 1, "pool": pool} for pool in ("A", "K", "Q")]
        all_cash = start + [{"ev": "cash", "p": 1, "pool": pool} for pool in (*_TRUMP_POOLS, "MARRIAGE")]
        bids = [*start, {"ev": "end_cash", "confirm": True}]
        high = 100 if hard else 5
        shown = [*bids, {"ev": "bid", "p": 0, "k": 3}, {"ev": "bid", "p": 1, "k": high}]
        held = [*shown, {"ev": "hold", "p": 2}, *_passes(3, n)]
        shown += _passes(2, n)
        playout = [*shown, {"ev": "showdown", "best": 0}]
        end = {"ev": "end_round", "winner": 0, "left": {str(p): 2 for p in range(1, n)}}
        nobody = [*bids, *_passes(0, n)]
        poor = {"game": "poch", "players": players, "options": {"chips_total": 9 * n}}
        all_in = {"game": "poch", "players": players, "options": {"chips_total": 8 * n}}
        few = [*nobody, end]
        one_cash = [*start, {"ev": "cash", "p": 1, "pool": "A"}]
        no_more = [{"ev": "retire", "p": p} for p in range(2, n)]
        return [
            ("ready", setup, [], "down up*2"),
            ("no trump yet", setup, [], "ok"),
            ("cash the pools", setup, start, "down"),
            ("longest pool", setup, one_cash, "right*5"),
            ("marriage offered", setup, some_cash, ""),
            ("sequence", setup, some_cash, "right*3"),
            ("pools left", setup, start, "right*7"),
            ("pools doubted", setup, start, "right*7 ok"),
            ("all pools cashed", setup, all_cash, ""),
            ("bidding", setup, bids, "up"),
            ("raise", setup, [*bids, {"ev": "bid", "p": 0, "k": high}], "up*3 right"),
            ("passed", setup, [*bids, *_passes(0, 2)], ""),
            ("show-down", setup, held, "up"),
            ("no doubling", dict(setup, options=dict(setup["options"], held="equal")), held, "down"),
            ("nobody", setup, held, "down*2"),
            ("enter hands", setup, held, "up*2"),
            ("hands", setup, held, "up*2 ok right*8"),
            ("equal pairs", setup, held, "up*2 ok up ok*2 up"),
            ("equal pairs, who has trump", setup, held, "up*2 ok up ok*2 up ok*4"),
            ("best hand", setup, held, "up*2 ok up ok*2 up ok*2 up"),
            ("outcome", setup, held, "down ok"),
            ("nobody wins", setup, held, "down*2 ok"),
            ("play-out", setup, playout, "down"),
            ("direction", setup, playout, "left at:poch.lead.DOWN"),
            ("downwards", setup, [*playout, {"ev": "lead", "p": 0, "dir": "DOWN"}], ""),
            ("cards left", setup, playout, "ok right" + " down" * (n - 2)),
            ("next round", setup, [*playout, end], ""),
            ("no end within a round", setup, playout, "left pick:menu.end"),
            ("the end of a round deleted", setup, [*playout, end], "left pick:menu.history ok pick:history.remove"),
            ("star, what it means", setup, playout, "ok" + " ok" * (n - 1)),
            ("one is short", poor, nobody, "ok right" + " ok" * (n - 1)),
            ("all are short", poor, nobody, "ok" + " right ok" * (n - 1)),
            ("short of chips", poor, few, ""),
            ("short of chips, what now", poor, few, "ok" + " down*2" * (n - 1)),
            ("menu", setup, [], "left at:poch.menu.retire"),
            ("end of the menu", setup, [], "left at:menu.leave"),
            ("who borrows", setup, [], "left pick:poch.menu.loan"),
            ("who lends", setup, [], "left pick:poch.menu.loan ok"),
            ("nobody lends", all_in, few, "left pick:poch.menu.loan ok"),
            ("loan", setup, [], "left pick:poch.menu.loan ok*2 right*3"),
            ("ranking with loans", setup, [_LOAN, dict(_LOAN, to=2, k=9)], "right"),
            ("over with loans", setup, [_LOAN, {"ev": "end_game"}], ""),
            ("who retires", setup, [], "left pick:poch.menu.retire"),
            ("retire", setup, [], "left pick:poch.menu.retire ok"),
            ("retired", setup, [{"ev": "retire", "p": 1}], ""),
            ("last but one retires", setup, no_more, "left pick:poch.menu.retire ok"),
            ("end, all level", setup, [], "left pick:menu.end"),
            ("end, a winner", setup, [*playout, end], "left pick:menu.end"),
            ("game over", setup, [*playout, end, {"ev": "end_game"}], ""),
            ("final ranking", setup, [*playout, end, {"ev": "end_game"}], "ok" + " down" * (n - 5)),
        ]

    def setup_scenes(self, seated):
        return [
            ("two players", seated + " undo right"),
            ("rules of Poch", f"{seated} right {_RULES}"),
            ("number of chips", seated + " right pick:new.rules pick:opt.chips_total up"),
        ]

    def laps(self):
        entries = lines_of(_ROUND)
        entries.insert(_SHOW_DOWN, "up*2 ok right back:table")
        ready = "pick:new.rules down ok undo undo pick:new.start"
        looks = ["menu:poch.menu.loan ok ok back:table", "menu:menu.end ok", "ok"]
        return [Lap("ok", ready, entries, looks, round=len(entries), ends=True)]

    # --- random games ---

    def furnish(self, line, n, dice):
        """Add the random choices of Poch to a set-up."""
        if dice.chance(40):
            line["options"]["chips_total"] = dice.pick((8 * n, 8 * n + dice.below(80), 301, 1000))

    def event(self, game, dice, endless):
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


def _passes(first, n):
    """Return the events in which the seats from `first` to n - 1 pass."""
    return [{"ev": "pass", "p": p} for p in range(first, n)]


def _active(game):
    """Return the seats of the players who have not retired."""
    return [p for p in range(game.n) if game.active[p]]


def _between(game, dice, endless):
    seats = _active(game)
    short = [p for p in seats if game.chips[p] < 8 and not game.in_debt]
    if short and dice.chance(95):
        names: tuple[tuple[int, str], ...] = ((60, "loan"), (25, "retire"), (15, "end_game"))
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
        for p, rank in zip(rivals, ranks, strict=True):
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


GAME = Poch
