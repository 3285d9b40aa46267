"""Derive an evening of a club from the decisions about it: who is here, the draws, the games, teams and money.

The decisions come in order of effect, so laptops with the same decisions show the same evening. A decision that was
taken back does not count. People are named by any spelling; `called` returns the name of a person.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple, Protocol

from kiebitz.text import text

from .money import Rates
from .names import alphabetical, is_guest, league_of


class Made(Protocol):
    """A decision, as library.decisions returns it."""

    @property
    def id(self) -> str: ...
    @property
    def made(self) -> int: ...
    @property
    def author(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def values(self) -> dict[str, Any]: ...


Called = Callable[[str], str]
_CLOCK_S = 60  # how far the time of a decision may be ahead of a device's clock


class Draw(NamedTuple):
    """The tables of a series."""

    id: str
    series: int
    method: str
    seed: int
    tables: list[list[str]]
    author: str
    made: int
    replaced: list["Draw"]  # draws of this series that were made at the same time and do not count


class Spot(NamedTuple):
    """A table of a series."""

    series: int
    table: int


class Seats(NamedTuple):
    """A table that was sent to a device."""

    made: int
    device: str
    spot: Spot


class Evening(NamedTuple):
    """An evening: what was decided about it."""

    key: str
    name: str
    day: str
    game: str
    title: str
    settings: dict[str, Any]
    series: int
    sizes: list[int]
    rates: Rates
    cancelled: bool
    here: dict[int, list[str]]  # series -> who is present
    draws: dict[int, Draw]
    games: dict[str, Spot | None]  # key of a game -> its table; None: it was taken off the evening
    teams: dict[str, list[str]]
    settled: dict[str, int]  # name -> cents that were written down as paid (below zero) or received
    seats: list["Seats"]  # which device got which table, in order

    def next_series(self) -> int:
        """Return the first series that is not drawn; if all are, the last."""
        return next((series for series in self.here if series not in self.draws), self.series)

    def byes(self, series: int) -> list[str]:
        """Return who is here without a seat in a series that was drawn."""
        seated = {name for table in self.draws[series].tables for name in table} if series in self.draws else set()
        return [name for name in self.here[series] if name not in seated] if seated else []

    def people(self) -> list[str]:
        """Return everybody who is or was here, in alphabetical order."""
        seated = [name for draw in self.draws.values() for table in draw.tables for name in table]
        return sorted({*seated, *[name for names in self.here.values() for name in names]}, key=alphabetical)


class Season(NamedTuple):
    """The evenings from one day to another, and how their points are counted."""

    key: str
    name: str
    since: str
    until: str | None
    by: str  # average, sum or best
    best: int  # how many evenings count, with `best`
    least: int  # evenings that a person needs for a place

    def has(self, day: str) -> bool:
        """Return True if a day is in the season."""
        return self.since <= day and (self.until is None or day <= self.until)


def in_force(made: Iterable[Made]) -> list[Made]:
    """Return the decisions that were not taken back, in order; what takes them back is left out."""
    made = list(made)
    gone = {one.values["decision"] for one in made if one.kind == "take back"}
    return [one for one in made if one.kind != "take back" and one.id not in gone]


def evening_of(key: str, made: Iterable[Made], called: Called = str) -> Evening | None:
    """Return the evening; None if no decision about its name and game is known, or if it was taken back."""
    known = in_force(made)
    settings = [one.values for one in known if one.kind == "evening"]
    if not settings:
        return None
    what = settings[-1]
    money = what["money"]
    rates = Rates(money["stake"], tuple((count, fee) for count, fee in money["fees"]), tuple(money["prizes"]))
    evening = Evening(
        key, what["name"], what["day"], what["game"], what["title"], json.loads(what["settings"]), what["series"],
        what["sizes"], rates, False, {}, {}, {}, {}, {}, [],
    )  # fmt: skip
    stays = {series: dict[str, bool]() for series in range(1, what["series"] + 1)}
    draws: dict[int, list[Made]] = {}
    for one in known:
        values = one.values
        if one.kind == "present":
            for series, present in stays.items():
                if series >= values["series"]:
                    present.update((called(name), values["here"]) for name in values["names"])
        elif one.kind == "draw":
            draws.setdefault(values["series"], []).append(one)
        elif one.kind == "result":
            for game in values["games"]:
                spot = Spot(game["series"], game["table"])
                evening.games[game["game"]] = spot if all(spot) else None
        elif one.kind == "seats":
            evening.seats.append(Seats(one.made, values["device"], Spot(values["series"], values["table"])))
        elif one.kind == "team":
            _set_team(evening.teams, values["name"], [called(name) for name in values["names"]])
        elif one.kind == "settle":
            evening.settled.update((called(name), cents) for name, cents in values["sheet"])
        elif one.kind == "cancel":
            evening = evening._replace(cancelled=True)
    for series, present in stays.items():
        evening.here[series] = sorted((name for name, is_here in present.items() if is_here), key=alphabetical)
    for series, found in sorted(draws.items()):
        if series <= evening.series:
            evening.draws[series] = _last_draw(found, called)
    return evening


def _set_team(teams: dict[str, list[str]], team: str, names: list[str]) -> None:
    """Set the members of a team; a person is in one team only, and a team without members is removed."""
    for other in list(teams):
        teams[other] = [name for name in teams[other] if name not in names]
        if not teams[other] or other == team:
            del teams[other]
    if names:
        teams[team] = sorted(set(names))


def _last_draw(made: list[Made], called: Called) -> Draw:
    """Return the last draw of a series; `replaced` has the earlier ones that its author had not received."""
    *before, last = [_draw(one, called) for one in made]
    known = made[-1].values["known"]
    return last._replace(replaced=[draw for draw in before if draw.id not in known])


def _draw(one: Made, called: Called) -> Draw:
    values = one.values
    seen: set[str] = set()
    tables = []
    for spellings in values["tables"]:
        names = list(dict.fromkeys(called(spelling) for spelling in spellings))
        tables.append([name for name in names if name not in seen])  # two spellings may be one person now
        seen.update(names)
    return Draw(one.id, values["series"], values["method"], values["seed"], tables, one.author, one.made, [])


def season_of(key: str, made: Iterable[Made]) -> Season | None:
    """Return a season; None if it was removed."""
    known = in_force(made)
    values = [one.values for one in known if one.kind == "season"]
    if not values:
        return None
    last = values[-1]
    return Season(key, *[last[field] for field in ("name", "since", "until", "by", "best", "least")])


# --- games ---


class ClubGame(NamedTuple):
    """A stored game, as far as an evening needs it."""

    number: int
    key: str
    at: int
    league: tuple[str | None, str]  # kind, title
    low: bool
    finished: bool
    deleted: bool
    seats: list[tuple[str, int, bool]]  # name, points, has won

    @property
    def people(self) -> list[str]:
        """The names of the players, without guests, in alphabetical order."""
        return sorted({name for name, _, _ in self.seats if not is_guest(name)})

    @property
    def counts(self) -> bool:
        """True if its points count."""
        return self.finished and not self.deleted


class Asked(NamedTuple):
    """A game that somebody must decide about."""

    number: int
    why: str  # without a full stop, so that what to do can follow


class Assignment(NamedTuple):
    """Games that belong to tables for certain, and the games that somebody must decide about."""

    fits: dict[str, Spot]  # by the key of the game
    asked: list[Asked]


def tables_of(evening: Evening) -> dict[Spot, list[str]]:
    """Return {table: its people in alphabetical order} of all series that were drawn."""
    return {
        Spot(series, k): sorted(table)
        for series, draw in evening.draws.items()
        for k, table in enumerate(draw.tables, 1)
    }


def seats_of(evening: Evening, series: int, table: int) -> dict[str, Any]:
    """Return what a device needs to begin the game of a table."""
    setup: dict[str, Any] = {"game": evening.game, "players": evening.draws[series].tables[table - 1]}
    if evening.title:
        setup["title"] = evening.title
    return {"table": table, "setup": {**setup, "options": evening.settings}}


def results_of(evening: Evening, games: Mapping[str, ClubGame]) -> dict[Spot, ClubGame]:
    """Return {table: its game}; of several games assigned to a table the one that was assigned last counts."""
    found: dict[Spot, ClubGame] = {}
    for key, spot in evening.games.items():
        if spot is not None and spot.series <= evening.series and key in games and games[key].counts:
            found[spot] = games[key]
    return dict(sorted(found.items()))


def open_tables(evening: Evening, results: Collection[Spot], series: int) -> list[Spot]:
    """Return the tables of a series that have no game; none if the series is not drawn."""
    return [spot for spot in tables_of(evening) if spot.series == series and spot not in results]


def assign(
    evening: Evening,
    games: Mapping[str, ClubGame],
    candidates: Iterable[ClubGame],
    near: Collection[str],
    estimated: Collection[str] = (),
) -> Assignment:
    """Find the tables to which finished games belong, by the names of their players, by device and by time.

    games: the games assigned so far; near: keys of candidates that were played a day earlier or later; estimated: keys
    of candidates whose device had no clock. A game is assigned only if exactly one table without a game has its
    players, and if no other game fits there. If several tables have the same players, the table counts at which the
    device was when the game began, or else the table of the last draw before.
    """
    taken = results_of(evening, games)
    tables = tables_of(evening)
    fits: dict[str, list[Spot]] = {}
    asked: list[Asked] = []
    new = sorted((one for one in candidates if one.key not in evening.games), key=lambda one: (one.at, one.number))
    for one in new:
        if not one.counts or league_of(*one.league) != league_of(evening.game, evening.title):
            continue
        same = [spot for spot, people in tables.items() if people == one.people]
        free = [spot for spot in same if spot not in taken]
        seated = _seated(evening, one)
        if seated in free:
            free = [seated]
        elif seated and seated not in taken and any(spot.series == seated.series for spot in free):
            why = text("club.wrong_device", n=one.number, table=spots_text([seated]), tables=spots_text(free))
            asked.append(Asked(one.number, why))
            continue
        if one.key in near:
            if free:
                asked.append(Asked(one.number, text("club.fits_other_day", n=one.number, tables=spots_text(free))))
        elif free:
            fits[one.key] = free if one.key in estimated else _narrowed(evening, one, free)
        elif same:
            others = ", ".join(str(taken[spot].number) for spot in same)
            why = text("club.has_players", n=one.number, tables=spots_text(same), others=others)
            asked.append(Asked(one.number, why))
        else:
            why = text("club.fits_none", n=one.number, names=", ".join(one.people))
            asked.append(Asked(one.number, why))
    certain = {}
    for key, spots in fits.items():
        rivals = [other for other in fits if set(fits[other]) & set(spots)]
        number = next(one.number for one in new if one.key == key)
        if len(spots) == 1 and len(rivals) == 1:
            certain[key] = spots[0]
        else:
            also = ", ".join(str(one.number) for one in new if one.key in rivals and one.key != key)
            sentence = "club.fits_rival" if also else "club.fits_several"
            asked.append(Asked(number, text(sentence, n=number, tables=spots_text(spots), others=also)))
    return Assignment(certain, asked)


def _narrowed(evening: Evening, game: ClubGame, spots: list[Spot]) -> list[Spot]:
    """Return the tables that were drawn last before a game; all of them if none was. All have the same people."""
    before = [spot for spot in spots if evening.draws[spot.series].made <= game.at]
    last = max((spot.series for spot in before), default=0)
    return [spot for spot in before if spot.series == last] or spots


def _seated(evening: Evening, game: ClubGame) -> Spot | None:
    """Return the table that its device had got when the game began, or None."""
    own = [one for one in evening.seats if game.key.startswith(f"{one.device[-6:]}-")]
    sent = [one.spot for one in own if one.made <= game.at + _CLOCK_S]
    return sent[-1] if sent else None


def spots_text(spots: list[Spot]) -> str:
    """Return tables in words."""
    words = [text("club.spot", series=spot.series, table=spot.table) for spot in spots]
    if len(words) == 1:
        return words[0]
    return text("club.or", first=", ".join(words[:-1]), last=words[-1])


def notes_of(evening: Evening, games: Mapping[str, ClubGame]) -> list[str]:
    """Return sentences about what does not fit together in an evening."""
    found = []
    for draw in evening.draws.values():
        for other in draw.replaced:
            found.append(clash_in_words(draw, other))
    by_spot: dict[Spot, list[str]] = {}
    for key, spot in evening.games.items():
        game = games.get(key)
        if spot is None:
            continue
        table = spots_text([spot])
        if game is None:
            found.append(text("club.missing", table=table))
            continue
        by_spot.setdefault(spot, []).append(str(game.number))
        if not game.counts:
            found.append(text("club.deleted" if game.deleted else "club.unfinished", n=game.number, table=table))
        drawn = evening.draws.get(spot.series)
        seated = sorted(drawn.tables[spot.table - 1]) if drawn and spot.table <= len(drawn.tables) else None
        if seated is None:
            found.append(text("club.undrawn", n=game.number, table=table))
        elif seated != game.people:
            found.append(text("club.others", n=game.number, table=table, names=", ".join(game.people)))
    for spot, numbers in by_spot.items():
        if len(numbers) > 1:
            all_of_them = ", ".join(numbers)
            found.append(text("club.several", numbers=all_of_them, table=spots_text([spot]), n=numbers[-1]))
    return found


def clash_in_words(draw: Draw, other: Draw) -> str:
    """Return the sentence about two draws of a series that were made at the same time."""
    return text("club.clash", series=draw.series, author=draw.author, other=other.author)
