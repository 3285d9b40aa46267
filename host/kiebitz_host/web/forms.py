"""Build forms: fields with labels, and the questions of a game as fields.

The questions are those of `kiebitz fix`. Each answer comes from the submitted form, or else from the old entry. The
form ends at the first question without an answer; resubmitting it adds the next questions.
"""

from collections.abc import Iterable, Mapping
from typing import Any
from zlib import crc32

from kiebitz.text import text
from starlette.exceptions import HTTPException

from ..asking import NOTHING, Asker, Choices
from ..html import Child, Node, el
from ..league.evenings import day_of
from ..league.period import PERIODS, Period, period_of
from ..library.store import Store
from ..outcome import Trouble
from ..printable import printable
from .frame import Visit


def field(label: Child, control: Node, hint: Child = None, class_: str = "field") -> Node:
    """Return a control wrapped in its label."""
    return el("label", el("span", label), control, el("small", hint) if hint else None, class_=class_)


def select(key: str, choices: Iterable[tuple[str, str]], chosen: str, **attributes: str | bool | None) -> Node:
    """Return a <select> of (value, label) pairs."""
    options = [
        el("option", printable(words), value=value, selected=True if value == chosen else None, dir="auto")
        for value, words in choices
    ]
    return el("select", options, name=key, **attributes)


def filter_form(action: str, *fields: Child) -> Node:
    """Return a form that filters the list of a page."""
    button = el("button", text("web.show"), type="submit")
    return el("form", *fields, button, method="get", action=action, class_="filter", role="search",
              aria_label=text("web.filter"))  # fmt: skip


DAYS = "days"  # the choice of two days instead of a named period


def period_in(visit: Visit, store: Store) -> Period:
    """Return the period in a URL; raise HTTPException for an invalid one, because spectators see its reason."""
    word = visit.value("period")
    today = day_of(int(store.now()))
    try:
        if word in ("", DAYS):
            return period_of("", visit.value("from"), visit.value("to"), today)
        return period_of(word, "", "", today)
    except Trouble as trouble:
        raise HTTPException(409, str(trouble)) from None


def period_fields(visit: Visit) -> list[Node]:
    """Return the fields that choose a period; the two days are only shown if they are chosen (kiebitz.css)."""
    days = {key: visit.value(key) for key in ("from", "to")}
    chosen = visit.value("period") or (DAYS if any(days.values()) else "")
    named = [(word, text(key)) for word, key in PERIODS.items()]
    choices = [("", text("period.any")), *named, (DAYS, text("period.days"))]
    fields = [field(text("period"), select("period", choices, chosen), class_="field period")]
    for key, day in days.items():
        control = el("input", type="date", name=key, value=day or None)
        fields.append(field(text(f"period.{key}"), control, class_="field day"))
    return fields


def hidden(**values: str | int) -> list[Node]:
    """Return hidden fields."""
    return [el("input", type="hidden", name=key, value=value) for key, value in values.items()]


UNKNOWN = ""  # the value of an unanswered choice
YES = "yes"
LETTERS_MAX = 400  # of a text answer


class Unanswered(Exception):
    """A question has no valid answer yet; the form is incomplete."""


class FormAsker(Asker):
    """Read the answers from a form, and collect its fields."""

    def __init__(self, answers: Mapping[str, str]):
        super().__init__()
        self.patient = False
        self.fields: list[Node] = []
        self._answers = answers

    def choice(self, question: str, choices: Choices, old: Any = NOTHING) -> Any:
        values = [value for _, value in choices]
        given = self._given(question)
        if given is not None and given.isascii() and given.isdigit() and int(given[:9]) < len(values):
            chosen = int(given[:9])
        else:
            chosen = values.index(old) if old in values else -1
        options = [(str(k), label) for k, (label, _) in enumerate(choices)]
        open_one = [(UNKNOWN, text("web.choose"))] if chosen < 0 else []
        self._add(question, select(self._key(question), [*open_one, *options], str(chosen), required=True))
        if chosen < 0:
            raise Unanswered
        return values[chosen]

    def number(self, question: str, old: Any, low: int, high: int) -> int:
        given = self._given(question)
        number = _whole(given) if given is not None else old if type(old) is int else None
        fits = number is not None and low <= number <= high
        value = given if given is not None else number
        control = el(
            "input", type="number", name=self._key(question), value=value, min=low, max=high, required=True, step=1
        )
        hint = text("ask.number", low=low, high=high) if given is not None and not fits else None
        self._add(question, control, hint)
        if not fits or number is None:
            raise Unanswered
        return number

    def words(self, question: str, old: str = "", optional: bool = False) -> Any:
        given = self._given(question)
        words = (old if given is None else given)[:LETTERS_MAX].strip()
        control = el("input", type="text", name=self._key(question), value=words, required=not optional, dir="auto")
        self._add(question, control)
        if words:
            return words
        if optional:
            return NOTHING
        raise Unanswered

    def yes(self, question: str, old: Any = NOTHING) -> bool:
        return self.choice(question, [(text("key.yes"), True), (text("key.no"), False)], old)

    def _key(self, question: str) -> str:
        """Return the name of the next field, with a checksum because an answer must not fit another question."""
        return f"a{len(self.fields)}.{crc32(question.encode()) & 0xFFFF:04x}"

    def _given(self, question: str) -> str | None:
        return self._answers.get(self._key(question))

    def _add(self, question: str, control: Node, hint: str | None = None) -> None:
        self.fields.append(field(el("bdi", question), control, hint))


def _whole(word: str) -> int | None:
    try:
        return int(word[:9])
    except ValueError:
        return None
