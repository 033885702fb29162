"""Asks clingo: one grounding for each query."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from clingo import Control, Symbol

from pymorph.asp import negative_loops
from pymorph.asp.facts import VEILED, Facts, spread
from pymorph.asp.grounding import WORK, Atoms, grounded
from pymorph.asp.passes import partial_answers
from pymorph.errors import Fault, RulesetError

if TYPE_CHECKING:
    from pymorph.asp.dependency import Slice
    from pymorph.board.lengths.measuring import Context


class Query(NamedTuple):
    """A question to the rules, with its answer."""

    part: Slice
    facts: tuple[Symbol, ...]
    geometry: Context | None
    atoms: Atoms


# A loop: the game is over because nothing is legal, and nothing is legal because it is over.
ENDING = frozenset({("over", 2), ("legal", 2)})
CAN_MOVE = (
    "replace legal by a predicate of your own that does not read over, such as can_move(C, S)"
)
Recall = Callable[["Slice", Sequence[Symbol]], Atoms | None]


class Solver(Protocol):
    """Answers questions to the rules: this module does, and whatever asks it for others."""

    def solve(self, part: Slice, facts: Iterable[Symbol], geometry: Context | None, /) -> Atoms: ...


class Recorder:
    """Records the *queries* to the rules; those that *recall* can answer are not asked again."""

    def __init__(self, recall: Recall = lambda part, facts: None) -> None:
        self.queries: list[Query] = []
        self._recall = recall

    def solve(self, part: Slice, facts: Iterable[Symbol], geometry: Context | None) -> Atoms:
        facts = spread(Facts.of(facts))
        atoms = self._recall(part, facts)
        try:
            atoms = solve(part, facts, geometry) if atoms is None else atoms
        finally:
            self.queries.append(Query(part, tuple(facts), geometry, atoms or {}))
        return atoms


def solve(part: Slice, facts: Iterable[Symbol], geometry: Context | None) -> Atoms:
    """The shown atoms of *part* with *facts*, by predicate name.

    Where every atom is a fact, as in all rules without loops, grounding alone decides; otherwise
    the program is solved, and has to have one answer set.

    Raises: RulesetError if the program does not ground or has no single answer set; Unsettled, if
    the effects of an action depend on something hidden.
    """
    facts = Facts.of(facts)
    if VEILED in facts.keys:
        return partial_answers.unveiled(part, facts, geometry, solve)
    program = part.program(facts)
    atoms: Atoms = {name: [] for name, _ in part.shown}
    if not program:  # nothing that is shown can be derived
        return atoms
    control = grounded(program, facts, geometry)
    certain = True
    for name, arity in part.shown:
        for atom in control.symbolic_atoms.by_signature(name, arity):
            certain = certain and atom.is_fact
            atoms[name].append(atom.symbol)
    return atoms if certain else _answer_set(control, part, atoms)


def _answer_set(control: Control, part: Slice, possible: Atoms) -> Atoms:
    """The shown atoms of the only answer set."""
    WORK["solves"] += 1
    models: list[Atoms] = []
    control.configuration.solve.models = 2  # type: ignore[union-attr]
    with control.solve(yield_=True) as handle:
        for model in handle:
            models.append(
                {name: [s for s in some if model.contains(s)] for name, some in possible.items()}
            )
    if len(models) != 1:
        raise RulesetError(_undecided(control, part, bool(models)))
    return models[0]


def _undecided(control: Control, part: Slice, several: bool) -> Fault:
    """The fault of rules with no answer set or with several, with the rule of a negative loop.

    The text is that of the statement; its place is for callers who know its files.
    """
    what = "allow several answers" if several else "contradict each other"
    fault = Fault(f"the rules {what}: a position needs exactly one answer set")
    doubtful = {
        (atom.symbol.name, len(atom.symbol.arguments))
        for atom in control.symbolic_atoms
        if not atom.is_fact
    }
    loop = negative_loops.negative_loop((p.text for p in part.parts), doubtful)
    if loop is None:
        return fault
    head, read = (f"{name}/{arity}" for name, arity in (loop.head, loop.read))
    rests = f"{head} depends on 'not {read}'"
    rests += f", and {read} on {head}" if read != head else ""
    circle = f"a 'not' is in a circle: {rests}"
    meant = (
        f"let {read} depend on the position before, such as holds(...), and not on {head}; {circle}"
    )
    if loop.members >= ENDING:
        meant = f"{CAN_MOVE}; {circle}, because nothing is legal where the game is over"
    return fault._replace(meant=meant, text=loop.text)
