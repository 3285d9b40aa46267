"""Sync twenty laptops, ten devices, a club's PostgreSQL and a stick at random: python -m kiebitz_lab.torture.club.

All clocks are wrong, cables are pulled, clients are killed with SIGKILL and the server is stopped as if its power had
failed, at any time. After a final exchange of all of them, no game and no decision that was stored may be
missing, none may be duplicated, and all leagues and evenings must be equal to the last digit.
"""

import json
import os
import random
import signal
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from kiebitz.board.storage import Storage
from kiebitz.store.library import Library
from kiebitz_host.exchange import Folder, StoreSide, exchange
from kiebitz_host.library import database, fixes, people, query, removals
from kiebitz_host.library.club_evenings import Evenings
from kiebitz_host.library.store import Store
from kiebitz_host.link.client import Client
from kiebitz_host.link.sync import Sync
from kiebitz_host.link.trouble import LinkLost
from kiebitz_host.outcome import Trouble

from ..handheld import ScriptedDevice
from ..postgres_server import Server, running
from ..synthetic_store import finished_games, shown
from .campaign import Campaign, change_club, command_line
from .writing_commands import Cable

LAPTOPS = 20
DEVICES = 10
AT_ONCE = 3  # clients that run at the same time
MEETINGS = 60
THROWN = 0.15  # fraction of the games that are thrown away on the device
NAMES = ("Anna", "anna", "Ben", "Cleo", "Dan", "Eva", "Fee", *[f"P{k}" for k in range(20)])
PRESENT = 4  # at an evening that can be drawn
EVENING = "evening/0123456789abcdef"
CLOCK_MAX = 2_300_000_000  # 2042: a clock that is years ahead, but less than others accept
_OK, _TROUBLE = 0, 3  # exit codes of a client


class PulledCable(Cable):
    """A cable that is pulled after some reads."""

    def __init__(self, device: ScriptedDevice, reads: int):
        super().__init__(device)
        self._left = reads

    def read(self, seconds: float) -> bytes:
        self._left -= 1
        if self._left < 0:
            raise LinkLost(self.name)
        return super().read(seconds)


class Ground:
    """All devices and laptops of one trial, in a folder."""

    def __init__(self, folder: Path, server: Server, chance: random.Random, schema: str = "torture"):
        self.folder = folder
        self.server = server
        self.chance = chance
        self.club = server.new_schema(schema)
        self.stick = folder / "stick"
        self.stick.mkdir()
        self.clocks = [chance.randrange(1, CLOCK_MAX) for _ in range(LAPTOPS)]
        self.games = finished_games(chance.randrange(1000))
        self.begun = 0  # games on all devices
        self.played: set[str] = set()  # the ids of those that no device has removed
        for device in range(DEVICES):
            self.play_on(device)

    def laptop(self, k: int) -> Path:
        """Return the file of a laptop."""
        return self.folder / f"laptop{k}.db"

    def play_on(self, device: int) -> None:
        """Play a game on a device that is not plugged in."""
        storage = Storage(str(self.folder / f"device{device}" / "data"))
        clock = self.chance.choice((0, self.chance.randrange(1_500_000_000, 1_900_000_000)))
        games = Library(storage, f"{device + 1:02x}" * 8, self.chance.randbytes, lambda: clock)
        lines = self.chance.choice(self.games)
        setup = json.loads(lines[0])
        setup["players"] = self.chance.sample(NAMES, len(setup["players"]))
        games.create(setup)
        for line in lines[1 : self.chance.choice((len(lines), len(lines), 6))]:
            games.play(json.loads(line))
        self.begun += 1
        self.played.add(games.journal.id)
        if self.chance.random() < THROWN:
            before = set(games.ids())
            games.throw_away()
            self.played -= before - set(games.ids())  # those that were thrown away a month before
        games.close()


# --- what a client does, in a process of its own ---


def sync(ground: Ground, store: Store, device: int, reads: int) -> None:
    """Sync a device over a cable that is pulled after some reads."""
    machine = ScriptedDevice(Storage(str(ground.folder / f"device{device}" / "data")))
    with Client(PulledCable(machine, reads)) as client:
        Sync(client, store, int(store.now())).run()


def decide(chance: random.Random, store: Store) -> None:
    """Make a random decision, which the store accepts or refuses."""
    numbers = [game["number"] for game in query.games(store.db, query.Filter(), 30)]
    spellings = [spelling for (spelling,) in store.db.rows("SELECT spelling FROM spellings")]
    for _ in range(3):
        with suppress(Trouble, fixes.Unfit, IndexError):
            number = chance.choice(numbers)
            what = chance.randrange(10)
            if what == 0:
                removals.delete(store, number)
            elif what == 1:
                deleted = [game["number"] for game in query.games(store.db, query.Filter(deleted=True), 30)]
                removals.restore(store, chance.choice(deleted))
            elif what == 2:
                table = store.replayed(number).table
                event = table.event(chance.randrange(len(table))) if table else {}
                fixes.correct(store, number, chance.randrange(1, 6), event)
            elif what == 3:
                people.join(store.db, *[people.find(store.db, name) for name in chance.sample(spellings, 2)])
            elif what == 4:
                people.rename(store.db, people.find(store.db, chance.choice(spellings)), f"N{chance.randrange(9)}")
            elif what == 5:
                people.split(store.db, chance.choice(spellings))
            elif what < 8:
                change_club(store, chance, spellings)
            else:
                _run_evening(chance, store)


def _run_evening(chance: random.Random, store: Store) -> None:
    """Change the evening of the club, which several laptops begin, draw and settle at once."""
    found = Evenings(store)
    if not found.all:
        about = {"day": "2026-01-05", "game": "top_spot", "title": "", "settings": "{}", "series": 2, "sizes": [4, 3]}
        found.write(EVENING, name="Club", **about, money={"stake": 500, "fees": [], "prizes": [1000]})
        found = Evenings(store)
        found.note_present(found.all[0], chance.sample(NAMES, PRESENT + 3), True, 1)
        found = Evenings(store)
    evening = found.find(EVENING.partition("/")[2], True)
    what = chance.randrange(5)
    if what < 2 or len(evening.here[1]) < PRESENT:
        found.note_present(evening, chance.sample(NAMES, PRESENT + 3), True, 1)
    elif what < 3:
        found.draw(evening, chance.choice((1, 2)), chance.choice(("lot", "meet")), chance.randrange(99), True)
    elif what < 4:
        found.settle(evening)
    else:
        found.undo(evening)


def _all_shown(store: Store) -> tuple:
    """Return what a store shows of games, leagues and evenings."""
    return shown(store), Evenings(store).all


def _meet(store: Store, other: Store) -> None:
    exchange(StoreSide(store), StoreSide(other), [])


def client(ground: Ground, chance: random.Random, laptop: int, device: int, notes: Path) -> None:
    """Do one thing on a laptop, then record what is stored."""
    clock = ground.clocks[laptop] + chance.randrange(1000)
    place = ground.club if chance.random() < 0.3 else ground.laptop(laptop)
    with Store(place, now=lambda: clock) as store:
        what = chance.randrange(10)
        if what < 4:
            sync(ground, store, device, chance.choice((3, 10, 30, 10**6)))
        elif what < 7:
            decide(chance, store)
        elif what < 8:
            skipped: list[str] = []
            exchange(StoreSide(store), Folder(ground.stick), skipped)
            if skipped:
                raise RuntimeError(f"damaged on the stick: {skipped}")
        elif place != ground.club:
            with Store(ground.club, now=lambda: clock) as club:
                _meet(store, club)
        _note(store, notes)


def _note(store: Store, notes: Path) -> None:
    """Record what is stored permanently."""
    games = [game for (game,) in store.db.rows("SELECT game FROM journals")]
    decisions = [key for (key,) in store.db.rows("SELECT id FROM decisions")]
    notes.write_text(json.dumps({"games": games, "decisions": decisions}))


def _start(ground: Ground, seed: str, laptop: int, device: int, notes: Path) -> int:
    """Start a client. Returns its process id."""
    child = os.fork()
    if child:
        return child
    code = _TROUBLE
    try:
        error = os.open(ground.folder / "errors", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(error, 2)
        try:
            client(ground, random.Random(seed), laptop, device, notes)
            code = _OK
        except Trouble:
            pass  # the cable, or the server: a sentence for a person
        except BaseException:
            import traceback  # only here

            traceback.print_exc()
            code = 1
    finally:
        os._exit(code)


# --- the trial ---


def trial(campaign: Campaign, chance: random.Random, server: Server, meetings: int) -> None:
    """Sync at random, then all with all, and check the results."""
    with tempfile.TemporaryDirectory() as folder:
        ground = Ground(Path(folder), server, chance)
        noted: dict[str, set[str]] = {"games": set(), "decisions": set()}
        for number in range(0, meetings, AT_ONCE):
            laptops, devices = chance.sample(range(LAPTOPS), AT_ONCE), chance.sample(range(DEVICES), AT_ONCE)
            notes = [Path(folder, f"notes{k}") for k in range(AT_ONCE)]
            children = [
                _start(ground, f"{chance.random()}", laptop, device, note)
                for laptop, device, note in zip(laptops, devices, notes, strict=True)
            ]
            _disturb(campaign, chance, server, children)
            _collect(campaign, ground, children, notes, noted)
            if number % 2 == 0:
                ground.play_on(chance.randrange(DEVICES))
        _end(campaign, ground, noted)


def _disturb(campaign: Campaign, chance: random.Random, server: Server, children: list[int]) -> None:
    """Kill some of the clients at random moments, and now and then the server."""
    for child in children:
        if chance.random() < 0.4:
            time.sleep(chance.uniform(0, 0.04))  # most clients that nobody kills take longer
            os.kill(child, signal.SIGKILL)
    if chance.random() < 0.15:
        time.sleep(chance.uniform(0, 0.2))
        server.stop("immediate")
        server.start()
        campaign.figures["times the server was killed"] += 1


def _collect(campaign: Campaign, ground: Ground, children: list[int], notes: list[Path], noted: dict) -> None:
    """Wait for the clients and collect their records."""
    for child, note in zip(children, notes, strict=True):
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            campaign.figures["clients killed"] += 1
        elif os.WEXITSTATUS(status) == _TROUBLE:
            campaign.figures["clients that gave up with a sentence"] += 1
        elif os.WEXITSTATUS(status):
            campaign.fail(f"a client ended in a traceback:\n{(ground.folder / 'errors').read_text()}")
        else:
            campaign.figures["clients that finished"] += 1
        with suppress(FileNotFoundError, ValueError):
            found = json.loads(note.read_text())
            for what, names in found.items():
                noted[what] |= set(names)
            note.unlink()


def _end(campaign: Campaign, ground: Ground, noted: dict[str, set[str]]) -> None:
    """Sync all devices and laptops, and compare them."""
    for device in range(DEVICES):
        with Store(ground.laptop(device), now=lambda: 1_800_000_000) as store:
            sync(ground, store, device, 10**6)
    ends: list[tuple] = []
    for _ in range(2):
        ends = []
        for k in range(LAPTOPS):
            with Store(ground.laptop(k)) as store, Store(ground.club) as club:
                skipped: list[str] = []
                exchange(StoreSide(store), Folder(ground.stick), skipped)
                _meet(store, club)
                if skipped:
                    campaign.fail(f"damaged on the stick: {skipped}")
                ends.append(_all_shown(store))
    with Store(ground.club) as club:
        ends.append(_all_shown(club))
        games = [game for (game,) in club.db.rows("SELECT game FROM journals")]
        decisions = {key for (key,) in club.db.rows("SELECT id FROM decisions")}
        club.rebuild()
        if _all_shown(club) != ends[-1]:
            campaign.fail("the club shows something else after a rebuild")
    campaign.figures["games at the end"] += len(games)
    campaign.figures["decisions at the end"] += len(decisions)
    if any(end != ends[-1] for end in ends):
        campaign.fail("not all show the same")
    campaign.figures["draws that count at the end"] += sum(len(one.draws) for one in ends[-1][1])
    of_devices = [game for game in games if not game.startswith("file-")]  # the others were imported
    if len(games) != len(set(games)) or len(of_devices) > ground.begun:
        campaign.fail("a game is duplicated")
    missing = [*(noted["games"] - set(games)), *(noted["decisions"] - decisions), *(ground.played - set(games))]
    if missing:
        campaign.fail(f"lost: {missing}")


def play(campaign: Campaign, first: int, count: int, meetings: int = MEETINGS) -> None:
    """Run the trials on one server."""
    durable, database.SYNCHRONOUS = database.SYNCHRONOUS, "OFF"  # no power is cut but that of the server
    try:
        with running() as server:
            campaign.run(lambda campaign, chance: trial(campaign, chance, server, meetings), first, count)
    finally:
        database.SYNCHRONOUS = durable


def main(argv: list[str] | None = None) -> int:
    return command_line("kiebitz_lab.torture.club", __doc__ or "", 10, play, argv)


if __name__ == "__main__":
    sys.exit(main())
