"""What the texts mean that options and arguments are given."""

from __future__ import annotations

from collections.abc import Sequence

import click

from pymorph import terms
from pymorph.errors import clipped


def actions_in(line: str) -> list[str]:
    """The actions of one line, parted by ``;``; the line itself, if there is none.

    One of several lists of arguments is several: ``take(anna, 2; bo, 3)``.
    """
    parts = [action for part in terms.cut(line, ";") if (action := part.strip())]
    actions: list[str] = []
    for part in parts:
        name, _, rest = part.partition("(")
        lists = terms.cut(rest[:-1], ";") if rest.endswith(")") else ()
        several = [f"{name}({text.strip()})" for text in lists if text.strip()]
        actions += several if len(several) > 1 else [part]
    return actions or [line]


def policies_of(given: Sequence[str]) -> str | dict[str, str]:
    """Who plays by which policy: all by one, or each who is named before a =."""
    if len(given) == 1 and "=" not in given[0]:
        return given[0]
    seats: dict[str, str] = {}
    for one in given:
        who, mark, name = one.partition("=")
        if not mark or who.strip() in seats:
            raise misused(
                "--policy takes one policy for everybody, or WHO=POLICY once for each player"
            )
        seats[who.strip()] = name.strip()
    return seats


def pairs(given: Sequence[str], takes: str, twice: str) -> dict[str, str]:
    """What an option says of each key; *takes* and *twice* tell what is amiss in one."""
    values: dict[str, str] = {}
    for text in given:
        key, mark, value = (part.strip() for part in text.partition("="))
        if not (key and mark and value):
            raise misused(takes.format(clipped(text)))
        if values.setdefault(key, value) != value:
            raise misused(twice.format(clipped(key)))
    return values


def misused(message: str) -> click.UsageError:
    return click.UsageError(message, click.get_current_context(silent=True))
