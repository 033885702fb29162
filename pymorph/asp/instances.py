"""How many statements a statement stands for: by the alternatives of its pools, and by its ranges.

``near(X,(a;b)) :- far(X,1..3).`` has two instances by its pools, and six with its ranges.
"""

from __future__ import annotations

from math import prod

from clingo.ast import AST, ASTType

from pymorph.asp.syntax_trees import children

AGGREGATES = (ASTType.Aggregate, ASTType.BodyAggregate, ASTType.HeadAggregate)


def instances(node: AST, ranges: bool = False) -> int:
    """The number of instances of a part of a statement, by pools or also by *ranges*."""
    if ranges and node.ast_type == ASTType.Interval and (numbers := range_of(node)) is not None:
        return max(len(numbers), 1)
    if node.ast_type == ASTType.Pool:
        return sum(instances(term, ranges) for term in node.arguments)
    if node.ast_type in AGGREGATES:
        guards = filter(None, (node.left_guard, node.right_guard))
        added = sum(instances(element, ranges) - 1 for element in node.elements)
        return (1 + added) * prod(instances(guard, ranges) for guard in guards)
    return prod(instances(part, ranges) for part in children(node))


def range_of(interval: AST) -> range | None:
    """The numbers of an interval between two plain numbers."""
    low, high = _number(interval.left), _number(interval.right)
    return None if low is None or high is None else range(low, high + 1)


def _number(term: AST) -> int | None:
    """The number that a term is, if it is written as one, perhaps with a minus."""
    text = str(term)
    return int(text) if text.removeprefix("-").isdigit() else None
