"""Implement the rules of PokerCarre, kept as a pad of five score categories or as the whole grid."""

from ...machine_code import const
from ..base import ON_OFF, REQUIRED, Game, Refused, bad, count, integer, one_of, string, words
from . import rules_grid as grid
from .rules_grid import RUBRIC_POINTS, SMALLEST, Grid, card_name, card_number, rubric

_HAND = const(4)
CARDS = 49

_SEAT = ("p", count, REQUIRED)
_CARD = ("card", string, REQUIRED)
_X = ("x", integer, REQUIRED)
_Y = ("y", integer, REQUIRED)


def read_items(value, what):
    """Return [["H", "straight", 5], ...] as a list of (line, kind, size)."""
    if not isinstance(value, list):
        raise bad(what)
    items = []
    for item in value:
        if not isinstance(item, list) or len(item) != 3:
            raise bad(what)
        line, kind, size = item
        if not isinstance(line, str) or line not in ("H", "V"):
            raise bad(what)
        if not isinstance(kind, str) or kind not in SMALLEST:
            raise bad(what)
        items.append((line, kind, count(size, what)))
    return items


def read_nine(value, what):
    """Return a list of nine words."""
    cards = words(value, what)
    if len(cards) != 9:
        raise bad(what)
    return cards


def read_rubric(value, what):
    """Return the number of a score category, from 1 on."""
    return integer(value, what, 1, len(RUBRIC_POINTS))


def check_items(items):
    """Refuse a declared placement that no square of cards can show."""
    sizes = {}
    for _, kind, size in items:
        if not SMALLEST[kind] <= size <= grid.SIDE:
            raise Refused("E_ITEM_SIZE", kind=kind, size=size)
    for line, kind, size in items:
        if (line, kind) in sizes:
            raise Refused("E_ITEM_DUP", kind=kind)
        sizes[line, kind] = size
    # The placed card belongs to both combinations, and a line has seven cells
    for a, b in (
        (("H", "set"), ("H", "straight")),
        (("V", "set"), ("V", "straight")),
        (("H", "set"), ("H", "colour")),
        (("V", "set"), ("V", "colour")),
        (("H", "set"), ("V", "set")),
        (("H", "colour"), ("V", "colour")),
    ):
        if sizes.get(a, 0) + sizes.get(b, 0) > 8:
            raise Refused("E_ITEM_IMPOSSIBLE", kind=a[1], size=sizes[a], other=b[1], other_size=sizes[b])


def _way(right, down):
    """Return the way to a cell from the middle card of the first nine, as numbers with arrows."""
    words = "%d%s" % (abs(right), "\u2192" if right > 0 else "\u2190") if right else ""
    return words + ("%d%s" % (abs(down), "\u2193" if down > 0 else "\u2191") if down else "")


class PokerCarre(Game):
    """The rules of PokerCarre."""

    KIND = "poker_carre"
    PLAYERS = (2, 5)
    OPTIONS = {
        "turns": ("free", "follow"),
        "straight_needs_new_value": ON_OFF,
        "set_of_seven": ("ten", "instant_win"),
    }
    EVENTS = {
        "layout": (("cards", read_nine, REQUIRED),),
        "extra": (_CARD, _X, _Y),
        "place": (
            _SEAT,
            ("items", read_items, None),
            ("card", string, None),
            ("x", integer, None),
            ("y", integer, None),
        ),
        "mark": (_SEAT, ("rubric", read_rubric, REQUIRED)),
        "unmark": (_SEAT, ("rubric", read_rubric, REQUIRED)),
        "skip": (_SEAT, ("hand", words, None)),
        "turn": (_SEAT,),
        "finish": (),
    }
    FORMS = {words: " ".join, read_nine: " ".join}
    FIELDS = ("phase", "counts", "turn", "skipped", "held", "stock", "placed", "cards", "instant")
    NAMED = {"rubric": "rubric."}

    @staticmethod
    def fill_places(event, places):
        if event["ev"] != "place":
            return ""
        if "items" in event:
            places["points"] = grid.points_of(event["items"])
            return ".items"
        places["where"] = _way(event["x"] - grid.MIDDLE[0], event["y"] - grid.MIDDLE[1])
        return ".card"

    @staticmethod
    def matters(name, setup, options):
        # On the pad, players decide what a straight is
        return name != "straight_needs_new_value" or setup.get("mode") == "grid"

    def check_types(self, setup):
        self.mode = one_of("score", "grid")(setup.get("mode", "score"), "mode")

    def start(self, confirm):
        n = self.n
        self.to_place = CARDS - (10 if n == 3 else 9)
        self.phase = "SETUP" if self.mode == "grid" else "PLAY"
        self.counts = [[0] * len(RUBRIC_POINTS) for _ in range(n)]
        self.turn = self.left_of(self.dealer)
        self.skipped = []
        self.held = [_HAND] * n
        self.stock = self.to_place - _HAND * n
        self.placed = 0
        self.grid = Grid()
        self.instant = None  # the seat that won at once with a set of seven

    @property
    def cards(self):
        """The cards on the table as one list of x, y, number, x, y, number ..."""
        return [value for card in self.grid.cards() for value in card]

    @cards.setter
    def cards(self, values):
        self.grid = Grid([values[i : i + 3] for i in range(0, len(values), 3)])

    @property
    def laid_out(self):
        """True if the first nine cards are on the table."""
        return bool(self.grid.rows)

    @property
    def counts_cards(self):
        """True if every placement is entered, so that the cards in hand and in the stock are known."""
        return self.mode == "grid" or self.follows

    # --- events ---

    def check_event(self, name, ev):
        if name == "place":
            of_grid = [what for what in ("card", "x", "y") if what in ev]
            if len(of_grid) != (0 if "items" in ev else 3):
                raise bad("place")
        elif name == "skip" and "hand" in ev and self.mode == "score":
            raise bad("hand")

    def _need_mode(self, mode):
        """Refuse an event of the other mode."""
        if self.mode != mode:
            raise Refused("E_PHASE", phase=self.phase)

    def _need_turn(self, p):
        """Refuse a player whose turn it is not, if turns are followed."""
        self.need_seat(p)
        if self.follows and p != self.turn:
            raise Refused("E_TURN", p=self.turn)

    def _number(self, card):
        """Return the number of a card. Raises Refused for an unknown card."""
        number = card_number(card)
        if not number:
            raise Refused("E_CARD", card=card)
        return number

    def _unused(self, card):
        """Return the number of a card; Refused if it is on the table already."""
        number = self._number(card)
        if number in self.grid.numbers():
            raise Refused("E_CARD_USED", card=card)
        return number

    def do_layout(self, cards, confirm):
        """Place the first nine cards, row by row."""
        self._need_mode("grid")
        self.need_phase("SETUP")
        if self.laid_out:
            raise Refused("E_PHASE", phase=self.phase)
        numbers = [self._number(card) for card in cards]
        for number in numbers:
            if numbers.count(number) > 1:
                raise Refused("E_CARD_USED", card=card_name(number))
        for i, number in enumerate(numbers):
            self.grid.put(number, i % 3, i // 3)
        if self.n != 3:
            self.phase = "PLAY"

    def do_extra(self, card, x, y, confirm):
        """Place the tenth card of a game of three players."""
        self._need_mode("grid")
        self.need_phase("SETUP")
        if self.n != 3 or not self.laid_out:
            raise Refused("E_PHASE", phase=self.phase)
        number = self._unused(card)
        self._check_cell(x, y)
        self.grid.put(number, x, y)
        self.phase = "PLAY"

    def _check_cell(self, x, y):
        """Refuse a cell that is taken or touches no card."""
        if self.grid.at(x, y):
            raise Refused("E_CELL_TAKEN", card=self.card_at(x, y))
        if not self.grid.neighbours(x, y):
            raise Refused("E_NO_TOUCH")

    def do_place(self, p, items, card, x, y, confirm):
        """Place a card on the grid, or count the declared items of a placement."""
        self._need_mode("grid" if items is None else "score")
        self.need_phase("PLAY")
        self._need_turn(p)
        if items is None:
            number = self._unused(card)
            self._check_cell(x, y)
            if not grid.fits_beside(number, self.grid.neighbours(x, y)):
                raise Refused("E_NO_LINK", card=card)
            doubt = self.grid.doubt(x, y)
            if doubt == "E_FRAME":
                raise Refused("E_FRAME")
        if not self.held[p]:
            raise Refused("E_NO_CARDS", p=p)
        if items is None:
            if doubt and not confirm:
                raise Refused("W_FRAME")
            items = self.items_at(card, x, y)
            self.grid.put(number, x, y)
        else:
            check_items(items)
        self._count_placement(p, items)

    def _count_placement(self, p, items):
        """Count the combinations of a placement, and go on to the next turn or end the game."""
        for _, kind, size in items:
            self.counts[p][rubric(kind, size)] += 1
            if kind == "set" and size == 7 and self.options["set_of_seven"] == "instant_win":
                self.instant = p
        self.skipped = []
        self.placed += 1
        if self.counts_cards:
            if self.stock:
                self.stock -= 1
            else:
                self.held[p] -= 1
        if self.instant is not None or (self.counts_cards and self.placed == self.to_place):
            self.phase = "OVER"
        else:
            self._next_turn(p)

    def _next_turn(self, p):
        """Give the turn to the next player after p who has cards."""
        self.turn = self.left_of(p)
        while not self.held[self.turn]:
            self.turn = self.left_of(self.turn)

    def do_mark(self, p, number, confirm):
        """Add a cross to a score category."""
        self._need_mode("score")
        self.need_seat(p)
        self.counts[p][number - 1] += 1

    def do_unmark(self, p, number, confirm):
        """Remove a cross from a score category."""
        self._need_mode("score")
        self.need_seat(p)
        if not self.counts[p][number - 1]:
            raise bad("rubric")
        self.counts[p][number - 1] -= 1

    def do_skip(self, p, hand, confirm):
        """Skip a turn; refused if a card of the shown hand fits. Ends the game when all with cards have skipped."""
        if self.mode == "score" and not self.follows:
            raise Refused("E_PHASE", phase=self.phase)
        self.need_phase("PLAY")
        self._need_turn(p)
        for card in hand or []:
            self._unused(card)
        if not self.held[p]:
            raise Refused("E_NO_CARDS", p=p)
        for card in hand or []:
            cells = self.fits(card)
            if cells:
                x, y = cells[0]
                beside = card_name(self.grid.neighbours(x, y)[0])
                raise Refused("E_MUST_PLACE", card=card, x=x, y=y, beside=beside)
        if p not in self.skipped:
            self.skipped.append(p)
        if len(self.skipped) == len([held for held in self.held if held]):
            self.phase = "OVER"
        else:
            self._next_turn(p)

    def do_turn(self, p, confirm):
        """Give the turn to another player."""
        if not self.follows:
            raise Refused("E_PHASE", phase=self.phase)
        self.need_phase("PLAY")
        self.need_seat(p)
        if not self.held[p]:
            raise Refused("E_NO_CARDS", p=p)
        self.turn = p

    def do_finish(self, confirm):
        """End the game before all cards are placed."""
        self.need_phase("PLAY")
        self.phase = "OVER"

    # --- what a screen asks ---

    def totals(self):
        return [sum([a * b for a, b in zip(counts, RUBRIC_POINTS)]) for counts in self.counts]

    def final_winners(self):
        return self.leaders() if self.instant is None else [self.instant]

    def decided_by(self):
        return "" if self.instant is None else "seven"

    def card_at(self, x, y):
        """Return the name of the card at x, y, or None."""
        number = self.grid.at(x, y)
        return card_name(number) if number else None

    def box(self):
        """Return (min x, min y, max x, max y) of the cards on the table."""
        return self.grid.box

    def unplayed(self):
        """Return the cards that are not on the table yet."""
        return [card_name(number) for number in self.numbers_left()]

    def numbers_left(self):
        """Return the unplayed cards as numbers; making a name for each card would take a Pico 20 ms."""
        taken = self.grid.numbers()
        return [number for number in range(1, CARDS + 1) if number not in taken]

    def fits(self, card):
        """Return [(x, y)] of the cells where this card may be placed without a doubt."""
        number = self._number(card)
        cells = self.grid.free_cells()
        return [(x, y) for x, y, beside, doubt in cells if not doubt and grid.fits_beside(number, beside)]

    def cards_for(self, x, y):
        """Return the unplayed cards that may be placed in this cell, without or with a doubt."""
        beside = self.grid.neighbours(x, y)
        if self.grid.at(x, y) or not beside or self.grid.doubt(x, y) == "E_FRAME":
            return []
        return [card_name(number) for number in self.numbers_left() if grid.fits_beside(number, beside)]

    def items_at(self, card, x, y):
        """Return [(line, kind, size)] of the combinations this card would make at x, y."""
        return self.grid.items_at(x, y, self._number(card), self._needs_new_value())

    def points_at(self, numbers, x, y):
        """Return the points each of these cards would score at x, y."""
        return self.grid.points_at(x, y, numbers, self._needs_new_value())

    def _needs_new_value(self):
        return self.options["straight_needs_new_value"] == "on"

    def legal(self):
        if self.phase == "SETUP":
            return ["extra"] if self.laid_out else ["layout"]
        if self.over:
            return []
        names = ["place"]
        if self.mode == "score":
            names += ["mark", "unmark"]
        if self.mode == "grid" or self.follows:
            names.append("skip")
        if self.follows:
            names.append("turn")
        return names + ["finish"]

    def details(self):
        return {
            "counts": [list(counts) for counts in self.counts],
            "placed": self.placed,
            "grid": {"%d,%d" % (x, y): card_name(number) for x, y, number in self.grid.cards()},
        }


GAME = PokerCarre
