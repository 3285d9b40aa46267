"""Makes the fields of forms, each with its label."""

from collections.abc import Iterable

from kiebitz.text import text

from ..printable import printable
from .html import Child, Node, el


def field(label: Child, control: Node, hint: Child = None) -> Node:
    """Return a field with its label around it."""
    return el("label", el("span", label), control, el("small", hint) if hint else None, class_="field")


def select(key: str, choices: Iterable[tuple[str, str]], chosen: str, **attributes: str | bool | None) -> Node:
    """Return a list to choose from: (value, words) of each choice."""
    options = [
        el("option", printable(words), value=value, selected=True if value == chosen else None, dir="auto")
        for value, words in choices
    ]
    return el("select", options, name=key, **attributes)


def filter_form(action: str, *fields: Child) -> Node:
    """Return a form that chooses what a page lists."""
    button = el("button", text("web.show"), type="submit")
    return el("form", *fields, button, method="get", action=action, class_="filter", role="search",
              aria_label=text("web.filter"))  # fmt: skip


def hidden(**values: str | int) -> list[Node]:
    """Return fields that a person does not see."""
    return [el("input", type="hidden", name=key, value=value) for key, value in values.items()]
