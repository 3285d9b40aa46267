"""Test journals and their sealed lines."""

from helpers.faulty_storage import FaultyStorage
from helpers.play import ev, setup
from kiebitz.games.base import RULES
from kiebitz.store import replay
from kiebitz.store.events import encode
from kiebitz.store.journal import RESERVE_BYTES, Journal, StorageFull
from kiebitz.store.sealed_lines import LINE_MAX, PIECE, checksum, each_line, seal, unseal
from kiebitz.store.table import Table

ID = "c0ffee-0001-a1b2c3"
FILE = ID + ".kbz"


def journal_of(*events):
    """Return a journal with these events, on its own flash."""
    storage = FaultyStorage()
    journal = Journal(storage, ID)
    journal.begin(setup("royal_flush", 2))
    for event in events:
        journal.append(event)
    return storage, journal


def test_a_line_is_the_replay_form_its_number_and_a_checksum():
    storage, _ = journal_of(ev("spend", p=0, k=2), ev("undo"))
    assert storage.get(FILE).split(b"\n") == [
        b'{"game":"royal_flush","options":{},"players":["Anna","Ben"]} 0 782d79f2',
        b'{"ev":"spend","p":0,"k":2} 1 dc42b736',
        b'{"ev":"undo"} 2 60260482',
        b"",
    ]


def test_every_entry_is_one_append_and_nothing_else():
    storage, journal = journal_of()
    storage.record()
    journal.append(ev("spend", p=0, k=2))
    assert [operation[:2] for operation in storage.operations] == [("append", FILE)]
    assert journal.size == storage.size(FILE)


def test_a_long_game_is_read_in_pieces():
    """More than two pieces of the file, with lines across their borders."""
    table = Table(setup("royal_flush", 5))
    storage = FaultyStorage()
    journal = Journal(storage, ID)
    journal.begin(table.setup)
    for k in range(80):
        event = ev("undo") if k % 2 else ev("score", p=k % 5, cards="7H 7D", board="pair")
        table.play(event)
        journal.append(event)
    _, again, report = Journal.open(storage, ID)
    assert journal.size > 3072 and report is None
    assert again.game.snapshot() == table.game.snapshot() and again.can_redo == table.can_redo


def test_a_game_of_newer_rules_is_left_alone():
    storage = FaultyStorage()
    begun = setup("royal_flush", 2)
    begun["rules"] = RULES + 1
    Journal(storage, ID).begin(begun)
    before = dict(storage.files)
    try:
        Journal.open(storage, ID)
        raise AssertionError("it was opened")
    except OSError:
        assert storage.files == before


def test_a_game_that_is_not_there_is_not_opened():
    try:
        Journal.open(FaultyStorage(), ID)
    except OSError as trouble:
        assert trouble.args[0] == 2
    else:
        raise AssertionError("opened")


# --- lines that are whole but wrong ---


def reopened(storage, lines):
    """Return the report for a file of these lines, and the events that are kept."""
    storage.put(FILE, b"\n".join(lines) + b"\n")
    _, table, report = Journal.open(storage, ID)
    return report, [encode(event) for event in table.events()]


def test_lines_that_were_moved_doubled_or_left_out_are_noticed():
    storage, _ = journal_of(ev("spend", p=0, k=1), ev("spend", p=1, k=2), ev("spend", p=0, k=3))
    start, a, b, c = storage.get(FILE).split(b"\n")[:-1]
    first = '{"ev":"spend","p":0,"k":1}'
    for lines, report in (
        ([start, b, a, c], ("bad", 2, 0)),
        ([start, a, a, b], ("bad", 3, 1)),
        ([start, a, c], ("bad", 3, 1)),
        ([start, a, b""], ("bad", 3, 1)),
        ([start, a, b" "], ("bad", 3, 1)),
    ):
        kept = [first] if report[2] else []
        assert reopened(storage, lines) == (report, kept), lines


def test_a_line_of_another_game_is_noticed():
    storage, _ = journal_of(ev("spend", p=0, k=1))
    start, a = storage.get(FILE).split(b"\n")[:-1]
    other = seal('{"ev":"spend","p":0,"k":1} 1', "c0ffee-0002-a1b2c3")[:-1]
    assert reopened(storage, [start, other]) == (("bad", 2, 0), [])


def test_an_event_the_rules_refuse_ends_the_good_part():
    storage, _ = journal_of(ev("spend", p=0, k=1))
    start, a = storage.get(FILE).split(b"\n")[:-1]
    for text in ('{"ev":"spend","p":0,"k":9}', '{"ev":"redo"}', '{"ev":7}', "[]", '{"ev', '{"ev":"spend","p":"x"}'):
        report, kept = reopened(storage, [start, a, seal(text + " 2", ID)[:-1]])
        assert report == ("bad", 3, 1) and kept == ['{"ev":"spend","p":0,"k":1}'], text


def test_a_damaged_file_is_kept_as_it_was_and_never_overwritten():
    storage, journal = journal_of(ev("spend", p=0, k=1), ev("spend", p=1, k=1))
    asides = []
    for k, name in enumerate((".bad", ".bad2", ".bad3")):
        storage.flip(FILE, journal.size - 5, 2)
        asides.append(storage.get(FILE))
        journal, table, report = Journal.open(storage, ID)
        assert report == ("bad", 3, 1)
        assert [storage.get(ID + suffix) for suffix in (".bad", ".bad2", ".bad3")[: k + 1]] == asides, name
        journal.append(ev("spend", p=0, k=k + 1))
    assert Journal.open(storage, ID)[2] is None
    assert storage.size(ID + ".tmp") is None


def test_a_damaged_set_up_leaves_no_table_but_keeps_the_file():
    whole = journal_of(ev("spend", p=0, k=1))[0].get(FILE)
    line = whole.find(b"\n")
    for data in (b"", b"\n", whole[:line], b"x" + whole[1:], whole[line + 1 :], b"\xff" * 2600):
        storage = FaultyStorage({FILE: data})
        assert Journal.open(storage, ID) == (None, None, ("bad", 1, 0)), data
        assert storage.files == {ID + ".bad": data}


def test_a_set_up_the_rules_refuse_leaves_no_table_but_keeps_the_file():
    data = seal('{"game":"royal_flush","players":["Anna"]} 0', ID)
    storage = FaultyStorage({FILE: data})
    assert Journal.open(storage, ID) == (None, None, ("bad", 1, 0))
    assert storage.files == {ID + ".bad": data}


def test_rubbish_without_end_is_damage_not_a_torn_line():
    storage, _ = journal_of(ev("spend", p=0, k=1))
    storage.put(FILE, storage.get(FILE) + b"\xff" * 2600)
    _, table, report = Journal.open(storage, ID)
    assert report == ("bad", 3, 1) and len(table) == 1


def unreadable(storage, code):
    """Make every read fail with this error code. Return the storage."""

    def failing(*args):
        raise OSError(code)

    storage.read = failing
    return storage


def test_a_flash_that_cannot_be_read_now_costs_nothing():
    storage, _ = journal_of(ev("spend", p=0, k=1))
    before = storage.files
    try:
        Journal.open(unreadable(storage, 5), ID)
        raise AssertionError("opened")
    except OSError as trouble:
        assert trouble.args[0] == 5
    assert storage.files == before


def test_a_part_of_the_flash_that_can_never_be_read_again_is_damage():
    storage, _ = journal_of(ev("spend", p=0, k=1))
    before = storage.get(FILE)
    assert Journal.open(unreadable(storage, 84), ID) == (None, None, ("bad", 1, 0))
    assert storage.files == {ID + ".bad": before}


# --- free space ---


def full(action, *args):
    try:
        action(*args)
    except StorageFull as trouble:
        return trouble.args[0] == 28
    return False


def test_entries_stop_while_there_is_still_a_reserve():
    storage = FaultyStorage(capacity=RESERVE_BYTES + 1000)
    journal = Journal(storage, ID)
    journal.begin(setup("royal_flush", 2))
    k = 0
    while not full(journal.append, ev("spend", p=0, k=1)):
        k += 1
    assert 15 < k < 40 and abs(storage.free() - RESERVE_BYTES) < 100
    assert storage.get(FILE).count(b"\n") == k + 1
    assert full(Journal(storage, "c0ffee-0002-a1b2c3").begin, setup("royal_flush", 2))
    assert storage.names() == [FILE]


def test_the_flash_is_not_asked_for_its_room_at_every_entry():
    storage, journal = journal_of()
    asked = []
    free = storage.free
    storage.free = lambda: asked.append(1) or free()
    for _ in range(100):
        journal.append(ev("spend", p=0, k=1))
    assert len(asked) <= 2


def test_a_game_without_end_is_stopped_before_it_could_not_be_replayed():
    _, journal = journal_of()
    journal.lines = 5000
    journal.append(ev("undo"))
    assert full(journal.append, ev("undo"))


def test_too_little_memory_is_not_taken_for_damage():
    storage, _ = journal_of(ev("spend", p=0, k=2), ev("spend", p=1, k=1))
    before = dict(storage.files)
    loads = replay.json.loads

    def no_memory(text):
        if '"k":1' in text:
            raise MemoryError()
        return loads(text)

    class NoMemory:
        loads = staticmethod(no_memory)

    whole, replay.json = replay.json, NoMemory
    try:
        Journal.open(storage, ID)
    except MemoryError:
        pass
    else:
        raise AssertionError("the journal was read without memory")
    finally:
        replay.json = whole
    assert storage.files == before and len(Journal.open(storage, ID)[1]) == 2


def test_what_was_sealed_comes_out_again():
    for text in ("", "{}", "a b  c ", "Zo\u00eb \u2660"):
        line = seal(text, "salt")
        assert line[-1:] == b"\n" and unseal(line[:-1], "salt") == text.encode(), text


def test_what_was_not_sealed_does_not_come_out():
    line = seal("text", "salt")[:-1]
    for wrong in (b"", b" ", b"text", line[:-1], line[1:], line + b" ", line.upper(), b"x" + checksum(b"x", "salt"),
                  checksum(b"", "salt")):
        assert unseal(wrong, "salt") is None, wrong
    assert unseal(line, "pepper") is None


def lines_of(data):
    """Return (lines, result of each_line) for a file with this content."""
    lines = []
    rest = each_line(FaultyStorage({"file": data}), "file", lines.append)
    return lines, rest


def test_lines_come_one_by_one_whatever_pieces_they_are_read_in():
    for size in (1, 100, PIECE - 1, PIECE, PIECE + 1, LINE_MAX):
        line = b"x" * size
        for data, lines, rest in (
            (b"", [], 0),
            (b"\n", [b""], 0),
            (line, [], size),
            (line + b"\n", [line], 0),
            (b"a\n" + line + b"\nb", [b"a", line], 1),
            (b"\n\n" + line + b"\n", [b"", b"", line], 0),
        ):
            assert lines_of(data) == (lines, rest), (size, data[:9])


def test_a_line_that_is_too_long_ends_the_reading():
    assert lines_of(b"a\n" + b"x" * (LINE_MAX + PIECE)) == ([b"a"], -1)


def test_the_reader_can_have_enough():
    seen = []

    def take(line):
        seen.append(line)
        return line == b"b"

    assert each_line(FaultyStorage({"file": b"a\nb\nc\n"}), "file", take) == -1
    assert seen == [b"a", b"b"]


def test_a_file_that_is_not_there_has_no_lines():
    assert each_line(FaultyStorage(), "file", None) == 0
