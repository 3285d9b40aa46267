"""Implement the rules of Kniffel and Yahtzee, a sheet with thirteen boxes for each player, and list its titles."""

from ...machine_code import const
from ..base import REQUIRED, Game, Refused, check_name, count, integer, string

UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
LOWER = ("three_kind", "four_kind", "full_house", "small_straight", "large_straight", "five_kind", "chance")
BOXES = UPPER + LOWER
FIVE_KIND = const(11)  # its place in BOXES
FIXED = {"full_house": 25, "small_straight": 30, "large_straight": 40, "five_kind": 50}
SUM_LOW = 5  # points of a sum that is not struck
SUM_HIGH = 30
UPPER_GOAL = 63
BONUS = 35
_AGAIN_MAX = const(12)
_EXTRA = {"fifty": 50, "hundred": 100, "off": 0}


def entries(at):
    """Return the points that the box at this place can get, ascending from 0, which strikes it."""
    if at < len(UPPER):
        return range(0, 5 * (at + 1) + 1, at + 1)
    name = BOXES[at]
    return (0, FIXED[name]) if name in FIXED else (0,) + tuple(range(SUM_LOW, SUM_HIGH + 1))


class FiveDice(Game):
    """The rules of Kniffel and Yahtzee."""

    KIND = "five_dice"
    PLAYERS = (2, 8)
    OPTIONS = {"turns": ("free", "follow"), "extra": ("fifty", "hundred", "off")}
    EVENTS = {
        "write": (("p", count, REQUIRED), ("box", string, REQUIRED), ("k", integer, REQUIRED)),
        "again": (("p", count, REQUIRED),),
        "end_game": (),
    }
    FIELDS = ("phase", "sheets", "further", "turn", "had_again", "early")
    NAMED = {"box": "box."}
    SHORT = {"box": "pad."}

    @staticmethod
    def fill_places(event, places):
        return ".struck" if event["ev"] == "write" and event.get("k") == 0 else ""

    def check_types(self, setup):
        self.title = check_name(setup.get("title", "Kniffel"), "title")

    def start(self, confirm):
        self.phase = "PLAY"
        self.sheets = [[None] * len(BOXES) for _ in range(self.n)]
        self.further = [0] * self.n  # further fives of a kind
        self.turn = self.left_of(self.dealer)  # with free turns only a proposal
        self.had_again = False  # in the turn in play
        self.early = False

    # --- entries ---

    def _need_turn(self, p):
        """Refuse a seat that does not exist, or that is not on turn."""
        self.need_seat(p)
        if self.follows and p != self.turn:
            raise Refused("E_TURN", p=self.turn)

    def do_write(self, p, box, k, confirm):
        """Write points into a box; 0 strikes it."""
        self._need_turn(p)
        if box not in BOXES:
            raise Refused("E_BOX")
        at = BOXES.index(box)
        if self.sheets[p][at] is not None:
            raise Refused("E_TAKEN", p=p, box=box)
        if k not in entries(at):
            raise Refused("E_POINTS", box=box, k=k)
        self.sheets[p][at] = k
        self.turn = self.left_of(p)
        self.had_again = False
        if not any([None in sheet for sheet in self.sheets]):
            self.phase = "OVER"

    def do_again(self, p, confirm):
        """Count a further five of a kind, whose dice are then written into another box."""
        if self.options["extra"] == "off":
            raise Refused("E_PHASE", phase=self.phase)
        self._need_turn(p)
        if self.follows and self.had_again:
            raise Refused("E_TURN", p=self.turn)
        if not self.can_again(p):
            raise Refused("E_EXTRA", p=p, further=self.further[p])
        self.further[p] += 1
        self.had_again = True

    def do_end_game(self, confirm):
        """End the game now; empty boxes count nothing."""
        self.phase = "OVER"
        self.early = True

    # --- what a screen asks ---

    def can_again(self, p):
        """Return True if a further five of a kind of this seat would count."""
        full = self.sheets[p][FIVE_KIND] == FIXED["five_kind"] and self.further[p] < _AGAIN_MAX
        return full and self.options["extra"] != "off"

    def upper(self, p):
        """Return the points in the six upper boxes of a seat."""
        return sum([k or 0 for k in self.sheets[p][: len(UPPER)]])

    def bonus(self, p):
        """Return the upper bonus of a seat."""
        return BONUS if self.upper(p) >= UPPER_GOAL else 0

    def extra(self, p):
        """Return the points for further fives of a kind of a seat."""
        return self.further[p] * _EXTRA[self.options["extra"]]

    def total(self, p):
        """Return the points of a seat."""
        return sum([k or 0 for k in self.sheets[p]]) + self.bonus(p) + self.extra(p)

    def totals(self):
        return [self.total(p) for p in range(self.n)]

    def rounds_over(self):
        return min([len(BOXES) - sheet.count(None) for sheet in self.sheets])

    def legal(self):
        if self.over:
            return []
        some = [p for p in range(self.n) if self.can_again(p) and (not self.follows or p == self.turn)]
        again = some and not (self.follows and self.had_again)
        return ["write"] + (["again"] if again else []) + ["end_game"]

    def details(self):
        filled = []
        for sheet in self.sheets:
            filled.append({box: k for box, k in zip(BOXES, sheet) if k is not None})
        seats = range(self.n)
        return {
            "title": self.title,
            "dealer": self.dealer,
            "boxes": filled,
            "bonus": [self.bonus(p) for p in seats],
            "extra": [self.extra(p) for p in seats],
            "turn": self.turn if self.follows and not self.over else None,
            "early": self.early,
        }


GAME = FiveDice


KEPT: dict = {}  # a preset keeps nothing of a set-up besides title and options

_TITLED = (("Kniffel", "fifty"), ("Yahtzee", "hundred"), ("Yams", "off"))
TITLES = tuple([title for title, _ in _TITLED])


def options_for(title, players):
    """Return the options of a built-in title, without those at their defaults."""
    extra = dict(_TITLED)[title]
    return {} if extra == "fifty" else {"extra": extra}


def fitting(title, options, players):
    """Return the options of a preset, which do not depend on the number of players."""
    return options
