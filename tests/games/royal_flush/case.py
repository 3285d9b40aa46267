"""Provide the data of Royal Flush, and check its invariants after every event, for the tests of all games."""

from helpers.play import ev, play, setup
from helpers.watch import Watch
from kiebitz.games.base import COMMON
from kiebitz.games.royal_flush.rules_boards import BOARD_IDS, BOARDS
from kiebitz.store.table import Table

NUMBERED = "RF"  # the beginning of its numbered cases
PLAYERS = (2, 5)
OPTIONS = {
    "turns": ("free", "follow"),
    "strict_categories": ("off", "on"),
    "redraw_boards_each_round": ("off", "on"),
    "straight_suits": ("mixed", "any"),
    "pairs_need_different_ranks": ("off", "on"),
    "jokers_refresh": ("game", "round"),
    "one_slot_per_board": ("off", "on"),
    "distribute_after_last": ("off", "on"),
}
FIRST = (ev("spend", p=0, k=1), ev("score", p=1, board="royal_flush"))  # events with which a game may begin
BY_SEAT = ev("spend", k=1)  # an event that takes any seat
SUMMARY = "round chips pieces jokers spent carry start early round_points slots"  # the keys that only its summary has
PHASES = ("PLAY", "BETWEEN", "OVER")
# Each kind of entry, with long values: they must fit a line of the history
ENTRIES = [
    ev("spend", p=0, k=5),
    ev("take", p=1, swaps=1, buys=2),
    ev("take", p=1, swaps=0, buys=0),
] + [ev("score", p=1, board=board) for board in BOARD_IDS]
ENTRIES += [ev(name, p=0) for name in ("swap", "draw", "buy", "end_turn", "turn")]
ENTRIES += [ev(name) for name in ("boards", "end_game")]


def short():
    """Return (set-up, events) of a short piece with everything a journal can hold; all events are taken."""
    return setup("royal_flush", 2, dealer=0), [
        ev("spend", p=0, k=2),
        ev("score", p=1, board="pair", cards="7H 7D"),
        ev("undo"),
        ev("redo"),
        ev("correct", at=0, event=ev("spend", p=1, k=1)),
        ev("score", p=0, board="royal_flush"),
    ]


# The boards that the starter layout does not use, again two of each category.
OTHER_NINE = (
    "perfect_pair", "double_pair", "triple_pair", "double_three",
    "flush", "pictures", "straight", "big_straight_flush", "royal_flush",
)


def spend(p, k):
    return ev("spend", p=p, k=k)


def take(p, swaps=0, buys=0):
    return ev("take", p=p, swaps=swaps, buys=buys)


def score(p, board, cards=None, jokers=None):
    event = ev("score", p=p, board=board)
    if cards is not None:
        event["cards"] = cards
    if jokers is not None:
        event["jokers"] = jokers
    return event


def scores(g, p, *boards):
    """Let one player set pieces, one after the other."""
    for board in boards:
        play(g, score(p, board))


def royal(p):
    """Return the piece that ends a round at once."""
    return score(p, "royal_flush")


def royal_table(*events):
    """Return a table at which these events were played."""
    table = Table(setup("royal_flush", 3))
    for event in events:
        table.play(event)
    return table


def state(table):
    """Return everything that a refusal must not change."""
    return table.game.snapshot(), list(table.events()), len(table), table.can_undo, table.can_redo


class RoyalWatch(Watch):
    def before(self, event):
        super().before(event)
        self.totals = self.game.totals()
        self.open = dict(self.game.open_boards(event["p"])) if event["ev"] == "score" else {}
        self.sharing = self.game.sharing()
        self.closed = len(self.game.round_points)

    def after(self, event):
        super().after(event)
        g = self.game
        assert sum(g.chips) + g.spent + g.carry == 5 * g.n
        assert min(g.chips) >= 0 and 0 <= min(g.jokers) <= max(g.jokers) <= 2
        for p in range(g.n):
            lying = sum([slots.count(p) for slots in g.slots])
            assert 0 <= g.pieces[p] and g.pieces[p] + lying == 5
        for board, slots in zip(g.boards, g.slots):
            assert len(slots) == len(BOARDS[board][0])
            free = slots.index(None) if None in slots else len(slots)
            assert slots[free:].count(None) == len(slots) - free, "a slot was left out on " + board
        assert g.early == (event["ev"] == "end_game") or event["ev"] in COMMON
        if event["ev"] == "score":
            self._scored(event)

    def _scored(self, event):
        g, p = self.game, event["p"]
        assert event["board"] in self.open
        self.totals[p] += self.open[event["board"]]
        if g.over:
            self.totals = [total + 2 * chips for total, chips in zip(self.totals, g.chips)]
        assert g.totals() == self.totals
        if len(g.round_points) > self.closed and not g.over:
            assert tuple(g.shares[-1]) == self.sharing and g.spent == 0
            assert g.first == (p + 1) % g.n


WATCH = RoyalWatch
