"""Sync in the tests: a device, a cable and a store in memory, without a command line."""

from kiebitz_host.library.store import Store
from kiebitz_host.link.sync import Sync
from kiebitz_host.link.trouble import LinkTrouble

from helpers.cable import client
from helpers.device import Device
from helpers.faulty_storage import FaultyStorage
from helpers.play import ev, setup, short_game
from helpers.shelf import Noise

NOW = 1_800_000_000


def memory_store():
    """Return a store that is gone with the test."""
    return Store("/there/is/no/such/file", create=False, now=lambda: NOW)


def sync(device, store, now=NOW, **faults):
    """Run sync once. Returns its report."""
    return Sync(client(device, **faults), store, now).run()


def sync_anyhow(device, store, **faults):
    """Run sync once over a cable that may fail. Returns True if it came to its end."""
    try:
        sync(device, store, **faults)
    except LinkTrouble:
        return False
    return True


def outcomes(report):
    """Return what became of each game, the oldest first."""
    return [game.outcome for game in report.games]


def copy(device):
    """Another device with the same flash, as a backup restores it."""
    return Device(FaultyStorage(device.storage.files))


def other_random(device, k):
    """Let the ids of further games of a device differ from those of its copies."""
    noise = Noise()
    noise.k = k
    device.hw.urandom = noise


def lines_of(device, game_id):
    """Return the lines of a game on the device's flash, without numbers and checksums."""
    data = device.app.library.files.read(game_id + ".kbz").decode()
    return [line.rsplit(" ", 2)[0] for line in data.splitlines()]


END = (ev("point", p=1), ev("end_game"), ev("next_game"))
KINDS = ("royal_flush", "poker_carre", "poch", "top_spot")


def spot():
    """Return the set-up of a short match."""
    return setup("top_spot", 3, match_length=1, confirm=True)


def whole_evening():
    """Return a device with one game of each kind, and a finished one."""
    device = Device()
    for kind in KINDS:
        device.sit_down(*short_game(kind))
    return device.sit_down(spot(), END)


def ids(device):
    """Return the ids of the games on a device, the oldest first."""
    return device.app.library.ids()[::-1]


def held(store, game_id):
    """Return the lines of a game that a store has."""
    return store.stored_game(game_id).lines
