"""Draw the parts that all Poch screens share (board, header, narrow lists)."""

from ...machine_code import const
from ...raster import icons
from ...screens.table_screen import initials, lead_text, leading
from ...text import text
from ...widgets.fitting import TextWithNames, fitted
from ...widgets.screen import LINE, header_end, part, signed, text_centre, text_right, tint_word
from ..base import RED_SUITS
from .rules_bidding import POCHER, POOLS

BANK = len(POOLS)  # position of the cursor in the centre of the board
TOP = LINE
ROWS = 6  # lines between header and footer
LEFT_W = 66  # width of the board, and of a list in its place
PANE_X = 68

_CELL_W = const(22)
_CELL_H = const(16)
# (column, row) of each pool, clockwise from the top left corner; the bank in the middle.
_PLACES = ((0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1), (1, 1))
_STAR = "\u2605"
_HIGHEST = "\u25b2"
_TICK = "\u2713"
_ARROW = "\u2192"
_ARM = const(3)  # half the width of the crosses between the cells


def change(before, after):
    """Return the text of a number that becomes another one; only the number if it stays."""
    return str(before) if before == after else "%d%s%d" % (before, _ARROW, after)


def pool_label(pool):
    """Return the short name of a pool, which fits its cell on the board."""
    return text(("rank." if len(pool) == 1 else "poch.") + pool)


def suit(game):
    """Return the sign of the trump suit; empty if there is none."""
    return text("suit." + game.trump) if game.trump else ""


def shown_name(game, p):
    """Return the name of a player, in brackets if the player has retired."""
    return game.names[p] if game.active[p] else text("poch.retired", name=game.names[p])


def draw_header(c, game):
    """Draw round and trump to the left, the dealer and the leader to the right."""
    left = text("poch.round", n=game.round, suit=suit(game))
    c.text(left, 1, 0)
    end = header_end(c)
    room = end - c.width(left) - 6
    lead = lead_text(game, leading(game))
    dealer = icons.DEALER + game.names[game.dealer]
    if lead:
        most = max(room // 2, room - c.width(dealer) - 4) if isinstance(lead, TextWithNames) else room
        lead = fitted(c, lead, most)
        text_right(c, lead, end - 1, 0)
        room -= c.width(lead) + 4
    dealer = c.fit(dealer, room)
    text_right(c, dealer, end - 1 - (c.width(lead) + 4 if lead else 0), 0)
    c.invert(0, 0, c.w, LINE)
    c.tint("bar", 0, 0, c.w, LINE)
    if game.trump and game.trump in RED_SUITS:
        tint_word(c, "red", left, suit(game), 1, 0)
    part(c)


def jackpot(game, i):
    """Return True if a pool, or the bank, holds chips of an earlier round."""
    if i == BANK:
        return game.bank > (sum(game.stake) if game.phase in ("BID", "SHOW") else 0)
    fresh = sum(game.active) if game.trump else 0
    return game.pools[i] > fresh


def has_jackpot(game):
    """Return True if a star is on the board."""
    return any([jackpot(game, i) for i in range(BANK + 1)])


def draw_board(c, game, at=None):
    """Draw the eight pools round the bank, with a star at chips of an earlier round and the cursor inverted."""
    for i in range(1, 3):
        c.vline(i * _CELL_W, TOP, 3 * _CELL_H - 1)
        y = TOP + i * _CELL_H - 1
        for x in (_CELL_W, 2 * _CELL_W):
            c.hline(x - _ARM, y, 2 * _ARM + 1)
    for i, (column, row) in enumerate(_PLACES):
        x, y = column * _CELL_W + 1, TOP + row * _CELL_H
        text_centre(c, pool_label(POOLS[i] if i < BANK else "BANK"), y, x, _CELL_W - 1)
        text_centre(c, _content(game, i), y + LINE, x, _CELL_W - 1)
        if i == at:
            c.invert(x, y, _CELL_W - 1, _CELL_H - 1)


def _content(game, i):
    """Return the chips of a pool, or the initial of the player who has just cashed it."""
    chips = game.bank if i == BANK else game.pools[i]
    if i < POCHER and not chips and game.trump and game.cashed[i] is not None:
        return _TICK + initials(game.names)[game.cashed[i]]
    return (_STAR if jackpot(game, i) and chips < 100 else "") + str(chips)


def draw_rows(c, rows, at, x, w, y, lines, session=None, seats=()):
    """Draw pairs of (name, text at the right end), scrolled so that the cursor is visible.

    With `session` the lines are about these seats, and leaders and the last changes of chips are coloured.
    """
    leaders = leading(session.game) if session and c.coloured else []
    first = max(0, min((at or 0) - lines // 2, len(rows) - lines))
    bar = 2 if len(rows) > lines else 0
    if bar:
        height = lines * LINE
        size = height * lines // len(rows)
        c.vline(x + w - 1, y + (height - size) * first // (len(rows) - lines), size)
    for i in range(first, min(first + lines, len(rows))):
        name, right = rows[i]
        room = w - 1 - bar
        if right:
            text_right(c, right, x + room, y)
            room -= c.width(right) + 2
        c.text(c.fit(name, room), x + 1, y)
        if session and seats[i] in leaders:
            c.tint("leader", x, y, w - bar, LINE)
        if session and session.delta[seats[i]]:
            tint_word(c, "change", right, signed(session.delta[seats[i]]), x + room + 2, y)
        if i == at:
            c.invert(x, y, w - bar, LINE)
        y += LINE


def draw_chips(c, session, x, w, y, lines):
    """Draw everybody's chips with the last change; in two columns of initials if there are too few lines.

    At the end of the game these are the totals, with all debts settled.
    """
    game = session.game
    chips = game.totals() if game.over else game.chips
    if game.n <= lines:
        rows = [(shown_name(game, p), chips_text(chips[p], session.delta[p])) for p in range(game.n)]
        draw_rows(c, rows, None, x, w, y, lines, session, range(game.n))
        return
    leaders = leading(game) if c.coloured else []
    marks = initials(game.names)
    for p in range(game.n):
        left = x + p // lines * (w // 2)
        top = y + p % lines * LINE
        c.text(marks[p], left, top)
        if p in leaders:
            c.tint("leader", left, top, w // 2 - 9, LINE)
        text_right(c, str(chips[p]), left + w // 2 - 9, top)
        if session.delta[p]:
            c.text("\u25b2" if session.delta[p] > 0 else "\u25bc", left + w // 2 - 8, top)
            c.tint("change", left + w // 2 - 8, top, 8, LINE)


def chips_text(chips, delta):
    """Return the chips of a player, with their change before them."""
    return signed(delta) + "  " + str(chips) if delta else str(chips)


def stake_text(game, p):
    """Return the stake of a player; with a mark for the highest bidder, who may have to double."""
    return (_HIGHEST if p == game.high_bidder else "") + (str(game.stake[p]) if game.stake[p] else "")


END = {"ev": "end_game"}


class PhaseView:
    """One phase of a round, which draws below the header and handles all keys except LEFT and UNDO."""

    def __init__(self, table):
        self.table = table
        self.app = table.app
        self.session = table.session

    @property
    def game(self):
        """The state of the game."""
        return self.session.game

    def changed(self):
        """Update the view after the state of the game has changed within the same phase."""

    def draw(self, c):
        """Draw everything below the header."""
        self.draw_left(c)
        self.draw_pane(c)

    def draw_left(self, c):
        """Draw the board, or a list in its place; redraw() leaves it as it is."""
        draw_board(c, self.game)

    def draw_pane(self, c):
        """Draw the pane to the right of the board, and the footer."""

    def key(self, k):
        """Take a key. Returns MOVED if only the pane has changed."""

    def menu_items(self):
        """Return [(label, action)] for this phase."""
        return []
