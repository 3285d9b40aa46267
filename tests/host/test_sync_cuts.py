"""The cable is pulled at every byte of a session: the device goes on, and the next sync makes everything whole."""

from contextlib import contextmanager

import pytest
from helpers.cable import Cable
from helpers.device import Device, at_table
from helpers.faulty_storage import FaultyStorage
from helpers.play import ev, setup
from helpers.syncing import NOW, lines_of, memory_store, outcomes, sync
from kiebitz_host.link.client import Client
from kiebitz_host.link.sync import Sync
from kiebitz_host.link.trouble import LinkLost

PARTS = 8
SEED = 1000


class Tap(Cable):
    """A cable that remembers what it carried."""

    def __init__(self, device):
        super().__init__(device)
        self.stream = b""

    def _carry(self, data, to_device):
        data = super()._carry(data, to_device)
        self.stream += data
        return data


@pytest.fixture(scope="module")
def flash():
    """Return a game of two entries and a roster that is to be changed."""
    device = at_table(setup("top_spot", 3), [ev("point", p=1), ev("undo")])
    device.app.roster.replace(["Bem", "Anna"])
    return device.storage.files


def fetch(cable, store):
    return Sync(Client(cable, seed=SEED), store, NOW).run()


class Undone(Exception):
    pass


@contextmanager
def empty(store):
    """Yield the store, empty, and empty it again afterwards."""
    try:
        with store.batch():
            yield
            raise Undone
    except Undone:
        pass


@pytest.fixture(scope="module")
def store():
    with memory_store() as store:
        store.renames = lambda: {"Bem": "Ben"}
        yield store


def cuts(flash, store):
    """Return every byte after which a session can break off; of blank lines that fill a packet only one."""
    with empty(store):
        cable = Tap(Device(FaultyStorage(flash)))
        fetch(cable, store)
    stream = cable.stream
    return [n for n in range(len(stream)) if stream[n - 1 : n + 1] != b"\n\n"]


@pytest.mark.parametrize("part", range(PARTS))
def test_a_cable_pulled_at_any_byte(flash, store, part):
    for cut in cuts(flash, store)[part::PARTS]:
        device = Device(FaultyStorage(flash))
        game_id = device.app.library.journal.id
        with empty(store):
            with pytest.raises(LinkLost):
                fetch(Cable(device, cut=cut), store)
            half = store.stored_game(game_id)
            assert half is None or half.lines == lines_of(device, game_id), cut
            if device.app.library.entry(game_id)["confirmed"]:
                assert half is not None, (cut, "confirmed, but not kept")
            device.app.library.play(ev("redo"))
            report = sync(device, store)
            assert outcomes(report) == ["longer" if half else "new"], cut
            assert store.stored_game(game_id).lines == lines_of(device, game_id) and report.games[0].confirmed, cut
            assert device.app.roster.names == ["Ben", "Anna"], cut
            assert device.hw.usb.waited_ms == 0, cut


def test_the_cuts_reach_every_stage(flash, store):
    # The harness can fail: among the cuts are some before anything was kept, before it was confirmed, and after
    seen = set()
    for cut in cuts(flash, store)[::15]:
        device = Device(FaultyStorage(flash))
        game_id = device.app.library.journal.id
        with empty(store):
            with pytest.raises(LinkLost):
                fetch(Cable(device, cut=cut), store)
            seen.add((store.stored_game(game_id) is not None, device.app.library.entry(game_id)["confirmed"]))
    assert seen == {(False, False), (True, False), (True, True)}
