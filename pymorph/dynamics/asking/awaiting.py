"""How things are after an action: for whose answer play waits, by which rule; who has won."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from clingo import Symbol

from pymorph.dynamics.asking.batch import ask, by_actor, situation
from pymorph.dynamics.asking.endings import outcomes_in
from pymorph.dynamics.results import Awaited, GameOutcome
from pymorph.state.position import Position
from pymorph.terms import Term


def awaited_in(
    rows: Iterable[Sequence[Symbol]], bounds: Iterable[Sequence[Symbol]]
) -> tuple[Awaited, ...]:
    """What somebody has to enter, with the rule that waits for it, sorted by actor.

    Of several *bounds* the lowest counts.
    """
    most: dict[Symbol, tuple[int, str]] = {}
    for form, number, unit, _ in bounds:
        most[form] = min((number.number, unit.name), most.get(form, (number.number, unit.name)))
    found = (Awaited(Term(row[0]), row[2].name, *most.get(row[0], ())) for row in rows)
    return tuple(sorted(found, key=lambda each: (by_actor(each.form), each.rule)))


class FollowUp(NamedTuple):
    """For what play waits after an action, and who has won if the game is over then."""

    awaited: tuple[Awaited, ...] = ()
    outcome: GameOutcome | None = None


def afterwards(before: Position, action: Term, after: Position) -> FollowUp:
    """What others may answer to *action* and what has to be entered, before play continues; the
    outcome, if it does not.

    An answer is an action that the others could not take *before*; it counts where the actor has
    to wait with something that could be done then. Each has the rules that make play wait.
    """
    atoms = ask("why", after, after.facts(situation(0)))
    rows = [atom.arguments for atom in atoms["waits"]]
    delayed = [(Term(row[0]), row[2].name) for row in rows]
    delayed = [(each, rule) for each, rule in delayed if each.actor == action.actor]
    able = sorted((Term(atom.arguments[0]) for atom in atoms["legal"]), key=by_actor)
    if able and not delayed:  # where something may be done, the game is not over
        return FollowUp()
    if not able:
        told = ask("legal", after, after.facts(situation(0)))
        rows, bounds = ([a.arguments for a in told[each]] for each in ("awaited", "awaited_most"))
        entries = () if told["over"] or told["legal"] else awaited_in(rows, bounds)
        return FollowUp(entries, outcomes_in(told)[0].outcome)
    earlier = ask("legal", before, before.facts(situation(0)))["legal"]
    known = {Term(atom.arguments[0]) for atom in earlier}
    rules = sorted({rule for each, rule in delayed if each in known})
    new = [each for each in able if each.actor != action.actor and each not in known]
    return FollowUp(tuple(Awaited(each, rule) for each in new for rule in rules))
