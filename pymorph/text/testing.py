"""What came of trying the files of a ruleset, as lines."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pymorph.errors import printable
from pymorph.text.layout import Style, count, table

if TYPE_CHECKING:
    from pymorph.queries.testing import Tried

UNITS = {
    "positions": "positions",
    "records": "actions",
    "cases": "verdicts",
    "expectations": "test cases",
}


def lines(found: Sequence[Tried], style: Style) -> list[str]:
    """A line for each file, and below it what is wrong with it or has to be noted."""
    shown = []
    rows = [
        (
            os.path.relpath(one.file) if os.path.isabs(one.file) else one.file,
            "wrong" if one.faults else "good",
            count(one.tried, UNITS[one.kind]),
        )
        for one in found
    ]
    for one, line in zip(found, table(rows), strict=True):
        shown.append(style.bad(line) if one.faults else line)
        shown += [f"    {printable(fault)}" for fault in one.faults]
        shown += [style.dim(f"    note: {printable(note)}") for note in one.notes]
    return shown


def summary(found: Sequence[Tried], left: int, style: Style) -> str:
    """How many came out as they say."""
    wrong = sum(bool(one.faults) for one in found)
    told = f"{count(len(found), 'files')}: "
    told += style.bad(f"{wrong} wrong") if wrong else style.good("all good")
    return f"{told}, {left} not tried" if left else told
