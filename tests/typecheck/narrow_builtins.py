"""Remove names that MicroPython lacks from the published builtins stub, which lists everything CPython has."""

import ast
import sys
from pathlib import Path

_STRING = (
    "capitalize expandtabs isalnum isascii istitle ljust maketrans removeprefix removesuffix rjust swapcase"
    " title translate zfill"
)
_NUMBER = "as_integer_ratio bit_count bit_length conjugate denominator imag is_integer numerator real"

# Class name -> its methods that MicroPython 1.25 does not have; "" holds the top-level names.
MISSING = {
    "": "BlockingIOError BrokenPipeError ChildProcessError ConnectionAbortedError ConnectionError"
    " ConnectionRefusedError ConnectionResetError EnvironmentError FileExistsError FileNotFoundError"
    " FloatingPointError IOError InterruptedError IsADirectoryError ModuleNotFoundError NotADirectoryError"
    " PermissionError ProcessLookupError RecursionError ReferenceError SystemError TimeoutError"
    " UnboundLocalError UnicodeDecodeError UnicodeEncodeError aiter anext ascii breakpoint format vars",
    "str": _STRING + " casefold format_map isdecimal isidentifier isnumeric isprintable",
    "bytes": _STRING,
    "bytearray": _STRING + " clear copy pop remove reverse",
    "int": _NUMBER,
    "float": _NUMBER + " fromhex hex",
    "range": "count index",
    "BaseException": "add_note with_traceback",
    "OSError": "filename filename2 strerror",
}


def _names(node):
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, ast.AnnAssign):
        return [node.target.id]
    if isinstance(node, ast.Assign):
        return [target.id for target in node.targets]
    return []


def _first_line(node):
    decorators = getattr(node, "decorator_list", [])
    return min([node.lineno] + [decorator.lineno for decorator in decorators])


def _bodies(tree):
    """Yield every block of definitions with the name of its class, including those under `if sys.version_info`."""
    todo = [("", tree.body)]
    while todo:
        owner, body = todo.pop()
        yield owner, body
        for node in body:
            if isinstance(node, ast.ClassDef) and not owner:
                todo.append((node.name, node.body))
            elif isinstance(node, ast.If):
                todo += [(owner, node.body), (owner, node.orelse)]


def narrow(source):
    """Return the stub without the missing names; a block that would become empty keeps `...`."""
    lines = source.splitlines()
    for owner, body in _bodies(ast.parse(source)):
        missing = MISSING.get(owner, "").split()
        for node in body:
            if any(name in missing for name in _names(node)):
                first, last = _first_line(node), node.end_lineno
                lines[first - 1 : last] = [" " * node.col_offset + "..."] + [""] * (last - first)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    stub = Path(sys.argv[1])
    stub.write_text(narrow(stub.read_text(encoding="utf-8")), encoding="utf-8")
