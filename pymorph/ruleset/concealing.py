"""The fluents that may be hidden, and of which the core finds out what hangs on that."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pymorph.asp.facts import HOLDS
from pymorph.asp.statements import CheckedStatement
from pymorph.errors import Fault
from pymorph.ruleset.vocabulary import HIDDEN, MEASURED, Vocabulary, longest
from pymorph.terms import cut

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
    seen: set[str] = set()
    while agenda:
        name = agenda.pop()
        if name in seen:
            continue
        seen.add(name)
        for statement in giving[name]:
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
        if ("concealed", 5) not in statement.heads:
            continue
        head, _, body = TEXT.sub("", statement.text).rstrip(".").partition(":-")
        first, _, instead, *_ = (part.strip() for part in cut(_inside(head), ","))
        if first != instead:
            continue
        name = WORD.match(first)
        fluents = (name[0],) if name else _named(body, words)
        told = f"holds({first}," in re.sub(r"\s", "", body).replace("notholds(", "")
        yield Concealing(statement, tuple(f for f in fluents if f in words.fluents), told)


def _inside(head: str) -> str:
    """What stands within the outer brackets of an atom."""
    return head[head.index("(") + 1 : head.rindex(")")]
