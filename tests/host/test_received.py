"""The checks of what a device sends: the elements of lists as well, and ids as the device itself demands them."""

import pytest
from kiebitz.games import Refused
from kiebitz.link import requests
from kiebitz_host import received
from kiebitz_host.link import answers
from kiebitz_host.received import Unfit


def fits(check, value):
    """Tell whether a check takes the value as it is."""
    try:
        return check(value) == value
    except Unfit:
        return False


IDS = ("5b3c0f-0001-c67e81", "a", "-", "", "../x", "ABC", "a b", "\x1b[2J", "²", "a\n", 7, None, [])


@pytest.mark.parametrize("value", IDS)
def test_an_id_is_what_the_device_itself_accepts(value):
    try:
        accepted = requests._game_id(value) == value
    except Refused:
        accepted = False
    assert fits(received.game_id, value) is accepted


def test_ids_are_so_short_that_a_request_of_them_fits():
    assert fits(received.game_id, "a" * 20) and not fits(received.game_id, "a" * 21)


@pytest.mark.parametrize(
    ("check", "good", "bad"),
    [
        (received.text(3), "Zoë", ["Zoë ", "\x1b[m", "\x9b", "a\n", "\ud800", 7, None, ["a"]]),
        (received.version, "0.2.0-dev+1", ["", "1\x1b", "²", "1" * 33, 1]),
        (received.code, "E_ARG", ["e_arg", "{0}", "E\x1b", "", None, "E" * 33]),
        (received.number(9), 9, [10, -1, True, 1.0, "9", 10**300, None]),
        (received.truth, True, [1, 0, "true", None]),
        (received.name, "Anna", ["", "a" * 25, "\x1b", 7, None]),
        (received.listed(received.name, 2), ["A", "B"], [["A", 7], ["A", "\x1b"], ["A"] * 3, "AB", {}]),
        (received.mapping(received.name, received.truth, 1), {"A": True}, [{"A": 1}, {"\x1b": True}, []]),
        (answers.STATE, {"id": None}, [{}, {"id": 7}, {"id": "a"}, {"id": "a", "lines": "1", "mark": "0badcafe"}]),
        (answers.READ, {"ends": [1, "E_GAME"]}, [{"ends": 1}, {"ends": [None]}, {"ends": ["\x1b"]}, {"ends": [-1]}]),
    ],
)
def test_a_check_takes_what_fits_and_nothing_else(check, good, bad):
    assert fits(check, good)
    assert [value for value in bad if fits(check, value)] == []


def test_what_nobody_asked_for_is_dropped():
    check = received.record({"a": received.truth}, {"b": received.truth})
    assert check({"a": True, "c": "\x1b"}) == {"a": True}
    with pytest.raises(Unfit):
        check({"b": True})
