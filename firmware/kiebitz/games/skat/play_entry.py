"""Enter a game that somebody played alone: kind, tops, levels, won or lost, and the bid if it matters."""

from ...machine_code import const
from ...raster import icons
from ...session import refuse
from ...text import text
from ...widgets.keys import DOWN, LEFT, OK, RIGHT, UP
from ...widgets.screen import ARROWS, LINE, SIDES, Screen, footer, header, wrap
from ..base import Refused
from .rules import BASES, BID_LEAST, BID_MOST, KINDS, NULL, SIGNS, counted, factor, in_force, tops_most, value_of

# What a game may be beyond its tops, in the order of RIGHT; LEFT goes to the last one at once
_LEVELS = ("", "s", "h", "hs", "sb", "hsb", "hsS", "hsSb", "hsSbB", "hsSbBo")
_NULL_LEVELS = ("", "h", "o", "ho")
_KONTRA = ("", "k", "kr")
_KONTRA_NAMES = ("skat.no_kontra", "skat.kontra", "skat.re")
_LEFT = const(8)  # column where the fields begin, right of the pointer
_RIGHT = const(70)  # column of Kontra and of the bid


def bids():
    """Return all values that can be bid, ascending: the values of suit games, Grand and Null."""
    values = {value_of(NULL, 0, mods) for mods in _NULL_LEVELS}
    for game in BASES:
        for steps in range(2, 19):
            values.add(BASES[game] * steps)
    return sorted([value for value in values if BID_LEAST <= value <= BID_MOST])


def _name_of(letter):
    """Return what players say when they count this level."""
    return text("skat.step." + letter)


class PlayEntry(Screen):
    """The game of one player. UP and DOWN choose a field, LEFT and RIGHT its value, OK goes on and finally enters.

    Every game begins as clubs with 1, won, so that the same presses always give the same entry.
    """

    def __init__(self, app, session, p):
        super().__init__(app)
        self.session = session
        self.p = p
        self.kind = KINDS[0]
        self.tops = 1
        self.level = 0  # in _LEVELS, or in _NULL_LEVELS
        self.kontra = 0
        self._won = True
        self.bid = None
        self._bids = None
        self.at = 0
        old = session.corrected
        if old.get("ev") == "play":
            self._take(old)

    def _take(self, old):
        """Begin with the entry that is being corrected."""
        self.kind = old["game"]
        self.tops = old.get("tops") or 1
        mods = in_force(self.kind, old.get("mods", ""))
        self.kontra = 2 if "r" in mods else 1 if "k" in mods else 0
        self.level = self._levels().index("".join([letter for letter in mods if letter not in "kr"]))
        self._won = old["won"]
        self.bid = old.get("bid")

    # --- what is chosen ---

    def _levels(self):
        return _NULL_LEVELS if self.kind == NULL else _LEVELS

    @property
    def mods(self):
        """The letters in force."""
        return self._levels()[self.level] + _KONTRA[self.kontra]

    @property
    def value(self):
        """The value of the game before Kontra and Re."""
        return value_of(self.kind, self.tops, self.mods)

    @property
    def counts(self):
        """The value that counts, which is higher if the game is overbid."""
        return counted(self.kind, self.value, self.bid)

    @property
    def won(self):
        """True if the game is won, which an overbid game never is."""
        return self._won and self.counts == self.value

    @property
    def points(self):
        """The points that the entry gives or takes."""
        return self.counts * factor(self.mods) * (1 if self.won else -2)

    def event(self):
        """Return the entry."""
        event = {"ev": "play", "p": self.p, "game": self.kind, "mods": self.mods, "won": self.won}
        if self.kind != NULL:
            event["tops"] = self.tops
        if not self.mods:
            del event["mods"]
        if self.bid:
            event["bid"] = self.bid
        return event

    def fields(self):
        """Return the names of the fields that make a difference, in the order of OK."""
        names = ["kind"]
        if self.kind != NULL:
            names.append("tops")
        if self.session.game.options["kontra"] == "on":
            names.append("kontra")
        return names + ["levels", "won", "bid"]

    # --- drawing ---

    def draw(self, c):
        game, p = self.session.game, self.p
        total = game.totals()[p]
        header(c, game.names[p], "%d\u2192%d" % (total, total + game.change(self.points)), True)
        names = self.fields()
        focus = names[self.at]
        self._draw_kinds(c)
        for name in names[1:]:
            x = _RIGHT if name in ("kontra", "bid") else _LEFT
            y = LINE * (2 if name in ("tops", "kontra") else 3 if name == "levels" else 4)
            c.text(self._words(name), x, y)
            if name == focus:
                c.text("\u25b6", x - _LEFT, y)
        if focus == "kind":
            c.text("\u25b6", 0, LINE)
        y = 5 * LINE
        for line in self._explained(c):
            c.text(line, 0, y)
            y += LINE
        ok = "key.enter" if focus in ("won", "bid") else "skat.key.next"
        footer(c, (SIDES, "key.change"), (icons.OK, ok), (ARROWS, "key.line"), (icons.UNDO, "key.back"))

    def _draw_kinds(self, c):
        """Draw all kinds of games, the chosen one inverted."""
        x = _LEFT
        for kind in KINDS:
            word = text("skat." + kind)
            width = c.width(word) + 3
            if kind in "HD":
                c.tint("red", x, LINE, width, LINE)
            c.text(word, x + 2, LINE)
            if kind == self.kind:
                c.invert(x, LINE, width, LINE)
            x += width + 3

    def _tops_words(self):
        return text("skat.with" if self.tops > 0 else "skat.without", n=abs(self.tops))

    def _words(self, name):
        """Return the words of a field below the kinds."""
        if name == "tops":
            return self._tops_words()
        if name == "levels":
            return text("skat.level." + (self._levels()[self.level] or "none"))
        if name == "kontra":
            return text(_KONTRA_NAMES[self.kontra])
        if name == "won":
            return text("skat.won" if self.won else "skat.lost")
        return text("skat.bid", n=self.bid) if self.bid else text("skat.bid.none")

    def _explained(self, c):
        """Return two lines how the points come about, as players count: with 2, game 3, Hand 4, x 12 = 48."""
        lines: list = []
        for name_of in (_name_of, SIGNS.get, None):  # shorter and shorter
            lines = wrap(c, self._reckoned(name_of), c.w)
            if len(lines) < 3:
                break
        return lines

    def _reckoned(self, name_of):
        """Return how the value is counted, with the levels by name; without name_of() only with their number."""
        if self.kind == NULL:
            words = [text("skat.N"), str(self.value)]
        elif self.counts != self.value:
            base = BASES[self.kind]
            words = [text("skat.overbid", bid=self.bid, k=self.value)]
            words.append("%dx%d=%d" % (self.counts // base, base, self.counts))
        else:
            n = abs(self.tops) + 1
            words = [self._tops_words(), text("skat.play", n=n)]
            levels = self._levels()[self.level]
            if levels and not name_of:
                words.append("+%d" % len(levels))
            for letter in levels if name_of else "":
                n += 1
                words.append(name_of(letter) + "\u00a0%d" % n)
            words.append("x%d=%d" % (BASES[self.kind], self.value))
        times = factor(self.mods)
        if times > 1:
            words.append("x%d" % times)
        if not self.won:
            words.append("x-2")
        if times > 1 or not self.won:
            words.append("= %d" % self.points)
        return " ".join(words)

    # --- keys ---

    def key(self, k):
        names = self.fields()
        name = names[self.at]
        if k == OK:
            if name in ("won", "bid"):
                self.session.enter(self.event())
            else:
                self.at += 1
        elif k in (UP, DOWN):
            self.at = (self.at + (1 if k == DOWN else -1)) % len(names)
        elif k in (LEFT, RIGHT):
            getattr(self, "_change_" + name)(1 if k == RIGHT else -1)

    def _change_kind(self, step):
        """Go to the next kind of game; what it cannot have is left out."""
        was = self.kind
        self.kind = KINDS[(KINDS.index(was) + step) % len(KINDS)]
        if NULL in (was, self.kind):
            self.level = 0
        most = tops_most(self.kind)
        self.tops = max(-most, min(most, self.tops))

    def _change_tops(self, step):
        """Count up, or down through `with 1` to `without 1`."""
        tops = self.tops + step or step
        if abs(tops) <= tops_most(self.kind):
            self.tops = tops

    def _change_levels(self, step):
        self.level = (self.level + step) % len(self._levels())

    def _change_kontra(self, step):
        self.kontra = (self.kontra + step) % len(_KONTRA)

    def _change_won(self, step):
        if self.counts != self.value:
            refuse(self.session, Refused("E_OVERBID", p=self.p, bid=self.bid, k=self.value), self.event())
        else:
            self._won = not self._won

    def _change_bid(self, step):
        """Go to the next bid; below the first one there is none."""
        if self._bids is None:
            self._bids = bids()
        known = self._bids
        above = [bid for bid in known if bid > (self.bid or 0)]
        below = [bid for bid in known if bid < (self.bid or 0)]
        if step > 0:
            self.bid = above[0] if above else self.bid
        else:
            self.bid = below[-1] if below else None
