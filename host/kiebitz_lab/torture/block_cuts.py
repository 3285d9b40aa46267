"""Cut the power at any write or erase of a real littlefs: python -m kiebitz_lab.torture.block_cuts.

Evenings with games of all kinds, several at once, are played: begin, entries, undo, corrections, leave, resume, sync,
remove, settings, players, presets. Every step is made again and again from the same flash with the power cut in the
middle of another operation of littlefs, torn or not. Then the device is switched on: what it had acknowledged must
be there, nothing twice, and the game must go on.
"""

import random
from collections.abc import Callable

from kiebitz.games import GAMES, Refused, presets_of
from kiebitz.store.library import Library
from kiebitz.store.presets import Presets
from kiebitz.store.roster import Roster
from kiebitz.store.settings import Settings
from kiebitz_host.flash_layout import BLOCK, BLOCKS
from littlefs import LittleFS, LittleFSError, UserContext

from ..dice import Dice
from ..laptop_stand_in import confirm
from ..random_games import next_line, setup
from .campaign import Campaign, command_line

_ERASED = b"\xff" * BLOCK


class _Flash(UserContext):
    """The bytes of the flash, and a log of all changes."""

    def __init__(self, buffer: bytearray):
        super().__init__(buffer=buffer)
        self.log: list[tuple[int, bytes]] = []  # (offset, bytes written or erased)

    def read(self, cfg, block, off, size):
        start = block * BLOCK + off
        return self.buffer[start : start + size]

    def prog(self, cfg, block, off, data):
        return self._change(block * BLOCK + off, bytes(data))

    def erase(self, cfg, block):
        return self._change(block * BLOCK, _ERASED)

    def _change(self, start: int, data: bytes) -> int:
        self.log.append((start, data))
        self.buffer[start : start + len(data)] = data
        return 0


def after_cut(image: bytes, log: list[tuple[int, bytes]], at: int, part: float) -> bytes:
    """Return the flash after a power cut in operation `at` of the log, when this part of it is done."""
    flash = bytearray(image)
    for start, data in log[:at]:
        flash[start : start + len(data)] = data
    start, data = log[at]
    data = data[: int(len(data) * part)]
    flash[start : start + len(data)] = data
    return bytes(flash)


class LittlefsStorage:
    """The operations of a Storage in the folder /data, on a new flash or on these bytes."""

    def __init__(self, image: bytes | None = None, consistent: bool = True):
        """Mount the flash. Unless `consistent`, do not finish a rename interrupted by a power cut."""
        self.flash = _Flash(bytearray(image if image is not None else b"\xff" * (BLOCK * BLOCKS)))
        sizes: dict = {"block_size": BLOCK, "block_count": BLOCKS, "read_size": 32, "prog_size": 256}
        self._lfs = LittleFS(context=self.flash, cache_size=1024, lookahead_size=32, mount=False, **sizes)
        if image is None:
            self._lfs.format()
        self._lfs.mount()
        if consistent:
            self._lfs.makedirs("/data", exist_ok=True)

    def image(self) -> bytes:
        """Return all bytes of the flash as they are now."""
        return bytes(self.flash.buffer)

    def _do(self, action, *args, **keys):
        try:
            return action(*args, **keys)
        except LittleFSError as trouble:
            raise OSError(-trouble.code) from None

    def read(self, name, start=0, size=-1):
        file = self.open(name)
        if file is None:
            return None
        with file:
            file.seek(start)
            return file.read(size)

    def open(self, name):
        return self._do(self._lfs.open, "/data/" + name, "rb") if self.size(name) is not None else None

    def append(self, name, data):
        self._put(name, "ab" if self.size(name) is not None else "wb", data)

    def write(self, name, data):
        self._put(name, "wb", data)

    def _put(self, name, mode, data):
        if "/" in name:
            self._do(self._lfs.makedirs, ("/data/" + name).rpartition("/")[0], exist_ok=True)
        self._do(self._write, name, mode, data)

    def _write(self, name, mode, data):
        with self._lfs.open("/data/" + name, mode) as file:
            file.write(data)

    def rename(self, old, new):
        self._do(self._lfs.rename, "/data/" + old, "/data/" + new)

    def remove(self, name):
        self._do(self._lfs.remove, "/data/" + name)

    def names(self):
        return sorted(self._do(self._lfs.listdir, "/data"))

    def sizes(self):
        for name in self.names():
            yield name, self.size(name)

    def size(self, name):
        try:
            return self._lfs.stat("/data/" + name).size
        except LittleFSError as trouble:
            if trouble.code == LittleFSError.Error.LFS_ERR_NOENT:
                return None
            raise OSError(-trouble.code) from None

    def free(self):
        return (BLOCKS - self._do(lambda: self._lfs.used_block_count)) * BLOCK


CUTS = 2_000
_EACH = 4  # cuts in one step
_STEPS = 40  # in one evening


class Device:
    """A device with its flash, and what it has acknowledged."""

    def __init__(self, image: bytes | None, noise: int):
        self.storage = LittlefsStorage(image)
        self._noise = noise
        self.games = Library(self.storage, "e66058388329c0ff", self._random, lambda: 1_700_000_000)
        self.roster = Roster(self.storage)
        self.presets = Presets(self.storage)
        self.settings = Settings(self.storage)
        self.removed: set[str] = set()
        self.acknowledged: list[tuple[int, str, int]] = []  # (operations of the flash, game, bytes of its journal)

    def _random(self, n: int) -> bytes:
        self._noise += 1
        return bytes([self._noise % 256] * n)

    def acknowledge(self) -> None:
        """Record the journal as acknowledged by the device."""
        journal = self.games.journal
        self.acknowledged.append((len(self.storage.flash.log), journal.id, journal.size))

    def holds(self) -> dict[str, bytes]:
        """Return the bytes of all journals; every one is opened, and damage is an error."""
        found = {}
        for game_id in self.games.ids():
            journal, table, report = self.games.look(game_id)
            if table is None or (report and report[0] != "torn"):
                raise AssertionError(f"game {game_id} is damaged: {report}")
            found[game_id] = self.games.files.read(game_id + ".kbz")[: journal.size]
        return found

    def kept(self) -> tuple:
        """Return the players, the settings and the presets on flash."""
        return Roster(self.storage).names, Settings(self.storage).all(), Presets(self.storage).all


Step = Callable[[Device], None]


def _begin(dice: Dice) -> Step:
    line = setup(dice.pick(GAMES), dice)

    def begin(device: Device) -> None:
        device.games.create(line)
        device.acknowledge()

    return begin


def _enter(dice: Dice, lines: int) -> Step:
    seed = dice.below(1 << 20)

    def enter(device: Device) -> None:
        games, events = device.games, Dice(seed)
        if games.journal is None and games.resume()[0] is None:
            return
        for _ in range(lines):
            try:
                games.play(next_line(games.table, events, 0))
            except Refused:
                continue
            device.acknowledge()

    return enter


def _resume(dice: Dice) -> Step:
    which = dice.below(1000)

    def resume(device: Device) -> None:
        ids = device.games.ids()
        device.games.resume(ids[which % len(ids)])

    return resume


def _remove(dice: Dice) -> Step:
    which = dice.below(1000)

    def remove(device: Device) -> None:
        games = device.games
        ids = [game_id for game_id in games.ids() if game_id != games.running]
        if ids:
            game_id = ids[which % len(ids)]
            entry = games.entry(game_id)
            confirm(games, game_id, entry["lines"])
            device.removed.add(game_id)
            games.remove(game_id)

    return remove


def _leave(device: Device) -> None:
    if device.games.journal is None:
        device.games.resume()
    device.games.close()


def _save(device: Device) -> None:
    device.games.resume()
    device.games.keep_state()
    device.games.make_ready()


def _names(dice: Dice) -> Step:
    name = f"Name {dice.below(50)}"
    value = 1 + dice.below(10)
    kind = [kind for kind in GAMES if presets_of(kind)][-1]
    preset = {"game": kind, "players": [name, "Ben"], "title": f"Title {dice.below(30)}"}

    def names(device: Device) -> None:
        device.roster.played([name, "Ben"])
        device.settings.set("brightness", value)
        device.presets.played(preset)

    return names


def _step(dice: Dice, number: int) -> Step:
    """Return the next step of an evening."""
    if number < 3:
        return _begin(dice)
    kinds = ((40, "enter"), (12, "begin"), (12, "leave"), (10, "resume"), (8, "save"), (10, "names"), (8, "remove"))
    kind = dice.weighted(*kinds)
    if kind == "enter":
        return _enter(dice, 1 + dice.below(6))
    makers = {"begin": _begin, "resume": _resume, "names": _names, "remove": _remove}
    return makers[kind](dice) if kind in makers else {"leave": _leave, "save": _save}[kind]


def play(campaign: Campaign, first: int, count: int) -> None:
    """Make this many cuts, a few in each step of the evenings."""
    steps = -(-count // _EACH)
    campaign.run(_evening, first, -(-steps // _STEPS))


def _evening(campaign: Campaign, chance: random.Random) -> None:
    """Play one evening, with cuts in every step."""
    dice = Dice(chance.randrange(1 << 30))
    image = LittlefsStorage().image()
    before = Device(image, 0)
    journals, kept = before.holds(), before.kept()
    for number in range(_STEPS):
        device = Device(image, number)
        log = device.storage.flash.log
        start = len(log)
        _step(dice, number)(device)
        log = log[:]
        after, now = device.holds(), device.kept()
        for _ in range(_EACH if len(log) > start else 0):
            at, part = chance.randrange(start, len(log)), chance.choice((0, 0, chance.random(), 1))
            campaign.figures["cuts"] += 1
            where = f"step {number}, operation {at - start}, part {part:.2f}"
            least = {game_id: len(data) for game_id, data in journals.items() if game_id not in device.removed}
            least.update({game_id: size for count, game_id, size in device.acknowledged if count <= at})
            _check(campaign, where, after_cut(image, log, at, part), number, least, after, (kept, now))
        image, journals, kept = device.storage.image(), after, now


def _check(campaign, where, image, number, least, after, kept) -> None:
    """Switch on after a cut, and check that what was acknowledged is there, once, and that the game goes on."""
    try:
        again = Device(image, number + 100)
        found, stored = again.holds(), again.kept()
        again.games.resume()
        if again.games.journal is not None and again.games.table.can_undo:
            again.games.play({"ev": "undo"})
    except Exception as error:
        campaign.figures["unbootable"] += 1
        campaign.fail(f"{where}: {type(error).__name__}: {error}")
        return
    for game_id, size in least.items():
        if len(found.get(game_id, b"")) < size:
            campaign.figures["lost"] += 1
            campaign.fail(f"{where}: {game_id} has {len(found.get(game_id, b''))} of {size} bytes")
    for game_id, data in found.items():
        if game_id in after and not after[game_id].startswith(data):
            campaign.figures["doubled"] += 1
            campaign.fail(f"{where}: {game_id} has entries that were never made")
    if len([game_id for game_id in found if game_id not in least and game_id not in after]) > 1:
        campaign.figures["doubled"] += 1
        campaign.fail(f"{where}: a game is duplicated")
    if any(value not in before_and_after for value, *before_and_after in zip(stored, *kept, strict=True)):
        campaign.figures["lost"] += 1
        campaign.fail(f"{where}: {stored} is neither {kept[0]} nor {kept[1]}")


def main(argv: list[str] | None = None) -> int:
    """Run the campaign. Returns the exit code."""
    return command_line("kiebitz_lab.torture.block_cuts", __doc__ or "", CUTS, play, argv)


if __name__ == "__main__":
    raise SystemExit(main())
