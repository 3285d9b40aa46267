"""Record people's decisions on a laptop (corrections, deletions, names) as immutable records.

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

from .database import Database, is_newer

FORMAT = 1
PEOPLE = ""  # the subject of decisions about names
TIME_MAX_MS = 7_258_118_400_000  # the year 2200
CLOCK_MAX_MS = 4_102_444_800_000  # the year 2100: a later timestamp comes from a clock that was never set
CONTENT_MAX = 20_000  # characters
AUTHOR_MAX = 80  # characters
_ID_LETTERS = 32

# Kind of decision -> its values with their types
KINDS: dict[str, dict[str, type | tuple]] = {
    "fix": {"entry": int, "old": (str, type(None)), "new": (str, type(None))},
    "take back": {"decision": str},
    "delete": {},
    "throw away": {},
    "restore": {},
    "join": {"name": str, "other": str},
    "rename": {"name": str, "new": str},
    "split": {"name": str},
}
ABOUT_PEOPLE = ("join", "rename", "split")
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
    about: str  # the key of a game, or PEOPLE
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
    facts: dict[str, Any] = whole
    time, by, kind, about = facts.get("time"), facts.get("author", 0), facts.get("kind", 0), facts.get("about", 0)
    values, nonce = facts.get("values", 0), facts.get("n", 0)
    texts = all(isinstance(value, str) for value in (by, kind, about, nonce))
    if not texts or type(time) is not int or not 0 <= time <= TIME_MAX_MS or not _fits(kind, values):
        raise BadDecision("it has invalid values")
    if (kind in ABOUT_PEOPLE) != (about == PEOPLE) or content_of(time, by, kind, about, values, nonce) != content:
        raise BadDecision("it has values that do not fit together")
    return Decision(id_of(content), time, by, kind, about, values)


def _fits(kind: object, values: object) -> bool:
    """Return True if the values are valid for the kind."""
    types = KINDS.get(kind) if isinstance(kind, str) else None
    if types is None or not isinstance(values, dict) or values.keys() != types.keys():
        return False
    if not all(isinstance(values[key], types[key]) and type(values[key]) is not bool for key in types):
        return False
    if kind in ABOUT_PEOPLE:
        return all(0 < len(name) <= AUTHOR_MAX and name.isprintable() for name in values.values())
    return kind != "fix" or is_correction(values["entry"], values["old"], values["new"])


def is_correction(entry: object, old: object, new: object) -> bool:
    """Return True for the values of a valid correction: replace, insert (no old) or remove (no new) an entry."""
    events = [event for event in (old, new) if event is not None]
    return type(entry) is int and 0 <= entry < 1 << 31 and bool(events) and all(map(_is_event, events))


def _is_event(text: object) -> bool:
    try:
        event = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return False
    return isinstance(event, dict) and isinstance(event.get("ev"), str)


# --- in the database ---


def decide(db: Database, kind: str, about: str = PEOPLE, **values: Any) -> Decision:
    """Add a decision made now, with a timestamp later than all known ones. Returns it."""
    clock = int(db.now() * 1000)
    known = db.value("SELECT max(time) FROM decisions") or 0
    time = max(clock if 0 < clock < CLOCK_MAX_MS else 0, known + 1)
    content = content_of(time, author(), kind, about, values, secrets.token_hex(4))
    decision = decode(content)
    add(db, [content])
    return decision


def add(db: Database, texts: Iterable[str]) -> list[Decision]:
    """Add decisions of other laptops. Returns those that are new; raises BadDecision for an invalid one."""
    by_id = {decision.id: (decision, content) for content in texts for decision in [decode(content)]}
    known = set(_known(db, list(by_id)))
    new = [(decision, content) for key, (decision, content) in by_id.items() if key not in known]
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


def _known(db: Database, ids: list[str]) -> Iterator[str]:
    for start in range(0, len(ids), 500):
        some = ids[start : start + 500]
        places = ", ".join("?" * len(some))
        yield from (key for (key,) in db.rows(f"SELECT id FROM decisions WHERE id IN ({places})", *some))


def contents(db: Database) -> dict[str, str]:
    """Return {id: text} of all decisions."""
    return dict(db.rows("SELECT id, content FROM decisions"))


def about(db: Database, what: str) -> list[Decision]:
    """Return the decisions about a game, or about people, in order of effect."""
    return [decode(content) for (content,) in db.rows(_ABOUT, what)]


_ABOUT = "SELECT content FROM decisions WHERE about = ? ORDER BY time, id"


def about_all(db: Database, keys: list[str]) -> dict[str, list[Decision]]:
    """Return {key: decisions in order of effect} of those games that have any."""
    found: dict[str, list[Decision]] = {}
    for start in range(0, len(keys), 500):
        some = keys[start : start + 500]
        places = ", ".join("?" * len(some))
        sql = f"SELECT content FROM decisions WHERE about IN ({places}) ORDER BY time, id"
        for (content,) in db.rows(sql, *some):
            decision = decode(content)
            found.setdefault(decision.about, []).append(decision)
    return found


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
