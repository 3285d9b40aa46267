"""Show Poch on the laptop: chips instead of points, the pools, and rounds as gains and losses."""

from kiebitz.games import game_class, new_game
from kiebitz.games.poch.state import ANTE, POOLS
from kiebitz.text import listed, text
from rich.text import Text

from ..terminal import seat_text, table
from .base import GameOnLaptop, number_or_dot, players_table, texts


class Poch(GameOnLaptop):
    """Poch on the laptop."""

    UNIT = "chips"
    ROW_NAMES = {"start": "row.start", "round": "row.poch", "loans": "row.loans", "end": "row.end"}

    def title(self, game):
        trump = [text("sheet.poch.trump", suit=text(f"suit.{game.trump}"))] if game.trump else []
        return [text("sheet.poch.round", n=game.round), *trump]

    def sheet(self, game):
        yield _players(game)
        yield _pools(game)
        if game.direction:
            yield Text(text(f"sheet.poch.{game.direction}"))

    def rows(self, table):
        """Return the rows: chips at the start, the change in every round, and what was given away between rounds."""
        game = new_game(table.setup)
        before = game.totals()
        rows = [("start", before)]

        def close(label):
            nonlocal before
            change = [now - then for now, then in zip(game.totals(), before, strict=True)]
            if label.startswith("round") or any(change):
                rows.append((label, change))
            before = game.totals()

        for event in table.events():
            if event["ev"] == "start_round":
                close("loans")
            now = game.round
            game.apply(event)
            if game.round != now:
                close(f"round {now}")
        close("end" if game.over else "loans" if game.trump is None else f"round {game.round}")
        return rows

    def part(self, game):
        return f"round {game.round}"

    def cell(self, label, points):
        return str(points) if label == "start" else f"{points:+}"

    def facts(self):
        deals = []
        low, high = game_class("poch").PLAYERS
        for n in range(low, high + 1):
            game = new_game({"game": "poch", "players": [str(p) for p in range(n)]})
            total, chips = game.options["chips_total"], game.chips[0]
            game.apply({"ev": "start_round", "trump": "S"})
            hands = [game.hands[p] for p in game.seats()]
            deals.append({"players": n, "chips": chips, "box": total - n * chips, "hands": hands})
        return {"ante": ANTE, "pools": [{"id": pool, "name": text(f"pool.{pool}")} for pool in POOLS], "deals": deals}

    def tables(self, facts):
        names = ", ".join(pool["name"] for pool in facts["pools"])
        yield Text(text("rules.pools", names=names, n=facts["ante"]))
        counts = texts("rules.players", "rules.chips", "rules.box")
        found = table(*counts, text("rules.hands"), numbers=counts)
        for deal in facts["deals"]:
            cells = [str(deal[key]) for key in ("players", "chips", "box")]
            found.add_row(*cells, " ".join(map(str, deal["hands"])))
        yield found


def _players(game):
    """Return the table of chips, cards in hand and stakes, with notes."""
    dealt = game.trump is not None
    bidding = game.phase in ("BID", "SHOW")
    headers = ["sheet.chips", *(["sheet.cards"] if dealt else []), *(["sheet.stake"] if bidding else [])]
    found = players_table(*texts(*headers), notes=True)
    for p in range(game.n):
        cells = [str(game.chips[p])]
        cells += [number_or_dot(game.hands[p])] if dealt else []
        cells += [number_or_dot(game.stake[p])] if bidding else []
        found.add_row(seat_text(p, game.names), *cells, ", ".join(_notes(game, p)))
    return found


def _notes(game, p):
    """Return the notes on a player."""
    owed = game.owed[p]
    loans = [text("sheet.poch.lent" if owed > 0 else "sheet.poch.owes", n=abs(owed))] if owed else []
    if not game.active[p]:
        return [text("sheet.poch.retired"), *loans]
    notes = [text("sheet.poch.deals")] if p == game.dealer and not game.over else []
    if game.trump is None:
        return notes + loans
    cashed = [text(f"pool.{pool}") for pool, seat in zip(POOLS, game.cashed, strict=True) if seat == p]
    notes += [text("sheet.poch.cashed", pools=listed(cashed))] if cashed else []
    if p == game.turn:
        key = "sheet.poch.bids_or_holds" if game.high else "sheet.poch.bids"
        notes.append(text(key, n=game.min_bid(), k=game.to_hold(p)))
    notes += [text("sheet.poch.passed")] if game.passed[p] else []
    notes += [text("sheet.poch.won")] if p == game.poch_winner else []
    return notes + loans


def _pools(game):
    """Return the table of chips in the pools and in the bank."""
    headers = [text(f"pool.{pool}") for pool in POOLS] + [text("sheet.bank")]
    found = table(*headers, numbers=headers)
    found.add_row(*map(number_or_dot, game.pools), number_or_dot(game.bank))
    return found


GAME = Poch
