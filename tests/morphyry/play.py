"""Random legal play, and what holds at every step of it."""

from __future__ import annotations

import random
from collections.abc import Sequence

from pymorph import queries
from pymorph.position import Position
from pymorph.terms import Term, text_of
from tests.morphyry.worlds import cards_of


def invariants(before: Position, action: Term, after: Position) -> list[str]:
    """What is wrong with a step, if anything."""
    faults = []
    words = after.ruleset.vocabulary
    for fluent, value in after.fluents.items():
        declared = words.fluents[fluent.name]
        if not words.belongs(value, declared.value, after.scene):
            faults.append(f"{text_of(fluent)} = {text_of(value)} is out of its range")
    if cards_of(before) != cards_of(after):
        faults.append(
            f"cards were lost or doubled: {cards_of(before) - cards_of(after)} {cards_of(after) - cards_of(before)}"
        )
    if flaws := queries.check(after).flaws:
        faults.append(f"no position: {[(str(f.what), f.rules) for f in flaws]}")
    if Position.parse(after.line()) != after:
        faults.append("reads back as another position")
    return [f"{before.line()}\n  {action}: {fault}" for fault in faults]


def walk(start: Position, steps: int, rng: random.Random) -> list[str]:
    """Play *steps* random legal actions from *start*; the faults met on the way."""
    faults: list[str] = []
    position = start
    for _ in range(steps):
        actions = queries.legal_actions(position)
        if not actions:
            break
        action = choose(actions, rng)
        after = queries.apply(position, action).position
        faults += invariants(position, action, after)
        position = after
    return faults


def choose(actions: Sequence[Term], rng: random.Random) -> Term:
    """One of *actions*: first a kind of action, so that the rare ones get their turn."""
    kind = rng.choice(sorted({action.name for action in actions}))
    return rng.choice([action for action in actions if action.name == kind])


def cohort(starts: Sequence[Position], steps: int, rng: random.Random) -> list[str]:
    """Play many games at once, in batches; faster than `walk`, with the same invariants."""
    faults: list[str] = []
    current = list(starts)
    for _ in range(steps):
        successors = queries.successors_of(current)
        following = []
        for position, row in zip(current, successors, strict=True):
            if not row:
                continue
            action = choose([a for a, _ in row], rng)
            following.append((position, action, dict(row)[action]))
        checks = queries.check_of([after for _, _, after in following])
        for (position, action, after), answer in zip(following, checks, strict=True):
            if cards_of(position) != cards_of(after):
                faults.append(f"{position.line()}\n  {action}: cards were lost or doubled")
            if not answer.consistent:
                flaws = [(str(f.what), f.rules) for f in answer.flaws]
                faults.append(f"{position.line()}\n  {action}: leads to no position: {flaws}")
        current = [after for _, _, after in following]
    return faults


def faults_of_batches(positions: Sequence[Position]) -> list[str]:
    """Where the batch calls say something else than the single ones."""
    faults = []
    together = queries.legal_actions_of(positions)
    branches = queries.successors_of(positions)
    for position, actions, row in zip(positions, together, branches, strict=True):
        alone = queries.legal_actions(position)
        if alone != actions or alone != tuple(a for a, _ in row):
            faults.append(f"{position.line()}: legal alone and in a batch differ")
        for action, after in row:
            single = queries.apply(position, action).position
            if single != after:
                faults.append(
                    f"{position.line()}\n  {action}: {single.line()}\n  in a batch: {after.line()}"
                )
    return faults


def faults_of_sums(position: Position, rng: random.Random) -> list[str]:
    """Where advancing by a and then by b differs from advancing by a + b."""
    faults = []
    actions = [
        a for a in queries.legal_actions(position) if a.name in ("advance", "ready", "share")
    ]
    for action in actions:
        number = action.arguments[2].number or 0
        if number < 2:
            continue
        first = rng.randint(1, number - 1)
        stem = f"{action.name}({action.arguments[0]}, {action.arguments[1]}"
        whole = queries.apply(position, action)
        if whole.rest:
            continue
        parts = queries.apply(position, f"{stem}, {first})", f"{stem}, {number - first})")
        if parts.position != whole.position:
            faults.append(f"{position.line()}\n  {action} is not {first} and then {number - first}")
    return faults
