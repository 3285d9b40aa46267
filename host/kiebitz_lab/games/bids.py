"""Describe games with bids to the laboratory: an evening of Wizard as key presses, its screens, and random games."""

from kiebitz.games.bids.rules import most_cards, usual_cards

from .base import FOUR, GameInLab, Lap, lines_of

# Fifteen rounds of Wizard, the bids and the tricks of each
WIZARD = (
    ((0, 0, 0, 1), (0, 0, 0, 1)),
    ((1, 0, 2, 0), (0, 0, 2, 0)),
    ((1, 2, 1, 0), (1, 2, 0, 0)),
    ((0, 3, 0, 0), (1, 3, 0, 0)),
    ((0, 1, 1, 1), (0, 2, 1, 2)),
    ((1, 3, 0, 1), (1, 3, 0, 2)),
    ((2, 3, 0, 2), (1, 3, 1, 2)),
    ((0, 2, 1, 1), (1, 4, 2, 1)),
    ((3, 4, 3, 3), (2, 2, 2, 3)),
    ((0, 3, 1, 1), (2, 5, 1, 2)),
    ((4, 3, 3, 4), (3, 3, 2, 3)),
    ((1, 4, 3, 3), (0, 5, 4, 3)),
    ((1, 3, 4, 4), (0, 4, 4, 5)),
    ((4, 4, 0, 1), (5, 6, 0, 3)),
    ((2, 4, 3, 3), (3, 4, 3, 5)),
)
_OH_HELL = {"points": "ten_plus", "cards": "up_down", "sum": "not_equal"}
_TITLES = ("Wizard", "Oh Hell", "wizard", "Ascenseur", "x" * 24)


def typed(change):
    """Return the fewest keys that change a number by this much."""
    if change < 0:
        return f"down*{-change}"
    right, rest = divmod(change, 3)
    keys = ([f"right*{right}"] if right else []) + [("", "up", "left")[rest]]
    return " ".join(filter(None, keys))


def evening(rounds):
    """Return the keys of a game, a line for each entry, starting left of the dealer; the last tricks are offered."""
    lines: list[str] = []
    for number, (bids, tricks) in enumerate(rounds):
        n = len(bids)
        order = [(number + turn) % n for turn in range(n)]  # the last seat deals first
        lines += [f"{typed(bids[p])} ok".strip() for p in order]
        lines += [f"{typed(tricks[p] - bids[p])} ok".strip() if p != order[-1] else "ok" for p in order]
    return "\n".join(lines) + "\n"


class Bids(GameInLab):
    """Games with bids in the laboratory."""

    SAMPLES = {"bids": ({"game": "bids", "players": FOUR, "title": "Wizard"}, evening(WIZARD))}
    TYPICAL = {"bids": ("a bid of one", "up ok")}
    ROUNDS = {"bids": (2 * len(FOUR), 14)}

    GROUP = "bids"
    FIRST_KEYS = {"": "up left right ok"}
    README_SCENES = ("bids are in",)
    PAGE_SCENES = ("bid", "bids are in", "tricks", "sheet", "not allowed")

    FAMILIES = {"title": ("Wizard", "Oh Hell"), "step": ("bid", "tricks", "fits", "bids_are_in", "bids_are_missing")}
    REFUSALS = {"step": "bid"}

    EARLY = "end_game"
    # A game has at most 234 entries: the longest one is filled up with other names of the seats
    LONG = {"bids": (8, {"title": "Oh Hell", "options": _OH_HELL})}

    def scenes(self, players, hard=False):
        n = len(players)
        wizard = {"game": "bids", "players": players, "title": "Wizard"}
        oh_hell = {"game": "bids", "players": players, "title": "Oh Hell", "options": _OH_HELL}
        if hard:  # more players than Wizard has, and the highest points
            wizard = {**oh_hell, "options": {"points": "ten_plus"}}
        points = wizard.get("options", {}).get("points", "wizard")
        most = usual_cards(points, n)

        def played(cards):
            """Return the events of a round in which the first player makes all tricks."""
            bids = [cards if p == 0 and hard else min(p % 3, cards) for p in range(n)]
            tricks = [cards if p == 0 else 0 for p in range(n)]
            bid = [{"ev": "bid", "p": p, "k": bids[p]} for p in range(n)]
            return bid + [{"ev": "tricks", "p": p, "k": tricks[p]} for p in range(n)]

        rounds = [event for cards in range(1, 5) for event in played(cards)]
        bidding = [*rounds, *[{"ev": "bid", "p": p, "k": 1} for p in range(2)]]
        bidden = [*rounds, *[{"ev": "bid", "p": p, "k": 2 if p == 0 else 1} for p in range(n)]]
        counting = [*bidden, {"ev": "tricks", "p": 0, "k": 2}]
        last = [*bidden, *[{"ev": "tricks", "p": p, "k": int(p == 0)} for p in range(n - 1)]]
        whole = [event for cards in range(1, most + 1) for event in played(cards)]
        equal = [{"ev": "bid", "p": p, "k": 0} for p in range(n - 1)]
        end = {"ev": "end_game"}
        fewer = {**_OH_HELL, "cards": "down"}
        return [
            ("first bid", wizard, [], ""),
            ("bid", wizard, bidding, "left"),
            ("bids are in", wizard, bidden, ""),
            ("tricks", wizard, counting, "down"),
            ("last tricks", wizard, last, ""),
            ("sum doubted", wizard, last, "up ok"),
            ("a trick missing", wizard, last, "down"),
            ("next round", wizard, rounds, ""),
            ("not allowed", oh_hell, equal, "up"),
            ("zero not allowed", oh_hell, [{"ev": "bid", "p": p, "k": int(p == 0)} for p in range(n - 1)], ""),
            ("three players", dict(wizard, players=players[:3]), [{"ev": "bid", "p": 0, "k": 1}], ""),
            ("five players", dict(wizard, players=[*players, "Eva"][:5]), [{"ev": "bid", "p": 0, "k": 1}], "up"),
            ("six players", dict(oh_hell, players=[*players, "Eva", "Finn"][:6]), [{"ev": "bid", "p": 0, "k": 1}], ""),
            ("dropped", wizard, bidding, "right undo"),
            ("taken back", wizard, bidding, "undo"),
            ("another player", wizard, bidding, "hold:right"),
            ("menu", wizard, bidden, "hold:ok at:bids.menu.other"),
            ("sheet", wizard, rounds, "hold:ok pick:bids.menu.sheet"),
            ("sheet of the running round", wizard, counting, "hold:ok pick:bids.menu.sheet down*3"),
            ("entry of the sheet", wizard, rounds, "hold:ok pick:bids.menu.sheet left down ok"),
            ("entries", wizard, counting, "hold:ok pick:menu.history"),
            ("correct a bid", wizard, bidden, "hold:ok pick:menu.history ok pick:history.correct"),
            ("house rules", wizard, bidding, "hold:ok pick:menu.rules at:opt.sum"),
            ("house rules of Oh Hell", oh_hell, equal, "hold:ok pick:menu.rules at:opt.points at:opt.sum"),
            ("house rules, fewer cards", dict(oh_hell, options=fewer), equal, "hold:ok pick:menu.rules"),
            ("fewer cards", wizard, rounds, "hold:ok pick:menu.rules pick:opt.most down ok"),
            ("other points", wizard, rounds, "hold:ok pick:menu.rules at:opt.points ok"),
            ("end of the game", wizard, bidden, "hold:ok pick:menu.end"),
            ("game over", wizard, whole, ""),
            ("final ranking", wizard, whole[:-1], "ok"),
            ("ended early", wizard, [*bidden, end], ""),
        ]

    def setup_scenes(self, seated):
        ready = f"{seated} right"
        return [
            ("Wizard, ready", ready),
            ("Wizard, end of the set-up", ready + " at:opt.sum"),
            ("Wizard, largest hand", ready + " pick:opt.most down*3"),
            ("Wizard, up and down", ready + " at:opt.cards right*2"),
        ]

    def laps(self):
        _, keys = self.SAMPLES["bids"]
        looks = ["menu:bids.menu.sheet left back:table", "menu:bids.menu.other", "menu:menu.end ok", "ok"]
        return [Lap("ok ok", "pick:opt.most down ok pick:new.start", lines_of(keys)[:16], looks, ends=True)]

    def menu_key(self, device):
        """Return the key that opens the menu of the table."""
        return "left" if device.game.over else "hold:ok"

    # --- random games ---

    def furnish(self, line, n, dice):
        """Add a title to a set-up, a way of counting points for its number of players, and sometimes a largest hand."""
        if dice.chance(60):
            line["title"] = dice.pick(_TITLES)
        options = line["options"]
        if n > 6:
            options["points"] = "ten_plus"
        if dice.chance(70):
            most = 1 + dice.below(4) if dice.chance(80) else 1 + dice.below(20)
            options["most"] = min(most, most_cards(options.get("points", "wizard"), n))

    def event(self, game, dice, endless):
        """Return an event that mostly fits the state."""
        missing = game.missing()
        if endless:
            last = game.rounds_over() + 1 == len(game.hands) and game.phase == "TRICKS" and len(missing) == 1
            if last or dice.chance(55):
                return {"ev": "seats", "players": game.names[1:] + game.names[:1]}
        p = dice.below(game.n) if dice.chance(3) else dice.pick(missing)
        name = "bid" if game.phase == "BID" else "tricks"
        if dice.chance(1):
            name = dice.pick(("bid", "tricks"))
        left = game.cards - sum([k or 0 for k in game.entered()])
        k = dice.below(game.cards + 1) if dice.chance(30) else dice.below(min(3, game.cards) + 1)
        if len(missing) == 1 and dice.chance(75 if name == "tricks" else 25):
            k = max(-1, left)
        elif name == "tricks" and dice.chance(60):
            k = max(0, min(k, left))
        event = {"ev": name, "p": p, "k": k}
        if name == "tricks" and len(missing) == 1 and dice.chance(50):
            event["confirm"] = True
        return event


GAME = Bids
