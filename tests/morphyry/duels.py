"""Random duels from arming to the end, with their rolls, and what holds at every step of them."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence

from pymorph.dynamics.asking.chance import seeded
from pymorph.dynamics.outcomes import Event, Step
from pymorph.explore.execution import application
from pymorph.questions import consistency, legality
from pymorph.state.position import Position
from pymorph.state.record import Move, Record
from pymorph.terms import Term, text_of
from tests.conftest import position_of
from tests.morphyry.worlds import cards, cards_of
from tests.tables import tables

RULINGS: list[dict[str, str]] = tables(__name__)["rulings"]
ATTRIBUTES = tables(__name__)["attributes"]
# What is worth doing more often than the rest, so that a duel gets somewhere.
EAGER = tables(__name__)["eager"]  # fmt: skip


def start(seed: int) -> Position:
    """Two or three characters with their cards, near each other, before the first turn."""
    rng, ground = random.Random(f"duel {seed}"), random.Random(f"ground {seed // 10}")
    width = ground.choice([2, 3])
    rows = [" ".join(ground.choice("......PSRNA") for _ in range(width)) for _ in range(3)]
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


def duels(seeds: Sequence[int], length: int) -> tuple[list[Record], list[str]]:
    """Duels of *length* decisions at most, all at once, as they were played, and the faults met."""
    rngs = [random.Random(f"choices {seed}") for seed in seeds]
    dice = [seeded(str(seed)) for seed in seeds]
    begun = [
        application.apply(start(seed), dice=own).position
        for seed, own in zip(seeds, dice, strict=True)
    ]
    current = list(begun)
    moves: list[list[Move]] = [[] for _ in seeds]
    faults: list[str] = []
    going = list(range(len(seeds)))
    for _ in range(length):
        rows = legality.legal_actions_of([current[n] for n in going])
        ended = [n for n, actions in zip(going, rows, strict=True) if not actions]
        faults += [
            f"duel {seeds[n]}: nobody may do anything" for n in ended if not dead(current[n])
        ]
        steps: list[tuple[int, Position, Step]] = []
        for n, actions in zip(going, rows, strict=True):
            if actions:
                outcome = application.apply(current[n], choose(actions, rngs[n]), dice=dice[n])
                moves[n].append(Move(str(outcome.actions[-1]), tuple(map(str, outcome.rolls))))
                before = [current[n], *(step.position for step in outcome.steps)]
                steps += [(n, p, step) for p, step in zip(before, outcome.steps, strict=False)]
                current[n] = outcome.position
        checks = consistency.check_of([step.position for _, _, step in steps])
        for (n, position, step), answer in zip(steps, checks, strict=True):
            wrongs = [f"{flaw.what} breaks {flaw.rules}" for flaw in answer.flaws]
            wrongs += wrong(position, step)
            faults += [f"duel {seeds[n]}, {step.action}: {fault}" for fault in wrongs]
        going = [n for n in going if n not in ended]
    records = [
        Record(p, tuple(played), result=end)
        for p, played, end in zip(begun, moves, current, strict=True)
    ]
    return records, faults


def dead(position: Position) -> set[str]:
    """Whose Avatar is out."""
    return {
        fluent.arguments[0].name
        for fluent, value in position.fluents.items()
        if fluent.name == "dead" and text_of(value) == "yes"
    }


def wrong(before: Position, step: Step) -> Iterator[str]:
    """What is not as it should be after a step."""
    after = step.position
    if cards_of(before) != cards_of(after):
        yield "cards were lost or doubled"
    yield from unconserved(step.events)
    if step.action.actor in dead(before):
        yield "an Avatar that is out acts"
    for fluent, value in after.fluents.items():
        if fluent.name in ("lost", "used", "fatigue") and value.number < 0:
            yield f"{text_of(fluent)} is {value.number}"


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
