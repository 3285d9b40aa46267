"""Record people's decisions on a laptop (corrections, deletions, names, evenings) as immutable records.

The id of a decision is a hash of its content, so it is the same on every laptop. Its timestamp is later than that of
every decision known to its laptop, so causal order survives wrong clocks. Everything shown is derived from journals and
decisions, ordered by timestamp, then id. Decisions refer to games by key, to people by spelling and to other decisions
by id. They never use row numbers, because those differ between laptops.
"""

import hashlib
import json
import os
import secrets
import socket
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from kiebitz.store.events import encode
from kiebitz.store.replay import LINE_MAX, is_too_nested

from ..outcome import Trouble
from ..received import Check, Unfit, either, matching, nothing, number, spelling, text
from ..received import record as fields
from .club_decisions import ABOUT_EVENINGS, CLUB_PATTERNS, club_kinds, evening_key, is_club_key, season_key
from .database import Database, is_newer

FORMAT = 1
PEOPLE = ""  # the subject of decisions about names
TIME_MAX_MS = 7_258_118_400_000  # the year 2200
CLOCK_MAX_MS = 4_102_444_800_000  # the year 2100: a later timestamp comes from a clock that was never set
# A decision of a wrong clock is accepted, but not one that is this far ahead: no later one could overrule it
AHEAD_YEARS = 20
_YEAR_MS = 365 * 86_400_000
_AHEAD_MS = AHEAD_YEARS * _YEAR_MS
_RELEASED_MS = 1_767_225_600_000  # 2026: an earlier clock is wrong
THROWN_MAX_MS = _RELEASED_MS + _AHEAD_MS  # the latest time of a decision derived from a device's list
CONTENT_MAX = 32_000  # characters: room for two entries of LINE_MAX bytes with every letter escaped
AUTHOR_MAX = 80  # characters
NUMBER_MAX = 20  # characters of a member's number in the club
CLUB_MAX = 60
_ID_LETTERS = 32


def _event(value: Any) -> str:
    """Return an entry of a game, as JSON that can be written to a journal."""
    try:
        event = json.loads(value) if type(value) is str and len(value) <= LINE_MAX else None
        if not isinstance(event, dict) or not isinstance(event.get("ev"), str) or is_too_nested(value.encode()):
            raise Unfit
        encode(event).encode()  # fails for lone surrogates
    except (ValueError, RecursionError):
        raise Unfit from None
    return value


_entry = either(nothing, _event)
_game_key = matching("[ -}]{1,80}/[0-9a-f]{12}")  # journal_record.key_of()
# Kind of decision -> its values with their checks
KINDS: dict[str, dict[str, Check]] = {
    "fix": {"entry": number((1 << 31) - 1), "old": _entry, "new": _entry},
    "take back": {"decision": matching("[0-9a-f]{32}")},
    "delete": {},
    "throw away": {},
    "restore": {},
    "join": {"name": spelling, "other": spelling},
    "rename": {"name": spelling, "new": spelling},
    "split": {"name": spelling},
    "member": {"name": spelling, "number": text(NUMBER_MAX), "club": text(CLUB_MAX)},
    **club_kinds(_game_key),
}
ABOUT_PEOPLE = ("join", "rename", "split", "member")
_SUBJECTS = {  # kind -> check of what it is about; all others are about a game
    **dict.fromkeys(ABOUT_PEOPLE, nothing),
    **dict.fromkeys(ABOUT_EVENINGS, evening_key),
    "season": season_key,
    "take back": either(_game_key, evening_key, season_key),
}
# Decisions that delete (True) or restore (False) a game; "throw away" is reported by a device
REMOVALS = {"delete": True, "throw away": True, "restore": False}


class BadDecision(ValueError):
    """The bytes are not a valid decision; the message gives the reason."""


class Decision(NamedTuple):
    """One decision; `values` are described by KINDS."""

    id: str
    time: int  # milliseconds since 1970
    author: str
    kind: str
    about: str  # the key of a game, of an evening or a season, or PEOPLE
    values: dict[str, Any]

    @property
    def made(self) -> int:
        """The timestamp in seconds."""
        return self.time // 1000


def author() -> str:
    """Return the author of decisions made here: KIEBITZ_AUTHOR, or the host name."""
    name = os.environ.get("KIEBITZ_AUTHOR") or socket.gethostname()
    shown = "".join(letter for letter in name if letter.isprintable())
    return shown[:AUTHOR_MAX] or "?"


def content_of(time: int, by: str, kind: str, about: str, values: dict[str, Any], nonce: str) -> str:
    """Return the canonical text of a decision."""
    whole = {"kiebitz": FORMAT, "time": time, "author": by, "kind": kind, "about": about, "values": values, "n": nonce}
    return json.dumps(whole, sort_keys=True, separators=(",", ":"))


def id_of(content: str) -> str:
    """Return the id of a decision, a hash of its text."""
    return hashlib.sha256(content.encode()).hexdigest()[:_ID_LETTERS]


def decode(content: str) -> Decision:
    """Parse a decision. Raises BadDecision for any text that content_of() would not have produced."""
    try:
        whole: Any = json.loads(content) if len(content) <= CONTENT_MAX else None
    except (ValueError, RecursionError):
        whole = None
    if not isinstance(whole, dict) or "kiebitz" not in whole:
        raise BadDecision("it is not a decision of Kiebitz")
    if is_newer(whole["kiebitz"], FORMAT):
        raise BadDecision("it was written by a newer Kiebitz")
    try:
        facts = _FACTS(whole)
        types = KINDS[facts["kind"]]
        values = fields(types)(facts["values"])
        _SUBJECTS.get(facts["kind"], _game_key)(facts["about"] or None)
    except Unfit:
        raise BadDecision("it has invalid values") from None
    time, by, kind, about = (facts[key] for key in ("time", "author", "kind", "about"))
    if kind == "fix" and values["old"] is None and values["new"] is None:
        raise BadDecision("it corrects nothing")
    if content_of(time, by, kind, about, values, facts["n"]) != content:
        raise BadDecision("it was not written by Kiebitz")
    return Decision(id_of(content), time, by, kind, about, values)


def _kind(value: Any) -> str:
    if type(value) is not str or value not in KINDS:
        raise Unfit
    return value


_FACTS = fields(
    {
        "time": number(TIME_MAX_MS),
        "author": text(AUTHOR_MAX),
        "kind": _kind,
        "about": text(100),
        "values": lambda value: value,  # checked by kind
        "n": text(64),
    }
)


# --- clocks ---


def latest(now: float) -> int:
    """Return the latest acceptable timestamp of a received decision, in milliseconds."""
    clock = int(now * 1000)
    return max(clock if clock < CLOCK_MAX_MS else 0, _RELEASED_MS) + _AHEAD_MS


def check_time(decision: Decision, now: float) -> None:
    """Raise BadDecision if a received decision is so far ahead that no later one could overrule it."""
    if decision.time > latest(now):
        raise BadDecision(f"its clock is more than {AHEAD_YEARS} years ahead")


def _in_force_until(db: Database) -> int:
    """Return the latest timestamp of decisions that count: an answer to every acceptable decision has room."""
    return latest(db.now()) + _YEAR_MS


# --- in the database ---


def decide(db: Database, kind: str, about: str = PEOPLE, **values: Any) -> Decision:
    """Add a decision made now, with a timestamp later than all that count. Returns it."""
    (decision,) = decide_all(db, kind, [values], about)
    return decision


def decide_all(db: Database, kind: str, several: Iterable[dict[str, Any]], about: str = PEOPLE) -> list[Decision]:
    """Add decisions with these values as decide() does, each a millisecond after the one before. Returns them."""
    clock = int(db.now() * 1000)
    known = db.value("SELECT max(time) FROM decisions WHERE time < ?", _in_force_until(db)) or 0
    time = max(clock if 0 < clock < CLOCK_MAX_MS else 0, known + 1)
    by = author()
    contents = [content_of(time + k, by, kind, about, values, secrets.token_hex(4)) for k, values in enumerate(several)]
    try:
        return add(db, contents)
    except BadDecision as bad:
        raise Trouble(f"this cannot be stored: {bad}. Nothing was changed.") from None


def add(db: Database, texts: Iterable[str]) -> list[Decision]:
    """Add decisions of other laptops. Returns those that are new; raises BadDecision for an invalid one."""
    by_id = {decision.id: (decision, content) for content in texts for decision in [decode(content)]}
    known = _known(db, list(by_id))
    for key, is_valid in known.items():
        if not is_valid:  # somebody has changed the row
            db.run("DELETE FROM decisions WHERE id = ?", key)
    new = [(decision, content) for key, (decision, content) in by_id.items() if not known.get(key)]
    rows = [(decision.id, decision.time, decision.about, content) for decision, content in new]
    db.many("INSERT INTO decisions (id, time, about, content) VALUES (?, ?, ?, ?)", rows)
    return [decision for decision, _ in new]


def is_known_text(content: str) -> bool:
    """Return True if the text is a valid decision."""
    try:
        decode(content)
    except BadDecision:
        return False
    return True


def _known(db: Database, ids: list[str]) -> dict[str, bool]:
    """Return {id: whether its row is valid} of those decisions that are stored."""
    found: dict[str, bool] = {}
    for start in range(0, len(ids), 500):
        some = ids[start : start + 500]
        rows = db.rows(f"{_ROWS} WHERE id IN ({', '.join('?' * len(some))})", *some)
        found.update(dict.fromkeys((row[0] for row in rows), False))
        found.update((decision.id, True) for decision in _valid(db, rows))
    return found


def ids(db: Database) -> set[str]:
    """Return the ids of all decisions; in a club's database without those of invalid rows."""
    if db.is_shared:
        return {decision.id for decision in _valid(db, db.rows(_ROWS))}
    return {key for (key,) in db.rows("SELECT id FROM decisions")}


def contents(db: Database) -> dict[str, str]:
    """Return {id: text} of all decisions; the text is empty if it is too long."""
    return {key: content or "" for key, _, _, content in db.rows(f"{_ROWS} ORDER BY time, id")}


# A text that is too long is not even read
_ROWS = f"SELECT id, time, about, CASE WHEN length(content) <= {CONTENT_MAX} THEN content END FROM decisions"


def about(db: Database, what: str) -> list[Decision]:
    """Return the decisions about a game, or about people, in order of effect."""
    return list(_read(db, db.rows(f"{_ROWS} WHERE about = ? ORDER BY time, id", what)))


def about_clubs(db: Database) -> dict[str, list[Decision]]:
    """Return {key: decisions in order of effect} of all evenings and seasons."""
    found: dict[str, list[Decision]] = {}
    for decision in _read(db, db.rows(f"{_ROWS} WHERE about LIKE ? OR about LIKE ? ORDER BY time, id", *CLUB_PATTERNS)):
        if is_club_key(decision.about):  # the id of a game may begin like this
            found.setdefault(decision.about, []).append(decision)
    return found


def about_all(db: Database, keys: list[str]) -> dict[str, list[Decision]]:
    """Return {key: decisions in order of effect} of those games that have any."""
    found: dict[str, list[Decision]] = {}
    for start in range(0, len(keys), 500):
        some = keys[start : start + 500]
        places = ", ".join("?" * len(some))
        rows = db.rows(f"{_ROWS} WHERE about IN ({places}) ORDER BY time, id", *some)
        for decision in _read(db, rows):
            found.setdefault(decision.about, []).append(decision)
    return found


def _read(db: Database, rows: list[tuple]) -> Iterator[Decision]:
    """Yield the decisions that count: those of valid rows whose clock is not too far ahead."""
    until = _in_force_until(db)
    return (decision for decision in _valid(db, rows) if decision.time <= until)


def _valid(db: Database, rows: list[tuple]) -> Iterator[Decision]:
    """Yield the decisions of valid rows.

    An invalid row is corruption in a file; in a club's database, anybody may have written it, and it does not count.
    """
    for key, time, about, content in rows:
        try:
            decision = decode(content or "")
            if (decision.id, decision.time, decision.about) != (key, time, about):
                raise BadDecision("it does not match its row")
            yield decision
        except BadDecision as bad:
            if not db.is_shared:
                raise db.damaged(f"decision {key}: {bad}") from None


# --- evaluating the decisions about one game ---


def corrections(decisions: list[Decision]) -> list[tuple[str, int, str | None, str | None]]:
    """Return (id, entry, old, new) of the corrections in force, in order."""
    gone = taken_back(decisions)
    return [
        (one.id, one.values["entry"], one.values["old"], one.values["new"])
        for one in decisions
        if one.kind == "fix" and one.id not in gone
    ]


def taken_back(decisions: list[Decision]) -> dict[str, Decision]:
    """Return {id of a correction: the first decision that undid it}."""
    found: dict[str, Decision] = {}
    for one in decisions:
        if one.kind == "take back":
            found.setdefault(one.values["decision"], one)
    return found


def last_removal(decisions: list[Decision]) -> Decision | None:
    """Return the last deletion or restoration of a game, which is the one in force; None if there is none."""
    return next((one for one in reversed(decisions) if one.kind in REMOVALS), None)


def is_deleted(decisions: list[Decision]) -> bool:
    """Return True if the decisions leave the game deleted."""
    last = last_removal(decisions)
    return last is not None and REMOVALS[last.kind]
