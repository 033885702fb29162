"""Verdicts on claims: as lines, and as a short ruling that can be read out at the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pymorph.adjudication.verdicts import Adjudication, ClaimVerdict
from pymorph.dynamics.results import Figure
from pymorph.questions.evaluation import Account
from pymorph.questions.readings.partition import Choices
from pymorph.ruleset.loader import Ruleset
from pymorph.ruleset.vocabulary import Question
from pymorph.state.claim import DEPENDS, INAPPLICABLE, REJECTED, UNDECIDED, UPHELD
from pymorph.views import layout
from pymorph.views.layout import LIMITS, PLAIN, Style, capital, choices_text, one_line, wrapped
from pymorph.views.lines.answers import figure_line
from pymorph.views.lines.rules import rule_body, rule_head

SAID = {
    UPHELD: "the claim is upheld",
    REJECTED: "the claim is rejected",
    INAPPLICABLE: "the claim has no subject",
    DEPENDS: "the claim depends on hidden information",
    UNDECIDED: "the claim is not settled",
}


# -- as lines --------------------------------------------------------------------------------------


def adjudication(answer: Adjudication, name: str = "", style: Style = PLAIN) -> list[str]:
    """Each claim with its verdict and what that rests on; below them the rules in full."""
    blocks = [_title(answer, name, style)]
    blocks += [claim_lines(answer.ruleset, ruling, style) for ruling in answer.claims]
    for stated in answer.undecided:
        claim = layout.attributed(stated.by, str(stated.claim))
        blocks.append([claim, f"  {style.bold('undecided')}: {layout.TIME_UP}"])
    blocks += [[rule_head(rule, style), *rule_body(rule, style)] for rule in answer.rules()]
    spoken = answer.ruleset.vocabulary.rulers.spoken
    return [spoken(line) for line in layout.spaced(filter(None, blocks))]


def _title(answer: Adjudication, name: str, style: Style) -> list[str]:
    title = answer.case.title or name
    return [style.bold(one_line(title))] if title else []


def claim_lines(ruleset: Ruleset, ruling: ClaimVerdict, style: Style = PLAIN) -> list[str]:
    """One claim: the verdict, what decides it, and what it rests on under each reading."""
    stated = ruling.stated
    lines = wrapped(layout.attributed(stated.by, style.bold(ruling.claim)), "    ", "")
    if stated.after:
        steps = "; ".join(move.action for move in stated.after)
        lines += wrapped(f"after {steps}", "      ", "    ", style.dim)
    lines += wrapped(verdict_text(ruling, style), "      ", "  ")
    for word, sets in ruling.suffices.items():
        ways = " or ".join(choices_text(choices) for choices in sets[:4])
        ways += " or ..." if len(sets) > 4 else ""
        lines += wrapped(f"{word} whenever {ways}", "        ", "    ")
    turned = (
        f"changing the defaults to {choices_text(choices)} makes it {word}"
        for choices, word in ruling.turned_by[: LIMITS.readings]
        if choices not in [dict(c) for c in ruling.suffices.get(word, ())]
    )
    lines += layout.paragraphs(turned, "        ", "    ")
    accounts = deciding(ruling, ruleset.defaults)
    alone = len(accounts) == 1
    for choices, account in accounts[: LIMITS.readings]:
        text = f"if {choices_text(choices)}: {account.verdict}"
        lines += [] if alone else wrapped(text, "      ", "  ")
        lines += account_lines(ruleset, account, style, "  " if alone else "    ")
    lines += layout.and_more(accounts, LIMITS.readings, "readings", " (--json)")
    if ruling.quantifier:
        lines += wrapped(ruling.quantifier, "    ", "  ", style.dim)
    return lines


def verdict_text(ruling: ClaimVerdict, style: Style) -> str:
    """The verdict on a claim, and what it and its reasons depend on."""
    paint = {UPHELD: style.good, REJECTED: style.bad}.get(ruling.verdict, style.bold)
    text = paint(ruling.verdict)
    if ruling.depends_on:
        text += f" on {', '.join(ruling.depends_on)}; by default {ruling.defaults}"
        text += "" if ruling.complete else "; not all readings were checked"
    elif ruling.defaults == UNDECIDED:
        text = style.bold("not settled")
    elif ruling.verdict == DEPENDS and not ruling.complete:
        text = f"{ruling.defaults} by default; other readings were not checked"
    elif ruling.verdict == DEPENDS:
        text += f" on hidden information: {', '.join(ruling.hidden)}"
    if ruling.varies_with:
        if not ruling.depends_on and len(ruling.accounts) > LIMITS.same_verdict:
            text += " under every reading"
        text += f"; the reasons depend on {', '.join(ruling.varies_with)}"
    return text


def deciding(
    ruling: ClaimVerdict, defaults: Mapping[str, str]
) -> Sequence[tuple[Choices, Account]]:
    """The accounts of a claim; that by default alone, if the verdict is the same under every one of
    several readings and only the reasons differ."""
    if ruling.verdict not in (UPHELD, REJECTED) or len(ruling.accounts) <= LIMITS.same_verdict:
        return ruling.accounts
    return [({}, _default_account(ruling, defaults))]


def account_lines(
    ruleset: Ruleset, account: Account, style: Style = PLAIN, indent: str = "  "
) -> list[str]:
    """What a verdict rests on: figures item by item, values, events, and the rules."""
    deeper = indent + "    "
    texts = [figure_line(ruleset, figure) for figure in account.figures]
    texts += [f"false: {' and '.join(account.failed)}"] if account.failed else []
    texts += [*account.facts, *account.missing]
    texts += [f"hidden: {', '.join(account.hidden)}"] if account.hidden else []
    texts += [f"line of play: {'; '.join(account.line)}"] if account.line else []
    lines = layout.paragraphs(texts, deeper, indent)
    if account.positions:
        lines.append(f"{indent}searched {layout.count(account.positions, 'positions')}")
    others = [rule for rule in account.rules if rule not in _of_figures(account.figures)]
    return lines + (wrapped(layout.rule_ids(others), deeper, indent, style.dim) if others else [])


def _of_figures(figures: Iterable[Figure]) -> set[str]:
    return {r for f in figures for r in (*f.rules, *(entry.rule for entry in f.entries))}


# -- as a ruling to be read out --------------------------------------------------------------------


def ruling_text(answer: Adjudication, name: str = "", style: Style = PLAIN) -> list[str]:
    """A short ruling on each claim, in sentences."""
    quoted: set[str] = set()
    blocks = [_title(answer, name, style)]
    for ruling in answer.claims:
        sentences = _sentences(answer.ruleset, ruling, quoted)
        spoken = map(answer.ruleset.vocabulary.rulers.spoken, sentences)
        blocks.append(layout.paragraphs(spoken, "", ""))
    return layout.spaced(filter(None, blocks))


def _sentences(ruleset: Ruleset, ruling: ClaimVerdict, quoted: set[str]) -> Iterator[str]:
    """The ruling on a claim; rules that were *quoted* before are named only."""
    stated = ruling.stated
    who = f"{capital(stated.by)} claims" if stated.by else "The claim is"
    after = "".join(f", {move.action}" for move in stated.after)
    yield f"{who} {ruling.claim}{' after' + after[1:] if after else ''}."
    if not ruling.depends_on:
        account = _default_account(ruling, ruleset.defaults)
        opening = {
            UPHELD: "This is true, however the rules are read.",
            REJECTED: "This is false, however the rules are read.",
            INAPPLICABLE: "The claim has no subject.",
            DEPENDS: "This cannot be decided: it depends on hidden information.",
        }[ruling.verdict]
        if not ruling.complete and ruling.verdict == DEPENDS:
            opening = f"By default {SAID[ruling.defaults]}; other readings were not checked."
        yield f"{opening} {_because(ruleset, account, quoted)}".strip()
        if ruling.varies_with:
            questions = ", ".join(ruling.varies_with)
            yield f"Only the reasons depend on how the rules are read: on {questions}."
    else:
        yield from _under_readings(ruleset, ruling, quoted)


def _under_readings(ruleset: Ruleset, ruling: ClaimVerdict, quoted: set[str]) -> Iterator[str]:
    """The ruling on a claim that depends on questions: under each reading, and by default."""
    number = len(ruling.depends_on)
    which = "this question:" if number == 1 else f"these {number} questions:"
    asked = (f"{one_line(ruleset.questions[q].asks)} ({q})" for q in ruling.depends_on)
    opening = "The rules can be read in more than one way here, and the claim depends on"
    yield f"{opening} {which} {' '.join(asked)}"
    for choices, account in _deciding_accounts(ruling)[: LIMITS.readings]:
        answers = [_option_text(ruleset.questions[q], o) for q, o in choices.items()]
        means = f"If the answer{'s are' if len(answers) > 1 else ' is'} {' and '.join(answers)}"
        yield f"{means}, {SAID[account.verdict]}. {_because(ruleset, account, quoted)}".strip()
    held = ", ".join(f"{q} = {ruleset.defaults[q]}" for q in ruling.depends_on)
    because = " ".join(ruleset.questions[q].because for q in ruling.depends_on)
    default = f"the defaults apply ({held}), and {SAID[ruling.defaults]}"
    yield f"Until the table rules, {default}. {one_line(because)}".strip()
    if not ruling.complete:
        yield "Not all readings were checked."


def _default_account(ruling: ClaimVerdict, defaults: Mapping[str, str]) -> Account:
    for choices, account in ruling.accounts:
        if all(defaults.get(q, o) == o for q, o in choices.items()):
            return account
    return ruling.accounts[0][1]


def _deciding_accounts(ruling: ClaimVerdict) -> list[tuple[Choices, Account]]:
    """The accounts under the choices that decide, each of these once."""
    accounts: dict[tuple[tuple[str, str], ...], Account] = {}
    for choices, account in ruling.accounts:
        key = tuple((q, o) for q, o in choices.items() if q in ruling.depends_on)
        accounts.setdefault(key, account)
    return [(dict(key), account) for key, account in accounts.items()]


def _option_text(question: Question, option: str) -> str:
    """An option in words, in quotation marks."""
    meaning = one_line(dict(question.options).get(option, "")) or option
    return f'"{meaning.rstrip(".")}"'


def _because(ruleset: Ruleset, account: Account, quoted: set[str]) -> str:
    """The rules, figures and values of an account in sentences: first what speaks for itself."""
    figured = _of_figures(account.figures)
    first = [name for name in account.rules if name not in figured]
    then = [name for name in account.rules if name in figured and name not in quoted]
    texts = [fact if "(" in fact.split()[0] else capital(fact) for fact in account.facts]
    texts.append(f"False: {' and '.join(account.failed)}" * bool(account.failed))
    texts += map(capital, account.missing)
    texts.append(f"Hidden: {', '.join(account.hidden)}" * bool(account.hidden))
    texts.append(f"Line of play: {'; '.join(account.line)}" * bool(account.line))
    pieces = [f"{text}." for text in filter(None, texts)]
    pieces += [_rule_text(ruleset, name) for name in first if name not in quoted]
    again = [name for name in first if name in quoted]
    pieces += [f"See {', '.join(again)}."] * bool(again)
    pieces += [f"{figure_line(ruleset, figure)}." for figure in account.figures]
    pieces += [_rule_text(ruleset, name) for name in then]
    quoted.update(account.rules)
    return " ".join(pieces)


def _rule_text(ruleset: Ruleset, name: str) -> str:
    """Our statement of a rule, and where it stands."""
    rule = ruleset.rule(name)
    where = "".join(f", {title}, {section}" for _, title, section in rule.sources[:1])
    return f"{one_line(rule.says)} ({rule.id}{where.rstrip(', ')})"
