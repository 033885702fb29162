"""Grounds a program with facts; what clingo says of it is made into errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from clingo import Control, MessageCode, Symbol

from pymorph.errors import Fault, RulesetError

if TYPE_CHECKING:
    from pymorph.board.lengths.measuring import Context

Atoms = dict[str, list[Symbol]]  # by predicate
PLAIN = ("-t1",)
WORK: Counter[str] = Counter()  # groundings and solves since a caller cleared it
IGNORED = frozenset(
    {MessageCode.AtomUndefined, MessageCode.FileIncluded, MessageCode.GlobalVariable}
)


def grounded(
    program: str,
    facts: Iterable[Symbol],
    geometry: Context | None,
    ignored: frozenset[MessageCode] = IGNORED,
    options: Sequence[str] = PLAIN,
) -> Control:
    """A Control that has grounded *program* with *facts*.

    Raises: RulesetError if it does not ground, or a rule of it cannot be evaluated.
    """
    messages: list[str] = []

    def log(code: MessageCode, text: str) -> None:
        if code not in ignored:
            messages.append(text)

    WORK["groundings"] += 1
    control = Control(list(options), logger=log, message_limit=50)
    try:
        with control.backend() as backend:
            for fact in facts:
                backend.add_rule([backend.add_atom(fact)])
        control.add("base", [], program)
        control.ground([("base", [])], context=geometry)
    except (RuntimeError, MemoryError) as error:
        raise RulesetError(
            [Fault(f"cannot ground the rules: {plain(m)}") for m in messages or [str(error)]]
        ) from None
    if messages:
        raise RulesetError([Fault(f"cannot evaluate a rule: {plain(m)}") for m in messages])
    return control


def plain(message: str) -> str:
    """A message of clingo in one line, without the name it gives to text."""
    return " ".join(message.replace("<block>:", "line ").split())[:300]
