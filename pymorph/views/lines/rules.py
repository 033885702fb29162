"""Rules, alone and as a catalogue: as lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from pymorph.adjudication import examples, rules
from pymorph.ruleset.catalogue import Glossary, ListedRuleset
from pymorph.ruleset.loader import Ruleset
from pymorph.ruleset.vocabulary import GIVEN, Question, Rule
from pymorph.state.rulings import Ruling
from pymorph.views import layout
from pymorph.views.layout import PLAIN, Style, count, one_line, plain, spaced, table, words, wrapped
from pymorph.views.pictures import ascii
from pymorph.views.pictures import scene as scenes


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
    needed = str(GIVEN)
    keys = [(k.path, k.value, "needed" if k.default == needed else k.default) for k in words.keys]
    sorts = [_members(words, *sort) for sort in words.sorts]
    parts = {
        "keys of a position": table(keys, "  ", (plain, plain, style.dim)),
        "actions": [f"  {action}" for action in words.actions],
        "figures": table(words.figures, "  ", (plain, style.dim)),
        "fluents that a claim can name": wrapped(", ".join(words.fluents), "  "),
        "events that a claim can name": wrapped(", ".join(words.events), "  "),
        "meaning of the words in capitals": [line for lines in sorts for line in lines],
    }
    if not words.events:
        del parts["events that a claim can name"]
    blocks = [
        [style.bold(head), *lines] for head, lines in parts.items() if lines or head != "figures"
    ]
    lines = spaced([[style.dim(one_line(words.ruleset.title))], *blocks])
    return layout.with_key(words.ruleset, lines, style)


def _members(words: Glossary, name: str, members: str) -> list[str]:
    """What belongs to a sort."""
    text = ", ".join(layout.marked(words.ruleset, member) for member in members.split(", "))
    return wrapped(f"{name.upper()}: {text}", "      ", "  ")
