"""Describe Poch to the laboratory: two rounds as key presses, its screens, and the ids of its pools."""

from kiebitz.games.poch.rules_bidding import POOLS

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
_RULES = f"ok{RULE} down{RULE * 7}"  # skips the number of chips


class Poch(GameInLab):
    """Poch in the laboratory."""

    SAMPLES = {"poch": ({"game": "poch", "players": FOUR}, _ROUND * 2 + "left up*2 ok ok\n")}
    TYPICAL = {"poch": ("a pool cashed", "down ok")}

    GROUP = "poch"
    README_SCENES = ("ready", "play-out")

    IDS = (*POOLS, *_DIRECTIONS)
    FAMILIES = {"dir": _DIRECTIONS, "pool": POOLS, "rank": [pool for pool in POOLS if len(pool) == 1]}
    SENTENCES = {"showdown": ("showdown", "showdown.nobody")}

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
            ("nobody", setup, held, "down*2"),
            ("enter hands", setup, held, "up*2"),
            ("hands", setup, held, "up*2 ok right*8"),
            ("equal pairs", setup, held, "up*2 ok up ok*2 up"),
            ("equal pairs, who has trump", setup, held, "up*2 ok up ok*2 up ok*4"),
            ("best hand", setup, held, "up*2 ok up ok*2 up ok*2 up"),
            ("outcome", setup, held, "down ok"),
            ("nobody wins", setup, held, "down*2 ok"),
            ("play-out", setup, playout, "down"),
            ("direction", setup, playout, "left down*2"),
            ("downwards", setup, [*playout, {"ev": "lead", "p": 0, "dir": "DOWN"}], ""),
            ("cards left", setup, playout, "ok right" + " down" * (n - 2)),
            ("next round", setup, [*playout, end], ""),
            ("no end within a round", setup, playout, "left up*2 ok"),
            ("the end of a round deleted", setup, [*playout, end], "left down*5 ok ok down*3 ok"),
            ("star, what it means", setup, playout, "ok" + " ok" * (n - 1)),
            ("one is short", poor, nobody, "ok right" + " ok" * (n - 1)),
            ("all are short", poor, nobody, "ok" + " right ok" * (n - 1)),
            ("short of chips", poor, few, ""),
            ("short of chips, what now", poor, few, "ok" + " down*2" * (n - 1)),
            ("menu", setup, [], "left down*2"),
            ("end of the menu", setup, [], "left up"),
            ("who borrows", setup, [], "left down ok"),
            ("who lends", setup, [], "left down ok*2"),
            ("loan", setup, [], "left down ok*3 right*3"),
            ("ranking with loans", setup, [_LOAN, dict(_LOAN, to=2, k=9)], "right"),
            ("over with loans", setup, [_LOAN, {"ev": "end_game"}], ""),
            ("who retires", setup, [], "left down*2 ok"),
            ("retire", setup, [], "left down*2 ok*2"),
            ("retired", setup, [{"ev": "retire", "p": 1}], ""),
            ("last but one retires", setup, no_more, "left down*2 ok*2"),
            ("end, all level", setup, [], "left up*2 ok"),
            ("end, a winner", setup, [*playout, end], "left up*2 ok"),
            ("game over", setup, [*playout, end, {"ev": "end_game"}], ""),
            ("final ranking", setup, [*playout, end, {"ev": "end_game"}], "ok" + " down" * (n - 5)),
        ]

    def setup_scenes(self, seated):
        return [
            ("two players", seated + " undo right"),
            ("rules of Poch", f"{seated} right up {_RULES}"),
            ("number of chips", seated + " right up ok down ok up"),
        ]

    def laps(self):
        entries = lines_of(_ROUND)
        entries.insert(_SHOW_DOWN, "up*2 ok right back:table")
        ready = "pick:new.rules down ok undo undo pick:new.start"
        looks = ["menu:poch.menu.loan ok ok back:table", "menu:menu.end ok", "ok"]
        return [Lap("ok", ready, entries, looks, round=len(entries), ends=True)]


def _passes(first, n):
    """Return the events in which the seats from `first` to n - 1 pass."""
    return [{"ev": "pass", "p": p} for p in range(first, n)]


GAME = Poch
