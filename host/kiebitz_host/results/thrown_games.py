"""Takes over what was thrown away on a device, as decisions that are the same on every laptop that syncs the device.

A device keeps a game that was thrown away for a while, and can bring it back. Its list says so again with every sync;
the decision made from it is always the same one, so a laptop that has restored the game keeps it.
"""

from . import decisions, journals
from .database import Database
from .decisions import CLOCK_MAX_MS, Decision, content_of

_SHORT_ID = 6  # the last letters of the id of a device tell it from others


def taken_over(db: Database, device: str, marks: dict[str, str], thrown: dict[str, int]) -> list[str]:
    """Return the decisions that follow from the list of a device; some of them may be known already.

    marks: the mark of each game on the device, by its id; thrown: when a game was thrown away, 0 if that is not known.
    """
    author = f"Kiebitz {device[-_SHORT_ID:]}"
    known = journals.under_all(db, list(marks))
    # Which of two games with one id is meant, the list does not tell
    numbers = {own: games[0][0] for own, games in known.items() if len(games) == 1 and own in marks}
    gone = {own: number for own, number in numbers.items() if own in thrown and marks[own]}
    back = {own: number for own, number in numbers.items() if own not in thrown}
    deleted = _deleted(db, list(back.values()))
    back = {own: number for own, number in back.items() if number in deleted}
    keys = {own: journals.load(db, number).key for own, number in {**gone, **back}.items()}
    contents = []
    for own in gone:
        time = min(thrown[own] * 1000, CLOCK_MAX_MS)
        contents.append(content_of(time, author, "throw away", keys[own], {}, marks[own]))
    for own in back:
        last = decisions.last_removal(decisions.about(db, keys[own]))
        if last is not None and _is_thrown_by(last, author):
            contents.append(content_of(last.time + 1, author, "restore", keys[own], {}, last.id))
    return contents


def _is_thrown_by(decision: Decision, author: str) -> bool:
    return decision.kind == "throw away" and decision.author == author


def _deleted(db: Database, numbers: list[int]) -> set[int]:
    """Return those of the games that are in no list."""
    found: set[int] = set()
    for start in range(0, len(numbers), 500):
        some = numbers[start : start + 500]
        places = ", ".join("?" * len(some))
        sql = f"SELECT number FROM games WHERE deleted = 1 AND number IN ({places})"
        found |= {number for (number,) in db.rows(sql, *some)}
    return found
