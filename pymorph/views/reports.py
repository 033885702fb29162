"""What verification came to, as lines: a table of the properties, then what breaks them."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from pymorph.errors import printable
from pymorph.verify.report import (
    PROVED,
    UNKNOWN,
    VIOLATED,
    WITHIN,
    Finding,
    Property,
    PropertyResult,
    Witness,
)
from pymorph.views.layout import (
    PLAIN,
    Paint,
    Style,
    count,
    one_line,
    plain,
    rule_ids,
    table,
    wrapped,
)

if TYPE_CHECKING:
    from pymorph.queries.regression import Tried
    from pymorph.state.position import Position
    from pymorph.verify.runner import Report

MANY = 10  # findings of a property that a person would read
LONG = 160  # letters of a finding
Saved = Mapping[tuple[str, Witness], str]


def properties(found: Sequence[Property], style: Style = PLAIN) -> list[str]:
    """The properties that there are, with what they mean."""
    rows = [(each.id, each.family, one_line(each.meaning)) for each in found]
    return table(rows, "", (style.bold, style.dim)) or ["no properties"]


def report(
    found: Report, style: Style = PLAIN, everything: bool = False, saved: Saved | None = None
) -> list[str]:
    """Every property with its verdict; below, what is found against those that do not hold.

    *saved* has the files that witnesses are in, by property. Of many findings, and of those that
    the ruleset accepts, nothing but their number is told, unless *everything* is.
    """
    game = found.ruleset
    lines = [style.bold(f"{one_line(game.title)} {game.version}"), style.dim(found.bound), ""]
    if not found.checked:
        return [*lines, "nothing to check"]
    lines += _table(found, style)
    for checked in found.checked:
        lines += _told(checked, style, everything, saved or {})
    return [*lines, "", _summary(found, style)]


def _table(found: Report, style: Style) -> list[str]:
    """The rows are painted one by one, for each has the colour of its status."""
    rows = [
        (each.id, each.status, _looked(about, each))
        for about, each in zip(found.properties, found.checked, strict=True)
    ]
    widths = [max((len(row[i]) for row in rows), default=0) for i in range(2)]
    lines = []
    for row in rows:
        lines += table([row], "", (plain, _paint(row[1], style)), widths)
    return lines


def _paint(status: str, style: Style) -> Paint:
    return {VIOLATED: style.bad, UNKNOWN: style.bold}.get(status, style.good)


def _looked(about: Property, checked: PropertyResult) -> str:
    """What was looked at, and how much of it has the thing that the property speaks of."""
    parts = [_number(checked.looked, about.counted, checked.more)]
    if about.speaks_of:
        parts.append(f"{checked.subjects}{'+' * checked.more} with {about.speaks_of}")
    known = sum(1 for finding in checked.findings if finding.accepted)
    parts += [f"{known} accepted"] if known else []
    return ", ".join(parts)


def _number(number: int, noun: str, more: bool) -> str:
    return f"{number}+ {noun}" if more else count(number, noun)


def _told(checked: PropertyResult, style: Style, everything: bool, saved: Saved) -> Iterator[str]:
    """What stands against a property, and what else there is to say of it."""
    shown = [each for each in checked.findings if everything or not each.accepted]
    if not (shown or checked.notes):
        return
    yield ""
    yield from wrapped(f"{checked.id}: {one_line(checked.meaning)}", "  ", "")
    for finding in shown if everything else shown[:MANY]:
        yield from _finding(checked.id, finding, style, everything, saved)
    if len(shown) > MANY and not everything:
        yield f"  and {len(shown) - MANY} more: --all"
    for note in _gathered(checked.notes):
        yield from map(style.dim, wrapped(f"note: {one_line(note)}", "    ", "  "))


def _gathered(notes: Iterable[str]) -> list[str]:
    """Notes, where what is said alike of several subjects is said once: a, b: looked for within."""
    subjects: dict[str, list[str]] = {}
    for note in notes:
        subject, told, rest = note.partition(": ")
        subjects.setdefault(rest if told else note, []).extend([subject] if told else [])
    return [": ".join(filter(None, (", ".join(names), says))) for says, names in subjects.items()]


def _short(text: str, everything: bool) -> str:
    """A text; of a long one no more than the beginning, unless *everything* is told."""
    return text if everything or len(text) <= LONG else f"{text[: LONG - 3].rstrip()}..."


def _finding(
    about: str, finding: Finding, style: Style, everything: bool, saved: Saved
) -> Iterator[str]:
    """What does not hold, and how to look at it."""
    says = _short(one_line(finding.says), everything)
    says = f"{finding.subject}: {says} {rule_ids(finding.rules)}".rstrip()
    says += f" ({finding.place})" if finding.place not in ("", finding.subject) else ""
    first, *rest = wrapped(says, "    ", "  ")
    yield (style.bold if finding.status == UNKNOWN else style.bad)(first)
    yield from rest
    if finding.accepted:
        yield from wrapped(f"accepted: {one_line(finding.accepted)}", "      ", "    ")
    if finding.witness is not None:
        yield from wrapped(_reached(finding.witness), "      ", "    ")
        file = saved.get((about, finding.witness))
        yield f"    {command(finding.witness, file)}"


def _reached(witness: Witness) -> str:
    """Whether play leads to a position, as far as that is known."""
    if witness.line is None:
        told = "well formed; not known whether play leads to it"
    elif witness.line:
        told = f"reached from a start: {'; '.join(witness.line)}"
    else:
        told = "a start itself"
    choices = ", ".join(f"{question} = {option}" for question, option in witness.choices)
    return f"{told}; read as {choices}" if choices else told


def shown(witness: Witness) -> Position:
    """A witness as a position of its own, which has the readings under which it shows."""
    return witness.position.with_rulings(dict(witness.choices))


def command(witness: Witness, file: str | None = None) -> str:
    """What to type to look at a witness: in its *file*, or in its one-line form."""
    place = file or shown(witness).line()
    verb = ["why", place, witness.action] if witness.action else ["legal", place]
    return shlex.join(["pymorph", *verb])


def _summary(found: Report, style: Style) -> str:
    tally = Counter(each.status for each in found.checked)
    parts = [f"{tally[s]} {s}" for s in (PROVED, WITHIN, VIOLATED, UNKNOWN) if tally[s]]
    told = f"{count(len(found.checked), 'properties')}: {', '.join(parts)}"
    return style.bold(f"{told}; interrupted" if found.interrupted else told)


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
