"""Implement the rules of a list of Skat: values of the International Skat Order, plain or Seeger-Fabian totals."""

from ...machine_code import const
from ..base import ON_OFF, REQUIRED, Game, Refused, bad, boolean, count, integer, one_of, string

KINDS = "CSHDGN"  # clubs, spades, hearts, diamonds, Grand, Null
NULL = "N"
BASES = {"C": 12, "S": 11, "H": 10, "D": 9, "G": 24}
TOPS_MOST = const(11)  # jacks and trumps in a row, with or without them
GRAND_MOST = const(4)
LEVELS = "hsSbBo"  # Hand, Schneider, announced, Schwarz, announced, Ouvert
SIGNS = {"h": "H", "s": "S", "S": "S!", "b": "Sw", "B": "Sw!", "o": "O"}  # where there is little space; ! is announced
_LETTERS = LEVELS + "kr"  # and Kontra, Re
_IMPLIED = {"b": "s", "S": "hs", "B": "hsSb", "o": "hsSbB"}
_NULLS = {"": 23, "h": 35, "o": 46, "ho": 59}
BID_LEAST = 18
BID_MOST = 264
RAMSCH_MOST = 480
_SERIES = {3: 36, 4: 48}  # players -> games
_SERIES_MOST = const(96)
WON = 50  # points of Seeger-Fabian for a game won; a lost one takes off as many
AGAINST = {3: 40, 4: 30}  # players -> points of Seeger-Fabian for a game that somebody else has lost
SEEGER = "Skat Seeger"  # the title, and so the league, of a list that is added up like this
_PARTS_MOST = const(12)  # letters of the parts of a total
_RAMSCH = const(6)  # stands for a kind of game in the state
_PASSED = const(-1)


def letters(value, what):
    """Return the letters of a game beyond its kind and its tops; each at most once."""
    for letter in string(value, what):
        if letter not in _LETTERS or value.count(letter) > 1:
            raise bad(what)
    return value


def bid(value, what):
    """Return what was bid or held."""
    return integer(value, what, BID_LEAST, BID_MOST)


def loss(value, what):
    """Return the points lost in a Ramsch."""
    return integer(value, what, 1, RAMSCH_MOST)


def tops_most(game):
    """Return the most tops of a kind of game."""
    return GRAND_MOST if game == "G" else TOPS_MOST


def in_force(game, mods):
    """Return all letters that count in a game, with those that others imply, in the order of LEVELS."""
    found = mods
    if game != NULL:
        for letter in mods:
            found += _IMPLIED.get(letter, "")
    return "".join([letter for letter in _LETTERS if letter in found])


def level(mods):
    """Return how many of these letters in force raise the value."""
    return len([letter for letter in mods if letter in LEVELS])


def value_of(game, tops, mods):
    """Return the value of a game with these letters in force, before Kontra and Re."""
    if game == NULL:
        return _NULLS["".join([letter for letter in mods if letter in LEVELS])]
    return BASES[game] * (abs(tops) + 1 + level(mods))


def counted(game, value, bid):
    """Return the value that counts after this bid, which is higher if the player has overbid."""
    base = BASES.get(game)
    return value if base is None or not bid or bid <= value else -(-bid // base) * base


def factor(mods):
    """Return by what Kontra and Re multiply a value."""
    return 4 if "r" in mods else 2 if "k" in mods else 1


def short(mods):
    """Return letters in force in signs, without those that others imply."""
    if "o" in mods:
        shown = "o" if "s" in mods or "h" not in mods else "ho"  # in Null, it implies nothing
    elif "B" in mods:
        shown = "B"
    else:
        shown = ("S" if "S" in mods else "h" if "h" in mods else "") + ("b" if "b" in mods else "")
        if "s" in mods and not ("b" in mods or "S" in mods):
            shown += "s"
    return "".join([SIGNS[letter] for letter in shown]) + (" R" if "r" in mods else " K" if "k" in mods else "")


class Row:
    """A game in the list. `p` is None if all passed, `game` is None in a Ramsch; `mods` are the letters in force."""

    def __init__(self, what, points):
        self.points = points
        self.p = self.game = None
        self.tops, self.mods, self.won = 0, "", False
        if what == _PASSED:
            return
        self.p = what & 3
        kind = what >> 2 & 7
        if kind != _RAMSCH:
            self.game = KINDS[kind]
            self.tops = (what >> 5 & 31) - TOPS_MOST
            self.mods = "".join([letter for i, letter in enumerate(_LETTERS) if what >> 10 + i & 1])
            self.won = points > 0

    def event(self):
        """Return the game as an event, without the bid."""
        if self.p is None:
            return {"ev": "passed"}
        if self.game is None:
            return {"ev": "ramsch", "p": self.p, "k": -self.points}
        return {"ev": "play", "p": self.p, "game": self.game, "tops": self.tops, "mods": self.mods, "won": self.won}


def _packed(p, kind, tops=0, mods=""):
    """Return a game as one number, because the state has hundreds of them."""
    what = p | kind << 2 | (tops + TOPS_MOST) << 5
    for i, letter in enumerate(_LETTERS):
        what |= (letter in mods) << 10 + i
    return what


class Skat(Game):
    """The rules of a list of Skat."""

    KIND = "skat"
    PLAYERS = (3, 4)
    OPTIONS = {
        "turns": ("free", "follow"),  # without effect
        "score": ("plain", "seeger"),
        "series": (_SERIES[3],),
        "kontra": ON_OFF,
        "ramsch": ON_OFF,
    }
    EVENTS = {
        "play": (
            ("p", count, REQUIRED),
            ("game", one_of(*KINDS), REQUIRED),
            ("tops", integer, None),
            ("mods", letters, ""),
            ("won", boolean, REQUIRED),
            ("bid", bid, None),
        ),
        "passed": (),
        "ramsch": (("p", count, REQUIRED), ("k", loss, REQUIRED)),
        "end_game": (),
    }
    NAMED = {"game": "skat."}
    FIELDS = ("phase", "dealer", "points", "won", "lost", "sheet", "early")
    HISTORY = "sheet"

    @staticmethod
    def fill_places(event, places):
        if event["ev"] != "play":
            return ""
        game, tops = event["game"], event.get("tops") or 0
        signs = short(in_force(game, event.get("mods", "")))
        places["n"] = abs(tops)
        places["levels"] = " " + signs if signs else ""
        places["mark"] = "\u2713" if event["won"] else "\u2717"
        return ".null" if game == NULL else ".with" if tops > 0 else ".without"

    @staticmethod
    def matters(name, setup, options):
        return name != "turns"

    @classmethod
    def default(cls, name, players):
        return _SERIES[players] if name == "series" else super().default(name, players)

    @classmethod
    def option_range(cls, name, players):
        return 0, _SERIES_MOST

    def option(self, name, value):
        if name != "series":
            return super().option(name, value)
        if type(value) is not int or not 0 <= value <= _SERIES_MOST:
            raise Refused("E_SETTING", name=name)
        return value

    def start(self, confirm):
        self.title = SEEGER if self.by_seeger else ""
        self.phase = "PLAY"
        self.points = [0] * self.n
        self.won = [0] * self.n
        self.lost = [0] * self.n
        self.sheet = []  # two numbers for each game, which save memory: see Row
        self.early = False

    # --- entries ---

    def check_event(self, name, ev):
        """Refuse Kontra and Re if the table plays without them."""
        if name == "play" and self.options["kontra"] == "off":
            for letter in ev.get("mods", ""):
                if letter in "kr":
                    raise bad("mods")

    def _need_player(self, p):
        """Refuse a seat that does not exist, or that sits out this game."""
        self.need_seat(p)
        if p == self.sits_out:
            raise Refused("E_SITS", p=p)

    def do_play(self, p, game, tops, mods, won, bid, confirm):
        """Write the game of a player who played alone."""
        self._need_player(p)
        if game == NULL:
            if tops is not None:
                raise Refused("E_TOPS")
            if [letter for letter in mods if letter in "sSbB"]:
                raise Refused("E_MODS")
        elif not tops or abs(tops) > tops_most(game):
            raise Refused("E_TOPS", skat=game, most=tops_most(game))
        mods = in_force(game, mods)
        value = value_of(game, tops, mods)
        k = counted(game, value, bid)
        if k > value and won:
            raise Refused("E_OVERBID", p=p, bid=bid, k=value)
        if game == NULL and bid and bid > value and not confirm:
            raise Refused("W_OVERBID", p=p, bid=bid, k=value)
        k *= factor(mods) if won else -2 * factor(mods)
        self.points[p] += k
        (self.won if won else self.lost)[p] += 1
        self._close(_packed(p, KINDS.index(game), tops or 0, mods), k)

    def do_passed(self, confirm):
        """Write a game that nobody played."""
        self._close(_PASSED, 0)

    def do_ramsch(self, p, k, confirm):
        """Write the points that a player has lost in a Ramsch."""
        if self.options["ramsch"] == "off":
            raise Refused("E_PHASE", phase=self.phase)
        self._need_player(p)
        self.points[p] -= k
        self._close(_packed(p, _RAMSCH), -k)

    def do_end_game(self, confirm):
        """End the series now."""
        self.phase = "OVER"
        self.early = self.series > 0

    def _close(self, what, points):
        """Write a row of the list and pass the deal on; the last game of the series ends it."""
        self.sheet.append(what)
        self.sheet.append(points)
        self.dealer = self.left_of(self.dealer)
        if self.games == self.series:
            self.phase = "OVER"

    # --- what a screen asks ---

    @property
    def games(self):
        """The number of games in the list."""
        return len(self.sheet) // 2

    @property
    def series(self):
        """The number of games after which the list ends; 0 if it has no end."""
        return self.options["series"]

    @property
    def by_seeger(self):
        """True if games won and lost count beside their values."""
        return self.options["score"] == "seeger"

    @property
    def sits_out(self):
        """The seat that sits out the game to come, the dealer of four; None with three players."""
        return self.dealer if self.n == 4 else None

    def row(self, k):
        """Return a game of the list, counted from 0."""
        return Row(self.sheet[2 * k], self.sheet[2 * k + 1])

    def parts(self, p):
        """Return (points, for games won and lost, for games that others have lost) of a seat by Seeger-Fabian."""
        others = sum(self.lost) - self.lost[p]
        return self.points[p], WON * (self.won[p] - self.lost[p]), AGAINST[self.n] * others

    def change(self, points):
        """Return by how much a game with these points changes the total of its player."""
        return points + (WON if points > 0 else -WON) if self.by_seeger else points

    def totals(self):
        return [sum(self.parts(p)) if self.by_seeger else self.points[p] for p in range(self.n)]

    def total_parts(self, p):
        if not self.by_seeger or not self.games:
            return ""
        points, own, others = self.parts(p)
        parts = "%d%+d%+d" % (points, own, others)
        return parts if len(parts) < _PARTS_MOST else "%d%+d" % (points, own + others)

    def legal(self):
        if self.over:
            return []
        return ["play", "passed"] + (["ramsch"] if self.options["ramsch"] == "on" else []) + ["end_game"]

    def details(self):
        return {
            "game_no": self.games + 1,
            "dealer": self.dealer,
            "series": self.series,
            "points": list(self.points),
            "won": list(self.won),
            "lost": list(self.lost),
            "early": self.early,
        }


GAME = Skat
