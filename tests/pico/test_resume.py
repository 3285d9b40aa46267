"""At every screen of the sample games the device is switched off, or reset: it comes back as the simulator does."""

import pytest
from kiebitz_lab.chip.evenings import words
from kiebitz_lab.chip.files import changed
from kiebitz_lab.chip.probes import branch
from kiebitz_lab.chip.rig import Rig
from kiebitz_lab.chip.twin import Twin, settled
from kiebitz_lab.samples import SAMPLES

ENTRIES = 8  # in a part of a game
GAMES = {name: (setup, [line for line in keys.splitlines() if line]) for name, (setup, keys) in SAMPLES.items()}
PARTS = [(name, at) for name, (_, entries) in GAMES.items() for at in range(0, len(entries), ENTRIES)]


def cut(rig):
    return _after(rig.power_cut())


def reset(rig):
    """Reset as with the button, or as the program does it itself: not everything of the chip is new then."""
    rig.pico.reset(from_watchdog=True)
    return _after(rig)


def _after(rig):
    rig.boot()
    assert rig.serial.out == b"" and rig.oled.unknown == []
    return rig.frame(), settled(rig.files("data"))


def screens(twin):
    """Which screens are open, one above the other."""
    over = twin.table is None or twin.game.phase
    return over, *[type(screen).__name__ for screen in twin.app.stack]


def presses(name, at):
    """Return (key, whether to switch a device off after it) of a part of a game, and a twin where it begins."""
    setup, entries = GAMES[name]
    twin = Twin().sit_down(setup)
    seen = set()
    found = []
    for number, entry in enumerate(entries[: at + ENTRIES]):
        if number == at:
            files = twin.files()
            twin.restart()
        keys = list(words(entry, twin))
        for press, key in enumerate(keys, 1):
            twin.keys(key)
            stop = press == len(keys) or screens(twin) not in seen
            seen.add(screens(twin))
            if number >= at:
                found.append((key, stop))
    return found, Twin(files)


@pytest.mark.parametrize("name, at", PARTS)
def test_it_comes_back_at_every_screen(flash, name, at):
    keys, twin = presses(name, at)
    rig = Rig(changed(flash, twin.files())).boot()
    assert rig.frame() == twin.frame()
    stops = 0
    for key, stop in keys:
        rig.keys(key)
        twin.keys(key)
        if stop:
            again = Twin(twin.files())
            stops += 1
            frame, files = branch(rig, reset if stops % 2 else cut)
            assert frame == again.frame(), (stops, key)
            assert files == settled(again.files()), (stops, key)
    assert stops >= min(ENTRIES, len(GAMES[name][1]) - at)
