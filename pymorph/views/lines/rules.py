"""Rules, alone and as a catalogue: as lines."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from pymorph.adjudication import examples, rules
from pymorph.ruleset.catalogue import FileKey, Glossary, ListedRuleset
from pymorph.ruleset.loader import Ruleset
from pymorph.ruleset.vocabulary import GIVEN, Question, Rule
from pymorph.state.rulings import Ruling
from pymorph.views import layout
from pymorph.views.layout import PLAIN, Style, count, one_line, plain, spaced, table, words, wrapped
from pymorph.views.pictures import ascii
from pymorph.views.pictures import scene as scenes

# The path to what all keys of a figure, say, have in common: figures.FIGURE.
HEADING = re.compile(r"[a-z]\w*\.[A-Z]\w*\.")


def rule_head(rule: Rule, style: Style = PLAIN) -> str:
    """The id and title of a rule, and its status where it is not simply stated."""
    status = style.dim(f" ({words(rule.status)})") if rule.status not in ("", "stated") else ""
    return f"{style.bold(rule.id)}  {one_line(rule.title)}".rstrip() + status


def rule_body(rule: Rule, style: Style = PLAIN) -> list[str]:
    """What a rule says, and where that stands."""
    return [*(wrapped(rule.says, "  ") if rule.says else []), *map(style.dim, sources(rule))]


def sources(rule: Rule) -> list[str]:
    """Where a rule stands: a line for each document, with its sections."""
    sections: dict[str, list[str]] = defaultdict(list)
    for _, document, section in rule.sources:
        sections[document] += [f'"{section}"'] if section else []
    texts = [", ".join([document, *names]) for document, names in sections.items()]
    return layout.paragraphs(texts, "    ", "  ")


def shelf(rulesets: Sequence[ListedRuleset], style: Style = PLAIN) -> list[str]:
    """Two lines for each ruleset that can be named: name, version, hash, where it is from, title;
    then the folder in which it lies."""
    rows = [
        (game.name, game.version or "-", game.hash or "-", game.origin, one_line(game.title))
        for game in rulesets
    ]
    lines = []
    for ruleset, line in zip(rulesets, table(rows, wrap=False), strict=True):
        lines.append(style.bad(line) if ruleset.fault else line)
        lines += [f"    {note}" for note in (ruleset.folder, ruleset.fault) if note]
    return lines or ["no ruleset found"]


def house_rulings(rulings: Iterable[Ruling], style: Style = PLAIN) -> list[str]:
    """What a table has decided, in which file and why: a line for each."""
    texts = []
    for ruling in rulings:
        where = ", ".join(filter(None, (ruling.origin, ruling.date)))
        because = f": {ruling.why}" if ruling.why else ""
        texts.append(f"ruled: {ruling.question} = {ruling.option} ({where}{because})")
    return layout.paragraphs(texts, "    ", "", style.dim)


def catalogue(answer: rules.RuleLookup, style: Style = PLAIN) -> list[str]:
    """The games there are, or the rules of one as a list, or some of them in full."""
    if answer.parts:
        pairs = ((part, part.ruleset) for part in answer.parts if part.ruleset)
        return spaced([style.dim(one_line(g.title)), *catalogue(p, style)] for p, g in pairs)
    game = answer.ruleset
    if game is None:
        return _games(answer.rulesets, "rules", style)
    if not answer.rules and not answer.cards:
        return ["no rule found"]
    if not answer.in_full:
        rows = [(rule.id, rule.status, one_line(rule.title)) for rule in answer.rules]
        cards = [(name, status, layout.title(game, name)) for name, status in answer.cards]
        widths = [max(len(cells[i]) for cells in (*rows, *cards)) for i in (0, 1)]
        tables = (table(part, "", (style.bold, style.dim), widths) for part in (rows, cards))
        return spaced(filter(None, tables))
    return spaced(rule_in_full(rule, game, style) for rule in answer.rules)


def rule_in_full(one: Rule, ruleset: Ruleset, style: Style = PLAIN) -> list[str]:
    """A rule in full: its sources, and the questions that it leaves open with their options."""
    lines = [rule_head(one, style), *rule_body(one, style)]
    if one.waived:
        lines += wrapped(f"not encoded: {one.waived}", "    ", "  ")
    for name in one.questions:
        lines += ["", *_question(ruleset.questions[name], "  ", style)]
    return lines


def _question(question: Question, indent: str, style: Style) -> list[str]:
    """What a question asks, what its options mean, and why one is the default."""
    lines = wrapped(f"{question.id}: {question.asks}", f"{indent}  ", indent)
    rows = [
        (f"* {option}" if option == question.default else f"  {option}", meaning)
        for option, meaning in question.options
    ]
    lines += table(rows, f"{indent}  ", (style.bold,))
    if question.because:
        because = f"* is the default. {question.because}"
        lines += wrapped(because, f"{indent}    ", f"{indent}  ")
    return lines


# -- questions -------------------------------------------------------------------------------------
def questions(answer: rules.QuestionLookup, style: Style = PLAIN) -> list[str]:
    """The games there are, or the open questions of one as a list, or some of them in full."""
    if answer.ruleset is None:
        return _games(answer.rulesets, "questions", style)
    if not answer.questions:
        return ["no question found"]
    view = _in_full if answer.in_full else _in_brief
    return spaced(view(answer, question, style) for question in answer.questions)


def _in_brief(answer: rules.QuestionLookup, question: Question, style: Style) -> list[str]:
    """A question, its options with a star at the default, and where it comes from."""
    options = ", ".join(f"* {o}" if o == question.default else o for o, _ in question.options)
    first, *rest = wrapped(f"{question.id}: {question.asks}", "    ", "")
    lines = [style.bold(question.id) + first.removeprefix(question.id), *rest]
    lines += wrapped(options, "    ", "  ")
    for rule in answer.rules(question):
        lines += [f"  {rule_head(rule, style)}", *(f"  {style.dim(s)}" for s in sources(rule))]
    return lines + _ruled(answer, question, style)


def _in_full(answer: rules.QuestionLookup, question: Question, style: Style) -> list[str]:
    """A question with the meanings of its options, its rules, and an example if it has one."""
    lines = [*_question(question, "", style), *_ruled(answer, question, style)]
    for rule in answer.rules(question):
        lines += ["", f"raised by {rule_head(rule, style)}", *rule_body(rule, style)]
    example = answer.examples.get(question.id)
    return lines + (["", *_example(example, style)] if example else [])


def _ruled(answer: rules.QuestionLookup, question: Question, style: Style) -> list[str]:
    """What is decided of a question here."""
    ruling = answer.ruled.get(question.id)
    return [f"  {line}" for line in house_rulings([ruling], style)] if ruling else []


def _example(example: examples.Example, style: Style) -> list[str]:
    """A position in which the options differ: who is right there under which of them."""
    scene = scenes.scene_of(example.case.position, example.drawn)
    lines = [style.bold("where the options differ"), ""]
    lines += [f"  {line}".rstrip() for line in ascii.position_text(scene, style=style)]
    steps = [
        f"{move.action}{': ' if move.rolls else ''}{', '.join(move.rolls)}"
        for move in example.stated.after
    ]
    after = f"after {', '.join(steps)}: " if steps else ""
    lines += ["", *wrapped(f"{after}{example.stated.claim}", "    ", "  ")]
    return lines + table(example.verdicts, "    ", (style.bold,))


def _games(games: Iterable[Ruleset], kind: str, style: Style) -> list[str]:
    """The games that ship, each with its version, title and how much of a kind it has."""
    rows = [
        (game.name, game.version, one_line(game.title), count(len(getattr(game, kind)), kind))
        for game in games
    ]
    return table(rows, "", (style.bold, style.dim, plain, style.dim)) or ["no game found"]


def word_list(words: Glossary, style: Style = PLAIN) -> list[str]:
    """Keys of a position with their defaults, actions, figures, fluents, events and sorts."""
    actions = [(form, words.description(form, "action")) for form in words.actions]
    figures = [
        (form, _with_text(unit, words.description(form, "figure", "finding")))
        for form, unit in words.figures
    ]
    events = [_with_text(event, words.description(event, "event")) for event in words.events]
    fluents = () if words.in_full else words.fluents
    sorts = [_members(words, *sort) for sort in words.sorts]
    parts = {
        "keys of a position": (_keys_in_full if words.in_full else _keys)(words, style),
        "actions": table(actions, "  "),
        "figures": table(figures, "  ", (plain, style.dim)),
        "fluents that a claim can name": wrapped(", ".join(fluents), "  ") if fluents else [],
        "events that a claim can name": wrapped(", ".join(events), "  ") if events else [],
        "meaning of the words in capitals": [line for lines in sorts for line in lines],
    }
    blocks = [[style.bold(head), *lines] for head, lines in parts.items() if lines]
    lines = spaced([[style.dim(one_line(words.ruleset.title))], *blocks])
    return layout.with_key(words.ruleset, lines, style)


def _keys(words: Glossary, style: Style) -> list[str]:
    """A row for each key; those of one kind of thing below its heading."""
    headings = [m[0] if (m := HEADING.match(key.path)) else "" for key in words.keys]
    groups: dict[str, list[tuple[str, ...]]] = {"": []}
    for key, heading in zip(words.keys, headings, strict=True):
        heading = heading if headings.count(heading) > 1 else ""
        row = (key.path.removeprefix(heading), key.value, _default(key), key.description)
        groups.setdefault(heading, []).append(row)
    lines = []
    for heading, rows in groups.items():
        lines += [f"  {heading.removesuffix('.')}:"] if heading else []
        lines += table(rows, "    " if heading else "  ", (plain, plain, style.dim))
    return lines


def _keys_in_full(words: Glossary, style: Style) -> list[str]:
    """All that there is to say of some keys, a paragraph for each."""
    paragraphs = []
    for key in words.keys:
        rows = {
            "value": key.value,
            "default": _default(key) or "no value",
            "in claims": key.fluent,
            "see rules": ", ".join(layout.marked(words.ruleset, rule) for rule in key.rules),
            "example": key.example,
        }
        head = wrapped(_with_text(key.path, key.description), "      ", "  ")
        given = [(name, text) for name, text in rows.items() if text]
        paragraphs.append([*head, *table(given, "    ", (style.dim,))])
    return spaced(paragraphs)


def _default(key: FileKey) -> str:
    return "needed" if key.default == str(GIVEN) else key.default


def _with_text(name: str, text: str) -> str:
    return f"{name}: {text}" if text else name


def _members(words: Glossary, name: str, members: str) -> list[str]:
    """What a sort is, and what belongs to it; in full, with what that is called."""
    titles = words.ruleset.vocabulary.titles if words.in_full else {}
    text = ", ".join(
        layout.marked(words.ruleset, member)
        + (f" ({one_line(titles[member])})" if member in titles else "")
        for member in members.split(", ")
    )
    says = words.description(name, "sort")
    return wrapped(_with_text(name.upper(), f"{says}: {text}" if says else text), "      ", "  ")
