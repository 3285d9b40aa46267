"""Test replay files, journals of every game, and that every stored event is read back unchanged."""

import json

from helpers.faulty_storage import FaultyStorage
from helpers.journal_trials import FILE, ID, Trial
from helpers.play import game_path, in_every_game, refused, setup
from kiebitz.games import Refused
from kiebitz.store.events import EventsInMemory, encode
from kiebitz.store.journal import Journal
from kiebitz.store.journal_files import JournalFiles
from kiebitz.store.replay import EVENTS_MAX, LINE_MAX, ReplayedTable
from kiebitz_lab.dice import Dice

SETUP = b'{"game":"top_spot","players":["Anna","Ben","Cleo"]}'
POINT = b'{"ev":"point","p":0}'
UNDO = b'{"ev":"undo"}'


def check_replays(kind):
    """Replay every recorded game of this kind."""
    checked = 0
    with open(game_path(kind, "replays.jsonl")) as file:
        for text in file:
            checked += 1
            _check(json.loads(text), "line %d of replays.jsonl of %s" % (checked, kind))
    assert checked >= 75, "only %d games of %s" % (checked, kind)


def _check(game, where):
    script, code = _replayed(game["script"], where)
    assert code == game["refused"], "%s: %s" % (where, code)
    table = script.table
    if table is None:
        assert game["summary"] is None, where
    else:
        assert len(table) == game["events"], where
        assert table.game.summary() == game["summary"], where


def _replayed(lines, where):
    """Return the script after the last accepted line, and the code of the refused one."""
    script = ReplayedTable()
    for k, line in enumerate(lines):
        try:
            script.feed(line.encode())
        except Refused as refusal:
            assert k == len(lines) - 1, "%s: %s at its line %d" % (where, refusal.code, k + 1)
            return script, refusal.code
    return script, None


def fed(*lines):
    script = ReplayedTable()
    for line in lines:
        script.feed(line)
    return script


def test_a_set_up_and_its_events_make_a_game():
    script = fed(SETUP, POINT, POINT, UNDO, b'{"ev":"point","p":2}')
    assert script.table.game.totals() == [1, 0, 1]
    assert len(script.table) == 2
    assert script.line == 5


def test_blank_lines_are_skipped_but_counted():
    script = fed(b"", b"  \t ", SETUP, b"\r", POINT, b"")
    assert script.line == 6
    assert len(script.table) == 1
    refused("E_PLAYER", script.feed, b'{"ev":"point","p":3}')
    assert script.line == 7


def test_line_ends_of_another_system_do_no_harm():
    script = fed(SETUP + b"\r", POINT + b"\r")
    assert len(script.table) == 1


def test_a_refused_event_leaves_the_game_as_it_was():
    script = fed(SETUP, POINT)
    before = script.table.game.snapshot()
    for line in (b'{"ev":"point","p":9}', b'{"ev":"blank"}', b'{"ev":"point"}', b"{}", b"[]", b"nonsense"):
        try:
            script.feed(line)
        except Exception as trouble:
            assert trouble.code[:2] == "E_", line
        else:
            raise AssertionError("taken: %s" % line)
    assert script.table.game.snapshot() == before and len(script.table) == 1


def test_malformed_lines_are_refused():
    for line in (
        b"x",
        b"{",
        b"[]",
        b"1",
        b"null",
        b'"undo"',
        b'{"ev":"poi',
        b'{"ev":"point","p":0} {"ev":"point","p":0}',
        b'{"ev":"point","p":0',
        b'\xff\xfe{"ev":"point","p":0}',
        b'{"ev":"point","p":0,"x":"\xc3"}',
        b'{"ev":1}',
        b'{"ev":null}',
        b'{"ev":["point"]}',
        b'{"ev":"point","p":0,"confirm":1}',
        b'{"ev":"undo","confirm":"yes"}',
        b'{"ev":"fly","p":0}',
        b"[" * LINE_MAX,
        b'{"a":' * 800,
    ):
        script = fed(SETUP, POINT)
        refused("E_ARG", script.feed, line)
        assert script.line == 3 and len(script.table) == 1, line


def test_a_refused_set_up_leaves_no_table():
    for code, line in (
        ("E_ARG", b"[]"),
        ("E_ARG", b"{}"),
        ("E_ARG", b'{"game":"chess","players":["A","B","C"]}'),
        ("E_ARG", b'{"game":["poch"],"players":["A","B","C"]}'),
        ("E_ARG", b'{"ev":"point","p":0}'),
        ("E_PLAYERS", b'{"game":"top_spot","players":["A","B"]}'),
        ("E_SETTING", b'{"game":"top_spot","players":["A","B","C"],"options":{"luck":"on"}}'),
        ("W_MATCH_LENGTH", b'{"game":"top_spot","players":["A","B","C"],"match_length":4}'),
    ):
        script = fed(b"")
        refused(code, script.feed, line)
        assert script.table is None and script.line == 2, line


def test_a_doubt_about_the_set_up_is_settled_by_confirming():
    fed(b'{"game":"top_spot","players":["A","B","C"],"match_length":4,"confirm":true}')


def test_an_empty_file_is_refused_in_its_first_line():
    for lines in ((), (b"",), (b"", b" ", b"\t")):
        script = fed(*lines)
        refused("E_ARG", script.close)
        assert script.line == 1
    fed(SETUP).close()


def test_a_line_may_have_4096_bytes_and_no_more():
    script = fed(SETUP)
    script.feed(POINT + b" " * (LINE_MAX - len(POINT)))
    assert len(script.table) == 1
    refused("E_ARG", script.feed, POINT + b" " * (LINE_MAX + 1 - len(POINT)))
    refused("E_ARG", script.feed, b'{"ev":"point","p":0,"x":"' + b"y" * LINE_MAX + b'"}')
    assert len(script.table) == 1


def test_a_set_up_may_not_be_longer_either():
    refused("E_ARG", ReplayedTable().feed, SETUP + b" " * LINE_MAX)


def test_a_file_may_have_5000_events_and_no_more():
    script = fed(SETUP)
    for _ in range(EVENTS_MAX // 2):
        script.feed(POINT)
        script.feed(UNDO)
    assert len(script.table) == 0
    script.feed(b"")
    refused("E_ARG", script.feed, POINT)
    refused("E_ARG", script.feed, UNDO)
    assert script.table.game.totals() == [0, 0, 0]


def test_refused_events_do_not_count_towards_the_limit():
    script = fed(SETUP)
    for _ in range(10):
        refused("E_PLAYER", script.feed, b'{"ev":"point","p":3}')
    assert script.events == 0


def test_undo_redo_and_corrections_are_lines_too():
    script = fed(SETUP, POINT, POINT, UNDO, UNDO, b'{"ev":"redo","k":2}')
    assert script.table.game.totals() == [2, 0, 0]
    script.feed(b'{"ev":"correct","at":0,"event":{"ev":"point","p":1}}')
    assert script.table.game.totals() == [1, 1, 0]
    script.feed(UNDO)
    assert script.table.game.totals() == [2, 0, 0]


def test_notes_are_handed_on():
    script = fed(
        b'{"game":"poch","players":["Anna","Ben"],"options":{"chips_total":18}}',
        b'{"ev":"start_round","trump":"S"}',
        b'{"ev":"end_cash","confirm":true}',
        b'{"ev":"pass","p":0}',
        b'{"ev":"pass","p":1}',
    )
    notes = script.feed(b'{"ev":"end_round","winner":0,"left":{"1":5}}')
    assert notes == script.table.notes == [("W_SHORT", {"p": 1, "missing": 4})]


def test_names_beyond_the_alphabet_come_through():
    script = fed('{"game":"top_spot","players":["Zoë","李雷"," Ольга "]}'.encode())
    assert script.table.game.names == ["Zoë", "李雷", "Ольга"]


@in_every_game
def test_every_recorded_game_ends_as_it_did(kind):
    check_replays(kind)


@in_every_game
def test_the_game_comes_back_exactly_after_any_entry(kind):
    trial = Trial(kind)
    for k in range(len(trial.events) + 1):
        begun = Trial(kind, length=k)
        assert begun.check(begun.flash(), k, k) is None


@in_every_game
def test_a_file_that_ends_anywhere_gives_every_whole_line(kind):
    Trial(kind).truncate_everywhere()


@in_every_game
def test_a_flipped_bit_in_any_byte_is_noticed_and_costs_no_line_before_it(kind):
    Trial(kind).flip_everywhere()


@in_every_game
def test_the_power_may_go_anywhere(kind):
    Trial(kind).cut_everywhere()


@in_every_game
def test_the_flash_may_be_full_at_any_write(kind):
    Trial(kind).fill_everywhere()


# Every event of every game, with every argument
LINES = (
    '{"ev":"spend","p":0,"k":2}',
    '{"ev":"take","p":4,"buys":0,"swaps":3}',
    '{"ev":"score","p":1,"board":"perfect_triple"}',
    '{"ev":"score","p":1,"cards":"7H 7H 7S 7S KD *","board":"perfect_triple","jokers":1}',
    '{"ev":"score","p":1,"cards":"","board":"pair","confirm":true}',
    '{"ev":"swap","p":0}',
    '{"ev":"draw","p":0}',
    '{"ev":"buy","p":0}',
    '{"ev":"end_turn","p":0}',
    '{"ev":"turn","p":3}',
    '{"ev":"boards","boards":"starter"}',
    '{"ev":"boards","boards":["pair","perfect_pair","double_pair","three_kind","triple_pair","full_house"'
    ',"double_three","four_kind","flush","big_flush","pictures","straight","big_straight","royal_flush"]}',
    '{"ev":"layout","cards":"a1 a2 a3 b1 b2 b3 c1 c2 c3"}',
    '{"ev":"extra","card":"d4","x":3,"y":-1}',
    '{"ev":"place","p":2,"card":"g7","x":-4,"y":6}',
    '{"ev":"place","p":2,"items":[]}',
    '{"ev":"place","p":2,"items":[["H","straight",5],["V","colour",3],["V","set",7]]}',
    '{"ev":"mark","p":0,"rubric":5}',
    '{"ev":"unmark","p":0,"rubric":5}',
    '{"ev":"skip","p":0}',
    '{"ev":"skip","p":0,"hand":"a1 b2"}',
    '{"ev":"finish"}',
    '{"ev":"start_round","trump":"H"}',
    '{"ev":"cash","p":7,"pool":"MARRIAGE"}',
    '{"ev":"end_cash"}',
    '{"ev":"end_cash","confirm":true}',
    '{"ev":"bid","p":0,"k":1000000}',
    '{"ev":"hold","p":0}',
    '{"ev":"pass","p":0}',
    '{"ev":"showdown","best":null}',
    '{"ev":"showdown","best":3}',
    '{"ev":"reveal","hands":{}}',
    '{"ev":"reveal","hands":{"0":[2,"K",true],"1":[2,"K",false]}}',
    '{"ev":"lead","p":0,"dir":"UP"}',
    '{"ev":"end_round","winner":0,"left":{"1":3,"2":5}}',
    '{"ev":"loan","from":0,"to":1,"k":20}',
    '{"ev":"retire","p":0}',
    '{"ev":"end_game"}',
    '{"ev":"point","p":0}',
    '{"ev":"blank"}',
    '{"ev":"bonus","p":0,"k":5}',
    '{"ev":"trick","plays":[{"p":0,"cards":2,"value":7,"followed":true,"joker":false},'
    '{"p":1,"cards":1,"value":0,"followed":false,"joker":false},{"p":2,"cards":1,"value":0,"followed":true,"joker":true}]}',
    '{"ev":"next_game"}',
)  # fmt: skip


class Counting(FaultyStorage):
    """Counts how often the file of the journal is read."""

    reads = 0

    def read(self, name, start=0, size=-1):
        self.reads += name == FILE
        return super().read(name, start, size)


def stored(storage, lines=LINES, times=1):
    """Return a journal with these events, and the places of the events."""
    journal = Journal(storage, ID)
    journal.begin(setup("top_spot", 3))
    return journal, [journal.append(json.loads(line)) for _ in range(times) for line in lines]


def test_every_kind_of_event_comes_back_as_it_was():
    for events in (stored(FaultyStorage()), stored(JournalFiles(FaultyStorage()))):
        journal, places = events
        for line, place in zip(LINES, places):
            assert encode(journal.read(place)) == line
        for line, place in zip(reversed(LINES), reversed(places)):
            assert encode(journal.read(place)) == line


def test_events_come_back_in_any_order_while_others_are_stored():
    dice = Dice(7)
    journal = Journal(JournalFiles(FaultyStorage()), ID)
    journal.begin(setup("top_spot", 3))
    kept = []
    for _ in range(150):
        line = dice.pick(LINES)
        kept.append((journal.append(json.loads(line)), line))
        if dice.chance(5):
            journal.files.settle()
        place, line = dice.pick(kept)
        assert encode(journal.read(place)) == line


def test_the_file_is_read_once_for_many_events_forwards_and_backwards():
    storage = Counting()
    journal, places = stored(storage, times=4)
    for order in (places, list(reversed(places))):
        storage.reads = 0
        for place in order:
            journal.read(place)
        assert 0 < storage.reads <= journal.size // 512 < len(places) // 8


def test_a_line_longer_than_the_window_comes_back():
    long = json.dumps({"ev": "reveal", "hands": {str(k): [2, "K", True] for k in range(80)}})
    journal, places = stored(FaultyStorage(), (LINES[0], long), times=5)
    for k, place in enumerate(places):
        assert journal.read(place) == json.loads((LINES[0], long)[k % 2])


def test_a_damaged_event_is_never_taken_for_another():
    storage = FaultyStorage()
    journal, places = stored(storage)
    storage.flip(FILE, places[5] + 9, 2)
    try:
        journal.read(places[5])
    except OSError as trouble:
        assert trouble.args[0] == 5
    else:
        raise AssertionError("the damage was not noticed")
    assert encode(journal.read(places[6])) == LINES[6]


def test_events_without_a_journal_are_held_in_memory():
    events = EventsInMemory()
    places = [events.append(json.loads(line)) for line in LINES]
    assert [encode(events.read(place)) for place in reversed(places)] == list(reversed(LINES))


def test_keys_stand_in_one_order():
    for value, want in (
        ({"k": 2, "p": 0, "ev": "spend"}, '{"ev":"spend","p":0,"k":2}'),
        ({"zz": 1, "aa": 2, "ev": "x"}, '{"ev":"x","aa":2,"zz":1}'),
        ({"left": {"2": 1, "10": 3, "1": 5}}, '{"left":{"1":5,"10":3,"2":1}}'),
        ({"players": ["Anna"], "options": {}, "game": "poch"}, '{"game":"poch","options":{},"players":["Anna"]}'),
        ({"ev": "undo"}, '{"ev":"undo"}'),
    ):
        assert encode(value) == want


def test_values_are_written_as_json():
    for value, want in (
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (-3, "-3"),
        (1000000, "1000000"),
        ([], "[]"),
        ([1, [2, "x"]], '[1,[2,"x"]]'),
        ({}, "{}"),
        ("Zoë", '"Zoë"'),
        ('O"Hara\\', '"O\\"Hara\\\\"'),
    ):
        assert encode(value) == want
