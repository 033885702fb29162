"""Every legal action of many positions, carried out in few groundings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from clingo import Function, Symbol

from pymorph import solver
from pymorph.errors import Fault, RulesetError
from pymorph.position import Position
from pymorph.queries.asking import ask, batches, situation
from pymorph.queries.changing import MAX_SETTLING, changed
from pymorph.queries.legality import legal_actions_of
from pymorph.solver import Atoms
from pymorph.terms import Term, order


def successors_of(positions: Sequence[Position]) -> tuple[tuple[tuple[Term, Position], ...], ...]:
    """For each position every legal action with the position that `apply` gives, many at once."""
    actions = legal_actions_of(positions)
    pairs = [(number, action.symbol) for number, row in enumerate(actions) for action in row]
    after = _carried_out([(positions[number], action) for number, action in pairs])
    found: list[list[tuple[Term, Position]]] = [[] for _ in positions]
    for (number, action), position in zip(pairs, after, strict=True):
        found[number].append((Term(action), position))
    return tuple(map(tuple, found))


def _carried_out(pairs: Sequence[tuple[Position, Symbol]]) -> list[Position]:
    """The position after each legal action, in as few groundings as unfolding allows."""
    results: list[Position | None] = [None] * len(pairs)
    # What still has to be done for each pair: a position and a list of actions.
    pending = {number: (position, [action]) for number, (position, action) in enumerate(pairs)}
    while pending:
        firsts = {number: (position, agenda[0]) for number, (position, agenda) in pending.items()}
        unfolded = _unfolded(list(dict.fromkeys(firsts.values())))
        for number, pair in firsts.items():
            if pair in unfolded:
                position, agenda = pending[number]
                pending[number] = (position, [*unfolded[pair], *agenda[1:]])
        steps = list(dict.fromkeys((position, agenda[0]) for position, agenda in pending.values()))
        outcome = dict(zip(steps, _stepped(steps), strict=True))
        going: dict[int, tuple[Position, list[Symbol]]] = {}
        for number, (position, agenda) in pending.items():
            after, stopped = outcome[position, agenda[0]]
            if stopped or len(agenda) == 1:
                results[number] = after
            else:
                going[number] = (after, agenda[1:])
        allowed = _still_legal([(after, agenda[0]) for after, agenda in going.values()])
        for number, (after, agenda) in list(going.items()):
            if (after, agenda[0]) not in allowed:
                results[number] = after
                del going[number]
        pending = going
    return [position for position in results if position is not None]


def _asked_in_batches(
    verb: str, pairs: Sequence[tuple[Position, Symbol]], predicate: str
) -> Iterator[tuple[Atoms, dict[int, Position]]]:
    """Ask *verb* about pairs of a position and an action: one situation for each position."""
    numbered: dict[Position, int] = {}
    wanted: dict[int, list[tuple[int, Symbol]]] = defaultdict(list)
    for number, (position, action) in enumerate(pairs):
        wanted[numbered.setdefault(position, len(numbered))].append((number, action))
    positions = list(numbered)
    for first, numbers in batches(positions):
        facts: list[Symbol] = []
        for number in numbers:
            here = situation(number)
            facts += positions[number].facts(here)
            for index, action in wanted[number]:
                facts.append(Function("asked", [action, here]))
                if predicate == "does":
                    facts.append(Function("does", [action, here, situation(index)]))
        yield ask(verb, first, facts), {number: positions[number] for number in numbers}


def _unfolded(
    pairs: Sequence[tuple[Position, Symbol]],
) -> dict[tuple[Position, Symbol], tuple[Symbol, Symbol]]:
    if not pairs or not pairs[0][0].ruleset.slices["unfold"].text:
        return {}
    found = {}
    for atoms, positions in _asked_in_batches("unfold", pairs, "asked"):
        for atom in atoms["unfolds"]:
            action, first, rest, here = atom.arguments
            found[positions[here.number], action] = (first, rest)
    return found


def _still_legal(pairs: Sequence[tuple[Position, Symbol]]) -> set[tuple[Position, Symbol]]:
    found: set[tuple[Position, Symbol]] = set()
    for atoms, positions in _asked_in_batches("asked", pairs, "asked") if pairs else ():
        for atom in atoms["legal"]:
            found.add((positions[atom.arguments[1].number], atom.arguments[0]))
    return found


def _stepped(pairs: Sequence[tuple[Position, Symbol]]) -> list[tuple[Position, bool]]:
    """The position after each single step, settled, and whether the step was stopped there."""
    rows: dict[int, Atoms] = defaultdict(
        lambda: {"sets": [], "clears": [], "adds": [], "halts": []}
    )
    at = {"sets": 2, "clears": 1, "adds": 3, "halts": 0}
    for atoms, _ in _asked_in_batches("successors", pairs, "does"):
        for name, index in at.items():
            for atom in atoms[name]:
                rows[atom.arguments[index].number][name].append(atom)
    after = []
    for number, (position, _) in enumerate(pairs):
        after.append(position.with_changes(changed(position, rows[number], defaultdict(set))))
    settled = _settled(after)
    return [
        (final, bool(rows[number]["halts"]) or final is not after[number])
        for number, final in enumerate(settled)
    ]


def _settled(positions: list[Position]) -> list[Position]:
    """Each position with the steps without choice carried out."""
    found = list(positions)
    waiting = list(range(len(found)))
    if not found or not found[0].ruleset.slices["settle"].text:
        return found
    for _ in range(MAX_SETTLING):
        due: dict[int, Symbol] = {}
        current = [found[number] for number in waiting]
        for first, numbers in batches(current):
            part = first.ruleset.slices["settle"]
            facts = [
                f for n in numbers for f in current[n].facts(situation(n)) if f.name in part.reads
            ]
            for atom in solver.solve(part, facts, first.geometry)["due"]:
                number, action = waiting[atom.arguments[1].number], atom.arguments[0]
                due[number] = min(due.get(number, action), action, key=order)
        if not due:
            return found
        pairs = list(dict.fromkeys((found[number], action) for number, action in due.items()))
        rows: dict[int, Atoms] = defaultdict(lambda: {"sets": [], "clears": [], "adds": []})
        at = {"sets": 2, "clears": 1, "adds": 3}
        for atoms, _positions in _asked_in_batches("successors", pairs, "does"):
            for name, index in at.items():
                for atom in atoms[name]:
                    rows[atom.arguments[index].number][name].append(atom)
        after = {
            pair: pair[0].with_changes(changed(pair[0], rows[number], defaultdict(set)))
            for number, pair in enumerate(pairs)
        }
        for number, action in due.items():
            found[number] = after[found[number], action]
        waiting = list(due)
    raise RulesetError(Fault("steps without choice do not come to an end"))
