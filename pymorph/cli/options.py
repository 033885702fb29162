"""How the options and arguments of verbs are declared, and those that several verbs share."""

from __future__ import annotations

from typing import Any, NamedTuple

import click

from pymorph.cli import values


class Parameter(NamedTuple):
    """A parameter of a verb; the field of the verb's class that it is assigned to names it."""

    kind: type[click.Parameter]
    flags: tuple[str, ...]
    settings: dict[str, Any]


DECLARED: dict[type, dict[str, Parameter]] = {}  # of each verb that was asked for


def argument(type: Any = None, metavar: str | None = None, **settings: Any) -> Any:
    """An argument."""
    return Parameter(click.Argument, (), {"type": type, "metavar": metavar, **settings})


def option(form: str, help: str, type: Any = None, **settings: Any) -> Any:
    """An option; its *form* is `--name` or `-n, --name`, with the metavariable after it."""
    words = form.replace(",", "").split()
    flags = tuple(word for word in words if word.startswith("-"))
    metavar = " ".join(words[len(flags) :]) or None
    settings |= {"type": type, "metavar": metavar, "help": help}
    return Parameter(click.Option, flags, settings)


def flag(form: str, help: str) -> Any:
    """An option without a value."""
    return option(form, help, is_flag=True)


def several(form: str, help: str, type: Any = None) -> Any:
    """An option that may be repeated, which its help says."""
    return option(form, f"{help.removesuffix('.')}; may be repeated.", type, multiple=True)


def declared(verb: type) -> dict[str, Parameter]:
    """The parameters of a verb by the names of their fields: its own first, then inherited ones."""
    if verb not in DECLARED:
        fields: dict[str, Parameter] = {}
        for base in verb.__mro__:
            own = {name: each for name, each in vars(base).items() if isinstance(each, Parameter)}
            fields = {**fields, **own, **fields}
        DECLARED[verb] = fields
    return DECLARED[verb]


# -- shared ----------------------------------------------------------------------------------------

FILE = argument(values.POSITION_FILE)
FORCE = flag("--force", "Replace FILE, whatever it contains.")
JSON = flag("--json", "Print the answer as JSON.")
TIMEOUT = option("--timeout SECONDS", "Stop after SECONDS (exit 3).", values.seconds)
JOBS = option("--jobs N", "Work in N processes (1).", click.IntRange(1, 64), default=1)
SCHEDULER = option(
    "--scheduler ADDRESS", "Work on the Dask cluster whose scheduler is at ADDRESS.", default=""
)
VERBOSE = flag("--verbose", "Report whether the rules were compiled, or why not.")
EVERY_READING = option(
    "--every-reading QUESTION",
    "Answer under each option of this question, side by side; may be repeated. 'all': every "
    "question without a ruling on which play depends.",
    values.OPEN_QUESTION,
    multiple=True,
)
