"""Create sheets and exports of games in a page, with the same code as the laptop."""

import json

import stand_ins

stand_ins.install()
stand_ins.present(lambda game: game_name(game["game"], game["title"]))

from kiebitz import VERSION  # noqa: E402 - the modules of the laptop must find their stand-ins
from kiebitz.games import GAMES, Refused  # noqa: E402
from kiebitz.raster.tints import COLOURS  # noqa: E402
from kiebitz.store.replay import ReplayedTable  # noqa: E402
from kiebitz.text import game_name, text, use  # noqa: E402
from kiebitz_host.export import bgstats  # noqa: E402
from kiebitz_host.games import on_laptop  # noqa: E402
from kiebitz_host.games.base import TOTAL  # noqa: E402
from kiebitz_host.league.names import league_of, stable_id  # noqa: E402
from kiebitz_host.library.derive import DerivedGame  # noqa: E402
from kiebitz_host.link.journal import flash_line  # noqa: E402
from kiebitz_host.show.entries import (  # noqa: E402
    effect,
    entries,
    sheet,  # noqa: E402
    variant_of,
)
from stand_ins import plain  # noqa: E402

FOLDER = "/games/"  # where the page puts the journals, each with the id of its game for a name


class Recorded:
    """A game up to the first line of its journal that is damaged or refused; `flaw` is the reason."""

    def __init__(self, game_id):
        self.id = game_id
        with open(FOLDER + game_id, "rb") as file:
            journal = file.read()
        self.lines = []
        self.flaw = ""
        script = ReplayedTable()
        for number, line in enumerate(journal.split(b"\n")):
            if not line:
                continue
            found = flash_line(game_id, line)
            if found is None or found[0] != number:
                self.flaw = "E_LINE"
                break
            try:
                script.feed(found[1].encode())
            except Refused as refused:
                self.flaw = refused.code
                break
            self.lines.append(found[1])
        self.table = script.table
        self.minutes = script.minutes or None
        self.derived = DerivedGame((), (), self.table) if self.table else None

    def scores(self):
        """Return name, points, place, and whether each player has won and had the first turn."""
        found = []
        names = self.derived.names
        for p, (score, rank, winner, starts) in enumerate(self.derived.scores()):
            found.append({"name": names[p], "score": score, "rank": rank, "winner": winner, "starts": starts})
        return found

    def rows(self):
        """Return the rows of the score sheet as exports have them."""
        name = on_laptop(self.derived.kind).row_name
        return [{"label": label, "name": name(label), "points": points} for label, points in self.derived.rows()]


def names_of_games(lang):
    """Return the name of each game, by its id, as JSON."""
    use(lang)
    return json.dumps({kind: text("game." + kind) for kind in GAMES})


def colours():
    """Return red, green and blue of each colour of a colour display, by its number, as JSON."""
    return json.dumps([rgb for _, rgb in COLOURS])


def sheet_of(game_id, lang):
    """Return the sheet of a game as JSON, with the laptop's parts, rows, and the entries in words."""
    use(lang)
    game = Recorded(game_id)
    if game.table is None:
        return json.dumps({"flaw": game.flaw or "E_LINE"})
    own = on_laptop(game.derived.kind)
    names = game.derived.names
    log = []
    for item in entries(game.table, names):
        part = own.row_name(item["part"]) if item["part"] else ""
        log.append([item["entry"], part, item["text"], effect(item, names, game.derived.kind)])
    rows, running = [], [0] * len(names)
    for row in game.rows():
        if row["label"] != TOTAL:
            running = [total + k for total, k in zip(running, row["points"])]
            rows.append([row["name"], own.cells(row["label"], row["points"], running)])
    for label, points in own.counts(game.derived.game):
        rows.append([own.row_name(label), [str(k) for k in points]])
    scores = game.scores()
    return json.dumps(
        {
            "parts": [plain(part) for part in sheet(game.table)],
            "names": names,
            "rows": rows,
            "totals": [text("sheet.total"), [str(score["score"]) for score in scores]],
            "places": [text("sheet.place"), [str(score["rank"]) for score in scores if score["rank"]]],
            "log": log,
            "columns": [text("sheet." + name) for name in ("number", "entry", "effect")],
            "flaw": game.flaw,
        }
    )


def as_json(game_id, lang):
    """Return what is known about a game in the form of `kiebitz export`, with its journal."""
    use(lang)
    game = Recorded(game_id)
    found = {"kiebitz": VERSION, "id": game_id, "flaw": game.flaw or None, "journal": game.lines}
    if game.table:
        kind = game.derived.kind
        found.update(
            game=kind,
            game_name=game_name(kind, game.derived.title),
            variant=variant_of(game.derived.setup),
            phase=game.table.game.phase,
            finished=game.derived.finished,
            early=game.derived.early,
            events=len(game.table),
            minutes=game.minutes,
            at=bgstats.date(_at(game, 0)).replace(" ", "T") + "Z" if _at(game, 0) else None,
            scores=game.scores(),
            rows=game.rows(),
        )
    return json.dumps(found)


def _at(game, otherwise):
    return game.table.setup.get("at") or otherwise


def for_bgstats(ids, now, lang):
    """Return a .bgsplay file of the finished ones of these games, or "". `ids` has blanks between them."""
    use(lang)
    plays = []
    for game_id in ids.split():
        game = Recorded(game_id)
        if game.table is None or not game.derived.finished:
            continue
        scores = game.scores()
        for score in scores:
            score["person_id"] = stable_id("player", score["name"])
        rounds = [row["label"] for row in game.rows()]
        plays.append(
            {
                "id": game.id,
                "game": game.derived.kind,
                "title": game.derived.title,
                "league": league_of(game.derived.kind, game.derived.title),
                "low": game.derived.low_wins,
                "at": _at(game, now),
                "approximate": not _at(game, 0),
                "received": now,
                "changed": now,
                "early": game.derived.early,
                "minutes": game.minutes,
                "rounds": sum([label.startswith("round ") or label.startswith("game ") for label in rounds]),
                "variant": variant_of(game.derived.setup),
                "scores": scores,
            }
        )
    return json.dumps(bgstats.bgsplay(plays)) if plays else ""
