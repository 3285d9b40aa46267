"""The league as tables for people: the ranking, and who stands ahead of whom."""

from kiebitz.rules import GAMES
from kiebitz.ui.texts import text
from rich.text import Text

from ..terminal import Terminal, short_names, shown, table

SHORT = {"royal_flush": "RF", "poker_carre": "PC", "poch": "Poch", "top_spot": "TS"}
NAME = 9  # letters of a name in the head of the square
SQUARE_MAX = 12  # players in the square of head to head


def print_league(league, names, kind, player, persons):
    terminal = Terminal()
    title = text(f"game.{kind}") if kind else "All games"
    count = "1 finished game" if league.games == 1 else f"{league.games:,} finished games"
    terminal.print(Text(f"{title} · {count}", style="bold"))
    terminal.print()
    terminal.print(_one(league, names, kind, persons) if kind else _all(league, names, persons))
    terminal.print()
    if player is None:
        _print_square(terminal, league, names, persons)
    else:
        _print_pairs(terminal, league, names, player, persons)


def _streak(number):
    return f"W{number}" if number > 0 else f"L{-number}"


def _one(league, names, kind, persons):
    heads = ("Played", "Wins", "Shared", "Points", "Average", "Streak", "Best", "Elo")
    sheet = table("", "Player", *heads, numbers=("", *heads), wrap=("Player",))
    for place, person in enumerate(persons, 1):
        line = league.standings[person]
        numbers = [line.played, line.wins, line.shared, line.points, f"{line.average:.1f}", _streak(line.streak)]
        numbers += [f"W{line.best}" if line.best else "-", f"{line.ratings[kind]:.0f}"]
        sheet.add_row(str(place), _name(names[person]), *map(str, numbers))
    return sheet


def _all(league, names, persons):
    """Over all games: points of different games do not add up, so there are none, but every Elo."""
    kinds = [kind for kind in GAMES if any(kind in line.ratings for line in league.standings.values())]
    heads = ("Played", "Wins", "Shared", "Won %", "Streak", *[f"Elo {SHORT[kind]}" for kind in kinds])
    sheet = table("", "Player", *heads, numbers=("", *heads), wrap=("Player",))
    for place, person in enumerate(persons, 1):
        line = league.standings[person]
        share = f"{100 * (line.wins + line.shared) / line.played:.0f}"
        numbers = [line.played, line.wins, line.shared, share, _streak(line.streak)]
        ratings = [f"{line.ratings[kind]:.0f}" if kind in line.ratings else "·" for kind in kinds]
        sheet.add_row(str(place), _name(names[person]), *map(str, numbers), *ratings)
    return sheet


def _name(name):
    return Text(shown(name), overflow="ellipsis", no_wrap=True)


def _print_square(terminal, league, names, persons):
    """Everybody in the left column against everybody in the head: ahead-level-behind."""
    if len(persons) < 2:
        return
    room = (terminal.width - 24) // (NAME + 3)
    among = persons[: max(2, min(SQUARE_MAX, room))]
    heads = short_names([names[person] for person in among], NAME)
    sheet = table("Head to head", *heads, numbers=heads, wrap=("Head to head",))
    for person in among:
        cells = [_cell(league, person, other) for other in among]
        sheet.add_row(_name(names[person]), *cells)
    terminal.print(sheet)
    rest = len(persons) - len(among)
    more = f" {rest} more players: see --player NAME." if rest else ""
    terminal.print(Text(f"\nOf games together: ahead - level - behind.{more}", style="dim"))


def _cell(league, person, other):
    if person == other:
        return ""
    results = league.between(person, other)
    return "-".join(map(str, results)) if any(results) else "·"


def _print_pairs(terminal, league, names, player, persons):
    heads = ("Games", "Ahead", "Level", "Behind")
    sheet = table(f"{shown(names[player])} against", *heads, numbers=heads)
    for person in persons:
        results = league.between(player, person) if person != player else (0, 0, 0)
        if any(results):
            sheet.add_row(_name(names[person]), str(sum(results)), *map(str, results))
    terminal.print(sheet)
