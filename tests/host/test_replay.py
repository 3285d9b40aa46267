"""`kiebitz replay`: the contract for programs, invalid files, and damaged recordings."""

import copy
import io
import json
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = str(Path(sys.executable).with_name("kiebitz"))
POCH = {"game": "poch", "players": ["Anna", "Ben"]}
ROYAL = {"game": "royal_flush", "players": ["Anna", "Ben"]}
SPEND = {"ev": "spend", "p": 0, "k": 1}


def script(*lines):
    """Return a file of these lines; dicts become JSON, bytes stay as they are."""
    return b"\n".join([line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]) + b"\n"


@pytest.fixture
def replay(kiebitz):
    """Return a function that returns the JSON object of `kiebitz replay - --json` for these lines."""

    def run(*lines):
        done = kiebitz("replay", "-", "--json", stdin=script(*lines))
        assert done.err == ""
        assert done.out.isascii()
        report = json.loads(done.out)
        assert done.code == (3 if report["refused"] else 0)
        return report

    return run


@pytest.fixture
def refused(replay):
    """Return a function that replays lines and returns (line number, code) of the refusal."""

    def run(*lines):
        refusal = replay(*lines)["refused"]
        assert refusal["message"]
        return refusal["line"], refusal["code"]

    return run


# --- JSON output ---

COMMON = ["game", "phase", "players", "events", "totals", "winners", "refused"]
OWN_KEYS = {
    "royal_flush": ["round", "chips", "pieces", "jokers", "spent", "carry", "start", "early", "round_points", "slots"],
    "poker_carre": ["counts", "placed", "grid"],
    "poker_carre_pad": ["counts", "placed", "grid"],
    "poch": ["chips", "pools", "bank", "dealer", "round", "trump", "owed"],
    "top_spot": ["points", "game_no", "dealer", "early"],
    "top_spot_assisted": ["points", "game_no", "dealer", "early"],
}


@pytest.mark.parametrize("name", OWN_KEYS)
def test_a_recorded_game_is_printed_as_one_object_with_the_agreed_keys(kiebitz, game_file, name):
    done = kiebitz("replay", game_file(name), "--json")
    assert (done.code, done.err, done.out.count("\n")) == (0, "", 1)
    report = json.loads(done.out)
    assert sorted(report) == sorted(COMMON + OWN_KEYS[name])
    assert report["refused"] is None


def test_the_object_tells_how_the_game_stands(replay):
    report = replay(
        {"game": "royal_flush", "players": ["Anna", "Ben", "Cleo", "Dan"], "dealer": 3, "options": {}},
        {"ev": "spend", "p": 0, "k": 2},
        {"ev": "score", "p": 1, "board": "pair", "cards": "7H 7D"},
        {"ev": "undo"},
        {"ev": "score", "p": 2, "board": "three_kind"},
    )
    assert report["events"] == 2
    assert report["phase"] == "PLAY"
    assert report["totals"] == [0, 0, 6, 0]
    assert report["winners"] == []
    assert report["chips"] == [3, 5, 5, 5]
    assert report["slots"]["three_kind"] == [2, None, None]
    assert report["slots"]["pair"] == [None, None, None]


def test_a_file_and_standard_input_give_the_same(kiebitz, game_file):
    path = game_file("poch")
    assert kiebitz("replay", path, "--json") == kiebitz("replay", "-", "--json", stdin=Path(path).read_bytes())


def test_the_installed_command_reads_a_pipe(game_file):
    data = Path(game_file("top_spot")).read_bytes()
    done = subprocess.run([COMMAND, "replay", "-", "--json"], input=data, capture_output=True, check=True)
    assert json.loads(done.stdout)["phase"] == "MATCH_OVER"
    assert done.stderr == b""


def test_names_of_any_script_come_through_as_ascii(replay):
    assert replay({"game": "poch", "players": ["Zoë", " 日本 "]})["players"] == ["Zoë", "日本"]


# --- refusals ---


def test_a_refused_event_stops_the_replay_with_the_state_before_it(replay):
    report = replay(ROYAL, SPEND, {"ev": "spend", "p": 1, "k": 9}, SPEND)
    assert report["events"] == 1
    assert report["chips"] == [4, 5]
    assert report["refused"] == {
        "line": 3,
        "code": "E_CHIPS",
        "message": "Ben has only 5 chips and needs 9.",
    }


def test_an_entry_that_would_no_longer_fit_is_named(replay):
    rule = {"ev": "option", "name": "turns", "value": "follow"}
    lines = (ROYAL, {"ev": "score", "p": 0, "board": "pair"}, SPEND)
    for line in (rule, {"ev": "insert", "at": 0, "event": rule}):
        report = replay(*lines, line)
        assert report["events"] == 2 and report["refused"]["code"] == "E_PHASE"
        assert "Anna spends 1" in report["refused"]["message"]


def test_people_get_the_sheet_and_then_the_line_that_was_refused(kiebitz):
    done = kiebitz("replay", "-", stdin=script(ROYAL, SPEND, {"ev": "spend", "p": 0, "k": 5}))
    assert done.code == 3
    assert "Royal Flush · round 1 of 3" in done.out
    assert done.err == "line 3: E_CHIPS - Anna has only 4 chips and needs 5.\n"


def test_a_doubt_tells_how_to_go_on_all_the_same(kiebitz):
    lines = [POCH, {"ev": "start_round", "trump": "S"}, {"ev": "end_cash"}]
    done = kiebitz("replay", "-", stdin=script(*lines))
    assert done.code == 3
    assert done.err.startswith("line 3: W_UNCASHED - Nobody has cashed Ace, King, Queen, Jack and Ten.")
    assert '"confirm":true' in done.err
    lines[-1]["confirm"] = True
    assert kiebitz("replay", "-", stdin=script(*lines)).code == 0


def test_a_refused_set_up_prints_an_empty_state(replay, kiebitz):
    line = {"game": "poch", "players": ["Anna"]}
    assert replay(line) == {
        "game": "poch",
        "phase": None,
        "players": [],
        "events": 0,
        "totals": [],
        "winners": [],
        "refused": {"line": 1, "code": "E_PLAYERS", "message": "This game is for 2 to 8 players, not for 1."},
    }
    done = kiebitz("replay", "-", stdin=script(line))
    assert (done.code, done.out) == (3, "")
    assert done.err == "line 1: E_PLAYERS - This game is for 2 to 8 players, not for 1.\n"


def test_a_set_up_of_an_unknown_game_names_none(replay):
    for game in ("chess", None, 7, ["poch"], {"poch": 1}):
        report = replay({"game": game, "players": ["Anna", "Ben"]})
        assert (report["game"], report["refused"]["code"]) == (None, "E_ARG"), game


# --- invalid files ---

WRONG_SETUPS = (
    ({}, "E_ARG"),
    ({"players": ["Anna", "Ben"]}, "E_ARG"),
    ({"game": "poch"}, "E_ARG"),
    ({"game": "poch", "players": "Anna"}, "E_ARG"),
    ({"game": "poch", "players": ["Anna", 7]}, "E_ARG"),
    ({"game": "poch", "players": ["Anna", "Anna"]}, "E_ARG"),
    ({"game": "poch", "players": ["Anna", " "]}, "E_ARG"),
    ({"game": "poch", "players": ["Anna", "B\u0007"]}, "E_ARG"),
    ({"game": "poch", "players": ["Anna", "x" * 25]}, "E_ARG"),
    ({"game": "poch", "players": []}, "E_PLAYERS"),
    ({**POCH, "dealer": 2}, "E_ARG"),
    ({**POCH, "dealer": -1}, "E_ARG"),
    ({**POCH, "dealer": True}, "E_ARG"),
    ({**POCH, "options": []}, "E_ARG"),
    ({**POCH, "options": {"luck": "on"}}, "E_SETTING"),
    ({**POCH, "options": {"turns": 1}}, "E_SETTING"),
    ({**POCH, "options": {"chips_total": 15}}, "E_SETTING"),
    ({**POCH, "options": {"chips_total": 10**30}}, "E_SETTING"),
    ({**ROYAL, "boards": ["pair"]}, "E_BOARD_COUNT"),
    ({**ROYAL, "boards": ["\ud800"]}, "E_BOARD"),
    ({**ROYAL, "child": [2, 0]}, "E_ARG"),
)

WRONG_EVENTS = (
    {},
    {"ev": None},
    {"ev": ["spend"]},
    {"ev": "\ud800"},
    {"ev": "spend"},
    {"ev": "spend", "p": 0},
    {"ev": "spend", "p": "0", "k": 1},
    {"ev": "spend", "p": True, "k": 1},
    {"ev": "spend", "p": 0, "k": 1.0},
    {"ev": "spend", "p": 0, "k": 0},
    {"ev": "spend", "p": 0, "k": -1},
    {"ev": "spend", "p": 0, "k": 10**6 + 1},
    {"ev": "spend", "p": 0, "k": 10**4000},
    {"ev": "spend", "p": -1, "k": 1},
    {"ev": "spend", "p": 0, "k": 1, "confirm": 1},
    {"ev": "score", "p": 0, "board": 3},
    {"ev": "score", "p": 0, "board": "pair", "cards": "7H 7X"},
    {"ev": "score", "p": 0, "board": "pair", "cards": [7, 7]},
    {"ev": "undo", "k": 0},
    {"ev": "correct", "at": 9, "event": SPEND},
)

WRONG_LINES = (
    b"spend",
    b'{"ev":"spend"',
    b'{"ev":"spend","p":0,"k":1}}',
    b"[]",
    b'"undo"',
    b"null",
    b"7",
    b'{"ev":"undo","x":NaN}',
    b'{"ev":"undo","x":[1,-Infinity]}',
    b'{"ev":"spend","p":0,"k":Infinity}',
    b'{"ev":"spend","p":0,"k":' + b"9" * 4070 + b"}",
    b"[" * 4096,
    b'{"a":' * 800,
    b'{"ev":"undo","x":"\x00"}',
    b"\x00" * 20,
    b'{"ev":"\xff\xfe"}',
    b'{"ev":"\xed\xa0\x80"}',
    b"\xef\xbb\xbf" + json.dumps(SPEND).encode(),
    b" " * 4097,
    b'{"ev":"undo"}' + b" " * 4096,
)


@pytest.mark.parametrize(("setup", "code"), WRONG_SETUPS, ids=lambda value: str(value)[:60])
def test_a_wrong_set_up_is_refused_in_line_1(refused, setup, code):
    assert refused(setup, SPEND) == (1, code)


@pytest.mark.parametrize("event", WRONG_EVENTS, ids=lambda value: str(value)[:60])
def test_a_wrong_event_is_refused_with_its_line(refused, event):
    assert refused(ROYAL, SPEND, event) == (3, "E_ARG")


@pytest.mark.parametrize("line", WRONG_LINES, ids=lambda value: str(value)[:60])
def test_a_line_that_is_no_json_object_is_refused_with_its_number(refused, line):
    assert refused(ROYAL, SPEND, line, SPEND) == (3, "E_ARG")


def test_the_word_nan_inside_a_string_is_no_constant(replay):
    report = replay({"game": "poch", "players": ["NaN", "Infinity"]}, b'{"ev":"start_round","trump":"S"}')
    assert report["players"] == ["NaN", "Infinity"]


def test_blank_lines_are_skipped_but_counted(refused, replay):
    assert replay(b"", ROYAL, b"  ", b"\t\r", SPEND, b"")["events"] == 1
    assert refused(b"", ROYAL, b"", b"", SPEND, b"", b"oops") == (7, "E_ARG")


def test_an_empty_file_is_refused_in_line_1(kiebitz):
    for data in (b"", b"\n", b"\n\n   \n", b"\xef\xbb\xbf"):
        report = json.loads(kiebitz("replay", "-", "--json", stdin=data).out)
        assert (report["refused"]["line"], report["refused"]["code"], report["game"]) == (1, "E_ARG", None), data


def test_line_ends_and_byte_order_marks_of_other_systems_do_no_harm(kiebitz):
    plain = script(ROYAL, SPEND, SPEND)
    expected = kiebitz("replay", "-", "--json", stdin=plain)
    for data in (plain.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + plain, plain.rstrip(b"\n")):
        assert kiebitz("replay", "-", "--json", stdin=data) == expected


def test_the_longest_line_is_taken_and_one_byte_more_is_not(replay, refused):
    event = json.dumps(SPEND).encode()
    full = event + b" " * (4096 - len(event))
    assert replay(ROYAL, full, full + b"\r", SPEND)["events"] == 3
    assert refused(ROYAL, full + b" ") == (2, "E_ARG")
    first = json.dumps(ROYAL).encode()
    assert replay(b"\xef\xbb\xbf" + first + b" " * (4096 - len(first)))["refused"] is None
    assert refused(first + b" " * (4097 - len(first))) == (1, "E_ARG")


def test_a_line_of_ten_megabytes_is_refused_with_its_number(kiebitz, tmp_path):
    path = tmp_path / "long.jsonl"
    path.write_bytes(script(ROYAL, SPEND, b'{"ev":"' + b"x" * 10_000_000 + b'"}', SPEND))
    report = json.loads(kiebitz("replay", str(path), "--json").out)
    assert (report["events"], report["refused"]["line"], report["refused"]["code"]) == (1, 3, "E_ARG")


class Endless(io.RawIOBase):
    """A pipe with an endless line, which counts the bytes read."""

    def __init__(self, start, filler):
        self.waiting, self.filler, self.taken = start, filler, 0

    def readable(self):
        return True

    def readinto(self, buffer):
        piece = (self.waiting or self.filler * len(buffer))[: len(buffer)]
        self.waiting = self.waiting[len(piece) :]
        buffer[: len(piece)] = piece
        self.taken += len(piece)
        return len(piece)


@pytest.mark.parametrize("filler", [b"x", b" ", b"\x00"])
def test_a_line_without_end_is_refused_without_reading_on(kiebitz, filler):
    pipe = Endless(script(ROYAL, SPEND), filler)
    done = kiebitz("replay", "-", "--json", stdin=pipe)
    assert done.code == 3
    assert json.loads(done.out)["refused"]["line"] == 3
    assert pipe.taken < 100_000


def test_a_truncated_file_is_played_up_to_the_cut(kiebitz, game_file):
    data = Path(game_file("royal_flush")).read_bytes()
    lines = data.splitlines(keepends=True)
    cut = b"".join(lines[:20]) + lines[20][:12]
    report = json.loads(kiebitz("replay", "-", "--json", stdin=cut).out)
    assert (report["refused"]["line"], report["refused"]["code"]) == (21, "E_ARG")
    assert report["game"] == "royal_flush"


def test_more_than_5000_events_are_refused(replay, refused):
    lines = [SPEND, b'{"ev":"undo"}'] * 2500
    assert replay(ROYAL, *lines)["events"] == 0
    assert refused(ROYAL, *lines, SPEND) == (5002, "E_ARG")


# --- damaged recordings ---

SCRIPTS = 2000
SHEET_EVERY = 20  # the score sheet is printed for every 20th script
GAMES = sorted((Path(__file__).parents[1] / "games").glob("*/recorded/*.jsonl"))
CODE = re.compile(r"^[EW]_[A-Z_:]+$")

ODD_VALUES = (
    None, True, False, -1, 0, 1, 2, 7, 8, 13, 10**6, 10**6 + 1, -(10**6), 2**63, 10**100, 0.5, 1e300, float("nan"),
    "", " ", "x", "0", "H", "S", "7H 7D", "* * *", "a1", "a1 a2", "pair", "royal_flush", "MARRIAGE", "starter", "on",
    "UP", "grid", "expert", "assisted", "until_matched", "\ud800", "\u0000", "²", "x" * 300,
    [], [None], [[]], ["7H", "7D"], [0, 1], {}, {"0": 1}, {"²": 1}, {"0": [2, "K", True]}, {"p": 0},
)  # fmt: skip
ODD_EVENTS = (
    {"ev": "undo"}, {"ev": "undo", "k": 3}, {"ev": "redo"}, {"ev": "finish"}, {"ev": "end_game"},
    {"ev": "pass", "p": 0}, {"ev": "correct", "at": 0, "event": {"ev": "undo"}},
    {"ev": "correct", "at": 2, "event": {"ev": "pass", "p": 1}},
)  # fmt: skip


def flip_bytes(rng, data):
    data = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def cut(rng, data):
    start = rng.randrange(len(data))
    return data[:start] if rng.random() < 0.5 else data[:start] + data[start + rng.randint(1, 30) :]


def shuffle_lines(rng, data):
    lines = data.split(b"\n")
    for _ in range(rng.randint(1, 3)):
        a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
        change = rng.randrange(4)
        if change == 0:
            lines[a], lines[b] = lines[b], lines[a]
        elif change == 1:
            lines.insert(a, lines[b])
        elif change == 2 and len(lines) > 1:
            del lines[a]
        else:
            lines.insert(a, json.dumps(rng.choice(ODD_EVENTS)).encode())
    return b"\n".join(lines)


def holders(value):
    """Yield every list and object inside a value, itself included."""
    if isinstance(value, dict | list):
        yield value
        for inner in value.values() if isinstance(value, dict) else value:
            yield from holders(inner)


def replace_values(rng, data):
    lines = data.split(b"\n")
    for _ in range(rng.randint(1, 3)):
        k = 0 if rng.random() < 0.3 else rng.randrange(len(lines))
        value = json.loads(lines[k]) if lines[k] else {}
        holder = rng.choice(list(holders(value)))
        odd = copy.deepcopy(rng.choice(ODD_VALUES))
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        if not keys:
            continue
        key = rng.choice(keys)
        if rng.random() < 0.2:
            del holder[key]
        elif isinstance(holder, dict) and rng.random() < 0.1:
            holder[rng.choice(["", "confirm", "options", "k", "x", "²"])] = odd
        else:
            holder[key] = odd
        lines[k] = json.dumps(value).encode()
    return b"\n".join(lines)


def check_report(done, data):
    assert done.err == ""
    assert done.out.isascii()
    report = json.loads(done.out)
    refused = report["refused"]
    assert done.code == (3 if refused else 0)
    if refused:
        assert CODE.match(refused["code"])
        assert 1 <= refused["line"] <= data.count(b"\n") + 1
        assert refused["message"]
    return refused


def check_sheet(done, refused):
    assert done.code == (3 if refused else 0)
    if refused:
        assert done.err.startswith(f"line {refused['line']}: {refused['code']} - ")
    assert done.out or refused["line"] == 1


@pytest.mark.parametrize("part", range(4))
def test_no_damage_to_a_recording_can_do_more_than_get_it_refused(kiebitz, part):
    rng = random.Random(f"damage {part}")
    originals = [path.read_bytes().rstrip(b"\n") for path in GAMES]
    codes = set()
    for k in range(SCRIPTS // 4):
        damage = rng.choice([flip_bytes, cut, shuffle_lines, replace_values, replace_values])
        data = damage(rng, rng.choice(originals))
        refused = check_report(kiebitz("replay", "-", "--json", stdin=data), data)
        codes.add(refused and refused["code"])
        if k % SHEET_EVERY == 0:
            check_sheet(kiebitz("replay", "-", stdin=data), refused)
    assert len(codes) > 12, "the damage is too uniform to show much"
