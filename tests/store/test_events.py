"""The packed event list: every line comes back as it was put in."""

from kiebitz.store.events import BLOCK, Log, encode
from kiebitz_lab.random_games.dice import Dice

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


def filled(lines):
    log = Log()
    for line in lines:
        log.add(line)
    return log


def all_lines(log):
    return [log.line(k) for k in range(len(log))]


def test_every_kind_of_event_comes_back_as_it_was():
    log = filled(LINES)
    assert len(log) == len(LINES)
    for k, line in enumerate(LINES):
        assert log.line(k) == line
    for line in reversed(LINES):
        assert log.pop() == line
    assert len(log) == 0


def test_lines_are_kept_across_the_borders_of_blocks():
    for size in (0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 2 * BLOCK + 1):
        lines = [str(k) for k in range(size)]
        log = filled(lines)
        assert all_lines(log) == lines
        if size:
            assert log.pop() == lines[-1]
            assert all_lines(log) == lines[:-1]
            log.add("new")
            assert all_lines(log) == lines[:-1] + ["new"]


def test_any_line_can_be_replaced():
    lines = [str(k) for k in range(2 * BLOCK + 3)]
    log = filled(lines)
    for k in (0, BLOCK - 1, BLOCK, 2 * BLOCK - 1, 2 * BLOCK, len(lines) - 1):
        assert log.replace(k, "new %d" % k) == lines[k]
        lines[k] = "new %d" % k
        assert all_lines(log) == lines


def test_a_line_read_before_it_was_taken_out_is_not_remembered():
    log = filled([str(k) for k in range(BLOCK)])
    assert log.line(0) == "0"
    for _ in range(BLOCK):
        log.pop()
    for k in range(BLOCK):
        log.add("new %d" % k)
    assert all_lines(log) == ["new %d" % k for k in range(BLOCK)]


def test_any_mix_of_adding_removing_and_replacing_is_what_a_list_does():
    dice = Dice(7)
    log, plain = Log(), []
    for _ in range(1200):
        action = dice.weighted((50, "add"), (35, "pop"), (15, "replace"))
        line = dice.pick(LINES)
        if action == "add":
            log.add(line)
            plain.append(line)
        elif plain and action == "pop":
            assert log.pop() == plain.pop()
        elif plain:
            k = dice.below(len(plain))
            assert log.replace(k, line) == plain[k]
            plain[k] = line
        assert len(log) == len(plain)
        if plain:
            k = dice.below(len(plain))
            assert log.line(k) == plain[k]
    for k, line in enumerate(plain):
        assert log.line(k) == line


class Tape:
    """A file that lines are only ever added to."""

    def __init__(self):
        self.data = b""
        self.reads = 0

    def write(self, line):
        start = len(self.data)
        self.data += line.encode() + b"\n"
        return start, len(self.data)

    def read(self, start, end):
        self.reads += 1
        return self.data[start:end].split(b"\n")[:-1]


def test_blocks_that_lie_in_a_file_one_behind_the_other_are_read_from_there():
    tape = Tape()
    log = Log(tape.read)
    lines = [str(k) for k in range(3 * BLOCK + 1)]
    for line in lines:
        log.add(line)
        log.lies_at(*tape.write(line))
    assert all_lines(log) == lines and tape.reads == 3
    tape.data = tape.data.replace(b"\n0\n", b"\nx\n").replace(b"0\n", b"x\n", 1)
    assert Log(tape.read).add_block(0, 10) and log.line(BLOCK) == lines[BLOCK] and log.line(0) == "x"


def test_what_was_taken_back_meanwhile_is_kept_in_memory():
    tape = Tape()
    log = Log(tape.read)
    for k in range(2 * BLOCK):
        log.add(str(k))
        log.lies_at(*tape.write(str(k)))
        if k in (0, 5, BLOCK, BLOCK + 1):
            tape.write("undo")
            assert log.pop() == str(k)
            log.add("again %d" % k)
            log.lies_at(*tape.write("again %d" % k))
    log.add("last")
    want = [("again %d" if k in (0, 5, BLOCK, BLOCK + 1) else "%d") % k for k in range(2 * BLOCK)] + ["last"]
    assert all_lines(log) == want and tape.reads == 0


def test_whole_blocks_can_be_added_only_between_blocks():
    tape = Tape()
    start = tape.write("0")[0]
    for k in range(1, BLOCK):
        end = tape.write(str(k))[1]
    log = Log(tape.read)
    assert log.add_block(start, end) and log.add_block(start, end)
    log.add("next")
    assert not log.add_block(start, end)
    assert all_lines(log) == 2 * [str(k) for k in range(BLOCK)] + ["next"]
    assert log.pop() == "next" and log.pop() == str(BLOCK - 1) and len(log) == 2 * BLOCK - 1


def test_a_log_with_a_file_behind_it_is_what_a_list_is():
    dice = Dice(11)
    tape = Tape()
    log, plain = Log(tape.read), []
    for _ in range(220):
        action = dice.weighted((70, "add"), (12, "pop"), (3, "replace"))
        line = str(dice.below(1000))
        if action == "add":
            log.add(line)
            plain.append(line)
            place = tape.write(line)
            if dice.chance(97):
                log.lies_at(*place)
        elif plain and action == "pop":
            tape.write("undo")
            assert log.pop() == plain.pop()
        elif plain:
            k = dice.below(len(plain))
            tape.write("correct")
            assert log.replace(k, line) == plain[k]
            plain[k] = line
        if plain:
            k = dice.below(len(plain))
            assert log.line(k) == plain[k]
    assert all_lines(log) == plain and tape.reads > 2


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
