"""Single actions of many positions, asked about and carried out in few groundings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clingo import Function, Symbol

from pymorph.asp.grounding import Atoms
from pymorph.errors import Fault, RulesetError
from pymorph.queries import batch
from pymorph.queries.application import MAX_SETTLING, Row, Rows, changed
from pymorph.queries.batch import ask, batches, facts_of, situation
from pymorph.state.position import Position
from pymorph.terms import order

Pair = tuple[Position, Symbol]  # an action, and where it is carried out

# Where a transition stands among the arguments of what it brings about.
OF_TRANSITION = {"sets": 2, "clears": 1, "adds": 3, "halts": 0, "happens": 1, "ends": 0}
NO_ROWS: Rows = dict.fromkeys(OF_TRANSITION, ())


@dataclass(frozen=True, slots=True)
class SteppedAction:
    """A step with what follows of itself: the position after it, and what it was made of.

    *stopped*: what was to follow the step is left undone.
    """

    position: Position
    stopped: bool
    made_of: tuple[tuple[Position, Rows], ...]


def _asked_in_batches(
    verb: str, pairs: Sequence[Pair], done: bool = False
) -> Iterator[tuple[Atoms, dict[int, Position]]]:
    """Ask *verb* about actions, *done* or not: one situation for each position."""
    numbered: dict[Position, int] = {}
    wanted: dict[int, list[tuple[int, Symbol]]] = defaultdict(list)
    for number, (position, action) in enumerate(pairs):
        wanted[numbered.setdefault(position, len(numbered))].append((number, action))
    positions = list(numbered)
    for first, numbers in batches(positions):
        facts = facts_of(positions, numbers)
        for number in numbers:
            here = situation(number)
            for index, action in wanted[number]:
                facts.append(Function("asked", [action, here]))
                if done:
                    facts.append(Function("does", [action, here, situation(index)]))
        yield ask(verb, first, facts), {number: positions[number] for number in numbers}


def unfolded(pairs: Sequence[Pair]) -> dict[Pair, tuple[Symbol, Symbol]]:
    """What those of the actions that are more than one step unfold to: the first, and the rest."""
    if not pairs or not pairs[0][0].ruleset.slices["unfold"].parts:
        return {}
    found = {}
    for atoms, positions in _asked_in_batches("unfold", pairs):
        for atom in atoms["unfolds"]:
            action, first, rest, here = atom.arguments
            found[positions[here.number], action] = (first, rest)
    return found


def those_legal(pairs: Sequence[Pair]) -> set[Pair]:
    """Those of the actions that are legal where they stand."""
    found: set[Pair] = set()
    for atoms, positions in _asked_in_batches("asked", pairs) if pairs else ():
        for atom in atoms["legal"]:
            found.add((positions[atom.arguments[1].number], atom.arguments[0]))
    return found


def stepped(pairs: Sequence[Pair]) -> list[SteppedAction]:
    """What each single step comes to, with the steps without choice that follow it."""
    legs = []
    for (position, _), rows in zip(pairs, transitions(pairs), strict=True):
        after = position.with_changes(changed(position, rows))
        legs.append(SteppedAction(after, bool(rows["halts"]), ((position, rows),)))
    return _settled(legs)


def transitions(pairs: Sequence[Pair]) -> list[Rows]:
    """What each of the actions changes and brings about where it is carried out."""
    found: dict[Symbol, dict[str, list[Row]]] = {}
    for atoms, _ in _asked_in_batches("odds", pairs, done=True):
        found |= by_transition(atoms)
    return [found.get(situation(number), NO_ROWS) for number in range(len(pairs))]


def by_transition(atoms: Atoms) -> dict[Symbol, dict[str, list[Row]]]:
    """The arguments of the atoms that tell what a transition changes and brings about."""
    found: dict[Symbol, dict[str, list[Row]]] = defaultdict(
        lambda: {name: [] for name in OF_TRANSITION}
    )
    for name, index in OF_TRANSITION.items():
        for atom in atoms.get(name, ()):
            row = atom.arguments
            found[row[index]][name].append(row)
    return found


def _settled(legs: list[SteppedAction]) -> list[SteppedAction]:
    """Each leg with the steps without choice that follow it."""
    found = list(legs)
    waiting = list(range(len(found)))
    if not found or not found[0].position.ruleset.slices["settle"].parts:
        return found
    for _ in range(MAX_SETTLING):
        due: dict[int, Symbol] = {}
        current = [found[number].position for number in waiting]
        for first, numbers in batches(current):
            part = first.ruleset.slices["settle"]
            facts = facts_of(current, numbers)
            for atom in batch.solve(part, facts, first.geometry)["due"]:
                number, action = waiting[atom.arguments[1].number], atom.arguments[0]
                due[number] = min(due.get(number, action), action, key=order)
        if not due:
            return found
        pairs = list(
            dict.fromkeys((found[number].position, action) for number, action in due.items())
        )
        rows = dict(zip(pairs, transitions(pairs), strict=True))
        after = {pair: pair[0].with_changes(changed(pair[0], rows[pair])) for pair in pairs}
        for number, action in due.items():
            leg = found[number]
            pair = (leg.position, action)
            found[number] = SteppedAction(
                after[pair], True, (*leg.made_of, (leg.position, rows[pair]))
            )
        waiting = list(due)
    raise RulesetError(Fault("steps without choice do not come to an end"))
