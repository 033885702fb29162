"""The results of verification, as lines: a table of the properties, then what breaks them."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from pymorph.adjudication import regression
from pymorph.errors import printable
from pymorph.verify import report as results
from pymorph.verify.runner import Report
from pymorph.verify.spaces.bounded_reachability import Play
from pymorph.views import layout
from pymorph.views.layout import LIMITS, PLAIN, Paint, Style, count, one_line, plain, table, wrapped

Saved = Mapping[tuple[str, results.Witness], str]


def properties(known: Sequence[results.Property], style: Style = PLAIN) -> list[str]:
    """The properties that there are, with what they mean."""
    rows = [(about.id, about.family, one_line(about.meaning)) for about in known]
    return table(rows, "", (style.bold, style.dim)) or ["no properties"]


def report(
    answer: Report, style: Style = PLAIN, everything: bool = False, saved: Saved | None = None
) -> list[str]:
    """Every property with its verdict; below, what is found against those that do not hold.

    *saved* has the files that witnesses are in, by property. Of many findings, and of those that
    the ruleset accepts, nothing but their number is told, unless *everything* is.
    """
    game = answer.ruleset
    lines = [style.bold(f"{one_line(game.title)} {game.version}"), style.dim(answer.bound), ""]
    if not answer.checked:
        return [*lines, "nothing to check"]
    pairs = zip(answer.properties, answer.checked, strict=True)
    rows = [(checked.id, checked.status, _looked(about, checked)) for about, checked in pairs]
    paints = {
        results.VIOLATED: style.bad,
        results.UNKNOWN: style.bold,
        results.NOT_TRIED: style.dim,
    }
    lines += verdicts(rows, paints, style.good)
    if answer.play is not None:
        lines += ["", *wrapped(_play(answer.play), "  ", "")]
    for checked in answer.checked:
        describe = partial(_finding, checked.id, style, everything, saved or {})
        lines += findings(checked, describe, style, everything)
    return [*lines, "", _summary(answer, style)]


def _play(play: Play) -> str:
    """How far play was followed from the starts, and what was found to hold there."""
    names = ", ".join(play.properties)
    if play.complete:
        says = f"play from the start: all {play.positions:,} positions that it reaches"
        idle = f"; never used there: {', '.join(play.idle)}" if play.idle else ""
        return f"{says}; proved for these: {names}{idle}" if names else f"{says}{idle}"
    deep = f"up to {count(play.actions, 'actions')} away"
    says = f"play from the start: the first {play.positions:,} positions, {deep}"
    return f"{says}; none of them breaks {names}" if names else says


def verdicts(
    rows: Sequence[tuple[str, str, str]], paints: Mapping[str, Paint], usual: Paint
) -> list[str]:
    """A table of results, painted row by row, for each has the colour of its status."""
    widths = [max(len(cells[i]) for cells in rows) for i in range(2)]
    painted = (table([cells], "", (plain, paints.get(cells[1], usual)), widths) for cells in rows)
    return [line for lines in painted for line in lines]


def findings(
    checked: results.PropertyResult,
    describe: Callable[[results.Finding], Iterator[str]],
    style: Style,
    everything: bool,
) -> Iterator[str]:
    """What was found of a property or a topic, and what else there is to say of it."""
    listed = [finding for finding in checked.findings if everything or not finding.accepted]
    if not (listed or checked.notes):
        return
    yield ""
    yield from wrapped(f"{checked.id}: {one_line(checked.meaning)}", "  ", "")
    most = len(listed) if everything else LIMITS.findings
    for finding in listed[:most]:
        yield from describe(finding)
    yield from layout.and_more(listed, most, "", ": --all")
    notes = (f"note: {one_line(note)}" for note in _by_subject(checked.notes))
    yield from layout.paragraphs(notes, "    ", "  ", style.dim)


def statement(finding: results.Finding, says: str, style: Style) -> Iterator[str]:
    """What a finding says, painted by its status."""
    first, *rest = wrapped(says, "    ", "  ")
    yield (style.bold if finding.status == results.UNKNOWN else style.bad)(first)
    yield from rest


def read_as(witness: results.Witness) -> str:
    """The readings under which a witness shows, in words."""
    choices = ", ".join(f"{question} = {option}" for question, option in witness.choices)
    return f"assumes {choices}" if choices else ""


def _looked(about: results.Property, checked: results.PropertyResult) -> str:
    """What was looked at, and how much of it has the thing that the property speaks of."""
    looked, noun = checked.looked, about.counted
    parts = [f"{looked}+ {noun}" if checked.more else count(looked, noun)]
    if about.speaks_of:
        parts.append(f"{checked.subjects}{'+' * checked.more} with {about.speaks_of}")
    known = sum(1 for finding in checked.findings if finding.accepted)
    parts += [f"{known} accepted"] if known else []
    return ", ".join(parts)


def _by_subject(notes: Iterable[str]) -> list[str]:
    """Notes, where what is said alike of several subjects is said once: a, b: looked for within."""
    subjects: dict[str, list[str]] = {}
    for note in notes:
        subject, colon, rest = note.partition(": ")
        subjects.setdefault(rest if colon else note, []).extend([subject] if colon else [])
    return [": ".join(filter(None, (", ".join(names), says))) for says, names in subjects.items()]


def _short(text: str, everything: bool) -> str:
    """A text; of a long one no more than the beginning, unless *everything* is told."""
    most = LIMITS.finding
    return text if everything or len(text) <= most else f"{text[: most - 3].rstrip()}..."


def _finding(
    about: str, style: Style, everything: bool, saved: Saved, finding: results.Finding
) -> Iterator[str]:
    """What does not hold, and how to look at it."""
    says = _short(one_line(finding.says), everything)
    says = f"{finding.subject}: {says} {layout.rule_ids(finding.rules)}".rstrip()
    says += f" ({finding.place})" if finding.place not in ("", finding.subject) else ""
    yield from statement(finding, says, style)
    if finding.accepted:
        yield from wrapped(f"accepted: {one_line(finding.accepted)}", "      ", "    ")
    if finding.witness is not None:
        yield from wrapped(_reached(finding.witness), "      ", "    ")
        file = saved.get((about, finding.witness))
        yield f"    {command(finding.witness, file)}"


def _reached(witness: results.Witness) -> str:
    """Whether play leads to a position, as far as that is known."""
    if witness.line is None:
        says = "well formed; unknown whether play reaches it"
    elif witness.line:
        says = f"reached from a start position: {'; '.join(witness.line)}"
    else:
        says = "a start position"
    return "; ".join(filter(None, (says, read_as(witness))))


def command(witness: results.Witness, file: str | None = None) -> str:
    """What to type to look at a witness: in its *file*, or in its one-line form."""
    place = file or witness.ruled.line()
    verb = ["why", place, witness.action] if witness.action else ["legal", place]
    return shlex.join(["pymorph", *verb])


def _summary(answer: Report, style: Style) -> str:
    tally = Counter(checked.status for checked in answer.checked)
    parts = [f"{tally[s]} {s}" for s in results.STATUSES if tally[s]]
    says = f"{count(len(answer.checked), 'properties')}: {', '.join(parts)}"
    return style.bold(f"{says}; interrupted" if answer.interrupted else says)


UNITS = {
    "positions": "positions",
    "records": "actions",
    "cases": "verdicts",
    "expectations": "test cases",
}


def lines(files: Sequence[regression.Tried], style: Style) -> list[str]:
    """A line for each file, and below it what is wrong with it or has to be noted."""
    block = []
    rows = []
    for one in files:
        path = os.path.relpath(one.file) if os.path.isabs(one.file) else one.file
        rows.append((path, "wrong" if one.faults else "good", count(one.tried, UNITS[one.kind])))
    for one, line in zip(files, table(rows, wrap=False), strict=True):
        block.append(style.bad(line) if one.faults else line)
        block += [f"    {printable(fault)}" for fault in one.faults]
        block += [style.dim(f"    note: {printable(note)}") for note in one.notes]
    return block


def summary(files: Sequence[regression.Tried], left: int, style: Style) -> str:
    """How many came out as they say."""
    wrong = sum(bool(one.faults) for one in files)
    says = f"{count(len(files), 'files')}: "
    says += style.bad(f"{wrong} wrong") if wrong else style.good("all good")
    return f"{says}, {left} not tested" if left else says
