"""Attack a laptop and a club of 100,000 games with hostile files: python -m kiebitz_lab.torture.large_store.

In every trial hostile files lie in a folder with new games, an exchange is killed with SIGKILL in the middle and run
again, and commands are run. The new games must be taken, no command may end in a traceback or take longer than LIMIT_S,
and both leagues must be equal.
"""

import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

from kiebitz_host.exchange import JOURNALS, SUFFIX, Folder, StoreSide, exchange, name_of
from kiebitz_host.library import database, query
from kiebitz_host.library.people import names_by_id
from kiebitz_host.library.store import Store

from ..postgres_server import Server, running
from ..synthetic_store import fill_quickly, records
from .campaign import Campaign, command_line, run
from .hostile_members import READING, Ground, hostile_files

GAMES = 100_000
LIMIT_S = 120.0  # for one command, beside other work
NEW = 5  # games in the folder of each trial
_WRITING = (["delete", "3"], ["players", "rename", "Player A", "Anna"], ["restore", "3"])


class LargeGround(Ground):
    """A laptop, a club and a folder with many games."""

    def __init__(self, folder: Path, server: Server):
        super().__init__(folder, server)
        self.new = list(records(100, seed=9))
        self.reset()
        with Store(self.laptop) as store, Store(self.club) as club:
            fill_quickly(store, GAMES)
            exchange(StoreSide(store), Folder(self.stick), [])
            exchange(StoreSide(club), StoreSide(store), [])

    def add_games(self, chance: random.Random) -> set[str]:
        """Put new games into the folder. Returns their ids."""
        added = [record._replace(own=f"{chance.getrandbits(64):016x}") for record in chance.sample(self.new, NEW)]
        for record in added:
            content = record.encode()
            name = name_of(JOURNALS, content)
            path = self.stick / JOURNALS / name[:2] / (name + SUFFIX)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return {record.own for record in added}


def _killed_exchange(campaign: Campaign, chance: random.Random, ground: LargeGround, seconds: float) -> None:
    """Kill an exchange of the laptop at a random moment."""
    child = os.fork()
    if child == 0:
        try:
            run("exchange", ground.stick, "--db", ground.laptop)
        finally:
            os._exit(0)
    time.sleep(chance.uniform(0, seconds))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    campaign.figures["exchanges killed"] += os.WIFSIGNALED(status)


def _timed(campaign: Campaign, *argv: object) -> float:
    """Run a command; fail if it ends in a traceback or takes too long. Returns its seconds."""
    started = time.monotonic()
    done = run(*argv)
    seconds = time.monotonic() - started
    name = f"longest {argv[0]}, in milliseconds"
    campaign.figures[name] = max(campaign.figures[name], int(1000 * seconds))
    if done.code not in (0, 2) or seconds > LIMIT_S or (done.code and not done.err.endswith(".\n")):
        campaign.fail(f"kiebitz {argv[0]}: {seconds:.0f} s, {done.err}")
    return seconds


def trial(campaign: Campaign, chance: random.Random, ground: LargeGround) -> None:
    """Put new games and hostile files into the folder, exchange it, and run commands."""
    new = ground.add_games(chance)
    hostile_files(chance, ground, campaign.number % 10 == 0)
    _killed_exchange(campaign, chance, ground, 3.0)
    ends = []
    for place in (ground.laptop, ground.club, ground.laptop):
        _timed(campaign, "exchange", ground.stick, "--db", place)
        for argv in (*chance.sample(READING, 3), chance.choice(_WRITING)):
            _timed(campaign, *argv, "--db", place)
    _timed(campaign, "exchange", ground.club, "--db", ground.laptop)
    for place in (ground.laptop, ground.club):
        with Store(place) as store:
            games = {game for (game,) in store.db.rows("SELECT game FROM journals")}
            if not new <= games:
                campaign.fail(f"{place} has not taken {sorted(new - games)}")
            league, called = query.league(store.db, query.Filter(finished=True, early=False)), names_by_id(store.db)
            ends.append((sorted(games), {called[who]: line.state() for who, line in league.standings.items()}))
    campaign.figures["games"] = len(ends[0][0])
    if ends[0] != ends[1]:
        campaign.fail("laptop and club show different leagues")


def play(campaign: Campaign, first: int, count: int) -> None:
    """Run the trials on one server."""
    durable, database.SYNCHRONOUS = database.SYNCHRONOUS, "OFF"  # no power is cut here
    sync, os.sync = os.sync, lambda: None
    try:
        with running() as server, tempfile.TemporaryDirectory() as folder:
            ground = LargeGround(Path(folder), server)
            campaign.run(lambda campaign, chance: trial(campaign, chance, ground), first, count)
    finally:
        database.SYNCHRONOUS, os.sync = durable, sync


def main(argv: list[str] | None = None) -> int:
    return command_line("kiebitz_lab.torture.large_store", __doc__ or "", 20, play, argv)


if __name__ == "__main__":
    sys.exit(main())
