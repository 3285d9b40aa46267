"""Cut the power while a piece of an evening is played on the emulated chip, and check what is left on the flash."""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from kiebitz.store.checkpoint import file_name as checkpoint_name
from kiebitz.store.journal import Journal
from kiebitz.store.library import Library
from kiebitz.store.presets import Presets
from kiebitz.store.roster import Roster
from kiebitz.store.settings import Settings
from kiebitz.widgets.screen import LINE
from kiebitz_host.sim.flash_folder import DATA, MemoryStorage

from .evenings import Piece, words
from .flash import AFTER, BEFORE, TORN, BadFileSystem, changed
from .pico import PowerGone, TimeUp
from .probes import CHIP_ID, CHIP_RANDOM, ReferenceDevice, branch, settled
from .rig import Rig


class Game(NamedTuple):
    journal: bytes
    state: str  # the rules' state after this journal

    @property
    def entries(self) -> int:
        return self.journal.count(b"\n")


class Standing(NamedTuple):
    running: str | None
    games: dict[str, Game]
    players: tuple[list[str], list[str]]
    settings: dict[str, Any]
    presets: list[Any]
    thrown: list[Any]  # the games that were thrown away
    reports: list[Any]  # damage that the device would report


def standing(files: Mapping[str, bytes]) -> Standing:
    """Return what these files of a device hold; every journal is replayed from its first line on."""
    storage = MemoryStorage.of(files)
    settings, roster, presets = Settings(storage), Roster(storage), Presets(storage)
    shelf = Library(storage, CHIP_ID.hex(), lambda n: CHIP_RANDOM * n, lambda: 0)
    reports = [kept.report for kept in (settings, roster, presets, shelf)]
    games = {}
    for game_id in shelf.ids():
        storage.files.pop(checkpoint_name(game_id), None)
        journal, table, report = Journal.open(shelf.files, game_id)
        reports.append(report)
        if journal is not None:
            games[game_id] = Game(shelf.files.read(journal.name), table.game.snapshot())
    told = [report for report in reports if report]
    players = roster.names, roster.last
    return Standing(shelf.running, games, players, settings.all(), presets.all, shelf.thrown.pairs, told)


class Change(NamedTuple):
    """The change from one standing to the next by one key press."""

    before: Standing
    after: Standing

    def missing(self, found: Standing, acknowledged: bool) -> tuple[int, str]:
        """Return (number of acknowledged entries that are missing in `found`, what is wrong, or "").

        Every part must be as before or as after the press; once the press was acknowledged, as after it.
        """
        lost, wrong = 0, [f"damage was reported: {found.reports}"] if found.reports else []
        for game_id in sorted({*self.before.games, *self.after.games, *found.games}):
            was, now, is_ = (part.games.get(game_id) for part in (self.before, self.after, found))
            if is_ == now or (is_ == was and not acknowledged):
                continue
            wanted = now if acknowledged else was
            entries, there = (game.entries if game else 0 for game in (wanted, is_))
            lost += max(1, entries - there)
            wrong.append(f"game {game_id} has {there} lines, not the {entries} that were acknowledged")
        for part, was, now, is_ in self._rest(found):
            if is_ != now and (is_ != was or acknowledged):
                lost += 1
                wrong.append(f"{part}: {is_!r} instead of {now if acknowledged else was!r}")
        return lost or len(wrong), "; ".join(wrong)

    def _rest(self, found: Standing) -> Iterator[tuple[str, Any, Any, Any]]:
        for part in ("running", "players", "settings", "presets", "thrown"):
            yield part, getattr(self.before, part), getattr(self.after, part), getattr(found, part)


BOOT_MS = 1200.0  # period of a possible second cut
CRASH = f"{DATA}/crash.txt"

SHOWN = "shown"  # the power goes as soon as the device has acknowledged the entry
_HOW = (BEFORE, TORN, AFTER, SHOWN, None)
_HOW_OFTEN = (15, 25, 15, 20, 25)
_LOOK_MS = 0.25
_SHOWN_MS = 40  # at most this long after the acknowledgement
_TWICE = 0.2  # of the cuts: the power goes again while the device restarts
_GOES_ON = 0.15  # of the cuts: the interrupted entry is entered again
_UNFINISHED = (".tmp", ".new")


class Cut(NamedTuple):
    """One power cut. A number between 0 and 1 is a fraction of the range to choose from."""

    name: str
    press: int  # its number in the piece
    place: float  # among the operations of this press, or in its time
    how: str | None  # around an operation of the flash, at the acknowledgement, or None: by the clock
    again: float | None  # in the time of the next start, if the power goes then as well
    goes_on: bool
    seed: str

    @property
    def times(self) -> int:
        return 1 if self.again is None else 2


class Verdict(NamedTuple):
    name: str
    what: str  # the moment of the cut
    cuts: int
    acknowledged: bool
    lost: int
    unbootable: bool
    why: str


class Seen(NamedTuple):
    """The pixels (as bits) and beeps that are possible before a press is on flash."""

    always: int
    ever: int
    beeps: int


class Press(NamedTuple):
    """A press in progress with its key, and its allowed and forbidden effects."""

    key: str
    line: str  # the line it belongs to
    change: Change
    early: Seen | None  # None: nothing is written


def plan(piece: Piece, seed: int, cuts: int) -> list[Cut]:
    """Return cuts in a piece, `cuts` in all, the same for the same seed; a longer plan begins with the shorter one."""
    writes = _writes(piece)
    planned: list[Cut] = []
    number = 0
    while cuts:
        cut = _cut(f"{piece.name}/{number}", seed, writes)
        number += 1
        if cut.times <= cuts:
            planned.append(cut)
            cuts -= cut.times
    return planned


def planned_cut(piece: Piece, seed: int, name: str) -> Cut:
    """Return one cut of a plan, by its name."""
    return _cut(name, seed, _writes(piece))


def _writes(piece: Piece) -> list[int]:
    """Return how often each press of a piece writes to flash."""
    reference = piece.reference()
    found = []
    for line in piece.lines:
        for key in words(line, reference):
            before = reference.storage.count
            reference.keys(key)
            found.append(reference.storage.count - before)
    return found


def _cut(name: str, seed: int, writes: list[int]) -> Cut:
    own = f"{seed} {name}"
    chance = random.Random(own)
    how = chance.choices(_HOW, _HOW_OFTEN)[0]
    press = chance.choices(range(len(writes)), writes if how else [1 + 2 * bool(count) for count in writes])[0]
    place = chance.random()
    again = chance.random() if chance.random() < _TWICE else None
    return Cut(name, press, place, how, again, chance.random() < _GOES_ON, own)


def play(piece: Piece, flash: bytes, cuts: Iterable[Cut], tell: Callable[[Verdict], None]) -> None:
    """Play a piece once, on a chip with this flash and on the reference device, and cut the power of copies."""
    reference = piece.reference()
    rig = Rig(changed(flash, reference.files()), usb=False).boot()
    wanted: dict[int, list[Cut]] = {}
    for cut in cuts:
        wanted.setdefault(cut.press, []).append(cut)
    ahead = rig.ms - reference.hw.time.elapsed
    press = 0
    for line in piece.lines:
        for key in words(line, reference):
            if press > max(wanted, default=-1):
                return
            assert rig.frame() == reference.frame(), f"{piece.name}: they differ before press {press}, {key}"
            if press not in wanted:
                reference.keys(key)
            else:
                on_its_way = _press(reference, key, line)
                length = branch(rig, partial(_measure, key=key))
                for cut in wanted[press]:
                    tell(branch(rig, partial(_try, cut=cut, press=on_its_way, length=length)))
            rig.keys(key)
            reference.wait(int(rig.ms - ahead - reference.hw.time.elapsed))
            press += 1


def _pixels(frame: list[bytes]) -> int:
    """Return the pixels as bits, without the last line: its hints change with time and acknowledge nothing."""
    return int.from_bytes(b"".join(frame[:-LINE]), "big")


def _press(reference: ReferenceDevice, key: str, line: str) -> Press:
    """Press a key on the reference device and record its frames and when the entry is on flash. Return the press."""
    before = standing(reference.files())
    shown = [(reference.storage.count, reference.hw.beeps, _pixels(reference.frame()))]
    drawn = reference.hw.bus_writes

    def look():
        nonlocal drawn
        if (reference.hw.bus_writes, reference.hw.beeps) != (drawn, shown[-1][1]):
            drawn = reference.hw.bus_writes
            shown.append((reference.storage.count, reference.hw.beeps, _pixels(reference.frame())))

    reference.seen = look
    reference.keys(key)
    reference.seen = None
    early = [(beeps, pixels) for count, beeps, pixels in shown if count < reference.storage.count]
    seen = None
    if early:
        always = ever = early[0][1]
        for _, pixels in early:
            always, ever = always & pixels, ever | pixels
        seen = Seen(always, ever, max(beeps for beeps, _ in early) - shown[0][1])
    return Press(key, line, Change(before, standing(reference.files())), seen)


def _measure(rig: Rig, key: str) -> tuple[float, int]:
    """Return (milliseconds, flash operations) of a press."""
    before = rig.ms, len(rig.flash.operations)
    rig.keys(key)
    return rig.ms - before[0], len(rig.flash.operations) - before[1]


def _try(rig: Rig, cut: Cut, press: Press, length: tuple[float, int]) -> Verdict:
    """Cut the power during a press and start again. Returns the verdict."""
    shown = partial(_acknowledged, rig, press.early, rig.buzzer.beeps)
    what = f"{press.key}: {_get_ready(rig, cut, press, length, shown)}"
    try:
        rig.keys(press.key)
    except PowerGone:
        pass
    acknowledged = shown()
    rig = rig.power_cut()
    if cut.again is not None:
        what += f", and again {_cut_the_start(rig, cut)}"
        rig = rig.power_cut()
    lost, unbootable, why = _judge(rig, press, acknowledged, cut.goes_on)
    return Verdict(cut.name, what, cut.times, acknowledged, lost, unbootable, why)


def _get_ready(rig: Rig, cut: Cut, press: Press, length: tuple[float, int], shown: Callable[[], bool]) -> str:
    """Schedule the power cut. Returns a description of its moment."""
    ms, operations = length
    rig.flash.chance = random.Random(cut.seed)
    if cut.how == SHOWN and press.change.before != press.change.after:
        delay = cut.place**2 * _SHOWN_MS
        _when(rig, shown, delay, rig.flash.cut_now)
        return f"{delay:.1f} ms after it was shown"
    if cut.how in (BEFORE, TORN, AFTER) and operations:
        at = int(cut.place * operations)
        rig.flash.cut_at_operation(at, cut.how)
        return f"{cut.how} flash operation {at + 1} of {operations}"
    rig.pico.at(cut.place * ms, rig.flash.cut_now)
    return f"after {cut.place * ms:.1f} of {ms:.0f} ms"


def _when(rig: Rig, shown: Callable[[], bool], delay: float, action: Callable[[], None]) -> None:
    """Call the action `delay` ms after the device has acknowledged an entry."""
    heard = (rig.bus.bytes, rig.buzzer.beeps)

    def look():
        nonlocal heard
        now = (rig.bus.bytes, rig.buzzer.beeps)
        if now != heard and shown():
            rig.pico.at(delay, action)
        else:
            heard = now
            rig.pico.at(_LOOK_MS, look)

    look()


def _acknowledged(rig: Rig, early: Seen | None, beeps: int) -> bool:
    """Return True after a pixel or beep that is correct only once the press is on flash."""
    if early is None:
        return False
    pixels = _pixels(rig.frame())
    return bool(pixels & ~early.ever or early.always & ~pixels) or rig.buzzer.beeps - beeps > early.beeps


def _cut_the_start(rig: Rig, cut: Cut) -> str:
    """Cut the power of a starting device, during the repair of its files if there is one. Returns a description."""
    assert cut.again is not None
    try:
        unfinished = any(name.endswith(_UNFINISHED) for name in rig.files(DATA))
    except BadFileSystem:
        unfinished = False
    if unfinished:
        how = (BEFORE, TORN, AFTER)[int(cut.again * 3)]
        rig.flash.cut_at_operation(0, how)
        told = f"{how} the first flash operation of the start"
    else:
        rig.pico.at(cut.again * BOOT_MS, rig.flash.cut_now)
        told = f"{cut.again * BOOT_MS:.1f} ms into the start"
    try:
        rig.boot()
    except TimeUp:
        pass  # it will never start
    return told


def _judge(rig: Rig, press: Press, acknowledged: bool, goes_on: bool) -> tuple[int, bool, str]:
    """Return (lost entries, unbootable, reason) of a device that is switched on after the power was cut."""
    try:
        reference = ReferenceDevice(rig.files(DATA))
        rig.boot()
        files = rig.files(DATA)
    except (BadFileSystem, TimeUp) as trouble:
        return 0, True, str(trouble)
    if CRASH in files:
        return 0, True, files[CRASH].decode("utf-8", "replace")
    lost, why = press.change.missing(standing(files), acknowledged)
    if not lost and (rig.frame() != reference.frame() or settled(files) != settled(reference.files())):
        lost, why = 1, "it does not come back as its reference with the same files does"
    if not lost and goes_on:
        _enter_again(rig, reference, press.line)
        if standing(rig.files(DATA)) != standing(reference.files()):
            lost, why = 1, "what was entered next is not what its reference has"
    return lost, False, why


def _enter_again(rig: Rig, reference: ReferenceDevice, line: str) -> None:
    """Press the keys of a line on both, as far as it goes: after a start, its menu may not be open."""
    try:
        for key in words(line, reference):
            rig.keys(key)
            reference.keys(key)
    except LookupError:
        pass
