"""Declare the decisions about evenings and seasons of a club: their values with checks, and the keys of both."""

import json
import secrets
from datetime import date
from typing import Any

from ..received import (
    Check,
    Unfit,
    device_id,
    either,
    listed,
    matching,
    nothing,
    number,
    pair,
    record,
    spelling,
    text,
    truth,
)

PEOPLE_MAX = 100  # of an evening; the names of more do not fit into a decision
SERIES_MAX = 20
TABLES_MAX = 50
SEATS_MAX = 12
NAME_MAX = 60  # characters of the name of an evening or a season
CENTS_MAX = 100_000_000
COUNT_MAX = 10_000
SETTINGS_MAX = 2_000  # characters
METHODS = ("lot", "result", "meet")  # how tables are drawn
WAYS = ("average", "sum", "best")  # how the points of a season are counted

evening_key = matching("evening/[0-9a-f]{16}")
season_key = matching("season/[0-9a-f]{16}")
CLUB_PATTERNS = ("evening/%", "season/%")  # for LIKE


def new_key(what: str) -> str:
    """Return a key for a new evening or season."""
    return f"{what}/{secrets.token_hex(8)}"


def is_club_key(about: str) -> bool:
    """Return True if a decision is about an evening or a season."""
    try:
        either(evening_key, season_key)(about)
    except Unfit:
        return False
    return True


def one_of(words: tuple[str, ...]) -> Check:
    """Return a check for one of these words."""
    return matching("|".join(words))


def day(value: Any) -> str:
    """Return a day like 2026-01-31."""
    try:
        if type(value) is not str or date.fromisoformat(value).isoformat() != value:
            raise Unfit
    except ValueError:
        raise Unfit from None
    return value


def a_name(value: Any) -> str:
    """Return the name of an evening, a season or a team: printable text that is not blank."""
    if not text(NAME_MAX)(value).strip():
        raise Unfit
    return value


def settings(value: Any) -> str:
    """Return the house rules of a game as canonical JSON."""
    try:
        rules = json.loads(text(SETTINGS_MAX)(value))
    except (ValueError, RecursionError):
        raise Unfit from None
    if type(rules) is not dict or canonical(rules) != value or "NaN" in value or "Infinity" in value:
        raise Unfit
    return value


def sizes(value: Any) -> list[int]:
    """Return the sizes of tables, at least one."""
    if not (found := listed(number(SEATS_MAX, 2), SEATS_MAX)(value)):
        raise Unfit
    return found


def canonical(rules: dict) -> str:
    """Return house rules as the text that is stored."""
    return json.dumps(rules, sort_keys=True, separators=(",", ":"))


_cents = number(CENTS_MAX)
_names = listed(spelling, PEOPLE_MAX)
_series = number(SERIES_MAX, 1)
_decision = matching("[0-9a-f]{32}")
MONEY: dict[str, Check] = {
    "stake": _cents,
    "fees": listed(pair(number(COUNT_MAX), _cents), 10),  # how many lost games cost how much; 0: all others
    "prizes": listed(_cents, PEOPLE_MAX),
}


def club_kinds(game_key: Check) -> dict[str, dict[str, Check]]:
    """Return {kind: its values with their checks} of the decisions about evenings and seasons."""
    return {
        "evening": {
            "name": a_name,
            "day": day,
            "game": matching("[a-z_]{1,32}"),
            "title": text(24),
            "settings": settings,
            "series": _series,
            "sizes": sizes,
            "money": record(MONEY),
        },
        "present": {"names": _names, "here": truth, "series": _series},
        "draw": {
            "series": _series,
            "method": one_of(METHODS),
            "seed": number((1 << 31) - 1),
            "tables": listed(listed(spelling, SEATS_MAX), TABLES_MAX),
            "known": listed(_decision, 50),  # the draws of this series that were known
        },
        "result": {
            "games": listed(
                record({"game": game_key, "series": number(SERIES_MAX), "table": number(TABLES_MAX)}), 2 * TABLES_MAX
            )
        },
        "seats": {"series": _series, "table": number(TABLES_MAX, 1), "device": device_id},
        "team": {"name": a_name, "names": _names},
        "settle": {"sheet": listed(pair(spelling, number(CENTS_MAX, -CENTS_MAX)), PEOPLE_MAX)},
        "cancel": {},
        "season": {
            "name": a_name,
            "since": day,
            "until": either(nothing, day),
            "by": one_of(WAYS),
            "best": number(COUNT_MAX, 1),
            "least": number(COUNT_MAX, 1),
        },
    }


ABOUT_EVENINGS = ("evening", "present", "draw", "seats", "result", "team", "settle", "cancel")
