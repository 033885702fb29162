"""In how many ways can a segment be fought? Counted by the rules, and by a simulator of its own."""

from fractions import Fraction
from typing import Any

import pymorph
from pymorph.state.position import Position
from tests.conftest import position_of
from tests.phases_of_play import simulator
from tests.phases_of_play.simulator import Action, Fight, Fighter
from tests.tables import with_campaign


def position(fight: Fight) -> Position:
    """The same fight as a file has it."""
    columns, rows = fight.board
    combatants: dict[str, Any] = {}
    for who in fight.fighters:
        combatants[who.name] = {
            "side": who.side,
            "initiative": who.initiative,
            "at": f"{'abcdefgh'[who.at[0]]}{who.at[1] + 1}",
            "movement": who.movement,
            "rate": {"actions": who.rate.numerator, "segments": who.rate.denominator},
            "vitality": who.vitality,
            "learned": {"hush": 1} if who.learned else {},
        }
        if who.declared:
            deed, target = who.declared
            combatants[who.name] |= {"declared": deed, "target": target, "units": who.units}
    return position_of(
        {
            "ruleset": "phases_of_play",
            "board": "\n".join([" ".join("." * columns)] * rows),
            "segment": fight.segment,
            "phase": "declaration",
            "objects": {},
            "combatants": combatants,
        }
    )


TWICE, HALF, THREE_IN_TWO = Fraction(2), Fraction(1, 2), Fraction(3, 2)
# A slow foe, in reach: its blow comes to nothing in this segment, as it needs another.
DUEL = Fight(
    (3, 2),
    1,
    (
        Fighter("ash", "heroes", 9, (0, 0), 2, TWICE, vitality=2),
        Fighter("grub", "foes", 12, (1, 0), 1, HALF, vitality=1),
    ),
)
# Out of reach at first; one has a second action in this segment, and the other knows a cantrip.
CHASE = Fight(
    (4, 2),
    2,
    (
        Fighter("dara", "foes", 7, (0, 0), 2, THREE_IN_TWO, vitality=1),
        Fighter("elm", "heroes", 7, (3, 1), 2, vitality=1, learned=True),
    ),
)
# Two against one, whose blow was declared in the segment before and is concluded in this one.
MELEE = Fight(
    (3, 2),
    2,
    (
        Fighter("ash", "heroes", 9, (0, 0), 1, vitality=1),
        Fighter("bryn", "heroes", 4, (2, 1), 2, THREE_IN_TWO, vitality=1),
        Fighter("cole", "foes", 6, (1, 1), 2, HALF, 1, declared=("attack", "ash"), units=2),
    ),
)
LITTLE: tuple[Action, ...] = (("turn",), ("rise",), ("drop",), ("retract",))
PLAIN: tuple[Action, ...] = (
    *LITTLE, ("announce", "draw_weapon"), ("announce", "throw_obstacle"), ("announce", "cast_spell")
)  # fmt: skip


@with_campaign(
    "fight, without, depth",
    [
        (DUEL, (), 4),
        (DUEL, LITTLE, 5),
        (CHASE, (), 4),
        (CHASE, LITTLE, 5),
        (MELEE, (), 4),
        (MELEE, LITTLE, 5),
    ],
    [(fight, PLAIN, 12) for fight in (DUEL, CHASE, MELEE)],
)
def test_counts(fight: Fight, without: tuple[Action, ...], depth: int) -> None:
    """Declarations changed and confirmed, walks, parting shots, dice, a second pass, the end."""
    forms = [f"{kind}({', '.join(rest)})" if rest else kind for kind, *rest in without]
    found = pymorph.count(position(fight), depth, without=forms)
    assert list(found.sequences) == simulator.counts(fight, depth, without)
