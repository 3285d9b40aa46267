"""Run `kiebitz evening`: a club's evening, from the draw of the tables to standings and money."""

import secrets
import sys

from kiebitz.text import listed, text

from ..league import club_evening as club
from ..league.draw import SEED_MAX, table_sizes
from ..league.money import cents_of, fees_of, money_text
from ..league.season import evening_lines, of_teams, season_lines
from ..library import query
from ..library.club_evenings import Evenings
from ..library.club_games import settings_of
from ..library.location import open_store, read_store
from ..link.ports import ports
from ..outcome import BAD_USAGE, OK
from ..printable import capitalized, say
from ..show import club_tables
from ..show.present import print_json
from .evening_options import add_arguments, need
from .sync import on_every_device

add = add_arguments
READING = ("show", "standings", "history", "list")


def run(args):
    need(args.action, "choose what to do: `kiebitz evening --help` lists it.")
    reads = args.action in READING or (args.action == "season" and args.name is None)
    reads = reads or (args.action == "money" and not args.settle)
    with (read_store if reads else open_store)(args) as store:
        return _ACTIONS[args.action](args, Evenings(store))


def _chosen(args, found, cancelled=False, writes=True):
    """Return the evening of a command; if it changes one of another day, note that on standard error."""
    evening = found.find(args.evening, cancelled)
    if writes and not args.json and args.evening is None and evening.day != found.today():
        say(f"kiebitz: this is the evening {evening.name} of {evening.day}; today is {found.today()}.", sys.stderr)
    return evening


def _done(args, sentence, facts):
    if args.json:
        print_json(facts)
    else:
        say(sentence)
    return OK


def _with_csv(args, columns, rows):
    """Write CSV if the command asks for it. Returns True if it did."""
    if not args.csv:
        return False
    need(not args.json, "choose --csv or --json.")
    from ..export.files import csv_text, write_output  # imports rich and all rules

    write_output(csv_text(columns, rows), args.csv)
    return True


# --- an evening ---


def _new(args, found):
    return _write(args, found, None)


def _change(args, found):
    return _write(args, found, _chosen(args, found))


def _write(args, found, old):
    """Store an evening with the options of the command; those not given stay as they are."""

    def kept(value, name, default):
        return value if value is not None else getattr(old, name) if old else default

    game = args.game or old.game
    is_same = bool(old) and game == old.game
    rates = old.rates if old else club.Rates()
    key = found.save(
        old,
        name=kept(args.name, "name", "") or "",
        day=kept(args.day, "day", found.today()),
        game=game,
        title=args.title if args.title is not None else old.title if is_same else "",
        settings=settings_of(args.set) if args.set is not None else None,
        series=kept(args.series, "series", 1),
        sizes=args.sizes or (old.sizes if is_same else None),
        rates=club.Rates(
            rates.stake if args.stake is None else cents_of(args.stake),
            rates.fees if args.fees is None else fees_of(args.fees),
            rates.prizes if args.prizes is None else tuple(cents_of(word) for word in args.prizes),
        ),
    )
    return _show_again(args, found.store, key)


def _show_again(args, store, key):
    """Show an evening after a change."""
    found = Evenings(store)
    return _show_one(args, found, found.find(key.partition("/")[2], True))


def _show(args, found):
    return _show_one(args, found, _chosen(args, found, True, False))


def _show_one(args, found, evening):
    games = found.games([evening])
    results, notes = club.results_of(evening, games), club.notes_of(evening, games)
    if args.json:
        print_json(club_tables.evening_json(evening, results, notes))
    else:
        for line in club_tables.evening_lines(evening, results, notes):
            say(line)
    return OK


def _list(args, found):
    if args.json:
        print_json([club_tables.evening_json(one, {}, []) for one in found.all])
    elif not found.all:
        say("There is no evening yet: `kiebitz evening new NAME --game GAME` begins one.")
    else:
        for one in found.all:
            state = "cancelled" if one.cancelled else f"series drawn: {len(one.draws)} of {one.series}"
            say(f"{one.key.partition('/')[2][:6]}  {one.day}  {one.name} ({one.title or one.game}; {state})")
    return OK


def _cancel(args, found):
    evening = _chosen(args, found)
    found.cancel(evening)
    kept = len([spot for spot in evening.games.values() if spot])
    games = f" Its {kept} games stay in the lists and leagues." if kept else ""
    return _done(args, f"The evening {evening.name} is cancelled.{games}", {"cancelled": evening.name})


def _restore(args, found):
    some = [one for one in found.all if one.cancelled]
    need(some, "no evening is cancelled.")
    evening = some[-1] if args.evening is None else found.find(args.evening, True)
    need(evening.cancelled, f"the evening {evening.name} is not cancelled.")
    found.restore(evening)
    return _done(args, f"The evening {evening.name} is back.", {"restored": evening.name})


def _undo(args, found):
    evening = _chosen(args, found, True)
    made = found.history(evening)
    words = club_tables.decision_in_words(found.undo(evening), made)
    return _done(args, f"Undone: {words}.", {"undone": words})


def _history(args, found):
    made = found.history(_chosen(args, found, True, False))
    rows = club_tables.history_json(made)
    if args.json:
        print_json(rows)
    else:
        for row in rows:
            say(f"{row['made']}  {row['author']}: {row['what']}{'' if row['in_force'] else ' (undone)'}")
    return OK


# --- who is here ---


def _here(args, found):
    return _set_present(args, found, True)


def _gone(args, found):
    return _set_present(args, found, False)


def _set_present(args, found, here):
    evening = _chosen(args, found)
    names = found.persons(args.names, here and args.new)
    once = list(dict.fromkeys(names))
    for name in once:
        if names.count(name) > 1:
            say(f"kiebitz: {name} was named {names.count(name)} times, and counts once.", sys.stderr)
    series = args.series or evening.next_series()
    new = found.note_present(evening, once, here, series)
    if new and series in evening.draws:
        again = f"`kiebitz evening draw --series {series} --again`"
        say(f"kiebitz: series {series} is drawn already: {again} draws again.", sys.stderr)
    state = "here" if here else "gone"
    known = [name for name in once if name not in new]
    sentences = [f"{state.capitalize()} from series {series} on: {listed(new)}."] if new else []
    sentences += [f"No change for {listed(known)}."] if known else []
    facts = {state: new, "known": known, "series": series}
    return _done(args, " ".join(sentences), facts)


# --- draw and games ---


def _draw(args, found):
    evening = _chosen(args, found)
    need(args.series or len(evening.draws) < evening.series, "all series are drawn: --series N --again draws again.")
    series = args.series or evening.next_series()
    need(series <= evening.series, f"this evening has {evening.series} series.")
    need(evening.here[series], "nobody is here yet: `kiebitz evening here NAME ...`.")
    table_sizes(len(evening.here[series]), evening.sizes)  # raises Trouble
    method = args.by or ("lot" if series == 1 else "result")
    seed = secrets.randbelow(SEED_MAX + 1) if args.seed is None else args.seed
    found.draw(evening, series, method, seed, args.again)
    missing = club.open_tables(evening, club.results_of(evening, found.games([evening])), series - 1)
    if missing and method == "result":
        tables = listed([club.spots_text([spot]) for spot in missing])
        say(f"kiebitz: {text('club.page.open_tables', tables=tables)}", sys.stderr)
    return _show_again(args, found.store, evening.key)


def _seats(args, found):
    evening = _chosen(args, found)
    need(evening.draws, "no series is drawn yet: `kiebitz evening draw`.")
    series = args.series or max(evening.draws)
    need(series in evening.draws, f"series {series} is not drawn yet: `kiebitz evening draw`.")
    need(not args.table or args.port or len(ports()) < 2, "several Kiebitz are on USB: choose one with --port.")

    def clear(client):
        client.remove_seats()
        return {"table": None}

    def send(client):
        device = client.hello()["device"]
        now = Evenings(found.store)  # the device before this one has got a table
        own = now.find(evening.key.partition("/")[2])
        table = now.table_for(own, series, device, args.table)
        if table is not None:
            client.set_clock(int(found.store.now()))
            client.seats(club.seats_of(own, series, table))
            now.set_seats(own, series, table, device)
        return {"series": series, "table": table, "people": own.draws[series].tables[table - 1] if table else []}

    def sentence(done, place):
        if args.clear:
            return place + "no table waits there any more."
        if done["table"] is None:
            return place + f"no table of series {series} is left for it."
        return place + f"table {done['table']} of series {series}: {', '.join(done['people'])}."

    _, trouble = on_every_device(args, clear if args.clear else send, sentence)
    return BAD_USAGE if trouble else OK


def _assign(args, found):
    evening = _chosen(args, found)
    if args.game is None:
        need(not (args.none or args.series or args.table), "name the game that belongs there.")
        return _assign_all(args, found, evening)
    number = query.find(found.db, args.game)
    if args.none:
        found.take_off(evening, number)
        return _done(args, f"Game {number} is off the evening; it stays in the lists.", {"taken_off": number})
    spot = found.assign_one(evening, number, args.series, args.table)
    facts = {"game": number, "series": spot.series, "table": spot.table}
    return _done(args, club_tables.assigned_in_words(facts), facts)


def _assign_all(args, found, evening):
    need(evening.draws, "no series is drawn yet: `kiebitz evening draw`.")
    done = found.assign_fitting(evening)
    facts = found.assigned(evening, done.fits)
    if args.json:
        print_json({"assigned": facts, "asked": [_question(one) for one in done.asked]})
        return OK
    for fact in facts:
        say(club_tables.assigned_in_words(fact))
    for one in done.asked:
        say(capitalized(_question(one)))
    if not facts and not done.asked:
        say("There is no other finished game of this evening.")
    return OK


def _question(asked):
    return f"{asked.why}: `kiebitz evening assign {asked.number}` with --series and --table."


# --- standings and money ---


def _standings(args, found):
    over_evenings = args.season or args.since or args.until or args.game
    need(over_evenings or not (args.by or args.best or args.least), "--by, --best and --least are for a season.")
    if over_evenings:
        lines, one = _of_season(args, found), None
    else:
        (one,) = found.scores([_chosen(args, found, True, False)])
        one = of_teams(one) if args.teams else one
        lines = evening_lines(one)
    if _with_csv(args, *club_tables.standings_rows(lines, one, found.members())):
        return OK
    if args.json:
        print_json(club_tables.standings_json(lines, one))
    elif not lines:
        say("No game counts yet: `kiebitz evening assign` assigns finished games.")
    else:
        from ..terminal import Terminal  # slow to import, and not needed for --json

        Terminal().print(club_tables.standings_table(lines, one, args.teams))
    return OK


def _of_season(args, found):
    """Return the standings of a season, or of a period."""
    need(not (args.season and (args.since or args.until)), "choose --season, or --since and --until, but not both.")
    season = found.season(args.season) if args.season else None
    since, until = (season.since, season.until) if season else (args.since or "0001-01-01", args.until)
    need(until is None or since <= until, f"this period ends before it begins: {since} to {until}.")
    by = args.by or (season.by if season else "average")
    need(args.best is None or by == "best", "--best is for --by best.")
    scores = found.scores(found.in_days(since, until, args.game))
    scores = [of_teams(one) for one in scores] if args.teams else scores
    best, least = (season.best, season.least) if season else (1, 1)
    return season_lines(scores, by, args.best or best, args.least or least)


def _season(args, found):
    if args.name is None:
        return _list_seasons(args, found)
    if args.remove:
        found.remove_season(found.season(args.name))
        return _done(args, f"The season {args.name} is removed; its evenings stay.", {"removed": args.name})
    old = next((one for one in found.seasons if one.name.casefold() == args.name.casefold()), None)
    name = (old.name if old else args.name).strip()
    since = args.since or (old.since if old else None)
    until = args.until or (old.until if old else None)
    need(name, "a season needs a name.")
    need(since, f"there is no season {args.name!r}; --since DATE begins it.")
    need(until is None or since <= until, f"this season ends before it begins: {since} to {until}.")
    by = args.by or (old.by if old else "average")
    need(args.best is None or by == "best", "--best is for --by best.")
    values = {"by": by, "best": args.best or (old.best if old else 1), "least": args.least or (old.least if old else 1)}
    found.set_season(name, since=since, until=until, **values)
    end = f" to {until}" if until else ""
    return _done(args, f"Season {name}: from {since}{end}.", {"name": name, "since": since, "until": until, **values})


def _list_seasons(args, found):
    need(not (args.since or args.until or args.remove or args.by or args.best or args.least), "name the season.")
    if args.json:
        print_json(club_tables.seasons_json(found.seasons))
    elif not found.seasons:
        say("There is no season yet: `kiebitz evening season NAME --since DATE` begins one.")
    else:
        for one in found.seasons:
            best = f" {one.best} evenings" if one.by == "best" else ""
            say(
                f"{one.name}: {one.since} to {one.until or 'open'}, {one.by}{best}, places from {one.least} evenings on"
            )
    return OK


def _team(args, found):
    evening = _chosen(args, found)
    names = list(dict.fromkeys(found.person(word) for word in args.names))
    need(names or args.team in evening.teams, f"there is no team {args.team!r}: name its members.")
    found.set_team(evening, args.team.strip(), names)
    sentence = f"Team {args.team}: {listed(names)}." if names else f"The team {args.team} is removed."
    return _done(args, sentence, {"team": args.team, "members": names})


def _money(args, found):
    evening = _chosen(args, found, writes=args.settle)
    if args.settle:
        found.settle(evening)
        found = Evenings(found.store)
        evening = found.find(evening.key.partition("/")[2], True)
    sheet = found.money(evening)
    if _with_csv(args, club_tables.MONEY_COLUMNS, club_tables.money_rows(evening, sheet)):
        return OK
    if args.json:
        print_json(club_tables.money_json(evening, sheet))
        return OK
    from ..terminal import Terminal  # as above

    Terminal().print(club_tables.money_table(evening, sheet))
    if sheet.box < 0:
        say(f"\nThe prizes are {money_text(-sheet.box)} more than what comes in: the cash box pays it.")
    changed = [line.name for line in sheet.lines if evening.settled.get(line.name, line.balance) != line.balance]
    if changed:
        say(f"\nChanged since it was settled: {listed(changed)}.")
    return OK


_ACTIONS = {
    "new": _new, "change": _change, "here": _here, "gone": _gone, "draw": _draw, "seats": _seats, "show": _show,
    "assign": _assign, "standings": _standings, "season": _season, "team": _team, "money": _money,
    "undo": _undo, "history": _history, "list": _list, "cancel": _cancel, "restore": _restore,
}  # fmt: skip
