"""Show a list of Skat on the laptop as clubs write it: a row for each game, with running totals."""

from kiebitz.games.skat.rules import (
    AGAINST,
    BASES,
    BID_LEAST,
    BID_MOST,
    KINDS,
    LEVELS,
    NULL,
    RAMSCH_MOST,
    WON,
    in_force,
    tops_most,
    value_of,
)
from kiebitz.text import text
from rich.text import Text

from ...asking import NOTHING as OMITTED
from ...terminal import seat_text, short_names, table
from ..base import DEALER, NOTHING, GameOnLaptop, names_of, texts

_NAME_CELLS = 12
_NULLS = ("", "h", "o", "ho")
# What can be won, from the lowest level to the highest
_LEVELS = ("", "s", "h", "hs", "sb", "hsb", "hsS", "hsSb", "hsSbB", "hsSbBo")


class Skat(GameOnLaptop):
    """Skat on the laptop."""

    SETUP = (DEALER,)
    ONE_LIST = True
    BESIDE = {"value": "row.skat.value"}
    ROW_NAMES = {
        "own": "row.skat.own",
        "others": "row.skat.others",
        "won": "row.skat.won",
        "lost": "row.skat.lost",
    }
    REPORT = "ok*2 up right*2 ok left ok*3 undo ok"

    def title(self, game):
        return [] if game.over else [text("sheet.skat.game", n=game.games + 1)]

    def sheet(self, game):
        yield _list(game)
        if not game.over and game.sits_out is not None:
            yield Text(text("sheet.skat.sits", names=names_of(game, [game.sits_out])))

    # --- the list ---

    def rows(self, table):
        """Return a row for each game of the list, and under Seeger-Fabian those that are added at its end."""
        game = table.game
        seats = range(game.n)
        rows = []
        for k in range(game.games):
            row = game.row(k)
            rows.append((f"{k + 1} {_packed(row)}", [row.points if p == row.p else 0 for p in seats]))
        if game.by_seeger:
            parts = [game.parts(p) for p in seats]
            rows += [("own", [own for _, own, _ in parts]), ("others", [others for _, _, others in parts])]
        return rows

    def beside(self, game):
        return {"value": sum(game.points)}

    def rows_beside(self, table):
        """Return the value of each game; what Seeger-Fabian adds has none."""
        game = table.game
        values = [{"value": game.row(k).points} for k in range(game.games)]
        return values + [{"value": 0}] * (len(self.rows(table)) - game.games)

    def counts(self, game):
        return [("won", list(game.won)), ("lost", list(game.lost))]

    def row_name(self, label):
        number, _, what = label.partition(" ")
        return f"{number:>2}  {_played(what)}" if what else super().row_name(label)

    def cell(self, label, points):
        return f"{points:+}" if points else ""

    def cells(self, label, points, totals):
        """Return the running total of who has played, as on paper; below them, what Seeger-Fabian adds."""
        if label in self.ROW_NAMES:
            return [f"{number:+}" for number in points]
        return [str(total) if number else "" for number, total in zip(points, totals, strict=True)]

    # --- questions ---

    def seats(self, game):
        return [p for p in range(game.n) if p != game.sits_out]

    def pattern(self, game, name):
        return text("sheet.skat.alone") if name == "play" else super().pattern(game, name)

    def arguments(self, game, name, old):
        return [what for what, _, _ in game.arguments(name)] if name == "play" else super().arguments(game, name, old)

    def choices(self, game, event, what):
        null = event.get("game") == NULL
        if what == "game":
            return [(_kind(kind), kind) for kind in KINDS]
        if what == "mods":
            kontra = ("", "k", "kr") if game.options["kontra"] == "on" else ("",)
            found = [mods + more for more in kontra for mods in (_NULLS if null else _LEVELS)]
            return [(_levels(mods) or text("skat.level.none"), mods) for mods in found]
        if what == "won":
            return [(text("skat.won"), True), (text("skat.lost"), False)]
        return super().choices(game, event, what)

    def ask_value(self, asker, game, event, what, kind, old, optional):
        """Ask for one argument; tops are asked unless Null is played, and a bid may be left out."""
        question = self.question(game, what)
        if what == "tops":
            most = 0 if event["game"] == NULL else tops_most(event["game"])
            return asker.number(question, old, -most, most) if most else OMITTED
        if what == "mods":
            old = in_force(event["game"], old) if isinstance(old, str) else ""
        elif what == "k":
            return asker.number(question, old, 1, RAMSCH_MOST)
        elif what == "bid":
            answer = asker.words(question, "" if old is OMITTED else str(old), True)
            return int(answer) if isinstance(answer, str) and answer.isascii() and answer.isdigit() else answer
        return super().ask_value(asker, game, event, what, kind, old, optional)

    # --- rules ---

    def facts(self):
        """Return the base values, those of Null, what a bid and a Ramsch may be, and the points of Seeger-Fabian."""
        return {
            "bases": dict(BASES),
            "null": {mods: value_of(NULL, 0, mods) for mods in _NULLS},
            "levels": list(LEVELS),
            "bid": [BID_LEAST, BID_MOST],
            "ramsch": [1, RAMSCH_MOST],
            "seeger": {"won": WON, "others": {str(n): points for n, points in AGAINST.items()}},
        }

    def tables(self, facts):
        headers = texts("rules.skat.kind", "rules.points")
        found = table(*headers, numbers=headers[1:])
        for kind, base in facts["bases"].items():
            found.add_row(_kind(kind), str(base))
        for mods, value in facts["null"].items():
            found.add_row(" ".join(filter(None, (text("skat.N"), _levels(mods)))), str(value))
        yield found
        steps = ", ".join(text(f"rules.skat.{letter}") for letter in facts["levels"])
        yield Text(text("rules.skat.value", steps=steps))
        seeger, others = facts["seeger"], facts["seeger"]["others"]
        yield Text(text("rules.skat.seeger", won=seeger["won"], three=others["3"], four=others["4"]))


def in_words(row):
    """Return a game of the list in words, without its player."""
    return _played(_packed(row))


def _packed(row):
    """Return what was played without blanks: ♥ without 3, Hand is H-3h."""
    if row.p is None:
        return "-"
    return f"{row.game}{row.tops or ''}{row.mods}" if row.game else "R"


def _played(what):
    """Return in words what _packed() returned."""
    if what == "-":
        return text("skat.menu.passed")
    if what == "R":
        return text("skat.menu.ramsch")
    mods = what[1:].lstrip("-0123456789")
    tops = int(what[1 : len(what) - len(mods)] or 0)
    side = text("skat.with" if tops > 0 else "skat.without", n=abs(tops)) if tops else ""
    return ", ".join(filter(None, (f"{_kind(what[0])} {side}".rstrip(), _levels(mods))))


def _kind(kind):
    """Return the name of a kind of game."""
    return text(f"skat.{kind}")


def _levels(mods):
    """Return letters in force in words; empty without any."""
    levels = "".join(letter for letter in mods if letter in LEVELS)
    times = text("skat.re") if "r" in mods else text("skat.kontra") if "k" in mods else ""
    return ", ".join(filter(None, (text(f"skat.level.{levels}") if levels else "", times)))


def _list(game):
    """Return the list as on paper, with games won and lost and the totals below."""
    names = [seat_text(p, short_names(game.names, _NAME_CELLS)) for p in range(game.n)]
    head = text("row.skat.value")
    found = table("", head, *names, numbers=(head, *names))
    seats = range(game.n)
    running = [0] * game.n
    for k in range(game.games):
        row = game.row(k)
        if row.p is not None:
            running[row.p] += row.points
        cells = [str(running[p]) if p == row.p else NOTHING for p in seats]
        found.add_row(f"{k + 1:>2}  {in_words(row)}", f"{row.points:+}" if row.points else NOTHING, *cells)
    found.add_row(text("row.skat.won"), "", *map(str, game.won))
    found.add_row(text("row.skat.lost"), "", *map(str, game.lost))
    if game.by_seeger:
        parts = [game.parts(p) for p in seats]
        found.add_row(text("row.skat.own"), "", *[f"{own:+}" for _, own, _ in parts])
        found.add_row(text("row.skat.others"), "", *[f"{others:+}" for _, _, others in parts])
    found.add_row(text("sheet.total"), "", *map(str, game.totals()))
    return found


GAME = Skat
