"""How pytest collects test cases, which are judged in batches, and shares out all tests."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path, PurePath

import pytest

from pymorph.adjudication import test_runner
from pymorph.state.test_case import BASES
from tests import casework

TESTS = Path(__file__).parent
SAMPLED = ("quick_start_skirmish",)  # games of whose case files a plain run judges one part
PARTS = 6
APART = ("test_disputes", "test_game_files", "test_readme", "test_rederiving", "test_together")
SLOW = TESTS / "slow.txt"
IDLE = pytest.StashKey[list[str]]()  # entries of the list of slow tests that no test has


@cache
def commit() -> str:
    """The commit of the tests; zero where there is no repository."""
    asked = ["git", "-C", str(TESTS), "rev-parse", "HEAD"]
    try:
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "0"


def part() -> int:
    """Which part of the case files of a large game a plain run judges: another with each commit."""
    return int(commit(), 16) % PARTS


@cache
def slow() -> frozenset[str]:
    """The tests that a plain run leaves out because they take long, by module and function."""
    return frozenset(SLOW.read_text(encoding="utf-8").split())


def names_of(item: pytest.Item) -> set[str]:
    """How the list of slow tests may name a test: with its parameters, or without."""
    name = f"{item.path.stem}::{item.name}".replace(" ", "_")
    return {name, name.partition("[")[0]}


def is_slow(item: pytest.Item) -> bool:
    return not slow().isdisjoint(names_of(item))


def idle_entries(items: Sequence[pytest.Item]) -> list[str]:
    """The entries of the list of slow tests that no test has, as far as modules are collected."""
    names = {name for item in items for name in names_of(item)}
    collected = {item.path for item in items}
    missing = {path.stem for path in TESTS.rglob("test_*.py") if path not in collected}
    return sorted(name for name in slow() - names if name.partition("::")[0] not in missing)


def group_of(nodeid: str) -> str:
    """The tests that one worker runs one after the other, because they share what they load.

    These are the tests of a module, or the case files of a game: by file they take half as long
    again, as each grounds the rules. The tests of a few modules share little: each is a group.
    """
    name = nodeid.partition("::")[0]
    path = PurePath(name)
    if path.suffix == ".yaml":
        return str(path.parent)
    return nodeid if path.stem in APART else name


def is_case_file(path: Path) -> bool:
    return path.suffix == ".yaml" and path.parent.name == "cases" and path.name != BASES


class CaseFile(pytest.File):
    """A file of test cases."""

    def collect(self) -> Iterator[CaseItem]:
        """One item. It is for *verdicts*, unless its turn has come among the files of its game."""
        item = CaseItem.from_parent(self, name="cases")
        number = casework.files_in(self.path.parent).index(self.path)
        if self.path.parent.parent.name in SAMPLED and number % PARTS != part():
            item.add_marker(pytest.mark.verdicts)
        yield item


class CaseItem(pytest.Item):
    """The test cases of a file. Those of a batch, which is a folder, are judged together."""

    faults: tuple[str, ...] | None = None

    def judge(self) -> None:
        """Judge the test cases of its batch."""
        here = group_of(self.nodeid)
        items = [i for i in self.session.items if isinstance(i, CaseItem)]
        items = [item for item in items if group_of(item.nodeid) == here]
        batch = [casework.load(item.path) for item in items]
        faults = iter(test_runner.faults_of([case for cases in batch for case in cases]))
        for item, cases in zip(items, batch, strict=True):
            item.faults = tuple(f"{c.id}: {fault}" for c in cases for fault in next(faults))

    def runtest(self) -> None:
        if self.faults is None:
            self.judge()
        if self.faults:
            pytest.fail("\n".join(self.faults), pytrace=False)

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, self.nodeid
