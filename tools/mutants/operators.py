"""The faults that are planted: each statement of a ruleset changed in one place, in every way.

remove   the statement is taken away
drop     a literal of the body is left out
negate   a literal of the body is turned into its opposite
compare  a comparison is moved by one: ``<`` for ``<=``
number   a number is one higher
reading  a rule is of another option of its question
default  a question is read in another way by default
swap     a name in a fact is that of another of its kind
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from clingo import Control, Function, Number, SymbolType, ast
from clingo.ast import AST, ASTSequence, ASTType, ComparisonOperator, Sign

from pymorph.asp.facts import DEFAULT, READING
from pymorph.asp.statements import CheckedStatement
from pymorph.verify.sources import Sources, location

OPERATORS = ("remove", "drop", "negate", "compare", "number", "reading", "default", "swap")
MOVED = {
    ComparisonOperator.LessThan: ComparisonOperator.LessEqual,
    ComparisonOperator.LessEqual: ComparisonOperator.LessThan,
    ComparisonOperator.GreaterThan: ComparisonOperator.GreaterEqual,
    ComparisonOperator.GreaterEqual: ComparisonOperator.GreaterThan,
}
TURNED = {
    Sign.NoSign: Sign.Negation,
    Sign.Negation: Sign.NoSign,
    Sign.DoubleNegation: Sign.Negation,
}

Step = tuple[str, int]  # a part of a node; where it is a sequence, the index, otherwise -1
Path = tuple[Step, ...]
Slot = tuple[str, ...]  # where a name stands: the predicate, its arity, the indices within
Names = Mapping[Slot, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Mutant:
    """Statement *number* with a fault: *text* instead of its own, nothing if it is removed.

    *at* is the index of the literal of the body that it is in; None: elsewhere.
    """

    name: str
    number: int
    operator: str
    text: str
    at: int | None = None


@dataclass(frozen=True)
class Kinds:
    """What there is to put in the place of a name: others that stand in such a place, options."""

    sources: Sources

    @cached_property
    def names(self) -> Names:
        found: dict[Slot, set[str]] = defaultdict(set)
        for number in self.sources.own:
            statement = self.sources.statements[number]
            if statement.kind in ("fact", "facts"):
                for path, node in walk(parsed(statement.text)):
                    if is_name(node):
                        found[slot(statement, path)].add(node.symbol.name)
        return {place: sorted(names) for place, names in found.items()}

    @cached_property
    def options(self) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for question, option in self.sources.arguments_of("option", 2):
            found[question.name].append(option.name)
        return found


def mutants(sources: Sources, numbers: Iterable[int]) -> Iterator[Mutant]:
    """Every fault of the statements of these *numbers*, in order; those of one differ in text."""
    kinds = Kinds(sources)
    statements = [(number, sources.statements[number]) for number in numbers]
    lines = Counter(label(statement) for _, statement in statements)
    for number, statement in statements:
        name = label(statement)
        if lines[name] > 1:
            name += f":{statement.place.column}"
        seen = {statement.text}
        yield Mutant(f"{name}#remove", number, "remove", "")
        counts: Counter[str] = Counter()
        for operator, at, text in changed(statement, kinds):
            counts[operator] += 1
            if text not in seen and (statement.kind != "rule" or safe(text)):
                seen.add(text)
                yield Mutant(f"{name}#{operator}{counts[operator]}", number, operator, text, at)


def label(statement: CheckedStatement) -> str:
    """What a statement gives, and where it stands."""
    heads = sorted(name for name, _ in statement.heads)
    return f"{heads[0] if heads else statement.kind}@{location(statement.place)}"


def changed(statement: CheckedStatement, kinds: Kinds) -> Iterator[tuple[str, int | None, str]]:
    """The texts that a statement has with a fault, each with its operator and literal."""
    tree = parsed(statement.text)
    for path, node in walk(tree):
        first, index = path[0] if path else ("", -1)
        at = index if first == "body" else None
        for operator, new in _faults(statement, path, node, kinds):
            yield operator, at, str(replaced(tree, path, new))


def _faults(
    statement: CheckedStatement, path: Path, node: AST, kinds: Kinds
) -> Iterator[tuple[str, AST | None]]:
    """What may stand in the place of one node; None: nothing."""
    kind = node.ast_type
    in_body = bool(path) and path[0][0] == "body"
    if in_body and kind in (ASTType.Literal, ASTType.ConditionalLiteral) and path[-1][1] >= 0:
        yield "drop", None
    if in_body and kind == ASTType.Literal and node.atom.ast_type != ASTType.BooleanConstant:
        yield "negate", node.update(sign=TURNED[node.sign])
    elif kind == ASTType.Guard and node.comparison in MOVED:
        yield "compare", node.update(comparison=MOVED[node.comparison])
    elif kind == ASTType.SymbolicTerm and node.symbol.type == SymbolType.Number:
        yield "number", node.update(symbol=Number(node.symbol.number + 1))
    elif kind == ASTType.Function and (node.name, len(node.arguments)) in (READING, DEFAULT):
        question, option = node.arguments[:2]
        operator = "reading" if (node.name, len(node.arguments)) == READING else "default"
        if is_name(question) and is_name(option) and (in_body or operator == "default"):
            for other in kinds.options.get(question.symbol.name, ()):
                if other != option.symbol.name:
                    arguments = [question, named(option, other), *node.arguments[2:]]
                    yield operator, node.update(arguments=arguments)
    elif is_name(node) and statement.kind != "rule" and (*DEFAULT,) not in statement.heads:
        others = kinds.names[slot(statement, path)]
        after = others[(others.index(node.symbol.name) + 1) % len(others)]
        yield "swap", named(node, after)


def is_name(node: AST) -> bool:
    return bool(
        node.ast_type == ASTType.SymbolicTerm
        and node.symbol.type == SymbolType.Function
        and node.symbol.name
    )


def named(node: AST, name: str) -> AST:
    return node.update(symbol=Function(name))


def slot(statement: CheckedStatement, path: Path) -> Slot:
    """The place of a name in facts of one predicate, whichever of a pool it is in."""
    (name, arity), *_ = statement.heads
    within = [str(index) for key, index in path if key == "arguments" and index >= 0]
    return (name, str(arity), *within[:1], *within[-1:])


# -- trees -----------------------------------------------------------------------------------------


def parsed(text: str) -> AST:
    """The tree of one statement."""
    nodes: list[AST] = []
    ast.parse_string(text, nodes.append)
    return nodes[-1]


def walk(node: AST, path: Path = ()) -> Iterator[tuple[Path, AST]]:
    """A tree's nodes, each with the way to it."""
    yield path, node
    for key in node.child_keys:
        child = getattr(node, key)
        if isinstance(child, AST):
            yield from walk(child, (*path, (key, -1)))
        elif isinstance(child, ASTSequence):
            for index, part in enumerate(child):
                yield from walk(part, (*path, (key, index)))


def replaced(node: AST, path: Path, new: AST | None) -> AST:
    """A tree with another node at the end of *path*, or with none there."""
    if not path:
        assert new is not None
        return new
    (key, index), rest = path[0], path[1:]
    child = getattr(node, key)
    if index < 0:
        return node.update(**{key: replaced(child, rest, new)})
    parts = list(child)
    parts[index : index + 1] = (
        [] if not rest and new is None else [replaced(parts[index], rest, new)]
    )
    return node.update(**{key: parts})


def safe(text: str) -> bool:
    """Does clingo take a rule: is it well formed, and each variable bound?"""
    control = Control([], lambda *_: None)
    try:
        with ast.ProgramBuilder(control) as builder:
            ast.parse_string(text, builder.add, logger=lambda *_: None)
        control.ground([])
    except RuntimeError:
        return False
    return True
