"""Random duels from arming to the end, with their rolls, and what holds at every step of them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from pymorph import queries
from pymorph.answers import Event, Step
from pymorph.position import Position
from pymorph.queries.chance import Roll, seeded
from pymorph.record import Move, Record
from pymorph.terms import Term, text_of
from tests.conftest import position_of
from tests.morphyry.worlds import cards, cards_of

RULINGS: list[dict[str, str]] = [
    {},
    {"call_check": "roll_d10"},
    {"call_check": "spend_points", "crush_hits": "crush_to_spiritum"},
    {"call_timing": "on_entry", "crush_hits": "crush_to_spirit_points"},
    {"fall_drop": "call_to_hold", "armour_layers": "best_only", "armour_ready": "immediately"},
    {
        "fall_drop": "roll_directly", "fall_begins": "after_enacting",
        "ready_recovery": "dedicated_ready_only",
    },
]  # fmt: skip
ATTRIBUTES = [
    {"corpus": 5, "electra": 4, "spiritum": 3},
    {"corpus": 3, "electra": 5, "spiritum": 4},
    {"corpus": 4, "electra": 4, "spiritum": 4},
]
# What is worth doing more often than the rest, so that a duel gets somewhere.
EAGER = {
    "advance": 8, "ready": 6, "deploy": 6, "utilise": 4, "invoke": 4, "next_phase": 3, "begin": 2,
    "wield": 4, "aim": 4, "share": 3, "take_up": 4, "roll_call": 1, "roll_breakage": 1,
    "withdraw": 3,
}  # fmt: skip


def start(seed: int) -> Position:
    """Two or three characters with their cards, near each other, before the first turn."""
    rng = random.Random(f"duel {seed}")
    width = rng.choice([2, 3])
    rows = [" ".join(rng.choice("......PSRNA") for _ in range(width)) for _ in range(3)]
    techniques, artifacts = cards("technique_card"), cards("artifact_card")
    names = ["baganal", "lathana", "tarok"][: rng.choice([2, 2, 2, 3])]
    characters = {}
    for name in names:
        worn = rng.sample(artifacts, k=rng.randint(0, 3))
        characters[name] = {
            "attributes": rng.choice(ATTRIBUTES),
            "hand": [*rng.choices(techniques, k=8), *rng.sample(artifacts, k=2)],
            "utilised": worn,
            "fate": rng.choices(techniques, k=4 * (seed % 2)),
        }
    squares = [f"{column}{row}" for column in "abc"[:width] for row in (1, 2, 3)]
    for name, square in zip(names, rng.sample(squares, k=len(names)), strict=True):
        characters[name].update(at=square, facing=rng.choice(["north", "east", "south", "west"]))
    return position_of(
        {
            "ruleset": "morphyry",
            "board": "\n".join(rows),
            "turn": names[0],
            "phase": "fate",
            "rulings": RULINGS[seed % len(RULINGS)],
            "characters": characters,
        },
        f"duel {seed}",
    )


def choose(actions: tuple[Term, ...], rng: random.Random) -> Term:
    """One of *actions*: a kind first, the eager ones rather; then far rather than near."""
    kinds = sorted({action.name for action in actions})
    kind = rng.choices(kinds, [EAGER.get(name, 1) for name in kinds])[0]
    fitting = [action for action in actions if action.name == kind]
    return max(
        rng.sample(fitting, k=min(3, len(fitting))), key=lambda a: (a.arguments[-1].number or 0, a)
    )


def duel(seed: int, length: int) -> tuple[Record, list[str]]:
    """A duel of *length* decisions at most, as it was played, and the faults met on the way."""
    rng, dice = random.Random(f"choices {seed}"), seeded(str(seed))
    begun = position = queries.apply(start(seed), dice=dice).position
    moves: list[Move] = []
    faults: list[str] = []
    for number in range(length):
        actions = queries.legal_actions(position)
        if not actions:
            if not any(str(v) == "yes" for f, v in position.fluents.items() if f.name == "dead"):
                faults.append(f"duel {seed}, step {number}: nobody may do anything")
            break
        action = choose(actions, rng)
        outcome = queries.apply(position, action, dice=dice)
        rolls = tuple(str(roll) for roll in outcome.rolls)
        moves.append(Move(str(action), rolls))
        faults += [
            f"duel {seed}, step {number}, {action}: {f}" for f in wrong(position, outcome.steps)
        ]
        position = outcome.position
    return Record(begun, tuple(moves), result=position), faults


def wrong(before: Position, steps: tuple[Step, ...]) -> Iterator[str]:
    """What is not as it should be after some steps."""
    for step in steps:
        after = step.position
        flaws = queries.check(after).flaws
        if flaws:
            yield f"{step.action}: no position: {[(str(f.what), f.rules) for f in flaws]}"
        if cards_of(before) != cards_of(after):
            yield f"{step.action}: cards were lost or doubled"
        yield from unconserved(step.events)
        dead = {
            f.arguments[0].name
            for f, v in before.fluents.items()
            if f.name == "dead" and str(v) == "yes"
        }
        if step.action.actor in dead:
            yield f"{step.action}: an Avatar that is out acts"
        for fluent, value in after.fluents.items():
            if fluent.name in ("lost", "used", "fatigue") and value.number < 0:
                yield f"{step.action}: {text_of(fluent)} is {value.number}"
        before = after


def unconserved(events: tuple[Event, ...]) -> Iterator[str]:
    """Damage that is neither soaked nor passed on, or comes from nowhere."""
    left: Counter[tuple[str, str, str]] = Counter()
    for event in events:
        arguments = [text_of(a) for a in event.event.symbol.arguments]
        if event.event.name == "deals":
            source, target, kind, amount = arguments
            left[source, target, kind] += int(amount)
        elif event.event.name == "soaks":
            target, _, source, kind, amount = arguments
            left[source, target, kind] -= int(amount)
        elif event.event.name == "suffers":
            target, source, kind, amount = arguments
            left[source, target, kind] -= int(amount)
    for (source, target, kind), amount in left.items():
        if amount:
            yield f"{amount} {kind} of {source} on {target} is unaccounted for"


def even(roll: Roll) -> bool:
    """Do the odds of a roll add up to one?"""
    return sum((odds for _, odds in roll.outcomes), Fraction(0)) == 1
