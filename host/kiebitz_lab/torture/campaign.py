"""Run many trials of one kind with progress, figures and a repeatable seed; run commands on a generated store."""

import argparse
import io
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from kiebitz.games import GAMES as KINDS
from kiebitz_host.cli import main
from kiebitz_host.library import decisions, fixes, imported, people, query, removals
from kiebitz_host.library.club_decisions import CENTS_MAX, METHODS, SERIES_MAX, TABLES_MAX, WAYS
from kiebitz_host.library.club_evenings import Evenings
from kiebitz_host.library.store import Store
from kiebitz_host.outcome import Trouble

from ..synthetic_store import DEVICE, journals

_TELL_S = 10.0  # between two lines of progress


class Campaign:
    """A series of trials with its figures and failures."""

    def __init__(self, module: str, seed: int):
        self.module = module
        self.seed = seed
        self.figures: Counter[str] = Counter()
        self.failures: list[str] = []
        self.number = 0  # of the trial that runs

    def fail(self, why: str) -> None:
        """Record a failure of this trial, and print how to repeat it."""
        self.failures.append(why)
        print(f"failed: trial {self.number}: {why}")
        print(f"  again: python -m {self.module} 1 --seed {self.seed} --first {self.number}", flush=True)

    def run(self, trial: Callable[["Campaign", random.Random], None], first: int, count: int) -> None:
        """Run trials; each gets a random number generator that depends on the seed and its number alone."""
        started = told = time.monotonic()
        for number in range(first, first + count):
            self.number = number
            trial(self, random.Random(f"{self.seed}/{number}"))
            now = time.monotonic()
            if now - told >= _TELL_S:
                told = now
                done = number - first + 1
                rest = (now - started) * (count - done) / done
                print(f"{done} of {count}, {rest:.0f} s to go, {len(self.failures)} failed", flush=True)

    def report(self) -> int:
        """Print the figures. Returns the exit code: 1 if anything failed."""
        for what, n in sorted(self.figures.items()):
            print(f"  {what}: {n}")
        print(f"failed: {len(self.failures)}")
        return 1 if self.failures else 0


def command_line(
    module: str, about: str, default: int, play: Callable[[Campaign, int, int], None], argv: list[str] | None = None
) -> int:
    """Run `python -m MODULE N --seed S`, where play(campaign, first, count) runs the trials. Returns the exit code."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=about)
    parser.add_argument("count", type=int, nargs="?", default=default, metavar="N", help=f"trials (default: {default})")
    parser.add_argument("--seed", type=int, default=1, help="another seed makes other trials")
    parser.add_argument("--first", type=int, default=0, metavar="K", help="the number of the first trial")
    options = parser.parse_args(sys.argv[1:] if argv is None else argv)
    campaign = Campaign(module, options.seed)
    started = time.monotonic()
    play(campaign, options.first, options.count)
    print(f"{options.count} trials, seed {options.seed}, {time.monotonic() - started:.0f} s")
    return campaign.report()


GAMES = 24
EVENING = "evening/00000000000000aa"


@dataclass
class Ran:
    """The outcome of a command; `code` is None and `err` the traceback if it ended in one."""

    code: int | None
    out: str
    err: str


def run(*argv: object) -> Ran:
    """Run a command. Returns what it has done."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = main([str(word) for word in argv])
        except BaseException:
            return Ran(None, _read(out), traceback.format_exc())
    return Ran(code, _read(out), _read(err))


def _read(stream: io.TextIOWrapper) -> str:
    return stream.buffer.getvalue().decode()  # type: ignore[attr-defined]


def make_store(path: Path, count: int = GAMES) -> dict[str, list[str]]:
    """Make a store with games, corrections, deletions, joined spellings, two histories, and all that a club decides.

    Returns {id: lines} of its games.
    """
    games = {game_id: (lines, at) for game_id, lines, at in journals(count)}
    with Store(path, now=lambda: 1_767_700_000) as store, store.batch():
        for game_id, (lines, at) in games.items():
            store.add_journal(game_id, lines, DEVICE, at, False)
        last, (lines, at) = list(games.items())[-1]
        store.add_journal(last, [*lines[:-2], '{"ev":"undo"}'], DEVICE, at, False)
        _correct_some(store, count)
        removals.delete(store, 5)
        names = store.players_names()
        people.rename(store.db, people.find(store.db, "Player A"), "Anna")
        _join_some(store, [name for name in names if name != "Player A"])
        _add_club(store)
    return {game_id: lines for game_id, (lines, _) in games.items()}


def _correct_some(store: Store, count: int) -> None:
    """Replace an entry by a copy of another one wherever the rules allow it, in three games, and take one back."""
    done = 0
    for number in range(1, count + 1):
        table = store.replayed(number).table
        assert table is not None
        for entry in range(1, len(table)):
            try:
                fixes.correct(store, number, entry, table.event(entry))
            except (Trouble, fixes.Unfit):
                continue
            done += 1
            break
        if done == 3:
            fixes.take_back(store, number)
            return


def _join_some(store: Store, names: list[str]) -> None:
    """Join the first two players who never played together."""
    for k, one in enumerate(names):
        for other in names[k + 1 :]:
            try:
                people.join(store.db, people.find(store.db, one), people.find(store.db, other))
                return
            except Trouble:
                continue


def _add_club(store: Store) -> None:
    """Add an evening with the table, seats, game, team and money of game 2, a season, members and results."""
    game = query.one(store.db, 2)
    assert game is not None
    names = [score["name"] for score in game["scores"]]
    found = Evenings(store)
    money = {"stake": 500, "fees": [[2, 50], [0, 100]], "prizes": [700]}
    about = {"day": "2020-01-01", "game": game["game"], "title": game["title"] or "", "settings": "{}", "money": money}
    for key in (EVENING, "evening/00000000000000ff"):
        found.write(key, name=f"Opening {key[-1]}", series=2, sizes=[len(names)], **about)
    decisions.decide(store.db, "cancel", "evening/00000000000000ff")
    one_table = {"series": 1, "method": "lot", "seed": 1, "tables": [names], "known": []}

    def evening():
        return Evenings(store).find(EVENING.partition("/")[2])

    Evenings(store).set_present(evening(), [*names, "Member 1"], True, 1)
    decisions.decide(store.db, "draw", EVENING, **one_table)
    Evenings(store).set_seats(evening(), 1, 1, "e6614103e75b3c0f")
    Evenings(store).assign_one(evening(), 2, 1, 1)
    Evenings(store).set_team(evening(), "Reds", names[:2])
    Evenings(store).set_team(evening(), "Blues", names[:1])
    Evenings(store).undo(evening())
    Evenings(store).settle(evening())
    Evenings(store).set_season("2020", since="2020-01-01", until=None, by="best", best=3, least=1)
    people.add_members(store.db, {name: people.Member(str(k), "Club") for k, name in enumerate([*names, "Member 2"])})
    imported.add(store, [random_results(random.Random(kind), kind) for kind in KINDS])


def change_club(store: Store, chance: random.Random, names: list[str]) -> None:
    """Change an evening, a season, members or imported results at random; raise Trouble if the store refuses it."""
    found = Evenings(store)
    key = chance.choice((EVENING, "evening/00000000000000bb"))
    evening = next((one for one in found.all if one.key == key), None)
    what = chance.randrange(11)
    some = chance.sample(names, chance.randrange(len(names) + 1))
    if what == 8:
        people.add_members(store.db, {name: people.Member(str(chance.randrange(99)), "Club") for name in some})
    elif what == 9:
        imported.add(store, [random_results(chance, chance.choice(KINDS))])
    elif what == 10:
        values = {"since": "2020-01-01", "until": None, "by": chance.choice(WAYS), "best": 2, "least": 1}
        found.remove_season(chance.choice(found.seasons)) if chance.random() < 0.3 else found.set_season("S", **values)
    elif what == 0 or evening is None:
        prizes = [CENTS_MAX] * chance.randrange(9)
        money = {"stake": chance.choice((0, CENTS_MAX)), "fees": [[0, 100]], "prizes": prizes}
        about = {"day": "2020-01-02", "game": chance.choice(KINDS), "title": "", "settings": "{}", "money": money}
        found.write(key, name="Club", series=chance.randrange(1, SERIES_MAX + 1), sizes=[4, 3], **about)
    elif what == 1:
        found.set_present(evening, some, chance.random() < 0.8, chance.randrange(1, 4))
    elif what == 2:
        found.draw(evening, chance.choice((1, 2)), chance.choice(METHODS), chance.randrange(9), True)
    elif what == 3:
        number = chance.choice([number for (number,) in store.db.rows("SELECT number FROM games")])
        found.assign_one(evening, number, 1, chance.choice((1, 2, TABLES_MAX)))
    elif what == 4:
        found.set_team(evening, chance.choice("XY"), some)
    elif what == 5:
        found.settle(evening)
    elif what == 6:
        found.undo(evening)
    else:
        chance.choice((found.cancel, found.restore))(evening)


def random_results(chance: random.Random, kind: str) -> imported.Results:
    """Return imported results of a game."""
    names = chance.sample([f"Member {k}" for k in range(9)], chance.randrange(2, 6))
    title = chance.choice(("", "Jass", "=1+1")) if kind == KINDS[-1] else ""
    points = sorted((chance.randrange(-500, 500) for _ in names), reverse=True)
    seats = [imported.Seat(name, points[k], k + 1, k == 0) for k, name in enumerate(names)]
    day = chance.randrange(1, 29)
    return imported.Results(kind, title, f"2019-02-{day:02}", f"Round {day}", False, tuple(seats), 1_549_022_400 + day)
