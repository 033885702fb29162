"""Python files and rule files, each read and parsed once, and the faults that checks report."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

PACKAGE = "pymorph"
BESIDE = ("tests", "tools", "benchmarks")  # folders of Python beside the package
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
DOCUMENTED = ast.Module | ast.ClassDef | FUNCTIONS
ALIASES = ("NewType", "ParamSpec", "TypeVar")
TOKENS = re.compile(
    r"#[^\n]*|(?P<quotes>\"{3}|'{3})(?:\\.|(?!(?P=quotes)).)*(?P=quotes)"
    r"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'",
    re.DOTALL,
)
OF_PACKAGES = (
    "from pymorph.runtime.lazy import submodules_of",
    "__getattr__ = submodules_of(__name__)",
)
SKIPPED = re.compile(r"# fmt: (?:skip|off)$", re.MULTILINE)


class Fault(NamedTuple):
    """What is wrong at a line of a file, and what to do."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


class Import(NamedTuple):
    """One imported name, in full, and the module that it may be a name of."""

    name: str
    module: str
    line: int
    relative: bool


class Module(NamedTuple):
    """What the checks need to know of a Python file."""

    path: str
    name: str
    code_lines: int
    imports: tuple[Import, ...]
    late_imports: int
    types: frozenset[str]
    numeric_constants: int
    format_skips: int
    first_statement: int  # the line of the first that a package has no use for; 0: there is none


def read_module(root: Path, path: Path) -> Module:
    """Parse a Python file and note what the checks need."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    relative = path.relative_to(root)
    parts = relative.with_suffix("").parts
    statements = [*_statements(tree)]
    return Module(
        relative.as_posix(),
        ".".join(parts[:-1] if parts[-1] == "__init__" else parts),
        _code_lines(text, [tree, *(node for node, _ in statements)]),
        tuple(each for node, _ in statements for each in _imports(node)),
        sum(late and isinstance(node, ast.Import | ast.ImportFrom) for node, late in statements),
        frozenset(_types(tree)),
        sum(map(_is_number, _constants(tree))),
        len(SKIPPED.findall(text)),
        next((node.lineno for node in tree.body if not _is_of_package(node)), 0),
    )


def _statements(node: ast.AST, late: bool = False) -> Iterator[tuple[ast.stmt, bool]]:
    """The statements under a node, and whether each is inside a function."""
    late = late or isinstance(node, FUNCTIONS)
    for block in ("body", "orelse", "finalbody", "handlers", "cases"):
        for child in getattr(node, block, ()):
            if isinstance(child, ast.stmt):
                yield child, late
            yield from _statements(child, late)


def _is_of_package(node: ast.AST) -> bool:
    """Is this a docstring, or what gives the modules of a package before they are executed?"""
    return _is_docstring(node) or ast.unparse(node) in OF_PACKAGES


def _is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _code_lines(text: str, nodes: Iterable[ast.AST]) -> int:
    """How many lines are neither blank nor comment nor docstring."""
    bare = map(str.strip, text.split("\n"))
    lines = {number for number, line in enumerate(bare, 1) if line and line[0] != "#"}
    for token in TOKENS.finditer(text):
        if token["quotes"]:  # blank lines in a long string count
            first = text.count("\n", 0, token.start()) + 1
            lines.update(range(first, first + token[0].count("\n") + 1))
    for node in nodes:
        if isinstance(node, DOCUMENTED) and node.body and _is_docstring(node.body[0]):
            lines.difference_update(range(node.body[0].lineno, _end(node.body[0]) + 1))
    return len(lines)


def _end(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno


def _imports(node: ast.stmt) -> Iterator[Import]:
    if isinstance(node, ast.ImportFrom):
        for alias in node.names:
            module = "." * node.level + (node.module or "")
            yield Import(f"{module}.{alias.name}", module, node.lineno, bool(node.level))
    elif isinstance(node, ast.Import):
        yield from (Import(each.name, each.name, node.lineno, False) for each in node.names)


def _types(tree: ast.Module) -> Iterator[str]:
    """The public names of classes, aliases and type variables at the top of a module."""
    for node in tree.body:
        names = [node.name] if isinstance(node, ast.ClassDef) else []
        for target, value in _assigned(node):
            variable = isinstance(value, ast.Call) and getattr(value.func, "id", "") in ALIASES
            alias = variable or isinstance(value, ast.Subscript | ast.BinOp)
            if alias and target[:1].isupper() and not target.isupper():
                names.append(target)
        yield from (name for name in names if name[0] != "_")


def _constants(tree: ast.Module) -> Iterator[ast.expr]:
    """The values of names in capitals at the top of a module."""
    for node in tree.body:
        for name, value in _assigned(node):
            if name.strip("_").isupper():
                yield value


def _assigned(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """The names that a statement assigns, each with its value."""
    if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
        return
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        pairs: Iterable[tuple[ast.expr, ast.expr]] = [(target, node.value)]
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs = zip(target.elts, node.value.elts, strict=False)
        for name, value in pairs:
            if isinstance(name, ast.Name):
                yield name.id, value


def _is_number(node: ast.expr) -> bool:
    """Is it a number, or arithmetic on numbers and other constants?"""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int | float) and not isinstance(node.value, bool)
    if isinstance(node, ast.UnaryOp):
        return _is_number(node.operand)
    return isinstance(node, ast.BinOp) and (_is_number(node.left) or _is_number(node.right))
