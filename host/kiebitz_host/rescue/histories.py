"""Puts the lines of a game that were found on a flash into their order, as far as they reach without a gap."""

from dataclasses import dataclass, field

from ..link.fetch import replayed
from ..link.journal import mark, sealed
from .carve import Trail

_COURSES_MAX = 16  # that are followed where a game was told in several ways


@dataclass
class Recovered:
    """What could be made of one game."""

    id: str
    lines: list[str]  # the set-up and the entries behind it, as the journal has them
    finished: bool = False
    later: int = 0  # lines behind a gap, which are of no use
    expected: int = 0  # lines that the index tells of, if that is more than there are
    refused: str = ""  # why the rules do not take the next line
    others: list[list[str]] = field(default_factory=list)  # other courses of this game, which were shorter

    @property
    def flaw(self) -> str:
        """What is missing, as a sentence without its end; empty if the game is complete."""
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
    """Returns a number with its word."""
    return f"{n} {one if n == 1 else many}"


def recover(trail: Trail, whole: list[str] | None = None) -> Recovered | None:
    """Put a game together. Returns it, or None if no line of it was found.

    whole: its lines as the file system tells them, which count; what lies behind them does so only if it says so.
    """
    courses = _courses(trail, [whole] if whole else [[text] for text in trail.texts.get(0, [])], strict=bool(whole))
    if not courses:
        return Recovered(trail.id, [], later=len(trail.texts)) if trail.texts else None
    taken = [(replayed(course), course) for course in courses]
    (good, finished, refused), course = max(taken, key=lambda pair: (_agrees(trail, pair[0][0]), len(pair[0][0])))
    later = 0 if refused or whole else sum(number > len(course) for number in trail.texts)
    others = [lines for (lines, _, _), _ in taken if good[: len(lines)] != lines]
    return Recovered(trail.id, good, finished, later, max(trail.told, default=0), refused, others)


def _agrees(trail: Trail, lines: list[str]) -> int:
    """Returns how many of the lines are, to the last bit, those of which the index has told."""
    agreed = [n for n, told in trail.told.items() if n <= len(lines) and mark(trail.id, lines[:n]) == told]
    return max(agreed, default=0)


def _courses(trail: Trail, beginnings: list[list[str]], strict: bool) -> list[list[str]]:
    """Returns each course of the game that begins like this, up to its first gap."""
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
    """Returns the lines that may come next: those that lie right behind, and those that say that they belong there.

    Not `strict`, a line of which nobody knows what is before it will do as well.
    """
    number = len(course)
    texts = trail.texts.get(number, [])
    befores = {text: trail.before.get((number, text), set()) for text in texts}
    sure = [text for text in texts if course[-1] in befores[text] or size in trail.starts.get((number, text), ())]
    return sure or [text for text in texts if not strict and not befores[text]]
