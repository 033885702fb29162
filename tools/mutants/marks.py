"""Marks beside a rule: that its body holds, and that all of it holds but for one literal."""

from collections.abc import Container

from clingo.ast import AST, ASTType

from pymorph.asp.dependency import Statement
from pymorph.asp.facts import Signature
from pymorph.asp.statements import CheckedStatement
from pymorph.asp.syntax_trees import positive, signatures
from tools.mutants.operators import TURNED, parsed, replaced, safe, walk

MARK, USED = "marked_here", "used_here"
WHOLE = -1  # instead of a literal: all of them hold


def marks(
    number: int, statement: CheckedStatement, given: Container[Signature]
) -> tuple[tuple[Statement, ...], tuple[int, ...]]:
    """The marks of a statement, and the literals whose failing they tell; none for a fact.

    What it uses of the predicates that are *given* as facts is marked too. A mark stands in a
    slice wherever the statement would stand without the literal.
    """
    if statement.kind != "rule":
        return (), ()
    body = list(parsed(statement.text).body)
    if not body:
        return (), ()
    signs = statement.signs
    parts = [Statement(_rule(f"{MARK}({number},{WHOLE})", body), signs)]
    found = []
    waited = 0  # the positive literals so far, each of which is a need of the statement
    for at, literal in enumerate(body):
        needed = positive(literal)
        waited += needed
        if literal.ast_type != ASTType.Literal or literal.atom.ast_type == ASTType.BooleanConstant:
            continue
        turned = literal.update(sign=TURNED[literal.sign])
        line = _rule(f"{MARK}({number},{at})", [*body[:at], turned, *body[at + 1 :]])
        if safe(line):
            needs = (
                signs.requires[: waited - 1] + signs.requires[waited:] if needed else signs.requires
            )
            parts.append(Statement(line, signs._replace(requires=needs)))
            found.append(at)
        if needed and any((n, a) in given for n, a, _ in signatures(literal.atom.symbol)):
            bound = _bound(literal)
            line = _rule(f"{USED}({bound.atom})", [*body[:at], bound, *body[at + 1 :]])
            parts += [Statement(line, signs)] if safe(line) else []
    return tuple(parts), tuple(found)


def _rule(head: str, body: list[AST]) -> str:
    return f"{head} :- {'; '.join(map(str, body))}."


def _bound(literal: AST) -> AST:
    """A literal with a name for each variable that has none."""
    for number, (path, node) in enumerate(list(walk(literal))):
        if node.ast_type == ASTType.Variable and node.name == "_":
            literal = replaced(literal, path, node.update(name=f"Any{number}"))
    return literal
