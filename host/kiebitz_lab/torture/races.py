"""Sync, exchange and decide on one store at once, with a failing server or disk: python -m kiebitz_lab.torture.races.

In turn the store is a SQLite file and a club's PostgreSQL. The server ends the connections of all clients at a random
moment, fails to serialize at random, or both; the file is also tried on a read-only file system, if this computer
allows to mount one. No process may end in a traceback. When everything is run again without disturbance, all games and
decisions must be there once, and the league must be that of a store that nothing has disturbed.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from kiebitz_host.exchange import Folder, StoreSide, exchange
from kiebitz_host.library import database
from kiebitz_host.library.store import Store
from kiebitz_host.outcome import Trouble

from ..postgres_server import DATABASE, Server, running
from ..synthetic_store import shown
from .campaign import Campaign, command_line
from .club import Ground, decide, sync

RACERS = 3  # devices that are synced at once
NOW = 1_800_000_000
_TROUBLE = 3  # exit code of a process that gave up with a sentence
_READ_ONLY = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@"'
_READING = (["games"], ["league"], ["players"], ["show", "1"], ["export", "csv"])
_WRITING = (["delete", "1"], ["players", "rename", "Anna", "Eva"], ["rebuild"], ["exchange", "STICK"])


def _started(action: Callable[[], None], errors: Path) -> int:
    """Run an action in a process of its own. Returns the process id."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        action()
        code = 0
    except Trouble:
        code = _TROUBLE
    except BaseException:
        with errors.open("a") as file:
            traceback.print_exc(file=file)
    finally:
        os._exit(code)


def _actions(ground: Ground, place: Path | str, chance: random.Random) -> list[Callable[[], None]]:
    """Return what happens at once: syncs, two exchanges and decisions."""

    def with_store(work: Callable[[Store], object]) -> Callable[[], None]:
        def action() -> None:
            with Store(place, now=lambda: NOW) as store:
                work(store)

        return action

    seed = chance.random()
    works: list[Callable[[Store], object]] = [
        lambda store, device=device: sync(ground, store, device, 10**6) for device in range(RACERS)  # type: ignore[misc]
    ]
    works += [lambda store: exchange(StoreSide(store), Folder(ground.stick), [])] * 2
    works += [lambda store: decide(random.Random(seed), store)]
    chance.shuffle(works)
    return [with_store(work) for work in works]


def _disturb(campaign: Campaign, chance: random.Random, server: Server) -> None:
    """End all connections at random moments."""
    who = "application_name = 'kiebitz'"
    for _ in range(6):
        time.sleep(chance.uniform(0.01, 0.1))
        ended = server.sql(DATABASE, f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {who}")
        campaign.figures["connections ended"] += len(ended)


def _fail_to_serialize(server: Server, name: str, often: float) -> None:
    """Make some of the statements of writers fail as if they could not be serialized."""
    server.sql(
        DATABASE,
        f"CREATE FUNCTION {name}.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF random() < {often} THEN "
        "RAISE EXCEPTION 'could not serialize access' USING ERRCODE = '40001'; END IF; RETURN NEW; END $$; "
        f"CREATE TRIGGER fail BEFORE INSERT ON {name}.games FOR EACH ROW EXECUTE FUNCTION {name}.fail()",
    )


def trial(campaign: Campaign, chance: random.Random, server: Server) -> None:
    """Let all run at once, then once more one after the other, and compare."""
    with tempfile.TemporaryDirectory() as folder:
        ground = Ground(Path(folder), server, chance, "race")
        with Store(ground.laptop(1), now=lambda: NOW) as other:
            for device in range(RACERS, 2 * RACERS):
                sync(ground, other, device, 10**6)
            decide(chance, other)
            exchange(StoreSide(other), Folder(ground.stick), [])
        on_server = campaign.number % 2 == 1
        place: Path | str = ground.club if on_server else ground.laptop(0)
        Store(place, now=lambda: NOW).close()
        failing = on_server and chance.random() < 0.5
        if failing:
            _fail_to_serialize(server, "race", chance.choice((0.02, 0.2)))
        errors = Path(folder, "errors")
        actions = _actions(ground, place, chance)
        children = [_started(action, errors) for action in actions]
        if on_server and chance.random() < 0.6:
            _disturb(campaign, chance, server)
        for child in children:
            _, status = os.waitpid(child, 0)
            code = os.waitstatus_to_exitcode(status)
            campaign.figures["processes that gave up with a sentence" if code else "processes that finished"] += 1
            if code not in (0, _TROUBLE):
                campaign.fail(f"a traceback:\n{errors.read_text() if errors.exists() else code}")
        if failing:
            server.sql(DATABASE, "DROP TRIGGER fail ON race.games; DROP FUNCTION race.fail")
        for action in actions[:]:
            with suppress(IndexError):
                action()
        _compare(campaign, ground, place)
        if not on_server and campaign.number % 4 == 0:
            _read_only(campaign, ground)


def _compare(campaign: Campaign, ground: Ground, place: Path | str) -> None:
    """Compare with a store that takes the same without a race."""
    with Store(place, now=lambda: NOW) as store, Store(ground.laptop(2), now=lambda: NOW) as calm:
        for device in range(RACERS):
            sync(ground, store, device, 10**6)
            sync(ground, calm, device, 10**6)
        exchange(StoreSide(store), Folder(ground.stick), [])
        exchange(StoreSide(calm), Folder(ground.stick), [])
        exchange(StoreSide(calm), StoreSide(store), [])
        games = [game for (game,) in store.db.rows("SELECT game FROM journals")]
        campaign.figures["games at the end"] += len(games)
        if len(games) != len(set(games)) or not games:
            campaign.fail("a game is duplicated, or all are missing")
        if shown(store) != shown(calm):
            campaign.fail("the store shows something else than one without a race")


def _read_only(campaign: Campaign, ground: Ground) -> None:
    """Run commands on a read-only file system: reading works, writing gives a sentence and changes nothing."""
    home = ground.folder / "disk"
    (home / "stick").mkdir(parents=True)
    path = home / "results.db"
    path.write_bytes(ground.laptop(0).read_bytes())
    before = path.read_bytes()
    if _on_read_only(home, [sys.executable, "-c", "pass"]).returncode:
        campaign.figures["read-only file systems that this computer does not allow"] += 1
        return
    for argv in (*_READING, *_WRITING):
        words = [str(home / "stick") if word == "STICK" else word for word in argv]
        done = _on_read_only(home, [sys.executable, "-m", "kiebitz_host.cli", *words, "--db", str(path)])
        campaign.figures["commands on a read-only file system"] += 1
        sentence = done.returncode == 2 and done.stderr.count("\n") == 1 and done.stderr.endswith(".\n")
        if "Traceback" in done.stderr or not (sentence if argv in _WRITING else done.returncode == 0):
            campaign.fail(f"kiebitz {' '.join(argv)} on a read-only file system: {done.stderr}")
    if path.read_bytes() != before or sorted(home.rglob("*")) != [path, home / "stick"]:
        campaign.fail("a read-only file system was written to")


def _on_read_only(home: Path, argv: list[str]) -> subprocess.CompletedProcess:
    whole = ["unshare", "-rm", "sh", "-c", _READ_ONLY, "sh", str(home), *argv]
    return subprocess.run(whole, capture_output=True, text=True)


def play(campaign: Campaign, first: int, count: int) -> None:
    """Run the trials on one server."""
    durable, database.SYNCHRONOUS = database.SYNCHRONOUS, "OFF"  # no power is cut here
    try:
        with running() as server:
            campaign.run(lambda campaign, chance: trial(campaign, chance, server), first, count)
    finally:
        database.SYNCHRONOUS = durable


def main(argv: list[str] | None = None) -> int:
    return command_line("kiebitz_lab.torture.races", __doc__ or "", 200, play, argv)


if __name__ == "__main__":
    sys.exit(main())
