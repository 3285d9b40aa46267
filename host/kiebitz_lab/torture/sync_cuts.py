"""Cut the power of an emulated Pico while it is synced or started: python -m kiebitz_lab.torture.sync_cuts.

The power is cut in any flash operation of a sync or of a start, torn or not, or at any instant. Then the device is
switched on and synced again: every game must be on the laptop and on the device, once, to its last line.
"""

import json
import random
import tempfile

from kiebitz_host.library.store import Store
from kiebitz_host.link.client import Client
from kiebitz_host.link.sync import Sync
from kiebitz_host.link.trouble import LinkTrouble

from ..chip.flash import AFTER, BEFORE, TORN, changed, flash_with
from ..chip.pico import PowerGone
from ..chip.probes import ChipCable, ReferenceDevice, branch, in_use, settled
from ..chip.rig import Rig
from ..image.build import current_image
from .campaign import Campaign, command_line

CUTS = 100
_NOW = 1_800_000_000
_SPOT = {"game": "top_spot", "players": ["Anna", "Ben", "Cleo"], "match_length": 9}
_START_MS = 4000


class Table:
    """A device with games that is synced, and the same device just switched on."""

    def __init__(self) -> None:
        reference = ReferenceDevice()
        for length in (3, 12, 12, 12, 12, 40):
            reference.sit_down(_SPOT, [{"ev": "point", "p": k % 3} for k in range(length % 12)])
        self.files = reference.files()
        self.journals = _journals(self.files)
        flash = flash_with(current_image(), in_use())
        self.synced = Rig(changed(flash, self.files)).boot(20_000)
        self.started = Rig(changed(flash, self.files))

    def cut(self, chance: random.Random) -> tuple[str, bool]:
        """Cut the power once. Returns (the fault found or an empty string, whether the cut came in time)."""
        seed = chance.randrange(1 << 30)
        if chance.random() < 0.7:
            return branch(self.synced, lambda rig: _cut(rig, _sync, 4, seed, self.journals))
        return branch(self.started, lambda rig: _cut(rig, _start, 16, seed, self.journals))


def _journals(files: dict[str, bytes]) -> dict[str, list[str]]:
    """Return {game id: lines} of the journals among the files of a device."""
    found = {}
    for data in settled(files).values():
        if data[:8] == b'{"game":':
            lines = [line.rsplit(" ", 2)[0] for line in data.decode().splitlines()]
            starts = [k for k, line in enumerate(lines) if line.startswith('{"game":')]
            for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
                found[json.loads(lines[start])["id"]] = lines[start:end]
    return found


def _sync(rig: Rig, store: Store) -> None:
    Sync(Client(ChipCable(rig), seed=1000), store, _NOW).run()


def _start(rig: Rig, store: Store) -> None:
    rig.boot(20_000).run_ms(_START_MS)


def _cut(rig: Rig, action, operations: int, seed: int, journals: dict[str, list[str]]) -> tuple[str, bool]:
    """Cut the power in one of the first flash operations of the action, switch on and sync; returns as Table.cut."""
    chance = random.Random(seed)
    in_time = False
    with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/results.db") as store:
        rig.flash.chance = chance
        if chance.random() < 0.8:
            rig.flash.cut_at_operation(chance.randrange(operations), chance.choice((BEFORE, TORN, TORN, AFTER)))
        else:
            rig.pico.at(chance.random() * 2000, rig.flash.cut_now)
        try:
            action(rig, store)
        except (PowerGone, LinkTrouble):
            in_time = True
        rig = rig.power_cut()
        rig.boot(20_000).run_ms(_START_MS)
        return _wrong(rig, store, journals), in_time


def _wrong(rig: Rig, store: Store, journals: dict[str, list[str]]) -> str:
    """Sync the device. Returns the fault found on either side, or an empty string."""
    found = _journals(rig.files("data"))
    if found != journals:
        return f"the device has other journals: {sorted(found)}"
    _sync(rig, store)
    stored = {game_id: held.lines for game_id in journals if (held := store.stored_game(game_id))}
    if stored != journals:
        return f"the laptop has other games: {sorted(stored)}"
    if store.db.value("SELECT count(*) FROM journals") != len(journals):
        return "the laptop has a game twice"
    return "the device has crashed" if "data/crash.txt" in rig.files("data") else ""


def play(campaign: Campaign, first: int, count: int) -> None:
    """Make this many cuts."""
    table = Table()

    def one(campaign: Campaign, chance: random.Random) -> None:
        wrong, in_time = table.cut(chance)
        campaign.figures["cuts"] += 1
        campaign.figures["in time"] += in_time
        if wrong:
            campaign.fail(wrong)

    campaign.run(one, first, count)


def main(argv: list[str] | None = None) -> int:
    """Run the campaign. Returns the exit code."""
    return command_line("kiebitz_lab.torture.sync_cuts", __doc__ or "", CUTS, play, argv)


if __name__ == "__main__":
    raise SystemExit(main())
