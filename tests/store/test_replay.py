"""Test replay files, and journals of every game."""

from helpers.journal_trials import Trial
from helpers.play import in_every_game, refused
from helpers.replays import check_replays
from kiebitz.store.events import encode
from kiebitz.store.replay import EVENTS_MAX, LINE_MAX, NESTING_MAX, ReplayedTable, is_too_nested, parse

SETUP = b'{"game":"top_spot","players":["Anna","Ben","Cleo"]}'
POINT = b'{"ev":"point","p":0}'
UNDO = b'{"ev":"undo"}'


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


def test_a_line_is_not_nested_deeper_than_any_event_but_names_may_have_brackets():
    start = b'{"ev":"point","p":0,"x":'
    for begin, end in ((b"[", b"]"), (b'{"":[', b"]}")):
        room = (NESTING_MAX - 1) // len(begin.replace(b'"":', b""))
        lines = [start + begin * depth + b"0" + end * depth + b"}" for depth in (room, room + 1, 600)]
        assert parse(lines[0])["ev"] == "point"
        assert [is_too_nested(line) for line in lines] == [False, True, True]
        refused("E_ARG", parse, lines[1])
        refused("E_ARG", parse, lines[2])
    names = ["[" * 20 + '{"\\' + str(k) for k in range(8)]
    setup = {"game": "any_game", "players": names}
    assert parse(encode(setup).encode()) == setup
    assert len(names[0]) == 24


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
