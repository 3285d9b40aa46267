"""Show the table of Top Spot, where one press gives a trick to its winner, and the entry of a trick card by card."""

from ...machine_code import const
from ...raster import icons
from ...screens.table_screen import Stepper, TableScreen, draw_players, lead_text, leading
from ...text import later, text
from ...widgets.fitting import about
from ...widgets.keys import DOWN, LEFT, OK, RIGHT, UP
from ...widgets.screen import ARROWS, LINE, SIDES, Menu, Notice, Screen, footer, header, part, signed, tint_word

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


# The key of each seat, clockwise round the table; the fifth player has OK
_SEATS = {3: (LEFT, UP, RIGHT), 4: (LEFT, UP, RIGHT, DOWN), 5: (LEFT, UP, RIGHT, DOWN, OK)}
_ARROW = {UP: "\u2191", DOWN: "\u2193", LEFT: "\u2190", RIGHT: "\u2192", OK: icons.OK}
_BOX_H = const(16)
_LEVELS = ("junior", "expert")
_MODES = ("tally", "assisted")
_GAMES_MAX = const(30)


def defaults(setup):
    """Fill in what a set-up starts with."""
    setup["level"] = _LEVELS[0]
    setup["mode"] = _MODES[0]
    setup["match_length"] = len(setup["players"])


def items(ready):
    """Return the lines of the menu before a match, as (label, action)."""
    n = len(ready.setup["players"])
    lengths = [n * i for i in range(1, _GAMES_MAX // n + 1)]
    label = later("new.length", n=ready.setup["match_length"])
    mode, cycle = ready.choice("new.mode", "mode", _MODES)

    def change_mode():
        cycle()
        ready.app.toast(text("new.mode." + ready.setup["mode"]), 0)

    return [
        (mode, change_mode),
        ready.choice("new.level", "level", _LEVELS),
        (label, lambda: ready.cycle("match_length", lengths)),
    ]


class TopSpotTable(TableScreen):
    """The table, in the form that mode and phase demand."""

    _down = None  # LEFT or OK, keys of players that act on release because holding them means something else

    def __init__(self, app, session):
        super().__init__(app, session)
        self._tricks = self.game.tricks

    def changed(self):
        """Propose the end of the game when the last trick that the cards allow was entered."""
        self._down = None
        before, self._tricks = self._tricks, self.game.tricks
        if self.game.cards_out and self._tricks > before:
            question = later("spot.cards_out", n=self._tricks)
            self.app.push(Notice(self.app, later("spot.menu.end"), question, self._end))

    def _end(self):
        """End the game without a bonus."""
        self.session.enter({"ev": "end_game"})

    def draw(self, c):
        game = self.game
        title = text("spot.game", n=game.game_no, length=game.match_length)
        over = game.phase in ("GAME_END", "MATCH_OVER")
        totals = game.totals()
        leaders = leading(game)
        legend = "" if over or c.battery_low or c.clock_mark else text("spot.legend")  # all three do not fit
        header(c, title, lead_text(game, leaders) or legend)
        if game.n == 5 or game.legal()[:1] == ["point"]:
            part(c)
        if over:
            self._draw_result(c, totals, leaders)
        elif game.mode == "assisted":
            self._draw_hands(c, totals, leaders)
        else:
            self._draw_seats(c, totals, leaders)

    def _draw_seats(self, c, totals, leaders):
        """Draw each player at the position of the key that gives the trick."""
        game = self.game
        for p, k in enumerate(_SEATS[game.n]):
            self._draw_box(c, p, k, totals[p], p in leaders)
        keys = "".join([_ARROW[k] for k in _SEATS[game.n]])
        menu = (icons.OK, "key.hold_menu" if game.n == 5 else "key.menu")
        footer(c, (keys, "spot.key.wins"), menu, *self.undo_hints())

    def _draw_box(self, c, p, k, total, leads):
        """Draw the name with the dealer's mark above, the arrow, points and total below."""
        game = self.game
        wide = k in (UP, DOWN)
        w = 80 if wide else 44 if k != OK else 38
        x = {LEFT: 0, RIGHT: c.w - w}.get(k, (c.w - w) // 2)
        y = {UP: LINE, DOWN: LINE + 2 * _BOX_H}.get(k, LINE + _BOX_H)
        name = (icons.DEALER if p == game.dealer else "") + game.names[p]
        change = signed(self.session.delta[p]) if self.session.delta[p] else ""
        line = "%s %d %s(%d)" % (_ARROW[k], game.points[p], change, total)
        name = c.fit(name, w)
        left, below = x, x
        if k != LEFT:
            left += w - c.width(name) if k == RIGHT else (w - c.width(name)) // 2
            below += w - c.width(line) if k == RIGHT else (w - c.width(line)) // 2
        c.text(name, left, y)
        c.text(line, below, y + LINE)
        if leads:
            c.tint("leader", x, y, w, LINE)
        if change:
            tint_word(c, "change", line, change, below, y + LINE)

    def _top(self):
        """Return the top row of the list of players; five players leave no space below the header."""
        return LINE if self.game.n == 5 else LINE + 2

    def _draw_hands(self, c, totals, leaders):
        """Draw the players of a refereed game, with their cards."""
        game = self.game
        columns = []
        for p in range(game.n):
            columns.append([icons.CARDS + str(game.hand[p]), str(game.points[p]), "(%d)" % totals[p]])
        draw_players(c, self.session, leaders, None, self._top(), c.h - 2 * LINE, columns, (26, 16, 24))
        seats = game.to_play()
        key = "spot.tiebreak" if game.tie else "spot.leads"
        c.text(about(key, game.names[seats[0]]).fit(c, c.w), 0, c.h - 2 * LINE)
        footer(c, (icons.OK, "spot.key.trick"), ("\u2190", "key.menu"), *self.undo_hints())

    def _draw_result(self, c, totals, leaders):
        """Draw the points at the end of a game or a match."""
        game = self.game
        points = game.history[-1] if game.over else game.points
        columns = [[signed(points[p]) if points[p] else "0", str(totals[p])] for p in range(game.n)]
        draw_players(c, _Still(game), leaders, None, self._top(), c.h - 2 * LINE, columns, (30, 30))
        if game.over:
            c.text(text("spot.match_over"), 0, c.h - 2 * LINE)
            ok = "key.ranking"
        else:
            last = game.game_no == game.match_length
            dealer = about("spot.next_dealer", game.names[game.left_of(game.dealer)])
            c.text(text("spot.last_game") if last else dealer.fit(c, c.w), 0, c.h - 2 * LINE)
            ok = "spot.key.finish" if last else "spot.key.next"
        footer(c, (icons.OK, ok), ("\u2190", "key.menu"), *self.undo_hints())

    def key(self, k):
        game = self.game
        if game.over:
            if k == OK:
                self.show_ranking()
        elif game.phase == "GAME_END":
            if k == OK:
                self.session.enter({"ev": "next_game"})
        elif game.mode == "assisted":
            if k == OK:
                self.app.push(TrickEntry(self.app, self.session))
        else:
            self._trick_won(k)
            return
        if k == LEFT:
            self.open_menu()

    def _trick_won(self, k):
        """Give the trick to the player of this key."""
        seats = _SEATS[self.game.n]
        if k in (LEFT, OK) and k in seats:
            self._down = k
        elif k in seats:
            self.session.enter({"ev": "point", "p": seats.index(k)})
        elif k == OK:
            self.open_menu()

    def hold(self, k):
        if k == self._down:
            self._down = None
            if k == OK:
                self.open_menu()

    def release(self, k):
        if k == self._down:
            self._down = None
            self.session.enter({"ev": "point", "p": _SEATS[self.game.n].index(k)})

    def menu_items(self):
        game, enter = self.game, self.session.enter
        if game.mode != "tally" or game.phase != "TRICK":
            return []
        items = [
            (later("spot.menu.end"), lambda: enter({"ev": "end_game"})),
            (later("spot.menu.bonus"), self._bonus),
        ]
        if game.level == "expert":
            items.append((later("spot.menu.blank"), lambda: enter({"ev": "blank"})))
        return items

    def ending_items(self):
        return [] if self.game.over else [(later("spot.menu.end_match"), lambda: self.ask_to_end({"ev": "end_match"}))]

    def _bonus(self):
        """Ask which player has cards left, then how many."""
        game, app = self.game, self.app

        def how_many(p):
            def enter(k):
                self.session.enter({"ev": "bonus", "p": p, "k": k})

            def effect(k):
                before = game.totals()[p]
                return text("spot.bonus_effect", before=before, after=before + k)

            most = max(1, game.cards_left)
            app.push(Stepper(app, about("spot.bonus_cards", game.names[p]), 1, 1, most, enter, effect))

        items = [(name, lambda p=p: how_many(p)) for p, name in enumerate(game.names)]
        at = 0 if game.last_winner is None else game.last_winner
        app.push(Menu(app, later("spot.bonus_who"), items, at))


class _Still:
    """A game for draw_players() without the last changes of the totals."""

    def __init__(self, game):
        self.game = game
        self.delta = [0] * game.n


TABLE = TopSpotTable
