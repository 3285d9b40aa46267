"""Show Royal Flush on the laptop: rounds and chips, and the boards with the pieces on them."""

from kiebitz.games.royal_flush.rules import CHIP_BONUS, ROUNDS
from kiebitz.games.royal_flush.rules_boards import BOARD_IDS, BOARDS, STARTER, read_cards, satisfied
from kiebitz.text import card_text, text
from rich.text import Text

from ...asking import NOTHING
from ...terminal import seat_style, seat_text, short_names, shown, table
from ..base import DEALER, GameOnLaptop, players_table, remark, texts

SLOT_NAME = 10  # width of a name on a board, in terminal columns


class RoyalFlush(GameOnLaptop):
    """Royal Flush on the laptop."""

    SETUP = (
        ("boards", ("starter", "rules.boards.own"), "rules.boards"),
        ("child", (0, 1), "rules.child"),
        DEALER,
    )
    ROW_NAMES = {"round": "row.royal", "chips": "row.chips"}
    REPORT = "ok*3 right ok ok left ok right*2 ok ok up ok undo hold:undo hold:left up left"

    def won_by(self, game, beaten):
        return "tie" if beaten else super().won_by(game, beaten)

    def boards_of(self, cards):
        return [(board, BOARDS[board][0]) for board in satisfied(read_cards(cards))]

    def title(self, game):
        return [text("sheet.round_of", n=game.round, of=ROUNDS)]

    def sheet(self, game):
        yield _players(game)
        if game.phase == "BETWEEN":
            yield Text(text("sheet.royal.boards", n=game.round))
        if len(game.shares) == ROUNDS:
            share, carry = game.shares[-1]
            yield Text(text("sheet.royal.shared", share=share, carry=carry))
        if game.phase != "PLAY":
            return
        yield _boards(game)
        sentences = [text("sheet.royal.started", name=shown(game.names[game.first]))]
        if game.follows:
            sentences.append(remark("E_TURN", {"p": game.turn}, game))
        sentences.append(_pot(game))
        yield Text(" ".join(sentences))

    def rows(self, table):
        game = table.game
        rows = [(f"round {k}", list(points)) for k, points in enumerate(game.round_points, 1)]
        if game.over:
            rows.append(("chips", [CHIP_BONUS * chips for chips in game.chips]))
        elif any(game.slot_points()):
            rows.append((f"round {game.round}", game.slot_points()))
        return rows

    def entered(self, game, event):
        return " ".join(map(card_text, read_cards(event["cards"]))) if event.get("cards") else ""

    def arguments(self, game, name, old):
        """Ask for cards only if some were entered before; else for the jokers, if a child plays."""
        if name != "score":
            return super().arguments(game, name, old)
        return ["p", "board", *(["cards"] if "cards" in old else ["jokers"] if any(game.child) else [])]

    def choices(self, game, event, what):
        if what == "board":
            return [(f"{text(f'board.{board}')} +{points}", board) for board, points in game.open_boards(event["p"])]
        return super().choices(game, event, what)

    def ask_value(self, asker, game, event, what, kind, old, optional):
        if what == "jokers":
            before = 0 if old is NOTHING else old
            return asker.number(self.question(game, what), before, 0, game.jokers_in_all()) or NOTHING
        return super().ask_value(asker, game, event, what, kind, old, optional)

    def part(self, game):
        return f"round {game.round}"

    def facts(self):
        boards = []
        for board in BOARD_IDS:
            slots, cards, category = BOARDS[board]
            boards.append(
                {
                    "id": board,
                    "name": text(f"board.{board}"),
                    "slots": list(slots),
                    "cards": cards,
                    "category": category,
                    "starter": board in STARTER,
                }
            )
        return {"boards": boards}

    def tables(self, facts):
        headers = texts("sheet.board", "rules.id", "rules.slots", "sheet.cards", "rules.category", "rules.starter")
        found = table(*headers, numbers=headers[3:4])
        for board in facts["boards"]:
            slots = " ".join(f"{value:2}" for value in board["slots"])
            starter = text("rules.yes") if board["starter"] else ""
            found.add_row(board["name"], board["id"], slots, str(board["cards"]), board["category"] or "-", starter)
        yield found


def _pot(game):
    """Return a sentence about the spent chips, and their use at the end of the round."""
    if not game.shares_out:
        return text("sheet.royal.pot_lost", spent=game.spent, carry=game.carry)
    share, rest = game.sharing()
    return text("sheet.royal.pot", spent=game.spent, carry=game.carry, share=share, rest=rest)


def _players(game):
    """Return the table of closed rounds, points, chips, pieces and jokers."""
    closed = [text("sheet.round_column", n=k) for k in range(1, len(game.round_points) + 1)]
    if game.over:
        found = players_table(*closed, *texts("sheet.bonus", "sheet.total", "sheet.chips"))
        columns = [*game.round_points, [CHIP_BONUS * chips for chips in game.chips], game.totals(), game.chips]
    else:
        jokers = ["sheet.jokers"] if any(game.child) else []
        headers = texts("sheet.now", "sheet.total", "sheet.chips", "sheet.pieces", *jokers)
        found = players_table(*closed, *headers)
        columns = [*game.round_points, game.slot_points(), game.totals(), game.chips, game.pieces]
        columns += [game.jokers] if jokers else []
    for p in range(game.n):
        found.add_row(seat_text(p, game.names), *[str(column[p]) for column in columns])
    return found


def _boards(game):
    """Return the table of boards with the piece on each slot, and the points for the next piece."""
    names = short_names(game.names, SLOT_NAME)
    headers = texts("sheet.board", "sheet.first", "sheet.second", "sheet.third", "sheet.next")
    found = table(*headers, numbers=headers[-1:])
    for board, slots in zip(game.boards, game.slots, strict=True):
        cells = [_slot(value, p, names) for value, p in zip(BOARDS[board][0], slots, strict=True)]
        cells += [""] * (3 - len(cells))
        found.add_row(text(f"board.{board}"), *cells, str(game.pays(board) or text("sheet.full")))
    return found


def _slot(value, p, names):
    """Return the cell of a slot: its value and the piece on it."""
    if p is None:
        return Text(f"{value:2} ·", style="dim")
    return Text(f"{value:2} {names[p]}", style=seat_style(p))


GAME = RoyalFlush
