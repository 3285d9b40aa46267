"""Enter a Top Spot trick player by player (cards, value, colour followed, joker)."""

from ...machine_code import const
from ...raster import icons
from ...text import text
from ...widgets.keys import DOWN, LEFT, OK, RIGHT, UP
from ...widgets.screen import ARROWS, LINE, SIDES, Screen, about, footer, header

# Fields of a play, in the order of the cursor
_VALUE, _CARDS, _FOLLOWED, _JOKER = 0, 1, 2, 3
_VALUE_MAX = const(99)


class TrickEntry(Screen):
    """The play of one player after the other; the rules find the winner."""

    def __init__(self, app, session):
        super().__init__(app)
        self.session = session
        self.seats = session.game.to_play()
        self.plays = []  # one for each player already entered
        self.field = _VALUE
        self._next()

    def _next(self):
        """Begin the play of the next player with one card that follows the colour."""
        self.now = {"p": self.seats[len(self.plays)], "cards": 1, "value": 0, "followed": True, "joker": False}
        self.field = _VALUE

    def fields(self):
        """Return how many fields a play has; only experts have jokers."""
        return 4 if self.session.game.level == "expert" else 3

    def best(self):
        """Return the highest value so far among those who followed; -1 if nobody has."""
        return max([play["value"] for play in self.plays if play["followed"]] + [-1])

    def draw(self, c):
        game = self.session.game
        p = self.now["p"]
        place = "%d/%d" % (len(self.plays) + 1, len(self.seats))
        header(c, game.names[p], icons.CARDS + "%d  %s" % (game.hand[p], place))
        values = [
            str(self.now["value"]),
            str(self.now["cards"]),
            "\u2713" if self.now["followed"] else "\u2717",
            "\u2713" if self.now["joker"] else "\u2013",
        ]
        y = LINE + 2
        for i in range(self.fields()):
            c.text(text(("spot.value", "spot.cards", "spot.followed", "spot.joker")[i]), 4, y)
            c.text(values[i], 84, y)
            if i == self.field:
                c.invert(0, y - 1, c.w, LINE + 1)
            y += LINE + 1
        best = self.best()
        if best >= 0:
            first = [play["p"] for play in self.plays if play["followed"] and play["value"] == best][0]
            c.text(about("spot.best", game.names[first], value=best).fit(c, c.w), 0, c.h - 2 * LINE)
        last = len(self.plays) + 1 == len(self.seats)
        ok = (icons.OK, "key.enter" if last else "spot.key.player")
        footer(c, (SIDES, "key.change"), ok, (ARROWS, "key.line"), (icons.UNDO, "key.back"))

    def key(self, k):
        if k in (UP, DOWN):
            self.field = (self.field + (1 if k == DOWN else -1)) % self.fields()
        elif k in (LEFT, RIGHT):
            self._change(1 if k == RIGHT else -1)
        elif k == OK:
            self.plays.append(self.now)
            if len(self.plays) < len(self.seats):
                self._next()
            else:
                self._enter()

    def _change(self, step):
        """Change the field at the cursor by one step."""
        now = self.now
        if self.field == _VALUE:
            now["value"] = max(0, min(_VALUE_MAX, now["value"] + step))
        elif self.field == _CARDS:
            now["cards"] = max(1, min(self.session.game.hand[now["p"]], now["cards"] + step))
        elif self.field == _FOLLOWED:
            now["followed"] = not now["followed"]
        else:
            now["joker"] = not now["joker"]

    def _enter(self):
        """Enter the trick; if the rules refuse it, the last play can be changed."""
        plays = list(self.plays)
        self.now = self.plays.pop()
        self.tie = self._tie(plays)
        self.session.enter({"ev": "trick", "plays": plays})

    def entered(self):
        if self.tie:
            self.app.toast(self.tie, 0)

    def _tie(self, plays):
        """Return a sentence about who wins a trick with several best plays; empty without a tie."""
        game = self.session.game
        best = max([play["value"] for play in plays if play["followed"]] + [-1])
        tied = [play for play in plays if play["followed"] and play["value"] == best]
        if len(tied) < 2:
            return ""
        able = [play for play in tied if play["cards"] < game.hand[play["p"]]]
        if game.level == "junior":
            key, able = "first", tied
        else:
            key = "break" if len(able) > 1 else "alone" if able else "nobody"
        return text("spot.tie." + key, value=best, name=game.names[(able or tied)[0]["p"]])

    def back(self):
        """Go back to the player before; from the first player, leave the screen."""
        if self.plays:
            self.now = self.plays.pop()
        else:
            self.app.pop()
