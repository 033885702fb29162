"""The verbs and exit codes; the only place that prints or exits."""

# What a module here defines is a verb once it is imported.
from pymorph.cli import (
    book,
    catalogue,
    counts,
    diff,
    disputes,
    plans,
    positions,
    records,
    table,
    testing,
    verify,
)
from pymorph.cli.frame import DEPENDS, NO, STOPPED, UNHEARD, WRONG, YES, cli, main, run

__all__ = [
    "DEPENDS",
    "NO",
    "STOPPED",
    "UNHEARD",
    "WRONG",
    "YES",
    "book",
    "catalogue",
    "cli",
    "counts",
    "diff",
    "disputes",
    "main",
    "plans",
    "positions",
    "records",
    "run",
    "table",
    "testing",
    "verify",
]
