"""Thousands of damaged recordings: whatever a file holds, the replay ends with a state or a refusal."""

import copy
import json
import random
import re
from pathlib import Path

import pytest

SCRIPTS = 2000
SHEET_EVERY = 20  # every so many scripts the score sheet is printed, too
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
