"""Which words a ruleset calls its own, by the contract that it is written for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from clingo.ast import ASTType

from pymorph.asp.facts import Signature
from pymorph.asp.passes.own_names import given, read, tabled
from pymorph.asp.program import GateRules, owned
from pymorph.asp.statements import CheckedStatement, fact_symbols, plain
from pymorph.asp.syntax_trees import OWN
from pymorph.errors import Fault
from pymorph.ruleset.checks.signatures import misshapen
from pymorph.ruleset.contract import AFTER, ESSENTIAL, FIRST, PRESENT_CONTRACT, REMOVED, SINCE
from pymorph.ruleset.declarations import SIGNATURES

CONTRACT_FACT: Signature = ("contract", 1)


def own_words(statements: Sequence[CheckedStatement], rules: GateRules) -> frozenset[Signature]:
    """The predicates of a ruleset that are its own, though the core has a word of that name."""
    heads = given(statements)
    used = heads & read(statements, heads)
    number = contract_of(statements, used)
    later = {word for word in used & SINCE.keys() if SINCE[word] > number}
    shaped = used & SIGNATURES - ESSENTIAL - SINCE.keys()
    own = owned(statements, rules, used) | later | _otherwise(statements, shaped)
    names = {name for name, _ in own}
    # With another number of arguments, too: a sort is made from all that has the name.
    return own | {s for s in heads - rules.vocabulary if s[0] in names}


def contract_of(statements: Sequence[CheckedStatement], used: Collection[Signature] = ()) -> int:
    """The contract that a ruleset is written for; that of 0.4.0, if it does not say."""
    numbers = [] if CONTRACT_FACT in used else list(_told(statements))
    return numbers[0][1] if numbers else FIRST


def _told(statements: Sequence[CheckedStatement]) -> Iterator[tuple[CheckedStatement, int]]:
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
    if not saying:
        return frozenset()
    found = set(tabled(statements))
    for statement, symbols in zip(saying, fact_symbols(saying), strict=True):
        if symbols is None or any(map(misshapen, symbols)):
            found |= statement.heads
    return frozenset(found) & frozenset(words)


def miscounted(statements: Sequence[CheckedStatement]) -> Iterator[Fault]:
    """What is wrong with the contract that a ruleset names."""
    for place, (statement, number) in enumerate(_told(statements)):
        if place:
            yield Fault("contract(N) is stated again", statement.place)
        if not FIRST <= number <= PRESENT_CONTRACT:
            says = f"unknown contract {number}; the latest is contract({PRESENT_CONTRACT})"
            yield Fault(says, statement.place)


def removed(statements: Sequence[CheckedStatement]) -> Iterator[Fault]:
    """Words that no contract has any more, unless the ruleset both gives and reads them."""
    heads = given(statements)
    own = heads & read(statements, heads) | {AFTER}
    for statement in statements:
        if statement.trusted:
            continue
        used = (statement.heads | statement.body) - own | _situations(statement)
        for word in used & REMOVED.keys():
            says = f"contract({PRESENT_CONTRACT}) has no {plain(word)}"
            yield Fault(says, statement.place, meant=REMOVED[word])


def _situations(statement: CheckedStatement) -> frozenset[Signature]:
    """The functions that are arguments of what a statement reads."""
    terms = (term for *_, arguments in statement.looks for term in arguments)
    functions = (term for term in terms if term.ast_type == ASTType.Function)
    return frozenset((term.name, len(term.arguments)) for term in functions if not term.external)


def unnamed(statements: Sequence[CheckedStatement]) -> Iterator[Fault]:
    """Words that a ruleset which names no contract calls its own, and a later contract has."""
    if any(True for _ in _told(statements)):
        return
    later = {(OWN + name, arity): number for (name, arity), number in SINCE.items()}
    told: set[Signature] = set()
    for statement in statements:
        for signature in sorted(statement.heads & later.keys() - told):
            told.add(signature)
            name = plain((signature[0].removeprefix(OWN), signature[1]))
            says = f"{name} is read as a word of this ruleset"
            meant = f"write contract({later[signature]}) (core) or contract({FIRST}) (yours)"
            yield Fault(says, statement.place, meant=meant)
