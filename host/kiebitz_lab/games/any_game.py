"""Describe any other game to the laboratory: evenings of each kind as key presses, and their screens."""

from .base import FOUR, GameInLab, Lap, lines_of

# Seven rounds of Skyjo, where the fewest points win and 100 end the game: Anna 88, Ben 111, Cleo 124, Dan 100
SKYJO = (
    (14, 9, 22, 17), (21, 12, 6, 19), (4, 25, 18, 11), (16, 13, 27, 3), (23, 7, 15, 20), (12, 31, 10, 18),
    (-2, 14, 26, 12),
)  # fmt: skip
_SKYJO = {"title": "Skyjo", "options": {"wins": "low", "end": "target", "limit": 100}}
# A duel from 20 points down to 0, as in many card games
_DUEL = {"title": "Duel", "options": {"entry": "counter", "start": 20, "end": "target", "limit": 0}}
_HITS = ((0, -2), (1, -3), (0, -7), (1, -4), (1, 3), (1, -6), (0, -1), (1, -10))

# Sixteen deals of Doppelkopf: who won, and what it was worth; a Bockrunde after the seventh
DOPPELKOPF = (
    ((0, 1), 1), ((1, 3), 2), ((0, 2), 3), ((2,), 2), ((0, 3), 1), ((1, 2), 4), ((0, 1, 3), 1), ((2, 3), 2),
    ((0, 1), 3), ((1, 3), 1), ((3,), 3), ((0, 2), 2), ((1, 2), 6), ((0, 3), 1), ((1, 3), 2), ((2, 3), 4),
)  # fmt: skip
_BOCK_BEFORE = 7  # deals
_DOPPELKOPF = {"title": "Doppelkopf", "deals": 1, "options": {"entry": "exchange", "end": "rounds", "limit": 16}}
CANASTA = ((150, 480), (620, 265), (-90, 735), (355, 540), (1010, 815))
_CANASTA = {
    "title": "Canasta", "deals": 1, "step": 5, "teams": [0, 1, 0, 1], "options": {"end": "target", "limit": 2500},
}  # fmt: skip
# Skyjo with a guest who joins, one who pauses, and who ended each round: (name of the event, its values)
_GUESTS_SETUP = {"title": "Skyjo", "options": {"wins": "low", "end": "target", "limit": 100, "ender": "doubles"}}
GUESTS = (
    ("points", 0, 14), ("points", 1, 9), ("ended", 1), ("points", 2, 22),
    ("join", "Guest 4", 20),
    ("points", 0, 21), ("away", 1), ("points", 2, 6), ("ended", 2), ("points", 3, 19),
    ("points", 0, 23), ("points", 2, 25), ("ended", 0), ("points", 3, 11),
    ("back", 1),
    ("points", 0, 19), ("points", 1, 13), ("points", 2, 27), ("ended", 1), ("points", 3, 16),
)  # fmt: skip

_CROWD = ["Anna", "Benedikt", "Cleo", "Dan", "Elisabeth", "Fritz", "Guest 7", "Heidi"]
_TITLES = ("Skyjo", "skyjo", "Wizard", " Phase 10 ", "Poch", "Jeu d'été", '5"\\', "李雷 游戏", "x" * 24)
_STARTS = (1, 20, 100, -50, 501)
_SPREAD = (2, 12, 60, 250, 100000)  # points of an entry, up to
_JOINING = ("Kim", "Léa", "Guest 9", "李雷", "Mo", "Nik", "Ole", "Pia", " Rob ", "Uli")
_ARROWS = ("up", "right", "down", "left")  # of four players who exchange points


def typed(change, left=-5):
    """Return the fewest keys that change a number by this much, from 0, with LEFT as it changes the number."""
    ways = []
    for right in range(2 + abs(change) // 10):
        for lefts in range(3 + abs(change) // abs(left)):
            rest = change - 10 * right - left * lefts
            if left < 0 or rest >= 0:
                ways.append((right + lefts + abs(rest), right, lefts, rest))
    _, right, lefts, rest = min(ways)
    presses = ((right, "right"), (lefts, "left"), (abs(rest), "up" if rest > 0 else "down"))
    return " ".join(f"{key}*{times}" for times, key in presses if times)


def said(rounds):
    """Return the events of rounds, in seating order."""
    return [{"ev": "points", "p": p, "k": k} for points in rounds for p, k in enumerate(points)]


def by_rounds(rounds, step=1):
    """Return the keys of a game by rounds, each number from 0: a line for each entry, in seating order."""
    return "\n".join(f"{typed(event['k'] // step)} ok".strip() for event in said(rounds)) + "\n"


def won(winners, k):
    """Return what the winners of a round said, as an event."""
    return {"ev": "exchange", "winners": list(winners), "k": k}


def exchanged(deals):
    """Return the keys of deals of four players, with a Bockrunde among them."""
    lines = []
    for number, (winners, k) in enumerate(deals):
        if number == _BOCK_BEFORE:
            lines.append("hold:ok down*2 ok ok")
        losers = [p for p in range(4) if p not in winners]
        who = " ".join(_ARROWS[p] for p in winners) if len(winners) < 3 else f"{_ARROWS[losers[0]]}*2"
        lines.append(f"{who}{' ok' if len(winners) == 1 else ''} {typed(k, 3)} ok")
    return "\n".join(lines) + "\n"


def with_guests(told):
    """Return the keys of an evening by rounds in which people join and pause, a line for each entry or menu."""
    lines: list[str] = []
    away: set[int] = set()
    names, begun, ended = 3, False, ""
    for name, *values in told:
        p = values[0]
        playing = [q for q in range(names) if q not in away]
        if name == "points":
            last = p == playing[-1]
            lines.append(f"{typed(values[1])} ok {ended if last else ''}".strip())
            begun = not last
        elif name == "ended":
            ended = f"down*{1 + playing.index(p)} ok"
        else:
            # Back to the game, all rounds, who ended, close the round, other player, step, join, away, back
            at = 5 + begun + ("join", "away", "back").index(name)
            seats = [0] if name == "join" else playing if name == "away" else sorted(away)
            which = 1 + (0 if name == "join" else seats.index(p))
            number = f" {typed(values[1])} ok" if name == "join" else ""
            lines.append(f"hold:ok down*{at} ok down*{which} ok{number}")
            names += name == "join"
            away = away | {p} if name == "away" else away - {p}
    return "\n".join(lines) + "\n"


def _event(name, *values):
    """Return what was told as an event."""
    keys = ("name", "k") if name == "join" else ("p", "k")
    return {"ev": name, **dict(zip(keys, values, strict=False))}


def counted(hits):
    """Return the keys of a counter for two players, a line for each entry; the cursor begins at seat 0."""
    lines, at = [], 0
    for p, k in hits:
        lines.append(("" if p == at else "down ") + f"{'right' if k > 0 else 'left'}*{abs(k)} ok")
        at = p
    return "\n".join(lines) + "\n"


def _crowds(high):
    """Return the scenes of tables with two to eight players."""
    scenes = []
    for n in range(2, 9):
        setup = {"game": "any_game", "players": _CROWD[:n], "title": "Rummy", "deals": 1, "options": {"wins": "low"}}
        some = said([row * 2 for row in SKYJO[:3]])
        entries = [dict(event, k=event["k"] * high) for event in some if event["p"] < n]
        scenes.append((f"rounds of {n}", setup, entries[: 2 * n + 1], "right up*4"))
        exchange = dict(setup, title="Tarot", options={"entry": "exchange"})
        deals = [won([k % n], 30 * high) for k in range(3)]
        scenes.append((f"exchange of {n}, who won", exchange, deals, "up" if n > 4 else ""))
        who = "up" if n == 2 else "up ok" if n <= 4 else "right ok"  # of two, one winner answers the question
        scenes.append((f"exchange of {n}, worth", exchange, deals, who + " right*3"))
    sits = {"game": "any_game", "players": _CROWD[:5], "title": "Doppelkopf", "deals": 1}
    sits["options"] = {"entry": "exchange", "sits_out": "dealer"}
    return scenes + [
        ("house rules of an exchange", sits, [], "hold:ok pick:menu.rules down"),
        ("house rules, who sits out", sits, [], "hold:ok pick:menu.rules at:opt.sits_out"),
        ("dealer sits out", sits, [won([0, 1], 3)], "up"),
        ("dealer sits out, worth", sits, [won([1, 2], 3)], "up right left"),
    ]


def _exchange_scenes(players, high):
    """Return the scenes of a table that exchanges points."""
    setup = {"game": "any_game", "players": players[:4], **_DOPPELKOPF}
    four = len(players[:4]) == 4
    deals = [won((0, 1), 3 * high), won((2,), 2 * high)]
    bock = [*deals, {"ev": "double", "k": 4}]
    two = "up right" if four else "up*2"
    return [
        ("exchange, first deal", setup, [], ""),
        ("exchange, who won", setup, deals, "up"),
        ("exchange, loses alone", setup, deals, "up*2"),
        ("exchange, worth", setup, deals, two),
        ("exchange, worth 3", setup, deals, two + " left"),
        ("exchange, entered", setup, deals, two + " left ok"),
        ("exchange, worth nothing", setup, deals, two + " ok"),
        ("exchange, nobody", setup, deals, "ok"),
        ("exchange, menu", setup, deals, "hold:ok at:any.menu.double"),
        ("exchange, how many double", setup, deals, "hold:ok pick:any.menu.double"),
        ("exchange, doubled", setup, bock, ""),
        ("exchange, doubled, worth", setup, bock, two + " left"),
        ("exchange, all rounds", setup, bock, "hold:ok pick:any.menu.sheet"),
        ("exchange, entries", setup, bock, "hold:ok pick:menu.history"),
        ("exchange, correct a deal", setup, deals, "hold:ok pick:menu.history ok pick:history.correct"),
        ("exchange, away", setup, [*deals, {"ev": "away", "p": 1}], ""),
        ("exchange, over", setup, [*deals, {"ev": "end_game"}], ""),
    ]


def _team_scenes(players, high):
    """Return the scenes of a table of two teams."""
    if len(players) < 4:
        return []
    setup = {"game": "any_game", "players": players[:4], **_CANASTA}
    if high > 1:
        setup["options"] = {}
    points = [dict(event, k=event["k"] * min(high, 60)) for event in said(CANASTA[:2])]
    return [
        ("teams", setup, points[:3], "right*3"),
        ("teams, all rounds", setup, points, "hold:ok pick:any.menu.sheet"),
        ("teams, menu", setup, points, "hold:ok at:any.menu.skip"),
    ]


def _counter_scenes(players, high, hard):
    """Return the scenes of a counter."""
    counter = {"game": "any_game", "players": players, **_DUEL}
    if hard:
        counter["options"] = {"entry": "counter", "start": 100000}
    hits = [{"ev": "add", "p": p, "k": k * high} for p, k in _HITS[:4]]
    end = {"ev": "end_game"}
    return [
        ("house rules of a counter", dict(counter, options={"entry": "counter"}), [], "ok pick:menu.rules down*4"),
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


class AnyGame(GameInLab):
    """Any other game in the laboratory."""

    SAMPLES = {
        "any_game": ({"game": "any_game", "players": FOUR, **_SKYJO}, by_rounds(SKYJO)),
        "any_game counter": ({"game": "any_game", "players": FOUR[:2], **_DUEL}, counted(_HITS)),
        "any_game exchange": ({"game": "any_game", "players": FOUR, **_DOPPELKOPF}, exchanged(DOPPELKOPF)),
        "any_game guests": ({"game": "any_game", "players": FOUR[:3], **_GUESTS_SETUP}, with_guests(GUESTS)),
        "any_game teams": ({"game": "any_game", "players": FOUR, **_CANASTA}, by_rounds(CANASTA, 5)),
    }
    TYPICAL = {
        "any_game": ("points of a round", "right up*2 ok"),
        "any_game counter": ("three points off", "left*3"),
        "any_game exchange": ("two winners, worth 3", "up right left ok"),
        "any_game guests": ("points of a round", "right up*2 ok"),
        "any_game teams": ("points of a team", "right*3 ok"),
    }
    SAID = {
        "any_game": said(SKYJO),
        "any_game counter": [{"ev": "add", "p": p, "k": k} for p, k in _HITS],
        "any_game exchange": [won(*deal) for deal in DOPPELKOPF[:_BOCK_BEFORE]]
        + [{"ev": "double", "k": 4}]
        + [won(*deal) for deal in DOPPELKOPF[_BOCK_BEFORE:]],
        "any_game guests": [_event(*told) for told in GUESTS],
        "any_game teams": said(CANASTA),
    }
    ROUNDS = {"any_game": (len(FOUR), 18), "any_game exchange": (1, 5)}
    GROUP = "any"
    FIRST_KEYS = {"": "up down left right ok", "counter": "right", "exchange": "up down left right ok"}
    README_SCENES = ("points of a round", "all rounds")
    PAGE_SCENES = (*README_SCENES, "entries", "counter, points", "exchange, who won", "exchange, worth 3")

    FAMILIES = {
        "any": ("limit.target", "limit.rounds"),
        "E_SETTING": ("with_limit", "with_end", "with_entry", "with_sits_out", "with_ender"),
    }
    SENTENCES = {"join": ("join", "join.points")}
    REFUSALS = {"why": "with_ender"}
    EARLY = "end_game"
    LONG = {
        "any_game rounds": (8, {"title": "Skyjo", "options": {"wins": "low"}}),
        "any_game exchange": (8, {"title": "Tarot", "options": {"entry": "exchange"}}),
        "any_game counter": (8, {"title": "Life", "options": {"entry": "counter", "start": 20}}),
    }
    SEASON = ("any_game exchange",)

    def scenes(self, players, hard=False):
        n = len(players)
        setup = {"game": "any_game", "players": players, "deals": 1, **_SKYJO}
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
        ender = dict(setup, deals=0, options=dict(setup["options"], ender="doubles"))
        many = [{"ev": "points", "p": p, "k": high * 9 + p} for _ in range(12) for p in range(n)]
        some = [*rounds, {"ev": "points", "p": 0, "k": 7 * high}]
        end, sure = {"ev": "end_game"}, {"ev": "end_game", "confirm": True}
        away = [{"ev": "away", "p": 2}]
        join = {"ev": "join", "name": "Guest 9", "k": 12 * high}
        late = [*many[:3], join, *many[:2]]
        return [
            ("first round", setup, [], ""),
            ("points of a round", setup, some, "right up*2"),
            ("next round", setup, rounds, ""),
            ("below zero", setup, some, "left*9"),
            ("two players", dict(setup, players=players[:2]), rounds[:1], "right*2"),
            ("three players", dict(setup, players=players[:3]), [{"ev": "points", "p": 0, "k": 21 * high}], "right*2"),
            ("dropped", setup, some, "right undo"),
            ("taken back", setup, some, "undo"),
            ("a number of rounds", dict(setup, options={"end": "rounds", "limit": 999}), some, "right"),
            ("target reached", dict(setup, options={"end": "target", "limit": 1}), [], "right"),
            ("another player", setup, some, "hold:right"),
            ("menu", setup, some, "hold:ok at:any.menu.skip"),
            ("menu, who is there", setup, [*away, *some[:2]], "hold:ok at:any.menu.back"),
            ("end of the menu", setup, some, "hold:ok at:menu.end"),
            ("larger steps", setup, some, "hold:ok pick:any.menu.step ok undo"),
            ("points missing", setup, some, "hold:ok pick:any.menu.end_round"),
            ("points missing at the end", setup, some, "hold:ok pick:menu.end"),
            ("all rounds", setup, some, "hold:ok pick:any.menu.sheet"),
            ("all rounds, to go", setup, some, "hold:ok pick:any.menu.sheet right ok"),
            ("entry of a round", setup, some, "hold:ok pick:any.menu.sheet left*2 ok"),
            ("all rounds of a long game", opened, many, "hold:ok pick:any.menu.sheet left*2 down"),
            ("house rules", setup, some, "hold:ok pick:menu.rules at:opt.wins"),
            ("totals of all rounds", opened, many, "hold:ok pick:any.menu.sheet right"),
            ("more rounds", one, rounds[:n], "left pick:menu.rules pick:opt.limit right ok"),
            ("fewer rounds", nine, rounds, "hold:ok pick:menu.rules pick:opt.limit left ok"),
            ("another winner", opened, [*rounds, end], "left pick:menu.rules pick:opt.wins"),
            ("house rules, so many rounds", nine, some, "hold:ok pick:menu.rules"),
            ("entries", setup, some, "hold:ok pick:menu.history"),
            ("correct points", setup, some, "hold:ok pick:menu.history ok pick:history.correct"),
            ("somebody joins", dict(setup, players=players[:3]), [], "hold:ok pick:any.menu.join"),
            ("points so far", dict(setup, players=players[:3]), [], "hold:ok pick:any.menu.join down ok right*2"),
            ("joined", dict(setup, players=players[:3]), [*rounds[:2], join], "right"),
            ("all rounds, with one who joined", dict(opened, players=players[:3]), late, "hold:ok pick:any.menu.sheet"),
            ("no more seats", dict(setup, players=[*players, *"ABCDEFGH"][:8]), [], "hold:ok pick:any.menu.join"),
            ("somebody leaves", setup, some, "hold:ok pick:any.menu.away down*2"),
            ("somebody is away", setup, [*rounds, *away], "right"),
            ("leaves with points", setup, some, "hold:ok pick:any.menu.away down ok"),
            ("only two", dict(setup, players=players[:2]), [], "hold:ok pick:any.menu.away down ok"),
            ("house rules, who ends a round", ender, [], "hold:ok pick:menu.rules down"),
            ("house rules, nobody pays double", setup, [], "hold:ok pick:menu.rules down"),
            ("who ended", ender, rounds[: n - 1], "right ok up"),
            ("who ended, menu", ender, rounds[:1], "hold:ok pick:any.menu.ended"),
            ("somebody ended", ender, [*rounds[:1], {"ev": "ended", "p": 0}], ""),
            ("game over", setup, [*some, sure], ""),
            ("final ranking", setup, [*some, sure], "ok"),
            *_exchange_scenes(players, high),
            *_team_scenes(players, high),
            *_counter_scenes(players, high, hard),
            *_crowds(high),
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
            ("any game, who won what", ready + " pick:opt.entry ok"),
            ("any game, no teams", seated + " pick:players.guest.add right at:any.teams.title"),
            ("any game, the deal", ready + " pick:any.deals"),
            ("any game, the fewest win", ready + " pick:opt.wins"),
        ]

    def laps(self):
        rounds, deals = (lines_of(self.SAMPLES[sample][1]) for sample in ("any_game", "any_game exchange"))
        target = "pick:any.title hold:ok pick:opt.end pick:any.limit.target right ok pick:new.start"
        looks = ["menu:any.menu.sheet left back:table", "menu:menu.end ok", "ok"]
        new = "right undo pick:presets.new up up hold:ok ok"  # a new title; earlier laps have other settings
        return [
            Lap(new, "pick:opt.entry pick:new.start", ["right ok", "left*2 ok"]),  # a counter
            Lap(new, "pick:opt.entry ok pick:new.start", deals[:8]),
            Lap(new, target, rounds[:8], looks, ends=True),
        ]

    def menu_key(self, device):
        """Return the key that opens the menu of the table."""
        return "left" if device.game.over else "hold:ok"

    # --- random games ---

    def furnish(self, line, n, dice):
        """Add a title to a set-up, and make its house rules go together."""
        if dice.chance(80):
            line["title"] = dice.pick(_TITLES)
        options = line["options"]
        if dice.chance(40):
            options["start"] = dice.pick(_STARTS)
        entry = options.get("entry", "rounds")
        if n > 2 and entry != "exchange" and dice.chance(15):
            many = 2 + dice.below(n - 2)
            line["teams"] = dice.some([p % many for p in range(n)], n)
        teams = "teams" in line
        if entry == "exchange":
            options.pop("wins", None)
        if entry == "counter" or teams or n < 4:
            options.pop("sits_out", None)
        if entry != "rounds" or teams:
            options.pop("ender", None)
        elif "ender" in options:
            options["wins"] = "low"
        end = options.get("end", "open")
        if end == "rounds" and entry == "counter":
            end = options["end"] = "target"
        if end == "rounds":
            options["limit"] = 1 + dice.below(12)
        elif end == "target":
            options["limit"] = options.get("start", 0) + dice.pick((10, 40, 100, 500, -20, -300, 0))

    def event(self, game, dice, endless):
        """Return an event that mostly fits the state."""
        if dice.chance(1) and not endless:
            return {"ev": "end_game"}
        legal = game.legal()
        if dice.chance(6):
            event = _about_people(game, legal, dice)
            if event:
                return event
        if game.exchanges:
            playing = game.playing()
            if "double" in legal and dice.chance(5):
                return {"ev": "double", "k": 1 + dice.below(5)}
            winners = dice.some(playing, 1 + dice.below(len(playing) - 1))
            if max(len(winners), len(playing) - len(winners)) % min(len(winners), len(playing) - len(winners)):
                winners = winners[:1]
            return {"ev": "exchange", "winners": winners, "k": abs(_points(game, dice))}
        k = _points(game, dice)
        if not game.by_rounds:
            return {"ev": "add", "p": dice.pick(game.playing()), "k": k or 1}
        if "ended" in legal and dice.chance(20):
            return {"ev": "ended", "p": dice.pick(game.playing())}
        if "end_round" in legal and dice.chance(4):
            return {"ev": "end_round"} if dice.chance(20) else {"ev": "end_round", "confirm": True}
        p = dice.below(game.n) if dice.chance(3) else dice.pick(game.missing())
        return {"ev": "points", "p": p, "k": k}

    def argument(self, game, what, dice):
        if what == "winners":
            return dice.some(range(game.n), 1 + dice.below(game.n))
        if what == "name":
            return dice.pick(_JOINING)
        return super().argument(game, what, dice)


def _about_people(game, legal, dice):
    """Return an event by which somebody joins, leaves or comes back; None if that is not possible."""
    name = dice.pick(("away", "back", "back", "join"))
    if name not in legal:
        return None
    if name == "join":
        free = [one for one in _JOINING if one not in game.names]
        event = {"ev": name, "name": dice.pick(free)}
        return dict(event, k=_points(game, dice)) if dice.chance(50) else event
    seats = [p for p in range(game.n) if (p in game.gone) == (name == "back") and game.now[p] is None]
    return {"ev": name, "p": dice.pick(seats)} if seats else None


def _points(game, dice):
    """Return the points of an entry, mostly towards the target, sometimes none or far away from it."""
    spread = dice.pick(_SPREAD[:3]) if dice.chance(97) else dice.pick(_SPREAD)
    k = dice.below(spread + 1)
    down = game.options["end"] == "target" and game.options["limit"] < game.options["start"]
    return -k if down != dice.chance(15) else k


GAME = AnyGame
