"""What a program may call while it is grounded."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from clingo import Symbol, SymbolType

CallResult = Symbol | list[Symbol]
Answer = TypeVar("Answer")
GrounderCall = Callable[..., CallResult]

# Past so many, the answers to one kind of question are dropped.
MOST_ANSWERS = 100_000


def memoized(function: Callable[..., Answer]) -> Callable[..., Answer]:
    """Keep the answers of a method with the board or table that they are about."""

    @functools.wraps(function)
    def answer(self: Calls, *terms: Symbol) -> Answer:
        answers: dict[tuple[Symbol, ...], Answer] = self.answers.setdefault(function.__name__, {})
        try:
            return answers[terms]
        except KeyError:
            pass
        if len(answers) >= MOST_ANSWERS:
            answers.clear()
        result = answers[terms] = function(self, *terms)
        return result

    return answer


def asked(*kinds: str) -> Callable[[GrounderCall], GrounderCall]:
    """Let encodings call a method: its arguments are read by the methods that *kinds* names.

    There is no answer without a board, or where an argument cannot be read.
    """

    def decorated(function: GrounderCall) -> GrounderCall:
        @functools.wraps(function)
        def answer(self: Calls, *terms: Symbol) -> CallResult:
            arguments = []
            for kind, term in zip(kinds, terms, strict=True):
                argument = getattr(self, kind)(term)
                if argument is None:
                    return []
                arguments.append(argument)
            return [] if self.board is None else function(self, *arguments)

        setattr(answer, "arity", len(kinds))  # noqa: B010
        return answer

    return decorated


def remembered(*kinds: str) -> Callable[[GrounderCall], GrounderCall]:
    """As `asked`, `memoized`."""
    return lambda function: memoized(asked(*kinds)(function))


def functions_of(asking: type[Calls]) -> frozenset[str]:
    """What encodings may call of a class, without what it inherits: each name with its arity."""
    members = vars(asking).items()
    return frozenset(f"{name}/{m.arity}" for name, m in members if hasattr(m, "arity"))


def number_of(term: Symbol) -> int | None:
    return term.number if term.type == SymbolType.Number else None


class Calls:
    """What encodings may call: the functions of one board, or of one table."""

    board: Any
    answers: dict[str, dict[Any, Any]]  # that are kept

    def _any(self, term: Symbol) -> Symbol:
        return term

    _integer = staticmethod(number_of)
