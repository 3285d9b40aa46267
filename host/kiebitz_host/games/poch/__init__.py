"""Show Poch on the laptop: chips instead of points, pools and bank, and rounds as gains and losses."""

from kiebitz.games import game_class, new_game
from kiebitz.games.base import SUITS
from kiebitz.games.poch.rules import read_left
from kiebitz.games.poch.rules_bidding import ANTE, POCHER, POOLS, RANKS, read_hands
from kiebitz.text import listed, player, rank_text, text
from rich.text import Text

from ...asking import NOTHING
from ...terminal import seat_text, table
from ..base import GameOnLaptop, number_or_dot, players_table, texts


class Poch(GameOnLaptop):
    """Poch on the laptop."""

    UNIT = "chips"
    SEATS = ("p", "winner", "from", "to")
    BESIDE = {"pools": "sheet.pools", "bank": "sheet.bank"}
    ROW_NAMES = {"start": "row.start", "round": "row.round", "loans": "row.loans", "end": "row.end"}
    REPORT = "ok*2 down*2 ok down*2 ok undo hold:undo left"

    def title(self, game):
        trump = [text("sheet.poch.trump", suit=text(f"suit.{game.trump}"))] if game.trump else []
        return [text("sheet.round", n=game.round), *trump]

    def sheet(self, game):
        yield _players(game)
        yield _pools(game)
        if game.direction:
            yield Text(text(f"sheet.poch.{game.direction}"))

    def rows(self, table):
        """Return the rows: chips at the start, the change in every round, and gifts between rounds."""
        return [(label, points) for label, points, _ in self._changes(table)]

    def rows_beside(self, table):
        return [beside for _, _, beside in self._changes(table)]

    def beside(self, game):
        return {"pools": sum(game.pools), "bank": game.bank}

    def _changes(self, table):
        """Yield (label, change of each total, change of pools and bank) for every row; the changes add up to zero."""
        game = table.start()
        totals, beside = game.totals(), self.beside(game)
        yield "start", totals, beside

        def close(label):
            nonlocal totals, beside
            change = [now - then for now, then in zip(game.totals(), totals, strict=True)]
            moved = {key: now - beside[key] for key, now in self.beside(game).items()}
            totals, beside = game.totals(), self.beside(game)
            if label.startswith("round") or any(change) or any(moved.values()):
                yield label, change, moved

        for event in table.events():
            if event["ev"] == "start_round":
                yield from close("loans")
            now = game.round
            game.apply(event)
            if game.round != now:
                yield from close(f"round {now}")
        yield from close("end" if game.over else "loans" if game.trump is None else f"round {game.round}")

    def entered(self, game, event):
        if event["ev"] == "end_round":
            left = {p: str(cards) for p, cards in read_left(event["left"], "left").items() if cards}
        elif event["ev"] == "reveal":
            left = {p: self._hand(game, *hand) for p, hand in read_hands(event["hands"], "hands").items()}
        else:
            return ""
        return ", ".join([f"{player(p, game.names)} {words}" for p, words in sorted(left.items())])

    @staticmethod
    def _hand(game, count, rank, trump):
        """Describe a shown hand: 2×K, and the trump suit if its trump card decides."""
        return f"{count}×{rank_text(RANKS[rank])}" + (text(f"suit.{game.trump}") if trump else "")

    def seats(self, game):
        return [p for p in range(game.n) if game.active[p]]

    def choices(self, game, event, what):
        if what == "trump":
            return [(text(f"suit.{suit}"), suit) for suit in SUITS]
        if what == "pool":
            return [(text(f"pool.{pool}"), pool) for pool in POOLS if pool != POOLS[POCHER]]
        if what == "dir":
            return [(text(f"dir.{way}"), way) for way in ("UP", "DOWN")]
        if what == "best":
            return [*[(game.names[p], p) for p in game.contestants()], (text("poch.nobody"), None)]
        return super().choices(game, event, what)

    def ask_value(self, asker, game, event, what, kind, old, optional):
        before = {} if old is NOTHING else old
        if what == "left":
            others = [p for p in self.seats(game) if p != event["winner"]]
            most = game.most_left()
            questions = {p: self.question(game, "left", name=game.names[p]) for p in others}
            return {str(p): asker.number(questions[p], before.get(str(p)), 1, most) for p in others}
        if what == "hands":
            hands = {str(p): self._ask_hand(asker, game, p, before.get(str(p))) for p in game.contestants()}
            return {p: hand for p, hand in hands.items() if hand[0]}
        return super().ask_value(asker, game, event, what, kind, old, optional)

    def _ask_hand(self, asker, game, p, old):
        """Ask for the Poch shown by a player. Returns [number of cards, rank, with the trump card]; [0] for none."""
        cards, rank, trump = old or [0, NOTHING, False]
        name = game.names[p]
        cards = asker.number(self.question(game, "count", name=name), cards, 0, len(SUITS))
        if not cards:
            return [0]
        ranks = [(rank_text(letter), letter) for letter in RANKS]
        rank = asker.choice(self.question(game, "rank", name=name), ranks, rank)
        return [cards, rank, asker.yes(self.question(game, "trumps", name=name), trump)]

    def part(self, game):
        return f"round {game.round}"

    def part_of_entry(self, game, event):
        """Return the round in play; between two rounds, the one before: the next one may never be played."""
        is_between = game.trump is None and game.round > 1 and event["ev"] != "start_round"
        return f"round {game.round - is_between}"

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
        found.add_row(seat_text(p, game.names), *cells, ", ".join(notes_on(game, p)))
    return found


def notes_on(game, p):
    """Return the notes on a player: deals, has cashed, is to bid, has passed, owes."""
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
