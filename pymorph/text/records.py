"""Records and games being played: as lines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from pymorph.answers import Legality, Step
from pymorph.terms import Term
from pymorph.text.judging import standstill, why
from pymorph.text.layout import PLAIN, Style, count, frame, table
from pymorph.text.playing import step_lines
from pymorph.text.rolls import pending

if TYPE_CHECKING:
    from pymorph.queries.replaying import Replay, Stop

MANY = 30  # numbered lines that are shown at once


def played(number: int, steps: Sequence[Step], style: Style = PLAIN) -> list[str]:
    """A step of a record: what it changed, and what followed of it."""
    found = [line for step in steps for line in step_lines(step, style)]
    return [f"{style.dim(f'{number}.')} {found[0]}", *found[1:]]


def replay(answer: Replay, name: str, style: Style = PLAIN) -> list[str]:
    """How far a record goes: to its end, or to a step that is not carried out, and why not."""
    lines = []
    if answer.made_under:
        old = _edition(*answer.made_under)
        now = _edition(answer.ruleset.version, answer.ruleset.hash)
        lines += [style.bold(f"made under {old}; this is {now}"), ""]
    steps = count(answer.steps, "steps")
    if answer.stop:
        return [*lines, f"{steps} played", "", *stop(answer.stop, name, style)]
    verdict = (
        style.bad(f"{steps}, but another end than recorded")
        if answer.differs
        else style.good(f"{steps}, all by the rules")
    )
    lines += [verdict, style.dim(f"now: {frame(answer.position)}")]
    rows = [(f"{d.fluent}:", str(d.now), f"recorded {d.recorded}") for d in answer.differs]
    return [*lines, *pending(answer.pending, style), *table(rows, wrap=False)]


def stop(found: Stop, name: str, style: Style = PLAIN) -> list[str]:
    """Why a step is not carried out."""
    opening = style.bad(f"{found.place or name}: stopped at step {found.step}")
    told = why(found.why, style) if found.why else [f"{found.action}: {found.says}"]
    waiting = pending(found.pending, style)
    return [opening, *told, *([""] if waiting else []), *waiting]


def _edition(version: str, digest: str) -> str:
    return " ".join([f"version {version}"] * bool(version) + [f"({digest})"] * bool(digest))


def numbered(answer: Legality, everything: bool = False, style: Style = PLAIN) -> list[str]:
    """The legal actions with their numbers from 1, by actor.

    Of very many, those that differ in a last number stand in one line, unless *everything* is
    wanted, and no more lines are shown than a person would read.
    """
    spread = everything or len(answer.actions) <= MANY
    lines: list[str] = []
    shown, number = 0, 1
    width = len(str(len(answer.actions)))
    for actor, group in groupby(answer.actions, key=lambda action: action.actor):
        runs = _runs(list(group), spread)
        room = len(runs) if everything else MANY - shown
        lines += [style.bold(f"{actor} may")] if room else []
        for run in runs[:room]:
            last = number + len(run) - 1
            label = f"{number:>{width}}" if last == number else f"{number:>{width}}..{last}"
            end = "" if last == number else f" to {run[-1].arguments[-1]}"
            lines.append(f"  {label}  {style.good(str(run[0]))}{end}")
            number += len(run)
        shown += len(runs[:room])
    left = len(answer.actions) - number + 1
    if left:
        lines.append(f"and {left} more: legal all")
    if answer.unsettled:
        lines.append(f"{count(len(answer.unsettled), 'actions')} hang on something hidden")
    return lines or [standstill(answer, style)]


def _runs(actions: Sequence[Term], spread: bool) -> list[list[Term]]:
    """The actions, those in a row whose last number alone goes up by one together."""
    runs: list[list[Term]] = []
    for action in actions:
        if runs and not spread and _next(runs[-1][-1], action):
            runs[-1].append(action)
        else:
            runs.append([action])
    return runs


def _next(one: Term, other: Term) -> bool:
    if one.name != other.name or one.arguments[:-1] != other.arguments[:-1]:
        return False
    low, high = one.arguments[-1].number, other.arguments[-1].number
    return low is not None and high is not None and high == low + 1
