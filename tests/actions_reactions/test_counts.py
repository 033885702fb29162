"""In how many ways can a turn be spent? Counted by the rules, and by a simulator of its own."""

from typing import Any

import pytest

import pymorph
from pymorph.dynamics import transitions
from pymorph.explore.execution import replay
from pymorph.state.files import position_file
from pymorph.state.position import Position
from pymorph.terms import Term
from tests.actions_reactions import simulator
from tests.actions_reactions.simulator import Fighter, Game, Walker
from tests.conftest import EXAMPLES, position_of
from tests.tables import parametrized, with_campaign
from tests.test_counting import step_by_step

KINDS = {"go": "move_between", "shift": "move_within", "stand": "stand"}
DEEDS = {"use_power": "standard", "tie_a_knot": "minor"}
ON_FOOT = {"run": 1, "climb": 1, "jump": 1, "swim": 1}


def alone(here: int = 1, there: int = 1, **more: Any) -> Position:
    """One combatant who walks, in the first of two zones of so many spots."""
    who = {
        "order": 1,
        "side": "heroes",
        "vitality": 9,
        "defence": 9,
        "at": "yard",
        "lacks": ON_FOOT,
    }
    zones = {"yard": {"spots": here, "to": {"hall": "walk"}}, "hall": {"spots": there}}
    return position_of(
        {
            "ruleset": "actions_reactions",
            "round": 2,
            "turn": "kara",
            "zones": zones,
            "characters": {"kara": {**who, **more}},
        }
    )


def kind_of(action: Term) -> str:
    """What a sequence of kinds has for an action; nothing, if it leaves that out."""
    if action.name == "act":
        return DEEDS.get(str(action.arguments[2]), "")
    return KINDS.get(action.name, "")


def turns(start: Position, kinds: Any = kind_of) -> set[tuple[str, ...]]:
    """Every sequence of kinds that the rules let one turn have."""
    found: set[tuple[str, ...]] = {()}
    layer = {((), start)}
    while layer:
        rows = transitions.successors_of([position for _, position in layer])
        layer = {
            ((*done, kinds(action)), after)
            for (done, _), row in zip(layer, rows, strict=True)
            for action, after in row
            if kinds(action)
        }
        found |= {done for done, _ in layer}
    return found


@parametrized
def test_kinds(prone: bool, spots: tuple[int, int], rulings: dict[str, str], number: int) -> None:
    """GC-15: the kinds of moves, standard and minor actions: what a turn may be made of."""
    start = alone(*spots, prone="yes" if prone else "no").with_rulings(rulings)
    found = turns(start)
    assert len(found) == number
    assert found == simulator.turns(Walker(prone, *spots), locomotion=bool(rulings))


def unconditional(action: Term) -> str:
    """Three kinds of moves that ask for nothing."""
    known = {
        **DEEDS,
        "mount": "move_within",
        "dismount": "move_between",
        "squeeze_through": "stand",
    }
    return known.get(str(action.arguments[2]), "") if action.name == "act" else ""


def test_kinds_without_conditions() -> None:
    """GC-15: with three kinds of moves that are always possible there are 76."""
    found = turns(alone(), unconditional)
    assert len(found) == 76
    assert found == simulator.turns(Walker(False, 1, 1), anything=True)


def test_profiles() -> None:
    """GC-14: 14 profiles, 5 of them full, and 28 sequences of types: 1, 3, 8, 16 by length."""
    types = {"move_within": "move", "move_between": "move", "stand": "move"}
    sequences = {
        tuple(types.get(kind, kind) for kind in found) for found in turns(alone(), unconditional)
    }
    profiles = {
        tuple(found.count(type_) for type_ in ("standard", "move", "minor")) for found in sequences
    }
    assert [sum(len(s) == n for s in sequences) for n in range(5)] == [1, 3, 8, 16, 0]
    assert len(profiles) == 14
    assert {p for p in profiles if sum(p) == 3} == {
        (1, 1, 1), (1, 0, 2), (0, 2, 1), (0, 1, 2), (0, 0, 3),
    }  # fmt: skip
    assert profiles == {
        (s, v, m)
        for s in range(4)
        for v in range(4)
        for m in range(4)
        if s <= 1 and s + v <= 2 and s + v + m <= 3
    }


def duel(prone: bool = False) -> Position:
    """Two at one spot, one of whom shoots at whoever leaves."""
    both = {"vitality": 9, "defence": simulator.DEFENCE, "at": "yard", "lacks": ON_FOOT}
    kara = {**both, "order": 1, "side": "heroes", "prone": "yes" if prone else "no"}
    grub = {**both, "order": 2, "side": "foes", "learned": {"parting_shot": 1}}
    return position_of(
        {
            "ruleset": "actions_reactions",
            "round": 2,
            "turn": "kara",
            "zones": {"yard": {"spots": 2, "to": {"gate": "walk"}}, "gate": {}},
            "characters": {"kara": kara, "grub": grub},
        }
    )


def fight(prone: bool = False) -> Game:
    kara = Fighter("yard", 1, 9, prone, False, False)
    return Game(0, frozenset(), frozenset(), (kara, Fighter("yard", 1, 9, False, False, True)))


@with_campaign("prone, depth", [(False, 4), (True, 5)], [(False, 9), (True, 9)])
def test_parting_shots(prone: bool, depth: int) -> None:
    """Windows, declined or used, rolls and harm, until somebody is down and past it."""
    found = pymorph.count(duel(prone), depth, without=["act", "attack", "push"])
    assert list(found.sequences) == simulator.counts(fight(prone), depth)


# Of positions in the yard: the numbers of sequences of one, two and three actions.
YARD = {"leaving": (11, 155, 2547), "start": (50, 1437)}


@pytest.mark.parametrize("name", YARD)
def test_positions_in_the_yard(name: str) -> None:
    """Free actions and rolls count as well; the numbers are the same step by step."""
    start = position_file.load(str(EXAMPLES / "yard" / f"{name}.yaml"))
    position = start if isinstance(start, Position) else replay.end_of(start)
    numbers = pymorph.count(position, len(YARD[name])).sequences
    assert numbers == YARD[name]
    depth = 2 if numbers[0] < 20 else 1
    assert step_by_step(position, depth) == list(numbers[:depth])
