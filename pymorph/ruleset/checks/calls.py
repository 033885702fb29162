"""Calls of board functions that no board could answer, because of a word or a form in them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from clingo import SymbolType
from clingo.ast import AST, ASTType

from pymorph.asp.syntax_trees import alternatives
from pymorph.board.lattice import LATTICES
from pymorph.errors import clipped, nearest

Judge = Callable[[AST], Iterator[str]]  # says what is wrong with an argument

METRICS = frozenset({"squared"}.union(*(lattice.metrics for lattice in LATTICES.values())))
FACINGS = frozenset(str(name) for lattice in LATTICES.values() for name in lattice.facings)
CORNERS = frozenset(str(name) for lattice in LATTICES.values() for name in lattice.corners)
TURNING = frozenset({"always", "needed"})
BARRED = frozenset({"blocked_if_any_side", "blocked_if_both_sides", "never_blocked"})


def unanswerable(calls: Iterable[AST]) -> Iterator[str]:
    """What is wrong with some calls, whatever their variables stand for."""
    for call in calls:
        judges = JUDGES.get((call.name, len(call.arguments)), {})
        for index, judge in judges.items():
            for term in alternatives(call.arguments[index]):
                yield from (f"@{call.name}: {error}" for error in judge(term))


def word(kind: str, known: Collection[str]) -> Judge:
    """An argument that is one of some words, or a variable that may become one."""

    def judge(term: AST) -> Iterator[str]:
        name = constant(term)
        if name is not None and name not in known:
            yield f"unknown {kind} {clipped(name)}{nearest(name, known)}"
        elif name is None and is_call(term):
            yield f"wrong {kind} {clipped(str(term))}; expected one word"

    return judge


def constant(term: AST) -> str | None:
    """The constant that a term is, as a text; None, if it is something else."""
    if term.ast_type == ASTType.SymbolicTerm:
        return str(term.symbol)
    return term.name if is_call(term) and term.name and not term.arguments else None


def is_call(term: AST) -> bool:
    return bool(term.ast_type == ASTType.Function and not term.external)


def end(term: AST) -> Iterator[str]:
    """An end of a line: a place, or a corner of one."""
    if term.ast_type == ASTType.SymbolicTerm and term.symbol.type != SymbolType.Function:
        yield f"{clipped(str(term))} is not a place"
    elif is_call(term) and (not term.name or term.arguments):
        if (term.name, len(term.arguments)) != ("corner", 2):
            yield f"{clipped(str(term))} is not a place; expected a place or corner(Place, Facing)"
        else:
            for facing in alternatives(term.arguments[1]):
                yield from word("corner of a place", CORNERS)(facing)


def form(shape: str, *within: tuple[int, Judge]) -> Judge:
    """An argument of one shape, such as ``cell(P)``; of its own arguments some are judged."""
    name, _, rest = shape.partition("(")
    count = rest.count(",") + 1

    def judge(term: AST) -> Iterator[str]:
        if is_call(term) and (term.name, len(term.arguments)) == (name, count):
            for index, judge_argument in within:
                for argument in alternatives(term.arguments[index]):
                    yield from judge_argument(argument)
        elif is_call(term) or constant(term) is not None:
            yield f"{clipped(str(term))} does not fit {shape}"

    return judge


def item(term: AST) -> Iterator[str]:
    """A place or a join as a part of a piece."""
    if constant(term) is not None or (
        is_call(term) and (term.name, len(term.arguments)) not in (("cell", 1), ("join", 2))
    ):
        yield f"{clipped(str(term))} is not an item; expected cell(P) or join(P, Q)"


def corner_of_bars(term: AST) -> Iterator[str]:
    """When a corner is closed: a word, or a word and what closes a side of it."""
    judge = word("corner rule", BARRED)
    if is_call(term) and term.arguments:
        yield from form("corner(When, Labels, Places)", (0, judge))(term)
    else:
        yield from judge(term)


FACING = word("facing", FACINGS)
PRICES = form(
    "prices(Straight, Diagonal, Turn, MostEighths, Always)", (4, word("turning rule", TURNING))
)
BARS = form("bars(JoinLabels, PlaceLabels, Joins, Places, Opened, Corner)", (5, corner_of_bars))
JUDGES: Mapping[tuple[str, int], Mapping[int, Judge]] = {
    ("adjoining", 2): {0: end},
    ("crossed", 2): {0: end, 1: end},
    ("distance", 3): {2: word("metric", METRICS)},
    ("neighbour", 2): {1: FACING},
    ("offset", 3): {1: FACING},
    ("opposite", 1): {0: FACING},
    ("piece", 2): {0: item},
    ("reach", 6): {1: FACING, 3: PRICES, 4: BARS},
    ("route", 6): {1: FACING, 3: PRICES, 4: BARS},
    ("side", 3): {1: FACING},
    ("turn", 2): {0: FACING, 1: FACING},
    ("turned", 2): {0: FACING},
}
