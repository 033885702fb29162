"""Random legal play, and what holds at every step of it."""

import random
from collections.abc import Sequence

from pymorph.dynamics import transitions
from pymorph.explore.execution import application
from pymorph.questions import consistency, legality
from pymorph.state.position import Position
from pymorph.terms import Term, text_of
from tests.morphyry.worlds import cards_of


def out_of_range(position: Position) -> list[str]:
    """Values that their sorts do not have; Speed and counts below 0 are among them."""
    words = position.ruleset.vocabulary
    return [
        f"{text_of(fluent)} = {text_of(value)} is out of its range"
        for fluent, value in position.fluents.items()
        if not words.belongs(value, words.fluents[fluent.name].value, position.scene)
    ]


def is_hidden_by(position: Position, action: Term) -> bool:
    """Does *action* lay a scenario card over one that was laid before, and so hides it?"""
    if action.name != "lay":
        return False
    return str(position.value(f"laid({action.arguments[2]})")) != "none"


def choose(actions: Sequence[Term], rng: random.Random) -> Term:
    """One of *actions*: first a kind of action, so that the rare ones get their turn."""
    kind = rng.choice(sorted({action.name for action in actions}))
    return rng.choice([action for action in actions if action.name == kind])


def cohort(starts: Sequence[Position], steps: int, rng: random.Random) -> tuple[int, list[str]]:
    """Play many games at once, in batches, and judge every legal action of each position.

    The number of actions carried out, and the faults met.
    """
    faults: list[str] = []
    carried_out = 0
    current = list(starts)
    for _ in range(steps):
        rows = transitions.successors_of(current)
        pairs = [(p, a, s) for p, row in zip(current, rows, strict=True) for a, s in row]
        carried_out += len(pairs)
        checks = consistency.check_of([after for _, _, after in pairs])
        for (position, action, after), answer in zip(pairs, checks, strict=True):
            wrong = out_of_range(after)
            if cards_of(position) != cards_of(after) and not is_hidden_by(position, action):
                wrong.append("cards were lost or doubled")
            if not answer.consistent:
                wrong.append(f"no position: {[(str(f.what), f.rules) for f in answer.flaws]}")
            faults += [f"{position.line()}\n  {action}: {fault}" for fault in wrong]
        current = [dict(row)[choose([a for a, _ in row], rng)] for row in rows if row]
        for position in current:
            if Position.parse(position.line()) != position:
                faults.append(f"{position.line()} reads back as another position")
    return carried_out, faults


def faults_of_batches(positions: Sequence[Position]) -> list[str]:
    """Where the batch calls say something else than the single ones."""
    faults = []
    together = legality.legal_actions_of(positions)
    branches = transitions.successors_of(positions)
    for position, actions, row in zip(positions, together, branches, strict=True):
        alone = legality.legal_actions(position)
        if alone != actions or alone != tuple(a for a, _ in row):
            faults.append(f"{position.line()}: legal alone and in a batch differ")
        for action, after in row:
            single = application.apply(position, action).position
            if single != after:
                faults.append(
                    f"{position.line()}\n  {action}: {single.line()}\n  in a batch: {after.line()}"
                )
    return faults


def faults_of_sums(position: Position, rng: random.Random) -> list[str]:
    """Where advancing by a and then by b differs from advancing by a + b."""
    faults = []
    actions = [
        a for a in legality.legal_actions(position) if a.name in ("advance", "ready", "share")
    ]
    for action in actions:
        number = action.arguments[2].number or 0
        if number < 2:
            continue
        first = rng.randint(1, number - 1)
        stem = f"{action.name}({action.arguments[0]}, {action.arguments[1]}"
        whole = application.apply(position, action)
        if whole.rest:
            continue
        parts = application.apply(position, f"{stem}, {first})", f"{stem}, {number - first})")
        if parts.position != whole.position:
            faults.append(f"{position.line()}\n  {action} is not {first} and then {number - first}")
    return faults
