"""Orders the lines of a game that were found on a flash, up to the first gap."""

from dataclasses import dataclass, field

from ..link.fetch import replayed
from ..link.journal import mark, sealed
from .carve import Trail

_COURSES_MAX = 16  # courses that are followed at most where the flash holds different versions of a game


@dataclass
class Recovered:
    """The result of the recovery of one game."""

    id: str
    lines: list[str]  # the set-up and the entries after it, as the journal stores them
    finished: bool = False
    later: int = 0  # lines after a gap, which are useless
    expected: int = 0  # lines that the index reports, if there are more of these than were found
    refused: str = ""  # why the rules refuse the next line
    others: list[list[str]] = field(default_factory=list)  # other, shorter courses of this game

    @property
    def flaw(self) -> str:
        """A sentence without its full stop that names what is missing; empty if the game is complete."""
        later = count(self.later, "entry", "entries")
        if self.refused:
            return self.refused
        if not self.lines:
            return f"its set-up is lost, and {later} with it"
        if self.later:
            return f"entry {len(self.lines)} is lost, and {later} behind it cannot be used"
        if self.expected > len(self.lines):
            return f"{count(self.expected - len(self.lines), 'entry', 'entries')} at its end are lost"
        return ""


def count(n: int, one: str, many: str) -> str:
    """Return a number with its noun in the singular or plural."""
    return f"{n} {one if n == 1 else many}"


def recover(trail: Trail, whole: list[str] | None = None) -> Recovered | None:
    """Combine the lines of a game. Returns the game, or None if no line of it was found.

    whole: the lines as the file system reports them, which are certain. A line found after them counts only if it is
    known to follow them.
    """
    courses = _courses(trail, [whole] if whole else [[text] for text in trail.texts.get(0, [])], strict=bool(whole))
    if not courses:
        return Recovered(trail.id, [], later=len(trail.texts)) if trail.texts else None
    taken = [(replayed(course), course) for course in courses]
    best, course = max(taken, key=lambda pair: (_agrees(trail, pair[0].lines), len(pair[0].lines)))
    good, refused = best.lines, best.flaw
    later = 0 if refused or whole else sum(number > len(course) for number in trail.texts)
    others = [other.lines for other, _ in taken if good[: len(other.lines)] != other.lines]
    return Recovered(trail.id, good, best.finished, later, max(trail.told, default=0), refused, others)


def _agrees(trail: Trail, lines: list[str]) -> int:
    """Return how many of the first lines agree, to the last bit, with a mark of the index."""
    agreed = [n for n, told in trail.told.items() if n <= len(lines) and mark(trail.id, lines[:n]) == told]
    return max(agreed, default=0)


def _courses(trail: Trail, beginnings: list[list[str]], strict: bool) -> list[list[str]]:
    """Return each course of the game that starts with one of the beginnings, up to its first gap."""
    done: list[list[str]] = []
    under_way = beginnings[:_COURSES_MAX]
    while under_way and len(done) < _COURSES_MAX:
        course = list(under_way.pop())
        size = sum(len(sealed(trail.id, number, text)) for number, text in enumerate(course))
        following = _next(trail, course, size, strict)
        while len(following) == 1:
            size += len(sealed(trail.id, len(course), following[0]))
            course.append(following[0])
            following = _next(trail, course, size, strict)
        if following:
            under_way += [[*course, text] for text in following]
        else:
            done.append(course)
    return done


def _next(trail: Trail, course: list[str], size: int, strict: bool) -> list[str]:
    """Return the lines that may come next: those found directly after this one, or known to start at this offset.

    If not `strict`, a line with unknown predecessor is accepted as well.
    """
    number = len(course)
    texts = trail.texts.get(number, [])
    befores = {text: trail.before.get((number, text), set()) for text in texts}
    sure = [text for text in texts if course[-1] in befores[text] or size in trail.starts.get((number, text), ())]
    return sure or [text for text in texts if not strict and not befores[text]]
