"""The link on the emulated chip: a cable that can be pulled or be bad, and what the device has on its flash."""

from kiebitz_host.link.client import Client
from kiebitz_host.link.sync import Sync
from kiebitz_host.link.trouble import LinkLost
from kiebitz_lab.chip.probes import ChipCable
from kiebitz_lab.chip.twin import settled

from helpers.syncing import NOW

SEED = 1000


class BadCable(ChipCable):
    """Pulled after `cut` bytes, counted in both directions; damage(data) may change what comes from the device.

    What it has carried is in `carried`, in order.
    """

    def __init__(self, rig, cut=None, damage=None):
        super().__init__(rig)
        self.carried = b""
        self._left = cut
        self._damage = damage

    def read(self, seconds):
        self._check()
        data = super().read(seconds)
        return self._carry(self._damage(data) if self._damage and data else data)

    def write(self, data):
        self._check()
        super().write(self._carry(data))

    def _check(self):
        if self._left == 0:
            self.rig.run_ms(1)  # what arrived before is still acted on
            self.close()
            raise LinkLost(self.name)

    def _carry(self, data):
        if self._left is not None:
            data = data[: self._left]
            self._left -= len(data)
        self.carried += data
        return data


def sync(rig, store, **faults):
    """Run sync once over a new cable, with the same bytes every time."""
    return fetch(BadCable(rig, **faults), store)


def fetch(cable, store):
    return Sync(Client(cable, seed=SEED), store, NOW).run()


def lines_on(rig, game_id):
    """Return the lines of a game on the device's flash, without numbers and checksums."""
    data = settled(rig.files("data"))[f"data/{game_id}.kbz"].decode()
    return [line.rsplit(" ", 2)[0] for line in data.splitlines()]
