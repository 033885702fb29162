"""What comes of actions and of rolls: as lines."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from pymorph.answers import Branch, Change, Event, LineOfPlay, Odds, Outcome, Step
from pymorph.forms import together
from pymorph.text.judging import figure_rows, why
from pymorph.text.layout import PLAIN, Style, count, frame, plain, rule_ids, table
from pymorph.text.rolls import pending


def outcome(answer: Outcome, style: Style = PLAIN) -> list[str]:
    """Each step with what it changed and brought about; what was left undone; what comes now."""
    lines: list[str] = []
    for step in answer.steps:
        lines += [*step_lines(step, style), ""]
    if answer.rest:
        lines += [f"left undone: {', '.join(map(str, answer.rest))}", ""]
    return [*lines, style.dim(f"now: {frame(answer.position)}"), *pending(answer.pending, style)]


def step_lines(step: Step, style: Style = PLAIN) -> list[str]:
    """One step: the action, its changes, its events, the figures that account for them."""
    halted = " (what was to follow stops here)" if step.halted else ""
    lines = _came_about(step.changes, step.events, style)
    rows = figure_rows(step.position.ruleset, step.figures)
    lines += table(rows, paints=(plain, style.bold, style.dim))
    return [style.bold(str(step.action)) + halted, *(lines or ["  nothing changes"])]


def _came_about(changes: Iterable[Change], events: Iterable[Event], style: Style) -> list[str]:
    rows = [(f"{c.fluent}:", f"{c.before} -> {c.after}", rule_ids(c.rules)) for c in changes]
    rows += [("event:", str(e.event), rule_ids([e.rule])) for e in events]
    return table(rows, paints=(plain, plain, style.dim), wrap=False)


def line_of_play(answer: LineOfPlay, style: Style = PLAIN) -> list[str]:
    """What was carried out, and where it stopped, why."""
    done = answer.outcome
    lines = outcome(done, style)
    if answer.why is None:
        return lines
    shown = lines if done.steps else pending(done.pending, style)
    shown += [""] * bool(shown)
    return [*shown, style.bad(f"stopped at action {answer.stopped}"), *why(answer.why, style)]


def odds(answer: Odds, style: Style = PLAIN) -> list[str]:
    """What comes about in any case; then each way that rolls may come out, with its probability."""
    branches = answer.branches
    ways = f"{', '.join(map(str, answer.actions))}: {count(len(branches), 'ways')}".lstrip(": ")
    always: list[Change] = []
    common: list[Event] = []
    if len(branches) > 1:
        always = [c for c in branches[0].changes if all(c in b.changes for b in branches)]
        common = [e for e in branches[0].events if all(e in b.events for b in branches)]
    nothing = "nothing else" if always or common else "nothing"
    lines = [style.bold(ways)]
    if always or common:
        lines += ["", "in any case", *_came_about(always, common, style)]
    shares = [str(branch.probability) for branch in branches]
    width = max(map(len, shares))
    for share, branch in zip(shares, branches, strict=True):
        opening = f"{share:>{width}}  {_percent(branch.probability):>7}  {_rolled(branch)}"
        changes = [change for change in branch.changes if change not in always]
        events = [event for event in branch.events if event not in common]
        told = _came_about(changes, events, style) or [f"  {nothing} changes"]
        lines += ["", style.bold(opening.rstrip()), *told]
        if branch.rest:
            lines.append(f"  left undone: {', '.join(map(str, branch.rest))}")
        lines += [f"  {line}" for line in pending(branch.pending, style)]
    return lines


def _rolled(branch: Branch) -> str:
    """What was rolled on the way to a branch."""
    rolls = ", ".join(map(together, branch.rolls))
    return rolls if branch.every else f"some of {rolls}"


def _percent(share: Fraction) -> str:
    shown = f"{float(share * 100):.2f}%"
    return shown if shown != "0.00%" else "<0.01%"
