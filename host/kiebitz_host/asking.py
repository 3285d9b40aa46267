"""Prompt on the terminal until the answer is valid, or read each answer once from standard input."""

import sys
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

from kiebitz.text import text

from .outcome import Trouble
from .printable import printable, say

WIDTH = 78  # of the lists of choices, in characters
NONE = "-"  # the answer that omits an optional value
_GLUE = "\u00a0"  # a non-breaking space: keeps a choice and its number on one line


class Missing:
    """The type of NOTHING, which stands for a missing old value or a missing answer."""


NOTHING = Missing()
Choices = Sequence[tuple[str, Any]]  # (label, value)


class Asker:
    """Prompt on standard output, and read from standard input. An empty answer selects the old value."""

    def __init__(self) -> None:
        self.patient = sys.stdin is not None and sys.stdin.isatty()

    def choice(self, question: str, choices: Choices, old: Any = NOTHING) -> Any:
        """Ask for one of several choices, by number, name or prefix of the name. Returns its value."""
        labels = [label for label, _ in choices]
        values = [value for _, value in choices]
        say(question)
        numbered = not any(label.isdigit() for label in labels)  # because "7" could be the seventh, or the one called 7
        parts = [f"{k}) {label}" if numbered else label for k, label in enumerate(labels, 1)]
        parts = [part.replace(" ", _GLUE) for part in parts]
        for line in textwrap.wrap("  ".join(parts), WIDTH, initial_indent="  ", subsequent_indent="  "):
            say(line.replace(_GLUE, " "))
        shown = labels[values.index(old)] if old in values else ""

        def read(answer: str) -> Any:
            if not answer:
                return old if old in values else NOTHING
            if numbered and answer.isascii() and answer.isdigit() and 1 <= int(answer[:9]) <= len(values):
                return values[int(answer[:9]) - 1]
            alike = [value for label, value in choices if label.casefold().startswith(answer.casefold())]
            exact = [value for label, value in choices if answer.casefold() == label.casefold() or answer == value]
            return exact[0] if exact else alike[0] if len(alike) == 1 else NOTHING

        return self._answer(question, _prompt("", shown), read, text("ask.choose"))

    def number(self, question: str, old: Any, low: int, high: int) -> int:
        """Ask for an integer within bounds. Returns it."""
        known = type(old) is int and low <= old <= high

        def read(answer: str) -> Any:
            try:
                number = int(answer) if answer else old
            except ValueError:
                return NOTHING
            return number if type(number) is int and low <= number <= high else NOTHING

        prompt = _prompt(question, str(old) if known else "")
        return self._answer(question, prompt, read, text("ask.number", low=low, high=high))

    def words(self, question: str, old: str = "", optional: bool = False) -> Any:
        """Ask for text. Returns it, or NOTHING for "-" if it is optional."""

        def read(answer: str) -> Any:
            return None if optional and answer == NONE else answer or old or NOTHING

        prompt = _prompt(f"{question} ({text('ask.none')})" if optional else question, old)
        answer = self._answer(question, prompt, read, text("ask.words"))
        return NOTHING if answer is None else answer

    def yes(self, question: str, old: Any = NOTHING) -> bool:
        """Ask for yes or no. Returns True for yes."""
        words = {text("key.yes"): True, text("key.no"): False}
        shown = "".join(word for word, value in words.items() if value is old)

        def read(answer: str) -> Any:
            alike = [value for word, value in words.items() if word.startswith((answer or shown or "?").casefold())]
            return alike[0] if len(alike) == 1 else NOTHING

        prompt = _prompt(f"{question} ({'/'.join(words)})", shown)
        return self._answer(question, prompt, read, text("ask.yes_or_no", words=" / ".join(words)))

    def _answer(self, question: str, prompt: str, read: Callable[[str], Any], hint: str) -> Any:
        """Read answers until one is valid. Returns the result of read(); raises Trouble at the end of the input."""
        while True:
            answer = _line(prompt).strip()
            if not self.patient:
                say(answer)  # a terminal echoes it already
            value = read(answer)
            if value is not NOTHING:
                return value
            if not self.patient:
                raise Trouble(text("ask.wrong", answer=answer, question=question))
            say(hint)


def _prompt(question: str, old: str) -> str:
    """Return the prompt: the question, and the old value in brackets."""
    return " ".join([*([question] if question else []), *([f"[{old}]"] if old else []), "> "])


def _line(prompt: str) -> str:
    """Return the next line of standard input; raise Trouble if there is none."""
    try:
        return input(printable(prompt))
    except (EOFError, RuntimeError, ValueError):  # end of input, no standard input at all, or undecodable bytes
        say("")
        raise Trouble(text("ask.ended")) from None
