"""Which words a ruleset calls its own, by the contract that it is written for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from pymorph.asp.facts import Signature
from pymorph.asp.passes.own_names import given, tabled
from pymorph.asp.program import GateRules, owned
from pymorph.asp.statements import CheckedStatement, fact_symbols, plain
from pymorph.asp.syntax_trees import OWN, named
from pymorph.errors import Fault
from pymorph.ruleset.checks.signatures import misshapen
from pymorph.ruleset.contract import AFTER, ESSENTIAL, FIRST, PRESENT_CONTRACT, REMOVED, SINCE
from pymorph.ruleset.declarations import SIGNATURES

CONTRACT_FACT: Signature = ("contract", 1)


def own_words(
    statements: Sequence[CheckedStatement], rules: GateRules, used: Collection[Signature]
) -> frozenset[Signature]:
    """Of the predicates that a ruleset *used*, its own that have the name of a word of the core."""
    contracts = () if CONTRACT_FACT in used else _contracts(statements)
    number = next((number for _, number in contracts), FIRST)
    later = {word for word in used & SINCE.keys() if SINCE[word] > number}
    shaped = frozenset(used) & SIGNATURES - ESSENTIAL - SINCE.keys()
    own = owned(statements, rules, used) | later | _otherwise(statements, shaped)
    names = {name for name, _ in own}
    # With another number of arguments, too: a sort is made from all that has the name.
    return own | {s for s in given(statements) - rules.vocabulary if s[0] in names}


def _contracts(statements: Sequence[CheckedStatement]) -> Iterator[tuple[CheckedStatement, int]]:
    saying = [s for s in statements if not s.trusted and CONTRACT_FACT in s.heads]
    for statement, symbols in zip(saying, fact_symbols(saying), strict=True):
        for symbol in symbols or ():
            if misshapen(symbol) is None:
                yield statement, symbol.arguments[0].number


def _otherwise(
    statements: Sequence[CheckedStatement], words: Collection[Signature]
) -> frozenset[Signature]:
    """Those words of the vocabulary that a ruleset gives otherwise than it declares anything: by
    rules, in another shape, or as a table."""
    saying = [s for s in statements if not s.trusted and not s.heads.isdisjoint(words)]
    otherwise = set(tabled(statements))
    for statement, symbols in zip(saying, fact_symbols(saying), strict=True):
        if symbols is None or any(map(misshapen, symbols)):
            otherwise |= statement.heads
    return frozenset(otherwise) & frozenset(words)


def miscounted(statements: Sequence[CheckedStatement]) -> Iterator[Fault]:
    """What is wrong with the contract that a ruleset names."""
    for place, (statement, number) in enumerate(_contracts(statements)):
        if place:
            yield Fault("contract(N) is stated again", statement.place)
        if not FIRST <= number <= PRESENT_CONTRACT:
            says = f"unknown contract {number}; the latest is contract({PRESENT_CONTRACT})"
            yield Fault(says, statement.place)


def removed(statements: Sequence[CheckedStatement], used: Collection[Signature]) -> Iterator[Fault]:
    """Words that no contract has any more, unless they are among those that the ruleset *used*."""
    own = {*used, AFTER}
    for statement in (statement for statement in statements if not statement.trusted):
        words = (statement.heads | statement.body) - own
        if statement.kind == "rule" and AFTER[0] in statement.text:
            terms = (term for *_, arguments in statement.atoms.body for term in arguments)
            words |= {AFTER for term in terms if named(term) == AFTER}
        for word in words & REMOVED.keys():
            says = f"contract({PRESENT_CONTRACT}) has no {plain(word)}"
            yield Fault(says, statement.place, meant=REMOVED[word])


def unnamed(statements: Sequence[CheckedStatement]) -> Iterator[Fault]:
    """Words that a ruleset which names no contract calls its own, and a later contract has."""
    if any(True for _ in _contracts(statements)):
        return
    later = {(OWN + name, arity): number for (name, arity), number in SINCE.items()}
    reported: set[Signature] = set()
    for statement in statements:
        for signature in sorted(statement.heads & later.keys() - reported):
            reported.add(signature)
            name = plain((signature[0].removeprefix(OWN), signature[1]))
            says = f"{name} is read as a word of this ruleset"
            meant = f"write contract({later[signature]}) (core) or contract({FIRST}) (yours)"
            yield Fault(says, statement.place, meant=meant)
