"""The plan of the house: imports run down its layers, in no circle, and a type has one home.

`docs/background/architecture.md` draws the plan. Late imports and those for types count too.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.conftest import ROOT

PACKAGE = ROOT / "pymorph"
BASE = {"errors", "terms", "yamlio", "runtime"}
LAYERS = (
    "cli", "views", "verify", "adjudication", "explore", "questions", "dynamics",
    "state", "ruleset", "asp", "board", "base",
)  # fmt: skip
FACES = {"pymorph", "pymorph.__main__"}  # the public names, and `python -m pymorph`


def module_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


@cache
def trees() -> dict[str, ast.Module]:
    return {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in MODULES.items()}


def imported(tree: ast.Module) -> Iterator[str]:
    """The modules of the package that a module names, wherever in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert not node.level, "imports are absolute"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if full in MODULES else str(node.module)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@cache
def graph() -> dict[str, set[str]]:
    return {
        name: {other for other in imported(tree) if other in MODULES and other != name}
        for name, tree in trees().items()
    }


def layer(module: str) -> str:
    first = module.split(".")[1]
    return "base" if first in BASE else first


@pytest.mark.parametrize("module", sorted(set(MODULES) - FACES))
def test_imports_run_down(module: str) -> None:
    assert layer(module) in LAYERS, "a module stands in one of the rooms"
    for other in graph()[module] - {"pymorph"}:
        down = LAYERS.index(layer(other)) >= LAYERS.index(layer(module))
        assert down, f"{module} imports {other}"
    assert "pymorph" not in graph()[module], "nothing imports the public face"


def test_no_circle() -> None:
    try:
        TopologicalSorter(graph()).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_a_public_type_has_one_home() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for name, tree in trees().items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(name)
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}


@pytest.mark.parametrize("room", sorted(PACKAGE.glob("**/*/__init__.py")), ids=str)
def test_rooms_re_export_nothing(room: Path) -> None:
    tree = ast.parse(room.read_text(encoding="utf-8"))
    assert [node for node in tree.body if not isinstance(node, ast.Expr)] == []
