"""Rules, alone and as a catalogue: as lines."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from pymorph.ruleset import Rule, Ruleset
from pymorph.text.layout import PLAIN, Style, count, one_line, plain, table, words, wrapped

if TYPE_CHECKING:
    from pymorph.catalogue import Found


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
