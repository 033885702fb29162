"""The examples in the docstrings of the package run as they are shown."""

from __future__ import annotations

import doctest
import inspect
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

from pymorph.dynamics import protocol
from tests.conftest import ROOT

# Of the package itself the example needs a game of its own: test_package.py runs it.
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in sorted((ROOT / "pymorph").rglob("[!_]*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]
FINDER = doctest.DocTestFinder()


def examples_in(module: ModuleType) -> list[doctest.DocTest]:
    """The docstrings with examples of what a module defines; its own comes first, and the others
    may use the names that it sets."""
    names = vars(module).copy()
    found = FINDER.find(module, globs=names)[:1]
    for name, thing in vars(module).items():
        if getattr(thing, "__module__", "") == module.__name__ and hasattr(thing, "__qualname__"):
            found += FINDER.find(thing, f"{module.__name__}.{name}", False, globs=names)
    return [test for test in found if test.examples]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    first: dict[str, Any] = {}
    for test in examples_in(import_module(name)):
        test.globs.update(first)
        runner.run(test, clear_globs=False)
        if test.name == name:
            first = test.globs
    assert runner.tries
    assert not runner.failures


def test_what_explores_play_has_examples() -> None:
    """Each public class and method of the dynamics of a table."""
    shown = {test.name for test in examples_in(protocol)}
    for name, thing in vars(protocol).items():
        if inspect.isclass(thing) and thing.__module__ == protocol.__name__:
            assert f"{protocol.__name__}.{name}" in shown
            methods = (m for m, member in vars(thing).items() if inspect.isfunction(member))
            for method in (m for m in methods if not m.startswith("_")):
                assert f"{protocol.__name__}.{name}.{method}" in shown
