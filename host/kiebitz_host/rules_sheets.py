"""What `kiebitz rules` tells, as tables for people."""

from rich.text import Text

from .terminal import Terminal, table

# What a level of Top Spot changes, beside the number of cards
_LEVEL_RULES = {
    "junior": "A tie goes to the play that was made first.",
    "expert": "One joker for each player; a tie is played off.",
}


def print_games(games):
    found = table("Game", "Id", "Players")
    for game in games:
        found.add_row(game["name"], game["game"], "{} to {}".format(*game["players"]))
    terminal = Terminal()
    terminal.print(found)
    terminal.print("\nkiebitz rules ID shows the house rules of a game.")


def print_rules(facts):
    terminal = Terminal()
    terminal.print(Text("{} · {} to {} players".format(facts["name"], *facts["players"]), style="bold"))
    parts = [_settings("House rule (* default)", facts["options"], "What the other value changes")]
    parts.append(_settings("Set-up (* default)", facts["setup"], "What it says"))
    parts.extend(_TABLES[facts["game"]](facts))
    for part in parts:
        terminal.print()
        terminal.print(part)


def _settings(title, settings, effect):
    found = table(title, "Values", effect, wrap=(effect,))
    for setting in settings:
        first, *others = setting["values"]
        values = [f"{first} *", *map(str, others)] if others else [f"{first} *", "any number"]
        found.add_row(setting["name"], "\n".join(values), setting["effect"])
    return found


def _boards(facts):
    found = table("Board", "Id", "Slots", "Cards", "Cat", "Starter", numbers=("Cards",))
    for board in facts["boards"]:
        slots = " ".join(f"{value:2}" for value in board["slots"])
        starter = "yes" if board["starter"] else ""
        found.add_row(board["name"], board["id"], slots, str(board["cards"]), board["category"] or "-", starter)
    yield found


def _scoring(facts):
    found = table("Points", "Straight", "Colour", "Set", numbers=("Points",))
    for row in facts["scoring"]:
        sizes = [" or ".join(map(str, row[kind])) or "-" for kind in ("straight", "colour", "set")]
        found.add_row(str(row["points"]), *sizes)
    yield found


def _poch(facts):
    names = ", ".join(pool["name"] for pool in facts["pools"])
    yield Text(f"Pools: {names}. Ante: 1 chip for each, {facts['ante']} in all.")
    counts = ("Players", "Chips each", "In the box")
    found = table(*counts, "Cards, the dealer last", numbers=counts)
    for deal in facts["deals"]:
        cells = [str(deal[key]) for key in ("players", "chips", "box")]
        found.add_row(*cells, " ".join(map(str, deal["hands"])))
    yield found


def _levels(facts):
    found = table("Level", "Id", "Cards each", "Rules", numbers=("Cards each",), wrap=("Rules",))
    for level in facts["levels"]:
        found.add_row(level["name"], level["id"], str(level["cards"]), _LEVEL_RULES[level["id"]])
    yield found


_TABLES = {"royal_flush": _boards, "poker_carre": _scoring, "poch": _poch, "top_spot": _levels}
