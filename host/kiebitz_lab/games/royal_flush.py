"""Describe Royal Flush to the laboratory: three rounds as key presses, its screens, and random games."""

from kiebitz.games.royal_flush.rules_boards import BOARD_IDS, BOARDS, RANKS, SUITS, categories_are_even

from .base import RULE, SEAT, GameInLab, Lap, lines_of, some_cards

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

_GROUPS = {
    "pair": (2,),
    "three_kind": (3,),
    "four_kind": (4,),
    "double_pair": (2, 2),
    "triple_pair": (2, 2, 2),
    "full_house": (3, 2),
    "double_three": (3, 3),
}
_TWINS = {"perfect_pair": 1, "perfect_triple": 3}
_DECK = [rank + suit for rank in RANKS for suit in SUITS]


def score(p, board):
    """Return the event in which a seat puts a piece on a board."""
    return {"ev": "score", "p": p, "board": board}


def spend(p, k):
    """Return the event in which a seat spends k chips."""
    return {"ev": "spend", "p": p, "k": k}


def _a_round(n, hard):
    """Return a round without the Royal Flush that ends it; if `hard`, three players take the best slots."""
    if not hard:
        return [score(p, "pair") for p in (0, 1, 0)]
    spent = [spend(p, 2) for p in range(1, n)]
    return spent + [score(p, board) for p in range(3) for board in _BEST]


_SWAP = "pick:board.pair pick:board.perfect_pair"  # another board of the same category
_SPENT = [spend(p, 3) for p in (2, 3)]


class RoyalFlush(GameInLab):
    """Royal Flush in the laboratory."""

    SAMPLES = {"royal_flush": ({"game": "royal_flush", "players": ["Anna", "Ben", "Cleo"]}, _ROUND * 3)}
    TYPICAL = {"royal_flush": ("a piece on a board", "ok up ok")}

    GROUP = "royal"
    README_SCENES = ("table in play", "boards of a player", "no chips left", "cards entered")
    PAGE_SCENES = ("table in play", "boards of a player", "spend chips", "round over")

    IDS = ("tie",)
    FAMILIES = {"board": BOARD_IDS, "short": BOARD_IDS}
    SENTENCES = {"take": ("take", "take.free")}

    EARLY = "end_game"
    LONG = {"royal_flush": (5, {"options": {"turns": "follow"}})}
    SEASON = ("royal_flush",)
    REFUSALS = {"board": "double_three", "card": "TH"}
    VALUES = {
        "board": ("pair", "flush", "straight", "pictures", "perfect_triple", "royal_flush", "kings"),
        "boards": ("starter", ["royal_flush"], ["pair"] * 9, ["pair", "kings"]),
    }

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
        threes = "pick:royal.menu.cards ok down ok down ok"  # in the menu: enter the cards, then three eights
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
            ("no card yet", setup, some, "left pick:royal.menu.cards"),
            ("cards entered", setup, some, "left " + threes),
            ("which board", setup, some, f"left {threes} down*2 right ok"),
            ("cards of no board", setup, some, "left pick:royal.menu.cards ok left ok"),
            ("nearest board", setup, some, "left pick:royal.menu.cards ok*2 up right ok"),
            ("why not another board", setup, some, f"left {threes} down*2 right ok pick:short.pair"),
            ("too many cards", setup, some, "left pick:royal.menu.cards ok*3"),
            ("no joker", follow, [], "left pick:royal.menu.cards up left ok"),
            ("no joker more", setup, some, "left pick:royal.menu.cards up left ok*3"),
            ("joker of a grown-up", setup, some, "down left pick:royal.menu.cards ok up left ok left ok ok"),
            ("boards", setup, some, "left pick:royal.menu.boards"),
            ("other boards", other_boards, [], "left pick:royal.menu.boards up left*2 down left*2 down left*2"),
            ("round over", setup, first, "ok down right ok"),
            ("round over, chips shared out", setup, [*_SPENT, *first], "ok down right ok"),
            ("between rounds", new_boards, whole, ""),
            ("new boards", new_boards, whole, "ok at:board.big_straight_flush"),
            ("too few boards", new_boards, whole, "ok pick:board.pair pick:pick.done"),
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
            ("boards", seated + " right pick:new.boards.starter at:board.big_straight_flush"),
            ("boards of one's own", f"{seated} right pick:new.boards.starter pick:pick.starter {_SWAP} pick:pick.done"),
            ("children chosen", seated + " right pick:new.children.none down ok up ok"),
            ("rules of Royal Flush", f"{seated} right pick:new.children.none down ok up ok pick:new.rules{RULE * 14}"),
            ("rules of one's own", seated + " right pick:new.rules right undo"),
        ]

    def laps(self):
        boards = "pick:new.boards.starter pick:pick.starter undo pick:new.children.none undo"
        looks = ["menu:royal.menu.boards back:table", "menu:royal.menu.cards right ok back:table", "right*2 undo"]
        looks.append("hold:left up")  # the scoreboard
        ready = f"{boards} pick:new.rules down*3 undo pick:new.start"
        _, keys = self.SAMPLES["royal_flush"]
        return [Lap("down " + SEAT * 3 + "right", ready, lines_of(keys), looks, round=len(lines_of(_ROUND)))]

    # --- random games ---

    def furnish(self, line, n, dice):
        """Add random children and boards to a set-up."""
        if dice.chance(50):
            line["child"] = [dice.below(2) for _ in range(n)]
        if dice.chance(50):
            strict = line["options"].get("strict_categories", "off") in ("on", True)
            _lay_boards(line, dice, 0 if strict else 20)

    def event(self, game, dice, endless):
        """Return an event that mostly fits the state."""
        if game.phase == "BETWEEN":
            plain = {"ev": "boards", "boards": "starter"}
            return plain if dice.chance(30) else _lay_boards({"ev": "boards"}, dice, 20)
        p = game.turn if game.follows else dice.below(game.n)
        name = _name(game, dice)
        if name == "score":
            if endless and (game.pieces[p] == 1 or dice.chance(60)):
                return {"ev": "take", "p": p, "swaps": 0, "buys": 0}
            return _score(game, p, dice, endless)
        if name == "turn":
            return {"ev": "turn", "p": dice.below(game.n)}
        if name == "spend" and game.chips[p]:
            return {"ev": "spend", "p": p, "k": 1 + dice.below(game.chips[p])}
        if name in ("take", "spend"):
            swaps = dice.below(min(3, game.chips[p] + 1))
            return {"ev": "take", "p": p, "swaps": swaps, "buys": dice.below(min(2, game.chips[p] - swaps + 1))}
        return {"ev": name, "p": p}

    def argument(self, game, what, dice):
        return some_cards(dice) if what == "cards" else super().argument(game, what, dice)


def _lay_boards(line, dice, uneven):
    """Add boards to a line and return it, two of each category, or any eight in `uneven` percent of the cases.

    Boards that are uneven need `confirm`.
    """
    if dice.chance(uneven):
        boards = dice.some(BOARD_IDS[:-1], 8)
    else:
        boards = []
        for category in "ABCD":
            boards += dice.some([board for board in BOARD_IDS if BOARDS[board][2] == category], 2)
    boards.append("royal_flush")
    line["boards"] = boards
    if not categories_are_even(boards):
        line["confirm"] = True
    return line


def _name(game, dice):
    """Return the name of the next event."""
    if not game.follows:
        return dice.weighted((55, "score"), (30, "spend"), (15, "take"))
    if game.part == 0:
        return dice.weighted((45, "score"), (20, "take"), (20, "draw"), (10, "swap"), (5, "turn"))
    if game.part == 1:
        return dice.weighted((60, "draw"), (30, "swap"), (5, "turn"), (5, "score"))
    return dice.weighted((60, "end_turn"), (30, "buy"), (5, "turn"), (5, "swap"))


def _score(game, p, dice, endless):
    boards = [board for board, _ in game.open_boards(p) if board != "royal_flush"]
    if not boards or (not endless and dice.chance(10)):
        boards = ["royal_flush"]
    board = dice.pick(boards)
    event = {"ev": "score", "p": p, "board": board}
    if dice.chance(50):
        event["cards"] = _spelled(_with_jokers(hand_for(board, dice), board, game.jokers[p], dice), dice)
    elif game.jokers[p] and dice.chance(40):
        event["jokers"] = 1 + dice.below(game.jokers[p])
    return event


def _run(length, suits, dice):
    """Return cards in sequence, with these suits in turn."""
    low = dice.below(len(RANKS) - length + 1)
    return [RANKS[low + i] + suits[i % len(suits)] for i in range(length)]


def hand_for(board, dice):
    """Return cards that make the combination of this board, without jokers, under any house rules."""
    size = BOARDS[board][1]
    if board in _GROUPS:
        groups = _GROUPS[board]
        ranks = dice.some(RANKS, len(groups))
        return [rank + suit for rank, k in zip(ranks, groups, strict=True) for suit in dice.some(SUITS, k)]
    if board in _TWINS:
        return dice.some(_DECK, _TWINS[board]) * 2
    if board == "pictures":
        return dice.some([card for card in _DECK if card[0] in "JQK"], size)
    suit = dice.pick(SUITS)
    if board in ("flush", "big_flush"):
        return [rank + suit for rank in dice.some(RANKS, size)]
    if board == "royal_flush":
        return [rank + suit for rank in "TJQKA"]
    return _run(size, dice.some(SUITS, 2) if board in ("straight", "big_straight") else suit, dice)


def _with_jokers(cards, board, jokers, dice):
    """Return the cards, sometimes with jokers in the place of some."""
    if board != "royal_flush" and dice.chance(60):
        for i in range(min(jokers, len(cards))):
            cards[i] = "*"
    return cards


def _spelled(cards, dice):
    """Return the cards as one string or a list, with the tens as T or 10."""
    if dice.chance(30):
        cards = ["10" + card[1] if card[0] == "T" else card for card in cards]
    return cards if dice.chance(40) else " ".join(cards)


GAME = RoyalFlush
