"""Run `kiebitz league`: print the ranking over all games or for one game, with head to head and Elo."""

from kiebitz.text import text

from .. import languages
from ..league.columns import AVERAGE, ORDERS, WINS
from ..league.names import is_guest
from ..league.standings import facts, league_table
from ..library import people, query
from ..library.location import read_store
from ..outcome import OK, Trouble
from ..printable import say
from ..show.present import nobody, print_json
from .options import (
    add_db_option,
    add_game_option,
    add_imported_option,
    add_json_option,
    add_period_options,
    chosen_period,
)

DESCRIPTION = (
    "Show who has played, won and scored how much, over all games or for one of them. Only finished games count, "
    "and games that were ended early only with --early. "
    "Streak: games won in a row (W3), or not won (L2). Elo is computed for each game and each title separately: "
    "everybody starts at 1500; a game with n players counts as a match of every player against every other, and moves "
    "a rating by 32 / (n - 1) times the actual results minus the expected ones. In a period only its games count, "
    "for ratings too. Guests have no place: a game counts for those who have a name."
)


def add(subparsers):
    parser = subparsers.add_parser("league", description=DESCRIPTION)
    parser.add_argument("named", metavar="GAME", nargs="?", help="only this game: like --game")
    add_game_option(parser)
    parser.add_argument("--player", metavar="NAME", help="head to head of this player against everybody")
    add_period_options(parser)
    parser.add_argument(
        "--by", choices=ORDERS, default=WINS, help="the order in one game: wins, points a game, or Elo (default wins)"
    )
    parser.add_argument("--early", action="store_true", help="count the games that were ended early, too")
    add_imported_option(parser)
    add_json_option(parser)
    languages.add_option(parser)
    add_db_option(parser)
    return parser


def _has_no_place(name):
    if is_guest(name):
        return f"{name} is a guest, and has no place in a league without a name: see `kiebitz players rename`."
    return f"{name} has not finished such a game yet."


def run(args):
    languages.speak(args)
    if args.named is not None and args.game is not None:
        raise Trouble("name the game once, with --game or without.")
    word = args.named if args.game is None else args.game
    period = chosen_period(args)
    wanted, left_out = [
        query.Filter(game=word, since=period.since, until=period.until, finished=True, early=early, imported=imported)
        for early, imported in ((None if args.early else False, None if args.imported else False), (True, False))
    ]
    not_theirs = query.Filter(game=word, since=period.since, until=period.until, imported=True)
    with read_store(args) as store:
        league = query.league(store.db, wanted)
        early = 0 if args.early else query.count(store.db, left_out)
        imported = 0 if args.imported else query.count(store.db, not_theirs)
        names = people.names_by_id(store.db)
        player = people.find(store.db, args.player) if args.player else None
        titles = query.titles(store.db)
        chosen = None if word is None else query.find_league(store.db, word)[1]
        if chosen and len(league.leagues) == 1:
            (chosen,) = league.leagues  # of a kind with titles, if only one title was played
        one = chosen if len(league.leagues) < 2 else None
        low = args.by == AVERAGE and one is not None and query.is_low(store.db, one, wanted)
    if one is None and args.by != WINS and league.standings:
        raise Trouble(f"over several games only wins can be compared: name one game for --by {args.by}.")
    if player is not None and player not in league.standings:
        raise Trouble(_has_no_place(names[player]))
    standings = league_table(league, names, one, args.by, low)
    if args.json:
        print_json(facts(league, standings, names, titles, chosen, one, player))
    elif not league.standings:
        say(nobody(league, period))
    else:
        from ..show.league_tables import print_league  # imports rich, which the help and --json do not need

        print_league(league, standings, names, titles, chosen, one, player, period)
    if early and not args.json:
        say(text("league.early", n=early))
    if imported and not args.json:
        say(text("league.imported", n=imported))
    return OK
