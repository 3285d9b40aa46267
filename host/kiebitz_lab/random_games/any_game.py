"""Generate random sheets of any other game: rounds and counters, high and low, every way to end."""

EARLY = "end_game"  # ends a game before its end

_TITLES = ("Skyjo", "skyjo", "Wizard", " Phase 10 ", "Poch", "Jeu d'été", '5"\\', "李雷 游戏", "x" * 24)
_STARTS = (1, 20, 100, -50, 501)
_SPREAD = (2, 12, 60, 250, 100000)  # points of an entry, up to


def furnish(line, n, dice):
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


def event(game, dice, endless):
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
    """Return the points of an entry: mostly towards the target, sometimes none or far away from it."""
    spread = dice.pick(_SPREAD[:3]) if dice.chance(97) else dice.pick(_SPREAD)
    k = dice.below(spread + 1)
    down = game.options["end"] == "target" and game.options["limit"] < game.options["start"]
    return -k if down != dice.chance(15) else k
