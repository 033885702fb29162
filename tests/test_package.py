"""The package as Python sees it: a few names, none of which costs anything until it is used."""

import doctest
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import pymorph as package
from pymorph.errors import PymorphError
from tests.conftest import ROOT


def test_names() -> None:
    for name in package.__all__:
        assert not isinstance(getattr(package, name), ModuleType), name
        assert name in dir(package)
    assert package.__all__ == sorted(package.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = package.nothing


OF_EXTRAS = ("anyio", "mcp", "nbclient", "nbformat", "pettingzoo", "pyspiel", "starlette")


@pytest.mark.parametrize("folder", ["benchmarks", "tools"])
def test_modules_that_no_test_runs_can_be_imported(folder: str) -> None:
    for path in sorted((ROOT / folder).rglob("*.py")):
        try:
            import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        except ModuleNotFoundError as error:
            if error.name not in OF_EXTRAS:
                raise


DOORS = ("pymorph.adapters.", "pymorph.doors.mcp.", "pymorph.doors.table.")  # each needs an extra


def test_names_stay_what_they_are() -> None:
    """No module of the package may take the place of a function."""
    script = (
        "import importlib, pathlib, types, pymorph\n"
        "folder = pathlib.Path(pymorph.__file__).parent\n"
        "for path in sorted(folder.rglob('*.py')):\n"
        "    way = path.relative_to(folder.parent).with_suffix('')\n"
        "    name = '.'.join(way.parts).removesuffix('.__init__')\n"
        "    try:\n"
        "        importlib.import_module(name)\n"
        "    except ImportError as error:\n"
        f"        assert name.startswith({DOORS}), name  # an extra is not there\n"
        "        assert not error.name.startswith('pymorph'), error\n"
        "for name in pymorph.__all__:\n"
        "    assert not isinstance(getattr(pymorph, name), types.ModuleType), name\n"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert found.stderr == ""


def test_errors_have_one_base() -> None:
    errors = [getattr(package, name) for name in package.__all__]
    for error in errors:
        if isinstance(error, type) and issubclass(error, Exception):
            assert issubclass(error, PymorphError)


def test_example_of_the_package(my_game: Path) -> None:
    assert doctest.testmod(package).failed == 0
    assert doctest.testmod(package).attempted > 3


def test_every_public_name_has_an_example() -> None:
    """That they run, test_doctests.py checks."""
    named = {name: getattr(package, name).__doc__ or "" for name in package.__all__}
    assert [name for name, text in named.items() if ">>> " not in text] == []


def test_imports_are_late() -> None:
    script = (
        "import sys, pymorph\n"
        "print(*[m for m in ('clingo', 'yaml', 'click', 'networkx') if m in sys.modules])\n"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (found.stdout, found.stderr) == ("\n", "")


def test_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == package.__version__
