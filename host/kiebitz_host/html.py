"""Build HTML and SVG that is escaped by construction, and tables of data.

el("p", "Anna & Ben", class_="lead")   ->  <p class="lead">Anna &amp; Ben</p>

A `Node` child is inserted unchanged, a string is escaped, a number is formatted, None and False are omitted, and lists
are flattened. The result is polyglot markup (valid HTML and well-formed XML), so that a strict parser can check every
page.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from kiebitz.text import text

from .printable import printable

VOID = frozenset({"br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"})
# Attributes with URLs, and the allowed URL prefixes: never `javascript:`
_ADDRESSES = ("action", "formaction", "href", "src")
_HARMLESS = re.compile(r"[/#?]|\.{1,2}/|[A-Za-z0-9_-]+\.(?:css|js|svg|png)$|data:image/|https?://|$")
# Characters that XML cannot represent
_NEVER = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
_PLACE = re.compile("\ue000([0-9]+)\ue001")  # marks a node in a sentence; from the private use area

ISOLATE, POP_ISOLATE = "\u2068", "\u2069"  # bidi isolates: text between them does not affect its surroundings


class Node:
    """Safe markup. Text becomes a Node only through the escaping functions of this module."""

    __slots__ = ("markup",)

    def __init__(self, markup: str):
        self.markup = markup

    def __str__(self) -> str:
        return self.markup


Child = Node | str | int | float | None | Iterable["Child"]
Attribute = str | int | float | bool | None


def escape(words: str) -> str:
    """Escape the special characters of markup and quoted attributes."""
    return _NEVER.sub("\ufffd", words).translate(_ESCAPES)


def el(tag: str, *children: Child, **attributes: Attribute) -> Node:
    """Return an element. `class_` and `for_` lose their last underscore; others become hyphens (aria_label).

    An attribute that is None or False is omitted, one that is True has no value.
    """
    parts = [f"<{tag}"]
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        parts.append(_attribute(key.rstrip("_").replace("_", "-"), value))
    if tag in VOID:
        assert not children, f"<{tag}> has no content"
        return Node("".join([*parts, "/>"]))
    return Node("".join([*parts, ">", _markup(children), f"</{tag}>"]))


def fragment(*children: Child) -> Node:
    """Return the children one after another, without an element around them."""
    return Node(_markup(children))


def join(separator: Child, items: Iterable[Child]) -> Node:
    """Return the items with a separator between them."""
    return Node(_markup([separator]).join([_markup([item]) for item in items]))


def name(words: str, **attributes: Attribute) -> Node:
    """Return a user-supplied name or title in a <bdi> element, because it may be written right to left."""
    return el("bdi", printable(words), **attributes)


def plain_name(words: str) -> str:
    """Return a name with Unicode bidi isolates, where elements are not allowed (titles, attributes, SVG, sentences)."""
    return f"{ISOLATE}{printable(words)}{POP_ISOLATE}"


def sentence(key: str, **places: Child) -> Node:
    """Return the sentence of a key in the language in use; its values may be nodes."""
    nodes: list[Child] = []
    filled: dict[str, object] = {}
    for place, value in places.items():
        if isinstance(value, Node | str):
            filled[place] = f"\ue000{len(nodes)}\ue001"
            nodes.append(value)
        else:
            filled[place] = value
    return _placed(text(key, **filled), nodes)


def _placed(words: str, nodes: list[Child]) -> Node:
    """Replace the marks in a sentence by its nodes."""
    parts = _PLACE.split(words)  # text, number of a node, text, ...
    return fragment(*[nodes[int(part)] if k % 2 else part for k, part in enumerate(parts)])


def style_sheet(css: str) -> Node:
    """Return a <style> element. CSS is not escaped there, so it must not contain a closing tag."""
    assert "<" not in css and "&" not in css, "not in a style sheet: it would have to be escaped"
    return Node(f"<style>{css}</style>")


def document(lang: str, head: Child, body: Child, **attributes: Attribute) -> str:
    """Return a whole page."""
    return "<!DOCTYPE html>\n" + str(el("html", el("head", head), body, lang=lang, **attributes)) + "\n"


def _attribute(key: str, value: Attribute) -> str:
    words = "" if value is True else escape(str(value))
    if key in _ADDRESSES and not _HARMLESS.match(words):
        raise ValueError(f"not an address for {key}: {words[:40]}")
    assert not key.startswith("on"), "no script in attributes: the Content-Security-Policy forbids it"
    return f' {key}="{words}"'


def _markup(children: Iterable[Child]) -> str:
    parts: list[str] = []
    for child in children:
        if isinstance(child, Node):
            parts.append(child.markup)
        elif isinstance(child, str):
            parts.append(escape(child))
        elif child is None or child is False:
            continue
        elif isinstance(child, int | float):
            parts.append(str(child))
        else:
            parts.append(_markup(child))
    return "".join(parts)


def table(
    heads: Sequence[Child],
    rows: Sequence[Sequence[Child]],
    label: str,
    numbers: Collection[int] = (),
    foot: Sequence[Sequence[Child]] = (),
    class_: str | None = None,
    order: Mapping[int, str] = MappingProxyType({}),
) -> Node:
    """Return a table; the first cell of a row is its head. `label` names the table; `numbers` are numeric columns.

    order: {column that orders the rows: its direction, a value of aria-sort}.
    """
    if set(range(1, len(heads))) <= set(numbers):  # one class for the whole table halves the size of a large one
        numbers, class_ = set(), " ".join(filter(None, [class_, "numbers"]))
    body = [_row(row, numbers) for row in rows]
    return scrolling(
        label,
        el(
            "table",
            el("thead", el("tr", [_head(head, k in numbers, order.get(k)) for k, head in enumerate(heads)])),
            el("tbody", body),
            el("tfoot", [_row(row, numbers) for row in foot]) if foot else None,
            class_=class_,
        ),
    )


def scrolling(label: str, *content: Child) -> Node:
    """Return a box that scrolls horizontally if its content is wider; keyboard accessible."""
    return el("div", *content, class_="scroll", role="group", tabindex="0", aria_label=label)


def _head(head: Child, number: bool, order: str | None) -> Node:
    if head is None or head == "":
        return el("td")  # a screen reader would announce an empty head
    return el("th", head, scope="col", class_="n" if number else None, aria_sort=order)


def _row(cells: Sequence[Child], numbers: Collection[int]) -> Node:
    first, *others = cells
    found = [el("th", first, scope="row", class_="n" if 0 in numbers else None)]
    for k, cell in enumerate(others, 1):
        found.append(el("td", cell, class_="n" if k in numbers else None))
    return el("tr", found)


def part_row(words: Child, columns: int) -> Node:
    """Return a row that is the headline of the rows below it."""
    return el("tr", el("th", words, colspan=columns, scope="rowgroup"), class_="part")
