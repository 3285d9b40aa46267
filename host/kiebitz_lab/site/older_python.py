"""Rewrite modules of the laptop in the older Python syntax of MicroPython.

    [a, *b]  ->  [a] + list(b)          {**a, "b": c}  ->  joined_dicts(a, {"b": c})
    f"{a}:"  ->  "{}:".format(a)        zip(a, b, strict=True)  ->  zip(a, b)
    a.removeprefix(b)  ->  removeprefix(a, b)

Annotations, names of types and the modules that only they need are left out.
"""

import ast

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
    """Return the text without the difference of capitals; JavaScript knows all letters."""
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
