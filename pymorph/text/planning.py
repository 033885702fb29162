"""Plans as lines: what is done step by step, or how far nothing helps."""

from __future__ import annotations

from collections.abc import Sequence

from pymorph.plans import DECISIONS, Choice, Moment, Plan, Reply
from pymorph.text.layout import PLAIN, Style, count, plain, rule_ids, table

MANY = 40  # choices of a strategy that a person would read


def plan(answer: Plan, style: Style = PLAIN) -> list[str]:
    """The line of play with its events, or over how many positions it is proved that none is."""
    lines = [style.bold(answer.goal), _verdict(answer, style)]
    if answer.rules:
        lines.append(
            style.dim(f"not looked into where it cannot come yet {rule_ids(answer.rules)}")
        )
    if answer.timeline:
        lines += ["", *_timeline(answer.timeline, style)]
    if answer.strategy:
        lines += ["", style.bold("after each reply"), *_strategy(answer.strategy)]
    for stop in answer.stops:
        lines += ["", f"a line ends early: {stop}"]
    if answer.deadline is not None:
        event, steps = answer.deadline.event, answer.deadline.timeline
        after = count(steps[-1].step, DECISIONS) if steps else "nothing"
        told = f"{event} comes first, after {after}"
        told += " at most" if answer.deadline.longest else f" if {answer.by} only passes"
        lines += ["", style.bold(told), *_timeline(steps, style)]
    return lines


def _verdict(answer: Plan, style: Style) -> str:
    """What is found or not, who plays for it and against what, and on how much that rests."""
    rests = count(answer.positions, "positions")
    if answer.by:
        against = {"whatever": "whatever the others do", "file": "against what the file has"}
        sides = f"{answer.by}, {against.get(answer.against, f'against {answer.against}')}"
    else:
        sides = "all together"
    sides += f"; rolls {answer.rolls}"
    if answer.found:
        worst = " at worst" if answer.strategy else ""
        how = f"yes, in {count(answer.decisions, DECISIONS)}{worst} ({sides}; {rests})"
        return style.good(how)
    within = count(answer.bound.most, _plural(answer.bound.unit))
    if answer.found is None:
        reached = count(answer.decisions, DECISIONS)
        return f"time is up: no line of {reached} so far, of {within} ({sides}; {rests})"
    if answer.complete:
        return style.bad(f"no line, however long: proved over {rests} ({sides})")
    return style.bad(f"no line within {within}: proved over {rests} ({sides})")


def _plural(unit: str) -> str:
    return unit if unit == DECISIONS else f"{unit}s"


def _timeline(moments: Sequence[Moment], style: Style) -> list[str]:
    """Each step with its events, what follows of itself, and a mark where a period ends."""
    lines: list[str] = []
    for moment in moments:
        lines += table([(f"{moment.step:>2}", str(moment.action))], paints=(style.dim,), wrap=False)
        rows = [(str(event.event), rule_ids([event.rule])) for event in moment.events]
        lines += table(rows, indent=" " * 8, paints=(plain, style.dim), wrap=False)
        if moment.then:
            lines.append(style.dim(f"      then {', '.join(map(str, moment.then))}"))
        lines += [style.dim(f"  -- end of the {period} --") for period in moment.ended]
    return lines


def _strategy(choices: Sequence[Choice]) -> list[str]:
    """Each moment by its number: what to do, or what others may do, and where that leads."""
    rows = []
    for choice in choices[:MANY]:
        own = [f"do {_reply(choice.do)}"] if choice.do else []
        replies = [f"if {_reply(reply)}" for reply in choice.replies]
        rows.append((f"{choice.number}.", "; ".join([*own, *replies])))
    more = len(choices) - MANY
    return table(rows) + ([f"  and {more} more: --json"] if more > 0 else [])


def _reply(reply: Reply) -> str:
    return f"{reply.action}: {'done' if reply.to is None else reply.to}"
