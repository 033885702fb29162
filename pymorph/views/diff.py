"""What tells two versions of a ruleset apart, as lines."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping

from pymorph.verify.diff import ALIKE, DIFFERENT, Comparison
from pymorph.verify.report import UNKNOWN, Finding, PropertyResult, Witness
from pymorph.verify.topics import EFFECT, FIGURES, POSITIONS
from pymorph.views.layout import PLAIN, Style, count, one_line, plain, table, wrapped
from pymorph.views.reports import MANY, shown

Saved = Mapping[Witness, str]


def comparison(
    found: Comparison, style: Style = PLAIN, everything: bool = False, saved: Saved | None = None
) -> list[str]:
    """What differs in words, each topic with its verdict, then the positions that show it.

    *saved* has the files that witnesses are in. Of many differences of a topic, and of many in
    words, only the first are told, unless *everything* is.
    """
    lines = [style.bold(heading(found))]
    lines += [style.dim(found.bound)] if found.bound else []
    shown = found.words if everything else found.words[:MANY]
    if shown:
        lines += ["", *(line for each in shown for line in wrapped(each, "    ", "  "))]
    if len(found.words) > len(shown):
        lines.append(f"  and {len(found.words) - len(shown)} more: --all")
    if found.topics:
        lines += ["", *_table(found, style)]
    for topic in found.topics:
        lines += _told(topic, style, everything, saved or {})
    if found.notes:
        lines.append("")
    for note in found.notes:
        lines += map(style.dim, wrapped(f"note: {note}", "    ", "  "))
    last = found.status + ("; interrupted" if found.interrupted else "")
    return [*lines, "", style.bold(last)]


def heading(found: Comparison) -> str:
    """The names of both versions, and of which content they are."""
    names = [f"{one_line(game.title)} {game.version}" for game in (found.old, found.new)]
    if names[0] == names[1]:
        names = [
            f"{name} ({game.hash})"
            for name, game in zip(names, (found.old, found.new), strict=True)
        ]
    return " -> ".join(names)


def _table(found: Comparison, style: Style) -> list[str]:
    rows = [(each.id, each.status, _looked(each)) for each in found.topics]
    widths = [max(len(row[i]) for row in rows) for i in range(2)]
    paints = {DIFFERENT: style.bad, UNKNOWN: style.bold}
    lines = []
    for row in rows:
        lines += table([row], "", (plain, paints.get(row[1], style.good)), widths)
    return lines


def _looked(topic: PropertyResult) -> str:
    if topic.status == ALIKE:
        return "nothing differs that bears on it"
    return f"{topic.looked}+ positions" if topic.more else count(topic.looked, "positions")


def _told(topic: PropertyResult, style: Style, everything: bool, saved: Saved) -> Iterator[str]:
    """The differences of a topic."""
    if not topic.findings:
        return
    yield ""
    yield from wrapped(f"{topic.id}: {one_line(topic.meaning)}", "  ", "")
    for finding in topic.findings if everything else topic.findings[:MANY]:
        yield from _finding(topic.id, finding, style, saved)
    if len(topic.findings) > MANY and not everything:
        yield f"  and {len(topic.findings) - MANY} more: --all"


def _finding(topic: str, finding: Finding, style: Style, saved: Saved) -> Iterator[str]:
    """What both versions say, and how to look at it."""
    first, *rest = wrapped(f"{finding.subject}: {one_line(finding.says)}", "    ", "  ")
    yield (style.bold if finding.status == UNKNOWN else style.bad)(first)
    yield from rest
    if finding.witness is not None:
        choices = ", ".join(f"{q} = {o}" for q, o in finding.witness.choices)
        if choices:
            yield f"    read as {choices}"
        yield f"    {command(topic, finding, saved.get(finding.witness))}"


def command(topic: str, finding: Finding, file: str | None) -> str:
    """What to type to see what one version says of a witness: in its *file*, or in one line."""
    witness = finding.witness
    assert witness is not None
    place = file or shown(witness).line()
    words = {FIGURES: ["forecast", place, finding.subject], POSITIONS: ["check", place]}
    verb = "apply" if topic == EFFECT else "why"
    return shlex.join(["pymorph", *words.get(topic, [verb, place, witness.action])])
