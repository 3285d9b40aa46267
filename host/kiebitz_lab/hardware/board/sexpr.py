"""Read and write the files of KiCad, which are nested lists in parentheses."""

import re
from collections.abc import Iterator
from typing import Any

_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([()])|([^\s()"]+)')


class Text(str):
    """A string that stands in quotation marks in the file."""

    __slots__ = ()


Node = list[Any]


def read(source: str) -> Node:
    """Return the outermost list of a file; raises ValueError if its parentheses do not match."""
    open_lists: list[Node] = [[]]
    for found in _TOKEN.finditer(source):
        quoted, bracket, word = found.groups()
        if bracket == "(":
            open_lists.append([])
        elif bracket == ")":
            if len(open_lists) < 2:
                raise ValueError("this file of KiCad closes more parentheses than it opens.")
            done = open_lists.pop()
            open_lists[-1].append(done)
        else:
            open_lists[-1].append(word if quoted is None else Text(re.sub(r"\\(.)", r"\1", quoted)))
    if len(open_lists) != 1 or len(open_lists[0]) != 1:
        raise ValueError("this file of KiCad ends too early.")
    return open_lists[0][0]


def write(node: Any, depth: int = 0) -> str:
    """Return the text of a list, the way KiCad indents it."""
    if isinstance(node, Text):
        return '"' + node.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if not isinstance(node, list):
        return f"{node:.6g}" if isinstance(node, float) else str(node)
    if not any(isinstance(item, list) for item in node):
        return f"({' '.join(map(write, node))})"
    lines = ["("]
    for item in node:
        if isinstance(item, list):
            lines.append("\n" + "\t" * (depth + 1) + write(item, depth + 1))
        else:
            lines.append((" " if len(lines) > 1 else "") + write(item))
    return "".join(lines) + "\n" + "\t" * depth + ")"


def all_of(node: Node, name: str) -> Iterator[Node]:
    """Yield the lists inside a list that begin with this name."""
    return (item for item in node if isinstance(item, list) and item and item[0] == name)


def one(node: Node, name: str) -> Node:
    """Return the first list with this name; raises KeyError if there is none."""
    for item in all_of(node, name):
        return item
    raise KeyError(name)


def value(node: Node, name: str, default: str = "") -> str:
    """Return the first word after a name, such as 1.6 of (thickness 1.6)."""
    return next((str(item[1]) for item in all_of(node, name) if len(item) > 1), default)
