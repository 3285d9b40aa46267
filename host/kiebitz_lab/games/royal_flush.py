"""Describe Royal Flush to the laboratory: three rounds as key presses, its screens, and the ids of its boards."""

from kiebitz.games.royal_flush.rules_boards import BOARD_IDS

from .base import RULE, SEAT, GameInLab, Lap, lines_of

_ROUND = """
ok left ok
right right ok
ok up ok
right ok
ok up right ok
ok ok
ok up left ok
ok down ok
right right right ok
ok right ok
ok left ok
ok down right ok ok
"""

_OTHERS = [
    "perfect_pair",
    "double_pair",
    "triple_pair",
    "double_three",
    "flush",
    "pictures",
    "straight",
    "big_straight_flush",
    "royal_flush",
]
_BEST = ("four_kind", "straight_flush", "big_straight", "perfect_triple")


def score(p, board):
    """Return the event in which a seat puts a piece on a board."""
    return {"ev": "score", "p": p, "board": board}


def spend(p, k):
    """Return the event in which a seat spends k chips."""
    return {"ev": "spend", "p": p, "k": k}


def _a_round(n, hard):
    """Return the events of a round without the Royal Flush that ends it; hard: three players take the best slots."""
    if not hard:
        return [score(p, "pair") for p in (0, 1, 0)]
    spent = [spend(p, 2) for p in range(1, n)]
    return spent + [score(p, board) for p in range(3) for board in _BEST]


class RoyalFlush(GameInLab):
    """Royal Flush in the laboratory."""

    SAMPLES = {"royal_flush": ({"game": "royal_flush", "players": ["Anna", "Ben", "Cleo"]}, _ROUND * 3)}
    TYPICAL = {"royal_flush": ("a piece on a board", "ok up ok")}

    GROUP = "royal"
    README_SCENES = ("table in play", "boards of a player", "no chips left", "cards entered")

    IDS = ("tie",)
    FAMILIES = {"board": BOARD_IDS, "short": BOARD_IDS}
    SENTENCES = {"take": ("take", "take.free")}

    def scenes(self, players, hard=False):
        n = len(players)
        setup = {"game": "royal_flush", "players": players, "child": [1] + [0] * (n - 1)}
        some = [spend(0, 2), score(1, "four_kind"), score(0, "four_kind"), score(n - 1, "pair")]
        first = _a_round(n, hard)
        whole = [*first, score(0 if hard else 1, "royal_flush")]
        now = [*whole, *whole, *first] if hard else some
        new_boards = {"game": "royal_flush", "players": players, "options": {"redraw_boards_each_round": "on"}}
        other_boards = dict(setup, boards=_OTHERS)
        follow = {"game": "royal_flush", "players": players, "options": {"turns": "follow"}}
        shared = {"game": "royal_flush", "players": players, "options": {"distribute_after_last": "on"}}
        full = [score(p, "pair") for p in (0, 1, 1)]
        last = [*whole, *whole, *first]
        pair = {"game": "royal_flush", "players": players[:2]}
        tie = [score(0, "four_kind"), score(0, "straight_flush"), score(0, "royal_flush")]
        tie += [score(1, "royal_flush"), spend(0, 1), score(1, "royal_flush")]
        threes = "down*2 ok ok down ok down ok"  # in the menu: enter the cards, then three eights
        return [
            ("table", setup, [], ""),
            ("table in play", setup, now, "down up"),
            ("pot", setup, [spend(0, 2), spend(1, 1)], "undo wait:2000"),
            ("pot of the last round", setup, [*whole, *whole, *[spend(p, 2) for p in (0, 1)]], "undo wait:2000"),
            ("board full in the last round", setup, [*whole, *whole, *full], "ok up left ok"),
            ("spend chips", setup, some, "right right"),
            ("no chips left", setup, [spend(0, 5)], "up right"),
            ("boards of a player", setup, some, "ok up left*2 down left*2 down left*2 up*2"),
            ("other boards of a player", other_boards, [], "ok up left*2 down left*2 down left*2 up*2"),
            ("board full", setup, full, "ok up left ok"),
            ("scored", setup, some, "ok up ok ok"),
            ("jokers of a child", setup, some, "ok up ok down"),
            ("longest entry", other_boards, [], "ok down ok"),
            ("menu", setup, some, "left"),
            ("no card yet", setup, some, "left down*2 ok"),
            ("cards entered", setup, some, "left " + threes),
            ("which board", setup, some, f"left {threes} down*2 right ok"),
            ("cards of no board", setup, some, "left down*2 ok ok left ok"),
            ("nearest board", setup, some, "left down*2 ok ok*2 up right ok"),
            ("why not another board", setup, some, f"left {threes} down*2 right ok down*2 ok"),
            ("too many cards", setup, some, "left down*2 ok ok*3"),
            ("no joker", follow, [], "left down*2 ok up left ok"),
            ("no joker more", setup, some, "left down*2 ok up left ok*3"),
            ("joker of a grown-up", setup, some, "down left down*2 ok ok up left ok left ok ok"),
            ("boards", setup, some, "left down ok"),
            ("other boards", other_boards, [], "left down ok up left*2 down left*2 down left*2"),
            ("round over", setup, first, "ok down right ok"),
            ("between rounds", new_boards, whole, ""),
            ("new boards", new_boards, whole, "ok down*17"),
            ("too few boards", new_boards, whole, "ok down*2 ok up*2 ok"),
            ("last round over", setup, last, "ok down right ok"),
            ("last round shared out", shared, [*last, spend(0, 5)], "ok down right ok"),
            ("game over", setup, [*last, whole[-1]], ""),
            ("final ranking", setup, last, "ok down right ok ok"),
            ("chips decide", pair, tie, "ok"),
            ("another turn", follow, [], "down ok"),
            ("a free card", follow, [], "right"),
        ]

    def setup_scenes(self, seated):
        return [
            ("boards", seated + " right down*3 ok down*17"),
            ("boards of one's own", seated + " right down*3 ok down ok*2"),
            ("children chosen", seated + " right down*4 ok down ok up ok"),
            ("rules of Royal Flush", f"{seated} right down*4 ok down ok up ok down ok{RULE * 14}"),
            ("rules of one's own", seated + " right up ok right undo"),
        ]

    def laps(self):
        boards = "pick:new.boards.starter down ok undo pick:new.children.none undo"
        looks = ["menu:royal.menu.boards back:table", "menu:royal.menu.cards right ok back:table", "right*2 undo"]
        ready = f"{boards} pick:new.rules down*3 undo pick:new.start"
        _, keys = self.SAMPLES["royal_flush"]
        return [Lap("down " + SEAT * 3 + "right", ready, lines_of(keys), looks, round=len(lines_of(_ROUND)))]


GAME = RoyalFlush
