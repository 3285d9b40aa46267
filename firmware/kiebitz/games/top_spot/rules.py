"""Implement the rules of Top Spot, tallied by the winners alone or refereed trick by trick."""

from ...machine_code import const
from ..base import ON_OFF, REQUIRED, Game, Refused, bad, boolean, count, integer, one_of, positive

_SEAT = ("p", count, REQUIRED)
_PLAY = (("p", count), ("cards", count), ("value", count), ("followed", boolean), ("joker", boolean))
_JOKER_MAX = const(6)


def read_plays(value, what):
    """Return [{"p":0,"cards":2,"value":7,"followed":true,"joker":false}, ...] as a list of tuples in that order."""
    if not isinstance(value, list):
        raise bad(what)
    plays = []
    for play in value:
        if not isinstance(play, dict):
            raise bad(what)
        plays.append(tuple([kind(play.get(key), key) for key, kind in _PLAY]))
    return plays


def write_plays(plays):
    """Return the list of tuples from read_plays() in its JSON form."""
    return [{_PLAY[i][0]: value for i, value in enumerate(play)} for play in plays]


class TopSpot(Game):
    """The rules of Top Spot."""

    KIND = "top_spot"
    PLAYERS = (3, 5)
    OVER = "MATCH_OVER"
    OPTIONS = {"turns": ("free", "follow"), "one_joker_each": ON_OFF}
    EVENTS = {
        "point": (_SEAT,),
        "blank": (),
        "bonus": (_SEAT, ("k", positive, REQUIRED)),
        "end_game": (),
        "trick": (("plays", read_plays, REQUIRED),),
        "next_game": (),
        "end_match": (),
    }
    FORMS = {read_plays: write_plays}
    FIELDS = (
        "phase",
        "total",
        "points",
        "game_no",
        "dealer",
        "leader",
        "last_winner",
        "hand",
        "tie",
        "history",
        "tricks",
        "blank",
        "early",
    )
    HISTORY = "history"

    @staticmethod
    def fill_places(event, places):
        if event["ev"] == "trick":
            places["values"] = " ".join([str(play["value"]) for play in event["plays"]])
        return ""

    @staticmethod
    def matters(name, setup, options):
        # Only experts have jokers; the order of refereed rounds is kept in any case
        return name == "one_joker_each" and setup.get("level") == "expert"

    def check_types(self, setup):
        self.level = one_of("junior", "expert")(setup.get("level", "junior"), "level")
        self.mode = one_of("tally", "assisted")(setup.get("mode", "tally"), "mode")
        self.match_length = integer(setup.get("match_length", max(1, self.n)), "match_length", 1)

    def start(self, confirm):
        if self.match_length % self.n and not confirm:
            raise Refused("W_MATCH_LENGTH", n=self.n, length=self.match_length)
        self.hand_size = 12 if self.level == "junior" else 13
        self.total = [0] * self.n
        self.game_no = 1
        self.early = False  # the table has stopped before the last game was over
        self.history = []  # points of each seat in every closed game
        self._deal()

    def _deal(self):
        """Begin a game of the match."""
        self.phase = "TRICK"
        self.points = [0] * self.n
        self.leader = self.left_of(self.dealer)
        self.last_winner = None
        self.hand = [self.hand_size] * self.n if self.mode == "assisted" else []
        self.tie = None  # the seats of a tie-break in playing order, or None
        self.tricks = 0  # tallied in this game, blanks included
        self.blank = True  # nobody has won the last trick, or there was none

    # --- the plain tally ---

    def _tally(self):
        """Refuse an event that belongs to the plain tally in any other mode or phase."""
        if self.mode != "tally":
            raise Refused("E_PHASE", phase=self.phase)
        self.need_phase("TRICK")

    @property
    def cards_left(self):
        """The most cards that any player can still have. Each trick takes one from everybody who has cards."""
        return self.hand_size - self.tricks

    @property
    def cards_out(self):
        """True if no trick is possible any more."""
        return self.mode == "tally" and self.phase == "TRICK" and not self.cards_left

    def _count_trick(self):
        """Count a trick, unless all cards have been played."""
        if not self.cards_left:
            raise Refused("E_TOO_MANY", most=self.hand_size)
        self.tricks += 1

    def _add(self, p, k):
        """Give k points to a player, who leads the next trick."""
        self.points[p] += k
        self.last_winner = self.leader = p
        self.blank = False

    def won_last(self, p):
        """Return True if a player has won the last trick of this game."""
        return not self.blank and self.last_winner == p

    def do_point(self, p, confirm):
        """Give the trick to its winner."""
        self._tally()
        self.need_seat(p)
        self._count_trick()
        self._add(p, 1)

    def do_blank(self, confirm):
        """Take a trick that nobody wins."""
        self._tally()
        if self.level != "expert":
            raise Refused("E_LEVEL")
        self._count_trick()
        self.blank = True

    def do_bonus(self, p, k, confirm):
        """Give k points for the cards left in a hand, and end the game; a doubt if another won the last trick."""
        self._tally()
        self.need_seat(p)
        if k > self.cards_left:
            raise Refused("E_TOO_MANY", p=p, most=self.cards_left)
        if not self.won_last(p) and not confirm:
            raise Refused("W_BONUS", p=p)
        self._add(p, k)
        self.phase = "GAME_END"

    def do_end_game(self, confirm):
        """End a game of the match without a bonus; a doubt if no trick was entered."""
        self._tally()
        if not self.tricks and not confirm:
            raise Refused("W_NO_TRICK")
        self.phase = "GAME_END"

    # --- refereed tricks ---

    def to_play(self):
        """Return the seats that play to this trick, in playing order."""
        if self.tie:
            return list(self.tie)
        seats = [(self.leader + i) % self.n for i in range(self.n)]
        return [p for p in seats if not self.hand or self.hand[p]]

    def do_trick(self, plays, confirm):
        """Find the winner of a trick by the plays of all players."""
        if self.mode != "assisted":
            raise Refused("E_PHASE", phase=self.phase)
        self.need_phase("TRICK", "TIEBREAK")
        self._check_seats([play[0] for play in plays])
        self._check_plays(plays)
        if not confirm:
            for p, cards, value, _, _ in plays:
                if value < cards - 1:
                    raise Refused("W_USELESS_CARD", p=p)
        for p, cards, _, _, _ in plays:
            self.hand[p] -= cards
        top = max([value for _, _, value, followed, _ in plays if followed])
        self._decide([p for p, _, value, followed, _ in plays if followed and value == top])

    def _check_seats(self, seats):
        """Refuse plays that are in the wrong order, missing or too many."""
        for p in seats:
            self.need_seat(p)
        expected = self.to_play()
        steps = [(p - expected[0]) % self.n for p in seats]
        for a, b in zip(steps, steps[1:]):
            if a >= b:
                raise Refused("E_ORDER", p=expected[0])
        for p in expected:
            if p not in seats:
                raise Refused("E_MISSING", p=p)
        for p in seats:
            if p not in expected:
                raise Refused("E_EXTRA", p=p)

    def _check_plays(self, plays):
        """Refuse plays that the rules do not allow."""
        leader = plays[0][0]
        for p, cards, _, _, _ in plays:
            if not 1 <= cards <= self.hand[p]:
                raise Refused("E_CARDS", p=p, have=self.hand[p])
        for p, cards, _, followed, _ in plays:
            if not followed and (cards > 1 or p == leader):
                raise Refused("E_OFF_COLOUR", p=p)
        jokers = [play for play in plays if play[4]]
        if jokers and self.level != "expert":
            raise Refused("E_LEVEL")
        for p, cards, value, _, _ in jokers:
            if value > _JOKER_MAX or (cards == 1 and value):
                raise Refused("E_JOKER_VALUE", p=p)
        for p, _, _, followed, _ in jokers:
            if not followed:
                raise Refused("E_JOKER_FOLLOWS", p=p)

    def _decide(self, tied):
        """Give the trick to the winner, or begin a tie-break between those who have cards left."""
        if self.level == "junior" or len(tied) == 1:
            return self._win(tied[0])
        able = [p for p in tied if self.hand[p]]
        if len(able) == 1:
            return self._win(able[0])
        if able:
            self.tie = able
            self.phase = "TIEBREAK"
        else:
            self._no_point()

    def _win(self, p):
        """Give a point, and the cards left if nobody else has any."""
        self.points[p] += 1
        self.last_winner = self.leader = p
        self.tie = None
        self.phase = "TRICK"
        if not any(self.hand[q] for q in range(self.n) if q != p):
            self.points[p] += self.hand[p]
            self.hand[p] = 0
        if not self.hand[p]:
            self.phase = "GAME_END"

    def _no_point(self):
        """End a trick that nobody wins."""
        self.tie = None
        self.phase = "TRICK" if any(self.hand) else "GAME_END"
        self.leader = self.left_of(self.dealer) if self.last_winner is None else self.last_winner
        while any(self.hand) and not self.hand[self.leader]:
            self.leader = self.left_of(self.leader)

    # --- games and match ---

    def do_next_game(self, confirm):
        """Close the game, pass the deal on, and begin the next game or end the match."""
        self.need_phase("GAME_END")
        self.history.append(self.points)
        self.total = self.totals()
        self.dealer = self.left_of(self.dealer)
        self._deal()
        if len(self.history) == self.match_length:
            self.phase = "MATCH_OVER"
        else:
            self.game_no += 1

    def do_end_match(self, confirm):
        """End the match now. The points of the current game count."""
        self.early = True
        self.history.append(self.points)
        self.total = self.totals()
        self.points = [0] * self.n
        self.phase = "MATCH_OVER"

    # --- what a screen asks ---

    def totals(self):
        return [total + points for total, points in zip(self.total, self.points)]

    def rounds_over(self):
        return len(self.history) + (self.phase == "GAME_END")

    def legal(self):
        if self.phase == "GAME_END":
            return ["next_game", "end_match"]
        if self.over:
            return []
        if self.mode == "assisted":
            return ["trick", "end_match"]
        return ["point"] + (["blank"] if self.level == "expert" else []) + ["bonus", "end_game", "end_match"]

    def details(self):
        return {"points": list(self.points), "game_no": self.game_no, "dealer": self.dealer, "early": self.early}


GAME = TopSpot
