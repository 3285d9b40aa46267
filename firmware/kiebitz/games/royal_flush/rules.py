"""Implement the rules of Royal Flush (pieces on boards, chips, three rounds)."""

from ...machine_code import const
from ..base import ON_OFF, REQUIRED, Game, Refused, bad, best, count, integer, positive, string
from .rules_boards import (
    BOARD_IDS,
    BOARDS,
    JOKER,
    categories_are_even,
    check_deck,
    flaw,
    read_boards,
    read_cards,
    rule_matters,
)

_PIECES = const(5)
_CHIPS = const(5)
ROUNDS = 3
CHIP_BONUS = 2

# The parts of a turn that is entered step by step
_NONE, _SWAPPING, _DRAWN = 0, 1, 2

_SEAT = ("p", count, REQUIRED)


def jokers_each(children):
    """Return how many of the six jokers each child gets."""
    return min(2, 6 // children) if children else 0


class RoyalFlush(Game):
    """The rules of Royal Flush."""

    KIND = "royal_flush"
    PLAYERS = (2, 5)
    OPTIONS = {
        "turns": ("free", "follow"),
        "strict_categories": ON_OFF,
        "redraw_boards_each_round": ON_OFF,
        "straight_suits": ("mixed", "any"),
        "pairs_need_different_ranks": ON_OFF,
        "jokers_refresh": ("game", "round"),
        "one_slot_per_board": ON_OFF,
        "distribute_after_last": ON_OFF,
    }
    EVENTS = {
        "spend": (_SEAT, ("k", positive, REQUIRED)),
        "take": (_SEAT, ("swaps", count, REQUIRED), ("buys", count, REQUIRED)),
        "score": (
            _SEAT,
            ("board", string, REQUIRED),
            ("jokers", count, None),
            ("cards", read_cards, None),
        ),
        "swap": (_SEAT,),
        "draw": (_SEAT,),
        "buy": (_SEAT,),
        "end_turn": (_SEAT,),
        "turn": (_SEAT,),
        "boards": (("boards", read_boards, REQUIRED),),
        "end_game": (),
    }
    FORMS = {read_cards: " ".join}
    matters = staticmethod(rule_matters)
    NAMED = {"board": "board."}
    SHORT = {"board": "short."}
    FIELDS = (
        "phase",
        "round",
        "boards",
        "slots",
        "pieces",
        "chips",
        "jokers",
        "spent",
        "carry",
        "first",
        "turn",
        "part",
        "round_points",
        "shares",
        "early",
    )

    @staticmethod
    def fill_places(event, places):
        if event["ev"] == "take":
            places["k"] = event["swaps"] + event["buys"]
            return "" if places["k"] else ".free"
        return ""

    def check_types(self, setup):
        child = setup.get("child", [0] * self.n)
        if not isinstance(child, list) or len(child) != self.n:
            raise bad("child")
        self.child = [c if isinstance(c, bool) else bool(integer(c, "child", 0, 1)) for c in child]
        self.boards = read_boards(setup.get("boards", "starter"))

    def start(self, confirm):
        self._check_boards(self.boards, confirm)
        self.phase = "PLAY"
        self.round = 1
        self.chips = [_CHIPS] * self.n
        self.jokers = self._full_jokers()
        self.spent = self.carry = 0
        self.first = self.turn = self.left_of(self.dealer)
        self.part = _NONE
        self.early = False  # the table has stopped before the last round was over
        self.round_points = []
        self.shares = []  # of every closed round: chips each player got, chips carried over
        self._clear_boards()

    def _check_boards(self, boards, confirm):
        """Refuse a wrong choice of boards."""
        for board in boards:
            if board not in BOARDS:
                raise Refused("E_BOARD", board=board)
        if len(boards) != 9:
            raise Refused("E_BOARD_COUNT", n=len(boards))
        for board in boards:
            if boards.count(board) > 1:
                raise Refused("E_BOARD_DUP", board=board)
        if "royal_flush" not in boards:
            raise Refused("E_BOARD_NO_RF")
        if not categories_are_even(boards):
            if self.options["strict_categories"] == "on":
                raise Refused("E_BOARD_CATEGORY")
            if not confirm:
                raise Refused("W_BOARDS_CATEGORY")

    def jokers_in_all(self):
        """Return how many jokers are in the game."""
        return sum(self._full_jokers())

    def _full_jokers(self):
        """Return the jokers of each seat at the start."""
        each = jokers_each(sum(self.child))
        return [each if child else 0 for child in self.child]

    def _clear_boards(self):
        """Give all pieces back and empty the slots."""
        self.pieces = [_PIECES] * self.n
        self.slots = [[None] * len(BOARDS[board][0]) for board in self.boards]

    # --- events ---

    def unknown(self, name):
        return Refused("E_PHASE", phase=self.phase) if name == "pass" else bad("ev")

    def check_event(self, name, ev):
        if name == "score" and "cards" in ev and "jokers" in ev:
            if read_cards(ev["cards"]).count(JOKER) != ev["jokers"]:
                raise bad("jokers")

    def _begin(self, p, follow):
        """Check what all events of a turn have in common.

        follow: whether the event belongs to a game that follows turns; None if it belongs to both kinds.
        """
        self.need_phase("PLAY")
        if follow is not None and follow != self.follows:
            raise Refused("E_PHASE", phase=self.phase)
        self.need_seat(p)
        if self.follows and p != self.turn:
            raise Refused("E_TURN", p=self.turn)

    def _pay(self, p, k):
        """Take k chips from a player."""
        if k > self.chips[p]:
            raise Refused("E_CHIPS", p=p, have=self.chips[p], need=k)
        self.chips[p] -= k
        self.spent += k

    def _next_turn(self, p):
        self.turn = self.left_of(p)
        self.part = _NONE

    def do_spend(self, p, k, confirm):
        """Pay k chips, if turns are not followed."""
        self._begin(p, False)
        self._pay(p, k)

    def do_take(self, p, swaps, buys, confirm):
        """Pay swaps and buys together; if turns are followed, this is the whole turn."""
        self._begin(p, None)
        if self.part != _NONE:
            raise Refused("E_ORDER")
        self._pay(p, swaps + buys)
        if self.follows:
            self._next_turn(p)

    def do_swap(self, p, confirm):
        """Pay a chip for a swap, before the draw."""
        self._begin(p, True)
        if self.part == _DRAWN:
            raise Refused("E_ORDER")
        self._pay(p, 1)
        self.part = _SWAPPING

    def do_draw(self, p, confirm):
        """Draw; after this only buys are accepted in the turn."""
        self._begin(p, True)
        if self.part == _DRAWN:
            raise Refused("E_ORDER")
        self.part = _DRAWN

    def do_buy(self, p, confirm):
        """Pay a chip for a bought card, after the draw."""
        self._begin(p, True)
        if self.part != _DRAWN:
            raise Refused("E_ORDER")
        self._pay(p, 1)

    def do_end_turn(self, p, confirm):
        """End the turn, after the draw."""
        self._begin(p, True)
        if self.part != _DRAWN:
            raise Refused("E_MUST_DRAW", p=p)
        self._next_turn(p)

    def do_turn(self, p, confirm):
        """Give the turn to another player."""
        self.need_phase("PLAY")
        if not self.follows:
            raise Refused("E_PHASE", phase=self.phase)
        self.need_seat(p)
        self.turn = p
        self.part = _NONE

    def do_score(self, p, board, jokers, cards, confirm):
        """Put a piece on the first free slot of a board; the last piece or the Royal Flush closes the round."""
        self._begin(p, None)
        if self.part != _NONE:
            raise Refused("E_ORDER")
        if jokers is None:
            jokers = cards.count(JOKER) if cards else 0
        self._check_score(p, board, jokers, cards)
        if not confirm:
            self._doubt_jokers(p, jokers)

        slots = self.slots[self.boards.index(board)]
        slots[slots.index(None)] = p
        self.pieces[p] -= 1
        self.jokers[p] = max(0, self.jokers[p] - jokers)
        if board == "royal_flush" or not self.pieces[p]:
            self._close_round(p)
        elif self.follows:
            self._next_turn(p)

    def _check_score(self, p, board, jokers, cards):
        """Refuse a piece that cannot go on this board."""
        if board not in self.boards:
            raise Refused("E_BOARD", board=board)
        slots = self.slots[self.boards.index(board)]
        if None not in slots and self.round == ROUNDS:
            raise Refused("E_BOARD_FULL", board=board, last=True)
        if None not in slots:
            raise Refused("E_BOARD_FULL", board=board)
        self._check_jokers(board, jokers)
        if cards is not None:
            check_deck(cards)
            wrong = self._flaw(board, cards)
            if wrong:
                raise Refused("E_COMBO:" + wrong, board=board, n=BOARDS[board][1])
        if self.options["one_slot_per_board"] == "on" and p in slots:
            raise Refused("E_SLOT_REPEAT", p=p, board=board)

    def _check_jokers(self, board, jokers):
        """Refuse jokers that cannot be among the cards."""
        if not jokers:
            return
        if not any(self.child):
            raise Refused("E_JOKER_NOT_CHILD")
        most = min(self.jokers_in_all(), BOARDS[board][1])
        if jokers > most:
            raise Refused("E_JOKER_LIMIT", have=most)
        if board == "royal_flush":
            raise Refused("E_JOKER_ROYAL")

    def _doubt_jokers(self, p, jokers):
        """Doubt jokers that a player was not given. A played joker may return from the draw pile to any hand."""
        if jokers and not self.child[p]:
            raise Refused("W_JOKER_ADULT", p=p)
        if jokers > self.jokers[p]:
            raise Refused("W_JOKER_LIMIT", p=p, have=self.jokers[p], n=jokers)

    def _flaw(self, board, cards):
        """Return flaw() under the house rules of this game."""
        return flaw(
            board,
            cards,
            self.options["straight_suits"] == "mixed",
            self.options["pairs_need_different_ranks"] == "on",
        )

    def do_end_game(self, confirm):
        """End the game now. The current round closes, and chips count as after the last round."""
        self.need_phase("PLAY", "BETWEEN")
        self.early = True
        if self.phase == "PLAY":
            self._count_round()
        self.phase = "OVER"

    def _count_round(self):
        """Count the slots, take the pieces back, share the spent chips out."""
        self.round_points.append(self.slot_points())
        self._clear_boards()
        if self.shares_out:
            share, self.carry = self.sharing()
            self.chips = [chips + share for chips in self.chips]
            self.spent = 0
            self.shares.append([share, self.carry])

    def _close_round(self, ender):
        """Count the round that a player has ended, and begin the next one, or end the game."""
        self._count_round()
        if self.round == ROUNDS:
            self.phase = "OVER"
            return
        self.round += 1
        self.first = self.left_of(ender)
        self._next_turn(ender)
        if self.options["jokers_refresh"] == "round":
            self.jokers = self._full_jokers()
        if self.options["redraw_boards_each_round"] == "on":
            self.phase = "BETWEEN"

    def do_boards(self, boards, confirm):
        """Choose the boards of the next round."""
        self.need_phase("BETWEEN")
        self._check_boards(boards, confirm)
        self.boards = boards
        self._clear_boards()
        self.phase = "PLAY"

    # --- what a screen asks ---

    def slot_points(self):
        """Return the points of each player's pieces on the boards now."""
        points = [0] * self.n
        for board, slots in zip(self.boards, self.slots):
            for value, p in zip(BOARDS[board][0], slots):
                if p is not None:
                    points[p] += value
        return points

    def totals(self):
        totals = self.slot_points()
        for points in self.round_points:
            totals = [a + b for a, b in zip(totals, points)]
        if self.over:
            totals = [total + CHIP_BONUS * chips for total, chips in zip(totals, self.chips)]
        return totals

    def final_winners(self):
        return best(self.chips, self.leaders())

    def rounds_over(self):
        return len(self.round_points)

    def decided_by(self):
        return "chips" if self.over and len(self.winners()) < len(self.leaders()) else ""

    def pays(self, board):
        """Return the points that the next piece on this board scores; 0 if the board is full."""
        slots = self.slots[self.boards.index(board)]
        return BOARDS[board][0][slots.index(None)] if None in slots else 0

    def open_boards(self, p):
        """Return [(board, points)] for every board where this player may put a piece now."""
        once = self.options["one_slot_per_board"] == "on"
        return [
            (board, self.pays(board))
            for board, slots in zip(self.boards, self.slots)
            if None in slots and not (once and p in slots)
        ]

    def satisfied(self, cards, p):
        """Return [(board, points)] of the open boards these cards satisfy, the best pay first."""
        cards = read_cards(cards)
        try:
            check_deck(cards)
        except Refused:
            return []
        found = [(board, pays) for board, pays in self.open_boards(p) if self._flaw(board, cards) is None]
        return sorted(found, key=lambda item: (-item[1], BOARD_IDS.index(item[0])))

    def objection(self, cards, p, board):
        """Return the Refused that explains why these cards do not score on a board; None if they do."""
        try:
            self._check_score(p, board, cards.count(JOKER), cards)
        except Refused as refused:
            return refused
        return None

    @property
    def shares_out(self):
        """True if the pot is shared out at the end of this round."""
        last = self.early or self.round == ROUNDS
        return not last or self.options["distribute_after_last"] == "on"

    def sharing(self, more=0):
        """Return (chips each, chips carried over) if the pot were shared out after `more` chips are spent."""
        pot = self.spent + self.carry + more
        return pot // self.n, pot % self.n

    def legal(self):
        if self.over:
            return []
        if self.phase == "BETWEEN":
            events = ["boards"]
        elif not self.follows:
            events = ["score", "spend", "take"]
        elif self.part == _NONE:
            events = ["score", "take", "swap", "draw", "turn"]
        else:
            events = ["swap", "draw", "turn"] if self.part == _SWAPPING else ["buy", "end_turn", "turn"]
        return events + ["end_game"]

    def details(self):
        return {
            "round": self.round,
            "chips": list(self.chips),
            "pieces": list(self.pieces),
            "jokers": list(self.jokers),
            "spent": self.spent,
            "carry": self.carry,
            "start": self.first,
            "early": self.early,
            "round_points": [list(points) for points in self.round_points],
            "slots": {board: list(slots) for board, slots in zip(self.boards, self.slots)},
        }


GAME = RoyalFlush
