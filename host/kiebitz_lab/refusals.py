"""Every refusal, doubt and bad argument that the rules and the table know, found in their source, with examples."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import kiebitz
from kiebitz.games import GAMES, Refused, game_class
from kiebitz.text import refusal

_FIRMWARE = Path(kiebitz.__file__).parent
_SOURCES = [path for room in ("games", "store") for path in sorted((_FIRMWARE / room).rglob("*.py"))]

# A long but possible value for everything a refusal may tell
SAMPLES: dict[str, Any] = {
    "board": "double_three",
    "card": "TH",
    "direction": "DOWN",
    "have": 12,
    "high": 8,
    "id": "20260101-1",
    "kind": "straight",
    "length": 12,
    "low": 2,
    "missing": 109,
    "most": 13,
    "n": 9,
    "name": "pairs_need_different_ranks",
    "need": 100,
    "other": "SEQUENCE",
    "other_size": 7,
    "p": 1,
    "phase": "BETWEEN",
    "pool": "MARRIAGE",
    "pools": ["A", "K", "Q", "J", "T"],
    "rank": "K",
    "seats": [0, 1],
    "size": 7,
    "suit": "X",
    "what": "match_length",
    "x": -4,
    "y": -4,
}


def trees() -> Iterator[ast.Module]:
    for path in _SOURCES:
        yield ast.parse(path.read_text(encoding="utf-8"))


def calls(name: str) -> Iterator[ast.Call]:
    for tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
                yield node


def _capitals(node: ast.AST) -> Iterator[str]:
    for value in ast.walk(node):
        if isinstance(value, ast.Constant) and isinstance(value.value, str) and value.value.isupper():
            yield value.value


def flaws() -> set[str]:
    """Return the tails of E_COMBO: what a function `flaw` may return."""
    functions = [node for tree in trees() for node in tree.body if isinstance(node, ast.FunctionDef)]
    nodes = [node for function in functions if function.name == "flaw" for node in ast.walk(function)]
    return {tail for node in nodes if isinstance(node, ast.Return) for tail in _capitals(node)}


@cache
def given() -> set[tuple[str, tuple[str, ...]]]:
    """{(code, names of what it tells)} of every refusal and note."""
    found: set[tuple[str, tuple[str, ...]]] = set()
    for call in calls("Refused"):
        keys = tuple(sorted(str(keyword.arg) for keyword in call.keywords))
        code = call.args[0]
        if isinstance(code, ast.Constant):
            found.add((str(code.value), keys))
        else:
            assert ast.unparse(code).startswith("'E_COMBO:'"), ast.unparse(call)
            found.update(("E_COMBO:" + flaw, keys) for flaw in flaws())
    for tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Tuple) and len(node.elts) == 2 and isinstance(node.elts[1], ast.Dict):
                code, info = node.elts[0], node.elts[1]
                if isinstance(code, ast.Constant) and str(code.value).startswith("W_"):
                    found.add((str(code.value), tuple(sorted(ast.literal_eval(key) for key in info.keys if key))))
    return found


@cache
def arguments() -> set[str]:
    """Everything that E_ARG may be about: named in the code, a set-up key or an argument of an event."""
    found = {ast.literal_eval(call.args[0]) for call in calls("bad") if isinstance(call.args[0], ast.Constant)}
    for kind in GAMES:
        for spec in game_class(kind).EVENTS.values():
            found.update(what for what, _, _ in spec)
    return found


@cache
def phases() -> set[str]:
    """Every value the rules give to `phase`."""
    found: set[str] = set()
    for tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and any(
                isinstance(target, ast.Attribute) and target.attr == "phase" for target in node.targets
            ):
                found.update(_capitals(node.value))
    return found


def examples(texts: dict[str, str]) -> Iterator[Refused]:
    """Every refusal with sample values; those with a sentence of their own for one value with that value, too."""
    for code, keys in sorted(given()):
        info = {key: SAMPLES[key] for key in keys}
        yield Refused(code, **info)
        for key in texts:
            if key.startswith(code + "."):
                detail = key.partition(".")[2]
                for name in set(keys) & {"board", "pool", "what"}:
                    yield Refused(code, **{**info, name: detail})
    for what in sorted(arguments()):
        yield Refused("E_ARG", what=what)


def sentences(texts: dict[str, str], names: list[str]) -> Iterator[tuple[str, str]]:
    """(code, sentence) of every refusal in the language that is spoken."""
    for refused in examples(texts):
        yield refused.code, refusal(refused, names)
