"""For whose answer play waits after an action, and by which rule."""

from __future__ import annotations

from pymorph.queries.batch import ask, by_actor, situation
from pymorph.queries.legality import legal, legal_actions
from pymorph.queries.results import Awaited
from pymorph.state.position import Position
from pymorph.terms import Term


def awaited_after(before: Position, action: Term, after: Position) -> tuple[Awaited, ...]:
    """What others may answer to *action* and what has to be entered, before play continues.

    An answer is an action that the others could not take *before*; it counts where the actor has
    to wait with something that could be done then. Each has the rules that make play wait.
    """
    atoms = ask("why", after, after.facts(situation(0)))
    rows = [atom.arguments for atom in atoms["waits"]]
    delayed = [(Term(row[0]), row[2].name) for row in rows]
    delayed = [(each, rule) for each, rule in delayed if each.actor == action.actor]
    able = sorted((Term(atom.arguments[0]) for atom in atoms["legal"]), key=by_actor)
    if able and not delayed:
        return ()
    if not able:
        answer = legal(after)
        return () if answer.over or answer.actions else answer.awaited
    known = set(legal_actions(before))
    rules = sorted({rule for each, rule in delayed if each in known})
    new = [each for each in able if each.actor != action.actor and each not in known]
    return tuple(Awaited(each, rule) for each in new for rule in rules)
