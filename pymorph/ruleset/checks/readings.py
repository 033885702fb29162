"""Unknown questions and options in facts and rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from clingo import Symbol
from clingo.ast import AST, ASTType

from pymorph.asp.facts import PAIRED, Signature
from pymorph.asp.statements import CheckedStatement
from pymorph.asp.syntax_trees import Atom, alternatives
from pymorph.errors import clipped, nearest
from pymorph.ruleset.checks.calls import constant
from pymorph.ruleset.declarations import FactRows
from pymorph.ruleset.vocabulary import Vocabulary
from pymorph.terms import text_of

OptionsByQuestion = Mapping[str, Collection[str]]
# The arguments of facts that are a question, and an option of it.
NAMING: Mapping[Signature, tuple[int, int | None]] = {
    ("asks", 2): (0, None), ("because", 2): (0, None), ("raises", 2): (1, None),
    ("option", 2): (0, None), ("default", 2): (0, 1), ("means", 3): (0, 1),
}  # fmt: skip


class Compared(NamedTuple):
    """What statements are compared with: *known* are the words that something defines."""

    words: Vocabulary
    rows: FactRows
    catalogue: Collection[str]
    options: OptionsByQuestion
    known: frozenset[str]


def options_of(rows: FactRows) -> OptionsByQuestion:
    """The options of each question that facts state."""
    options: dict[str, set[str]] = {text_of(q): set() for (q,) in rows.get(("question", 1), ())}
    for question, option in rows.get(("option", 2), ()):
        if text_of(question) in options:
            options[text_of(question)].add(text_of(option))
    return options


def misnamed(symbol: Symbol, compared: Compared) -> Iterator[str]:
    """The unknown question or option that a fact names."""
    arity = len(symbol.arguments)
    at = NAMING.get((symbol.name, arity))
    if at is not None:
        question = text_of(symbol.arguments[at[0]])
        option = [] if at[1] is None else [text_of(symbol.arguments[at[1]])]
        for error in _unknown([question], option, compared.options):
            yield f"in {symbol.name}/{arity} {error}"


def misread(atom: Atom, compared: Compared) -> Iterator[str]:
    """The unknown questions and options in an atom of a rule."""
    name, arity, arguments = atom
    if (name, arity) in PAIRED:
        questions, options = (list(constants(term)) for term in arguments[:2])
        yield from _unknown(questions, options, compared.options)


def miscompared(statement: CheckedStatement, compared: Compared) -> Iterator[str]:
    """The words that the comparisons of a body compare with an option, and that are none."""
    if PAIRED.isdisjoint(statement.body):
        return
    asked = {
        arguments[1].name: list(constants(arguments[0]))
        for name, arity, arguments in statement.atoms.body
        if (name, arity) in PAIRED and arguments[1].ast_type == ASTType.Variable
    }
    for part in statement.tree.body if asked else ():
        if part.ast_type != ASTType.Literal or part.atom.ast_type != ASTType.Comparison:
            continue
        terms = [part.atom.term, *(guard.term for guard in part.atom.guards)]
        for one, other in (*pairwise(terms), *pairwise(reversed(terms))):
            if one.ast_type == ASTType.Variable and one.name in asked:
                yield from _unknown(asked[one.name], constants(other), compared.options)


def _unknown(
    questions: list[str], named: Iterable[str], options: OptionsByQuestion
) -> Iterator[str]:
    """The unknown ones of some questions and their options; of any question, if none is named."""
    for question in questions:
        if question not in options:
            yield f"unknown question {clipped(question)}{nearest(question, options)}"
    known = {q: options[q] for q in questions if q in options} if questions else options
    among = {option for some in known.values() for option in some}
    for option in named if known else ():
        if option not in among:
            of = f"option of {' or '.join(known)}" if questions else "option of any question"
            yield f"unknown {of}: {clipped(option)}{nearest(option, among)}"


def constants(term: AST) -> Iterator[str]:
    """The constants that a term is, one for each alternative of a pool."""
    return filter(None, map(constant, alternatives(term)))
