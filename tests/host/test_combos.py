"""`kiebitz combos`: which boards a hand satisfies, for people, for programs and line by line."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

HANDS = (
    ("7H 7D", ["pair"]),
    ("7H 7H", ["perfect_pair"]),
    ("7H *", ["pair", "perfect_pair"]),
    ("7H 7D 7S 7C", ["double_pair", "four_kind"]),
    ("TH JH QH KH *", ["flush", "straight", "straight_flush"]),
    ("10H JH QH KH AH", ["flush", "straight_flush", "royal_flush"]),
    ("2H 3D 4S 5C 6H 7D 8S", ["big_straight"]),
    ("KH AD 2H 3H 4H", []),
    ("7H 7H 7H 7H KD KD", []),
    ("  7H\t7D ", ["pair"]),
    ("", []),
)
NOT_CARDS = ("7X", "1H", "77", "7h 7d", "7H,7D", "joker", "7H 7D {", "\u0001", "７H", "x" * 5000)


def test_the_boards_of_a_hand_as_json(kiebitz):
    for cards, boards in HANDS:
        done = kiebitz("combos", cards, "--json")
        assert (done.code, json.loads(done.out), done.err) == (0, boards, ""), cards


def test_the_boards_of_a_hand_for_people(kiebitz):
    done = kiebitz("combos", "TH JH QH KH *")
    assert done.code == 0
    assert [line.split("  ")[0] for line in done.out.splitlines()[2:]] == ["Flush", "Straight", "Straight Flush"]
    assert "13  11  9" in done.out
    assert kiebitz("combos", "2H 9D").out == "No board takes these cards.\n"


def test_what_is_not_cards_is_refused(kiebitz):
    for cards in NOT_CARDS:
        done = kiebitz("combos", cards)
        assert (done.code, done.out) == (3, ""), cards
        assert done.err.startswith("E_ARG - ") and done.err.count("\n") == 1, cards
        done = kiebitz("combos", cards, "--json")
        assert (done.code, done.out) == (3, "null\n"), cards


@pytest.mark.parametrize("extra", [[], ["--json"]])
def test_one_hand_per_line_gives_one_list_per_line(kiebitz, extra):
    hands = [(cards, boards) for cards, boards in HANDS] + [(cards, None) for cards in NOT_CARDS]
    data = "\n".join(cards for cards, _ in hands).encode()
    done = kiebitz("combos", "-", *extra, stdin=data)
    assert (done.code, done.err) == (0, "")
    assert [json.loads(line) for line in done.out.splitlines()] == [boards for _, boards in hands]


def test_a_broken_line_does_not_stop_the_next_ones(kiebitz):
    data = b"\xef\xbb\xbf7H 7D\r\n\xff\xfe\r\n" + b"7H " * 3_000_000 + b"\n" + b" " * 5000 + b"\n\x00\n\n7H 7H"
    done = kiebitz("combos", "-", stdin=data)
    assert done.code == 0
    assert done.out.splitlines() == ['["pair"]', "null", "null", "null", "null", "[]", '["perfect_pair"]']
    assert kiebitz("combos", "-", stdin=b"").out == ""


def test_the_installed_command_takes_a_hand_from_the_command_line():
    command = [str(Path(sys.executable).with_name("kiebitz")), "combos", "TH JH QH KH AH", "--json"]
    done = subprocess.run(command, capture_output=True, check=True)
    assert json.loads(done.stdout) == ["flush", "straight_flush", "royal_flush"]


def test_cards_must_be_one_argument(kiebitz):
    for argv in ([], ["7H", "7D"]):
        assert kiebitz("combos", *argv).code == 2
