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

from kiebitz_host.cli import main
from kiebitz_host.library import fixes, people, removals
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
    """Make a store with games, corrections, deletions, joined spellings and two histories.

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
