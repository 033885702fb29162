"""Is this a position of its game; what each player knows of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from clingo import Function, Number, Symbol

from pymorph.errors import Fault, IllFormed, UnknownName, clipped, nearest
from pymorph.queries.batch import ask, batches, by_situation, facts_of, grouped, situation
from pymorph.queries.results import Check, Flaw
from pymorph.ruleset.vocabulary import HIDDEN
from pymorph.state.position import Position
from pymorph.terms import Term, sorted_symbols, text_of


def check(position: Position) -> Check:
    """Is this a position of its game? Each flaw has the rules that it breaks."""
    return check_of([position])[0]


def check_of(positions: Sequence[Position]) -> tuple[Check, ...]:
    """What `check` says of each of many positions."""
    found: dict[int, list[Flaw]] = defaultdict(list)
    for first, numbers in batches(positions):
        facts = facts_of(positions, numbers)
        facts += [Function("checking", [situation(number)]) for number in numbers]
        atoms = ask("check", first, facts)
        for number, rows in by_situation(atoms["ill_formed"], 1).items():
            rules = grouped((row[0], row[2]) for row in rows)
            found[number] = [Flaw(Term(what), rules[what]) for what in sorted_symbols(rules)]
    return tuple(
        Check(position.ruleset, tuple(found[number])) for number, position in enumerate(positions)
    )


def require_well_formed(position: Position, name: str) -> None:
    """Raises: IllFormed, if *position* is none of its game."""
    flaws = check(position).flaws
    if flaws:
        raise IllFormed(
            [
                Fault(
                    f"{name}: no position of this game: {flaw.what} breaks {', '.join(flaw.rules)}",
                    rules=flaw.rules,
                )
                for flaw in flaws
            ]
        )


def as_seen_by(position: Position, viewer: str) -> Position:
    """The position as *viewer* knows it: what is concealed from it is written ``hidden``.

    Raises: UnknownName, if no such actor is in the position.
    """
    actors = {text_of(member) for members in position.listed.values() for member in members}
    if viewer not in actors:
        raise UnknownName(Fault(f"unknown character {clipped(viewer)}{nearest(viewer, actors)}"))
    here = situation(0)
    changes: dict[Symbol, Symbol] = {}
    counts: dict[Symbol, int] = defaultdict(int)
    for atom in ask("concealed", position, position.facts(here))["concealed"]:
        fluent, owner, instead, _, _ = atom.arguments
        if text_of(owner) == viewer:
            continue
        if fluent == instead:
            changes[fluent] = HIDDEN
        else:
            changes[fluent] = position.default(fluent)
            counts[instead] += position.fluents[fluent].number
    for fluent, number in counts.items():
        changes[fluent] = Number(
            number + position.fluents.get(fluent, position.default(fluent)).number
        )
    return position.with_changes(changes)
