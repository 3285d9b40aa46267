"""Implement the rules of games with bids and tricks, such as Wizard and Oh Hell, and list their titles."""

from ...machine_code import const
from ..base import REQUIRED, Game, Refused, check_name, count, integer

_DECK = {"wizard": 60, "ten_plus": 51}  # cards that can be dealt
MOST = const(20)  # cards of the largest hand in any game
_USUAL = const(10)  # cards of the largest hand in Oh Hell
_WIZARDS = const(6)  # most players with the points of Wizard


def most_cards(points, players):
    """Return the cards of the largest hand that n players can be dealt."""
    return min(MOST, _DECK[points] // players)


def usual_cards(points, players):
    """Return the cards of the largest hand if the players choose none."""
    most = most_cards(points, players)
    return most if points == "wizard" else min(_USUAL, most)


def hands(cards, most):
    """Return the cards of each round."""
    up = list(range(1, most + 1))
    down = up[::-1]
    return {"up": up, "down": down, "up_down": up + down[1:]}[cards]


class Bids(Game):
    """The rules of Wizard, Oh Hell and their kin."""

    KIND = "bids"
    PLAYERS = (3, 8)
    OPTIONS = {
        "turns": ("free", "follow"),
        "points": ("wizard", "ten_plus"),
        "cards": ("up", "down", "up_down"),
        "most": (None,),  # a number; the default depends on the players
        "sum": ("free", "not_equal"),
    }
    EVENTS = {
        "bid": (("p", count, REQUIRED), ("k", integer, REQUIRED)),
        "tricks": (("p", count, REQUIRED), ("k", integer, REQUIRED)),
        "end_game": (),
    }
    FIELDS = ("phase", "dealer", "closed", "bids", "tricks", "sheet", "early")
    HISTORY = "sheet"

    def check_types(self, setup):
        self.title = check_name(setup.get("title", "Wizard"), "title")

    @classmethod
    def players_for(cls, options):
        return (cls.PLAYERS[0], _WIZARDS) if options.get("points", "wizard") == "wizard" else cls.PLAYERS

    def _read_options(self, given):
        options = super()._read_options(given)
        usual = usual_cards(options["points"], self.n)
        self.OPTIONS = dict(self.OPTIONS)
        self.OPTIONS["most"] = (usual,)
        if options["most"] is None:
            options["most"] = usual
        elif options["most"] > most_cards(options["points"], self.n):
            raise Refused("E_SETTING", name="most", step="fits")
        return options

    def option(self, name, value):
        if name != "most":
            return super().option(name, value)
        if type(value) is not int or not 1 <= value <= MOST:
            raise Refused("E_SETTING", name=name)
        return value

    @staticmethod
    def matters(name, setup, options):
        return name != "turns"

    @classmethod
    def option_range(cls, name, players):
        return 1, most_cards("wizard", players)

    def start(self, confirm):
        self.hands = hands(self.options["cards"], self.options["most"])
        self.phase = "BID"
        self.closed = [0] * self.n  # points without the running round
        self.bids = [None] * self.n  # of the running round
        self.tricks = [None] * self.n
        self.sheet = []  # bid and tricks by seat of all closed rounds in one flat list, which saves memory
        self.early = False

    # --- entries ---

    def do_bid(self, p, k, confirm):
        """Bid k tricks; after the last bid the round is played."""
        if self.phase != "BID":
            raise Refused("E_PHASE", phase=self.phase, step="bids_are_in")
        self.need_seat(p)
        if not 0 <= k <= self.cards:
            raise Refused("E_BID", k=k, cards=self.cards, round=self.round)
        if self.bids[p] is not None:
            raise Refused("E_TWICE", p=p, step="bid")
        if k == self.not_allowed(p):
            raise Refused("E_SUM", p=p, k=k, cards=self.cards)
        self.bids[p] = k
        if not self.missing():
            self.phase = "TRICKS"

    def do_tricks(self, p, k, confirm):
        """Note k tricks of a seat; the last ones close the round."""
        if self.phase != "TRICKS":
            raise Refused("E_PHASE", phase=self.phase, step="bids_are_missing")
        self.need_seat(p)
        if not 0 <= k <= self.cards:
            raise Refused("E_TRICKS", k=k, cards=self.cards, round=self.round)
        if self.tricks[p] is not None:
            raise Refused("E_TWICE", p=p, step="tricks")
        total = sum([made or 0 for made in self.tricks]) + k
        if len(self.missing()) == 1 and total != self.cards and not confirm:
            raise Refused("W_SUM", total=total, cards=self.cards)
        self.tricks[p] = k
        if not self.missing():
            self._close_round()

    def do_end_game(self, confirm):
        """End the game now. An unfinished round counts nothing."""
        self.phase = "OVER"
        self.early = True

    def _close_round(self):
        """Count the round, pass the deal on, and end the game after the last round."""
        for p in range(self.n):
            self.closed[p] += self.worth(self.bids[p], self.tricks[p])
            self.sheet += [self.bids[p], self.tricks[p]]
        self.bids = [None] * self.n
        self.tricks = [None] * self.n
        self.dealer = self.left_of(self.dealer)
        self.phase = "BID" if self.rounds_over() < len(self.hands) else "OVER"

    # --- what a screen asks ---

    def worth(self, bid, tricks):
        """Return the points of a round."""
        if self.options["points"] == "wizard":
            return 20 + 10 * tricks if bid == tricks else -10 * abs(bid - tricks)
        return 10 + tricks if bid == tricks else 0

    @property
    def round(self):
        """The number of the running round, from 1."""
        return self.rounds_over() + 1

    @property
    def cards(self):
        """The cards of each hand in the running round; 0 after the last one."""
        return self.hands[self.rounds_over()] if self.rounds_over() < len(self.hands) else 0

    def entered(self):
        """Return what the running phase has entered by seat, None where it is missing."""
        return self.bids if self.phase == "BID" else self.tricks

    def missing(self):
        """Return the seats whose bid, or after the bids whose tricks are missing."""
        return [p for p in range(self.n) if self.entered()[p] is None]

    def not_allowed(self, p):
        """Return the bid that a seat may not make because all bids would add up to the tricks; None if there is none.

        A number that nobody can bid stands for none too.
        """
        if self.options["sum"] == "free" or self.phase != "BID" or self.missing() != [p]:
            return None
        return self.cards - sum([k or 0 for k in self.bids])

    def past(self, k):
        """Return (bids, tricks) by seat of closed round k, counted from 0."""
        row = self.sheet[2 * self.n * k : 2 * self.n * (k + 1)]
        return row[::2], row[1::2]

    def points_of(self, k):
        """Return the points by seat of closed round k, counted from 0."""
        return [self.worth(bid, tricks) for bid, tricks in zip(*self.past(k))]

    def totals(self):
        return list(self.closed)

    def rounds_over(self):
        return len(self.sheet) // (2 * self.n)

    def legal(self):
        return [] if self.over else ["bid" if self.phase == "BID" else "tricks", "end_game"]

    def details(self):
        return {
            "title": self.title,
            "round": self.round,
            "cards": 0 if self.over else self.cards,
            "dealer": self.dealer,
            "bids": list(self.bids),
            "tricks": list(self.tricks),
            "rounds": [self.points_of(k) for k in range(self.rounds_over())],
            "early": self.early,
        }


GAME = Bids


KEPT: dict = {}  # a preset keeps nothing of a set-up besides title and options

_OPTIONS = {"Wizard": {}, "Oh Hell": {"points": "ten_plus", "cards": "up_down", "sum": "not_equal"}}
TITLES = ("Wizard", "Oh Hell")


def options_for(title, players):
    """Return the options of a built-in title, without those at their defaults."""
    return dict(_OPTIONS[title])


def fitting(title, options, players):
    """Return the options of a preset for n players, with a largest hand that the cards are enough for."""
    options = dict(options)
    if "most" in options:
        options["most"] = min(options["most"], most_cards(options.get("points", "wizard"), players))
    return options
