"""Makes tables of data: heads in columns and rows, numbers aligned, and room to scroll on a small screen."""

from collections.abc import Collection, Sequence

from .html import Child, Node, el


def table(
    heads: Sequence[Child],
    rows: Sequence[Sequence[Child]],
    label: str,
    numbers: Collection[int] = (),
    foot: Sequence[Sequence[Child]] = (),
    class_: str | None = None,
) -> Node:
    """Return a table; the first cell of a row is its head. `label` names the table; `numbers` are columns."""
    if set(range(1, len(heads))) <= set(numbers):  # one class for all of them: a large table is half as heavy
        numbers, class_ = set(), " ".join(filter(None, [class_, "numbers"]))
    body = [_row(row, numbers) for row in rows]
    return scrolling(
        label,
        el(
            "table",
            el("thead", el("tr", [_head(head, k in numbers) for k, head in enumerate(heads)])),
            el("tbody", body),
            el("tfoot", [_row(row, numbers) for row in foot]) if foot else None,
            class_=class_,
        ),
    )


def scrolling(label: str, *content: Child) -> Node:
    """Return a box that scrolls sideways if its content is wider, with keys too."""
    return el("div", *content, class_="scroll", role="group", tabindex="0", aria_label=label)


def _head(head: Child, number: bool) -> Node:
    if head is None or head == "":
        return el("td")  # an empty head would be read as one
    return el("th", head, scope="col", class_="n" if number else None)


def _row(cells: Sequence[Child], numbers: Collection[int]) -> Node:
    first, *others = cells
    found = [el("th", first, scope="row", class_="n" if 0 in numbers else None)]
    for k, cell in enumerate(others, 1):
        found.append(el("td", cell, class_="n" if k in numbers else None))
    return el("tr", found)


def part_row(words: Child, columns: int) -> Node:
    """Return a row that is the headline of the rows below it."""
    return el("tr", el("th", words, colspan=columns, scope="rowgroup"), class_="part")
