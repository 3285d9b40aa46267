"""Provide the data of PokerCarre, and check its invariants after every event, for the tests of all games."""

from helpers.play import ev, game, play, setup
from helpers.watch import Watch
from kiebitz.games.poker_carre.rules_grid import RUBRIC_POINTS

NUMBERED = "PC"  # the beginning of its numbered cases
PLAYERS = (2, 5)
OPTIONS = {
    "turns": ("free", "follow"),
    "straight_needs_new_value": ("off", "on"),
    "set_of_seven": ("ten", "instant_win"),
}
FIRST = (ev("mark", p=0, rubric=1), ev("place", p=1, items=[["H", "set", 3]]))  # events with which a game may begin
BY_SEAT = ev("mark", rubric=1)  # an event that takes any seat
SUMMARY = "counts placed grid"  # the keys that only its summary has
PHASES = ("SETUP", "PLAY", "OVER")
# Each kind of entry, with long values: they must fit a line of the history
ENTRIES = [
    ev("layout", cards=""),
    ev("extra", card="g7", x=3, y=0),
    ev("place", p=2, card="a5", x=-1, y=-2),
    ev("place", p=2, items=[["H", "set", 3], ["V", "straight", 7]]),
    ev("skip", p=0),
    ev("turn", p=0),
    ev("finish"),
] + [ev(name, p=2, rubric=k) for name in ("mark", "unmark") for k in range(1, 6)]


def short():
    """Return (set-up, events) of a short piece with everything a journal can hold; all events are taken."""
    return setup("poker_carre", 3, mode="grid", players=["Änne", "J\u00fcrgen \"Jo\"", "Zo\u00eb"]), [
        ev("layout", cards="a1 a2 a3 b1 b2 b3 c1 c2 c3"),
        ev("extra", card="d2", x=1, y=3),
        ev("undo", k=2),
        ev("redo"),
        ev("redo"),
        ev("place", p=0, card="a4", x=3, y=0),
    ]


def put(p, text):
    """Return the event in which seat p puts a card on a cell, as "a4@3,0"."""
    card, cell = text.split("@")
    x, y = cell.split(",")
    return ev("place", p=p, card=card, x=int(x), y=int(y))


def build(g, text, p=1):
    """Let one seat put down many cards, so that the others' pads stay clean."""
    for word in text.split():
        play(g, put(p, word))


# The cards below the tested row; the 3 at the right border allows a 2 or a 4 beside it.
_BELOW = " f5 f2 g3 f3 f7 f6"


def square(row, n=2, **house_rules):
    """Return a grid game with this top row (x = 0..2, y = 0) laid out; its outer cells are free."""
    g = game("poker_carre", n, mode="grid", **house_rules)
    play(g, ev("layout", cards=row + _BELOW))
    return g


def items(g, text):
    """Return what the card would score on this cell, sorted."""
    card, cell = text.split("@")
    x, y = cell.split(",")
    return sorted([tuple(item) for item in g.items_at(card, int(x), int(y))])


def pad(g, p):
    """Return the five numbers of a player's pad."""
    return list(g.summary()["counts"][p])


def drift():
    """Return the events of a figure that is seven wide, and the placement that makes it eight wide."""
    cards = "b6@3,0 b2@-1,0 b1@-2,0 b4@3,1 b5@4,1".split()
    events = [ev("layout", cards="a3 a4 a5 f5 f2 g3 f3 f7 f6")] + [put(k % 2, card) for k, card in enumerate(cards)]
    return events, put(1, "c6@5,1")


MOST_ITEMS = 6
MOST_POINTS = 27


class CarreWatch(Watch):
    def before(self, event):
        super().before(event)
        self.counts = [list(counts) for counts in self.game.counts]
        self.offered = None
        if event["ev"] == "place" and event.get("card") in self.game.unplayed() and self.game.laid_out:
            x, y = event["x"], event["y"]
            self.offered = event["card"] in self.game.cards_for(x, y)
            code = frame_code(cells_of(self.game.summary()["grid"]), x, y)
            assert self.game.grid.doubt(x, y) == code
            assert ((x, y) in self.game.fits(event["card"])) == (self.offered and not code)
            if code == "W_FRAME" and not event.get("confirm"):
                self.offered = False

    def after(self, event):
        super().after(event)
        g = self.game
        weighted = [sum([a * b for a, b in zip(counts, RUBRIC_POINTS)]) for counts in g.counts]
        assert g.totals() == weighted
        if g.counts_cards:
            assert g.placed + g.stock + sum(g.held) == g.to_place
        if event["ev"] == "place":
            self._placed(event)
        if g.laid_out:
            grid = g.summary()["grid"]
            cards = list(grid.values())
            assert len(cards) == len(set(cards)) and not set(cards) & set(g.unplayed())
            for lines in lines_of(cells_of(grid)):
                for along in lines.values():
                    assert max(along) - min(along) < 7

    def _placed(self, event):
        g, p = self.game, event["p"]
        new = [b - a for a, b in zip(self.counts[p], g.counts[p])]
        assert min(new) >= 0 and sum(new) <= MOST_ITEMS
        assert sum([a * b for a, b in zip(new, RUBRIC_POINTS)]) <= MOST_POINTS
        if "card" in event:
            assert self.offered
            needs_new = g.options["straight_needs_new_value"] == "on"
            assert new == crossed_off(g.summary()["grid"], event["x"], event["y"], needs_new)


def cells_of(grid):
    """Return [(x, y)] of the cards in a summary."""
    return [tuple([int(word) for word in cell.split(",")]) for cell in grid]


def lines_of(cells):
    """Return two dicts: the columns of the cards in each row, and the rows of the cards in each column."""
    rows, columns = {}, {}
    for x, y in cells:
        rows.setdefault(y, []).append(x)
        columns.setdefault(x, []).append(y)
    return rows, columns


def frame_code(cells, x, y):
    """Return what the rules say about the size of the figure with a card at x, y, in plain steps of the rules."""
    doubt = ""
    for lines, k, at in zip(lines_of(cells), (y, x), (x, y)):
        along = lines.get(k, []) + [at]
        if max(along) - min(along) > 6:
            return "E_FRAME"
        if any([len(line) == 7 and at not in line for line in lines.values()]):
            return "E_FRAME"
        figure = [k for line in lines.values() for k in line]
        if max(figure + [at]) - min(figure + [at]) > max(6, max(figure) - min(figure)):
            doubt = "W_FRAME"
    return doubt


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


WATCH = CarreWatch
