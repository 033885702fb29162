"""What lies ahead as lines: plans step by step, the odds of outcomes, the number of sequences."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING

from pymorph.dynamics.outcomes import common_events
from pymorph.dynamics.results import left_out, together
from pymorph.state.claim import DECISIONS
from pymorph.terms import plural
from pymorph.views import layout
from pymorph.views.layout import LIMITS, PLAIN, Style, count, rule_ids, spaced, table, wrapped
from pymorph.views.lines.answers import effects, over, pending, undone

if TYPE_CHECKING:
    from pymorph.dynamics.outcomes import Branch, Change, Event, Odds
    from pymorph.explore.perft import counting
    from pymorph.explore.search import planning


def plan(answer: planning.Plan, style: Style = PLAIN) -> list[str]:
    """The line of play with its events, or over how many positions it is proved that none is."""
    spoken = answer.ruleset.vocabulary.rulers.spoken
    first = [style.bold(spoken(answer.goal)), _verdict(answer, style)]
    if answer.rules:
        cannot = f"not searched where the goal is not possible yet {rule_ids(answer.rules)}"
        first.append(style.dim(cannot))
    if answer.limit:
        bound = f"{answer.bound.most} {plural(answer.bound.unit)}"
        note = f"stopped after {answer.limit} positions; to search further: --within {bound!r}"
        first.append(style.dim(note))
    notes = [f"left out: {text}" for text in answer.left_out if not answer.found]
    notes += [f"assumed: {text}" for text in answer.assumed]
    first += layout.paragraphs(notes, "  ", "", style.dim)
    ended = over(answer.ruleset, answer.outcome, style)
    blocks = [first, [*_timeline(answer.timeline, style), *ended]]
    if answer.unproposed:
        open_ones = layout.listed(answer.unproposed)
        note = f"not searched: {open_ones}; no search proposes these, so name them"
        first += wrapped(note, "  ", "", style.dim)
    if answer.strategy:
        blocks.append([style.bold("after each reply"), *_strategy(answer.strategy)])
    blocks += [[f"a line ends early: {stop}"] for stop in answer.stops]
    if answer.deadline is not None:
        event, steps = answer.deadline.event, answer.deadline.timeline
        after = count(steps[-1].step, DECISIONS) if steps else "nothing"
        note = f"{event} comes first, after {after}"
        note += " at most" if answer.deadline.longest else f" if {answer.by} only passes"
        blocks.append([style.bold(note), *_timeline(steps, style)])
    return spaced(filter(None, blocks))


def _verdict(answer: planning.Plan, style: Style) -> str:
    """What is found or not, who plays for it and against what, and on how much that rests."""
    rests = count(answer.positions, "positions")
    if answer.by:
        against = {"whatever": "whatever the others do", "file": "against the steps in the file"}
        sides = f"{answer.by}, {against.get(answer.against, f'against {answer.against}')}"
    else:
        sides = "all together"
    sides += f"; rolls {answer.rolls}"
    if answer.found:
        worst = " at worst" if answer.strategy else ""
        how = f"yes, in {count(answer.decisions, DECISIONS)}{worst} ({sides}; {rests})"
        return style.good(how)
    within = count(answer.bound.most, plural(answer.bound.unit))
    if answer.found is None:
        open_by = {
            " so far": answer.limit,
            " without open actions": answer.unproposed,
            ", some lines end early": answer.stops,
            " under these assumptions": answer.assumed,
        }
        how = next((text for text, why in open_by.items() if why), f" so far, limit {within}")
        opening = "not settled" if any(open_by.values()) else layout.TIME_UP
        reached = count(answer.decisions, DECISIONS)
        return f"{opening}: no line of {reached}{how} ({sides}; {rests})"
    if answer.complete:
        return style.bad(f"no line of any length: proved over {rests} ({sides})")
    return style.bad(f"no line within {within}: proved over {rests} ({sides})")


def _timeline(moments: Sequence[planning.Moment], style: Style) -> list[str]:
    """Each step with its events, what follows of itself, and a mark where a period ends."""
    lines: list[str] = []
    for moment in moments:
        lines += table([(f"{moment.step:>2}", str(moment.action))], paints=(style.dim,), wrap=False)
        rows = [(event.text or str(event.event), rule_ids([event.rule])) for event in moment.events]
        lines += table(rows, indent=" " * 8, paints=(layout.plain, style.dim), wrap=False)
        if moment.then:
            lines.append(style.dim(f"      then {', '.join(map(str, moment.then))}"))
        lines += [style.dim(f"  -- end of the {period} --") for period in moment.ended]
    return lines


def _strategy(choices: Sequence[planning.Choice]) -> list[str]:
    """Each moment by its number: what to do, or what others may do, and where that leads."""
    rows = []
    for choice in choices[: LIMITS.choices]:
        own = [f"do {_reply(choice.do)}"] if choice.do else []
        replies = [f"if {_reply(reply)}" for reply in choice.replies]
        rows.append((f"{choice.number}.", "; ".join([*own, *replies])))
    return table(rows) + layout.and_more(choices, LIMITS.choices, "", ": --json")


def _reply(reply: planning.Reply) -> str:
    return f"{reply.action}: {'done' if reply.to is None else reply.to}"


def odds(answer: Odds, style: Style = PLAIN) -> list[str]:
    """What comes about in any case; then each way that rolls may come out, with its probability."""
    branches = answer.branches
    actions = ", ".join(map(str, answer.actions))
    ways = f"{actions}: {count(len(branches), 'outcomes')}".lstrip(": ")
    always, common = _in_all(branches)
    everywhere = {event.event for event in common}
    lines = [style.bold(ways), *_by_policies(answer, style)]
    nothing = "nothing"
    if always or common:
        lines += ["", "in every outcome", *effects(answer.ruleset, always, common, style)]
        nothing = "nothing else"
    width = max(len(str(branch.probability)) for branch in branches)
    for branch in branches:
        share = str(branch.probability).rjust(width)
        opening = f"{share}  {_percent(branch.probability):>7}  {_rolls_text(branch)}"
        changes = [change for change in branch.changes if change not in always]
        events = [event for event in branch.events if event.event not in everywhere]
        done = effects(answer.ruleset, changes, events, style) or [f"  {nothing} changes"]
        lines += ["", style.bold(opening.rstrip()), *done, *_end_of(branch, answer, style)]
    if answer.partial:
        left = sum((b.probability for b in branches if b.unfinished), Fraction(0))
        note = f"partial: {layout.TIME_UP}; {_percent(left)} of the odds not followed to the end"
        lines += ["", style.bold(note)]
    return layout.with_key(answer.ruleset, lines, style, answer.ours)


def _in_all(branches: Sequence[Branch]) -> tuple[Sequence[Change], Sequence[Event]]:
    """The changes and the events that are the same in all of several branches."""
    first, *others = branches
    if not others:
        return (), ()
    changes = [c for c in first.changes if all(c in branch.changes for branch in others)]
    return changes, reduce(common_events, [branch.events for branch in branches])


def _end_of(branch: Branch, answer: Odds, style: Style) -> list[str]:
    """What is left undone or pending at the end of a branch, and whether the game is over."""
    lines = undone(branch.rest, branch.position)
    lines += ["not followed to the end"] if branch.unfinished else []
    lines += [*pending(branch.pending, style), *over(answer.ruleset, branch.outcome, style)]
    return [f"  {line}" for line in lines]


def _by_policies(answer: Odds, style: Style) -> list[str]:
    """Who plays by which policy, and how likely the events are that may come of it."""
    if not answer.policies:
        return []
    lines = [f"{who} plays {policy}" for who, policy in answer.policies.items()]
    lines += [f"{policy}: {text}" for policy, text in answer.means.items()]
    rows = []
    for event, odds, rules in answer.events:
        cells = (layout.phrase(answer.ruleset, event), str(odds), f"= {_percent(odds)}")
        rows.append((*cells, rule_ids(rules)))
    return [*lines, "", *table(rows, paints=(*[layout.plain] * 3, style.dim), wrap=False)]


def _rolls_text(branch: Branch) -> str:
    """What was rolled on the way to a branch."""
    rolls = ", ".join(map(together, branch.rolls))
    return rolls if branch.every else f"some of {rolls}"


def _percent(share: Fraction) -> str:
    text = f"{float(share * 100):.2f}%"
    return text if text != "0.00%" else "<0.01%"


def sequences(answer: counting.Count, style: Style = PLAIN) -> list[str]:
    """A row for each length, then how many of the longest begin with each action."""
    notes = count_notes(answer)
    lines = [*map(style.dim, notes), *[""] * bool(notes)]
    titles, rows = count_rows(answer)
    blocks = [layout.aligned([titles, *rows], first=True) if rows else [], count_remarks(answer)]
    if rows:
        longest = answer.lengths[-1]
        shares = [(str(action), str(number)) for action, number in longest.by_first]
        width = max(len(number) for _, number in shares)
        by_first = table([(a, number.rjust(width)) for a, number in shares], wrap=False)
        blocks.append([style.bold(f"length {longest.length}, by first action"), *by_first])
    return lines + spaced(filter(None, blocks))


def count_rows(answer: counting.Count) -> tuple[list[str], list[list[str]]]:
    """The titles of columns, and a row for each length."""
    rows = []
    for level in answer.lengths:
        numbers = (level.length, level.sequences, level.ended, level.positions)
        rows.append(["" if number is None else str(number) for number in numbers])
    titles = ["length", "sequences", "ended", "positions"]
    if answer.positions is None:
        return titles[:3], [cells[:3] for cells in rows]
    return titles, rows


def count_notes(answer: counting.Count) -> list[str]:
    """Which actions were followed, and what was left out."""
    followed = restrictions(answer)
    notes = [f"followed: {followed}"] * bool(followed)
    return notes + [f"left out: {what}" for what in left_out(answer.ruleset)]


def count_remarks(answer: counting.Count) -> list[str]:
    """Why there is nothing of greater length, and how many positions there are."""
    remarks = [_end(answer)]
    if answer.positions is not None and answer.lengths:
        remarks.append(f"{count(answer.positions, 'different positions')} in total")
    return [*filter(None, remarks)]


def restrictions(answer: counting.Count) -> str:
    """Which actions were followed, where it was not all of them."""
    parts = [f"actions of {' and '.join(answer.of)}"] if answer.of else []
    parts += [f"without {form}" for form in answer.without]
    parts += [f"until the end of a {answer.until}"] if answer.until else []
    return ", ".join(parts)


def _end(answer: counting.Count) -> str:
    """Why there is nothing of greater length, if it was not the depth that was asked for."""
    if not answer.complete:
        return f"stopped: length {len(answer.lengths) + 1} is incomplete"
    if not answer.final:
        return ""
    if not answer.lengths:
        return "no action is legal"
    ended = sum(level.ended or 0 for level in answer.lengths)
    return f"no sequence is longer; {count(ended, 'sequences')} ended"
