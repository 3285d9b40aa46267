"""Numbers that carry a reason on the flash of the chip: with another one, what they are for is lost."""

from helpers.chip import patched
from kiebitz_lab.chip.files import changed
from kiebitz_lab.chip.rig import Rig
from kiebitz_lab.chip.twin import Twin

SPOT = {"game": "top_spot", "players": ["Anna", "Ben", "Cleo"], "match_length": 9, "level": "expert"}
ENTRIES = 26
QUICK_MS = 150  # between two entries: too short for the lines to be moved to the journal


def erases(flash):
    """Return how often an entry waits for an erase, when entries follow each other quickly."""
    rig = Rig(changed(flash, Twin().sit_down(SPOT).files())).boot(20_000)
    rig.run_ms(1000)
    found = []
    for k in range(ENTRIES):
        key = ("left", "undo")[k % 2]  # nobody wins more tricks than there are cards
        before = len(rig.flash.operations)
        rig.press(key)
        rig.run_ms(60)
        rig.release(key)
        rig.run_ms(QUICK_MS)
        found.append(any(operation.kind == "erase" for operation in rig.flash.operations[before:]))
    return sum(found)


def test_the_file_of_the_newest_lines_stays_so_short_that_littlefs_keeps_it_inside_its_folder(flash):
    """littlefs does so up to an eighth of a block, 512 bytes; adding to a longer file takes an erase, 45 ms."""
    longer = patched(flash, ("kiebitz/store/journal_files.py", "MOST_BYTES = 480", "MOST_BYTES = 2000"))
    assert erases(flash) <= 4 < 6 <= erases(longer)
