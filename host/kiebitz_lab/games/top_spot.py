"""Describe Top Spot to the laboratory: a match as key presses, its screens, and the ids of its levels and modes."""

from kiebitz.games.top_spot.table import TopSpotTable

from .base import FOUR, RULE, GameInLab, Lap, lines_of

_TALLY = """
up
left
up
right
down
up
up
left
ok down ok
ok
"""

_MOST = 13  # points in one game of the experts
_ALL = "right*12 down right*12"  # all cards of an expert in one play, with the least value that they have
_GAMES = 8  # games played before a hard scene begins
_ARROW_KEYS = 4  # with more players, OK is the key of the last one


class TopSpot(GameInLab):
    """Top Spot in the laboratory."""

    SAMPLES = {"top_spot": ({"game": "top_spot", "players": FOUR}, _TALLY * 4 + "ok\n")}
    TYPICAL = {"top_spot": ("a trick won", "up")}

    HOUSE_RULES = False
    GROUP = "spot"
    FIRST_KEYS = {"": "up", "assisted": "ok"}
    README_SCENES = ("rounds won", "final ranking")
    PAGE_SCENES = ("rounds won", "bonus", "game ended", "round entry")

    FAMILIES = {"level": ("junior", "expert"), "mode": ("tally", "assisted")}

    EARLY = "end_match"
    LONG = {
        "top_spot tally": (5, {"level": "expert", "match_length": 1000}),
        "top_spot assisted": (5, {"level": "expert", "mode": "assisted", "match_length": 1000}),
    }
    SEASON = ("top_spot tally",)
    VALUES = {"plays": ([], [{"p": 0, "cards": 1, "value": 3, "followed": True, "joker": False}])}

    def scenes(self, players, hard=False):
        n = len(players)
        setup = {"game": "top_spot", "players": players, "level": "expert", "match_length": 4 * n if hard else n}
        games = [*[{"ev": "point", "p": 0}] * _MOST, {"ev": "end_game"}, {"ev": "next_game"}] * (_GAMES if hard else 0)
        points = games + [{"ev": "point", "p": p} for p in (0, 1, 1, 2)]
        refereed = dict(setup, mode="assisted")
        plays = [{"p": p, "cards": 1, "value": 5 if p < 2 else 1, "followed": True, "joker": False} for p in range(n)]
        won = [{"ev": "point", "p": 0}, {"ev": "end_game"}, {"ev": "next_game"}]
        over = won * setup["match_length"]
        return [
            ("table", setup, [], ""),
            ("rounds won", setup, points, "up"),
            ("menu", setup, points, "hold:ok at:spot.menu.blank"),
            ("bonus for whom", setup, points, "hold:ok pick:spot.menu.bonus"),
            ("bonus", setup, points, "hold:ok pick:spot.menu.bonus ok right*12"),
            ("bonus doubted", setup, points, "hold:ok pick:spot.menu.bonus up ok ok"),
            ("game ended", setup, points, "hold:ok pick:spot.menu.end"),
            ("no trick", setup, [], "hold:ok pick:spot.menu.end"),
            ("end the match", setup, points, "hold:ok pick:spot.menu.end_match"),
            (
                "the end of a game deleted",
                setup,
                [*points, {"ev": "end_game"}],
                "left pick:menu.history ok pick:history.remove",
            ),
            ("cards out", setup, games + [{"ev": "point", "p": p % n} for p in range(_MOST - 1)], "up"),
            ("last game ended", setup, over[:-1], ""),
            ("match over", setup, over, ""),
            ("final ranking", setup, over, "ok"),
            ("refereed", refereed, [], ""),
            ("round entry", refereed, [], "ok right*3 down*3 right"),
            ("second player", refereed, [], "ok right*3 ok down"),
            ("last player", refereed, [], "ok" + " right*3 ok" * (n - 1)),
            ("tiebreaker", refereed, [{"ev": "trick", "plays": plays}], ""),
            ("tie, first wins", dict(refereed, level="junior"), [], "ok right*5 ok right*5" + " ok" * (n - 1)),
            ("tie, play on", refereed, [], "ok right*5 ok right*5" + " ok" * (n - 1)),
            ("tie, one has cards", refereed, [], f"ok {_ALL} ok right*12" + " ok" * (n - 1)),
            ("tie, nobody has cards", refereed, [], f"ok {_ALL} ok {_ALL}" + " ok" * (n - 1)),
        ]

    def setup_scenes(self, seated):
        return [
            ("Top Spot, ready", seated + " right at:new.mode right at:new.level right at:new.length right"),
            ("refereed, what it means", seated + " right at:new.mode right"),
            ("tally, what it means", seated + " right at:new.mode right*2"),
            ("rules of Top Spot", f"{seated} right at:new.level right pick:new.rules{RULE}"),
        ]

    def laps(self):
        refereed = Lap("ok", "at:new.mode right pick:new.start", ["ok" + " right*3 ok" * len(FOUR)])
        _, keys = self.SAMPLES["top_spot"]
        looks = ["menu:spot.menu.bonus ok right ok", "ok"]
        return [refereed, Lap("ok", "ok", lines_of(keys), looks)]

    def menu_key(self, device):
        """Return the key that opens the menu of the table, OK if the arrows are used for players, held if it is too."""
        tallies = device.game.phase == "TRICK" and device.game.mode == "tally"
        if not tallies or not isinstance(device.app.top, TopSpotTable):
            return "left"
        return "hold:ok" if device.game.n > _ARROW_KEYS else "ok"

    # --- random games ---

    def furnish(self, line, n, dice):
        """Add a random level, mode and match length to a set-up."""
        line["level"] = dice.pick(("junior", "expert"))
        if dice.chance(60):
            line["mode"] = dice.pick(("assisted", "tally"))
        if dice.chance(40):
            line["match_length"] = dice.pick((n, 1, 2, 2 * n, n + 1))
            if line["match_length"] % n:
                line["confirm"] = True

    def event(self, game, dice, endless):
        """Return an event that mostly fits the state."""
        if game.phase == "GAME_END":
            return {"ev": "next_game"}
        if game.mode == "assisted":
            return _trick(game, dice)
        names = [(92, "point"), (3, "bonus"), (2, "end_game")]
        if game.level == "expert":
            names.append((8, "blank"))
        name = "end_game" if game.cards_out and dice.chance(90) else dice.weighted(*names)
        if name == "blank":
            return {"ev": "blank"}
        if name == "end_game":
            return {"ev": "end_game"} if game.tricks or dice.chance(10) else {"ev": "end_game", "confirm": True}
        p = game.leader if dice.chance(60) else dice.below(game.n)
        if name == "point":
            return {"ev": "point", "p": p}
        event = {"ev": "bonus", "p": p, "k": 1 + dice.below(max(1, game.cards_left))}
        if not game.won_last(p) and dice.chance(90):
            event["confirm"] = True
        return event


def _trick(game, dice):
    """Return a refereed trick."""
    plays: list[dict] = []
    useless = False
    spread = dice.pick((3, 5, 12))
    for p in game.to_play():
        followed = not plays or not dice.chance(20)
        most = 1 if p == game.dealer or not followed else dice.pick((2, 4, 13))  # the dealer keeps his cards together
        cards = 1 + dice.below(min(game.hand[p], most))
        joker = followed and game.level == "expert" and dice.chance(12)
        value = dice.below(spread)
        if joker:
            value = min(value, 6) if cards > 1 else 0
        elif value < cards - 1 and dice.chance(80):
            value = cards - 1
        useless = useless or value < cards - 1
        plays.append({"p": p, "cards": cards, "value": value, "followed": followed, "joker": joker})
    event: dict = {"ev": "trick", "plays": plays}
    if useless and dice.chance(90):
        event["confirm"] = True
    return event


GAME = TopSpot
