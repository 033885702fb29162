"""Inputs and their answers as data: tables of parametrised tests, and long texts to expect."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest
import yaml

import tests

FOLDER = Path(str(tests.__file__)).parent
Entries = list[dict[str, Any]]
Test = TypeVar("Test", bound=Callable[..., None])


@cache
def tables(module: str) -> dict[str, Entries]:
    """What `tables/<module>.yaml` holds: by the name of a test, its entries."""
    text = (FOLDER / "tables" / f"{module.rpartition('.')[2]}.yaml").read_text(encoding="utf-8")
    read: dict[str, Entries] = yaml.safe_load(text)
    return read


def parametrized_and(*more: Any) -> Callable[[Test], Test]:
    """Run a test once for each entry of its table, and for *more* that a table cannot hold.

    In an entry keys are the arguments, and `id` names it.
    """

    def decorated(test: Test) -> Test:
        entries = tables(test.__module__)[test.__name__]
        names = [name for name in entries[0] if name != "id"]
        listed = [
            pytest.param(*(entry[name] for name in names), id=entry.get("id")) for entry in entries
        ]
        return pytest.mark.parametrize(",".join(names), [*listed, *more])(test)

    return decorated


parametrized = parametrized_and()


def expected(name: str) -> str:
    """A long text that a test expects: `expected/<name>.txt`."""
    return (FOLDER / "expected" / f"{name}.txt").read_text(encoding="utf-8")


def expected_lines(name: str) -> list[str]:
    """The lines of such a text, without empty ones at its ends."""
    return expected(name).strip("\n").split("\n")
