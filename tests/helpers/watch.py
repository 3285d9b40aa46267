"""What must be true of every game after every event, whatever was played."""

from kiebitz.games.poker_carre.rules_grid import RUBRIC_POINTS
from kiebitz.games.royal_flush.rules_boards import BOARDS

MOST_ITEMS = 6
MOST_POINTS = 27


def watch(game):
    """Return a watcher for the game: before(event) just before it is entered, after(event) when it was taken."""
    return KINDS[game.KIND](game)


class Watch:
    def __init__(self, game):
        self.game = game
        self.legal = []

    def before(self, event):
        self.legal = self.game.legal()

    def after(self, event):
        game = self.game
        assert event["ev"] in self.legal or event["ev"] == "seats", "%s was taken but not offered" % event["ev"]
        assert len(game.totals()) == game.n
        assert bool(game.winners()) == game.over
        assert game.over == (game.legal() == [])


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
        assert g.early == (event["ev"] == "end_game") or event["ev"] == "seats"
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


class CarreWatch(Watch):
    def before(self, event):
        super().before(event)
        self.counts = [list(counts) for counts in self.game.counts]
        self.offered = None
        if event["ev"] == "place" and event.get("card") in self.game.unplayed() and any(self.game.cells):
            x, y = event["x"], event["y"]
            self.offered = (x, y) in self.game.fits(event["card"])
            assert self.offered == (event["card"] in self.game.cards_for(x, y))

    def after(self, event):
        super().after(event)
        g = self.game
        weighted = [sum([a * b for a, b in zip(counts, RUBRIC_POINTS)]) for counts in g.counts]
        assert g.totals() == weighted
        assert g.placed + g.stock + sum(g.held) == g.to_place
        if event["ev"] == "place":
            self._placed(event)
        if g.cells and any(g.cells):
            cards = list(g.summary()["grid"].values())
            assert len(cards) == len(set(cards)) and not set(cards) & set(g.unplayed())
            x0, y0, x1, y1 = g.box()
            assert x1 - x0 < 7 and y1 - y0 < 7

    def _placed(self, event):
        g, p = self.game, event["p"]
        new = [b - a for a, b in zip(self.counts[p], g.counts[p])]
        assert min(new) >= 0 and sum(new) <= MOST_ITEMS
        assert sum([a * b for a, b in zip(new, RUBRIC_POINTS)]) <= MOST_POINTS
        if "card" in event:
            assert self.offered
            needs_new = g.options["straight_needs_new_value"] == "on"
            assert new == crossed_off(g.summary()["grid"], event["x"], event["y"], needs_new)


def crossed_off(grid, x, y, needs_new_value):
    """Return how many fields of each category the card at x, y has just crossed off, in plain steps of the rules."""
    card = grid["%d,%d" % (x, y)]
    fields = [0] * 5
    for axis in (0, 1):
        line = [grid[cell] for cell in grid if int(cell.split(",")[1 - axis]) == (y, x)[axis]]
        value = int(card[1])
        values = [int(other[1]) for other in line]
        low = high = value
        while low - 1 in values:
            low -= 1
        while high + 1 in values:
            high += 1
        if high - low + 1 >= 4 and not (needs_new_value and values.count(value) > 1):
            fields[{4: 0, 5: 1, 6: 2, 7: 3}[high - low + 1]] += 1
        if values.count(value) >= 3:
            fields[{3: 1, 4: 2, 5: 3, 6: 4, 7: 4}[values.count(value)]] += 1
        alike = len([other for other in line if other[0] == card[0]])
        if alike >= 3:
            fields[alike - 3] += 1
    return fields


class PochWatch(Watch):
    def __init__(self, game):
        super().__init__(game)
        self.all_chips = game.n * (game.options["chips_total"] // game.n)
        self.antes = 0  # paid into POCHER since it was last won

    def before(self, event):
        super().before(event)
        g = self.game
        self.chips = list(g.chips)
        self.had_winner = g.poch_winner is not None
        self.claimed = list(g.cashed[:5])
        self.expected = None
        if event["ev"] == "end_round" and g.phase == "PLAYOUT" and 0 <= event["winner"] < g.n:
            left = {int(p): event["left"][p] for p in event["left"] if int(p) < g.n}
            self.expected = [a + b for a, b in zip(g.chips, g.settlement(event["winner"], left))]

    def after(self, event):
        super().after(event)
        g = self.game
        assert sum(g.chips) + sum(g.pools) + g.bank == self.all_chips
        assert g.in_debt or min(g.chips) >= 0
        assert min(g.pools) >= 0 and g.bank >= 0
        if event["ev"] == "start_round":
            self.antes += sum(g.active)
        elif g.poch_winner is not None and not self.had_winner:
            self.antes = 0
            assert g.bank == 0
        elif event["ev"] == "end_round":
            assert g.chips == self.expected
            for pool, claimer in zip(g.pools, self.claimed):
                assert pool == 0 or claimer is None
        if g.over and g.options["final_pools"] == "split":
            self.antes = 0
            assert g.bank < g.n
        assert g.pools[7] == self.antes


class SpotWatch(Watch):
    def before(self, event):
        super().before(event)
        self.points = list(self.game.points)

    def after(self, event):
        super().after(event)
        g = self.game
        limit = 12 if g.level == "junior" else 13
        assert max(g.points) <= limit
        if g.mode == "assisted":
            for points, cards in zip(g.points, g.hand):
                assert 0 <= cards and points + cards <= limit
            won = g.points != self.points and event["ev"] == "trick"
            assert not won or g.phase == "GAME_END" or len([cards for cards in g.hand if cards]) > 1
        closed = [sum([points[p] for points in g.history]) for p in range(g.n)]
        assert g.totals() == [a + b for a, b in zip(closed, g.points)]
        assert len(g.history) == g.game_no - (0 if g.over else 1)


class AnyWatch(Watch):
    """Adds up all points that were entered, and says when the game must be over."""

    def __init__(self, game):
        super().__init__(game)
        self.sums = [game.options["start"]] * game.n
        self.sheet = []  # the closed rounds
        self.column = {}  # the points of the running round by seat
        self.dealer = game.dealer

    def after(self, event):
        super().after(event)
        g, name = self.game, event["ev"]
        if name in ("points", "add"):
            self.sums[event["p"]] += event["k"]
        closes = name == "end_round"
        if name == "points":
            assert event["p"] not in self.column
            self.column[event["p"]] = event["k"]
            closes = len(self.column) == g.n
        if closes:
            self.sheet.append([self.column.get(p, 0) for p in range(g.n)])
            self.column = {}
            self.dealer = (self.dealer + 1) % g.n
        assert g.totals() == self.sums and g.dealer == self.dealer
        assert g.rounds == self.sheet and g.now == [self.column.get(p) for p in range(g.n)]
        assert g.round == len(self.sheet) + 1
        best = min(self.sums) if g.options["wins"] == "low" else max(self.sums)
        assert g.leaders() == [p for p in range(g.n) if self.sums[p] == best]
        if name != "seats":
            assert g.over == (name == "end_game" or ((closes or name == "add") and self._ends()))

    def _ends(self):
        """Return True if the rules end the game now."""
        options = self.game.options
        start, limit = options["start"], options["limit"]
        if options["end"] == "rounds":
            return len(self.sheet) == limit
        if options["end"] == "open":
            return False
        return max(self.sums) >= limit if limit >= start else min(self.sums) <= limit


KINDS = {
    "royal_flush": RoyalWatch,
    "poker_carre": CarreWatch,
    "poch": PochWatch,
    "top_spot": SpotWatch,
    "any_game": AnyWatch,
}
