"""Score sheets for people: how a game stands, in tables that fit a terminal of 80 columns."""

from kiebitz.games import new_game
from kiebitz.games.poch.state import POOLS
from kiebitz.games.poker_carre.grid import RUBRIC_POINTS
from kiebitz.games.royal_flush.boards import BOARDS
from kiebitz.games.royal_flush.rules import CHIP_BONUS, ROUNDS
from kiebitz.text import listed, note, text
from rich.text import Text

from .terminal import Terminal, seat_style, seat_text, short_names, shown, table

NOTES_MAX = 5  # the latest notes that are printed
GAMES_MAX = 6  # the latest games of a Top Spot match with a column of their own
SLOT_NAME = 10  # cells for a name on a board
COLOUR_STYLES = ("red", "dark_orange", "yellow", "green", "blue", "magenta", "white")  # for the colours a to g
NOTHING = Text("·", style="dim")


def print_sheet(play):
    """Print the score sheet of a table."""
    terminal = Terminal()
    for part in sheet(play):
        terminal.print(part)


def sheet(play):
    """The score sheet of a table, part by part."""
    game = play.game
    title, *parts = _SHEETS[game.KIND](game)
    title = [text(f"game.{game.KIND}"), *title, text(f"phase.{game.phase}"), text("sheet.events", n=len(play))]
    yield Text(" · ".join(title), style="bold")
    yield Text(standing(game))
    for part in parts:
        yield Text()
        yield part
    yield from _notes(play)


def standing(game):
    """Who has won or leads, in a sentence."""
    unit = "chips" if game.KIND == "poch" else "points"
    totals, winners = game.totals(), game.winners()
    seats = winners or game.leaders()
    best = totals[seats[0]]
    names = _names(game, seats)
    if winners:
        beaten = [p for p in game.leaders() if p not in winners]
        reason = "seven" if getattr(game, "instant", None) is not None else "tie" if beaten else unit
        verb = "win" if len(winners) > 1 else "wins"
        return text(f"sheet.{verb}.{reason}", names=names, n=best, others=_names(game, beaten))
    if len(seats) == game.n:
        return text(f"sheet.level.{unit}", n=best) if best else text("sheet.level.none")
    verb = "lead" if len(seats) > 1 else "leads"
    return text(f"sheet.{verb}.{unit}", names=names, n=best)


def _names(game, seats):
    return listed([shown(game.names[p]) for p in seats])


def _said(code, info, game):
    """What the device would say to these players."""
    return note(code, info, [shown(name) for name in game.names])


def _players(*headers, notes=False):
    """A table with one row for each player; every further column holds numbers, the last one may hold notes."""
    player, more = text("sheet.player"), (text("sheet.notes"),) if notes else ()
    return table(player, *headers, *more, numbers=headers, wrap=(player, *more))


def _headers(*names):
    return [text(f"sheet.{name}") for name in names]


def _zero(number):
    return str(number) if number else NOTHING


def _notes(play):
    """What the rules remarked while the game was played, the latest last."""
    game = new_game(play.setup)
    lines = []
    for k, event in enumerate(play.events(), 1):
        for code, info in game.apply(event):
            lines.append(text("sheet.note", k=k, code=code, sentence=_said(code, info, game)))
    if not lines:
        return
    yield Text()
    if len(lines) > NOTES_MAX:
        yield Text(text("sheet.left_out", n=len(lines) - NOTES_MAX), style="dim")
    for line in lines[-NOTES_MAX:]:
        yield Text(line, style="yellow")


# --- Royal Flush ---


def royal_flush(game):
    yield [text("sheet.royal.round", n=game.round, of=ROUNDS)]
    yield _royal_players(game)
    if game.phase == "BETWEEN":
        yield Text(text("sheet.royal.boards", n=game.round))
    if game.phase != "PLAY":
        return
    yield _royal_boards(game)
    share, rest = game.sharing()
    sentences = [text("sheet.royal.started", name=shown(game.names[game.first]))]
    if game.follows:
        sentences.append(_said("E_TURN", {"p": game.turn}, game))
    sentences.append(text("sheet.royal.pot", spent=game.spent, carry=game.carry, share=share, rest=rest))
    yield Text(" ".join(sentences))


def _royal_players(game):
    closed = [text("sheet.royal.column", n=k) for k in range(1, len(game.round_points) + 1)]
    if game.over:
        sheet = _players(*closed, *_headers("bonus", "total", "chips"))
        columns = [*game.round_points, [CHIP_BONUS * chips for chips in game.chips], game.totals(), game.chips]
    else:
        jokers = any(game.child)
        sheet = _players(*closed, *_headers("now", "total", "chips", "pieces", *(["jokers"] if jokers else [])))
        columns = [*game.round_points, game.slot_points(), game.totals(), game.chips, game.pieces]
        columns += [game.jokers] if jokers else []
    for p in range(game.n):
        sheet.add_row(seat_text(p, game.names), *[str(column[p]) for column in columns])
    return sheet


def _royal_boards(game):
    names = short_names(game.names, SLOT_NAME)
    headers = _headers("board", "first", "second", "third", "next")
    sheet = table(*headers, numbers=headers[-1:])
    for board, slots in zip(game.boards, game.slots, strict=True):
        cells = [_slot(value, p, names) for value, p in zip(BOARDS[board][0], slots, strict=True)]
        cells += [""] * (3 - len(cells))
        sheet.add_row(text(f"board.{board}"), *cells, str(game.pays(board) or text("sheet.full")))
    return sheet


def _slot(value, p, names):
    """A slot with its value and the piece on it."""
    if p is None:
        return Text(f"{value:2} ·", style="dim")
    return Text(f"{value:2} {names[p]}", style=seat_style(p))


# --- PokerCarre ---


def poker_carre(game):
    yield [text(f"mode.{game.mode}"), text("sheet.carre.placed", n=game.placed, of=game.to_place)]
    yield _carre_pad(game)
    if any(game.cells):
        yield _carre_grid(game)
    if not game.over and game.options["turns"] == "follow":
        yield Text(_said("E_TURN", {"p": game.turn}, game))


def _carre_pad(game):
    sheet = _players(*[text("sheet.carre.row", n=points) for points in RUBRIC_POINTS], *_headers("total"))
    for p, total in enumerate(game.totals()):
        crossed = zip(game.counts[p], RUBRIC_POINTS, strict=True)
        cells = [f"{count} x {points}" if count else NOTHING for count, points in crossed]
        sheet.add_row(seat_text(p, game.names), *cells, str(total))
    return sheet


def _carre_grid(game):
    """The square as it lies on the table, with its coordinates."""
    x0, y0, x1, y1 = game.box()
    picture = Text("      " + "".join(f"{x:3} " for x in range(x0, x1 + 1)), style="dim")
    for y in range(y0, y1 + 1):
        picture.append(f"\n{y:4}  ", style="dim")
        for x in range(x0, x1 + 1):
            card = game.card_at(x, y)
            style = f"bold {COLOUR_STYLES['abcdefg'.index(card[0])]}" if card else "dim"
            picture.append(f" {card or ' ·'} ", style=f"not dim {style}" if card else style)
    return picture


# --- Poch ---


def poch(game):
    trump = [text("sheet.poch.trump", suit=text(f"suit.{game.trump}"))] if game.trump else []
    yield [text("sheet.poch.round", n=game.round), *trump]
    yield _poch_players(game)
    yield _poch_pools(game)
    if game.direction:
        yield Text(text(f"sheet.poch.{game.direction}"))


def _poch_players(game):
    dealt = game.trump is not None
    bidding = game.phase in ("BID", "SHOW")
    headers = ["chips", *(["cards"] if dealt else []), *(["stake"] if bidding else [])]
    sheet = _players(*_headers(*headers), notes=True)
    for p in range(game.n):
        cells = [str(game.chips[p])]
        cells += [_zero(game.hands[p])] if dealt else []
        cells += [_zero(game.stake[p])] if bidding else []
        sheet.add_row(seat_text(p, game.names), *cells, ", ".join(_poch_notes(game, p)))
    return sheet


def _poch_notes(game, p):
    if not game.active[p]:
        return [text("sheet.poch.retired")]
    notes = [text("sheet.poch.deals")] if p == game.dealer and not game.over else []
    if game.trump is None:
        return notes
    cashed = [text(f"pool.{pool}") for pool, seat in zip(POOLS, game.cashed, strict=True) if seat == p]
    notes += [text("sheet.poch.cashed", pools=listed(cashed))] if cashed else []
    if p == game.turn:
        key = "sheet.poch.bids_or_holds" if game.high else "sheet.poch.bids"
        notes.append(text(key, n=game.min_bid(), k=game.to_hold(p)))
    notes += [text("sheet.poch.passed")] if game.passed[p] else []
    notes += [text("sheet.poch.won")] if p == game.poch_winner else []
    return notes


def _poch_pools(game):
    headers = [text(f"pool.{pool}") for pool in POOLS] + [text("sheet.bank")]
    sheet = table(*headers, numbers=headers)
    sheet.add_row(*map(_zero, game.pools), _zero(game.bank))
    return sheet


# --- Top Spot ---


def top_spot(game):
    number = text("sheet.spot.game", n=game.game_no, of=game.match_length)
    yield [text(f"level.{game.level}"), text(f"mode.{game.mode}"), number]
    yield _spot_players(game)
    if not game.over:
        yield Text(_spot_state(game))


def _spot_players(game):
    recent = game.history[-GAMES_MAX:]
    before = len(game.history) - len(recent)
    cards = bool(game.hand) and not game.over
    headers = _headers("before") if before else []
    headers += [text("sheet.spot.column", n=k + 1) for k in range(before, len(game.history))]
    headers += _headers(*([] if game.over else ["now"]), "total", *(["cards"] if cards else []))
    sheet = _players(*headers)
    for p, total in enumerate(game.totals()):
        cells = [sum(points[p] for points in game.history[:before])] if before else []
        cells += [points[p] for points in recent] + ([] if game.over else [game.points[p]])
        cells += [total] + ([game.hand[p]] if cards else [])
        sheet.add_row(seat_text(p, game.names), *map(str, cells))
    return sheet


def _spot_state(game):
    dealer = shown(game.names[game.dealer])
    if game.phase != "GAME_END" and game.tie:
        return text("sheet.spot.tie", dealer=dealer, names=_names(game, game.tie))
    if game.phase != "GAME_END" and game.hand:
        return text("sheet.spot.first", dealer=dealer, name=shown(game.names[game.leader]))
    return text("sheet.spot.dealt", dealer=dealer)


_SHEETS = {"royal_flush": royal_flush, "poker_carre": poker_carre, "poch": poch, "top_spot": top_spot}
