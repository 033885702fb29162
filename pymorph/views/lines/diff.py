"""How two versions of a ruleset differ, as lines."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from functools import partial

from pymorph.verify.report import UNKNOWN, Finding, PropertyResult
from pymorph.verify.versions.compared_answers import EFFECT, FIGURES, POSITIONS
from pymorph.verify.versions.diff import ALIKE, DIFFERENT, Comparison
from pymorph.views.layout import LIMITS, PLAIN, Style, and_more, count, one_line, paragraphs
from pymorph.views.lines.reports import Saved, findings, read_as, statement, verdicts


def comparison(
    answer: Comparison, style: Style = PLAIN, everything: bool = False, saved: Saved | None = None
) -> list[str]:
    """What differs in words, each topic with its verdict, then the positions that show it.

    *saved* has the files that witnesses are in, by topic. Of many differences of a topic, and of
    many in words, only the first are listed, unless *everything* is wanted.
    """
    lines = [style.bold(heading(answer))]
    lines += [style.dim(answer.bound)] if answer.bound else []
    listed = answer.words if everything else answer.words[: LIMITS.findings]
    if listed:
        lines += ["", *paragraphs(listed, "    ", "  ")]
    lines += and_more(answer.words, len(listed), "", ": --all")
    if answer.topics:
        rows = [(topic.id, topic.status, _looked(topic)) for topic in answer.topics]
        paints = {DIFFERENT: style.bad, UNKNOWN: style.bold}
        lines += ["", *verdicts(rows, paints, style.good)]
    for topic in answer.topics:
        lines += findings(topic, partial(_finding, topic.id, style, saved or {}), style, everything)
    lines += [""] if answer.notes else []
    lines += paragraphs((f"note: {note}" for note in answer.notes), "    ", "  ", style.dim)
    last = answer.status + ("; interrupted" if answer.interrupted else "")
    return [*lines, "", style.bold(last)]


def heading(answer: Comparison) -> str:
    """The names of both versions, and of which content they are."""
    games = (answer.old, answer.new)
    names = [f"{one_line(game.title)} {game.version}" for game in games]
    if names[0] == names[1]:
        names = [f"{name} ({game.hash})" for name, game in zip(names, games, strict=True)]
    return " -> ".join(names)


def _looked(topic: PropertyResult) -> str:
    if topic.status == ALIKE:
        return "no change affects it"
    return f"{topic.looked}+ positions" if topic.more else count(topic.looked, "positions")


def _finding(topic: str, style: Style, saved: Saved, finding: Finding) -> Iterator[str]:
    """What both versions say, and how to look at it."""
    yield from statement(finding, f"{finding.subject}: {one_line(finding.says)}", style)
    if finding.witness is not None:
        if choices := read_as(finding.witness):
            yield f"    {choices}"
        yield f"    {command(topic, finding, saved.get((topic, finding.witness)))}"


def command(topic: str, finding: Finding, file: str | None) -> str:
    """What to type to see what one version says of a witness: in its *file*, or in one line."""
    witness = finding.witness
    assert witness is not None
    place = file or witness.ruled.line()
    words = {FIGURES: ["forecast", place, finding.subject], POSITIONS: ["check", place]}
    verb = "apply" if topic == EFFECT else "why"
    return shlex.join(["pymorph", *words.get(topic, [verb, place, witness.action])])
