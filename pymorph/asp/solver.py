"""Drives clingo: one grounding for each query, its atoms read, its messages made into errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple

from clingo import Control, Symbol

from pymorph.asp import negative_loops
from pymorph.asp.facts import VEILED, Facts, spread
from pymorph.asp.grounding import Atoms, grounded
from pymorph.asp.passes import partial_answers
from pymorph.errors import Fault, RulesetError, Unsettled

if TYPE_CHECKING:
    from pymorph.asp.dependency import Slice
    from pymorph.asp.passes.partial_answers import Answering
    from pymorph.board.lengths.measuring import Context


class Query(NamedTuple):
    """A question as it was put to the rules, and what they said."""

    part: Slice
    facts: tuple[Symbol, ...]
    geometry: Context | None
    atoms: Atoms


# Where the game is over since nothing is legal, and nothing is legal since it is over.
ENDING = frozenset({("over", 2), ("legal", 2)})
CAN_MOVE = (
    "replace legal by a predicate of your own that does not read over, such as can_move(C, S)"
)
Recall = Callable[["Slice", Sequence[Symbol]], Atoms | None]

_heard: ContextVar[tuple[list[Query], Recall | None] | None] = ContextVar("heard", default=None)
_answering: ContextVar[Answering | None] = ContextVar("answering", default=None)


@contextmanager
def overheard(recall: Recall | None = None) -> Iterator[list[Query]]:
    """Every question that is put to the rules meanwhile, in the list that this gives.

    With *recall*, the rules are not asked again where that has the answer.
    """
    heard: list[Query] = []
    token = _heard.set((heard, recall))
    try:
        yield heard
    finally:
        _heard.reset(token)


@contextmanager
def answered_by(answering: Answering) -> Iterator[None]:
    """What the rules are asked meanwhile, somebody else asks them."""
    token = _answering.set(answering)
    try:
        yield
    finally:
        _answering.reset(token)


def solve(part: Slice, facts: Iterable[Symbol], geometry: Context | None) -> Atoms:
    """The shown atoms of *part* with *facts*, by predicate name.

    Where every atom is a fact, as in all rules without loops, grounding alone decides; otherwise
    the program is solved, and has to have one answer set.

    Raises: RulesetError if the program does not ground or has no single answer set; Unsettled, if
    what is carried out hangs on something hidden.
    """
    facts = Facts.of(facts)
    heard = _heard.get()
    if heard is not None:
        facts = spread(facts)
    if heard is not None and heard[1] is not None:
        known = heard[1](part, facts)
        if known is not None:
            heard[0].append(Query(part, tuple(facts), geometry, known))
            return known
    answering = _answering.get()
    try:
        found = (answering or _solved)(part, facts, geometry)
    except Unsettled:
        if heard is not None:
            heard[0].append(Query(part, tuple(facts), geometry, {}))
        raise
    if heard is not None:
        heard[0].append(Query(part, tuple(facts), geometry, found))
    return found


def _solved(part: Slice, facts: Facts, geometry: Context | None) -> Atoms:
    if VEILED in facts.keys:
        return partial_answers.unveiled(part, facts, geometry, _solved)
    program = part.program(facts)
    if not program:  # nothing that is shown can come about
        found: Atoms = {name: [] for name, _ in part.shown}
    else:
        control = grounded(program, facts, geometry)
        found = {}
        certain = True
        atoms = control.symbolic_atoms
        for name, arity in part.shown:
            rows = found.setdefault(name, [])
            for atom in atoms.by_signature(name, arity):
                certain = certain and atom.is_fact
                rows.append(atom.symbol)
        if not certain:
            found = _answer_set(control, part, found)
    return found


def _answer_set(control: Control, part: Slice, found: Atoms) -> Atoms:
    """The shown atoms of the one answer set there is."""
    models: list[Atoms] = []
    control.configuration.solve.models = 2  # type: ignore[union-attr]
    with control.solve(yield_=True) as handle:
        for model in handle:
            models.append(
                {name: [s for s in rows if model.contains(s)] for name, rows in found.items()}
            )
    if len(models) != 1:
        raise RulesetError(_undecided(control, part, bool(models)))
    return models[0]


def _undecided(control: Control, part: Slice, several: bool) -> Fault:
    """What to say of rules with no answer set or with several: which one goes round in a circle.

    The text is that of the statement; where it stands is for whoever knows its files to say.
    """
    what = "allow several answers" if several else "contradict each other"
    fault = Fault(f"the rules {what}: a position needs exactly one answer set")
    doubtful = {
        (atom.symbol.name, len(atom.symbol.arguments))
        for atom in control.symbolic_atoms
        if not atom.is_fact
    }
    found = negative_loops.looping((each.text for each in part.parts), doubtful)
    if found is None:
        return fault
    head, read = (f"{name}/{arity}" for name, arity in (found.head, found.read))
    rests = f"{head} depends on 'not {read}'"
    rests += f", and {read} on {head}" if read != head else ""
    circle = f"a 'not' is in a circle: {rests}"
    meant = (
        f"let {read} depend on the position before, such as holds(...), and not on {head}; {circle}"
    )
    if found.members >= ENDING:
        meant = f"{CAN_MOVE}; {circle}, because nothing is legal where the game is over"
    return fault._replace(meant=meant, text=found.text)
