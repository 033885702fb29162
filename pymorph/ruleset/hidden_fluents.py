"""The fluents that may be hidden, of which the core finds out what depends on them; what a rule
may not show instead."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from clingo import Symbol

from pymorph.asp.facts import HOLDS
from pymorph.asp.statements import CheckedStatement
from pymorph.errors import Fault, PymorphError
from pymorph.ruleset.vocabulary import HIDDEN, MEASURED, Vocabulary, longest
from pymorph.terms import cut, parse_symbol

ATOM = re.compile(r"[a-z]\w*\(")
VARIABLE = re.compile(r"\b[A-Z]\w*'*")
WORD = re.compile(r"[a-z]\w*")
TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
SPEAKS = re.compile(r"\bhidden\b")
# What speaks of something hidden without saying what hangs on it.
SILENT = frozenset({"concealed", "feigned", "sees_for", "ill_formed", "drawn"})
MOST_VALUES = 1000
MEANT = (
    "write a rule that says what depends on it, such as "
    "unsettled(A, F, S, R) :- considered(A, S), holds(F, hidden, S), F = {name}(...), ..."
)
# What says that something depends on what is hidden.
DOUBTING = frozenset({"unsettled", "unknown"})
INSTEAD = (
    "write a fluent of each card with its owner as the value, such as "
    "concealed(place(X), C, place(X), S, R) :- holds(place(X), C, S), ..."
)
OPENLY = (
    "conceal the fluent's own value, concealed(F, C, F, S, R); or write a rule that says what "
    "depends on {name}, such as unsettled(A, F, S, R) :- considered(A, S), holds(F, _, S), "
    "F = {shown}, ..."
)


class Concealing(NamedTuple):
    """A statement that conceals the value of a fluent: of which, and whether only if it has one."""

    statement: CheckedStatement
    fluents: tuple[str, ...]
    told: bool


def veiled(statements: Sequence[CheckedStatement], words: Vocabulary) -> dict[str, bool]:
    """The fluents whose value may be hidden, without a rule that says what hangs on that; with
    each, whether what is hidden may be the default."""
    spoken_of = _spoken_of(statements, words)
    concealing = list(_concealing(statements, words))
    for each in concealing:  # what one rule conceals is hidden as one
        if not spoken_of.isdisjoint(each.fluents):
            spoken_of.update(each.fluents)
    found = {
        name: False
        for name, fluent in words.fluents.items()
        if words.belongs(HIDDEN, fluent.value, words.usual_scene())
    }
    for each in concealing:
        for name in each.fluents:
            found[name] = found.get(name, False) or not each.told
    return {name: bare for name, bare in sorted(found.items()) if name not in spoken_of}


def untried(statements: Sequence[CheckedStatement], words: Vocabulary) -> Iterator[Fault]:
    """What conceals a fluent whose values are too many to be tried out, and says no more of it."""
    left = veiled(statements, words)
    seen: set[str] = set()
    for each in _concealing(statements, words):
        for name in each.fluents:
            why = _too_many(name, words)
            if name in left and why and name not in seen:
                seen.add(name)
                says = f"{name} is concealed, but it has too many values to try: {why}"
                yield Fault(says, each.statement.place, meant=MEANT.format(name=name))


def misshown(statements: Sequence[CheckedStatement], words: Vocabulary) -> Iterator[Fault]:
    """What shows to those who do not see a fluent something that is none of its sort, or another
    fluent on which nothing depends by the rules: they would be told that nothing is there."""
    doubted: set[str] | None = None
    for statement in statements:
        for first, shown in _shown_instead(statement, words):
            name = _functor(shown)
            wrong = _stranger(shown, words)
            if wrong:
                says = f"{shown} is shown instead of {first}, but {wrong}"
                yield Fault(says, statement.place, meant=INSTEAD)
                continue
            if doubted is None:
                doubted = _doubted(statements, words)
            if name not in doubted:
                says = f"{shown} is shown instead of {first}, but no rule says what depends on it"
                meant = OPENLY.format(name=name, shown=shown)
                yield Fault(says, statement.place, meant=meant)
        for fluent, value in _feigned(statement, words):
            wrong = words.stranger(value, words.fluents[fluent].value)
            if wrong and value != words.fluents[fluent].default:
                says = f"{fluent} is feigned with a value outside its sort: {wrong}"
                yield Fault(says, statement.place)


def _shown_instead(statement: CheckedStatement, words: Vocabulary) -> Iterator[tuple[str, str]]:
    """The fluents that a statement conceals by showing another one, each with that."""
    first, instead, body = _head_and_body(statement, "concealed")
    for shown in _named_by(instead, body) if first != instead else ():
        if _functor(shown) in words.fluents:
            yield first, shown


def _feigned(statement: CheckedStatement, words: Vocabulary) -> Iterator[tuple[str, Symbol]]:
    """The fluents that a statement feigns with a value that it names."""
    first, value, body = _head_and_body(statement, "feigned")
    known = _constant(value)
    if known is None:
        return
    for fluent in _named_by(first, body):
        if _functor(fluent) in words.fluents:
            yield _functor(fluent), known


def _named_by(term: str, body: str) -> list[str]:
    """The terms for which a term of a head stands: itself, or what its variable is in the body."""
    if not VARIABLE.fullmatch(term):
        return [term]
    found: list[str] = []
    for part in cut(body, ","):
        left, equals, right = part.partition("=")
        if equals and left.strip() == term:
            right = right.strip()
            inner = right[1:-1] if right.startswith("(") and right.endswith(")") else right
            found += [each.strip() for each in cut(inner, ";")]
    return found


def _functor(term: str) -> str:
    name = WORD.match(term)
    return name[0] if name else ""


def _constant(text: str) -> Symbol | None:
    """The term that a text is, if it has no variables."""
    if VARIABLE.search(text) or re.search(r"\b_\b", text):
        return None
    try:
        return parse_symbol(text)
    except PymorphError:
        return None


def _stranger(fluent: str, words: Vocabulary) -> str:
    """What is wrong with an argument of a fluent that is written out; empty, if nothing is."""
    declared = words.fluents[_functor(fluent)]
    arguments = cut(_inside(fluent), ",") if "(" in fluent else []
    for text, sort in zip(arguments, declared.sorts, strict=False):
        for each in cut(text.strip().strip("()"), ";"):
            value = _constant(each.strip())
            wrong = words.stranger(value, sort) if value is not None else ""
            if wrong:
                return wrong
    return ""


def _doubted(statements: Sequence[CheckedStatement], words: Vocabulary) -> set[str]:
    """The fluents that are read where the rules say that something is not settled."""
    giving: dict[str, list[CheckedStatement]] = defaultdict(list)
    for statement in statements:
        for name, _ in () if statement.trusted else statement.heads:
            giving[name].append(statement)
    return _read_by(DOUBTING, giving, words)


def _too_many(name: str, words: Vocabulary) -> str:
    """Why not all values of a fluent can be tried out, if they cannot."""
    for sort in words.parts(words.fluents[name].value):
        of = words.sorts[sort.of] if sort.of else sort
        if of.kind in MEASURED:
            return f"the sort {sort.name} has no limit"
        number = of.high - of.low + 1 if of.kind == "range" else len(of.members)
        if sort.of and longest(max(number, 1)) < sort.high:
            return f"the sort {sort.name} has too many lists"
        if number > MOST_VALUES:
            return f"the sort {sort.name} has {number} members; the limit is {MOST_VALUES}"
    return ""


def _spoken_of(statements: Sequence[CheckedStatement], words: Vocabulary) -> set[str]:
    """The fluents of which a rule speaks as of something hidden, if by way of other predicates."""
    giving: dict[str, list[CheckedStatement]] = defaultdict(list)
    for statement in statements:
        for name, _ in statement.heads:
            giving[name].append(statement)
    found: set[str] = set()
    agenda: list[str] = []
    for statement in statements:
        heads = {name for name, _ in statement.heads}
        if statement.trusted or heads <= SILENT:
            continue
        for atom in _of_the_hidden(statement):
            if atom.startswith(HOLDS[0] + "("):
                found.update(_fluents(atom, statement, words))
            else:
                agenda.append(atom.partition("(")[0])
    return found | _read_by(agenda, giving, words)


def _read_by(
    names: Iterable[str], giving: Mapping[str, Sequence[CheckedStatement]], words: Vocabulary
) -> set[str]:
    """The fluents that are read for some predicates, if by way of others."""
    found: set[str] = set()
    seen: set[str] = set()
    agenda = list(names)
    while agenda:
        name = agenda.pop()
        if name in seen:
            continue
        seen.add(name)
        for statement in giving.get(name, ()):
            read = {key[2] for key in statement.signs.reads if key[:2] == HOLDS}
            found |= {functor for functor in read if functor}
            found |= set(_named(statement.text, words)) if None in read else set()
            agenda += [name for name, _ in statement.body]
    return found


def _of_the_hidden(statement: CheckedStatement) -> Iterator[str]:
    """The atoms in the body of a statement that speak of something hidden."""
    _, _, body = TEXT.sub("", statement.text).rstrip(".").partition(":-")
    if not SPEAKS.search(body):
        return
    parts = [re.sub(r"^\s*(not\s+)*", "", part) for part in cut(body, ";")]
    compared = {v for part in parts if not ATOM.match(part) and SPEAKS.search(part)
                for v in VARIABLE.findall(part)}  # fmt: skip
    for part in parts:
        of_it = SPEAKS.search(part) or compared & set(VARIABLE.findall(part))
        if of_it and ATOM.match(part):
            yield part


def _fluents(atom: str, statement: CheckedStatement, words: Vocabulary) -> tuple[str, ...]:
    """The fluents of which an atom of `holds` speaks."""
    name = WORD.match(cut(_inside(atom), ",")[0].strip())
    return (name[0],) if name else _named(statement.text, words)


def _named(text: str, words: Vocabulary) -> tuple[str, ...]:
    """The fluents that a text names; all, if it names none."""
    found = dict.fromkeys(word for word in WORD.findall(text) if word in words.fluents)
    return tuple(found) or tuple(words.fluents)


def _concealing(statements: Iterable[CheckedStatement], words: Vocabulary) -> Iterator[Concealing]:
    for statement in statements:
        first, instead, body = _head_and_body(statement, "concealed")
        if not first or first != instead:
            continue
        name = WORD.match(first)
        fluents = (name[0],) if name else _named(body, words)
        told = f"holds({first}," in re.sub(r"\s", "", body).replace("notholds(", "")
        yield Concealing(statement, tuple(f for f in fluents if f in words.fluents), told)


def _head_and_body(statement: CheckedStatement, name: str) -> tuple[str, str, str]:
    """Of `concealed` or `feigned`: the fluent, what is shown instead of it, and the conditions;
    empty, if the statement gives no such atom."""
    if (name, 5) not in statement.heads:
        return "", "", ""
    head, _, body = TEXT.sub("", statement.text).rstrip(".").partition(":-")
    first, _, instead, *_ = (part.strip() for part in cut(_inside(head), ","))
    return first, instead, body


def _inside(head: str) -> str:
    """The text within the outer brackets of an atom."""
    return head[head.index("(") + 1 : head.rindex(")")]
