"""`kiebitz league`: prints the ranking of all players, over all games or for one game, with head to head and Elo."""

from kiebitz.text import text

from .. import languages
from ..outcome import OK, Trouble
from ..printable import say
from ..results.present import add_json_option, add_period_options, game_kind, print_json
from ..results.results_file import add_db_option, read_store

DESCRIPTION = (
    "Show who has played, won and scored how much, over all games or for one of them. Only finished games count, "
    "and those that the table has ended early only with --early. "
    "Streak: games won in a row (W3), or not won (L2). Elo is kept for each game by itself: everybody starts at 1500; "
    "a game with n players counts as a match of every player against every other, and moves a rating by 32 / (n - 1) "
    "times what was won more than expected. With --since, everything begins there, ratings too."
)


def add(subparsers):
    parser = subparsers.add_parser("league", help="show tables, head to head and Elo", description=DESCRIPTION)
    parser.add_argument("game", metavar="GAME", nargs="?", type=game_kind, help="only this game")
    parser.add_argument("--player", metavar="NAME", help="head to head of this player against everybody")
    add_period_options(parser)
    parser.add_argument("--early", action="store_true", help="count the games that were ended early, too")
    add_json_option(parser)
    languages.add_option(parser)
    add_db_option(parser)
    return parser


def run(args):
    from ..results import people, query
    from ..results.league import League

    languages.speak(args)
    wanted, left_out = [
        query.Filter(game=args.game, since=args.since, until=args.until, finished=True, early=early)
        for early in (None if args.early else False, True)
    ]
    with read_store(args) as store:
        league = League(query.league_rows(store.db, wanted))
        early = 0 if args.early else query.count(store.db, left_out)
        names = dict(store.db.rows("SELECT id, name FROM people"))
        player = people.find(store.db, args.player) if args.player else None
    if player is not None and player not in league.standings:
        raise Trouble(f"{names[player]} has not finished such a game yet.")
    if args.json:
        print_json(facts(league, names, args.game, player))
    elif not league.games:
        say(text("league.none"))
    else:
        show(league, names, args.game, player)
    if early and not args.json:
        say(text("league.early", n=early))
    return OK


def order(league, names, kind):
    """Return all persons, best first: by Elo in one game, by wins over all games."""

    def key(person):
        standing = league.standings[person]
        wins = (-standing.wins, -standing.shared, standing.played, names[person])
        return (-round(standing.ratings[kind], 6), *wins) if kind else wins

    return sorted(league.standings, key=key)


def facts(league, names, kind, player):
    """Return the league in the form for programs."""
    persons = order(league, names, kind)
    pairs = [pair for pair in league.pairs if player is None or player in pair]
    return {
        "game": kind,
        "games": league.games,
        "players": [_player(league.standings[person], names[person], kind) for person in persons],
        "head_to_head": [_pair(league, names, *pair) for pair in sorted(pairs, key=lambda pair: _names(names, pair))],
    }


def _names(names, pair):
    return [names[person] for person in pair]


def _pair(league, names, a, b):
    ahead, level, behind = league.between(a, b)
    return {"a": names[a], "b": names[b], "ahead": ahead, "level": level, "behind": behind}


def _player(standing, name, kind):
    ratings = {game: round(rating, 1) for game, rating in standing.ratings.items()}
    return {
        "name": name,
        "played": standing.played,
        "wins": standing.wins,
        "shared": standing.shared,
        "points": standing.points,
        "average": round(standing.average, 2),
        "streak": standing.streak,
        "best_streak": standing.best,
        "elo": ratings[kind] if kind else ratings,
    }


def show(league, names, kind, player):
    from ..results.league_sheet import print_league

    print_league(league, names, kind, player, order(league, names, kind))
