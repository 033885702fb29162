"""A crowd: twenty a side on 24x24 squares, on an Initiative roster, against clingo itself."""

import random

from clingo import Number, Symbol

from benchmarks.results import Result, grounded, median
from pymorph.dynamics.transitions import successors_of
from pymorph.explore.execution import application
from pymorph.questions import figures, legality
from pymorph.state.position import Position

SIDE, WIDE, SEEDS = 20, 24, range(5)
RATES = ((1, 1), (1, 1), (2, 1), (1, 2), (3, 2), (2, 3))


def crowd(seed: int) -> Position:
    """Everybody somewhere, Initiative entered, and the first of the roster about to move."""
    rng = random.Random(seed)
    squares = [f"{chr(97 + x)}{y + 1}" for x in range(WIDE) for y in range(WIDE)]
    rng.shuffle(squares)
    combatants = {}
    for number in range(2 * SIDE):
        actions, segments = rng.choice(RATES)
        combatants[f"c{number}"] = (
            f"{{side: {'heroes' if number % 2 else 'foes'}, movement: {rng.randint(4, 8)}, "
            f"rate: {{actions: {actions}, segments: {segments}}}, at: {squares[number]}, "
            f"initiative: {rng.randint(1, 40)}, seat: {number}}}"
        )
    rows = "\n".join("  " + " ".join("." * WIDE) for _ in range(WIDE))
    people = "\n".join(f"  {name}: {told}" for name, told in combatants.items())
    start = Position.parse(
        f"ruleset: phases_of_play\nboard: |\n{rows}\nphase: declaration\n"
        f"combatants:\n{people}\nobjects: {{}}\n"
    )
    for kind in ("announce", "confirm"):
        action = next(
            a
            for a in legality.legal_actions(start)
            if a.name == kind and (kind == "confirm" or str(a.arguments[1]) == "dash")
        )
        start = application.apply(start, str(action)).position
    return start


def plain(position: Position) -> list[Symbol]:
    """What is legal, by clingo given the same slice of the rules and the same facts."""
    facts = position.facts(Number(0))
    control = grounded(position, position.ruleset.slices["legal"].text, facts)
    shown = control.symbolic_atoms.by_signature("legal", 2)
    return [atom.symbol.arguments[0] for atom in shown]


def crowds() -> list[Result]:
    """`legal` alone and in a batch, a successor, and the order of a whole segment."""
    positions = [crowd(seed) for seed in SEEDS]
    one = positions[0]
    assert {action.symbol for action in legality.legal_actions(one)} == set(plain(one))
    clingo = median(lambda: plain(one))
    alone = median(lambda: legality.legal_actions(one))
    many = median(lambda: legality.legal_actions_of(positions)) / len(positions)
    found = successors_of([one])
    count = sum(map(len, found))
    each = median(lambda: successors_of([one])) / max(count, 1)
    order = median(lambda: figures.forecast(one, "declares", "resolves"))
    every = median(lambda: figures.forecast(one))
    return [
        Result("crowd", alone / clingo, 1.5, f"{alone:.1f} ms against {clingo:.1f} ms of clingo"),
        Result("crowd batch", many / clingo, 1.5, f"{many:.1f} ms a position of {len(positions)}"),
        Result("crowd successor", each / clingo, 0.2, f"{each:.2f} ms for each of {count}"),
        Result("crowd order", order / clingo, 1, f"{order:.0f} ms for all turns to come"),
        Result("crowd forecast", every / clingo, 10, f"{every:.0f} ms with all pairs as well"),
    ]
