"""Test the storage and the crash file on it, on a fake and on a real file system."""

import os

from helpers.faulty_storage import FaultyStorage
from helpers.shelf import ID, Trial
from kiebitz.board.storage import Storage
from kiebitz.store.crash import NAME, SIZE_MAX, keep_crash, read_crashes
from kiebitz.store.journal import Journal
from kiebitz.store.safe_file import SafeFile


def on_both(check):
    """Run the same check on the fake storage and on the real one."""
    check(FaultyStorage())
    with_real_flash(lambda path: check(Storage(path)))


def missing(action, *args):
    try:
        action(*args)
    except OSError as trouble:
        return trouble.args[0] == 2
    return False


def test_a_file_is_written_added_to_and_read_whole_or_in_parts():
    def check(storage):
        storage.write("a", b"hello")
        assert storage.read("a") == b"hello" and storage.size("a") == 5
        storage.append("a", b", you\n\x00\xff")
        assert storage.read("a") == b"hello, you\n\x00\xff"
        for start, size, part in ((0, 5, b"hello"), (7, 3, b"you"), (11, 100, b"\x00\xff"), (13, 5, b""), (99, 5, b"")):
            assert storage.read("a", start, size) == part, (start, size)
        assert storage.read("a", 7) == b"you\n\x00\xff"
        storage.write("a", b"x")
        assert storage.read("a") == b"x"
        storage.append("new", b"y")
        assert storage.read("new") == b"y"
        storage.write("empty", b"")
        assert storage.read("empty") == b"" and storage.size("empty") == 0

    on_both(check)


def test_what_is_not_there_reads_as_none():
    def check(storage):
        assert storage.read("a") is None and storage.size("a") is None and storage.names() == []
        assert missing(storage.remove, "a") and missing(storage.rename, "a", "b")

    on_both(check)


def test_a_folder_that_could_not_be_made_at_power_on_is_made_with_the_first_file():
    def check(path):
        storage = Storage(path + "/late")
        os.rmdir(path + "/late")
        assert storage.names() == [] and storage.read("a") is None
        storage.append("a", b"x")
        assert storage.names() == ["a"] and storage.read("a") == b"x"
        storage.remove("a")
        os.rmdir(path + "/late")

    with_real_flash(check)


def test_a_rename_replaces():
    def check(storage):
        storage.write("a", b"old")
        storage.write("b", b"new")
        storage.rename("b", "a")
        assert storage.names() == ["a"] and storage.read("a") == b"new"
        storage.rename("a", "c")
        assert storage.names() == ["c"]
        storage.remove("c")
        assert storage.names() == []

    on_both(check)


def test_names_are_sorted():
    def check(storage):
        for name in ("b", "a-0002-ff.kbz", "index", "a-0001-ff.kbz"):
            storage.write(name, b"")
        assert storage.names() == ["a-0001-ff.kbz", "a-0002-ff.kbz", "b", "index"]

    on_both(check)


def test_a_long_file_in_many_parts():
    def check(storage):
        for k in range(30):
            storage.append("long", b"%03d:" % k + b"x" * 40 + b"\n")
        assert storage.size("long") == 30 * 45
        assert storage.read("long", 29 * 45, 4) == b"029:"
        assert storage.read("long", 450, 600) == storage.read("long")[450:1050]

    on_both(check)


def test_the_folder_and_its_files_are_there_the_next_time():
    def check(path):
        Storage(path + "/").write("a", b"kept")
        assert Storage(path).read("a") == b"kept"

    with_real_flash(check)


def test_free_is_a_number_of_bytes():
    def check(storage):
        before = storage.free()
        assert before > 4000
        storage.write("a", b"x" * 900)
        assert storage.free() <= before

    on_both(check)


def test_a_small_value_on_the_real_thing():
    def check(path):
        storage = Storage(path)
        for value in ({"a": 1}, {"a": 2}, {"a": 3}):
            SafeFile(storage, "settings").save(value)
        assert SafeFile(storage, "settings").load() == ({"a": 3}, None)
        storage.write("settings", b"rubbish")
        assert SafeFile(storage, "settings").load() == ({"a": 2}, "previous")
        assert storage.names() == ["settings", "settings.bad", "settings.old"]

    with_real_flash(check)


class Roomy(Storage):
    """Ignore the reserve, because the small flash of this test has less."""

    def free(self):
        return 1 << 20


def test_a_game_is_written_torn_mended_damaged_and_set_aside():
    trial = Trial("top_spot")

    def check(path):
        storage = Roomy(path)
        trial.write(storage, [])
        journal, table, report = Journal.open(storage, ID)
        assert report is None and journal.lines - 1 == len(trial.events)
        assert storage.read(journal.name) == trial.whole
        # Torn and mended
        storage.write(journal.name, trial.whole[:-7])
        journal, table, report = Journal.open(storage, ID)
        assert report[0] == "torn" and storage.names() == [journal.name]
        journal.append(trial.events[-1])
        assert storage.read(journal.name) == trial.whole
        # Damaged and set aside
        storage.write(journal.name, trial.whole.replace(b"undo", b"undu"))
        journal, table, report = Journal.open(storage, ID)
        assert report[0] == "bad" and storage.names() == [ID + ".bad", ID + ".kbz"]

    with_real_flash(check)


def breaks(what):
    raise ValueError(what)


def error(what="no such board"):
    try:
        breaks(what)
    except ValueError as trouble:
        return trouble


def test_the_trace_says_where_and_what_in_short_lines():
    lines = keep_crash(FaultyStorage(), error())
    assert lines[-1] == "ValueError: no such board"
    places = [line for line in lines if line.startswith("test_storage.py:") and line.endswith(" breaks")]
    assert len(places) == 1 and lines[-2] == places[0]
    for line in lines:
        assert len(line) < 60


def test_an_error_without_words_has_its_name():
    assert keep_crash(FaultyStorage(), KeyError())[-1] == "KeyError"


def test_the_file_keeps_the_version_and_the_trace():
    storage = FaultyStorage()
    lines = keep_crash(storage, error())
    text = read_crashes(storage)
    assert text.startswith("kiebitz ") and "\n".join(lines) in text
    assert storage.names() == [NAME]


def test_the_file_stays_small_and_the_newest_errors_stay_whole():
    storage = FaultyStorage()
    for k in range(60):
        keep_crash(storage, error("number %d" % k))
        assert storage.size(NAME) <= SIZE_MAX
        assert read_crashes(storage).startswith("kiebitz "), k
    text = read_crashes(storage)
    assert "number 59" in text and "number 58" in text and "number 1\n" not in text
    assert storage.size(NAME) > SIZE_MAX // 2


def test_a_very_long_error_does_not_push_out_all_others():
    storage = FaultyStorage()
    keep_crash(storage, error("short"))
    keep_crash(storage, error("x" * 5000 + "end"))
    text = read_crashes(storage)
    assert "short" in text and "xend" in text and storage.size(NAME) <= SIZE_MAX


def test_it_never_raises():
    for k in range(2):
        for part in (0, 3, 10000):
            storage = FaultyStorage().full_at(k, part, stays=True)
            assert keep_crash(storage, error())[-1] == "ValueError: no such board"
            assert keep_crash(storage, error())[-1] == "ValueError: no such board"
    assert keep_crash(None, error())[-1] == "ValueError: no such board"


def test_a_damaged_file_is_shown_as_far_as_it_can_be():
    storage = FaultyStorage()
    keep_crash(storage, error("Zo\u00eb"))
    storage.flip(NAME, 2, 7)
    assert read_crashes(storage).startswith("ki?bitz ")
    keep_crash(storage, error())
    assert "no such board" in read_crashes(storage)
    assert read_crashes(FaultyStorage()) == ""


BLOCK = 512
BLOCKS = 32


class RamDisk:
    """A block device for littlefs; blocks take memory once they are written."""

    def __init__(self):
        self.blocks = {}

    def readblocks(self, block, buffer, offset=0):
        data = self.blocks.get(block)
        for k in range(len(buffer)):
            buffer[k] = data[offset + k] if data else 0xFF

    def writeblocks(self, block, buffer, offset=0):
        if block not in self.blocks:
            self.blocks[block] = bytearray(BLOCK)
        self.blocks[block][offset : offset + len(buffer)] = buffer

    def ioctl(self, what, argument):
        return {4: BLOCKS, 5: BLOCK}.get(what, 0)


def with_real_flash(action):
    """Call action(path) with the path of a folder that does not exist yet."""
    if not hasattr(os, "VfsLfs2"):
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            action(folder + "/some/data")
        return
    disk = RamDisk()
    os.VfsLfs2.mkfs(disk, readsize=128, progsize=128, lookahead=32)
    os.mount(os.VfsLfs2(disk, readsize=128, progsize=128, lookahead=32), "/flash")
    try:
        action("/flash/some/data")
    finally:
        os.umount("/flash")
