"""Describe any other game to the laboratory: a game of Skyjo and a counter as key presses, and their screens."""

from kiebitz.games.any_game.number import offered

from .base import FOUR, GameInLab, Lap, lines_of

# Seven rounds of Skyjo, where the fewest points win and 100 end the game: Anna 88, Ben 111, Cleo 124, Dan 100
SKYJO = (
    (14, 9, 22, 17),
    (21, 12, 6, 19),
    (4, 25, 18, 11),
    (16, 13, 27, 3),
    (23, 7, 15, 20),
    (12, 31, 10, 18),
    (-2, 14, 26, 12),
)
_SKYJO = {"title": "Skyjo", "options": {"wins": "low", "end": "target", "limit": 100}}
# A duel from 20 points down to 0, as in many card games
_DUEL = {"title": "Duel", "options": {"entry": "counter", "start": 20, "end": "target", "limit": 0}}
_HITS = ((0, -2), (1, -3), (0, -7), (1, -4), (1, 3), (1, -6), (0, -1), (1, -10))

_TITLES = ("Skyjo", "skyjo", "Wizard", " Phase 10 ", "Poch", "Jeu d'été", '5"\\', "李雷 游戏", "x" * 24)
_STARTS = (1, 20, 100, -50, 501)
_SPREAD = (2, 12, 60, 250, 100000)  # points of an entry, up to


def typed(change):
    """Return the fewest keys that change a number by this much."""
    ways = []
    for right in range(1 + abs(change) // 10 + 1):
        for left in range(2 + abs(change) // 5):
            rest = change - 10 * right + 5 * left
            ways.append((right + left + abs(rest), right, left, rest))
    _, right, left, rest = min(ways)
    presses = ((right, "right"), (left, "left"), (abs(rest), "up" if rest > 0 else "down"))
    return " ".join(f"{key}*{times}" for times, key in presses if times)


def by_rounds(rounds):
    """Return the keys of a game by rounds, a line for each entry, starting left of the dealer."""
    lines: list[str] = []
    before: list[int] = []
    for number, points in enumerate(rounds):
        n = len(points)
        now: list[int | None] = [None] * n
        for turn in range(n):
            p = (number + turn) % n  # the last seat deals first
            known = [k for k in before + now if k is not None]
            lines.append(f"{typed(points[p] - offered(known, 1))} ok".strip())
            now[p] = points[p]
        before += points
    return "\n".join(lines) + "\n"


def counted(hits):
    """Return the keys of a counter for two players, a line for each entry; the cursor begins at seat 0."""
    lines, at = [], 0
    for p, k in hits:
        lines.append(("" if p == at else "down ") + f"{'right' if k > 0 else 'left'}*{abs(k)} ok")
        at = p
    return "\n".join(lines) + "\n"


class AnyGame(GameInLab):
    """Any other game in the laboratory."""

    SAMPLES = {
        "any_game": ({"game": "any_game", "players": FOUR, **_SKYJO}, by_rounds(SKYJO)),
        "any_game counter": ({"game": "any_game", "players": FOUR[:2], **_DUEL}, counted(_HITS)),
    }
    TYPICAL = {"any_game": ("points of a round", "right up*2 ok"), "any_game counter": ("three points off", "left*3")}
    ROUNDS = {"any_game": len(FOUR)}

    GROUP = "any"
    README_SCENES = ("points of a round", "all rounds")
    PAGE_SCENES = ("points of a round", "all rounds", "entries", "counter, points")

    FAMILIES = {"any": ("limit.target", "limit.rounds")}

    EARLY = "end_game"
    LONG = {
        "any_game rounds": (8, {"title": "Skyjo", "options": {"wins": "low"}}),
        "any_game counter": (8, {"title": "Life", "options": {"entry": "counter", "start": 20}}),
    }

    def scenes(self, players, hard=False):
        n = len(players)
        setup = {"game": "any_game", "players": players, **_SKYJO}
        high = 2500 if hard else 1
        if hard:
            setup["options"] = {"wins": "low", "end": "target", "limit": 100000, "start": -99999}
        rounds = [
            {"ev": "points", "p": p, "k": (k - 40 if hard else k) * high}
            for points in (SKYJO[:2] * 2 if hard else SKYJO[:4])
            for p, k in enumerate((points * 2)[:n])
        ]
        opened = dict(setup, options={})
        nine = dict(setup, options={"end": "rounds", "limit": 9})
        one = dict(setup, options={"end": "rounds", "limit": 1})
        many = [{"ev": "points", "p": p, "k": high * 9 + p} for _ in range(12) for p in range(n)]
        counter = {"game": "any_game", "players": players, **_DUEL}
        if hard:
            counter["options"] = {"entry": "counter", "start": 100000}
        hits = [{"ev": "add", "p": p, "k": k * high} for p, k in _HITS[:4]]
        some = [*rounds, {"ev": "points", "p": 1, "k": 7 * high}]
        end = {"ev": "end_game"}
        return [
            ("first round", setup, [], ""),
            ("points of a round", setup, some, "right up*2"),
            ("next round", setup, rounds, ""),
            ("below zero", setup, some, "left*9"),
            ("two players", dict(setup, players=players[:2]), [], "right*2"),
            ("three players", dict(setup, players=players[:3]), [{"ev": "points", "p": 0, "k": 21 * high}], "right*2"),
            ("dropped", setup, some, "right undo"),
            ("taken back", setup, some, "undo"),
            ("a number of rounds", dict(setup, options={"end": "rounds", "limit": 999}), some, "right"),
            ("target reached", dict(setup, options={"end": "target", "limit": 1}), [], "right"),
            ("another player", setup, some, "hold:right"),
            ("menu", setup, some, "hold:ok at:any.menu.skip"),
            ("end of the menu", setup, some, "hold:ok at:menu.end"),
            ("larger steps", setup, some, "hold:ok pick:any.menu.step ok undo"),
            ("points missing", setup, some, "hold:ok pick:any.menu.end_round"),
            ("all rounds", setup, some, "hold:ok pick:any.menu.sheet"),
            ("all rounds, to go", setup, some, "hold:ok pick:any.menu.sheet right ok"),
            ("entry of a round", setup, some, "hold:ok pick:any.menu.sheet left*2 ok"),
            ("all rounds of a long game", opened, many, "hold:ok pick:any.menu.sheet left*2 down"),
            ("house rules", setup, some, "hold:ok pick:menu.rules down*4"),
            (
                "house rules of a counter",
                dict(counter, options={"entry": "counter"}),
                [],
                "ok pick:menu.rules down*4",
            ),
            ("totals of all rounds", opened, many, "hold:ok pick:any.menu.sheet right"),
            ("more rounds", one, rounds[:n], "left pick:menu.rules pick:opt.limit right ok"),
            ("fewer rounds", nine, rounds, "hold:ok pick:menu.rules pick:opt.limit left ok"),
            ("another winner", opened, [*rounds, end], "left pick:menu.rules pick:opt.wins"),
            ("house rules, so many rounds", nine, some, "hold:ok pick:menu.rules"),
            ("entries", setup, some, "hold:ok pick:menu.history"),
            ("correct points", setup, some, "hold:ok pick:menu.history ok pick:history.correct"),
            ("game over", setup, [*some, end], ""),
            ("final ranking", setup, [*some, end], "ok"),
            ("counter", counter, [], ""),
            ("counter, points", counter, hits, "right*3"),
            ("counter, three players", dict(counter, players=players[:3]), hits, "down left*3"),
            ("counter, two players", dict(counter, players=players[:2]), hits, "left*3"),
            ("counter, entered", counter, hits, ""),
            ("counter, dropped", counter, hits, "right*3 undo"),
            ("counter, menu", counter, hits, "ok at:any.menu.step"),
            ("counter, entries", counter, hits, "ok pick:menu.history"),
            ("counter, correct points", counter, hits, "ok pick:menu.history ok pick:history.correct"),
            ("counter, over", counter, [*hits, end], ""),
        ]

    def setup_scenes(self, seated):
        ready = seated + " right"
        return [
            ("any game, ready", ready),
            ("any game, end of the set-up", ready + " at:opt.start"),
            ("any game, its name", ready + " pick:any.title"),
            ("any game, a target", ready + " pick:opt.end"),
            ("any game, which target", ready + " pick:opt.end pick:any.limit.target right*3"),
            ("any game, rounds", ready + " pick:opt.end ok"),
            ("any game, counter", ready + " pick:opt.entry"),
        ]

    def laps(self):
        _, keys = self.SAMPLES["any_game"]
        name = "pick:any.title hold:ok"  # the name of the game, as it is
        target = "pick:opt.end pick:any.limit.target right ok pick:new.start"
        looks = ["menu:any.menu.sheet left back:table", "menu:menu.end ok", "ok"]
        new = "right undo pick:presets.new up up hold:ok ok"  # a new title; earlier laps have other settings
        return [
            Lap(new, "pick:opt.entry pick:new.start", ["right ok", "left*2 ok"]),  # a counter
            Lap(new, f"{name} {target}", lines_of(keys)[:8], looks, ends=True),
        ]

    def menu_key(self, device):
        """Return the key that opens the menu of the table."""
        return "left" if device.game.over else "hold:ok"

    # --- random games ---

    def furnish(self, line, n, dice):
        """Add a title to a set-up, and the numbers that its house rules need."""
        if dice.chance(80):
            line["title"] = dice.pick(_TITLES)
        options = line["options"]
        if dice.chance(40):
            options["start"] = dice.pick(_STARTS)
        end = options.get("end", "open")
        if end == "rounds" and options.get("entry") == "counter":
            end = options["end"] = "target"
        if end == "rounds":
            options["limit"] = 1 + dice.below(12)
        elif end == "target":
            options["limit"] = options.get("start", 0) + dice.pick((10, 40, 100, 500, -20, -300, 0))

    def event(self, game, dice, endless):
        """Return an event that mostly fits the state."""
        if dice.chance(1) and not endless:
            return {"ev": "end_game"}
        k = _points(game, dice)
        if not game.by_rounds:
            return {"ev": "add", "p": dice.below(game.n), "k": k or 1}
        missing = game.missing()
        if len(missing) < game.n and dice.chance(4):
            return {"ev": "end_round"} if dice.chance(20) else {"ev": "end_round", "confirm": True}
        p = dice.below(game.n) if dice.chance(3) else dice.pick(missing)
        return {"ev": "points", "p": p, "k": k}


def _points(game, dice):
    """Return the points of an entry, mostly towards the target, sometimes none or far away from it."""
    spread = dice.pick(_SPREAD[:3]) if dice.chance(97) else dice.pick(_SPREAD)
    k = dice.below(spread + 1)
    down = game.options["end"] == "target" and game.options["limit"] < game.options["start"]
    return -k if down != dice.chance(15) else k


GAME = AnyGame
