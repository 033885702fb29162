"""Modules that are executed when something in them is used: a verb starts with what it needs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import LazyLoader, find_spec, module_from_spec
from types import ModuleType


def submodules_of(package: str) -> Callable[[str], ModuleType]:
    """The `__getattr__` of a package: ``from package import module`` does not execute the module.

    ``from package.module import name`` does, at once. Raises: AttributeError, if there is no such
    module.
    """

    def submodule(name: str) -> ModuleType:
        full = f"{package}.{name}"
        if full in sys.modules:  # or there would be two of a module that is being imported
            return sys.modules[full]
        spec = None if name.startswith("__") else find_spec(full)
        if spec is None or spec.loader is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        spec.loader = LazyLoader(spec.loader)
        sys.modules[full] = module = module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return submodule
