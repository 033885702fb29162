"""Rules that the loader makes from those of a ruleset, checked as these were."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pymorph.asp.facts import Signature
from pymorph.asp.program import GateRules, check
from pymorph.asp.statements import CheckedStatement, Source
from pymorph.ruleset.contract import CONTRACT, ENGINE, INPUTS, KEYED
from pymorph.ruleset.declarations import SIGNATURES

PLACE = "<generated>"


def made(
    texts: Sequence[str],
    statements: Iterable[CheckedStatement],
    defined: Iterable[Signature] = (),
) -> tuple[CheckedStatement, ...]:
    """The statements that some *texts* are, with what they read and give, beside other
    *statements*. What is *defined* may be read though nothing gives it."""
    from pymorph.board.geometry import FUNCTIONS
    from pymorph.board.lengths.measuring import TABLE_FUNCTIONS

    every = (name.split("/") for name in FUNCTIONS | TABLE_FUNCTIONS)
    functions = frozenset((name, int(arity)) for name, arity in every)
    known = (CONTRACT | SIGNATURES).union(*(s.heads | s.body for s in statements))
    lines = [f"#defined {name}/{arity}." for name, arity in sorted(defined)]
    source = Source(PLACE, "\n".join([*texts, *lines]).encode(), trusted=True)
    rules = GateRules(ENGINE, INPUTS, known, functions, KEYED)
    return tuple(s for s in check([source], rules) if s.kind != "defined")
