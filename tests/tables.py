"""Inputs and their answers as data: tables of parametrised tests, and long texts to expect."""

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest
import yaml

import tests

FOLDER = Path(str(tests.__file__)).parent
Test = TypeVar("Test", bound=Callable[..., None])


@cache
def tables(module: str) -> dict[str, Any]:
    """What `tables/<module>.yaml` holds: by the name of a test, its entries, or other data."""
    text = (FOLDER / "tables" / f"{module.rpartition('.')[2]}.yaml").read_text(encoding="utf-8")
    read: dict[str, Any] = yaml.safe_load(text)
    return read


def parametrized_and(*more: Any) -> Callable[[Test], Test]:
    """Run a test once for each entry of its table, and for *more* that a table cannot hold.

    In an entry keys are the arguments, `id` names it, and `mark` is one of pytest's marks.
    """

    def decorated(test: Test) -> Test:
        entries = tables(test.__module__)[test.__name__]
        names = [name for name in entries[0] if name not in ("id", "mark")]
        listed = [
            pytest.param(
                *(entry[name] for name in names),
                id=entry.get("id"),
                marks=[getattr(pytest.mark, entry["mark"])] if "mark" in entry else [],
            )
            for entry in entries
        ]
        return pytest.mark.parametrize(",".join(names), [*listed, *more])(test)

    return decorated


parametrized = parametrized_and()


def tupled(value: Any) -> Any:
    """A value of a table with tuples where that has lists."""
    if isinstance(value, dict):
        return {key: tupled(each) for key, each in value.items()}
    return tuple(map(tupled, value)) if isinstance(value, list) else value


def with_campaign(
    names: str, plain: Iterable[Any], campaign: Iterable[Any], **options: Any
) -> pytest.MarkDecorator:
    """Run a test for each value in *plain*, and in the campaign for each in *campaign* too.

    Values for several names are tuples.
    """
    more = [
        pytest.param(*(value if "," in names else [value]), marks=pytest.mark.campaign)
        for value in campaign
    ]
    return pytest.mark.parametrize(names, [*plain, *more], **options)


def sampled(
    name: str, values: Iterable[Any], plain: Iterable[Any], **options: Any
) -> pytest.MarkDecorator:
    """Run a test for those *values* that are in *plain*, and in the campaign for the others too."""
    kept, every = list(plain), list(values)
    chosen = [value for value in every if value in kept]
    return with_campaign(name, chosen, [v for v in every if v not in kept], **options)


def trials(sample: int) -> pytest.MarkDecorator:
    """Run a test for a *number* of trials: a sample, and 100,000 in the campaign."""
    return with_campaign("number", [sample], [100_000], ids=["sample", "campaign"])


def expected(name: str) -> str:
    """A long text that a test expects: `expected/<name>.txt`."""
    return (FOLDER / "expected" / f"{name}.txt").read_text(encoding="utf-8")


def expected_lines(name: str) -> list[str]:
    """The lines of such a text, without empty ones at its ends."""
    return expected(name).strip("\n").split("\n")
