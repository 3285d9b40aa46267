"""Show Top Spot on the laptop: the games of a match, and the two levels."""

from kiebitz.games import new_game
from kiebitz.games.base import LIMIT
from kiebitz.text import text
from rich.text import Text

from ...asking import NOTHING
from ...terminal import seat_text, shown, table
from ..base import DEALER, GameOnLaptop, names_of, players_table, texts

GAMES_MAX = 6  # latest games of a match with a column of their own
LEVELS = ("junior", "expert")
PLAY = ("cards", "value", "followed", "joker")  # the fields of a play to a trick


class TopSpot(GameOnLaptop):
    """Top Spot on the laptop."""

    SETUP = (
        ("level", LEVELS, "rules.level"),
        ("mode", ("tally", "assisted"), "rules.tally"),
        ("match_length", ("rules.length.usual", "rules.any"), "rules.length"),
        DEALER,
    )
    ROW_NAMES = {"game": "row.spot"}
    REPORT = "ok*2 right left up ok"

    def title(self, game):
        number = text("sheet.spot.game", n=game.game_no, of=game.match_length)
        return [text(f"level.{game.level}"), text(f"mode.{game.mode}"), number]

    def sheet(self, game):
        yield _players(game)
        if not game.over:
            yield Text(dealt(game))

    def rows(self, table):
        game = table.game
        rows = [(f"game {k}", list(points)) for k, points in enumerate(game.history, 1)]
        if not game.over:
            rows.append((f"game {game.game_no}", list(game.points)))
        return rows

    def ask_value(self, asker, game, event, what, kind, old, optional):
        if what != "plays":
            return super().ask_value(asker, game, event, what, kind, old, optional)
        before = {play["p"]: play for play in ([] if old is NOTHING else old)}
        return [self._ask_play(asker, game, p, before.get(p, {})) for p in game.to_play()]

    def _ask_play(self, asker, game, p, old):
        """Ask for a player's play to a trick. Returns it in the form of the event."""
        name = game.names[p]
        question = {key: self.question(game, "of", name=name, what=text(f"spot.{key}")) for key in PLAY}
        return {
            "p": p,
            "cards": asker.number(question["cards"], old.get("cards", 1), 1, game.hand[p]),
            "value": asker.number(question["value"], old.get("value"), 0, LIMIT),
            "followed": asker.yes(question["followed"], old.get("followed", True)),
            "joker": game.level == "expert" and asker.yes(question["joker"], old.get("joker", False)),
        }

    def part(self, game):
        return f"game {game.game_no}"

    def facts(self):
        levels = []
        for level in LEVELS:
            game = new_game({"game": "top_spot", "players": ["1", "2", "3"], "level": level})
            levels.append({"id": level, "name": text(f"level.{level}"), "cards": game.hand_size})
        return {"levels": levels}

    def tables(self, facts):
        headers = texts("rules.levels", "rules.id", "rules.cards", "rules.rules")
        found = table(*headers, numbers=headers[2:3], wrap=headers[3:])
        for level in facts["levels"]:
            found.add_row(level["name"], level["id"], str(level["cards"]), text(f"rules.{level['id']}"))
        yield found


def _players(game):
    """Return the table of points in each game of the match; the first games may be summed up."""
    recent = game.history[-GAMES_MAX:]
    before = len(game.history) - len(recent)
    cards = bool(game.hand) and not game.over
    headers = texts("sheet.before") if before else []
    headers += [text("sheet.spot.column", n=k + 1) for k in range(before, len(game.history))]
    headers += texts(*([] if game.over else ["sheet.now"]), "sheet.total", *(["sheet.cards"] if cards else []))
    found = players_table(*headers)
    for p, total in enumerate(game.totals()):
        cells = [sum(points[p] for points in game.history[:before])] if before else []
        cells += [points[p] for points in recent] + ([] if game.over else [game.points[p]])
        cells += [total] + ([game.hand[p]] if cards else [])
        found.add_row(seat_text(p, game.names), *map(str, cells))
    return found


def dealt(game):
    """Return a sentence about who has dealt, and who leads or plays off a tie."""
    dealer = shown(game.names[game.dealer])
    if game.phase != "GAME_END" and game.tie:
        return text("sheet.spot.tie", dealer=dealer, names=names_of(game, game.tie))
    if game.phase != "GAME_END" and game.hand:
        return text("sheet.spot.first", dealer=dealer, name=shown(game.names[game.leader]))
    return text("sheet.spot.dealt", dealer=dealer)


GAME = TopSpot
