"""What `kiebitz rules` tells, as tables for people."""

from kiebitz.text import has, text
from rich.text import Text

from ..terminal import Terminal, table


def print_games(games):
    found = table(*_headers("game", "id", "players"))
    for game in games:
        low, high = game["players"]
        found.add_row(game["name"], game["game"], text("rules.range", low=low, high=high))
    terminal = Terminal()
    terminal.print(found)
    terminal.print()
    terminal.print(text("rules.more"))


def print_rules(facts):
    terminal = Terminal()
    low, high = facts["players"]
    terminal.print(Text(text("rules.head", game=facts["name"], low=low, high=high), style="bold"))
    parts = [_settings(facts, "options", "house", "changes"), _settings(facts, "setup", "setup", "says")]
    parts.extend(_TABLES[facts["game"]](facts))
    for part in parts:
        terminal.print()
        terminal.print(part)


def _headers(*names):
    return [text(f"rules.{name}") for name in names]


def _settings(facts, part, title, effect):
    """Two lines for each: what it is called with its values, then its id with what it does."""
    name, values, does = _headers(title, "values", effect)
    second = f"{values}\n{does}"
    found = table(name, second, wrap=(second,))
    for setting in facts[part]:
        first, *others = [_value(facts["game"], setting["name"], value) for value in setting["values"]]
        words = ", ".join([f"{first} *", *(others or [text("rules.any")])])
        lines = [setting["name"]] if "label" not in setting else [setting["label"], setting["name"]]
        found.add_row(lines[0], words)
        found.add_row(Text(lines[1] if len(lines) > 1 else "", style="dim"), setting["effect"])
    return found


def _value(kind, name, value):
    """A value in words, with its id in brackets where that is another one."""
    for key in (f"val.{value}.{kind}", f"val.{value}", f"{name}.{value}"):
        if has(key) and text(key) != value:
            return text("rules.value", words=text(key), id=value)
    return str(value)


def _boards(facts):
    headers = [text("sheet.board"), *_headers("id", "slots"), text("sheet.cards"), *_headers("category", "starter")]
    found = table(*headers, numbers=headers[3:4])
    for board in facts["boards"]:
        slots = " ".join(f"{value:2}" for value in board["slots"])
        starter = text("rules.yes") if board["starter"] else ""
        found.add_row(board["name"], board["id"], slots, str(board["cards"]), board["category"] or "-", starter)
    yield found


def _scoring(facts):
    kinds = ("straight", "colour", "set")
    headers = [*_headers("points"), *[text(f"kind.{kind}") for kind in kinds]]
    found = table(*headers, numbers=headers[:1])
    for row in facts["scoring"]:
        found.add_row(str(row["points"]), *[_sizes(row[kind]) for kind in kinds])
    yield found


def _sizes(sizes):
    """At most two sizes score the same."""
    return text("rules.or", first=sizes[0], last=sizes[1]) if len(sizes) > 1 else "".join(map(str, sizes)) or "-"


def _poch(facts):
    names = ", ".join(pool["name"] for pool in facts["pools"])
    yield Text(text("rules.pools", names=names, n=facts["ante"]))
    counts = _headers("players", "chips", "box")
    found = table(*counts, *_headers("hands"), numbers=counts)
    for deal in facts["deals"]:
        cells = [str(deal[key]) for key in ("players", "chips", "box")]
        found.add_row(*cells, " ".join(map(str, deal["hands"])))
    yield found


def _levels(facts):
    headers = _headers("levels", "id", "cards", "rules")
    found = table(*headers, numbers=headers[2:3], wrap=headers[3:])
    for level in facts["levels"]:
        found.add_row(level["name"], level["id"], str(level["cards"]), text(f"rules.{level['id']}"))
    yield found


_TABLES = {"royal_flush": _boards, "poker_carre": _scoring, "poch": _poch, "top_spot": _levels}
