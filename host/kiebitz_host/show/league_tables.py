"""Print a league in the terminal: the ranking over all games or of one game, and head to head."""

from kiebitz.games import GAMES
from kiebitz.text import text
from rich.text import Text

from ..league.columns import ELO, short_streak, streak_words, whole_text
from ..league.names import league_name
from ..league.standings import most_played
from ..terminal import Terminal, short_names, shown, table

NAME = 9  # letters of a name in a header of the head-to-head table
ELO_HEAD = 9  # letters of the name of a game in a header
ELO_MIN = 4  # columns of Elo, however narrow the terminal is
BEFORE_ELO = 46  # terminal columns taken by name and results
SQUARE_MAX = 12  # players in the head-to-head table


def print_league(league, standings, names, titles, chosen, one, player, period):
    """Print the league. chosen: the requested league or kind of game; one: the league, unless there are several."""
    terminal = Terminal()
    title = league_name(chosen, titles) if chosen else text("league.all")
    count = text("league.count", n=whole_text(league.games))
    when = f" {period.in_words()}" if period else ""
    terminal.print(Text(f"{title} · {count}{when}", style="bold"))
    terminal.print()
    if one:
        terminal.print(_one(standings, one))
    else:
        _print_all(terminal, league, standings, titles)
    terminal.print()
    terminal.print(Text(_streak_legend(), style="dim"))
    terminal.print()
    persons = [row.person for row in standings.rows]
    if player is None:
        _print_square(terminal, league, names, persons)
    else:
        _print_pairs(terminal, league, names, player, persons)


def _standings(heads):
    """Return a table of players; all columns but the first are numbers."""
    player = text("sheet.player")
    sheet = table("", player, *heads, numbers=("", *heads), wrap=(player,))
    sheet.padding = (0, 1, 0, 0)  # less padding, because this many columns leave little space for names
    return sheet


def _one(standings, one):
    sheet = _standings([*standings.heads(), standings.marked(ELO, "Elo")])
    for row in standings.rows:
        sheet.add_row(str(row.place), _name(row.name), *standings.cells(row, "-"), row.rating(one))
    return sheet


def _print_all(terminal, league, standings, titles):
    """Print the ranking over several leagues, with the Elo of the most played leagues, as many as fit."""
    room = max(ELO_MIN, (terminal.width - BEFORE_ELO) // (ELO_HEAD + 1))
    most = most_played(league, room)
    kinds = [kind for kind in GAMES if kind in most]
    kinds += [found for found in most if found not in kinds]
    short = short_names([_short(league_name(kind, titles)) for kind in kinds], ELO_HEAD)
    heads = [*standings.heads(), *[text("league.elo", game=game.replace(" ", "\u00a0")) for game in short]]
    sheet = _standings([head.replace(" ", "\n") for head in heads])
    for column in sheet.columns:
        column.vertical = "bottom"
    for row in standings.rows:
        ratings = [row.rating(kind) for kind in kinds]
        sheet.add_row(str(row.place), _name(row.name), *standings.cells(row, "-"), *ratings)
    terminal.print(sheet)
    if rest := len(league.leagues) - len(kinds):
        terminal.print()
        terminal.print(Text(text("league.others", n=rest), style="dim"))


def _streak_legend():
    """Return what a streak in the table means, like "W2 = 2 won, L2 = 2 lost"."""
    return ", ".join(f"{short_streak(n)} = {streak_words(n)}" for n in (2, -2))


def _short(game):
    """Return the initials of a name with several capitals (RF for Royal Flush), and any other name unchanged."""
    capitals = "".join(filter(str.isupper, game))
    return capitals if len(capitals) > 1 else game


def _name(name):
    return Text(shown(name), overflow="ellipsis", no_wrap=True)


def _print_square(terminal, league, names, persons):
    """Print the results of each player in the left column against each in the header: ahead-level-behind."""
    if len(persons) < 2:
        return
    room = (terminal.width - 24) // (NAME + 3)
    among = persons[: max(2, min(SQUARE_MAX, room))]
    heads = short_names([names[person] for person in among], NAME)
    title = text("league.square")
    sheet = table(title, *heads, numbers=heads, wrap=(title,))
    for person in among:
        cells = [_cell(league, person, other) for other in among]
        sheet.add_row(_name(names[person]), *cells)
    terminal.print(sheet)
    rest = len(persons) - len(among)
    sentences = [text("league.legend"), *([text("league.more", n=rest)] if rest else [])]
    terminal.print()
    terminal.print(Text(" ".join(sentences), style="dim"))


def _cell(league, person, other):
    if person == other:
        return ""
    results = league.between(person, other)
    return "-".join(map(str, results)) if any(results) else "·"


def _print_pairs(terminal, league, names, player, persons):
    heads = [text(f"league.{name}") for name in ("games", "ahead", "level", "behind")]
    sheet = table(text("league.against", name=shown(names[player])), *heads, numbers=heads)
    for person in persons:
        results = league.between(player, person) if person != player else (0, 0, 0)
        if any(results):
            sheet.add_row(_name(names[person]), str(sum(results)), *map(str, results))
    terminal.print(sheet)
