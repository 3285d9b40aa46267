"""The power goes at any instant, on the emulated chip: nothing that was acknowledged is lost, and it starts again."""

import pytest
from helpers.chip import patched
from kiebitz_lab.chip import powercut
from kiebitz_lab.chip.cuts import SHOWN, plan, play
from kiebitz_lab.chip.evenings import pieces
from kiebitz_lab.chip.flash import AFTER, BEFORE, TORN

SEED = 4
PIECES = {piece.name: piece for piece in pieces()}
# How many cuts in which piece
CUTS = {"first-start": 7, "settings": 6, "shelf": 5, "top_spot-0": 7, "poch-3": 6, "new-games": 6}

JOURNAL = "kiebitz/store/journal.py"
WRITING = "        checked(self.files.append, self.name, line)\n"

# What is wrong with the firmware: where it shows, and the change
BROKEN = {
    "acknowledges before it writes": (
        "top_spot-0",
        (JOURNAL, WRITING, "        self.files.later = (self.name, line)\n"),
        (
            "kiebitz/app.py",
            "        self._sleep.doze(now)\n",
            """        later = getattr(self.library.files, "later", None)
        if later:
            self.library.files.later = None
            self.library.files.append(*later)
        self._sleep.doze(now)
""",
        ),
    ),
    "writes every second time": (
        "top_spot-0",
        (
            JOURNAL,
            WRITING,
            """        self.held = getattr(self, "held", b"") + line
        if self.lines % 2 == 0:
            checked(self.files.append, self.name, self.held)
            self.held = b""
""",
        ),
    ),
    "forgets the line end": ("top_spot-0", (JOURNAL, WRITING, WRITING.replace("line)", "line[:-1])"))),
    "removes what it is about to replace": (
        "settings",
        (
            "kiebitz/store/safe_file.py",
            """            storage.rename(name, name + ".old")
        storage.rename(name + ".new", name)

    def load""",
            """            storage.remove(name)
        storage.write(name, seal(encode(value), name))
        storage.remove(name + ".new")

    def load""",
        ),
        ("kiebitz/store/safe_file.py", 'new_there, value = self._read(name + ".new")', "new_there = value = None"),
    ),
}


class Lost(Exception):
    """Found."""


@pytest.mark.parametrize("name", CUTS)
def test_nothing_that_was_acknowledged_is_lost(bare_flash, name):
    verdicts = []
    play(PIECES[name], bare_flash, plan(PIECES[name], SEED, CUTS[name]), verdicts.append)
    assert sum(verdict.cuts for verdict in verdicts) == CUTS[name]
    assert [verdict for verdict in verdicts if verdict.lost or verdict.unbootable] == []


@pytest.mark.parametrize("wrong", BROKEN)
def test_firmware_that_loses_entries_is_caught(bare_flash, wrong):
    name, *changes = BROKEN[wrong]

    def tell(verdict):
        if verdict.lost:
            raise Lost

    with pytest.raises(Lost):
        play(PIECES[name], patched(bare_flash, *changes), plan(PIECES[name], SEED, 12), tell)


def test_cuts_come_in_all_kinds_and_the_same_again():
    work = powercut.share_out(100, SEED)
    cuts = [cut for _, part in work for cut in part]
    assert sum(cut.times for cut in cuts) == 100
    assert {cut.how for cut in cuts} == {BEFORE, TORN, AFTER, SHOWN, None}
    assert {cut.times for cut in cuts} == {1, 2}
    assert len({cut.name for cut in cuts}) == len(cuts)
    piece, part = work[-1]
    assert powercut.one(part[-1].name, SEED) == [(piece, [part[-1]])]
    assert plan(piece, SEED, 3)[0] == part[0]


def test_a_cut_that_nobody_has_named_is_refused(capsys):
    assert powercut.main(["--cut", "poch-99/1"]) == 2
    assert "poch-99/1" in capsys.readouterr().err
