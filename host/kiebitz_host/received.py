"""Validate values written by others (devices, exchange folders, a club's database): types, bounds, printable text.

A check takes a JSON value and returns it, or raises Unfit. Checks of lists and records validate the elements as well.
Lines are read in bounded pieces, so that no input can exhaust memory.
"""

import re
import sys
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from kiebitz.games import Refused
from kiebitz.games.base import check_name
from kiebitz.store.presets import check_preset
from kiebitz.store.replay import LINE_MAX
from kiebitz.store.roster import checked_seats

from .outcome import Trouble
from .printable import CONTROLS

Check = Callable[[Any], Any]


class Unfit(ValueError):
    """A value that no Kiebitz sends."""


def text(most: int) -> Check:
    """Return a check for printable text of at most `most` characters."""

    def check(value: Any) -> str:
        if type(value) is not str or len(value) > most or CONTROLS.search(value):
            raise Unfit
        return value

    return check


def matching(pattern: str) -> Check:
    """Return a check for text that fully matches the pattern."""
    whole = re.compile(pattern, re.ASCII)

    def check(value: Any) -> str:
        if type(value) is not str or not whole.fullmatch(value):
            raise Unfit
        return value

    return check


def number(high: int, low: int = 0) -> Check:
    """Return a check for an integer within bounds; booleans are not integers here."""

    def check(value: Any) -> int:
        if type(value) is not int or not low <= value <= high:
            raise Unfit
        return value

    return check


def truth(value: Any) -> bool:
    """Return a boolean."""
    if type(value) is not bool:
        raise Unfit
    return value


def nothing(value: Any) -> None:
    """Return None, if the value is null."""
    if value is not None:
        raise Unfit


def name(value: Any) -> str:
    """Return a player's name that is valid on the device."""
    try:
        return check_name(value)
    except Refused:
        raise Unfit from None


def spelling(value: Any) -> str:
    """Return a player's name exactly as a device would store it."""
    if name(value) != value:
        raise Unfit
    return value


def preset(value: Any) -> dict:
    """Return a preset that the rules accept; its title is validated like a name."""
    try:
        return check_preset(value)
    except Refused:
        raise Unfit from None


def seats(value: Any) -> dict:
    """Return the table and set-up that a club has drawn for a device, if the rules accept them; {} means none."""
    try:
        return checked_seats(value) if value else record({})(value)
    except Refused:
        raise Unfit from None


def either(*checks: Check) -> Check:
    """Return a check for a value that passes one of the checks."""

    def check(value: Any) -> Any:
        for one in checks:
            try:
                return one(value)
            except Unfit:
                pass
        raise Unfit

    return check


def listed(element: Check, most: int) -> Check:
    """Return a check for a list of at most `most` elements that all pass the check."""

    def check(value: Any) -> list:
        if type(value) is not list or len(value) > most:
            raise Unfit
        return [element(item) for item in value]

    return check


def pair(first: Check, second: Check) -> Check:
    """Return a check for a list of two elements that pass one check each."""

    def check(value: Any) -> tuple:
        if type(value) is not list or len(value) != 2:
            raise Unfit
        return first(value[0]), second(value[1])

    return check


def mapping(key: Check, element: Check, most: int) -> Check:
    """Return a check for an object of at most `most` keys; all keys and values must pass their checks."""

    def check(value: Any) -> dict:
        if type(value) is not dict or len(value) > most:
            raise Unfit
        return {key(item): element(value[item]) for item in value}

    return check


def record(needed: dict[str, Check], more: dict[str, Check] | None = None) -> Check:
    """Return a check for an object with required and optional keys; unknown keys are dropped."""

    def check(value: Any) -> dict:
        if type(value) is not dict or not needed.keys() <= value.keys():
            raise Unfit
        checks = {**needed, **(more or {})}
        return {key: checks[key](value[key]) for key in checks if key in value}

    return check


# --- the same wherever they come from ---

# The device uses an id as a file name and restricts its characters. Ids of this length still fit into a request with
# the maximum number of games
game_id = matching("[0-9a-f-]{1,20}")
device_id = matching("[ -~]{1,32}")
version = matching("[0-9A-Za-z.+-]{1,32}")
mark = matching("[0-9a-f]{8}")
code = matching("[A-Z][A-Z0-9_:]{0,31}")


class BadName(ValueError):
    """A name that no device accepts, as the only argument."""


def checked_names(words: list[str]) -> list[str]:
    """Return the names normalized as on a device, without duplicates; raise BadName for an invalid one."""
    names = []
    for word in words:
        try:
            names.append(check_name(word))
        except Refused:
            raise BadName(word) from None
    return list(dict.fromkeys(names))


STDIN = "-"
_BOM = b"\xef\xbb\xbf"
_PIECE = LINE_MAX + len(_BOM) + len(b"\r\n")


def read_lines(name):
    """Yield the lines of a file, or of standard input for "-", as bytes without their line ends.

    A line longer than LINE_MAX is truncated, but still too long; its rest is skipped only if more lines are requested.
    """
    try:
        with _open(name) as stream:
            line = stream.readline(_PIECE)
            text = line.removeprefix(_BOM)
            while line:
                yield text.removesuffix(b"\n").removesuffix(b"\r")
                while len(line) == _PIECE and not line.endswith(b"\n"):
                    line = stream.readline(_PIECE)
                text = line = stream.readline(_PIECE)
    except OSError as trouble:
        raise Trouble(f"cannot read {name}: {trouble.strerror}.") from None


def _open(name):
    if name != STDIN:
        return open(name, "rb")
    if sys.stdin is None:
        raise Trouble("there is no standard input to read.")
    return nullcontext(sys.stdin.buffer)
