"""Runs many trials of one kind with progress, figures, and a seed that repeats each of them."""

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable

_TELL_S = 10.0  # between two lines of progress


class Campaign:
    """Many trials: what they counted, and what went wrong."""

    def __init__(self, module: str, seed: int):
        self.module = module
        self.seed = seed
        self.figures: Counter[str] = Counter()
        self.failures: list[str] = []
        self.number = 0  # of the trial that runs

    def fail(self, why: str) -> None:
        """Note that something went wrong in this trial, and print how to repeat it."""
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
