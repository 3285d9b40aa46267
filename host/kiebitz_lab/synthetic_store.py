"""Generate stores of any size and devices with finished games: python -m kiebitz_lab.synthetic_store GAMES PATH."""

import json
import random
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice

from kiebitz.board.storage import Storage
from kiebitz.games import GAMES, Refused
from kiebitz.store.events import encode
from kiebitz.store.journal_files import NAME as TAIL
from kiebitz.store.journal_files import SUFFIX
from kiebitz.store.library import Library
from kiebitz.store.table import Table
from kiebitz_host.league.standings import facts, league_table
from kiebitz_host.library import fixes, people, query
from kiebitz_host.library.club_evenings import Evenings
from kiebitz_host.library.derive import DerivedGame
from kiebitz_host.library.journal_record import History, Record
from kiebitz_host.library.journals import insert_as
from kiebitz_host.library.people import spelling_ids
from kiebitz_host.library.schema import GAMES as INSERT_GAMES
from kiebitz_host.library.schema import SCORES as INSERT_SCORES
from kiebitz_host.library.schema import game_row
from kiebitz_host.library.store import Store

from . import dice, random_games
from .dice import Dice
from .games import GAMES_IN_LAB

PER_KIND = 12  # different games of each kind
PEOPLE = 24
EVENTS_MAX = 250
FIRST_DAY = 1577880000  # 2020-01-01, noon
DAY = 86400
BATCH = 500
QUICK_BATCH = 10_000
DEVICE = {"id": "e66118604b1f2a3c", "product": "kiebitz", "version": "0.1.0", "name": "synthetic"}


def finished_games(seed: int = 1) -> list[list[str]]:
    """Return journals of finished games; the same ones every time."""
    found = []
    for kind in GAMES:
        dice = Dice(seed)
        count = 0
        while count < PER_KIND:
            lines = _play(kind, dice)
            if lines:
                found.append(lines)
                count += 1
    return found


def _play(kind: str, dice) -> list[str] | None:
    setup = random_games.setup(kind, dice)
    setup["players"] = [f"P{p}" for p in range(len(setup["players"]))]
    try:
        table = Table(setup)
    except Refused:
        return None
    for _ in range(EVENTS_MAX):
        try:
            table.play(random_games.legal_event(table.game, dice))
        except Refused:
            continue
        if table.game.over:
            return [encode(setup), *map(encode, table.events())]
    return None


def journals(count: int, seed: int = 1) -> Iterator[tuple[str, list[str], int]]:
    """Yield (id, lines, time) of `count` games, three on an evening, or more if there would be over sixty years."""
    for setup, events, _ in _planned(count, finished_games(seed), seed):
        yield setup["id"], [encode(setup), *events], setup["at"]


def _planned(count: int, samples: list[list[str]], seed: int) -> Iterator[tuple[dict, list[str], int]]:
    """Yield (set-up, events, number of the sample) of each game."""
    evening = max(3, count // 20000)
    chance = random.Random(seed)
    names = [f"Player {letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:PEOPLE]]
    # Some play more often than others
    weights = [1 / (k + 1) for k in range(len(names))]
    for k in range(count):
        sample = chance.choice(range(len(samples)))
        setup_line, *events = samples[sample]
        setup = json.loads(setup_line)
        at = FIRST_DAY + k // evening * DAY + k % evening * (DAY // 4 // evening)
        setup["players"] = _people(names, weights, len(setup["players"]), chance)
        setup.update(id=f"4b1f2a-{k + 1:04d}-{chance.getrandbits(24):06x}", at=at, device=DEVICE["id"])
        yield setup, events, sample


def _people(names: list[str], weights: list[float], n: int, chance: random.Random) -> list[str]:
    found: list[str] = []
    while len(found) < n:
        name = chance.choices(names, weights)[0]
        if name not in found:
            found.append(name)
    return found


def records(count: int, seed: int = 1) -> Iterator[Record]:
    """Yield the same games as journals() does, in the form in which laptops exchange them."""
    for game_id, lines, at in journals(count, seed):
        yield Record(game_id, DEVICE["id"], at, False, (History(lines),))


def fill(store: Store, count: int, seed: int = 1) -> None:
    """Add `count` games to a store, as an exchange does."""
    waiting = records(count, seed)
    while some := list(islice(waiting, BATCH)):
        store.add_records(some)


def fill_quickly(store: Store, count: int, seed: int = 1) -> None:
    """Fill an empty store as fill() does, three times faster because each sample is replayed only once."""
    waiting = enumerate(_planned(count, finished_games(seed), seed), 1)
    results: dict[int, DerivedGame] = {}
    while some := list(islice(waiting, QUICK_BATCH)):
        with store.batch():
            _insert(store, some, results)


def _insert(store: Store, some: list[tuple[int, tuple[dict, list[str], int]]], results: dict[int, DerivedGame]) -> None:
    """Insert games; `results` has the results of each sample that was replayed."""
    games, scores = [], []
    names = {name: None for _, (setup, _, _) in some for name in setup["players"]}
    spellings = spelling_ids(store.db, names)
    points = {sample: derived.scores() for sample, derived in results.items()}
    for number, (setup, events, sample) in some:
        record = Record(setup["id"], DEVICE["id"], setup["at"], False, (History([encode(setup), *events]),))
        insert_as(store.db, number, record.own, record, int(store.now()))
        if sample not in results:
            results[sample] = DerivedGame(record.lines)
            points[sample] = results[sample].scores()
        games.append(game_row(number, record, results[sample], []))
        joined = results[sample].names[len(setup["players"]) :]
        if joined:
            spellings = {**spellings, **spelling_ids(store.db, dict.fromkeys(joined))}
        players = [*setup["players"], *joined]
        for seat, (score, rank, won, starts) in enumerate(points[sample]):
            scores.append((number, spellings[players[seat]], score, seat, rank, int(won), int(starts)))
    store.db.many(INSERT_GAMES, games)
    store.db.many(INSERT_SCORES, scores)


def main(argv: list[str]) -> int:
    if len(argv) != 2 or not argv[0].isdigit():
        print("usage: python -m kiebitz_lab.synthetic_store GAMES PATH", file=sys.stderr)
        return 2
    start = time.perf_counter()
    with Store(argv[1]) as store:
        fill(store, int(argv[0]))
    print(f"{argv[0]} games in {time.perf_counter() - start:.1f} s")
    return 0


NOW = 1_800_000_000
GAMES_OF_A_KIND = 5
FULL_OF_A_KIND = 8  # with this many long games the flash is nearly full
EVENTS = 380  # before a game of the season is played to its end, which takes 20 to 70 more
MATCH = 32  # games in a match of Top Spot, of about 13 events each
NAME = "J\u00fcrgen"


def few_games(of_a_kind: int = GAMES_OF_A_KIND) -> list[list[str]]:
    """Return games of all kinds as replay lines, most of them short; the same ones every time."""
    samples = finished_games()
    return [samples[k] for k in range(len(samples)) if k % PER_KIND < of_a_kind]


def season(of_a_kind: int = GAMES_OF_A_KIND) -> Iterator[list[str]]:
    """Yield games of about 400 events with the most players, as replay lines; the same ones every time."""
    names = {name for game in GAMES_IN_LAB.values() for name in game.SEASON}
    setups = [setup for name, setup in random_games.long_setups().items() if name in names]
    for seed in range(1, of_a_kind + 1):
        for setup in setups:
            players = [NAME, *setup["players"][1:]]
            is_match = "match_length" in setup
            setup = {**setup, "players": players, **({"match_length": MATCH, "confirm": True} if is_match else {})}
            table = Table(setup)
            if not is_match:
                random_games.play_on(table, EVENTS, seed)
            chance = dice.Dice(seed)
            while not table.game.over:
                with suppress(Refused):
                    table.play(random_games.legal_event(table.game, chance))
            yield [encode(setup), *map(encode, table.events())]


def shelf(replays: Iterable[list[str]]) -> tuple[dict[str, bytes], int]:
    """Return (files of a device on which these games were played, bytes of their journals)."""
    with tempfile.TemporaryDirectory() as folder:
        storage = Storage(folder)
        games = Library(storage, "ff" * 8, lambda n: b"*" * n, lambda: NOW)
        for lines in replays:
            games.create(json.loads(lines[0]))
            for line in lines[1:]:
                games.play(json.loads(line))
            games.close()
        folder_of_tail = TAIL.partition("/")[0]
        files = {f"data/{name}": storage.read(name) for name in storage.names() if name != folder_of_tail}
        size = sum(size for name, size in games.files.sizes() if name.endswith(SUFFIX))
    return files, size


LOCAL = ("number", "received")


def shown(store):
    """Return the leagues to the last digit, all games and corrections, all evenings, and who is who."""
    db = store.db
    games = []
    for deleted in (False, True):
        for game in query.games(db, query.Filter(deleted=deleted, imported=None)):
            trail = fixes.history(store, game["number"], [score["name"] for score in game["scores"]])
            whole = {key: value for key, value in game.items() if key not in LOCAL}
            games.append((game["id"], whole, trail, store.histories(game["number"])))
    names = dict(db.rows("SELECT id, name FROM people"))
    everybody = db.rows("SELECT uuid, name, spelling FROM people JOIN spellings ON person = people.id")
    evenings = Evenings(store)
    played = {name for _, whole, _, _ in games for score in whole["scores"] for name in [score["name"]]}
    return {
        "games": sorted(games, key=lambda game: game[0]),
        "people": sorted(row for row in everybody if row[1] in played),
        "renames": people.renames(db),
        "members": {names[person]: member for person, member in people.members(db).items()},
        "leagues": {kind: _league(db, names, kind) for kind in (None, "poker_carre", "top_spot")},
        "evenings": [(scores, evenings.money(scores.evening)) for scores in evenings.scores(evenings.all)],
        "seasons": evenings.seasons,
    }


def _league(db, names, kind):
    league = query.league(db, query.Filter(game=kind, finished=True, early=False))
    told = facts(league, league_table(league, names, None), names, query.titles(db), kind, None, None)
    ratings = {names[person]: line.ratings for person, line in league.standings.items()}  # not rounded
    return told, ratings


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
