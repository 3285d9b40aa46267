"""Show the table of a game in which the winners of a round get what it was worth from the others."""

from ...machine_code import const
from ...raster import icons
from ...screens.table_screen import Stepper
from ...text import later, text
from ...widgets.fitting import TextWithNames
from ...widgets.keys import DOWN, LEFT, OK, RIGHT, UP
from ...widgets.screen import ARROWS, LINE, Notice, footer, move, signed, text_right
from ..base import Refused
from .number import Number, draw_keys
from .rules import POINTS_MAX
from .table import TALL, ScoreTable

# The arrows that stand for the players of a round, as they sit around the table
_ARROWS = {2: (UP, DOWN), 3: (UP, RIGHT, DOWN), 4: (UP, RIGHT, DOWN, LEFT)}
_SIGNS = {UP: "\u2191", DOWN: "\u2193", LEFT: "\u2190", RIGHT: "\u2192"}
_LEFT = 3  # what LEFT adds to what a round was worth: 1 to 4, 6, 9 and 10 take one or two presses
_COLUMNS = const(4)  # lines of a column of players beside the number
_TIMES_MAX = const(32)
_WINS, _LOSES = const(1), const(-1)  # marks of a player; only one loses alone


class ExchangeTable(ScoreTable):
    """Ask who won, with an arrow for each of up to four players, else with a cursor, and then what it was worth.

    Pressed twice, an arrow means that its player loses alone. The second question follows as soon as the first is
    answered, else OK leads to it.
    """

    def __init__(self, app, session):
        super().__init__(app, session)
        self.number = Number(0, 0, POINTS_MAX, self.number.step, _LEFT)
        self._forget()

    def _forget(self):
        """Begin with the first question."""
        game = self.game
        self.marks = {}  # of seats: _WINS, or _LOSES
        self.asks_worth = False
        self.number.value = 0
        playing = game.playing()
        self.arrows = dict(zip(_ARROWS.get(len(playing), ()), playing))
        if self.at not in playing:
            self.at = playing[0]

    def changed(self):
        self._forget()
        super().changed()

    def winners(self):
        """Return the seats that win; none if the marks cannot be right yet."""
        playing = self.game.playing()
        losers = [p for p in self.marks if self.marks[p] == _LOSES]
        winners = [p for p in playing if (p not in losers if losers else p in self.marks)]
        return winners if len(winners) < len(playing) else []

    def drop(self):
        """Go one step back: to 0, to the first question, to no winners."""
        if self.game.over:
            return False
        if super().drop():
            return True
        if self.asks_worth or self.marks:
            self._forget()
            return True
        return False

    # --- drawing ---

    def draw_play(self, c):
        if self.asks_worth:
            self._draw_worth(c)
        else:
            self._draw_winners(c)

    def _draw_winners(self, c):
        """Draw the sheet with the key, or the mark, of each player."""
        game = self.game
        totals = [str(k) for k in game.totals()]
        words = [self._says(p) for p in range(game.n)]
        self.lay_out(c, (self.round_label(), []), (text("any.total"), totals), question=text("any.who_won"))
        for p, y, rows in self.places(c):
            chosen = not self.arrows and p == self.at
            self.draw_line(c, p, y, rows, words[p], totals[p], chosen=chosen)
        self.draw_status(c, self._factor())
        keys = [(icons.OK, "any.key.worth")] if self.winners() else []
        if self.arrows:
            signs = "".join([_SIGNS[k] for k in _ARROWS[len(self.arrows)]])
            keys = [(signs, "any.key.wins")] + keys
            if len(signs) > 2:  # of two, the first press leads to the next question
                keys.append((signs + "\u00d72", "any.key.loses"))
        else:
            keys = [(ARROWS, "key.who"), ("\u2190\u2192", "any.key.wins")] + keys
        footer(c, *keys, (icons.OK, "key.hold_menu"), *self.undo_hints())

    def has_status(self, c):
        return self.game.n < self._most(c) + (1 if self.arrows else 0)

    def places(self, c):
        """Yield the lines; where arrows choose, all are equally high."""
        if not self.arrows:
            yield from super().places(c)
            return
        n = self.game.n
        room = c.h - 2 * LINE
        pitch = max(LINE, min(12, (room - LINE) // n))
        shown = [p for p in range(n)]
        while len(shown) * pitch > room:  # who is away does not have to be seen
            shown.remove([p for p in shown if p in self.game.gone][-1])
        for i, p in enumerate(shown):
            yield p, LINE + i * pitch, pitch

    def name_of(self, p):
        name = super().name_of(p)
        sign = "".join([_SIGNS[k] + " " for k in self.arrows if self.arrows[k] == p])
        return TextWithNames(lambda names: sign + name.make(names), name.names)

    def _says(self, p):
        """Return what stands beside a player: the mark, or why there is none."""
        if p in self.marks:
            return text("any.loses" if self.marks[p] == _LOSES else "any.wins")
        if p in self.game.gone:
            return text("any.away")
        return text("any.sits_out") if p == self.game.sitting_out else ""

    def _factor(self):
        """Return by how much the points of this round count, in words; empty if they count once."""
        factors = self.game.factors
        return text("any.factor", k=factors[0], n=len(factors)) if factors else ""

    def to_go(self):
        game = self.game
        return text("any.to_go", n=min(game.to_target())) if game.options["end"] == "target" else ""

    def _draw_worth(self, c):
        """Draw what each player would get, and the number, large."""
        game, k = self.game, self.number.value
        totals, moved = game.totals(), self._moved()
        words = [self._says(p) if change is None else signed(change) for p, change in enumerate(moved)]
        if not k:
            winners = self.winners()
            for p in game.playing():
                words[p] = text("any.wins" if p in winners else "any.loses")
        few = game.n <= _COLUMNS
        columns = [(self.round_label(), [s for s in words if s[-1:].isdigit()])]
        if few:
            totals = [str(total + (change or 0)) for total, change in zip(totals, moved)]
            columns.append((text("any.total"), totals))
        self.lay_out(c, *columns)
        pitch = _COLUMNS * LINE // game.n if few else LINE
        for p in range(game.n):
            if few:
                self.draw_line(c, p, LINE + p * pitch, pitch, words[p], totals[p])
            else:
                x, y = p // _COLUMNS * (c.w // 2), LINE + p % _COLUMNS * LINE
                end = x + c.w // 2 - 3
                text_right(c, words[p], end, y)
                c.text(c.fit(game.names[p], end - x - c.width(words[p]) - 3), x + 1, y)
        y = c.h - LINE - TALL
        number = str(k)
        room = c.w - c.digits_width(number) - 6
        c.digits(number, room + 4, y)
        factor = self._factor()
        c.text(c.fit(text("any.worth"), room), 1, y if factor else y + LINE // 2)
        c.text(c.fit(factor, room), 1, y + LINE)
        c.invert(0, y, c.w, TALL)
        c.part(y + TALL - 1, c.w)
        keys = [(icons.UNDO, "key.back"), (icons.OK, "key.hold_menu"), ("\u2190", "key.hold_scores")]
        draw_keys(c, self.number.step, (icons.OK, "key.enter"), *keys, left=_LEFT)

    def _moved(self):
        """Return by how much each total would change, None for who takes no part; all 0 if it cannot be shared."""
        game = self.game
        winners, playing = self.winners(), game.playing()
        try:
            return game.shares(winners, self.number.value)
        except Refused:
            return [0 if p in playing else None for p in range(game.n)]

    # --- keys ---

    def enter_key(self, k):
        if not self.pressed(k, (dict(self.marks), self.asks_worth, self.number.value)) or k == OK:
            return
        if self.asks_worth:
            self.number.change(k)
        elif k in self.arrows:
            self._mark(self.arrows[k])
        elif not self.arrows and k in (UP, DOWN):
            playing = self.game.playing()
            self.at = playing[move(k, playing.index(self.at), len(playing))]
        elif not self.arrows:
            self._mark(self.at)

    def _mark(self, p):
        """Let a player win, then lose alone, then neither; go on as soon as the winners are clear."""
        if self.marks.get(p) == _WINS and len(self.marks) == 1:
            self.marks = {p: _LOSES}
        elif p in self.marks:
            del self.marks[p]
        else:
            if _LOSES in self.marks.values():
                self.marks = {}
            self.marks[p] = _WINS
        winners = len(self.winners())
        self.asks_worth = len(self.arrows) > 0 and 2 * winners >= len(self.arrows)

    def held(self, k, before):
        self.marks, self.asks_worth, self.number.value = before

    def ok(self):
        winners = self.winners()
        event = {"ev": "exchange", "winners": winners, "k": self.number.value}
        if self.asks_worth and not event["k"]:  # OK pressed twice by mistake
            self.app.push(Notice(self.app, later("any.worth"), later("any.worth_0"), lambda: self.session.enter(event)))
        elif self.asks_worth:
            self.session.enter(event)
        elif winners:
            self.asks_worth = True
        else:
            self.app.refuse(text("E_ARG.winners"))

    # --- menu ---

    def menu_items(self):
        items = self.sheet_items()
        if "double" in self.game.legal():
            items.append((later("any.menu.double"), self._double))
        return items + super().menu_items()

    def _double(self):
        """Ask how many rounds count double, by default one for each player."""

        def enter(k):
            self.session.enter({"ev": "double", "k": k})

        many = len(self.game.playing())
        self.app.push(Stepper(self.app, text("any.menu.double"), many, 1, _TIMES_MAX, enter))
