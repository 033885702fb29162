"""The plan of the house: imports run down its layers in no circle, and packages re-export nothing.

`docs/background/architecture.md` draws the plan. Late imports and those for types count too.
"""

from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from tools.lint.source import PACKAGE, Fault, Module

BASE = ("answers", "errors", "terms", "yamlio", "runtime")
LAYERS = (
    "doors",
    "adapters",
    "cli",
    "views",
    "verify",
    "adjudication",
    "explore",
    "questions",
    "dynamics",
    "state",
    "ruleset",
    "asp",
    "board",
    "base",
)
FACES = (PACKAGE, f"{PACKAGE}.__main__")  # the public names, and `python -m pymorph`
METHODS = f"{PACKAGE}.methods"  # what a position inherits from rooms above it


def layer(module: str) -> str:
    first = module.split(".")[1]
    return "base" if first in BASE else first


def faults(modules: Sequence[Module]) -> Iterator[Fault]:
    """Where the modules of the package depart from the plan."""
    names = {module.name: module for module in modules}
    for module in modules:
        if module.path.endswith("__init__.py") and module.name != PACKAGE:
            if module.first_statement:
                message = "a package re-exports nothing: import from the module itself"
                yield Fault(module.path, module.first_statement, message)
        elif module.name not in (*FACES, METHODS) and layer(module.name) not in LAYERS:
            yield Fault(module.path, 1, f"a module is in one of {', '.join(LAYERS)}: move it")
        yield from _imports(module, names)
    yield from _circles(names)


def _imports(module: Module, names: Mapping[str, Module]) -> Iterator[Fault]:
    for found in module.imports:
        other = found.name if found.name in names else found.module
        if found.relative:
            message = f"relative import of {found.name}: start with the package"
            yield Fault(module.path, found.line, message)
        if other not in names or module.name in FACES or layer(module.name) not in LAYERS:
            continue
        if other in FACES:
            message = f"{found.name} is a public name: import it from its own module"
            yield Fault(module.path, found.line, message)
        elif layer(other) in LAYERS and LAYERS.index(layer(other)) < LAYERS.index(
            layer(module.name)
        ):
            message = f"{layer(module.name)} is below {layer(other)}: do not import {other} there"
            yield Fault(module.path, found.line, message)


def _circles(names: Mapping[str, Module]) -> Iterator[Fault]:
    graph = {
        name: {each.name if each.name in names else each.module for each in module.imports}
        & (names.keys() - {name})
        for name, module in names.items()
        if name != METHODS
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        first, *rest = error.args[1]
        message = f"imports in a circle, {' <- '.join([first, *rest])}: take one away"
        yield Fault(names[first].path, 1, message)
