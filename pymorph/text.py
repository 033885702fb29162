"""Answers as aligned, short lines for people; nothing is printed here.

Each function gives the lines of one answer. What a person may type again (an action, a figure, a
rule id) stands as a term; what a figure is made of is told in words, and exactly in the JSON.
"""

from __future__ import annotations

import sys
import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from pymorph.answers import (
    Check,
    Entry,
    Figure,
    Forecast,
    Legality,
    LineOfPlay,
    Outcome,
    Reason,
    Step,
    Why,
)
from pymorph.ruleset import Rule, Ruleset
from pymorph.terms import Term

if TYPE_CHECKING:
    from pymorph.catalogue import Found
    from pymorph.position import Position

WIDTH = 88
NARROWEST = 32
TIE = "\x01"  # stands for a space at which no line is broken
ROLES = {
    "allows": "allowed by",
    "costs": "priced by",
    "forbids": "forbidden by",
    "delays": "delayed by",
    "decides": "left open by",
}

Paint = Callable[[str], str]


class Style(Protocol):
    """How words are set off from one another."""

    def bold(self, text: str) -> str: ...

    def dim(self, text: str) -> str: ...

    def good(self, text: str) -> str: ...

    def bad(self, text: str) -> str: ...


class Plain:
    """Sets nothing off: for files, pipes and tests."""

    def bold(self, text: str) -> str:
        return text

    def dim(self, text: str) -> str:
        return text

    def good(self, text: str) -> str:
        return text

    def bad(self, text: str) -> str:
        return text


PLAIN = Plain()


# -- words -----------------------------------------------------------------------------------------


def words(name: str) -> str:
    """A name as words: ``long_road`` is ``long road``."""
    return name.replace("_", " ")


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def title(ruleset: Ruleset, name: str) -> str:
    """What *name* is called: the title of a card, or the name as words with a capital."""
    return one_line(ruleset.vocabulary.titles.get(name, "")) or capital(words(name))


def one_line(text: str) -> str:
    return " ".join(text.split())


def count(number: int, noun: str) -> str:
    """A number with its unit, which is put in the singular after 1."""
    if number == 1 and noun.endswith("ies"):
        noun = noun[:-3] + "y"
    elif number == 1 and noun.endswith(("ches", "shes", "xes", "sses")):
        noun = noun[:-2]
    elif number == 1 and noun.endswith("s") and not noun.endswith("ss"):
        noun = noun[:-1]
    return f"{number} {words(noun)}".rstrip()


def item_words(ruleset: Ruleset, item: Term, brief: bool = False) -> str:
    """An item of a ledger in words: what it is about, then what it is.

    Numbers, which only tell like items apart, are left out. *brief* says nothing but what it is
    about, as is enough for one of a row of like items.
    """
    if not item.arguments:
        return title(ruleset, str(item))
    about = [item_words(ruleset, a) for a in item.arguments if a.number is None]
    if not about:
        return title(ruleset, item.name)
    return " ".join(about if brief else [*about, words(item.name)])


def is_numbered(item: Term) -> bool:
    return any(a.number is not None or is_numbered(a) for a in item.arguments)


def item_names(ruleset: Ruleset, items: Sequence[Term]) -> list[str]:
    """The words for the items of one ledger.

    Of numbered items, a row of like ones, the kind is left out where that is not ambiguous.
    """
    kinds: dict[str, set[str]] = defaultdict(set)
    for item in items:
        kinds[item_words(ruleset, item, brief=True)].add(item.name)
    names = []
    for item in items:
        brief = item_words(ruleset, item, brief=True)
        alone = is_numbered(item) and len(kinds[brief]) == 1
        names.append(brief if alone else item_words(ruleset, item))
    return names


def ledger(ruleset: Ruleset, entries: Sequence[Entry]) -> str:
    """The items of a figure in one line: ``Timber 3 - Rent 1``."""
    names = item_names(ruleset, [entry.item for entry in entries])
    found = ""
    for entry, name in zip(entries, names, strict=True):
        sign = ("- " if not found else " - ") if entry.amount < 0 else (" + " if found else "")
        found += f"{sign}{name} {abs(entry.amount)}"
    return found


def ground(term: Term) -> str:
    """What a finding rests on: ``wall(b2, b3)`` is ``wall b2-b3``."""
    arguments = "-".join(str(a) for a in term.arguments)
    return f"{words(term.name)} {arguments}".strip()


def rule_ids(rules: Iterable[str]) -> str:
    found = ", ".join(dict.fromkeys(rules))
    return f"[{found}]" if found else ""


def frame(position: Position) -> str:
    """What stands above all else in a position, such as whose turn it is."""
    declared = [f for f in position.ruleset.vocabulary.fluents.values() if not f.sorts]
    values = {words(f.name): position.value(f.name) for f in declared}
    defaults = {words(f.name): Term(f.default) for f in declared}
    return ", ".join(f"{name} {found}" for name, found in values.items() if found != defaults[name])


def heading(position: Position | None, style: Style) -> list[str]:
    """The game and what stands above all else, with an empty line below."""
    if position is None:
        return []
    told = frame(position)
    return [style.dim(one_line(position.ruleset.title) + (f": {told}" if told else "")), ""]


# -- lines -----------------------------------------------------------------------------------------


def wrapped(text: str, indent: str, first: str | None = None) -> list[str]:
    """*text* in lines of at most 88 columns, names of any length left whole."""
    opening = indent if first is None else first
    found = _broken(one_line(text), WIDTH - len(indent))
    return [(indent if number else opening) + line for number, line in enumerate(found)]


def _broken(text: str, width: int) -> list[str]:
    found = textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)
    return [line.replace(TIE, " ") for line in found] or [""]


def table(
    rows: Sequence[Sequence[str]],
    indent: str = "  ",
    paints: Sequence[Paint] = (),
    widths: Sequence[int] = (),
    wrap: bool = True,
) -> list[str]:
    """Rows in aligned columns of at least *widths*; the last one is wrapped within itself."""
    if not rows:
        return []
    columns = range(len(rows[0]) - 1)
    widths = [max(*(len(row[i]) for row in rows), *widths[i : i + 1], 0) for i in columns]
    start = len(indent) + sum(width + 2 for width in widths)
    room = max(WIDTH - start, NARROWEST) if wrap else sys.maxsize
    paints = [*paints, *[plain] * (len(widths) + 1 - len(paints))]
    lines = []
    for row in rows:
        tail = _broken(row[-1], room)
        cells = [text.ljust(width) for text, width in zip(row, widths, strict=False)] + [tail[0]]
        while not cells[-1].strip() and len(cells) > 1:
            cells.pop()
        cells[-1] = cells[-1].rstrip()
        shown = [paint(cell) for paint, cell in zip(paints, cells, strict=False)]
        lines.append(indent + "  ".join(shown))
        lines += [" " * start + paints[-1](more) for more in tail[1:]]
    return lines


def plain(text: str) -> str:
    return text


def _by_actor(terms: Iterable[Term]) -> dict[str, list[Term]]:
    groups: dict[str, list[Term]] = defaultdict(list)
    for term in terms:
        groups[term.actor].append(term)
    return dict(sorted(groups.items()))


# -- legal -----------------------------------------------------------------------------------------


def legality(answer: Legality, position: Position | None = None, style: Style = PLAIN) -> list[str]:
    """Who may do what; what hangs on something hidden; what is forbidden, if that was asked."""
    lines = heading(position, style)
    for actor, actions in _by_actor(answer.actions).items():
        lines += [style.bold(f"{actor} may"), *(f"  {style.good(str(a))}" for a in actions), ""]
    if not answer.actions:
        lines += [style.bold("nothing is legal"), ""]
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


def ranges(rows: Sequence[tuple[Term, str]]) -> list[tuple[str, str]]:
    """Actions with their rules, those of one name and the same rules drawn together.

    ``wait(anna, 1)`` to ``wait(anna, 3)`` are ``wait(anna, 1..3)``; names stand side by side, as in
    ``sail(anna, b1|b2)``, and of many the first three, with their number.
    """
    groups: dict[tuple[str, str], list[tuple[tuple[Term, ...], ...]]] = defaultdict(list)
    for action, rules in rows:
        groups[action.name, rules].append(tuple((argument,) for argument in action.arguments))
    return [
        (f"{name}({', '.join(map(choice, form))})" if form else name, rules)
        for (name, rules), forms in groups.items()
        for form in drawn_together(forms)
    ]


Form = tuple[tuple[Term, ...], ...]  # for each argument the values that it may have


def drawn_together(forms: Sequence[Form]) -> list[Form]:
    """The same actions in fewer forms: those that differ in one argument alone become one."""
    current = list(forms)
    for index in reversed(range(len(current[0]))):
        merged: dict[Form, list[Term]] = {}
        for form in current:
            merged.setdefault((*form[:index], (), *form[index + 1 :]), []).extend(form[index])
        current = [
            (*form[:index], tuple(values), *form[index + 1 :]) for form, values in merged.items()
        ]
    return current


def choice(values: Sequence[Term]) -> str:
    """The values of an argument: one, a range of numbers, or some of many names."""
    if len(values) == 1:
        return str(values[0])
    numbers = [value.number for value in values if value.number is not None]
    if len(numbers) == len(values) and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]}..{numbers[-1]}"
    shown = "|".join(map(str, values[:3]))
    return shown if len(values) <= 3 else f"{shown}|... ({len(values)})"


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


def rule_head(rule: Rule, style: Style = PLAIN) -> str:
    """The id and title of a rule, and its status where it is not simply stated."""
    status = style.dim(f" ({words(rule.status)})") if rule.status not in ("", "stated") else ""
    return f"{style.bold(rule.id)}  {one_line(rule.title)}".rstrip() + status


def rule_body(rule: Rule, style: Style = PLAIN) -> list[str]:
    """What a rule says, and where that stands."""
    lines = wrapped(rule.says, "  ") if rule.says else []
    return lines + [style.dim(line) for line in sources(rule)]


def sources(rule: Rule) -> list[str]:
    """Where a rule stands: a line for each document, with its sections."""
    sections: dict[str, list[str]] = defaultdict(list)
    for _, document, section in rule.sources:
        if section:
            sections[document].append(f'"{section}"')
        else:
            sections.setdefault(document, [])
    texts = [", ".join([document, *found]) for document, found in sections.items()]
    return [line for text in texts for line in wrapped(text, "    ", "  ")]


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
    groups: dict[str, list[Figure]] = defaultdict(list)
    for figure in answer.figures:
        groups[subject(figure.name)].append(figure)
    width = max((len(str(f.value)) for f in answer.figures if isinstance(f.value, int)), default=0)
    rows = {
        actor: [(str(f.name), _flush(f, width), _made_of(answer.ruleset, f)) for f in figures]
        for actor, figures in sorted(groups.items(), key=lambda group: (not group[0], group[0]))
    }
    everything = [row for part in rows.values() for row in part]
    widths = [max(len(row[i]) for row in everything) for i in (0, 1)]
    for actor, part in rows.items():
        lines += [style.bold(actor)] if actor else []
        lines += [*table(part, "  ", (plain, style.bold, style.dim), widths), ""]
    return lines[:-1]


def subject(name: Term) -> str:
    """Whom or what a figure is about: its first argument, if that is a name."""
    return name.actor if name.arguments and name.arguments[0].number is None else ""


def _flush(figure: Figure, width: int) -> str:
    """The value with its unit, numbers flush right within *width*."""
    pad = width - len(str(figure.value)) if isinstance(figure.value, int) else 0
    return " " * pad + value(figure)


# -- apply -----------------------------------------------------------------------------------------


def outcome(answer: Outcome, style: Style = PLAIN) -> list[str]:
    """Each step with what it changed and brought about; what was left undone; what comes now."""
    lines: list[str] = []
    for step in answer.steps:
        lines += [*step_lines(step, style), ""]
    if answer.rest:
        lines += [f"left undone: {', '.join(map(str, answer.rest))}", ""]
    return [*lines, style.dim(f"now: {frame(answer.position)}")]


def step_lines(step: Step, style: Style = PLAIN) -> list[str]:
    """One step: the action, its events, its changes."""
    halted = " (what was to follow stops here)" if step.halted else ""
    rows = [(f"{c.fluent}:", f"{c.before} -> {c.after}", rule_ids(c.rules)) for c in step.changes]
    rows += [("event:", str(e.event), rule_ids([e.rule])) for e in step.events]
    lines = table(rows, paints=(plain, plain, style.dim), wrap=False)
    return [style.bold(str(step.action)) + halted, *(lines or ["  nothing changes"])]


def line_of_play(answer: LineOfPlay, style: Style = PLAIN) -> list[str]:
    """What was carried out, and where it stopped, why."""
    lines = outcome(answer.outcome, style)
    if answer.why is None:
        return lines
    shown = [*lines, ""] if answer.outcome.steps else []
    return [*shown, style.bad(f"stopped at action {answer.stopped}"), *why(answer.why, style)]


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


# -- rules -----------------------------------------------------------------------------------------


def catalogue(found: Found, style: Style = PLAIN) -> list[str]:
    """The games there are, or the rules of one as a list, or some of them in full."""
    if found.ruleset is None:
        games = [
            (game.name, game.version, one_line(game.title), count(len(game.rules), "rules"))
            for game in found.rulesets
        ]
        return table(games, "", (style.bold, style.dim, plain, style.dim)) or ["no game found"]
    if not found.rules:
        return ["no such rule"]
    if not found.in_full:
        rules = [(each.id, each.status, one_line(each.title)) for each in found.rules]
        return table(rules, "", (style.bold, style.dim))
    lines: list[str] = []
    for each in found.rules:
        lines += [*rule(each, found.ruleset, style), ""]
    return lines[:-1]


def rule(one: Rule, ruleset: Ruleset, style: Style = PLAIN) -> list[str]:
    """A rule in full: its sources, and the questions that it leaves open with their options."""
    lines = [rule_head(one, style), *rule_body(one, style)]
    if one.waived:
        lines += wrapped(f"not encoded: {one.waived}", "    ", "  ")
    for name in one.questions:
        question = ruleset.questions[name]
        lines += ["", *wrapped(f"{name}: {question.asks}", "    ", "  ")]
        rows = [
            (f"* {option}" if option == question.default else f"  {option}", meaning)
            for option, meaning in question.options
        ]
        lines += table(rows, "    ", (style.bold,))
        if question.because:
            lines += wrapped(f"* is the default. {question.because}", "      ", "    ")
    return lines
