"""Generate random Top Spot: tallied points, or refereed tricks with ties, jokers and hands that run out."""

EARLY = "end_match"  # ends a game before its end


def furnish(line, n, dice):
    """Add a random level, mode and match length to a set-up."""
    line["level"] = dice.pick(("junior", "expert"))
    if dice.chance(60):
        line["mode"] = dice.pick(("assisted", "tally"))
    if dice.chance(40):
        line["match_length"] = dice.pick((n, 1, 2, 2 * n, n + 1))
        if line["match_length"] % n:
            line["confirm"] = True


def event(game, dice, endless):
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
    plays = []
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
    event = {"ev": "trick", "plays": plays}
    if useless and dice.chance(90):
        event["confirm"] = True
    return event
