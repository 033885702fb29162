"""Why an event came about, or that it did not: as lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from pymorph.dynamics.outcomes import Fact, Happening, Unmet, WhyEvent
from pymorph.dynamics.results import ranges
from pymorph.terms import Term
from pymorph.views import layout
from pymorph.views.layout import LIMITS, PLAIN, Style, count, plain, rule_ids, table, wrapped
from pymorph.views.lines.answers import figure_line, figure_lines, reason_lines
from pymorph.views.lines.rules import rule_body, rule_head
from pymorph.views.width import TIE


def why_event(answer: WhyEvent, style: Style = PLAIN) -> list[str]:
    """Where it came about and by which rules, the events it rests on, its figures and fluents."""
    if answer.at is None:
        return layout.with_key(answer.ruleset, _not_so(answer, style), style)
    verb = "it happens" if answer.at.move is None else "it happened"
    lines = [f"{style.good(verb)}: {style.bold(layout.phrase(answer.ruleset, answer.event))}"]
    lines += wrapped(_where(answer.at), "    ", "  ")
    lines += _also(answer)
    for reason in answer.reasons:
        lines += ["", *reason_lines(reason, style)]
    if answer.causes:
        rows = []
        for cause in answer.causes:
            event = layout.phrase(answer.ruleset, cause.event)
            rows.append((event, _elsewhere(answer.at, cause), rule_ids(cause.rules)))
        lines += ["", style.bold("depends on the events"), *_table(rows, style)]
    lines += figure_lines(answer.ruleset, answer.figures, style)
    if answer.facts or answer.without:
        lines += ["", style.bold("depends on"), *_facts(answer.facts)]
        without = ", ".join(str(fluent).replace(" ", TIE) for fluent in answer.without)
        lines += wrapped(f"without {without}", "    ", "  ") if without else []
    if answer.readings:
        lines += ["", *wrapped(f"assumes: {layout.choices_text(answer.readings)}", "  ", "")]
    return layout.with_key(answer.ruleset, lines, style)


def _where(at: Happening) -> str:
    """By which action or step, in which move."""
    text = f"by {at.step}"
    if at.settled:
        text += ", automatically"
    if at.action is not None and at.action != at.step:
        text += f", after {at.action}" if at.settled else f", of {at.action}"
    return text if at.move is None else f"in step {at.move}, {text}"


def _elsewhere(at: Happening, other: Happening) -> str:
    """Where another event came about, if that was in another step."""
    if (other.step, other.move) == (at.step, at.move):
        return ""
    return f"by {other.step}" if other.move is None else f"in step {other.move}"


def _table(rows: list[tuple[str, str, str]], style: Style) -> list[str]:
    """Rows of which the middle one may be empty in all."""
    if any(cells[1] for cells in rows):
        return table(rows, paints=(plain, plain, style.dim), wrap=False)
    return table([(cells[0], cells[2]) for cells in rows], paints=(plain, style.dim), wrap=False)


def _also(answer: WhyEvent) -> list[str]:
    """Where else such events come about."""
    grouped: dict[Term, list[Happening]] = defaultdict(list)
    for other in answer.also:
        grouped[other.event].append(other)
    lines = []
    for event, happenings in list(grouped.items())[: LIMITS.also]:
        moves = dict.fromkeys(str(one.move) for one in happenings if one.move is not None)
        ways = _forms(other.action or other.step for other in happenings)
        where = f"in step{'s' * (len(moves) > 1)} {', '.join(moves)}" if moves else f"by {ways}"
        name = "" if event == answer.event else f" {event}"
        lines += wrapped(f"also{name} {where}", "    ", "  ")
    return lines + layout.and_more(grouped, LIMITS.also, "events", " (--json)")


def _forms(actions: Iterable[Term]) -> str:
    """Some actions, those that differ in one argument drawn together."""
    return ", ".join(form for form, _ in ranges([(term, "") for term in dict.fromkeys(actions)]))


def _facts(facts: Iterable[Fact]) -> list[str]:
    """The fluents that came about on the way, each with the step; then the others."""
    rows, rest = [], []
    for fluent, value, step, move in facts:
        text = f"{fluent} = {value}"
        if step is None:
            rest.append(text.replace(" ", TIE))
        else:
            since = f"since {step}" if move is None else f"since step {move}, {step}"
            rows.append((text, since))
    return [*table(rows), *(wrapped(", ".join(rest), "    ", "  ") if rest else [])]


def _not_so(answer: WhyEvent, style: Style) -> list[str]:
    """That it does not come about, what does instead, and what is missing for it."""
    if answer.happens is None:
        items = ", ".join(map(str, answer.depends_on))
        lines = [f"{style.bold('it depends')}: {style.bold(str(answer.event))} depends on {items}"]
    else:
        verb = "it does not happen" if answer.tried is None else "it does not happen now"
        lines = [f"{style.bad(verb)}: {style.bold(str(answer.event))}"]
    lines += _beyond(answer)
    rows = [(str(other.event), _where(other), rule_ids(other.rules)) for other in answer.instead]
    if rows:
        lines += ["", style.bold("what happens instead"), *_table(rows, style)]
    if answer.rolling:
        text = "not searched beyond a roll (add --after ACTION --given ROLL)"
        lines += ["", *wrapped(f"{text}: {_forms(answer.rolling)}", "  ", "")]
    quoted: set[str] = set()
    for unmet in answer.unmet:
        lines += ["", *_unmet(answer, unmet, style, unmet.rule not in quoted)]
        quoted.add(unmet.rule)
    return lines


def _beyond(answer: WhyEvent) -> list[str]:
    """How far it was looked, when it comes about later, and which rules could bring it about."""
    if answer.tried is None:
        return []
    if answer.over:
        texts = [f"the game is over {rule_ids(answer.over)}"]
    elif answer.tried:
        tried = count(answer.tried, "actions")
        texts = [f"legal now: {tried}; none causes it, even with the forced steps after it"]
    else:
        texts = ["no action is legal now"]
    if answer.later is not None:
        policy, actions, at = answer.later
        after = f"after {count(len(actions), 'actions')}, {_where(at)}"
        texts.append(f"later, if all play by {policy}: {at.event} {after}")
    elif not answer.over:
        goal = f'pymorph plan FILE --goal "happens({answer.event})"'
        texts.append(f"to look further ahead: {goal.replace(' ', TIE)}")
    if answer.bringing and not answer.unmet:
        texts.append(f"rules that can cause it: {rule_ids(answer.bringing)}")
    return layout.paragraphs(texts, "    ", "  ")


def _unmet(answer: WhyEvent, unmet: Unmet, style: Style, in_full: bool) -> list[str]:
    """A rule that could have brought it about, and what was wrong for it."""
    lines = [f"not caused in {unmet.step}"]
    if unmet.rule:
        rule = answer.ruleset.rule(unmet.rule)
        lines = [f"{lines[0]} by {rule_head(rule, style)}", *(rule_body(rule, style) * in_full)]
    if not (unmet.missing or unmet.against):
        lines.append("  its conditions do not hold at the same time")
    for what, items in (("missing", unmet.missing), ("against it", unmet.against)):
        if items:
            lines += wrapped(f"{what}: {', '.join(map(str, items))}", "    ", "  ")
    figures = (figure_line(answer.ruleset, figure) for figure in unmet.figures)
    return lines + layout.paragraphs(figures, "      ", "  ")
