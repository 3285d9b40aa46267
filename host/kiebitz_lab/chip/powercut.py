"""Cut the power of an emulated chip repeatedly while evenings are played, and count lost entries (`make powercut`)."""

import argparse
import multiprocessing
import os
import signal
import sys
import time
import traceback

from kiebitz_host.outcome import BAD_USAGE, OK, Trouble

from kiebitz_lab.image.build import current_image

from . import require
from .cuts import Cut, Verdict, plan, planned_cut, play
from .evenings import Piece, pieces
from .flash import flash_with

CUTS = 200
LOST = 1  # the exit code if an entry was lost
_LEAST = 12  # fewest cuts for which a piece is played
_TELL_S = 10.0  # between two lines of progress


def share_out(cuts: int, seed: int) -> list[tuple[Piece, list[Cut]]]:
    """Return the cuts for each piece of the evenings."""
    chosen = pieces()[: max(1, cuts // _LEAST)]
    each, more = divmod(cuts, len(chosen))
    return [(piece, plan(piece, seed, each + (number < more))) for number, piece in enumerate(chosen)]


def one(name: str, seed: int) -> list[tuple[Piece, list[Cut]]]:
    """Return only the cut of this name; raises Trouble if there is none."""
    for piece in pieces():
        if name.rpartition("/")[0] == piece.name:
            return [(piece, [planned_cut(piece, seed, name)])]
    raise Trouble(f"there is no cut {name!r}; the pieces are {', '.join(piece.name for piece in pieces())}.")


class Count:
    """The result so far."""

    def __init__(self, wanted: int, seed: int):
        self.wanted = wanted
        self.seed = seed
        self.cuts = self.lost = self.unbootable = 0
        self.acknowledged = 0
        self._started = self._told = time.monotonic()

    def add(self, verdict: Verdict) -> None:
        self.cuts += verdict.cuts
        self.lost += verdict.lost
        self.unbootable += verdict.unbootable
        self.acknowledged += verdict.acknowledged
        if verdict.lost or verdict.unbootable:
            kind = "unbootable" if verdict.unbootable else f"{verdict.lost} lost"
            print(f"{kind}: {verdict.name}, {verdict.what}: {verdict.why}")
            print(f"  again: make powercut SEED={self.seed} CUT={verdict.name}", flush=True)
        now = time.monotonic()
        if now - self._told >= _TELL_S:
            self._told = now
            rest = (now - self._started) * (self.wanted - self.cuts) / self.cuts
            print(f"{self.cuts} of {self.wanted} cuts, {rest:.0f} s to go", flush=True)

    def __str__(self) -> str:
        return f"cuts {self.cuts}, lost {self.lost}, unbootable {self.unbootable}"

    @property
    def good(self) -> bool:
        return self.cuts == self.wanted and not self.lost and not self.unbootable


def run(work: list[tuple[Piece, list[Cut]]], flash: bytes, count: Count, jobs: int) -> None:
    """Play all pieces in `jobs` processes."""
    context = multiprocessing.get_context("fork")
    todo, told = context.SimpleQueue(), context.SimpleQueue()
    workers = [context.Process(target=_work, args=(work, todo, told, flash), daemon=True) for _ in range(jobs)]
    for number in range(len(work)):
        todo.put(number)
    for worker in workers:
        todo.put(None)
        worker.start()
    try:
        left = jobs
        while left:
            verdict = told.get()
            if verdict is None:
                left -= 1
            elif isinstance(verdict, Verdict):
                count.add(verdict)
            else:
                raise RuntimeError(verdict)
    finally:
        for worker in workers:
            worker.terminate()


def _work(work: list[tuple[Piece, list[Cut]]], todo, told, flash: bytes) -> None:
    """Play one piece after the other, in a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        while (number := todo.get()) is not None:
            piece, cuts = work[number]
            play(piece, flash, cuts, told.put)
        told.put(None)
    except Exception:
        told.put(traceback.format_exc())


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="powercut", description=__doc__)
    parser.add_argument("cuts", type=int, nargs="?", default=CUTS, metavar="N", help=f"how often, {CUTS} if not given")
    parser.add_argument("--seed", type=int, default=1, help="another seed cuts at other moments")
    parser.add_argument("--cut", metavar="NAME", help="make only this cut, as a report has named it")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many processes share the work")
    options = parser.parse_args(argv)
    if options.cuts < 1 or options.jobs < 1:
        parser.error("there must be at least one cut, and one process")
    try:
        require("powercut")
        work = one(options.cut, options.seed) if options.cut else share_out(options.cuts, options.seed)
        flash = flash_with(current_image())
    except Trouble as trouble:
        print(f"kiebitz: {trouble}", file=sys.stderr)
        return BAD_USAGE
    count = Count(sum(cut.times for _, cuts in work for cut in cuts), options.seed)
    jobs = min(options.jobs, len(work))
    print(f"{count.wanted} cuts in {len(work)} pieces of evenings, seed {options.seed}, {jobs} at a time", flush=True)
    started = time.monotonic()
    try:
        run(work, flash, count, jobs)
    except KeyboardInterrupt:
        print("stopped")
    print(f"{count.acknowledged} of the cuts after the entry was shown; {time.monotonic() - started:.0f} s")
    print(count)
    return OK if count.good else LOST


if __name__ == "__main__":
    sys.exit(main())
