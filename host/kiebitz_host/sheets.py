"""Score sheets for people: how a game stands, in tables that fit a terminal of 80 columns."""

from kiebitz.rules import new_game
from kiebitz.rules.boards import BOARDS
from kiebitz.rules.carre_grid import RUBRIC_POINTS
from kiebitz.rules.poch_state import POOLS
from kiebitz.rules.royal_flush import CHIP_BONUS, ROUNDS
from kiebitz.ui.texts import fill, listed, note, text
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
    game = play.game
    title, *parts = _SHEETS[game.KIND](game)
    title = [text(f"game.{game.KIND}"), *title, text(f"phase.{game.phase}"), _count(len(play), "event|events")]
    terminal.print(Text(" · ".join(title), style="bold"))
    terminal.print(Text(standing(game)))
    for part in parts:
        terminal.print()
        terminal.print(part)
    _print_notes(terminal, play)


def standing(game):
    """Who has won or leads, in a sentence."""
    unit = "chip|chips" if game.KIND == "poch" else "point|points"
    totals, winners = game.totals(), game.winners()
    seats = winners or game.leaders()
    names = listed([shown(game.names[p]) for p in seats])
    best = _count(totals[seats[0]], unit)
    each = " each" if len(seats) > 1 else ""
    if winners:
        sentence = f"{names} {'win' if each else 'wins'} with {best}{each}"
        return sentence + _reason(game, winners) + "."
    if len(seats) == game.n:
        return f"All are level at {best}." if totals[0] else "Nobody has scored yet."
    return f"{names} {'lead' if each else 'leads'} with {best}{each}."


def _reason(game, winners):
    """Why the winners won, where the totals alone do not tell."""
    if getattr(game, "instant", None) is not None:
        return ", by a set of seven"
    beaten = [p for p in game.leaders() if p not in winners]
    return f": more chips than {listed([shown(game.names[p]) for p in beaten])}" if beaten else ""


def _count(number, forms):
    """The number with its word for one and for many."""
    return fill(f"{{n:{forms}}}", {"n": number})


def _players(*headers, notes=False):
    """A table with one row for each player; every further column holds numbers, the last one may hold notes."""
    more = ("Notes",) if notes else ()
    return table("Player", *headers, *more, numbers=headers, wrap=("Player", *more))


def _zero(number):
    return str(number) if number else NOTHING


def _print_notes(terminal, play):
    """What the rules remarked while the game was played, the latest last."""
    game = new_game(play.setup)
    lines = []
    for k, event in enumerate(play.events(), 1):
        for code, info in game.apply(event):
            lines.append(f"event {k}: {code} - {note(code, info, [shown(name) for name in game.names])}")
    if not lines:
        return
    terminal.print()
    if len(lines) > NOTES_MAX:
        terminal.print(Text(f"({_count(len(lines) - NOTES_MAX, 'earlier note|earlier notes')} left out)", style="dim"))
    for line in lines[-NOTES_MAX:]:
        terminal.print(Text(line, style="yellow"))


# --- Royal Flush ---


def royal_flush(game):
    yield [f"round {game.round} of {ROUNDS}"]
    yield _royal_players(game)
    if game.phase == "BETWEEN":
        yield Text(f"Nine boards must be chosen for round {game.round}.")
    if game.phase != "PLAY":
        return
    yield _royal_boards(game)
    share, carry = game.sharing()
    yield Text(
        f"{shown(game.names[game.first])} started this round.{_royal_turn(game)} "
        f"Chips spent: {game.spent}, carried over: {game.carry}. "
        f"If the round ended now: {share} each, {carry} carried over."
    )


def _royal_turn(game):
    return f" {note('E_TURN', {'p': game.turn}, [shown(name) for name in game.names])}" if game.follows else ""


def _royal_players(game):
    closed = [f"R{k}" for k in range(1, len(game.round_points) + 1)]
    if game.over:
        sheet = _players(*closed, "Bonus", "Total", "Chips")
        columns = [*game.round_points, [CHIP_BONUS * chips for chips in game.chips], game.totals(), game.chips]
    else:
        jokers = any(game.child)
        sheet = _players(*closed, "Now", "Total", "Chips", "Pieces", *(["Jokers"] if jokers else []))
        columns = [*game.round_points, game.slot_points(), game.totals(), game.chips, game.pieces]
        columns += [game.jokers] if jokers else []
    for p in range(game.n):
        sheet.add_row(seat_text(p, game.names), *[str(column[p]) for column in columns])
    return sheet


def _royal_boards(game):
    names = short_names(game.names, SLOT_NAME)
    sheet = table("Board", "1st", "2nd", "3rd", "Next", numbers=("Next",))
    for board, slots in zip(game.boards, game.slots, strict=True):
        cells = [_slot(value, p, names) for value, p in zip(BOARDS[board][0], slots, strict=True)]
        cells += [""] * (3 - len(cells))
        sheet.add_row(text(f"board.{board}"), *cells, str(game.pays(board) or "full"))
    return sheet


def _slot(value, p, names):
    """A slot with its value and the piece on it."""
    if p is None:
        return Text(f"{value:2} ·", style="dim")
    return Text(f"{value:2} {names[p]}", style=seat_style(p))


# --- PokerCarre ---


def poker_carre(game):
    yield [text(f"mode.{game.mode}"), f"{game.placed} of {game.to_place} cards placed"]
    yield _carre_pad(game)
    if any(game.cells):
        yield _carre_grid(game)
    if not game.over and game.options["turns"] == "follow":
        yield Text(note("E_TURN", {"p": game.turn}, [shown(name) for name in game.names]))


def _carre_pad(game):
    sheet = _players(*[_count(points, "pt|pts") for points in RUBRIC_POINTS], "Total")
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
    trump = [f"trump {text(f'suit.{game.trump}')}"] if game.trump else []
    yield [f"round {game.round}", *trump]
    yield _poch_players(game)
    yield _poch_pools(game)
    if game.direction:
        yield Text(f"Suits are played {text(f'dir.{game.direction}')}.")


def _poch_players(game):
    dealt = game.trump is not None
    bidding = game.phase in ("BID", "SHOW")
    sheet = _players("Chips", *(["Cards"] if dealt else []), *(["Stake"] if bidding else []), notes=True)
    for p in range(game.n):
        cells = [str(game.chips[p])]
        cells += [_zero(game.hands[p])] if dealt else []
        cells += [_zero(game.stake[p])] if bidding else []
        sheet.add_row(seat_text(p, game.names), *cells, ", ".join(_poch_notes(game, p)))
    return sheet


def _poch_notes(game, p):
    if not game.active[p]:
        return ["retired"]
    notes = ["deals"] if p == game.dealer and not game.over else []
    if game.trump is None:
        return notes
    cashed = [text(f"pool.{pool}") for pool, seat in zip(POOLS, game.cashed, strict=True) if seat == p]
    notes += [f"cashed {listed(cashed)}"] if cashed else []
    if p == game.turn:
        notes.append(f"to bid {game.min_bid()} or more" + (f" or hold for {game.to_hold(p)}" if game.high else ""))
    notes += ["passed"] if game.passed[p] else []
    notes += ["has won the Poch"] if p == game.poch_winner else []
    return notes


def _poch_pools(game):
    headers = [text(f"pool.{pool}") for pool in POOLS] + ["Bank"]
    sheet = table(*headers, numbers=headers)
    sheet.add_row(*map(_zero, game.pools), _zero(game.bank))
    return sheet


# --- Top Spot ---


def top_spot(game):
    yield [text(f"level.{game.level}"), text(f"mode.{game.mode}"), f"game {game.game_no} of {game.match_length}"]
    yield _spot_players(game)
    if not game.over:
        yield Text(_spot_state(game))


def _spot_players(game):
    recent = game.history[-GAMES_MAX:]
    before = len(game.history) - len(recent)
    cards = bool(game.hand) and not game.over
    headers = ["Before"] if before else []
    headers += [f"G{k + 1}" for k in range(before, len(game.history))] + ([] if game.over else ["Now"])
    sheet = _players(*headers, "Total", *(["Cards"] if cards else []))
    for p, total in enumerate(game.totals()):
        cells = [sum(points[p] for points in game.history[:before])] if before else []
        cells += [points[p] for points in recent] + ([] if game.over else [game.points[p]])
        cells += [total] + ([game.hand[p]] if cards else [])
        sheet.add_row(seat_text(p, game.names), *map(str, cells))
    return sheet


def _spot_state(game):
    dealer = f"{shown(game.names[game.dealer])} has dealt."
    if game.phase == "GAME_END":
        return dealer
    if game.tie:
        return f"{dealer} Tie-break between {listed([shown(game.names[p]) for p in game.tie])}."
    return f"{dealer} {shown(game.names[game.leader])} plays first." if game.hand else dealer


_SHEETS = {"royal_flush": royal_flush, "poker_carre": poker_carre, "poch": poch, "top_spot": top_spot}
