"""Read and change the evenings of a club. Every change is one decision, so it is stored as a whole or not at all."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kiebitz.games import Refused
from kiebitz.games.base import check_name
from kiebitz.text import game_name, text

from ..games import on_laptop
from ..league import club_evening as club
from ..league import season as standings
from ..league.club_evening import ClubGame, Evening, Season, Spot
from ..league.draw import draw_tables, meetings
from ..league.evenings import bounds, day_of
from ..league.money import MoneySheet, Rates, money_sheet
from ..league.names import folded, is_guest, joined, league_of
from ..outcome import Trouble
from ..printable import printable
from . import decisions, journals, people, query
from .club_decisions import PEOPLE_MAX, canonical, new_key
from .club_games import checked_game, games_by_key, games_by_number
from .database import Database
from .decisions import PEOPLE, Decision

if TYPE_CHECKING:
    from .store import Store

_DAY_S = 86_400


class Evenings:
    """All evenings and seasons of a store, read once; a method that changes one stores a decision."""

    def __init__(self, store: "Store"):
        self.store = store
        self.db: Database = store.db
        with self.db.reading():
            self._decided = decisions.about_clubs(self.db)
            who = people.who_is_who(decisions.about(self.db, PEOPLE))
        self._names = {spelling: person.name for spelling, person in who.items()}
        self.all: list[Evening] = []
        self.seasons: list[Season] = []
        for key, made in self._decided.items():
            if key.startswith("season/"):
                season = club.season_of(key, made)
                self.seasons += [season] if season else []
            else:
                evening = club.evening_of(key, made, self.called)
                self.all += [evening] if evening else []
        self.all.sort(key=lambda one: (one.day, self._decided[one.key][0].time, one.key))
        self.seasons.sort(key=lambda one: (one.since, one.name, one.key))

    def called(self, spelling: str) -> str:
        """Return the name of a person."""
        return self._names.get(spelling, spelling)

    def today(self) -> str:
        """Return the day of this evening by the clock."""
        return day_of(int(self.store.now()))

    def members(self) -> dict[str, people.Member]:
        """Return {name: number and club} of all members."""
        called = people.names_by_id(self.db)
        return {called[person]: facts for person, facts in people.members(self.db).items()}

    # --- find ---

    def find(self, word: str | None, cancelled: bool = False) -> Evening:
        """Return the evening with this name, day or beginning of its id; without a word today's, or the last one."""
        found = [one for one in self.all if cancelled or not one.cancelled]
        if word is None:
            if not found:
                raise Trouble("there is no evening: `kiebitz evening new NAME --game GAME` begins one.")
            return next((one for one in reversed(found) if one.day == self.today()), found[-1])
        for matches in (_has_id, _is_called, lambda one, text: one.key.partition("/")[2].startswith(text)):
            some = [one for one in found if matches(one, word)]
            if len(some) == 1:
                return some[0]
            if some:
                ids = ", ".join(f"{one.key.partition('/')[2][:6]} ({one.day})" for one in some)
                raise Trouble(f"{len(some)} evenings are called {word!r}: name one by its id, {ids}.")
        raise Trouble(f"there is no evening {word!r}: `kiebitz evening list` shows all.")

    def season(self, name: str) -> Season:
        """Return a season by its name."""
        found = [one for one in self.seasons if one.name.casefold() == name.strip().casefold()]
        if not found:
            raise Trouble(f"there is no season {name!r}: `kiebitz evening season` lists them.")
        return found[-1]  # two laptops may have made it at once

    def history(self, evening: Evening) -> list[Decision]:
        """Return all decisions about an evening, in order of effect."""
        return self._decided[evening.key]

    # --- games ---

    def games(self, evenings: Sequence[Evening]) -> dict[str, ClubGame]:
        """Return {key: game} of the games that are assigned to evenings."""
        return games_by_key(self.db, [key for one in evenings for key, spot in one.games.items() if spot])

    def scores(self, evenings: Sequence[Evening]) -> list[standings.EveningScores]:
        """Return the scores of evenings."""
        games = self.games(evenings)
        return [standings.scores_of(one, club.results_of(one, games)) for one in evenings]

    def in_days(self, since: str, until: str | None, game: str | None = None) -> list[Evening]:
        """Return the evenings of a period, all of one game; raise Trouble if there are several games."""
        by_game = self.by_game(since, until)
        if game is not None:
            exact = {key: some for key, some in by_game.items() if folded(key) == folded(game)}
            by_game = exact or {key: some for key, some in by_game.items() if some[0].game == joined(game)}
        if len(by_game) > 1:
            raise Trouble(text("club.several_games", games=" / ".join(sorted(by_game))))
        return next(iter(by_game.values()), [])

    def by_game(self, since: str, until: str | None) -> dict[str, list[Evening]]:
        """Return {title or kind of game: its evenings} of a period, the game played last at the end."""
        period = Season("", "", since, until, "", 1, 1)
        found: dict[str, list[Evening]] = {}
        for one in self.all:
            if not one.cancelled and period.has(one.day):
                key = one.title or one.game
                found[key] = [*found.pop(key, []), one]
        return found

    # --- changes ---

    def save(
        self,
        old: Evening | None,
        *,
        name: str,
        day: str,
        game: str,
        title: str,
        settings: dict[str, Any] | None,
        series: int,
        sizes: list[int] | None,
        rates: Rates,
    ) -> str:
        """Begin an evening, or change `old`, after a check that its game can be played. Returns its key.

        settings: None for those that `old` has, or the usual ones of a new title.
        """
        name = name.strip()
        if not name:
            raise Trouble(text("club.no_name"))
        if old is None and any((one.name, one.day) == (name, day) for one in self.all):
            raise Trouble(text("club.known", name=name))
        found = checked_game(game, title, settings, sizes, old)
        if rates.fees and not found.loses:
            raise Trouble(text("club.no_fees", game=game_name(game, found.title)))
        drawn = max(old.draws, default=0) if old else 0
        if series < drawn:
            raise Trouble(text("club.series_drawn", series=drawn))
        key = old.key if old else new_key("evening")
        self.write(
            key,
            name=name,
            day=day,
            game=game,
            title=found.title,
            settings=canonical(found.settings),
            series=series,
            sizes=found.sizes,
            money={"stake": rates.stake, "fees": [list(fee) for fee in rates.fees], "prizes": list(rates.prizes)},
        )
        return key

    def note_present(self, evening: Evening, names: list[str], here: bool, series: int) -> list[str]:
        """Store who is here, or gone, from a series on. Returns those for whom that is a change."""
        for name in names:
            if is_guest(name):
                raise Trouble(text("club.guest", name=name))
        if series > evening.series:
            raise Trouble(text("club.few_series", series=evening.series))
        later = [evening.here[k] for k in range(series, evening.series + 1)]
        new = [name for name in names if any((name in present) != here for present in later)]
        if here and new and max(len({*present, *new}) for present in later) > PEOPLE_MAX:
            raise Trouble(text("club.too_many", n=PEOPLE_MAX))
        if new:
            self.set_present(evening, new, here, series)
        return new

    def _decide(self, key: str, kind: str, **values: Any) -> Decision:
        with self.store.batch():
            made = decisions.decide(self.db, kind, key, **values)
            people.add_present(self.db, [made])
        return made

    def write(self, key: str, **values: Any) -> None:
        """Store the name, the game and the rates of an evening."""
        self._decide(key, "evening", **values)

    def set_present(self, evening: Evening, names: list[str], here: bool, series: int) -> None:
        """Store who is here, or not, from a series on."""
        self._decide(evening.key, "present", names=names, here=here, series=series)

    def person(self, word: str, is_new: bool = False) -> str:
        """Return the name of a person; with `is_new`, anybody can be one."""
        if people.is_known(self.db, word):
            return people.name_of(self.db, people.find(self.db, word))
        if not is_new:
            raise Trouble(f"there is nobody called {word!r}: `kiebitz evening here --new` takes new people.")
        try:
            return check_name(word)
        except Refused:
            raise Trouble(text("club.bad_name", word=printable(word))) from None

    def persons(self, words: Iterable[str], is_new: bool = False) -> list[str]:
        """Return the name of a person for each word; of people who have never played, two spellings are one person."""
        names: list[str] = []
        for word in words:
            name = self.person(word, is_new)
            names.append(next((known for known in names if known.casefold() == name.casefold()), name))
        return names

    def draw(self, evening: Evening, series: int, method: str, seed: int, again: bool = False) -> list[list[str]]:
        """Draw the tables of a series, and store them. Returns the tables."""
        with self.store.batch():
            found = Evenings(self.store)  # another laptop may have drawn since
            evening = found.find(evening.key.partition("/")[2])
            if series > evening.series:
                raise Trouble(f"this evening has {evening.series} series.")
            before = evening.draws.get(series)
            if before and not again:
                raise Trouble(text("club.drawn", series=series, author=before.author))
            if any(spot and spot.series == series for spot in evening.games.values()):
                raise Trouble(text("club.has_games", series=series))
            tables = found.drawn(evening, series, method, seed)
            known = [one.id for one in found.history(evening) if one.kind == "draw" and one.values["series"] == series]
            decisions.decide(
                self.db, "draw", evening.key, series=series, method=method, seed=seed, tables=tables, known=known[-50:]
            )
        return tables

    def drawn(self, evening: Evening, series: int, method: str, seed: int) -> list[list[str]]:
        """Return the tables as they would be drawn."""
        since = next((one.since for one in reversed(self.seasons) if one.has(evening.day)), _year_before(evening.day))
        past = [one for one in self.all if not one.cancelled and since <= one.day and _order(one) < _order(evening)]
        byes: dict[str, int] = {}
        draws = []
        for one in [*past, evening]:
            for number, draw in one.draws.items():
                if one is not evening or number < series:
                    draws.append(draw.tables)
                    for name in one.byes(number):
                        byes[name] = byes.get(name, 0) + 1
        points: dict[str, float] = {}
        if method == "result":
            (scores,) = self.scores([evening])
            if series < 2 or not scores.series.get(series - 1):
                raise Trouble(text("club.no_results", before=series - 1, series=series))
            sign = -1 if scores.low else 1
            points = {name: sign * score.points for name, score in scores.series[series - 1].items()}
        met = meetings(draws) if method == "meet" else None
        return draw_tables(evening.here[series], evening.sizes, method, seed, byes, points, met)

    def table_for(self, evening: Evening, series: int, device: str, table: int | None = None) -> int | None:
        """Return the table of a series that a device gets; None if all have a device or a game.

        A device keeps its table over the series if it can.
        """
        many = len(evening.draws[series].tables)
        if table is not None:
            if table > many:
                raise Trouble(text("club.no_table", series=series, table=table))
            return table
        holders = {one.spot: one.device for one in evening.seats}
        own = [one.spot for one in evening.seats if one.device == device and holders[one.spot] == device]
        played = club.results_of(evening, self.games([evening]))
        free = [
            k
            for k in range(1, many + 1)
            if holders.get(Spot(series, k), device) == device and Spot(series, k) not in played
        ]
        wanted = [spot.table for spot in own if spot.series == series] or [spot.table for spot in own[-1:]]
        return next((k for k in [*wanted[-1:], *free] if k in free), None)

    def set_seats(self, evening: Evening, series: int, table: int, device: str) -> None:
        """Store which table a device has got, unless that is known."""
        sent = [one for one in evening.seats if one.device == device]
        if not sent or sent[-1].spot != (series, table):
            self._decide(evening.key, "seats", series=series, table=table, device=device)

    def assignment(self, evening: Evening) -> club.Assignment:
        """Return the finished games of the evening's day that belong to its tables, and the undecided ones."""
        since, until = bounds(evening.day)
        found = query.games(self.db, query.Filter(since=since - _DAY_S, until=until + _DAY_S, finished=True))
        records = journals.load_all(self.db, [game["number"] for game in found if game["game"] == evening.game])
        candidates = games_by_number(self.db, {number: record.key for number, record in records.items()})
        others = [one for one in self.all if one.key != evening.key and not one.cancelled]
        elsewhere = {key for one in others for key, spot in one.games.items() if spot}
        free = [game for game in candidates if game.key not in elsewhere]
        near = {game.key for game in free if not since <= game.at < until}
        estimated = {record.key for record in records.values() if record.approximate}
        return club.assign(evening, self.games([evening]), free, near, estimated)

    def assign_fitting(self, evening: Evening) -> club.Assignment:
        """Assign all games that belong to a table for certain. Returns them, and what must be asked."""
        with self.store.batch():
            found = self.assignment(evening)
            if found.fits:
                self.set_games(evening, found.fits)
        return found

    def assigned(self, evening: Evening, fits: dict[str, Spot]) -> list[dict[str, int]]:
        """Return the games that were assigned, with their numbers and tables."""
        games = self.games([evening._replace(games=dict(fits))])
        return [{"game": games[key].number, "series": spot.series, "table": spot.table} for key, spot in fits.items()]

    def assign_one(self, evening: Evening, number: int, series: int | None = None, table: int | None = None) -> Spot:
        """Assign a game to a table, by default to the one with its players. Returns the table."""
        key = journals.load(self.db, number).key
        (game,) = games_by_number(self.db, {number: key})
        if not game.counts:
            raise Trouble(text("club.game_deleted" if game.deleted else "club.game_open", n=number))
        if league_of(*game.league) != league_of(evening.game, evening.title):
            raise Trouble(text("club.other_game", n=number, game=game_name(evening.game, evening.title)))
        if any(one.games.get(key) for one in self.all if one.key != evening.key and not one.cancelled):
            raise Trouble(text("club.elsewhere", n=number))
        tables = club.tables_of(evening)
        if series and table:
            spots = [spot for spot in tables if spot == (series, table)]
            if not spots:
                raise Trouble(text("club.no_table", series=series, table=table))
        else:
            spots = [spot for spot in tables if tables[spot] == game.people and series in (None, spot.series)]
            if len(spots) != 1:
                raise Trouble(f"game {number} does not name one table: add --series and --table.")
        other = club.results_of(evening, self.games([evening])).get(spots[0])
        if other and other.number != number:
            raise Trouble(text("club.has_game", table=club.spots_text(spots), n=other.number))
        self.set_games(evening, {key: spots[0]})
        return spots[0]

    def set_games(self, evening: Evening, spots: Mapping[str, Spot | None]) -> None:
        """Store to which tables games belong; None: to no table of this evening."""
        games = [
            {"game": key, "series": spot.series if spot else 0, "table": spot.table if spot else 0}
            for key, spot in spots.items()
        ]
        self._decide(evening.key, "result", games=games)

    def take_off(self, evening: Evening, number: int) -> None:
        """Take a game off an evening; it stays in the lists."""
        key = journals.load(self.db, number).key
        if not evening.games.get(key):
            raise Trouble(text("club.not_assigned", n=number))
        self.set_games(evening, {key: None})

    def last(self, evening: Evening) -> Decision:
        """Return the last decision about an evening that is in force."""
        return club.in_force(self.history(evening))[-1]  # type: ignore[return-value]

    def undo(self, evening: Evening) -> Decision:
        """Take back the last decision about an evening. Returns it."""
        left = club.in_force(self.history(evening))
        last = left[-1]
        if last.kind == "evening" and sum(one.kind == "evening" for one in left) == 1:
            raise Trouble(text("club.nothing_to_undo"))
        self._decide(evening.key, "take back", decision=last.id)
        return last  # type: ignore[return-value]

    def restore(self, evening: Evening) -> None:
        """Take back the cancellation of an evening."""
        with self.store.batch():
            for one in club.in_force(self.history(evening)):
                if one.kind == "cancel":
                    decisions.decide(self.db, "take back", evening.key, decision=one.id)

    def cancel(self, evening: Evening) -> None:
        """Cancel an evening; its games stay."""
        self._decide(evening.key, "cancel")

    def set_team(self, evening: Evening, team: str, names: list[str]) -> None:
        """Set the members of a team; without names the team is removed."""
        self._decide(evening.key, "team", name=team, names=names)

    def set_season(self, name: str, **values: Any) -> None:
        """Add a season, or change the one with this name."""
        known = [one.key for one in self.seasons if one.name.casefold() == name.casefold()]
        self._decide(known[-1] if known else new_key("season"), "season", name=name, **values)

    def remove_season(self, season: Season) -> None:
        """Remove a season; its evenings stay."""
        with self.store.batch():
            for one in club.in_force(self._decided[season.key]):
                decisions.decide(self.db, "take back", season.key, decision=one.id)

    # --- money ---

    def money(self, evening: Evening) -> MoneySheet:
        """Return what everybody pays and gets."""
        games = club.results_of(evening, self.games([evening]))
        scores = standings.scores_of(evening, games)
        lines = standings.evening_lines(scores)
        places = {line.name: line.place for line in lines if line.place}
        lost: dict[str, list[int]] = {}
        by_series: dict[tuple[int, str], int] = {}
        if evening.rates.fees:
            for spot, game in games.items():
                for name, count in self._lost(game):
                    by_series[spot.series, name] = by_series.get((spot.series, name), 0) + count
        for (_, name), count in by_series.items():
            lost.setdefault(name, []).append(count)
        seated = {name for draw in evening.draws.values() for table in draw.tables for name in table}
        return money_sheet(evening.rates, sorted(seated | set(scores.total)), lost, places)

    def _lost(self, game: ClubGame) -> list[tuple[str, int]]:
        """Return (name, lost games) of the members at a table."""
        played = self.store.replayed(game.number).game
        lost = on_laptop(played.KIND).lost_games(played) if played else None
        return [
            (name, count)
            for (name, _, _), count in zip(game.seats, lost or [], strict=bool(lost))
            if name in game.people
        ]

    def settle(self, evening: Evening) -> MoneySheet:
        """Write down that everybody has paid and received what they owe. Returns the sheet."""
        with self.store.batch():
            sheet = self.money(evening)
            self._decide(evening.key, "settle", sheet=[[line.name, line.balance] for line in sheet.lines])
        return sheet


def _has_id(evening: Evening, word: str) -> bool:
    """Return True for the whole id, which comes first because another evening may have it as its name."""
    return evening.key == f"evening/{word}"


def _is_called(evening: Evening, word: str) -> bool:
    return evening.name.casefold() == word.strip().casefold() or evening.day == word


def _order(evening: Evening) -> tuple[str, str]:
    return evening.day, evening.key


def _year_before(day: str) -> str:
    return f"{int(day[:4]) - 1:04}{day[4:]}"
