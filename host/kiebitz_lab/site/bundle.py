"""Pack Python for the pages into read-only file systems: the firmware, and the laptop's sheets and exports.

All of it is compiled without machine code, which MicroPython in a page does not support. The modules of the laptop are
rewritten in the older Python syntax of MicroPython:

    [a, *b]  ->  [a] + list(b)          {**a, "b": c}  ->  joined_dicts(a, {"b": c})
    f"{a}:"  ->  "{}:".format(a)        zip(a, b, strict=True)  ->  zip(a, b)
    a.removeprefix(b)  ->  removeprefix(a, b)

Annotations, names of types and the modules that only they need are left out.
"""

import ast
import contextlib
import io
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from kiebitz_host.languages import device_texts, read
from mpremote.romfs import make_romfs

from kiebitz_lab.frozen_tree import ROOT, TextsOf, compile_tree, write_tree

_TYPES_ONLY = ("typing", "collections.abc")
_TYPES = ("list", "dict", "tuple", "Sequence", "Callable", "Iterator")
_HELPERS = {
    "joined_dicts": '''
def joined_dicts(*parts):
    """Return one dict with the content of several."""
    found = {}
    for part in parts:
        found.update(part)
    return found
''',
    "removeprefix": '''
def removeprefix(text, start):
    """Return the text without this start."""
    return text[len(start) :] if text.startswith(start) else text
''',
    "casefold": '''
def casefold(text):
    """Return the text case-folded by JavaScript, which knows all letters."""
    import kiebitz_page

    return kiebitz_page.folded(text)
''',
    "removesuffix": '''
def removesuffix(text, end):
    """Return the text without this end."""
    return text[: -len(end)] if end and text.endswith(end) else text
''',
}


def older(source: str) -> str:
    """Return the source of a module as MicroPython understands it."""
    tree = _Older().visit(ast.parse(source))
    text = ast.unparse(ast.fix_missing_locations(tree))
    return "\n".join([*[helper for name, helper in _HELPERS.items() if f"{name}(" in text], text])


class _Older(ast.NodeTransformer):
    """A transformer that replaces syntax MicroPython does not support."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        return None if node.module in _TYPES_ONLY else node

    def visit_If(self, node: ast.If) -> ast.AST | None:
        """Remove the imports that only types need."""
        is_for_types = isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        return None if is_for_types else self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """Replace a type alias by None."""
        value = node.value
        if isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name) and value.value.id in _TYPES:
            node.value = ast.Constant(None)  # others may import it
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if node.value is None:
            return None
        return self.visit(ast.Assign(targets=[node.target], value=node.value))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        given = node.args
        for argument in [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]:
            if argument:
                argument.annotation = None
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id == "zip":
            node.keywords = [keyword for keyword in node.keywords if keyword.arg != "strict"]
        if isinstance(node.func, ast.Attribute) and node.func.attr in _HELPERS:
            node.args = [node.func.value, *node.args]
            node.func = ast.Name(id=node.func.attr, ctx=ast.Load())
        return self.generic_visit(node)

    def visit_List(self, node: ast.List) -> ast.AST:
        self.generic_visit(node)
        return _sum(node.elts, ast.List, "list") if isinstance(node.ctx, ast.Load) else node

    def visit_Tuple(self, node: ast.Tuple) -> ast.AST:
        self.generic_visit(node)
        return _sum(node.elts, ast.Tuple, "tuple") if isinstance(node.ctx, ast.Load) else node

    def visit_Set(self, node: ast.Set) -> ast.AST:
        self.generic_visit(node)
        if not any(isinstance(element, ast.Starred) for element in node.elts):
            return node
        return _call("set", _sum(node.elts, ast.List, "list"))

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        self.generic_visit(node)
        if None not in node.keys:
            return node
        parts: list[ast.expr] = []
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                parts.append(value)
            elif parts and isinstance(parts[-1], ast.Dict):
                parts[-1].keys.append(key)
                parts[-1].values.append(value)
            else:
                parts.append(ast.Dict(keys=[key], values=[value]))
        return _call("joined_dicts", *parts)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """Convert an f-string to format(), because MicroPython does not support nested f-strings."""
        self.generic_visit(node)
        pattern, values = "", []
        for part in node.values:
            if isinstance(part, ast.Constant):
                pattern += str(part.value).replace("{", "{{").replace("}", "}}")
                continue
            assert isinstance(part, ast.FormattedValue)
            if part.conversion not in (-1, ord("r")):
                raise ValueError(f"line {node.lineno}: this conversion is not rewritten")
            pattern += "{" + ("!r" if part.conversion > 0 else "") + _spec(part) + "}"
            values.append(part.value)
        method = ast.Attribute(value=ast.Constant(pattern), attr="format", ctx=ast.Load())
        return ast.Call(func=method, args=values, keywords=[])


def _spec(part: ast.FormattedValue) -> str:
    """Return the format of a value in an f-string, which must be a constant."""
    spec = part.format_spec
    if spec is None:
        return ""
    if isinstance(spec, ast.Call) and not spec.args:  # an f-string without places, rewritten already
        spec = spec.func.value  # type: ignore[attr-defined]
    assert isinstance(spec, ast.Constant) and isinstance(spec.value, str)
    return ":" + spec.value


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(func=ast.Name(id=name, ctx=ast.Load()), args=list(arguments), keywords=[])


def _sum(elements: list[ast.expr], kind: type, name: str) -> ast.expr:
    """Return a display as a sum of displays and of list() or tuple() of what is unpacked in it."""
    if not any(isinstance(element, ast.Starred) for element in elements):
        return kind(elts=elements, ctx=ast.Load())
    parts: list[ast.expr] = []
    for element in elements:
        if isinstance(element, ast.Starred):
            parts.append(_call(name, element.value))
        elif parts and isinstance(parts[-1], kind):
            parts[-1].elts.append(element)  # type: ignore[attr-defined]
        else:
            parts.append(kind(elts=[element], ctx=ast.Load()))
    found = parts[0]
    for part in parts[1:]:
        found = ast.BinOp(left=found, op=ast.Add(), right=part)
    return found


HERE = Path(__file__).parent
HOST = ROOT / "host"
# The fake hardware that the simulator and the tests use, too
_HARDWARE = ("hardware", "inner_parts", "oled_model", "screen_reader", "usb")
# What the laptop prints and exports of a game
_LAPTOP = (
    "games/*.py", "games/*/__init__.py", "link/journal.py", "library/derive.py", "league/names.py",
    "show/entries.py",
    "export/bgstats.py",
)  # fmt: skip
_LEFT_OUT = ("games/live.py", "games/questions.py")  # not needed in a page
_NOT_IN_A_PAGE = ("main.py", "_boot.py", "image.py")


def device_image(instead: Mapping[str, str] = MappingProxyType({})) -> bytes:
    """Return the file system with the firmware, its fake hardware, and the module that drives them.

    `instead` has the text of modules, by their paths, that take the place of others.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_firmware(folder)
        for module in _HARDWARE:
            _copy(HOST / "kiebitz_host" / "sim" / f"{module}.py", folder / "kiebitz_host" / "sim")
        _copy(HOST / "kiebitz_host" / "flash_layout.py", folder)
        for package in ("kiebitz_host", "kiebitz_host/sim"):
            (folder / package / "__init__.py").touch()
        for path in sorted((HERE / "device").glob("*.py")):
            _copy(path, folder)
        for name_of_module, text in instead.items():
            (folder / name_of_module).write_text(text)
        return packed(folder)


def laptop_image() -> bytes:
    """Return the file system with the firmware and with what the laptop prints and exports of a game."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_firmware(folder, read)
        for pattern in _LAPTOP:
            for path in sorted((HOST / "kiebitz_host").glob(pattern)):
                if path.relative_to(HOST / "kiebitz_host").as_posix() not in _LEFT_OUT:
                    target = folder / path.relative_to(HOST)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_text(older(path.read_text()))
        for package in ("", "link", "library", "league", "show", "export"):
            (folder / "kiebitz_host" / package / "__init__.py").touch()
        for path in sorted((HERE / "laptop").glob("*.py")):
            _copy(path, folder)
        return packed(folder)


def write_firmware(folder: Path, texts_of: TextsOf = device_texts) -> None:
    """Write the modules of the firmware into a new folder, without machine code and what only starts a Pico."""
    write_tree(folder, False, texts_of)
    for name in _NOT_IN_A_PAGE:
        (folder / name).unlink()


def packed(folder: Path) -> bytes:
    """Return the modules of a folder, compiled, as a file system."""
    compile_tree(folder, [])
    with contextlib.redirect_stdout(io.StringIO()):  # it names every file
        return bytes(make_romfs(str(folder), mpy_cross=False))


def _copy(source: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, folder)
