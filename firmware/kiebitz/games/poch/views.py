"""Show the phases of a round of Poch (cashing, bidding, show-down, play-out), a view for each."""

from ...machine_code import const
from ...raster import icons
from ...text import later, text
from ...widgets.fitting import about
from ...widgets.keys import DOWN, LEFT, OK, RIGHT, UP
from ...widgets.screen import ARROWS, LINE, MOVED, SIDES, Screen, footer, header, move, signed, text_right, wrap
from .rules_bidding import KING, MARRIAGE, POCHER, POOLS, QUEEN
from .view import (
    BANK,
    LEFT_W,
    PANE_X,
    ROWS,
    TOP,
    PhaseView,
    change,
    chips_text,
    draw_board,
    draw_rows,
    pool_label,
    stake_text,
)

# Pools in the order of the questions. The Marriage comes as soon as the holders of its two cards are known; before
# its cards if a card cannot cash both pools.
_ORDER = (0, KING, QUEEN, MARRIAGE, 3, 4, 6)
_NO_OVERLAP = (0, MARRIAGE, KING, QUEEN, 3, 4, 6)
_NOBODY = None


def takers(game, pool):
    """Return the seats that can still cash a pool; none if it is cashed or other players hold its cards."""
    if game.cashed[pool] is not None:
        return []
    others = {MARRIAGE: (KING, QUEEN), KING: (MARRIAGE,), QUEEN: (MARRIAGE,)}.get(pool, ())
    holders = [game.cashed[other] for other in others if game.cashed[other] is not None]
    if holders and game.options["overlap_cash"] == "off":
        return []
    return [p for p in range(game.n) if game.active[p] and holders in ([], [p], [p, p])]


class CashView(PhaseView):
    """Asks for the player who takes each pool, then ends the phase."""

    def __init__(self, table):
        super().__init__(table)
        self.left = self._before_corrected()  # pools that the players have left as they are
        self.pool = BANK
        self.choices = []
        self.at = 0

    def _before_corrected(self):
        """Return the pools that were left before the one whose entry is being corrected."""
        order = [POOLS[i] for i in self._order()]
        pool = self.session.corrected.get("pool")
        return list(self._order()[: order.index(pool)]) if pool in order else []

    def _order(self):
        """Return the pools in the order of the questions."""
        return _ORDER if self.game.options["overlap_cash"] == "on" else _NO_OVERLAP

    def changed(self):
        """Go to the first pool that is neither cashed nor left; nobody takes the pool unless a player is chosen."""
        game = self.game
        pools = [i for i in self._order() if i not in self.left and takers(game, i)]
        self.pool = pools[0] if pools else BANK
        if not pools:
            self.choices = []
            return
        self.choices = [_NOBODY] + takers(game, self.pool)
        self.at = 1 if self._has_both() else 0
        corrected = self.session.corrected
        if corrected.get("pool") == POOLS[self.pool] and corrected["p"] in self.choices:
            self.at = self.choices.index(corrected["p"])

    def _has_both(self):
        """Return True if King and Queen went to one player, who then has the Marriage too."""
        cashed = self.game.cashed
        return self.pool == MARRIAGE and cashed[KING] is not None and cashed[KING] == cashed[QUEEN]

    def draw_left(self, c):
        draw_board(c, self.game, self.pool)

    def draw_pane(self, c):
        if self.pool == BANK:
            self._draw_end(c)
            return
        game, w = self.game, c.w - PANE_X
        chips = game.pools[self.pool]
        text_right(c, icons.CHIP + str(chips), c.w - 1, TOP)
        c.text(text("pool." + POOLS[self.pool]), PANE_X, TOP)
        rows = []
        for i, p in enumerate(self.choices):
            if p is _NOBODY:
                rows.append((text("poch.nobody"), ""))
            else:
                gain = chips if i == self.at else 0
                rows.append((game.names[p], chips_text(game.chips[p] + gain, gain)))
        draw_rows(c, rows, self.at, PANE_X, w, TOP + LINE, ROWS - 1)
        if self._has_both():
            c.text(text("poch.has_both"), PANE_X, TOP + 4 * LINE)
        if self.choices[self.at] is _NOBODY:
            hints = [("\u2192" + icons.OK, "poch.key.leave")]
        else:
            hints = [(icons.OK, "poch.key.cash"), ("\u2192", "poch.key.leave")]
        footer(c, *hints, ("\u2190", "key.menu"), (ARROWS, "key.who"), *self.table.undo_hints())

    def _draw_end(self, c):
        game = self.game
        full = [pool_label(POOLS[i]) for i in range(POCHER) if game.pools[i]]
        message = text("poch.stay", pools=" ".join(full)) if full else text("poch.all_cashed")
        y = TOP
        for line in wrap(c, message, c.w - PANE_X):
            c.text(line, PANE_X, y)
            y += LINE
        hints = ((icons.OK, "poch.key.bidding"), ("\u2192", "poch.key.again"), ("\u2190", "key.menu"))
        footer(c, *hints, *self.table.undo_hints())

    def key(self, k):
        if self.pool == BANK:
            if k == OK:
                self.session.enter({"ev": "end_cash"})
            elif k == RIGHT:
                self.left = []
                self.changed()
        elif k in (UP, DOWN):
            self.at = move(k, self.at, len(self.choices))
            return MOVED
        elif k == RIGHT or (k == OK and self.choices[self.at] is _NOBODY):
            self.left.append(self.pool)
            self.changed()
        elif k == OK:
            self.session.enter({"ev": "cash", "p": self.choices[self.at], "pool": POOLS[self.pool]})
        return None


_LEAP = const(5)  # steps of the cursor with RIGHT
_SHOWN = const(3)  # visible lines of choices


class BidView(PhaseView):
    """The choices of the player to bid, from pass at the bottom over hold to the highest bid at the top."""

    def __init__(self, table):
        super().__init__(table)
        self.at = 0

    def changed(self):
        self.at = 0
        corrected = self.session.corrected
        if corrected.get("ev") in ("bid", "hold"):
            stake = corrected.get("k", self.game.high)
            self.at = max(0, min(stake - self.game.high + self._holds(), self._count() - 1))

    def _holds(self):
        """Return 1 if the player can hold, which is then the second choice, else 0."""
        game = self.game
        return 1 if game.high and game.to_hold(game.turn) <= game.chips[game.turn] else 0

    def _count(self):
        """Return the number of choices. The lowest bid costs one chip more than to hold."""
        game = self.game
        bids = game.chips[game.turn] - game.to_hold(game.turn)
        return 1 + self._holds() + max(0, bids)

    def _choice(self, at):
        """Return (event name, stake, price) of a choice, counted from pass."""
        game = self.game
        if not at:
            return "pass", 0, 0
        stake = game.high + at - self._holds()
        return ("bid" if stake > game.high else "hold"), stake, game.price(game.turn, stake)

    def draw_left(self, c):
        game = self.game
        order = game.seats()
        rows = [(game.names[q], self._said(q)) for q in order]
        draw_rows(c, rows, order.index(game.turn), 0, LEFT_W - 1, TOP, ROWS)
        c.vline(LEFT_W, TOP, ROWS * LINE - 1)

    def draw_pane(self, c):
        game, p = self.game, self.game.turn
        name, _, price = self._choice(self.at)
        bank = text("poch.bank", chips=change(game.bank, game.bank + price))
        if c.width(bank) > c.w - PANE_X:
            bank = text("poch.bank", chips=game.bank + price)
        c.text(bank, PANE_X, TOP)
        c.text(text("poch.pocher", chips=game.pools[POCHER]), PANE_X, TOP + LINE)
        top = min(max(self.at + 1, _SHOWN - 1), self._count() - 1)
        choices = [self._choice(i) for i in range(top, max(top - _SHOWN, -1), -1)]
        rows = [(self._label(each[0]), str(each[1]) if each[1] else "") for each in choices]
        draw_rows(c, rows, top - self.at, PANE_X, c.w - PANE_X, TOP + 2 * LINE, _SHOWN)
        c.text(icons.CHIP + change(game.chips[p], game.chips[p] - price), PANE_X, TOP + 5 * LINE)
        ok = (icons.OK, "poch.key." + name)
        keys = ((ARROWS + "\u00b11", ""), ("\u2192", "poch.key.leap"), ("\u2190", "key.menu"))
        footer(c, ok, *keys, *self.table.undo_hints())

    def _label(self, name):
        """Return the words for a choice; a bid above another one is a raise."""
        return text("poch.choice." + ("raise" if name == "bid" and self.game.high else name))

    def _said(self, p):
        """Return the stake or the pass of a player as text, empty before the first bid."""
        if self.game.passed[p]:
            return text("poch.passed")
        return stake_text(self.game, p)

    def key(self, k):
        if k in (UP, DOWN, RIGHT):
            step = {UP: 1, DOWN: -1, RIGHT: _LEAP}[k]
            self.at = max(0, min(self.at + step, self._count() - 1))
        elif k == OK:
            name, stake, _ = self._choice(self.at)
            ev = {"ev": name, "p": self.game.turn}
            if name == "bid":
                ev["k"] = stake
            self.session.enter(ev)
            return None
        return MOVED


def stakes(game, best):
    """Return (chips the highest bidder must add, chips the best one takes) if `best` is named."""
    if best is None:
        return 0, 0
    paid = 0
    if game.doubles(best):
        paid = game.bank if game.in_debt else min(game.bank, game.chips[game.high_bidder])
    return paid, game.bank + paid + game.pools[POCHER]


class ShowView(PhaseView):
    """The contestants to choose from, then nobody, then a line that leads to the entry of the hands."""

    def __init__(self, table):
        super().__init__(table)
        self.at = 0

    def changed(self):
        """Put the cursor on the highest bidder, who needs no doubling."""
        self.at = self.game.contestants().index(self.game.high_bidder)

    def draw_left(self, c):
        game = self.game
        rows = [(game.names[p], stake_text(game, p)) for p in game.contestants()]
        rows += [(text("poch.nobody"), ""), (text("poch.hands"), "")]
        draw_rows(c, rows, self.at, 0, LEFT_W - 1, TOP, ROWS)
        c.vline(LEFT_W, TOP, ROWS * LINE - 1)

    def draw_pane(self, c):
        game = self.game
        seats = game.contestants()
        c.text(text("poch.bank", chips=game.bank), PANE_X, TOP)
        c.text(text("poch.pocher", chips=game.pools[POCHER]), PANE_X, TOP + LINE)
        best = seats[self.at] if self.at < len(seats) else None
        self._draw_effect(c, best)
        ok = "best" if best is not None else "nobody" if self.at == len(seats) else "hands"
        keys = ((icons.OK, "poch.key." + ok), (ARROWS, "key.who"), ("\u2190", "key.menu"))
        footer(c, *keys, *self.table.undo_hints())

    def _draw_effect(self, c, best):
        game = self.game
        w = c.w - PANE_X
        if best is None:
            if self.at == len(game.contestants()):
                c.text(text("poch.stays"), PANE_X, TOP + 3 * LINE)
            return
        paid, taken = stakes(game, best)
        after = game.chips[best] + taken
        rows = []
        if game.doubles(best):
            rows = [(text("poch.doubled"), ""), (game.names[game.high_bidder], signed(-paid))]
        rows += [(game.names[best], signed(taken)), ("", change(game.chips[best], after))]
        draw_rows(c, rows, None, PANE_X, w, TOP + (ROWS - len(rows)) * LINE, len(rows))

    def key(self, k):
        seats = self.game.contestants()
        if k in (UP, DOWN):
            self.at = move(k, self.at, len(seats) + 2)
        elif k == OK and self.at > len(seats):
            from .reveal import RevealScreen  # not at the top: that module imports stakes() from this one

            self.app.push(RevealScreen(self.table))
        elif k == OK:
            self.session.enter({"ev": "showdown", "best": seats[self.at] if self.at < len(seats) else None})


_CARDS_X = const(80)  # where the number of cards left ends, between its arrows


class PlayoutView(PhaseView):
    """The players, to choose the one who is out of cards first."""

    def __init__(self, table):
        super().__init__(table)
        self.at = 0

    def _seats(self):
        """Return the seats of the active players."""
        return [p for p in range(self.game.n) if self.game.active[p]]

    def changed(self):
        """Put the cursor on the player who begins, and has the first chance to be out of cards."""
        seats = self._seats()
        winner = self.session.corrected.get("winner")
        self.at = seats.index(winner if winner in seats else self.game.starter())

    def draw_pane(self, c):
        game = self.game
        arrow = {"UP": "\u2191", "DOWN": "\u2193"}.get(game.direction, "")
        w = c.w - PANE_X
        leads = about("poch.leads", game.names[game.starter()]).fit(c, w - c.width(arrow) - 2)
        c.text(leads + arrow, PANE_X, TOP)
        rows = [(game.names[p], chips_text(game.chips[p], self.session.delta[p])) for p in self._seats()]
        draw_rows(c, rows, self.at, PANE_X, w, TOP + LINE, ROWS - 1, self.session, self._seats())
        keys = (("\u2192" + icons.OK, "poch.key.out"), (ARROWS, "key.who"), ("\u2190", "key.menu"))
        footer(c, *keys, *self.table.undo_hints())

    def key(self, k):
        if k in (UP, DOWN):
            self.at = move(k, self.at, len(self._seats()))
            return MOVED
        if k in (OK, RIGHT):
            self.app.push(CardsLeft(self.table, self._seats()[self.at]))
        return None

    def menu_items(self):
        if self.game.direction is not None:
            return []
        return [(later("poch.lead." + way), lambda way=way: self._lead(way)) for way in ("UP", "DOWN")]

    def _lead(self, way):
        """Enter that the first card leads up or down."""
        self.table.session.enter({"ev": "lead", "p": self.game.starter(), "dir": way})


class CardsLeft(Screen):
    """The cards the others still hold, and the chips they pay; OK goes to the next player, or enters at the last."""

    def __init__(self, table, winner):
        super().__init__(table.app)
        self.table = table
        self.session = table.session
        game = table.game
        self.winner = winner
        order = [(winner + i) % game.n for i in range(1, game.n)]
        self.seats = [p for p in order if game.active[p]]
        before = self.session.corrected.get("left", {})
        self.left = {p: min(max(1, before.get(str(p), 1)), game.most_left()) for p in self.seats}
        self.at = 0
        self.pressed = False  # the OK that opened the screen may still be held

    def draw(self, c):
        game = self.session.game
        changes = game.settlement(self.winner, self.left)
        chips = [change(game.chips[p], game.chips[p] + changes[p]) for p in range(game.n)]
        right = icons.CHIP + chips[self.winner]
        header(c, about("poch.out", game.names[self.winner]), right)
        lines = min(ROWS - 1, len(self.seats))
        pitch = 9 if lines > 3 else 12
        first = max(0, min(self.at - lines // 2, len(self.seats) - lines))
        y = TOP + 1 + (pitch - LINE) // 2
        for p in self.seats[first : first + lines]:
            c.text(c.fit(game.names[p], _CARDS_X - 28), 1, y)
            text_right(c, icons.CARDS + str(self.left[p]), _CARDS_X, y)
            text_right(c, chips[p], c.w - 1, y)
            if p == self.seats[self.at]:
                c.text("\u25c0", _CARDS_X - 26, y)
                c.text("\u25b6", _CARDS_X + 4, y)
                c.invert(0, y - (pitch - LINE) // 2, c.w, pitch)
            y += pitch
        last = self.at == len(self.seats) - 1
        ok = (icons.OK, "key.enter" if last else "poch.key.next")
        keys = [(SIDES, "poch.key.cards"), ok, (ARROWS, "key.who"), (icons.UNDO, "key.back")]
        if not last:
            keys.append((icons.OK, "poch.key.hold_enter"))
        footer(c, *keys)

    def key(self, k):
        p = self.seats[self.at]
        if k in (UP, DOWN):
            self.at = move(k, self.at, len(self.seats))
        elif k in (LEFT, RIGHT):
            most = self.session.game.most_left()
            self.left[p] = (self.left[p] - 1 + (1 if k == RIGHT else -1)) % most + 1
        elif k == OK:
            self.pressed = True
            if self.at == len(self.seats) - 1:
                self._enter()
            else:
                self.at += 1

    def hold(self, k):
        if k == OK and self.pressed:
            self._enter()

    def _enter(self):
        """Enter the end of the round."""
        left = {str(p): self.left[p] for p in self.left}
        self.table.session.enter({"ev": "end_round", "winner": self.winner, "left": left})
