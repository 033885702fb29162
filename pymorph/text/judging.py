"""What is legal and why, what figures there are, whether a position is one: as lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from pymorph.answers import Check, Figure, Forecast, Legality, Reason, Why
from pymorph.forms import ranges
from pymorph.ruleset import Ruleset
from pymorph.terms import Term
from pymorph.text.layout import (
    PLAIN,
    TIE,
    Style,
    count,
    ground,
    heading,
    ledger,
    one_line,
    plain,
    rule_ids,
    table,
    words,
    wrapped,
)
from pymorph.text.rolls import outcomes
from pymorph.text.rules import rule_body, rule_head

if TYPE_CHECKING:
    from pymorph.position import Position

ROLES = {
    "allows": "allowed by",
    "costs": "priced by",
    "forbids": "forbidden by",
    "delays": "delayed by",
    "decides": "left open by",
}


def _by_actor(terms: Iterable[Term]) -> dict[str, list[Term]]:
    groups: dict[str, list[Term]] = defaultdict(list)
    for term in terms:
        groups[term.actor].append(term)
    return dict(sorted(groups.items()))


# -- legal -----------------------------------------------------------------------------------------


def standstill(answer: Legality, style: Style = PLAIN) -> str:
    """Why nobody may do anything: the game is over, or nothing is legal."""
    if not answer.over:
        return style.bold("nothing is legal")
    return f"{style.bold('the game is over')} {style.dim(rule_ids(answer.over))}"


def legality(answer: Legality, position: Position | None = None, style: Style = PLAIN) -> list[str]:
    """Who may do what; what hangs on something hidden; what is forbidden, if that was asked.

    What a roll may bring stands in one line, with its odds.
    """
    lines = heading(position, style)
    rolled = {outcome for roll in answer.rolls for outcome, _ in roll.outcomes}
    for actor, actions in _by_actor(answer.actions).items():
        lines.append(style.bold(f"{actor} may"))
        lines += [f"  {style.good(str(action))}" for action in actions if action not in rolled]
        rows = [
            (form, odds, rule_ids([roll.rule]))
            for roll in answer.rolls
            if roll.outcomes[0][0].actor == actor
            for form, odds in outcomes(roll)
        ]
        lines += [*table(rows, paints=(style.good, plain, style.dim), wrap=False), ""]
    if not answer.actions:
        lines += [standstill(answer, style), ""]
    doubts = {doubt.action: doubt for doubt in answer.unsettled}
    for actor, actions in _by_actor(doubts).items():
        rows = []
        for action in actions:
            items = ", ".join(map(str, doubts[action].depends_on))
            rows.append((str(action), f"hangs on {items}", rule_ids(doubts[action].rules)))
        lines += [style.bold(f"{actor} may or may not")]
        lines += [*table(rows, paints=(plain, plain, style.dim), wrap=False), ""]
    against = {forbidden.action: forbidden.rules for forbidden in answer.forbidden or ()}
    for actor, actions in _by_actor(against).items():
        forms = ranges([(action, rule_ids(against[action])) for action in actions])
        lines += [style.bold(f"{actor} may not")]
        lines += [*table(forms, paints=(style.bad, style.dim), wrap=False), ""]
    return lines[:-1]


# -- why -------------------------------------------------------------------------------------------


def why(answer: Why, style: Style = PLAIN) -> list[str]:
    """The verdict, each rule in full, the figures that weigh in, the readings in force."""
    lines = [verdict(answer, style)]
    told: set[str] = set()
    for reason in answer.reasons:
        lines += ["", *reason_lines(reason, style, reason.rule.id not in told)]
        told.add(reason.rule.id)
    if answer.figures:
        lines += ["", style.bold("figures")]
        for figure in answer.figures:
            lines += wrapped(figure_line(answer.ruleset, figure), "      ", "  ")
    if answer.readings:
        lines.append("")
        rows = [(q, o, "ruled" if ruled else "default") for q, o, ruled in answer.readings]
        lines += [f"read as: {q} = {style.bold(o)} ({kind})" for q, o, kind in rows]
    return lines


def verdict(answer: Why, style: Style = PLAIN) -> str:
    """The first line of an explanation."""
    if answer.legal:
        return f"{style.good('legal')}: {style.bold(str(answer.action))}"
    if answer.legal is None:
        items = ", ".join(map(str, answer.depends_on))
        return f"{style.bold('it depends')}: {style.bold(str(answer.action))} hangs on {items}"
    return f"{style.bad('not legal')}: {style.bold(str(answer.action))}"


def reason_lines(reason: Reason, style: Style = PLAIN, in_full: bool = True) -> list[str]:
    """A rule that speaks for or against an action, and what it costs."""
    role = ROLES.get(reason.role, reason.role)
    lines = [f"{role} {rule_head(reason.rule, style)}"]
    if reason.item:
        lines.append(f"  {reason.item}")
    return lines + (rule_body(reason.rule, style) if in_full else [])


def figure_line(ruleset: Ruleset, figure: Figure) -> str:
    """A figure in one line: its value, what it is made of, the rules of that."""
    told = _made_of(ruleset, figure)
    mark = "" if told.startswith("[") or not told else ":"
    return f"{figure.name} = {value(figure)}{mark} {told}".rstrip()


def _tied(items: str) -> str:
    """A ledger that is broken before a sign only."""
    return items.replace(" ", TIE).replace(f"{TIE}+", " +").replace(f"{TIE}-", " -")


def value(figure: Figure) -> str:
    """The value with its unit; a word stands alone."""
    return count(figure.value, figure.unit) if isinstance(figure.value, int) else figure.value


def _made_of(ruleset: Ruleset, figure: Figure) -> str:
    """The items of a figure, or what a finding rests on, and the rules."""
    rules = rule_ids([*(entry.rule for entry in figure.entries), *figure.rules])
    names = [words(str(entry.item)) for entry in figure.entries]
    # A single item called like the unit would only say the value again.
    items = "" if names == [words(figure.unit)] else _tied(ledger(ruleset, figure.entries))
    if figure.value == "unknown":
        items = "depends on " + ", ".join(map(str, figure.grounds))
    elif figure.grounds:
        items = ", ".join(map(ground, figure.grounds))
    return f"{items} {rules}".strip()


# -- forecast --------------------------------------------------------------------------------------


def forecast(answer: Forecast, position: Position | None = None, style: Style = PLAIN) -> list[str]:
    """Every figure with what it is made of, grouped by whom it is about."""
    if not answer.figures:
        return ["no such figure in this position"]
    lines = heading(position, style)
    rows = figure_rows(answer.ruleset, answer.figures)
    widths = [max(len(row[i]) for row in rows) for i in (0, 1)]
    groups: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for figure, row in zip(answer.figures, rows, strict=True):
        groups[subject(figure.name)].append(row)
    for actor, part in sorted(groups.items(), key=lambda group: (not group[0], group[0])):
        lines += [style.bold(actor)] if actor else []
        lines += [*table(part, "  ", (plain, style.bold, style.dim), widths), ""]
    return lines[:-1]


def figure_rows(ruleset: Ruleset, figures: Sequence[Figure]) -> list[tuple[str, str, str]]:
    """The name of each figure, its value, and what it is made of; numbers are flush right."""
    width = max((len(str(f.value)) for f in figures if isinstance(f.value, int)), default=0)
    return [(str(f.name), _flush(f, width), _made_of(ruleset, f)) for f in figures]


def subject(name: Term) -> str:
    """Whom or what a figure is about: its first argument, if that is a name."""
    return name.actor if name.arguments and name.arguments[0].number is None else ""


def _flush(figure: Figure, width: int) -> str:
    """The value with its unit, numbers flush right within *width*."""
    pad = width - len(str(figure.value)) if isinstance(figure.value, int) else 0
    return " " * pad + value(figure)


# -- check -----------------------------------------------------------------------------------------


def check(answer: Check, style: Style = PLAIN, name: str = "") -> list[str]:
    """Whether it is a position of the game; each flaw with what the rules say."""
    opening = f"{name}: " if name else ""
    game = one_line(answer.ruleset.title)
    if answer.consistent:
        return [f"{opening}{style.good('consistent')}: a position of {game}"]
    lines = [f"{opening}{style.bad('not consistent')}: no position of {game}"]
    for flaw in answer.flaws:
        for number, broken in enumerate(map(answer.ruleset.rule, flaw.rules)):
            what = f"{flaw.what} breaks" if number == 0 else "and"
            lines += ["", f"{what} {rule_head(broken, style)}", *rule_body(broken, style)]
    return lines
