"""How pytest collects case files: each case is a test, and those of a file are asked together."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import count
from pathlib import Path, PurePath

import pytest

from pymorph.adjudication import test_runner
from pymorph.errors import Fault
from pymorph.state.test_case import BASES, GoldenCase
from tests import casework

COUNTS: defaultdict[Path, tuple[count[int], count[int]]] = defaultdict(lambda: (count(), count()))
GOLDEN = re.compile(r"[A-Z]+-\d+")  # how the names of cases begin that a catalogue lists


def group_of(name: str) -> str:
    """The group of a test, by its name: its module, or the folder of its case file.

    The cases of a game are one group: by file they take half as long again, as each grounds the
    rules. Those in lengths share next to nothing with those on a board, and are a group of theirs.
    """
    path = PurePath(name.partition("::")[0]).with_suffix("")
    if path.parent.name != "cases":
        return str(path)
    return str(path.parent / ("inches" if path.name.startswith("inch") else "board"))


class CaseFile(pytest.File):
    """A case file. What is run of the files of a group is asked at once, by one worker."""

    def collect(self) -> Iterator[CaseItem]:
        """One in 24 of the golden cases of a game, and one in 80 of the others, unless their file
        is asked for; the rest are *verdicts*, all of which have to be right before a landing.
        """
        asked_for = any(self.path.name in word for word in self.config.args)
        golden, beside = COUNTS[self.path.parent]
        for case in casework.load(self.path):
            item = CaseItem.from_parent(self, name=case.id, case=case)
            catalogued = bool(GOLDEN.match(case.id))
            number = next(golden if catalogued else beside)
            if number % (24 if catalogued else 80) and not asked_for:
                item.add_marker(pytest.mark.verdicts)
            yield item


class CaseItem(pytest.Item):
    def __init__(self, *, case: GoldenCase, **more: object) -> None:
        super().__init__(**more)
        self.case = case
        self.group = group_of(self.nodeid)
        self.faults: tuple[Fault, ...] | None = None

    def runtest(self) -> None:
        if self.faults is None:
            every = [item for item in self.session.items if isinstance(item, CaseItem)]
            beside = [item for item in every if item.group == self.group]
            found = test_runner.faults_of([item.case for item in beside])
            for item, faults in zip(beside, found, strict=True):
                item.faults = faults
        if self.faults:
            pytest.fail("\n".join(map(str, self.faults)), pytrace=False)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.case.place.line - 1, self.nodeid


def is_case_file(path: Path) -> bool:
    return path.suffix == ".yaml" and path.parent.name == "cases" and path.name != BASES
