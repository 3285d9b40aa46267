"""Find every refusal, doubt and bad argument in the source of the rules and the store, and make examples of them."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import kiebitz
from kiebitz.games import GAMES, Refused, game_class
from kiebitz.text import refusal

from .games import GAMES_IN_LAB

_FIRMWARE = Path(kiebitz.__file__).parent
_SOURCES = [path for room in ("games", "store") for path in sorted((_FIRMWARE / room).rglob("*.py"))]

_NUMBER = 12  # the sample of an info key that is not in SAMPLES
# A long but possible value for the info keys of refusals; those of one game are in its REFUSALS
SAMPLES: dict[str, Any] = {
    "have": 12,
    "high": 8,
    "id": "20260101-1",
    "last": True,
    "length": 12,
    "low": 2,
    "missing": 109,
    "most": 13,
    "n": 9,
    "name": "pairs_need_different_ranks",
    "need": 100,
    "p": 1,
    "phase": "BETWEEN",
    "seats": [0, 1],
    "what": "match_length",
}


@cache
def _parsed() -> list[tuple[str, ast.Module]]:
    """Return (folder, syntax tree) of every module of the games and the store."""
    return [(path.parent.name, ast.parse(path.read_text(encoding="utf-8"))) for path in _SOURCES]


def trees() -> Iterator[ast.Module]:
    """Yield the syntax tree of every module of the games and the store."""
    for _, tree in _parsed():
        yield tree


@cache
def _samples(code: str) -> dict[str, Any]:
    """Return the samples of a code, shared ones and those of the games that raise the code."""
    samples = dict(SAMPLES)
    for folder, tree in _parsed():
        strings = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        if folder in GAMES_IN_LAB and code.partition(":")[0] in [str(word).partition(":")[0] for word in strings]:
            samples.update(GAMES_IN_LAB[folder].REFUSALS)
    return samples


def calls(name: str) -> Iterator[ast.Call]:
    """Yield every call of a function in these modules."""
    for tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
                yield node


def _capitals(node: ast.AST) -> Iterator[str]:
    """Yield the strings in capital letters in a syntax tree."""
    for value in ast.walk(node):
        if isinstance(value, ast.Constant) and isinstance(value.value, str) and value.value.isupper():
            yield value.value


def flaws() -> set[str]:
    """Return the second parts of the E_COMBO codes, the values that a function `flaw` may return."""
    functions = [node for tree in trees() for node in tree.body if isinstance(node, ast.FunctionDef)]
    nodes = [node for function in functions if function.name == "flaw" for node in ast.walk(function)]
    return {tail for node in nodes if isinstance(node, ast.Return) for tail in _capitals(node)}


@cache
def given() -> set[tuple[str, tuple[str, ...]]]:
    """Return {(code, its info keys)} of every refusal and note."""
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
    """Return all values of `what` in E_ARG, from the code (also set-up keys) and from the arguments of events."""
    found = {ast.literal_eval(call.args[0]) for call in calls("bad") if isinstance(call.args[0], ast.Constant)}
    for kind in GAMES:
        for spec in game_class(kind).EVENTS.values():
            found.update(what for what, _, _ in spec)
    return found


@cache
def phases() -> set[str]:
    """Return every value that the rules assign to `phase`."""
    found: set[str] = set()
    for tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and any(
                isinstance(target, ast.Attribute) and target.attr == "phase" for target in node.targets
            ):
                found.update(_capitals(node.value))
    return found


def examples(texts: dict[str, str]) -> Iterator[Refused]:
    """Yield every refusal with sample values; if one value has a sentence of its own, also with that value."""
    for code, keys in sorted(given()):
        samples = _samples(code)
        info = {key: samples.get(key, _NUMBER) for key in keys}
        yield Refused(code, **info)
        for key in texts:
            if key.startswith(code + "."):
                detail = key.partition(".")[2]
                for name in [key for key in keys if isinstance(info[key], str)]:
                    yield Refused(code, **{**info, name: detail})
    for what in sorted(arguments()):
        yield Refused("E_ARG", what=what)


def sentences(texts: dict[str, str], names: list[str]) -> Iterator[tuple[str, str]]:
    """Yield (code, sentence) of every refusal in the language in use."""
    for refused in examples(texts):
        yield refused.code, refusal(refused, names)
