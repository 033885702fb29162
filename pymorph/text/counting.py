"""Counts as lines: how many sequences of each length, and how they begin."""

from __future__ import annotations

from collections.abc import Sequence

from pymorph.counts import Count
from pymorph.text.layout import PLAIN, Style, count, table


def counted(answer: Count, style: Style = PLAIN) -> list[str]:
    """A row for each length, then how many of the longest begin with each action."""
    followed = _followed(answer)
    lines = [style.dim(f"followed: {followed}"), ""] if followed else []
    rows = []
    for each in answer.lengths:
        numbers = (each.length, each.sequences, each.ended, each.positions)
        rows.append(["" if number is None else str(number) for number in numbers])
    titles = ["length", "sequences", "ended", "positions"]
    if answer.positions is None:
        titles, rows = titles[:3], [row[:3] for row in rows]
    lines += _numbers(titles, rows) if rows else []
    remarks = [_end(answer)]
    if answer.positions is not None and rows:
        remarks.append(f"{count(answer.positions, 'different positions')} altogether")
    remarks = [remark for remark in remarks if remark]
    lines += [*([""] if rows and remarks else []), *remarks]
    if rows:
        longest = answer.lengths[-1]
        lines += ["", style.bold(f"of length {longest.length}, by first action")]
        shares = [(str(action), str(number)) for action, number in longest.by_first]
        width = max(len(number) for _, number in shares)
        lines += table([(a, number.rjust(width)) for a, number in shares], wrap=False)
    return lines


def _followed(answer: Count) -> str:
    """Which actions were followed, where it was not all of them."""
    parts = [f"actions of {' and '.join(answer.of)}"] if answer.of else []
    parts += [f"without {form}" for form in answer.without]
    parts += [f"until the end of a {answer.until}"] if answer.until else []
    return ", ".join(parts)


def _end(answer: Count) -> str:
    """Why there is nothing of greater length, if it was not the depth that was asked for."""
    if not answer.complete:
        return f"stopped: length {len(answer.lengths) + 1} was not counted to its end"
    if not answer.final:
        return ""
    if not answer.lengths:
        return "nothing may be done"
    ended = sum(each.ended or 0 for each in answer.lengths)
    return f"none is longer; {count(ended, 'sequences')} came to an end"


def _numbers(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns of numbers, aligned to the right."""
    every = [titles, *rows]
    widths = [max(len(row[i]) for row in every) for i in range(len(titles))]
    aligned = [[cell.rjust(width) for cell, width in zip(r, widths, strict=True)] for r in every]
    return table(aligned, wrap=False)
